/* SPDX-License-Identifier: MIT */
/**
 * Can a guest break the model? Bytes become a life of one PMU: accesses at any encoding from any mode,
 * counts, pins, errata, and snapshots with bytes turned. What must hold after every step is checked, not only
 * that nothing crashes.
 */
#include "bytes.h"
#include <apmu/model.h>

#include <stdlib.h>
#include <string.h>

struct life {
	struct apmu pmu;
	struct apmu_tally tally;
	bool line[APMU_LINES]; /* as the callback said */
	struct apmu_snapshot saved;
	bool has_saved;
};

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	struct life *l = ctx;

	MUST(line < APMU_LINES && l->line[line] != up);
	l->line[line] = up;
}

static void on_note(void *ctx, enum apmu_note note, uint64_t detail)
{
	(void)ctx;
	(void)detail;
	MUST(note < APMU_NOTES);
}

static struct apmu_mode some_mode(struct bytes *b)
{
	uint8_t bits = byte(b);

	return (struct apmu_mode){.el = bits & 3, .security = bits >> 2 & 3, .debug_halted = bits >> 7};
}

/* Mostly a register that the core has; else any encoding in any view. */
static struct apmu_access some_access(struct life *l, struct bytes *b)
{
	const struct apmu_core *core = l->pmu.core;
	uint8_t which = byte(b);
	const struct apmu_reg *reg = apmu_reg_nth(core, which % apmu_reg_count(core));
	struct apmu_access at = {.view = reg->at[0].view, .encoding = reg->at[0].encoding};

	if (which >= 0xE0) {
		at.view = byte(b) % (APMU_VIEWS + 1);
		at.encoding = (uint32_t)word(b, 4);
	}
	at.from = some_mode(b);
	return at;
}

static void reads(struct life *l, struct bytes *b)
{
	struct apmu_access at = some_access(l, b);
	struct apmu before;
	uint64_t value = 0x5A5A5A5A5A5A5A5A, again = 0;
	enum apmu_outcome outcome;

	memcpy(&before, &l->pmu, sizeof before);
	outcome = apmu_read(&l->pmu, at, &value);
	MUST(memcmp(&before, &l->pmu, sizeof before) == 0);
	MUST(outcome <= APMU_TRAP_EL3);
	if (outcome != APMU_DONE) {
		MUST(value == 0x5A5A5A5A5A5A5A5A);
		return;
	}
	MUST(at.view != APMU_VIEW_CP || value <= UINT32_MAX); /* MRC moves 32 bits */
	MUST(apmu_read(&l->pmu, at, &again) == APMU_DONE && again == value);
}

static void writes(struct life *l, struct bytes *b)
{
	struct apmu_access at = some_access(l, b);
	uint64_t value = word(b, 4), ignored;
	struct apmu_state before;
	bool may_not;

	if (byte(b) & 1)
		value |= word(b, 4) << 32;
	apmu_advance(&l->pmu);
	memcpy(&before, &l->pmu.s, sizeof before);
	may_not = apmu_write(&l->pmu, at, value) != APMU_DONE;
	MUST(!may_not || memcmp(&before, &l->pmu.s, sizeof before) == 0);
	/* A register that may be written there may be read there; later families have some that are
	 * write-only. */
	MUST(may_not || l->pmu.core->access_rule != APMU_ACCESS_PLAIN ||
	     apmu_read(&l->pmu, at, &ignored) == APMU_DONE);
}

static void counts(struct life *l, struct bytes *b)
{
	unsigned n = byte(b) % 8;

	while (n--) {
		unsigned s = byte(b) % APMU_SIGNALS;
		unsigned width = byte(b) % 9;

		l->tally.n[s] += word(b, width);
	}
	apmu_advance(&l->pmu);
}

static void pins(struct life *l, struct bytes *b)
{
	uint8_t bits = byte(b);

	apmu_input(&l->pmu, (struct apmu_inputs){
				    .dbgen = bits & 1,
				    .niden = bits >> 1 & 1,
				    .spiden = bits >> 2 & 1,
				    .spniden = bits >> 3 & 1,
				    .cp15sdisable = bits >> 4 & 1,
				    .export_heard = bits >> 5 & 1,
			    });
}

static void saves(struct life *l)
{
	apmu_advance(&l->pmu);
	apmu_save(&l->pmu, &l->saved);
	l->has_saved = true;
}

/* An untouched snapshot is always taken; a damaged one is taken or changes nothing. */
static void restores(struct life *l, struct bytes *b)
{
	unsigned damage = byte(b) % 4;
	struct apmu_snapshot snapshot;
	struct apmu before;

	if (!l->has_saved)
		saves(l);
	memcpy(&snapshot, &l->saved, sizeof snapshot);
	for (unsigned i = 0; i < damage; i++)
		((uint8_t *)&snapshot)[word(b, 2) % sizeof snapshot] = byte(b) & 1;
	memcpy(&before, &l->pmu, sizeof before);
	if (apmu_restore(&l->pmu, &snapshot) == APMU_OK)
		return;
	MUST(damage > 0);
	MUST(memcmp(&before, &l->pmu, sizeof before) == 0);
}

static void looks(struct life *l, struct bytes *b)
{
	enum apmu_signal s = byte(b) % APMU_SIGNALS;
	struct apmu_tally cycle = {0};

	MUST(apmu_until_overflow(&l->pmu, s) >= 1);
	cycle.n[s] = byte(b);
	(void)apmu_export(&l->pmu, &cycle);
	(void)apmu_wants_cycles(&l->pmu);
}

static bool fits(uint64_t value, unsigned width)
{
	return width >= 64 || value >> width == 0;
}

/* What holds at all times. */
static void must_hold(const struct life *l)
{
	const struct apmu *pmu = &l->pmu;

	for (unsigned i = 0; i < pmu->core->counters; i++)
		MUST(fits(pmu->s.counter[i], pmu->core->width));
	MUST(fits(pmu->s.counter[APMU_CYCLE_COUNTER], pmu->core->cycle_width));
	MUST(pmu->s.phase < 64);
	for (unsigned line = 0; line < APMU_LINES; line++)
		MUST(apmu_line_up(pmu, line) == l->line[line]);
}

static void step(struct life *l, struct bytes *b)
{
	switch (byte(b) % 12) {
	case 0:
	case 1:
	case 2: writes(l, b); break;
	case 3:
	case 4: counts(l, b); break;
	case 5: reads(l, b); break;
	case 6: apmu_enter(&l->pmu, some_mode(b)); break;
	case 7: pins(l, b); break;
	case 8: apmu_errata(&l->pmu, (uint32_t)word(b, 4)); break;
	case 9: saves(l); break;
	case 10: restores(l, b); break;
	default: looks(l, b); break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = {data, size};
	static struct life l; /* zeroed each time: padding too, since whole structs are compared */

	memset(&l, 0, sizeof l);
	apmu_init(&l.pmu, apmu_core_at(byte(&b) % apmu_core_count()), &l.tally,
		  (struct apmu_lines){.line = on_line, .note = on_note, .ctx = &l});
	while (b.left) {
		step(&l, &b);
		must_hold(&l);
	}
	apmu_reset(&l.pmu);
	must_hold(&l);
	return 0;
}
