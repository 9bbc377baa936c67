/* SPDX-License-Identifier: MIT */
/* Unconditional accesses, counted ahead with their block and reported by apmu_uarch_load() and
 * apmu_uarch_store(), count the same as accesses that are reported and counted one by one. Other accesses are
 * reported by apmu_uarch__fast_some(), as by the QEMU engine. */
#include "test.h"
#include "uarch_lab.h"

#include "uarch/fast.h"

#include <apmu/uarch.h>
#include <string.h>

#define STEPS  1500
#define BLOCKS 40
#define MOST   12 /* instructions of a block */

static uint64_t random_state;

static uint64_t next_random(void)
{
	random_state += 0x9E3779B97F4A7C15u;
	uint64_t z = random_state;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

/* A random instruction: about half are loads and stores, most of these unconditional. */
static struct apmu_insn random_insn(void)
{
	static const uint8_t some[] = {APMU_CLASS_LOAD, APMU_CLASS_STORE,  APMU_CLASS_LOAD,
				       APMU_CLASS_ALU,  APMU_CLASS_MUL,    APMU_CLASS_ALU,
				       APMU_CLASS_SWAP, APMU_CLASS_BARRIER};
	static const uint16_t odd[] = {APMU_INSN_CONDITIONAL, APMU_INSN_DOUBLE, APMU_INSN_MULTIPLE,
				       APMU_INSN_EXCLUSIVE};
	unsigned pick = (unsigned)(next_random() % 64);
	if (pick == 62)
		return (struct apmu_insn)ISB();
	struct apmu_insn x = {.cls = some[pick == 63 ? 7 : pick % 7]};
	x.reads = R(next_random() % 14) | R(next_random() % 14);
	x.writes = R(next_random() % 14);
	x.width = (uint8_t)(1u << next_random() % 5);
	x.flags = next_random() % 6 ? 0 : odd[next_random() % 4];
	x.regs = 4;
	return x;
}

static struct apmu_insn program[BLOCKS][MOST];
static unsigned length[BLOCKS];

static void write_program(void)
{
	for (unsigned k = 0; k < BLOCKS; k++) {
		length[k] = (unsigned)(1 + next_random() % MOST);
		for (unsigned i = 0; i < length[k]; i++)
			program[k][i] = random_insn();
		struct apmu_insn *last = &program[k][length[k] - 1];
		*last = (struct apmu_insn){
			.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_IMMED, .target = 0x8000};
		if (next_random() % 8 == 0)
			last->branch = (uint8_t)(next_random() % APMU_BRANCHES);
		last->target = last->branch <= APMU_BRANCH_IMMED_X ? 0x8000 : 0;
		last->flags = next_random() % 4 ? APMU_INSN_CONDITIONAL : 0;
	}
}

/* Blocks that follow one another; branches go to the first. */
static void place(struct lab *l)
{
	uint64_t addr = 0x8000;

	for (unsigned k = 0; k < BLOCKS; k++) {
		lab_block(l, addr, program[k], length[k]);
		addr += 4 * length[k];
	}
}

/* A random address: mostly in a few lines that stay cached, sometimes far away; one in sixteen is not
 * aligned. */
static uint64_t random_address(unsigned size)
{
	uint64_t r = next_random(), span = r % 16 ? (r & 16 ? 64 : 2048) : 400000;
	uint64_t at = 0x100000 + (r >> 8) % span;

	return r >> 60 ? at & ~(uint64_t)(size - 1) : at;
}

static bool uses_memory(const struct apmu_insn *x)
{
	return x->cls == APMU_CLASS_LOAD || x->cls == APMU_CLASS_STORE || x->cls == APMU_CLASS_SWAP;
}

static void tell(struct lab *l, const struct apmu_access_site *site, bool store, bool precounted)
{
	uint64_t addr = random_address(site->size);
	bool forwards = l->u->recent && l->u->window;

	if (precounted && site->unconditional && forwards)
		(store ? apmu_uarch__fast_store_forward : apmu_uarch__fast_load_forward)(l->u, site, addr);
	else if (precounted && site->unconditional)
		(store ? apmu_uarch_store : apmu_uarch_load)(l->u, site, addr);
	else if (precounted && apmu_block_takes(site->block, site->index, site->size) && forwards)
		apmu_uarch__fast_some_forward(l->u, site, addr, site->size, store);
	else if (precounted && !l->u->recent && apmu_block_takes(site->block, site->index, site->size))
		apmu_uarch__fast_some(l->u, site, addr, site->size, store, apmu_uarch__is_lean(l->u));
	else
		apmu_uarch_access(l->u, site->block, site->index, addr, site->size, store);
}

/* Reports the accesses of the first `n` instructions of block k. */
static void run(struct lab *l, unsigned k, unsigned n, bool precounted)
{
	for (unsigned i = 0; i < n; i++) {
		const struct apmu_insn *x = &program[k][i];
		struct apmu_access_site site;
		if (!uses_memory(x))
			continue;
		bool at_once = (x->flags & APMU_INSN_DOUBLE) && x->width < 16 && next_random() % 2;
		apmu_block_access_site(l->block[k], i, (unsigned)x->width << at_once, &site);
		for (unsigned left = site.unconditional ? 1 : (unsigned)(next_random() % 3); left; left--)
			tell(l, &site, x->cls == APMU_CLASS_STORE, precounted);
	}
}

static void live(struct lab *l, bool precounted)
{
	unsigned k = 0;

	if (precounted)
		apmu_uarch_precount(l->u);
	for (unsigned step = 0; step < lab_steps(STEPS); step++) {
		apmu_uarch_enter(l->u, l->block[k]);
		bool fault = next_random() % 64 == 0;
		unsigned n = fault ? (unsigned)(next_random() % length[k]) : length[k];
		run(l, k, n, precounted);
		if (fault)
			apmu_uarch_abandon(l->u, n);
		else if (next_random() % 64 == 0)
			apmu_uarch_break(l->u);
		bool on = next_random() % 4 && k + 1 < BLOCKS;
		k = on ? k + 1 : next_random() % 16 ? 0 : (unsigned)(next_random() % BLOCKS);
	}
}

static void change(struct lab *l, unsigned variant)
{
	if (variant & 1) {
		lab_set(l, "uncached.base", "0x100000");
		lab_set(l, "uncached.size", "0x400");
		lab_set(l, "dtcm.base", "0x100400");
		lab_set(l, "dtcm.size", "0x200");
	}
	if (variant & 2)
		lab_set(l, "l1d.write", "through");
	if (variant & 4)
		lab_set(l, "dtlb.entries", "0");
	if (variant & 8)
		lab_set(l, "l1d.size", "0");
}

/* Sets of wanted signals; they decide which fast paths can be used. */
enum wants {
	WANT_EVERYTHING,
	WANT_SHORT, /* all but the signals that prevent the fast path for entering a block */
	WANT_PAGES,
	WANT_LINES,
	WANT_FILLS, /* instructions, misses and fills only */
	WANTS
};

static void want(uint64_t wanted[APMU_SIGNAL_WORDS], enum wants which)
{
	static const uint16_t pages[] = {APMU_SIG_L1I_TLB_REFILL, APMU_SIG_L1D_TLB_REFILL};
	static const uint16_t lines[] = {APMU_SIG_L1D_FILL_RD, APMU_SIG_L1D_FILL_WR, APMU_SIG_L1D_WB_HALF};
	static const uint16_t fills[] = {APMU_SIG_INST, APMU_SIG_L1I_FILL, APMU_SIG_L1D_FILL,
					 APMU_SIG_L1D_MISS};
	for (unsigned s = 0; s < APMU_SIGNALS && which <= WANT_SHORT; s++)
		if (which == WANT_EVERYTHING || (s != APMU_SIG_OP_RETIRED && s != APMU_SIG_OP_SPEC &&
						 s != APMU_SIG_SLOT_FRONT && s != APMU_SIG_SLOT_BACK))
			apmu_signal_add(wanted, s);
	for (unsigned k = 0; k < 4; k++)
		apmu_signal_add(wanted, fills[k]);
	for (unsigned k = 0; k < 3 && which <= WANT_LINES; k++)
		apmu_signal_add(wanted, lines[k]);
	for (unsigned k = 0; k < 2 && which <= WANT_PAGES; k++)
		apmu_signal_add(wanted, pages[k]);
}

static struct apmu_tally life(const char *core, unsigned variant, enum wants wants, bool precounted)
{
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	struct lab l;

	random_state = 4711 + variant;
	lab_open(&l, core);
	change(&l, variant);
	want(wanted, wants);
	l.u = apmu_uarch_new(&l.p, &l.t, wanted);
	assert_non_null(l.u);
	write_program();
	place(&l);
	live(&l, precounted);
	struct apmu_tally t = l.t;
	lab_close(&l);
	return t;
}

static void same(const struct apmu_tally *a, const struct apmu_tally *b, enum wants wants, const char *core,
		 unsigned variant)
{
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};

	want(wanted, wants);
	for (unsigned s = 0; s < APMU_SIGNALS; s++) {
		if (!apmu_signal_in(wanted, s))
			continue;
		if (a->n[s] != b->n[s])
			print_error("%s, variant %u, want %u, signal %u\n", core, variant, wants, s);
		CHECK_EQ(a->n[s], b->n[s]);
	}
}

/* Compares the fast paths with the general paths, which are needed if all signals are wanted. */
TEST(promised_accesses_and_short_ways_count_as_all_others_do)
{
	for (size_t c = 0; c < apmu_uarch_count(); c++)
		for (unsigned variant = 0; variant < 16; variant++) {
			const char *core = apmu_uarch_at(c)->name;
			struct apmu_tally all = life(core, variant, WANT_EVERYTHING, false);
			for (enum wants wants = WANT_EVERYTHING; wants < WANTS; wants++) {
				struct apmu_tally precounted = life(core, variant, wants, true);
				struct apmu_tally plain = life(core, variant, wants, false);
				same(&precounted, &all, wants, core, variant);
				same(&plain, &all, wants, core, variant);
			}
		}
}

/* Misses of pairs of stores, each told in two accesses of one line, in a cache of two sets with LRU
 * replacement. The first access of a pair may prefetch a line of the same set. `general`: no access takes the
 * fast path. */
static uint64_t misses_of_pairs(bool general)
{
	static const char *const params[][2] = {
		{"l1d.size", "256"},    {"l1d.ways", "2"},          {"l1d.line", "64"},
		{"l1d.replace", "lru"}, {"prefetch.streams", "4"},  {"prefetch.trigger", "1"},
		{"prefetch.next", "0"}, {"prefetch.distance", "2"}, {"read_allocate", "0"}};
	struct lab l;

	lab_open(&l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(&l, params[i][0], params[i][1]);
	lab_start_for(&l, APMU_SIG_L1D_MISS);
	struct apmu_insn pair = STR(0, 8);
	pair.flags = APMU_INSN_DOUBLE;
	struct apmu_block *b = lab_block(&l, 0x8000, &pair, 1);
	random_state = 4711;
	for (unsigned step = 0; step < STEPS; step++) {
		uint64_t r = next_random(), line = r & 1 ? step / 8 : step / 8 + (r >> 8) % 8;
		apmu_uarch_enter(l.u, b);
		for (unsigned k = 0; k < 2; k++)
			(general ? apmu_uarch__access_any : apmu_uarch_access)(l.u, b, 0, line * 64 + 4 * k,
									       4, true);
	}
	uint64_t misses = lab_count(&l, APMU_SIG_L1D_MISS);
	lab_close(&l);
	return misses;
}

TEST(the_second_access_of_a_pair_to_a_line_is_no_new_use_of_it)
{
	CHECK_EQ(misses_of_pairs(false), misses_of_pairs(true));
}

TEST(what_may_not_happen_or_happens_in_parts_is_not_unconditional)
{
	struct lab l;
	struct apmu_access_site site;
	struct apmu_insn insn[] = {
		{.cls = APMU_CLASS_LOAD, .width = 4},
		{.cls = APMU_CLASS_LOAD, .width = 4, .flags = APMU_INSN_CONDITIONAL},
		{.cls = APMU_CLASS_STORE, .width = 4, .flags = APMU_INSN_DOUBLE},
		{.cls = APMU_CLASS_LOAD, .width = 4, .flags = APMU_INSN_MULTIPLE, .regs = 1},
		{.cls = APMU_CLASS_STORE, .width = 4, .flags = APMU_INSN_EXCLUSIVE},
		{.cls = APMU_CLASS_SWAP, .width = 4},
		{.cls = APMU_CLASS_LOAD, .width = 8, .writes = R(33)},
		{.cls = APMU_CLASS_ALU},
		{.cls = APMU_CLASS_STORE, .width = 8}};

	lab_open(&l, "cortex-a53");
	struct apmu_block *b = lab_block(&l, 0x8000, insn, 9);
	for (unsigned i = 0; i < 9; i++) {
		apmu_block_access_site(b, i, insn[i].width, &site);
		CHECK_EQ(site.unconditional, i == 0 || i == 8);
	}
	apmu_block_access_site(b, 0, 8, &site); /* not the size that it has */
	CHECK_EQ(site.unconditional, false);
	apmu_block_access_site(b, 9, 4, &site);
	CHECK_EQ(site.unconditional, false);
	lab_close(&l);
}
