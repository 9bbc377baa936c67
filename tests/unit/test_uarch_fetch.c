/* SPDX-License-Identifier: MIT */
/* The fetch side: AN195 3, 4 and 8. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define EIGHT NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), NOP()

TEST(code_misses_once_a_line)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, EIGHT, EIGHT, EIGHT, B(0x8000)); /* 100 bytes: 4 lines */
	for (unsigned k = 0; k < 10; k++)
		apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_FILL), 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_INST), 250);
	lab_close(&l);
}

TEST(blocks_that_follow_in_a_line_look_it_up_once) /* AN195 8: only non-sequential misses */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, NOP(), BEQ(0x9000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8008, NOP(), BEQ(0x9000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8010, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 1);
	lab_close(&l);
}

/* Each line of a block is asked for when the one before it has come, so none waits for the bus. */
TEST(missing_code_lines_of_a_block_come_one_after_the_other)
{
	static const char *const cores[] = {"generic-inorder", "generic-ooo"};
	static const char *const params[][2] = {{"memory", "100"}, {"line_fill", "30"}, {"l2.size", "0"},
						{"l3.size", "0"},  {"shared", "0"},     {"itlb.entries", "0"},
						{"l1i.line", "64"}};

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		struct lab l;
		lab_open(&l, cores[i]);
		for (size_t k = 0; k < sizeof(params) / sizeof(params[0]); k++)
			lab_set(&l, params[k][0], params[k][1]);
		lab_start(&l);
		apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT));
		CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 3);
		CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), 3 * 100);
		lab_close(&l);
	}
}

/* A core with lines of 64 bytes, and one more parameter. */
static void open_with(struct lab *l, const char *key, const char *value)
{
	static const char *const params[][2] = {{"l2.size", "65536"},
						{"l2.ways", "16"},
						{"l3.size", "0"},
						{"memory", "100"},
						{"line_fill", "1"},
						{"l2.latency", "20"},
						{"l2.fill", "1"},
						{"shared", "0"},
						{"itlb.entries", "0"},
						{"l1i.line", "64"},
						{"l2.inclusion", "inclusive"}};
	lab_open(l, "generic-ooo");
	for (size_t k = 0; k < sizeof(params) / sizeof(params[0]); k++)
		lab_set(l, params[k][0], params[k][1]);
	lab_set(l, key, value);
	lab_start(l);
}

static void open_ahead(struct lab *l)
{
	open_with(l, "code_ahead", "3");
}

/* Enters a block of one line of code. */
static void enter_line(struct lab *l, uint64_t line)
{
	apmu_uarch_enter(l->u, LAB_BLOCK(l, line * 64, NOP(), NOP(), NOP()));
}

TEST(l2_reads_code_ahead_of_a_line_that_missed_there) /* A72TRM 7.4 */
{
	struct lab l;
	open_ahead(&l);
	enter_line(&l, 512); /* misses L2: lines 513 to 515 */
	CHECK_EQ(lab_count(&l, APMU_SIG_L2_AHEAD), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_MEMORY_RD), 4);
	enter_line(&l, 515); /* hits, but does not follow the line before */
	CHECK_EQ(lab_count(&l, APMU_SIG_L2_AHEAD), 3);
	enter_line(&l, 514);
	enter_line(&l, 515); /* in L1I: L2 is not asked */
	CHECK_EQ(lab_count(&l, APMU_SIG_L2_AHEAD), 3);
	enter_line(&l, 513);
	enter_line(&l, 1024);
	enter_line(&l, 1025); /* follows: line 1028 */
	CHECK_EQ(lab_count(&l, APMU_SIG_L2_AHEAD), 7);
	CHECK_EQ(lab_count(&l, APMU_SIG_MEMORY_RD), 9);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_FILL), 6);
	lab_close(&l);
}

TEST(l2_reads_no_code_ahead_beyond_4_kib)
{
	struct lab l;
	open_ahead(&l);
	enter_line(&l, 639 - 1); /* line 639 is the last of its 4 KiB */
	CHECK_EQ(lab_count(&l, APMU_SIG_L2_AHEAD), 1);
	enter_line(&l, 639);
	CHECK_EQ(lab_count(&l, APMU_SIG_L2_AHEAD), 1);
	lab_close(&l);
}

TEST(a_line_that_was_read_ahead_comes_when_l2_has_it)
{
	struct lab l;
	open_ahead(&l);
	enter_line(&l, 512);
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), 100);
	enter_line(&l, 513); /* L2 was asked with the first: it came a cycle after that one */
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), 100 + 20);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_FILL), 2);
	lab_close(&l);
}

/* Enters a line, and returns the cycles that fetch waits for it. */
static uint64_t wait_for_line(struct lab *l, uint64_t line)
{
	uint64_t before = lab_count(l, APMU_SIG_FETCH_STALL);
	enter_line(l, line);
	return lab_count(l, APMU_SIG_FETCH_STALL) - before;
}

TEST(a_line_that_missed_brings_the_next_one_within_4_kib)
{
	struct lab l;
	open_with(&l, "code_next", "1");
	CHECK_EQ(wait_for_line(&l, 512), 100);
	CHECK_EQ(wait_for_line(&l, 513), 0); /* came a cycle later, in which the block before is dispatched */
	CHECK_EQ(wait_for_line(&l, 514), 100);
	CHECK_EQ(wait_for_line(&l, 600), 100);
	CHECK_EQ(wait_for_line(&l, 602), 100); /* 601 was brought for nothing */
	CHECK_EQ(wait_for_line(&l, 601), 100); /* and only the last one is remembered */
	CHECK_EQ(wait_for_line(&l, 639), 100); /* the last of its 4 KiB */
	CHECK_EQ(wait_for_line(&l, 640), 100);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_FILL), 8);
	lab_close(&l);
}

/* A loop whose branch is the last word of its line, so that the branch shadow is in the next line. */
static void loop_at_line_end(struct lab *l, const char *predict, unsigned rounds)
{
	lab_open(l, "arm1136");
	lab_set(l, "predict", predict);
	lab_start(l);
	struct apmu_block *b =
		LAB_BLOCK(l, 0x8000, NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), BEQ(0x8000));
	for (unsigned k = 0; k < rounds; k++)
		apmu_uarch_enter(l->u, b);
}

TEST(with_prediction_off_the_branch_shadow_misses_each_time_round) /* AN195 3 */
{
	struct lab l;
	loop_at_line_end(&l, "0", 100);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 1 + 99);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_FILL), 1);
	lab_close(&l);
}

TEST(a_shadow_that_has_been_executed_does_not_miss) /* AN195 3: "which has not yet been executed" */
{
	struct lab l;
	loop_at_line_end(&l, "0", 1);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8020, B(0x8000)));
	uint64_t misses = lab_count(&l, APMU_SIG_L1I_MISS);
	for (unsigned k = 0; k < 100; k++)
		apmu_uarch_enter(l.u, l.block[0]);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), misses);
	lab_close(&l);
}

TEST(with_prediction_on_and_right_the_shadow_is_not_fetched) /* AN195 3 */
{
	struct lab l;
	loop_at_line_end(&l, "1", 100);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 1);
	lab_close(&l);
}

/* A call to a function of one line whose return stands at `ret`, and back. */
static uint64_t misses_of_return(uint64_t ret)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	struct apmu_block *caller = LAB_BLOCK(&l, 0x8000, BL(ret));
	struct apmu_block *function = LAB_BLOCK(&l, ret, BX_LR());
	struct apmu_block *back = LAB_BLOCK(&l, 0x8004, B(0x8000));
	for (unsigned k = 0; k < 10; k++) {
		apmu_uarch_enter(l.u, caller);
		apmu_uarch_enter(l.u, function);
		apmu_uarch_enter(l.u, back);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_PRED), 10);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_MIS_PRED), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_FILL), 2);
	uint64_t misses = lab_count(&l, APMU_SIG_L1I_MISS);
	lab_close(&l);
	return misses;
}

TEST(a_predicted_return_at_a_line_end_counts_a_miss_without_a_fill) /* AN195 3 */
{
	CHECK_EQ(misses_of_return(0x901C), 2 + 10);
	CHECK_EQ(misses_of_return(0x9018), 2);
}

TEST(xscale_has_no_branch_shadow)
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_set(&l, "predict", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x801C, BEQ(0x801C));
	for (unsigned k = 0; k < 10; k++)
		apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 1);
	lab_close(&l);
}

TEST(a_misprediction_adds_one_to_the_fetch_stall_and_its_penalty_to_the_cycles) /* AN195 4 */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "predict", "0");
	lab_set(&l, "mispredict", "4");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, B(0x8000));
	apmu_uarch_enter(l.u, b);
	uint64_t cycles = lab_count(&l, APMU_SIG_CYCLES), stalls = lab_count(&l, APMU_SIG_FETCH_STALL);
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES) - cycles, 1 + 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL) - stalls, 1);
	lab_close(&l);
}

TEST(a_folded_branch_takes_no_cycle) /* DDI0301H table 16-11 */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, NOP(), NOP(), B(0x8000));
	apmu_uarch_enter(l.u, b);
	uint64_t first = lab_count(&l, APMU_SIG_CYCLES);
	apmu_uarch_enter(l.u, b); /* static: 3 beyond issue, and now in the BTAC */
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES) - first, 3 + 3);
	first = lab_count(&l, APMU_SIG_CYCLES);
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES) - first, 2);
	lab_close(&l);
}

/* Runs a block in each of 11 pages repeatedly: one page more than the micro-TLB holds. */
static void eleven_pages(struct lab *l)
{
	struct apmu_block *b[11];
	for (unsigned k = 0; k < 11; k++)
		b[k] = LAB_BLOCK(l, 0x10000 + 0x1000 * k + 0x20 * k, NOP());
	for (unsigned r = 0; r < 5; r++)
		for (unsigned k = 0; k < 11; k++) {
			apmu_uarch_enter(l->u, b[k]);
			apmu_uarch_break(l->u);
		}
}

TEST(a_walk_shows_in_the_cycles_and_in_no_stall_event_on_arm11) /* AN195 4 */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "memory", "0");
	lab_set(&l, "line_fill", "0");
	lab_start(&l);
	eleven_pages(&l);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_TLB_REFILL), 55);
	CHECK_EQ(lab_count(&l, APMU_SIG_TLB_WALK), 11);
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), 44 * 8); /* what the main TLB served: 8 cycles each */
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 55 + 44 * 8 + 11 * 212);
	lab_close(&l);
}

TEST(a_walk_of_xscale_is_a_fetch_stall) /* XSCALE 8, event 0x1: an ITLB miss is a cause */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_set(&l, "memory", "0");
	lab_set(&l, "line_fill", "0");
	lab_start(&l);
	eleven_pages(&l);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_TLB_REFILL), 11);
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), 11 * 120);
	lab_close(&l);
}

/* Cycles and data stalls of a store that causes a table walk. */
static void data_walk(const char *core, uint64_t *cycles, uint64_t *stalls)
{
	struct lab l;
	lab_open(&l, core);
	lab_set(&l, "l1i.size", "0");
	lab_set(&l, "itlb.entries", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 1));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_TLB_WALK), 1);
	*cycles = lab_count(&l, APMU_SIG_CYCLES);
	*stalls = lab_count(&l, APMU_SIG_DATA_STALL);
	lab_close(&l);
}

TEST(a_walk_for_data_is_no_data_stall_on_arm11) /* AN195 4 */
{
	uint64_t cycles, stalls;
	data_walk("arm1136", &cycles, &stalls);
	CHECK_EQ(cycles, 1 + 212);
	CHECK_EQ(stalls, 0);
	data_walk("xscale1", &cycles, &stalls);
	CHECK_EQ(cycles, 1 + 120);
	CHECK_EQ(stalls, 120);
}

TEST(arm1156_has_no_tlb_events) /* AN195 table 2: events 3, 4 and F unused */
{
	struct lab l;
	lab_open(&l, "arm1156");
	lab_start(&l);
	eleven_pages(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x12345678, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_TLB_REFILL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_TLB_REFILL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_TLB_WALK), 0);
	lab_close(&l);
}

TEST(code_in_the_instruction_tcm_does_not_miss)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "itcm.base", "0x8000");
	lab_set(&l, "itcm.size", "0x1000");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, EIGHT, EIGHT));
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 0);
	apmu_uarch_break(l.u);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 1);
	lab_close(&l);
}
