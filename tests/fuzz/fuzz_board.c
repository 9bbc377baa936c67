/* SPDX-License-Identifier: MIT */
/* A hostile guest against a board's devices and the page-table walkers: any access of any size anywhere, any
 * system register, lines that come and go, time that jumps; any tables. What must hold: lines() is what the
 * wires say at every moment, lines do not move before the deadline, a walk ends after four descriptors and
 * its answer holds for the whole page it names. */
#include "board/board.h"
#include "board/psci.h"
#include "board/walk.h"
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

/* Mostly in a device, and there mostly at a word. */
static uint64_t some_address(const struct apmu_board__board *board, struct bytes *b)
{
	uint8_t which = byte(b);
	const struct apmu_board__window *window = &board->row->window[which % APMU_BOARD__WINDOWS];

	if (which >= 0xF0 || !window->size)
		return word(b, 8);
	uint64_t offset = word(b, 3) % window->size;
	return window->base + (which & 0x80 ? offset : offset & ~(uint64_t)3);
}

static struct apmu_access some_register(struct bytes *b)
{
	static const enum apmu_view views[] = {APMU_VIEW_A64, APMU_VIEW_CP, APMU_VIEW_CP64, APMU_VIEW_MMIO};
	uint8_t which = byte(b), place = byte(b);
	struct apmu_access at = {.view = views[which & 3], .from = {.el = which >> 2 & 3}};
	unsigned crn = which & 0x40 ? 12 : which & 0x80 ? 14 : 4;

	switch (at.view) {
	case APMU_VIEW_A64:
		at.encoding = apmu_sysreg(3, which & 0x10 ? 3 : 0, crn, place >> 4, place & 7);
		break;
	case APMU_VIEW_CP: at.encoding = apmu_cp(which & 0x10 ? 6 : 15, 0, crn, place >> 4, place & 7); break;
	case APMU_VIEW_CP64: at.encoding = apmu_cp64(15, place & 7, crn); break;
	default: at.encoding = (uint32_t)word(b, 4); break;
	}
	return at;
}

static bool accesses(struct apmu_board__board *board, struct bytes *b)
{
	uint64_t address = some_address(board, b), value = 0xA5;
	unsigned size = 1u << (byte(b) & 3);

	if (byte(b) & 1)
		return apmu_board__write(board, address, size, word(b, size));
	bool there = apmu_board__read(board, address, size, &value);
	MUST(there || value == 0xA5);
	MUST(!there || size == 8 || value >> size * 8 == 0);
	MUST(there == (apmu_board__name_at(board, address) != NULL));
	return there;
}

static void registers(struct apmu_board__board *board, struct bytes *b)
{
	struct apmu_access at = some_register(b);
	uint64_t value = 0xA5;

	if (byte(b) & 1) {
		MUST(apmu_board__sysreg_write(board, at, word(b, 8)) <= APMU_BOARD__ANSWER_TRAP_EL1);
		return;
	}
	if (apmu_board__sysreg_read(board, at, &value) != APMU_BOARD__ANSWER_DONE)
		MUST(value == 0xA5);
}

/* Up to the deadline nothing may move. */
static void time_passes(struct apmu_board__board *board, struct bytes *b)
{
	uint64_t until = apmu_board__deadline(board), now = board->s.now + word(b, byte(b) % 9);
	struct apmu_board__board before = *board;

	if (until > board->s.now + 1) {
		apmu_board__advance(&before, until - 1);
		apmu_board__receive(&before, NULL, 0);
		MUST(before.s.cpu == board->s.cpu);
	}
	apmu_board__advance(board, now);
}

/* Settling again changes nothing: no path has forgotten to. */
static void must_be_settled(const struct apmu_board__board *board)
{
	struct apmu_board__board copy = *board;

	apmu_board__receive(&copy, NULL, 0);
	MUST(copy.s.cpu == board->s.cpu && copy.s.next == board->s.next);
	MUST(board->s.cpu < 1 << APMU_BOARD__CPU_LINES);
}

static void step(struct apmu_board__board *board, struct bytes *b)
{
	uint8_t what = byte(b) % 8, letters[3];

	switch (what) {
	case 0:
	case 1:
	case 2: accesses(board, b); break;
	case 3: registers(board, b); break;
	case 4: apmu_board__pmu(board, byte(b) % 3, byte(b) & 1); break;
	case 5: time_passes(board, b); break;
	case 6:
		memset(letters, byte(b), sizeof(letters));
		MUST(apmu_board__receive(board, letters, sizeof(letters)) <= sizeof(letters));
		break;
	default:
		if (byte(b) == 0)
			apmu_board__reset(board);
	}
	must_be_settled(board);
}

static void devices(struct bytes *b)
{
	const struct apmu_board__config config = {
		.core_hz = word(b, 4),
		.counter_hz = word(b, 4),
		.pmu_to_fiq = byte(b) & 1,
	};
	static struct apmu_board__board board;
	size_t n = 0;

	while (apmu_board__nth(n))
		n++;
	apmu_board__init(&board, apmu_board__nth(byte(b) % n), &config);
	while (b->left)
		step(&board, b);
}

/* Tables made of the input: every address reads something, mostly well-formed pointers back into them. */
struct tables {
	const uint8_t *bytes;
	size_t n;
	unsigned reads, most;
};

static bool table_read(void *ctx, uint64_t address, void *to, size_t n)
{
	struct tables *t = ctx;

	MUST(++t->reads <= t->most);
	if (address % 61 == 0)
		return false;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = t->n ? t->bytes[(address + i) % t->n] : 0;
	return true;
}

static struct apmu_board__walked walk(bool wide, const void *regs, struct tables *t, uint64_t address,
				      struct apmu_board__walk_how how)
{
	const struct apmu_board__memory memory = {.read = table_read, .ctx = t};

	t->reads = 0;
	return wide ? apmu_board__walk_a64(regs, &memory, address, how)
		    : apmu_board__walk_a32(regs, &memory, (uint32_t)address, how);
}

static bool reaches_upper(const struct apmu_board__walk_a32 *regs, uint64_t from, uint64_t to)
{
	uint64_t upper = 0x100000000 - (0x100000000 >> (regs->ttbcr >> 16 & 7));

	return from < upper && to >= upper;
}

static void check_walk(bool wide, const void *regs, struct tables *t, uint64_t address,
		       struct apmu_board__walk_how how)
{
	struct apmu_board__walked w = walk(wide, regs, t, address, how);
	enum apmu_board__walk_kind kind = (enum apmu_board__walk_kind)how.kind;

	MUST(w.fault <= APMU_BOARD__FAULT_WALK && w.level <= 3 && w.domain < 16);
	MUST(apmu_board__walk_fsc(&w) < 64);
	MUST(apmu_board__walk_esr(&w, kind, !how.privileged) >> 26 >= 0x20);
	if (!wide)
		MUST(apmu_board__walk_fsr(regs, &w, kind) < 0x1000);
	if (w.fault != APMU_BOARD__FAULT_NONE || w.flat)
		return;
	MUST(w.size >= 1024 && (w.size & (w.size - 1)) == 0);
	MUST((w.physical & (w.size - 1)) == (address & (w.size - 1)));
	/* supersections and large pages stand in sixteen entries, which hostile tables need not make equal */
	if (!wide && !apmu_board__walk_is_lpae(regs) &&
	    (w.size == 1 << 24 || w.size == 1 << 16 || w.size == 1 << 14))
		return;
	/* with T0SZ 0 and T1SZ not, a block of TTBR0's table may reach into what TTBR1 translates */
	if (!wide && apmu_board__walk_is_lpae(regs) && reaches_upper(regs, address, address | (w.size - 1)))
		return;
	struct apmu_board__walked end = walk(wide, regs, t, address | (w.size - 1), how);
	MUST(end.fault == APMU_BOARD__FAULT_NONE && end.size == w.size &&
	     end.physical == (w.physical | (w.size - 1)));
}

static void check_both(struct apmu_board__walk_stage1 one, const struct apmu_board__walk_stage2 *two,
		       struct tables *t, uint64_t address, struct apmu_board__walk_how how)
{
	const struct apmu_board__memory memory = {.read = table_read, .ctx = t};

	t->reads = 0;
	struct apmu_board__walked w = apmu_board__walk_both(one, two, &memory, address, how);
	MUST(w.fault <= APMU_BOARD__FAULT_WALK && w.level <= 3 && w.memory <= APMU_MEMORY_ORDERED);
	MUST(apmu_board__walk_esr(&w, (enum apmu_board__walk_kind)how.kind, true) >> 26 <= 0x24);
	MUST(w.stage2 || !w.on_walk);
	MUST(w.fault != APMU_BOARD__FAULT_NONE || (!w.flat && !w.stage2 && w.size >= 1024));
}

static void walks(struct bytes *b)
{
	const struct apmu_board__walk_a32 narrow = {
		.sctlr = (uint32_t)word(b, 4) | 1,
		.ttbcr = (uint32_t)word(b, 4),
		.dacr = (uint32_t)word(b, 4),
		.fcseidr = (uint32_t)word(b, 1) << 25,
		.ttbr0 = word(b, 5),
		.ttbr1 = word(b, 5),
		.tables = byte(b) % 4,
	};
	const struct apmu_board__walk_a64 wide = {
		.sctlr = narrow.sctlr,
		.tcr = word(b, 8),
		.ttbr0 = word(b, 6),
		.ttbr1 = word(b, 6),
	};
	uint64_t address = word(b, 8);
	uint8_t bits = byte(b);
	struct apmu_board__walk_how how = {
		.kind = bits % 3, .privileged = bits & 0x10, .single = bits & 0x20};
	struct tables tables = {b->at, b->left, 0, 4};

	check_walk(false, &narrow, &tables, (uint32_t)address, how);
	how.pan = (bits & 0x40) && how.privileged && !how.single;
	check_walk(true, &wide, &tables, address, how);
	const struct apmu_board__walk_stage2 two = {
		.vttbr = wide.ttbr1,
		.vtcr = wide.tcr >> 32,
		.physical_bits = bits & 8 ? 48 : 40,
		.aarch32 = bits & 0x80,
		.protects_walk = bits & 4,
		.uncached_data = bits & 2,
		.default_cacheable = bits & 0x40,
	};
	tables.most = 24; /* each of four descriptors through four, and what they lead to */
	check_both((struct apmu_board__walk_stage1){.a64 = &wide}, &two, &tables, address, how);
	how.pan = false;
	check_both((struct apmu_board__walk_stage1){.a32 = &narrow}, &two, &tables, address, how);
}

static void power(struct bytes *b)
{
	const uint64_t x[4] = {word(b, 4), word(b, 8), word(b, 8), word(b, 8)};
	struct apmu_board__psci answer = apmu_board__psci(x, byte(b) & 1);

	MUST(answer.action <= APMU_BOARD__PSCI_RESET);
	MUST(answer.known || answer.action == APMU_BOARD__PSCI_RETURN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = {data, size};

	switch (byte(&b) % 4) {
	case 0: walks(&b); break;
	case 1: power(&b); break;
	default: devices(&b); break;
	}
	return 0;
}
