/* SPDX-License-Identifier: MIT */
/* Properties of any stream of blocks and addresses: identities between counts, independence of a count from
 * the other wanted signals, hostile input. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#include <stdlib.h>

#define STEPS 3000
#define SPAN  0x20000 /* bytes of data: at least twice the size of any L1 */

static uint64_t random_state;

static uint64_t next_random(void)
{
	random_state += 0x9E3779B97F4A7C15u;
	uint64_t z = random_state;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static struct apmu_insn random_insn(void)
{
	struct apmu_insn x = {.cls = (uint8_t)(next_random() % APMU_CLASSES)};
	x.reads = R(next_random() % 14) | R(next_random() % 14);
	x.shift_reads = x.reads & R(next_random() % 14);
	x.writes = R(next_random() % 14);
	x.width = 4;
	x.flags = (uint16_t)(next_random() % 4 ? 0 : next_random() % 512);
	x.flags &= (uint16_t)~APMU_INSN_KUSER;
	x.regs = (uint8_t)(next_random() % 16);
	x.traits = x.cls == APMU_CLASS_SYSTEM ? (uint64_t)1 << APMU_TRAIT_ZVA : 0;
	return x;
}

static unsigned zva[40]; /* by block: 1 + index of a DC ZVA; 0: none */

/* Forty blocks in a few pages; most end in a branch. */
static void random_blocks(struct lab *l)
{
	for (unsigned k = 0; k < 40; k++) {
		struct apmu_insn insn[12];
		size_t n = 1 + next_random() % 12;
		uint64_t addr = 0x8000 + (next_random() % 4096) * 16;
		zva[k] = 0;
		for (size_t i = 0; i < n; i++) {
			insn[i] = random_insn();
			zva[k] = insn[i].traits ? (unsigned)i + 1 : zva[k];
		}
		insn[n - 1].branch = (uint8_t)(next_random() % APMU_BRANCHES);
		insn[n - 1].target = insn[n - 1].branch <= APMU_BRANCH_IMMED_X ? addr + 64 : 0;
		lab_block(l, addr, insn, n);
	}
}

static uint64_t random_address(void)
{
	uint64_t r = next_random();
	if (r % 32 == 0)
		return next_random(); /* anywhere */
	if (r % 32 == 1)
		return UINT64_MAX - r % 8; /* the very end */
	return 0x100000 + (r >> 8) % SPAN;
}

/* A run that depends on the seed and its length only, not on the wanted signals. */
static void live(struct lab *l, uint64_t seed, unsigned steps)
{
	random_state = seed;
	random_blocks(l);
	for (unsigned k = 0; k < steps; k++) {
		size_t which = next_random() % 40 * (next_random() % 3 != 0);
		struct apmu_block *b = l->block[which];
		apmu_uarch_enter(l->u, b);
		unsigned accesses = (unsigned)(next_random() % 4);
		for (unsigned i = 0; i < accesses; i++) {
			uint64_t addr = random_address();
			unsigned size = 1u << next_random() % 5;
			apmu_uarch_access(l->u, b, i, addr, size, next_random() % 2);
		}
		if (zva[which] > accesses)
			apmu_uarch_zero(l->u, b, zva[which] - 1, random_address(), 64);
		if (next_random() % 32 == 0)
			apmu_uarch_abandon(l->u, accesses);
		else if (next_random() % 32 == 0)
			apmu_uarch_break(l->u);
	}
}

static void change(struct lab *l, unsigned variant)
{
	if (variant & 1)
		lab_set(l, "predict", "0");
	if (variant & 2) {
		lab_set(l, "uncached.base", "0x100000");
		lab_set(l, "uncached.size", "0x1000");
		lab_set(l, "uncached_ordered", "1");
		lab_set(l, "dtcm.base", "0x102000");
		lab_set(l, "dtcm.size", "0x1000");
	}
	if (variant & 4)
		lab_set(l, "l1d.write", "through");
}

static struct apmu_tally life(const char *core, unsigned variant, int signal, unsigned steps)
{
	struct lab l;
	lab_open(&l, core);
	change(&l, variant);
	if (signal < 0)
		lab_start(&l);
	else
		lab_start_for(&l, (unsigned)signal);
	live(&l, 42 + variant, steps);
	struct apmu_tally t = l.t;
	lab_close(&l);
	return t;
}

/* On each row each signal in one of the four variants, in turn; in all with APMU_TEST_ALL. */
TEST(a_count_does_not_depend_on_what_else_is_wanted)
{
	unsigned steps = lab_steps(STEPS);
	bool every = getenv("APMU_TEST_ALL") != NULL;

	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		for (unsigned variant = 0; variant < 4; variant++) {
			struct apmu_tally all = life(apmu_uarch_at(c)->name, variant, -1, steps);
			for (int s = 0; s < APMU_SIGNALS; s++) {
				if (!every && ((size_t)s + c) % 4 != variant)
					continue;
				struct apmu_tally one = life(apmu_uarch_at(c)->name, variant, s, steps);
				if (one.n[s] != all.n[s])
					print_error("%s, signal %d\n", apmu_uarch_at(c)->name, s);
				CHECK_EQ(one.n[s], all.n[s]);
			}
		}
	}
}

TEST(the_same_life_counts_the_same_twice)
{
	struct apmu_tally a = life("arm1176", 0, -1, STEPS), b = life("arm1176", 0, -1, STEPS);
	CHECK(memcmp(&a, &b, sizeof(a)) == 0);
}

#define N(signal) t->n[APMU_SIG_##signal]

static void check_identities(const struct apmu_tally *t)
{
	CHECK(N(BR_IMMED) + N(BR_OTHER) == N(BR_EXEC));
	CHECK(N(BR_EXEC) <= N(INST));
	CHECK(N(BR_MIS_PRED) <= N(BR_EXEC));
	CHECK(N(BR_IMMED_MIS_PRED) <= N(BR_MIS_PRED));
	CHECK(N(BR_IMMED_MIS_PRED) <= N(BR_IMMED));
	CHECK(N(PC_CHANGE) <= N(BR_EXEC));
	CHECK(N(RETURN_MIS_PRED) <= N(RETURN_PRED));
	CHECK(N(RETURN_PRED) <= N(RETURN));
	CHECK(N(L1I_FILL) <= N(L1I_MISS));
	CHECK(N(L1D_ACCESS_CACHEABLE) <= N(L1D_ACCESS));
	CHECK(N(L1D_MISS) <= N(L1D_ACCESS));
	CHECK(N(L1D_FILL) <= N(L1D_MISS));
	CHECK(N(L1D_FILL) <= N(EXT_ACCESS));
	CHECK(N(L1D_FILL_RD) + N(L1D_FILL_WR) == N(L1D_FILL));
	CHECK(N(L1D_FILL_INNER) + N(L1D_FILL_OUTER) == N(L1D_FILL));
	CHECK(N(MEM_RD) + N(MEM_WR) == N(L1D_ACCESS));
	CHECK(N(L1D_TLB_REFILL_RD) + N(L1D_TLB_REFILL_WR) == N(L1D_TLB_REFILL));
	CHECK(N(DTLB_WALK) + N(ITLB_WALK) == N(TLB_WALK));
	CHECK(N(L2_FILL_RD) <= N(L2_RD) && N(L2_FILL_WR) <= N(L2_WR) && N(L2_FILL_FETCH) <= N(L2_FETCH));
	CHECK(N(L3_FILL_RD) <= N(L3_RD) && N(L3_FILL_WR) <= N(L3_WR) && N(L3_FILL_FETCH) <= N(L3_FETCH));
	CHECK(N(LL_MISS_RD) <= N(LL_RD));
	CHECK(N(L1D_WB_CLEAN) <= N(L1D_INVAL));
	CHECK(N(BR_COND_MIS_PRED) <= N(BR_MIS_PRED) && N(BR_INDIRECT_MIS_PRED) <= N(BR_MIS_PRED));
	CHECK(N(STALL_DEP_AGU) + N(STALL_DEP_SIMD) + N(STALL_DEP_OTHER) <= N(DATA_STALL));
	CHECK(N(STALL_FETCH_CACHE) + N(STALL_FETCH_TLB) + N(STALL_FETCH_OTHER) <= N(FETCH_STALL) + N(CYCLES));
	CHECK(N(STALL_BACK_MEM) <= N(DATA_STALL) + N(LSU_FULL_STALL));
	CHECK(N(OP_RETIRED) >= N(INST) && N(OP_SPEC) >= N(OP_RETIRED));
	CHECK(N(L1D_MISS) <= N(EXT_ACCESS)); /* every miss is an external access */
	CHECK(N(L1D_WB_HALF) <= 2 * N(L1D_FILL));
	CHECK(N(FETCH_STALL) + N(DATA_STALL) + N(LSU_FULL_STALL) <= N(CYCLES));
	CHECK(N(LSU_FULL_RUN) <= N(LSU_FULL_STALL));
	CHECK(N(TLB_WALK) <= N(L1I_TLB_REFILL) + N(L1D_TLB_REFILL));
	CHECK(N(WBUF_DRAIN) == N(BCU_DRAIN));
	CHECK(N(LD_RETIRED) + N(ST_RETIRED) <= 2 * N(L1D_ACCESS));
	CHECK(N(FIQ_DISABLED) + N(IRQ_DISABLED) == 0); /* a user program: interrupts are on */
	CHECK(N(CYCLES) < (uint64_t)1 << 40);          /* nothing was taken back twice */
}

TEST(identities_hold_in_any_life)
{
	uint64_t stalled = 0;
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		CHECK(2 * apmu_uarch_at(c)->l1d.size <= SPAN); /* else few lines are evicted */
		for (unsigned variant = 0; variant < 8; variant++) {
			struct apmu_tally t = life(apmu_uarch_at(c)->name, variant, -1, STEPS);
			check_identities(&t);
			CHECK(t.n[APMU_SIG_L1D_MISS] > 100 && t.n[APMU_SIG_DATA_STALL] > 100);
			CHECK(t.n[APMU_SIG_L1D_WB_HALF] + variant > 0);
			stalled += t.n[APMU_SIG_LSU_FULL_STALL];
		}
	}
	CHECK(stalled > 0); /* not on every row: a large core may have no stall */
}

TEST(only_some_signals_need_the_accesses)
{
	const struct {
		unsigned signal;
		bool needs;
	} row[] = {
		{APMU_SIG_INST, false},           {APMU_SIG_BR_EXEC, false},
		{APMU_SIG_BR_MIS_PRED, false},    {APMU_SIG_L1I_MISS, false},
		{APMU_SIG_L1I_TLB_REFILL, false}, {APMU_SIG_FETCH_STALL_EXTRA, false},
		{APMU_SIG_LD_RETIRED, true},      {APMU_SIG_L1D_ACCESS, true},
		{APMU_SIG_CYCLES, true},          {APMU_SIG_L1D_TLB_REFILL, true},
		{APMU_SIG_TLB_WALK, true},
	};
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
		apmu_signal_add(wanted, row[i].signal);
		CHECK_EQ(apmu_uarch_needs_accesses(wanted), row[i].needs);
	}
}

TEST(a_block_left_by_a_fault_counts_what_was_executed)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "l1i.size", "0");
	lab_set(&l, "itlb.entries", "0");
	lab_start(&l);
	struct apmu_block *b =
		LAB_BLOCK(&l, 0x8000, NOP(), NOP(), LDR(0, 1), ADD(2, 0, 0), DSB(), MSR_C(), B(0x8000));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_abandon(l.u, 2); /* the load faulted */
	CHECK_EQ(lab_count(&l, APMU_SIG_INST), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_EXEC), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_WBUF_DRAIN), 0);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, NOP())); /* the handler: no branch led here */
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_INST), 3);
	lab_close(&l);
}

TEST(a_fault_after_a_whole_block_takes_nothing_back)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, NOP(), NOP()));
	apmu_uarch_abandon(l.u, 2);
	apmu_uarch_abandon(l.u, 0); /* nowhere: nothing to take back */
	CHECK_EQ(lab_count(&l, APMU_SIG_INST), 2);
	lab_close(&l);
}

TEST(condition_failed_instructions_count_as_executed) /* AN195 6: no access comes, the instruction counts */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_insn ldreq = LDR(0, 1);
	ldreq.flags = APMU_INSN_CONDITIONAL;
	apmu_uarch_enter(l.u, lab_block(&l, 0x8000, &ldreq, 1));
	CHECK_EQ(lab_count(&l, APMU_SIG_INST), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 0);
	lab_close(&l);
}

TEST(blocks_that_make_no_sense_are_refused_or_harmless)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_insn odd = {.addr = UINT64_MAX - 1,
				.size = 4,
				.cls = 0xFF,
				.branch = 0xFF,
				.flags = 0xFFFF,
				.reads = UINT64_MAX,
				.shift_reads = UINT64_MAX,
				.writes = UINT64_MAX,
				.regs = 255};
	CHECK(apmu_block_new(&l.p, &odd, 0) == NULL);
	struct apmu_block *b = apmu_block_new(&l.p, &odd, 1);
	assert_non_null(b);
	for (unsigned k = 0; k < 4; k++) {
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, UINT64_MAX, 16, k % 2);
		apmu_uarch_access(l.u, b, 99, 0, 4, false); /* no such instruction */
		apmu_uarch_access(l.u, b, 0, 0, 0, false);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_INST), 4);
	apmu_uarch_break(l.u);
	apmu_block_free(b);
	lab_close(&l);
}
