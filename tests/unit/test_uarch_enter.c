/* SPDX-License-Identifier: MIT */
/* The fast paths for entering a block count the same as the general path. */
#include "test.h"
#include "uarch_lab.h"
#include "uarch_short.h"

#define BLOCKS 48u
#define STEPS  4000u

#define CALLS 20u
static uint64_t state, from[CALLS];
static unsigned calls;

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/* Adjacent blocks in two pages; each ends in a branch to another, a call, a return, an indirect branch, or
 * falls through. */
static void program(struct lab *l)
{
	uint64_t start[BLOCKS + 1] = {0x8F80};
	unsigned n[BLOCKS];

	for (unsigned k = 0; k < BLOCKS; k++) {
		n[k] = 1 + draw(draw(4) ? 9 : 40);
		start[k + 1] = start[k] + 4 * n[k];
	}
	for (unsigned k = 0; k < BLOCKS; k++) {
		struct apmu_insn insn[40], ends[] = {BEQ(start[draw(BLOCKS)]),
						     BEQ(start[draw(BLOCKS)]),
						     B(start[draw(BLOCKS)]),
						     BL(start[draw(BLOCKS)]),
						     BX_LR(),
						     BXEQ_LR(),
						     BX(3),
						     ADD(1, 2, 3)};
		unsigned end = draw(12);

		for (unsigned i = 0; i < n[k]; i++) {
			struct apmu_insn any[] = {ADD(1, 2, 3), LDR(2, 4), MUL(3, 1, 2), STR(1, 4)};
			insn[i] = any[draw(4)];
		}
		insn[n[k] - 1] = ends[end < 8 ? end - (end == 7 && k + 1 == BLOCKS) : end % 4];
		lab_block(l, start[k], insn, n[k]);
	}
}

static const struct apmu_block *at(const struct lab *l, uint64_t addr)
{
	for (unsigned k = 0; k < l->blocks; k++)
		if (l->block[k]->addr == addr)
			return l->block[k];
	return l->block[0];
}

/* The block after `b`: a conditional branch mostly goes the same way, a return mostly to the last call. */
static const struct apmu_block *next(const struct lab *l, const struct apmu_block *b)
{
	bool often = b->addr >> 3 & 1, taken = b->always || (draw(5) ? often : !often);

	if (b->kind == APMU_BRANCH_IMMED_LINK && calls < CALLS)
		from[calls++] = b->end;
	if (taken && b->kind == APMU_BRANCH_RETURN && calls && draw(8))
		return at(l, from[--calls]);
	if (taken && (b->kind == APMU_BRANCH_RETURN || b->kind == APMU_BRANCH_INDIRECT))
		return l->block[draw(draw(4) ? 2 : l->blocks)];
	return at(l, taken ? b->target : b->end);
}

static void accesses(struct apmu_uarch *u, const struct apmu_block *b)
{
	for (unsigned i = 0; i < b->n; i++)
		if (b->step[i].unconditional)
			apmu_uarch_access(u, b, i, 0x100000 + 4 * draw(draw(8) ? 500 : 50000), 4,
					  b->step[i].cls == APMU_CLASS_STORE);
}

static struct apmu_tally life(const char *core, uint64_t seed, const unsigned *signal, bool in_short)
{
	struct lab l;
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};

	state = seed;
	calls = 0;
	lab_open(&l, core);
	program(&l);
	for (; *signal < APMU_SIGNALS; signal++)
		apmu_signal_add(wanted, *signal);
	l.u = apmu_uarch_new(&l.p, &l.t, wanted);
	const struct apmu_block *b = l.block[0];
	for (unsigned k = 0; k < lab_steps(STEPS); k++, b = next(&l, b)) {
		(in_short ? enter_short : apmu_uarch__enter_any)(l.u, b);
		accesses(l.u, b);
	}
	struct apmu_tally t = l.t;
	lab_close(&l);
	return t;
}

static const unsigned sets[][8] = {
	{APMU_SIG_INST, APMU_SIG_BR_MIS_PRED, APMU_SIG_L1I_MISS, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_CYCLES, APMU_SIG_BR_MIS_PRED, APMU_SIG_L1D_MISS, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_CYCLES, APMU_SIG_FETCH_STALL, APMU_SIG_DATA_STALL, APMU_SIG_PC_CHANGE,
	 APMU_SIGNALS},
	{APMU_SIG_BR_MIS_PRED, APMU_SIG_BR_COND_MIS_PRED, APMU_SIG_BR_IMMED_MIS_PRED, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_CYCLES, APMU_SIG_BR_EXEC, APMU_SIG_L1I_ACCESS, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_L1I_FILL, APMU_SIG_L1D_FILL, APMU_SIG_L1I_TLB_REFILL, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_L1D_FILL, APMU_SIG_BR_EXEC, APMU_SIGNALS},
	{APMU_SIG_L1I_FILL, APMU_SIG_L1I_ACCESS, APMU_SIG_WBUF_DRAIN, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_PC_CHANGE, APMU_SIG_RETURN_INST, APMU_SIG_BR_IMMED, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_PC_CHANGE, APMU_SIG_RETURN_INST, APMU_SIG_L1I_FILL, APMU_SIGNALS},
	{APMU_SIG_CALL, APMU_SIG_RETURN, APMU_SIG_RETURN_PRED, APMU_SIG_RETURN_MIS_PRED, APMU_SIG_BR_MIS_PRED,
	 APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_CYCLES, APMU_SIG_RETURN_PRED, APMU_SIG_RETURN_INST, APMU_SIG_PC_CHANGE,
	 APMU_SIG_BR_MIS_PRED, APMU_SIG_BR_IMMED_TAKEN, APMU_SIGNALS},
	{APMU_SIG_INST, APMU_SIG_L1I_FILL, APMU_SIG_L1D_FILL, APMU_SIGNALS},
};

static void check(const char *core, const unsigned *signal, uint64_t seed)
{
	struct apmu_tally brief = life(core, seed, signal, true), whole = life(core, seed, signal, false);

	for (; *signal < APMU_SIGNALS; signal++) {
		if (brief.n[*signal] != whole.n[*signal])
			print_error("%s, signal %u, seed %u\n", core, *signal, (unsigned)seed);
		CHECK_EQ(brief.n[*signal], whole.n[*signal]);
	}
}

TEST(every_core_counts_the_same_by_the_short_ways_and_by_the_long_one)
{
	for (size_t c = 0; c < apmu_uarch_count(); c++)
		for (size_t s = 0; s < sizeof(sets) / sizeof(sets[0]); s++)
			for (uint64_t seed = 1; seed <= 2; seed++)
				check(apmu_uarch_at(c)->name, sets[s], seed);
}

/* Number of steps whose block the fast path could enter (apmu_uarch__enter_try()). */
static unsigned taken_short(const char *core, const unsigned *signal, enum apmu_uarch__fast_path way)
{
	struct lab l;
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	unsigned short_ones = 0;

	state = 7;
	calls = 0;
	lab_open(&l, core);
	program(&l);
	for (; *signal < APMU_SIGNALS; signal++)
		apmu_signal_add(wanted, *signal);
	l.u = apmu_uarch_new(&l.p, &l.t, wanted);
	CHECK_EQ(l.u->fast_path, way);
	const struct apmu_block *b = l.block[0];
	for (unsigned k = 0; k < STEPS; k++, b = next(&l, b)) {
		bool tried = apmu_uarch__enter_try(l.u, b);
		short_ones += tried;
		if (!tried)
			apmu_uarch__enter_any(l.u, b);
	}
	lab_close(&l);
	return short_ones;
}

TEST(many_blocks_are_entered_the_short_way)
{
	CHECK(taken_short("cortex-a7", sets[0], APMU_UARCH__FAST_UNTIMED) > STEPS / 4);
	CHECK(taken_short("cortex-a7", sets[1], APMU_UARCH__FAST_TIMED) > STEPS / 4);
	CHECK(taken_short("cortex-a53", sets[0], APMU_UARCH__FAST_HYBRID) > STEPS / 4);
	CHECK(taken_short("cortex-a53", sets[1], APMU_UARCH__FAST_HYBRID_TIMED) > STEPS / 4);
	CHECK(taken_short("cortex-a55", sets[1], APMU_UARCH__FAST_PREDICTED) > STEPS / 4);
	CHECK(taken_short("neoverse-n1", sets[0], APMU_UARCH__FAST_TAGE) > STEPS / 4);
	CHECK(taken_short("arm1136", sets[2], APMU_UARCH__FAST_BUFFER) > STEPS / 4);
	CHECK(taken_short("cortex-a53", sets[5], APMU_UARCH__FAST_LINES) > STEPS / 4);
	CHECK(taken_short("cortex-a53", sets[6], APMU_UARCH__FAST_BARE) > STEPS / 4);
	CHECK(taken_short("cortex-a53", sets[8], APMU_UARCH__FAST_BARE) > STEPS / 4);
	CHECK(taken_short("cortex-a53", sets[9], APMU_UARCH__FAST_LINES) > STEPS / 4);
	CHECK(taken_short("cortex-a53", sets[12], APMU_UARCH__FAST_CACHE) > STEPS / 4);
}
