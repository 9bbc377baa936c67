/* SPDX-License-Identifier: MIT */
/* Statements of App Note 195 about event sources that no other file tests; tests/seeds.md lists all of them.
 */
#include "test.h"
#include "uarch_lab.h"

/* A machine without TLBs. */
static void open_flat(struct lab *l, const char *core)
{
	lab_open(l, core);
	lab_set(l, "itlb.entries", "0");
	lab_set(l, "dtlb.entries", "0");
}

TEST(without_the_instruction_cache_nothing_misses_it) /* AN195 3 */
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_set(&l, "l1i.size", "0");
	lab_start(&l);
	for (unsigned k = 0; k < 50; k++)
		apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000 + 0x100 * k, NOP(), B(0x8100 + 0x100 * k)));
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 0);
	lab_close(&l);
}

TEST(an_instruction_miss_is_a_stall_in_every_cycle_it_waits) /* AN195 table 2, 0x1 */
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_set(&l, "memory", "50");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, NOP(), NOP(), NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), 50);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 50 + 3);
	lab_close(&l);
}

TEST(a_data_dependency_is_no_instruction_stall) /* AN195 4 */
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_set(&l, "l1i.size", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), ADD(2, 0, 0));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8008, NOP()));
	CHECK(lab_count(&l, APMU_SIG_DATA_STALL) > 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_STALL), 0);
	lab_close(&l);
}

/* Mispredictions of a loop of `rounds` iterations, left by falling through, with one parameter changed. */
static uint64_t wrong_in_loop(const char *key, const char *value, unsigned rounds)
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_set(&l, key, value);
	lab_start(&l);
	struct apmu_block *loop = LAB_BLOCK(&l, 0x8000, NOP(), BEQ(0x8000));
	for (unsigned k = 0; k < rounds; k++)
		apmu_uarch_enter(l.u, loop);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8008, NOP()));
	uint64_t wrong = lab_count(&l, APMU_SIG_BR_MIS_PRED);
	lab_close(&l);
	return wrong;
}

TEST(static_and_dynamic_prediction_are_switched_one_by_one) /* AN195 5: by the auxiliary control register */
{
	CHECK_EQ(wrong_in_loop("predict", "1", 20), 1);        /* both: only the exit */
	CHECK_EQ(wrong_in_loop("static_predict", "0", 20), 2); /* also the first time, when it is unknown */
	CHECK_EQ(wrong_in_loop("btb", "0", 20), 1);            /* static: backward, so always taken */
	CHECK_EQ(wrong_in_loop("predict", "0", 20), 19);       /* neither: each taken branch */
}

/* Number of returns predicted, with one parameter changed. */
static uint64_t predicted_returns(const char *key, const char *value)
{
	struct lab l;
	open_flat(&l, "arm1176");
	lab_set(&l, key, value);
	lab_start(&l);
	struct apmu_block *call = LAB_BLOCK(&l, 0x8000, BL(0x9000)), *back = LAB_BLOCK(&l, 0x9000, BX_LR());
	for (unsigned k = 0; k < 10; k++) {
		apmu_uarch_enter(l.u, call);
		apmu_uarch_enter(l.u, back);
		apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, B(0x8000)));
	}
	uint64_t n = lab_count(&l, APMU_SIG_RETURN_PRED);
	lab_close(&l);
	return n;
}

TEST(the_return_stack_is_switched_on_its_own) /* AN195 5 */
{
	CHECK_EQ(predicted_returns("btb", "0"), 10);
	CHECK_EQ(predicted_returns("return_stack", "0"), 0);
}

TEST(a_swi_is_no_change_of_the_pc_and_a_mov_to_it_is) /* AN195 table 2, 0xD */
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, SVC()));
	apmu_uarch_break(l.u); /* the kernel runs */
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, MOV_PC(0)));
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 0);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 1);
	lab_close(&l);
}

TEST(an_instruction_of_many_cycles_counts_once) /* AN195 6 */
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, MUL(0, 1, 2), MUL(3, 4, 5), MUL(6, 7, 8)));
	CHECK_EQ(lab_count(&l, APMU_SIG_INST), 3);
	CHECK(lab_count(&l, APMU_SIG_CYCLES) > 3 + lab_count(&l, APMU_SIG_FETCH_STALL));
	lab_close(&l);
}

TEST(cache_operations_are_no_data_accesses) /* AN195 7, table 2 0x9, 0xA, 0xB */
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, MCR_CACHE(), MCR_CACHE(), NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS_CACHEABLE), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 0);
	lab_close(&l);
}

TEST(table_walks_are_no_data_accesses_and_not_external_ones) /* AN195 7, table 2 0x10 */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	for (uint64_t k = 0; k < 200; k++) { /* one access per page */
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x100000 + k * 0x1000, 4, false);
	}
	CHECK(lab_count(&l, APMU_SIG_TLB_WALK) >= 200);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 200);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 200); /* the refills */
	lab_close(&l);
}

TEST(write_backs_are_no_external_accesses) /* AN195 table 2, 0x10 */
{
	struct lab l;
	open_flat(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1));
	for (uint64_t k = 0; k < 4096; k++) { /* 128 KiB, each line dirtied: more than any cache here holds */
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x100000 + k * 32, 4, false);
		apmu_uarch_access(l.u, b, 1, 0x100000 + k * 32, 4, true);
	}
	CHECK(lab_count(&l, APMU_SIG_L1D_WB_HALF) > 1000);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 4096);
	lab_close(&l);
}
