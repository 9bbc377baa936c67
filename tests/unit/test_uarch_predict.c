/* SPDX-License-Identifier: MIT */
/* Direction, loop and indirect predictors: the patterns that each can and cannot learn, by its textbook rule.
 */
#include "test.h"
#include "uarch/tage.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

static void open_with(struct lab *l, const char *direction)
{
	lab_open(l, "generic-inorder");
	lab_set(l, "direction", direction);
	lab_set(l, "counters", "1024");
	lab_set(l, "locals", "64");
	lab_set(l, "history", "10");
	lab_set(l, "tage_tables", "4");
	lab_set(l, "tage_entries", "256");
	lab_set(l, "btb", "64");
	lab_set(l, "loops", "0");
	lab_set(l, "targets", "0");
}

/* Runs a forward conditional branch that follows `pattern` (letters T for taken and N) and an unconditional
 * one back; returns how often the conditional one was mispredicted in iterations `from` to `to` - 1. */
static uint64_t misses_of(struct lab *l, const char *pattern, unsigned from, unsigned to)
{
	struct apmu_block *head = LAB_BLOCK(l, 0x8000, NOP(), BEQ(0x8020));
	struct apmu_block *through = LAB_BLOCK(l, 0x8008, B(0x8000));
	struct apmu_block *there = LAB_BLOCK(l, 0x8020, B(0x8000));
	size_t period = strlen(pattern);
	uint64_t before = 0;
	for (unsigned turn = 0; turn < to; turn++) {
		if (turn == from)
			before = lab_count(l, APMU_SIG_BR_COND_MIS_PRED);
		apmu_uarch_enter(l->u, head);
		apmu_uarch_enter(l->u, pattern[turn % period] == 'T' ? there : through);
	}
	return lab_count(l, APMU_SIG_BR_COND_MIS_PRED) - before;
}

static uint64_t misses(const char *direction, const char *pattern, unsigned from, unsigned to)
{
	struct lab l;
	open_with(&l, direction);
	lab_start(&l);
	uint64_t n = misses_of(&l, pattern, from, to);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_COND_MIS_PRED), lab_count(&l, APMU_SIG_BR_MIS_PRED));
	lab_close(&l);
	return n;
}

TEST(the_static_rule_never_learns)
{
	CHECK_EQ(misses("static", "T", 0, 100), 100); /* a forward branch is predicted not taken */
	CHECK_EQ(misses("static", "N", 0, 100), 0);
}

TEST(a_two_bit_counter_learns_what_mostly_happens)
{
	CHECK_EQ(misses("bimodal", "T", 0, 100), 1);        /* from weakly not taken: one miss */
	CHECK_EQ(misses("bimodal", "TTTTTTTN", 8, 88), 10); /* only the exception, each time */
	CHECK_EQ(misses("bimodal", "TN", 0, 100), 100);     /* the counter goes 1 2 1 2: always one late */
}

TEST(histories_learn_what_repeats)
{
	const char *kinds[] = {"gshare", "local", "tage", "hybrid"};
	for (unsigned k = 0; k < 4; k++) {
		CHECK_EQ(misses(kinds[k], "TN", 100, 200), 0);
		CHECK_EQ(misses(kinds[k], "TTNTN", 500, 1000), 0);
		CHECK(misses(kinds[k], "T", 0, 100) <= 11); /* a counter for each history until it is all T */
	}
}

/* Mispredictions of a branch that is always taken, next to one that is taken at random: gshare needs a
 * counter for each history that the random one leaves, hybrid's counter by address learns at once. */
static uint64_t steady_misses(const char *direction)
{
	struct lab l;
	open_with(&l, direction);
	lab_start(&l);
	struct apmu_block *random = LAB_BLOCK(&l, 0x8000, BEQ(0x8010)),
			  *next = LAB_BLOCK(&l, 0x8004, B(0x8010));
	struct apmu_block *steady = LAB_BLOCK(&l, 0x8010, BEQ(0x8020)),
			  *back = LAB_BLOCK(&l, 0x8020, B(0x8000));
	uint64_t seed = 88172645463325252u, wrong = 0;

	for (unsigned turn = 0; turn < 400; turn++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		apmu_uarch_enter(l.u, random);
		if (seed >> 63)
			apmu_uarch_enter(l.u, next);
		apmu_uarch_enter(l.u, steady);
		uint64_t before = lab_count(&l, APMU_SIG_BR_COND_MIS_PRED);
		apmu_uarch_enter(l.u, back);
		wrong += lab_count(&l, APMU_SIG_BR_COND_MIS_PRED) - before;
	}
	lab_close(&l);
	return wrong;
}

TEST(hybrid_believes_the_counter_by_address_where_history_tells_nothing)
{
	CHECK(steady_misses("gshare") > 20); /* five of the ten history bits are random */
	CHECK(steady_misses("hybrid") < 5);
}

TEST(hybrid_believes_history_where_it_tells)
{
	CHECK_EQ(misses("bimodal", "TN", 100, 200), 100);
	CHECK_EQ(misses("hybrid", "TN", 100, 200), 0);
}

TEST(a_pattern_longer_than_the_history_is_not_learnt_by_gshare)
{
	const char *pattern = "TTTTTTTTTTTTTTTTTTTTTTTN"; /* 24 letters; the history has ten */
	CHECK_EQ(misses("gshare", pattern, 2400, 4800), 100);
	CHECK_EQ(misses("local", pattern, 2400, 4800), 100);
}

TEST(tage_sees_as_far_as_its_longest_history)
{
	struct lab l;
	open_with(&l, "tage");
	lab_set(&l, "history", "40");
	lab_start(&l);
	CHECK_EQ(misses_of(&l, "TTTTTTTTTTTTTTTTTTTTTTTN", 4800, 9600), 0);
	lab_close(&l);
}

TEST(tage_of_three_tables_learns_what_repeats)
{
	struct lab l;
	open_with(&l, "tage");
	lab_set(&l, "tage_tables", "3");
	lab_set(&l, "history", "40");
	lab_start(&l);
	CHECK_EQ(misses_of(&l, "TTNTN", 0, 1000) < 50, true);
	CHECK_EQ(misses_of(&l, "TTNTN", 0, 1000), 0);
	misses_of(&l, "TTTTTTTTTTTTTTTTTTTTTTTN", 0, 4800);
	CHECK_EQ(misses_of(&l, "TTTTTTTTTTTTTTTTTTTTTTTN", 0, 4800), 0);
	lab_close(&l);
}

/* Mispredictions, after 1000 turns, of a branch that goes where a random one went. Between the two stands a
 * conditional call, which is never made. */
static uint64_t misses_behind_a_call(const char *tables)
{
	struct lab l;
	uint64_t seed = 88172645463325252u, wrong = 0;
	struct apmu_insn call = BL(0x9000);
	call.flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS;
	open_with(&l, "tage");
	lab_set(&l, "tage_tables", tables);
	lab_start(&l);
	struct apmu_block *random = LAB_BLOCK(&l, 0x8000, BEQ(0x8008)), *on = LAB_BLOCK(&l, 0x8004, NOP());
	struct apmu_block *calls = lab_block(&l, 0x8008, &call, 1);
	struct apmu_block *same = LAB_BLOCK(&l, 0x800C, BEQ(0x8020)),
			  *back = LAB_BLOCK(&l, 0x8010, B(0x8000));
	struct apmu_block *there = LAB_BLOCK(&l, 0x8020, B(0x8000));
	for (unsigned turn = 0; turn < 2000; turn++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		bool taken = seed >> 63;
		apmu_uarch_enter(l.u, random);
		if (!taken)
			apmu_uarch_enter(l.u, on);
		apmu_uarch_enter(l.u, calls);
		apmu_uarch_enter(l.u, same);
		uint64_t before = lab_count(&l, APMU_SIG_BR_COND_MIS_PRED);
		apmu_uarch_enter(l.u, taken ? there : back);
		wrong += turn < 1000 ? 0 : lab_count(&l, APMU_SIG_BR_COND_MIS_PRED) - before;
	}
	lab_close(&l);
	return wrong;
}

TEST(a_conditional_call_leaves_tage_its_history)
{
	CHECK(misses_behind_a_call("3") < 50);
	CHECK(misses_behind_a_call("4") < 50);
}

/* Of eleven branches in turn, three are random and each other one repeats one of the last eleven outcomes. */
static bool outcome_of(unsigned k, uint64_t history, uint64_t random)
{
	return k < 3 ? random >> 7 & 1 : history >> k & 1;
}

TEST(tage_in_line_is_tage)
{
	struct apmu_uarch_params p = *apmu_uarch_find("neoverse-n1");
	struct apmu_uarch__tage usual, slow;
	uint64_t random = 88172645463325252u;
	unsigned wrong = 0;
	CHECK_EQ(p.tage_tables, APMU_UARCH__TAGE_USUAL);
	CHECK_EQ(apmu_uarch__tage_init(&usual, &p) | apmu_uarch__tage_init(&slow, &p), APMU_OK);
	for (unsigned i = 0; i < 110000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		bool outcome = outcome_of(i % 11, usual.history, random >> 32);
		bool taken = apmu_uarch__tage_usual(&usual, 0x4000 + i % 11, outcome);
		CHECK_EQ(apmu_uarch__tage_any(&slow, 0x4000 + i % 11, outcome), taken);
		usual.history = slow.history = usual.history << 1 | outcome;
		wrong += taken != outcome;
	}
	CHECK(wrong > 14000 && wrong < 35000); /* half of the 30,000 random ones, and the learning phase */
	CHECK_EQ(memcmp(usual.entry, slow.entry, sizeof(*slow.entry) * slow.tables << slow.shift), 0);
	apmu_uarch__tage_free(&usual);
	apmu_uarch__tage_free(&slow);
}

TEST(a_branch_always_foreseen_leaves_tages_tables_alone)
{
	struct apmu_uarch_params p = *apmu_uarch_find("neoverse-n1");
	struct apmu_uarch__tage t;
	CHECK_EQ(apmu_uarch__tage_init(&t, &p), APMU_OK);
	for (unsigned i = 0; i < 1000; i++) {
		CHECK_EQ(apmu_uarch__tage_usual(&t, 0x4000, true), i > 0);
		t.history = t.history << 1 | 1;
	}
	for (size_t i = 0; i < (size_t)t.tables << t.shift; i++)
		CHECK_EQ(t.entry[i], 0);
	apmu_uarch__tage_free(&t);
}

TEST(a_loop_predictor_learns_a_trip_count_that_no_history_holds)
{
	struct lab l;
	open_with(&l, "bimodal");
	lab_set(&l, "loops", "16");
	lab_start(&l);
	char pattern[201];
	memset(pattern, 'T', 199);
	pattern[199] = 'N';
	pattern[200] = '\0';
	CHECK_EQ(misses_of(&l, pattern, 0, 1000),
		 1 + 4); /* the first iteration; then the exits until three trip counts were equal */
	CHECK_EQ(misses_of(&l, pattern, 0, 1000), 0);
	lab_close(&l);
}

/* Mispredictions, in the last of `rounds` rounds, of an indirect branch that goes to `n` targets in turn. */
static uint64_t dispatch(struct lab *l, unsigned n, unsigned rounds)
{
	struct apmu_block *from = LAB_BLOCK(l, 0x8000, BX(0));
	struct apmu_block *to[8];
	uint64_t before = 0;
	for (unsigned k = 0; k < n; k++)
		to[k] = LAB_BLOCK(l, 0x9000 + 0x44 * k, B(0x8000));
	for (unsigned turn = 0; turn < rounds * n; turn++) {
		if (turn == (rounds - 1) * n)
			before = lab_count(l, APMU_SIG_BR_INDIRECT_MIS_PRED);
		apmu_uarch_enter(l->u, from);
		apmu_uarch_enter(l->u, to[turn % n]);
	}
	return lab_count(l, APMU_SIG_BR_INDIRECT_MIS_PRED) - before;
}

static uint64_t dispatch_misses(const char *targets, const char *history, unsigned n)
{
	struct lab l;
	open_with(&l, "bimodal");
	lab_set(&l, "btb_kinds", "immed+immed-link+immed-x");
	lab_set(&l, "targets", targets);
	lab_set(&l, "target_history", history);
	lab_start(&l);
	uint64_t n_missed = dispatch(&l, n, 20);
	lab_close(&l);
	return n_missed;
}

TEST(an_indirect_branch_is_predicted_to_go_where_it_went_last)
{
	CHECK_EQ(dispatch_misses("0", "0", 1), 1);
	CHECK_EQ(dispatch_misses("256", "0", 1), 0);
	CHECK_EQ(dispatch_misses("256", "0", 4), 4);
}

TEST(with_a_history_of_targets_a_cycle_of_them_is_learnt)
{
	CHECK_EQ(dispatch_misses("256", "2", 4), 0);
	CHECK_EQ(dispatch_misses("256", "2", 8), 0);
}

TEST(a_wrong_target_is_told_from_none)
{
	struct lab l;
	open_with(&l, "bimodal");
	lab_set(&l, "btb_kinds", "immed+immed-link+immed-x");
	lab_set(&l, "targets", "256");
	lab_set(&l, "target_history", "0");
	lab_start(&l);
	dispatch(&l, 2, 5);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_INDIRECT_MIS_PRED), 10);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_INDIRECT_MIS_ADDR), 9);
	lab_close(&l);
}
