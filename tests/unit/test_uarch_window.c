/* SPDX-License-Identifier: MIT */
/* The out-of-order model on blocks whose time can be worked out by hand: four wide, a window of 32 entries,
 * two ALUs, one multiplier, one load pipe. Latencies in cycles: ALU 1, multiply 3, load 4, L2 20, memory 100.
 */
#include "test.h"
#include "uarch/machine.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

static void open_window(struct lab *l)
{
	static const char *const params[][2] = {{"width", "4"},         {"rob", "32"},
						{"unit.alu", "1"},      {"pipes.1", "2"},
						{"unit.mul", "2"},      {"unit.load", "3"},
						{"unit.div", "4"},      {"issue.mul", "1"},
						{"issue.load", "1"},    {"issue.div", "12"},
						{"divide.bits", "0"},   {"result.alu", "1"},
						{"result.mul", "3"},    {"result.load", "4"},
						{"result.div", "12"},   {"itlb.entries", "0"},
						{"dtlb.entries", "0"},  {"l1i.size", "0"},
						{"l2.size", "1048576"}, {"l2.ways", "16"},
						{"l2.latency", "20"},   {"l2.fill", "2"},
						{"memory", "100"},      {"line_fill", "10"},
						{"misses", "8"},        {"prefetch.streams", "0"},
						{"mispredict", "10"},   {"stall_on_mispredict", "10"},
						{"return_wrong", "10"}, {"indirect", "10"},
						{"load_pc", "10"},      {"static_taken", "0"},
						{"taken", "0"},         {"direction", "static"},
						{"load_queue", "0"},    {"store_queue", "0"}};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
}

#define GET(s) lab_count(&l, APMU_SIG_##s)

/* Cycles per run of a block; the first 100 runs fill the window and are left out. */
static double cycles_a_run(struct lab *l, const struct apmu_insn *insn, size_t n)
{
	struct apmu_block *b = lab_block(l, 0x8000, insn, n);
	for (unsigned k = 0; k < 100; k++)
		apmu_uarch_enter(l->u, b);
	uint64_t before = lab_count(l, APMU_SIG_CYCLES);
	for (unsigned k = 0; k < 1000; k++)
		apmu_uarch_enter(l->u, b);
	return (double)(lab_count(l, APMU_SIG_CYCLES) - before) / 1000;
}

struct setting {
	const char *key, *value;
};
#define WITH(...) ((const struct setting[]){__VA_ARGS__, {NULL, NULL}})

/* cycles_a_run() on the lab's core with these parameters. */
static double cycles_with(const struct setting *set, const struct apmu_insn *insn, size_t n)
{
	struct lab l;
	open_window(&l);
	for (; set->key; set++)
		lab_set(&l, set->key, set->value);
	lab_start(&l);
	double cycles = cycles_a_run(&l, insn, n);
	lab_close(&l);
	return cycles;
}

#define CHECK_RUN(want, ...)                                                          \
	do {                                                                          \
		struct lab l;                                                         \
		const struct apmu_insn insn[] = {__VA_ARGS__};                        \
		open_window(&l);                                                      \
		lab_start(&l);                                                        \
		double got = cycles_a_run(&l, insn, sizeof(insn) / sizeof(insn[0]));  \
		if (got < (want)-0.02 || got > (want) + 0.02)                         \
			fail_msg("%.3f cycles a run, not %.3f", got, (double)(want)); \
		lab_close(&l);                                                        \
	} while (0)

#define DIV(d, n, m)                                                        \
	{                                                                   \
		.cls = APMU_CLASS_DIV, .reads = R(n) | R(m), .writes = R(d) \
	}

/* What follows an ISB is fetched when all before it has retired; filling the pipeline takes 10 cycles. */
TEST(an_isb_waits_for_all_before_it_and_refills_the_pipeline)
{
	CHECK_RUN(2 + 10, ADD(1, 2, 3), ISB());
	CHECK_RUN(3 + 10, MUL(1, 2, 3), ISB());
	CHECK_RUN(3 + 10, ADD(4, 5, 6), MUL(1, 2, 3), ADD(4, 5, 6), ISB());
}

TEST(what_needs_no_pipe_is_bound_by_the_width)
{
	CHECK_RUN(2, NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), NOP());
	CHECK_RUN(0.75, NOP(), NOP(), NOP());
}

TEST(independent_instructions_are_bound_by_their_pipes)
{
	CHECK_RUN(2, ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8), ADD(3, 8, 8)); /* two ALUs */
	CHECK_RUN(3, MUL(0, 8, 8), MUL(1, 8, 8), MUL(2, 8, 8), ADD(3, 8, 8)); /* one multiplier */
	CHECK_RUN(12, DIV(0, 8, 8));                                          /* a division holds its pipe */
}

#define ADCS(d)                                                       \
	{                                                             \
		.cls = APMU_CLASS_ALU, .reads = R(8), .writes = R(d), \
		.flags = APMU_INSN_READS_FLAGS | APMU_INSN_SETS_FLAGS \
	}

TEST(a_chain_through_the_flags_continues_in_the_next_run_of_the_block)
{
	CHECK_RUN(4, ADCS(0), ADCS(1), ADCS(2), ADCS(3));
	CHECK_RUN(3, ADCS(0), NOP(), ADCS(1), NOP(), ADCS(2), NOP());
	CHECK_RUN(2, CMP(8, 8), ADCS(0), ADD(1, 8, 8),
		  ADD(2, 8, 8)); /* the first that sets the flags starts a new chain */
}

/* An instruction has room for three operands and two results. A conditional MLA reads three registers and the
 * flags, and UMULLS writes two registers and the flags: a chain through any of the registers takes as long as
 * without flags. */
TEST(flags_displace_no_operand_and_no_result)
{
	for (unsigned r = 1; r <= 3; r++) {
		struct apmu_insn mla = MUL(r, 1, 2), umull = MUL(1, r, 8);
		mla.reads = R(1) | R(2) | R(3);
		CHECK_RUN(3, CMP(8, 8), mla);
		mla.flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS;
		CHECK_RUN(3, CMP(8, 8), mla);
		if (r == 3)
			continue;
		umull.writes = R(1) | R(2);
		CHECK_RUN(3, umull, NOP());
		umull.flags = APMU_INSN_SETS_FLAGS;
		struct apmu_insn adc = {.cls = APMU_CLASS_ALU, .reads = R(8), .writes = R(7)};
		adc.flags = APMU_INSN_READS_FLAGS;
		CHECK_RUN(3, umull, adc);
	}
}

TEST(a_shift_by_a_register_delays_its_result)
{
	struct apmu_insn by_register = ADD(1, 1, 8);
	by_register.flags = APMU_INSN_SHIFT_REG;
	CHECK(cycles_with(WITH({"shift_reg", "0"}), &by_register, 1) < 1.01);
	CHECK(cycles_with(WITH({"shift_reg", "2"}), &by_register, 1) > 2.99);
}

/* Cycles per run if only so many instructions per cycle are dispatched to the integer and to the memory
 * queues; `empty`: dispatch slots per run, four per cycle, that stay empty. */
static double limited(const char *integer, const char *memory, const struct apmu_insn *insn, size_t n,
		      double *empty)
{
	struct lab l;
	open_window(&l);
	lab_set(&l, "pipes.1", "8");
	lab_set(&l, "pipes.3", "8");
	lab_set(&l, "unit.branch", "0");
	lab_set(&l, "dispatch.integer", integer);
	lab_set(&l, "dispatch.memory", memory);
	lab_start(&l);
	double got = cycles_a_run(&l, insn, n);
	*empty = (double)GET(SLOT_BACK) / 1100;
	lab_close(&l);
	return got;
}

#define CHECK_LIMITED(want, integer, memory, ...)                                                       \
	do {                                                                                            \
		const struct apmu_insn insn[] = {__VA_ARGS__};                                          \
		size_t n = sizeof(insn) / sizeof(insn[0]);                                              \
		double empty, got = limited(integer, memory, insn, n, &empty);                          \
		if (got < (want)-0.02 || got > (want) + 0.02)                                           \
			fail_msg("%.3f cycles a run, not %.3f", got, (double)(want));                   \
		double left = 4 * got - (double)n;                                                      \
		if (empty < left - 0.1 || empty > left + 0.1)                                           \
			fail_msg("%.3f slots empty in %.3f cycles of %zu instructions", empty, got, n); \
	} while (0)

TEST(dispatch_to_each_queue_per_cycle_is_limited)
{
	CHECK_LIMITED(1, "0", "0", ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8), ADD(3, 8, 8));
	CHECK_LIMITED(2, "2", "0", ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8), ADD(3, 8, 8));
	CHECK_LIMITED(2, "2", "1", ADD(0, 8, 8), LDR(1, 8), ADD(2, 8, 8), LDR(3, 8));
	CHECK_LIMITED(1, "2", "2", ADD(0, 8, 8), LDR(1, 8), ADD(2, 8, 8), LDR(3, 8));
	/* dispatch is in order: an instruction that waits also holds those behind it */
	CHECK_LIMITED(1.75, "2", "0", ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8), NOP(), NOP());
}

/* Cycles per run of a block that ends in a taken branch that costs `cost` cycles, with at most `a_cycle`
 * taken branches per cycle; `empty`: slots that the front end leaves empty, `stalled`: cycles in which it
 * leaves all four empty. */
static double gone(const char *a_cycle, const char *breaks, const char *cost, const char *ahead,
		   const struct apmu_insn *insn, size_t n, double *empty, double *stalled)
{
	struct lab l;
	open_window(&l);
	lab_set(&l, "dispatch.breaks", breaks);
	lab_set(&l, "unit.branch", "0");
	lab_set(&l, "static_predict", "1");
	lab_set(&l, "dispatch.taken", a_cycle);
	lab_set(&l, "taken", cost);
	lab_set(&l, "taken_ahead", ahead);
	lab_start(&l);
	double got = cycles_a_run(&l, insn, n);
	*empty = (double)GET(SLOT_FRONT) / 1100;
	*stalled = (double)GET(FETCH_STALL) / 1100;
	CHECK(GET(SLOT_BACK) == 0);
	lab_close(&l);
	return got;
}

#define CHECK_GONE(want, a_cycle, cost, ahead, ...) CHECK_BREAKS(want, a_cycle, "0", cost, ahead, __VA_ARGS__)
#define CHECK_BREAKS(want, a_cycle, breaks, cost, ahead, ...)                                           \
	do {                                                                                            \
		const struct apmu_insn insn[] = {__VA_ARGS__};                                          \
		size_t n = sizeof(insn) / sizeof(insn[0]);                                              \
		double empty, stalled, left;                                                            \
		double got = gone(a_cycle, breaks, cost, ahead, insn, n, &empty, &stalled);             \
		if (got < (want)-0.02 || got > (want) + 0.02)                                           \
			fail_msg("%.3f cycles a run, not %.3f", got, (double)(want));                   \
		left = 4 * got - (double)n;                                                             \
		if (empty < left - 0.1 || empty > left + 0.1)                                           \
			fail_msg("%.3f slots empty in %.3f cycles of %zu instructions", empty, got, n); \
		if (stalled < (int)(left / 4) - 0.1 || stalled > (int)(left / 4) + 0.1)                 \
			fail_msg("%.3f cycles of a stall, %.3f slots empty", stalled, left);            \
	} while (0)

TEST(taken_branches_per_cycle_are_limited_conditional_or_not)
{
	CHECK_GONE(0.5, "0", "0", "0", NOP(), B(0x8000));
	CHECK_GONE(1, "1", "0", "0", NOP(), B(0x8000));
	CHECK_GONE(1, "1", "0", "0", NOP(), BEQ(0x8000));
	CHECK_GONE(0.5, "2", "0", "0", BEQ(0x8000));
	CHECK_GONE(1.5, "1", "0", "0", NOP(), NOP(), NOP(), NOP(), NOP(), BEQ(0x8000));
}

TEST(a_taken_branch_may_be_the_last_of_its_cycle)
{
	CHECK_BREAKS(1, "2", "1", "0", "0", BEQ(0x8000));
	CHECK_BREAKS(2, "1", "1", "0", "0", NOP(), NOP(), NOP(), NOP(), NOP(), BEQ(0x8000));
	CHECK_BREAKS(3, "1", "1", "1", "0", NOP(), NOP(), NOP(), NOP(), NOP(), BEQ(0x8000));
	CHECK_BREAKS(1, "1", "1", "0", "0", NOP(), NOP(), NOP(), BEQ(0x8000));
}

TEST(a_predictor_that_runs_ahead_hides_taken_branch_bubbles_behind_dispatch)
{
	CHECK_GONE(1.5, "0", "1", "0", NOP(), BEQ(0x8000));
	CHECK_GONE(2, "1", "1", "0", NOP(), BEQ(0x8000));
	CHECK_GONE(2, "1", "1", "1", NOP(), BEQ(0x8000));
	CHECK_GONE(2.5, "1", "1", "0", NOP(), NOP(), NOP(), NOP(), NOP(), BEQ(0x8000));
	CHECK_GONE(2, "1", "1", "1", NOP(), NOP(), NOP(), NOP(), NOP(), BEQ(0x8000));
	CHECK_GONE(2.25, "1", "1", "1", NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), NOP(), BEQ(0x8000));
}

/* Cycles per branch in a closed chain of taken branches: conditional ('c'), unconditional ('u') or
 * alternating
 * ('m'). Nothing else of the row takes time. */
static double chained(const char *core, unsigned branches, char kind)
{
	static const char *const quiet[] = {"itlb.entries", "dtlb.entries", "l1i.size", "unit.branch"};
	enum { ROUNDS = 20 };
	struct lab l;
	lab_open(&l, core);
	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
		lab_set(&l, quiet[i], "0");
	lab_set(&l, "dispatch.integer", "0");
	lab_start(&l);
	for (unsigned k = 0; k < branches; k++) {
		struct apmu_insn x = B(0x8000 + 16 * ((k + 1) % branches));
		if (kind == 'c' || (kind == 'm' && k % 2 == 0))
			x.flags |= APMU_INSN_CONDITIONAL;
		lab_block(&l, 0x8000 + 16 * k, &x, 1);
	}
	uint64_t before = 0;
	for (unsigned k = 0; k < 2 * ROUNDS * branches; k++) {
		if (k == ROUNDS * branches)
			before = GET(CYCLES);
		apmu_uarch_enter(l.u, l.block[k % branches]);
	}
	double cycles = (double)(GET(CYCLES) - before) / ROUNDS / branches;
	lab_close(&l);
	return cycles;
}

TEST(branch_target_buffer_levels_cost_what_was_measured) /* JN1, JV1, JV3, CC72, CC73 */
{
	static const struct {
		const char *core;
		unsigned branches;
		char kind;
		double cycles;
	} measured[] = {
		{"cortex-a72", 64, 'u', 2},      {"cortex-a72", 66, 'u', 3},    {"cortex-a73", 48, 'u', 2},
		{"cortex-a73", 50, 'u', 3},      {"cortex-a75", 32, 'u', 1},    {"cortex-a75", 34, 'u', 3},
		{"neoverse-n1", 16, 'u', 1},     {"neoverse-n1", 16, 'c', 1},   {"neoverse-n1", 17, 'u', 2},
		{"neoverse-n1", 80, 'u', 2},     {"neoverse-n1", 80, 'c', 2},   {"neoverse-n1", 82, 'u', 3},
		{"cortex-a76", 17, 'u', 2},      {"cortex-a77", 64, 'u', 1},    {"cortex-a77", 66, 'u', 3},
		{"cortex-a78", 96, 'u', 0.5},    {"cortex-x1", 48, 'c', 1},     {"neoverse-v1", 96, 'u', 0.5},
		{"neoverse-v1", 96, 'm', 0.5},   {"neoverse-v1", 98, 'u', 1},   {"neoverse-v1", 98, 'm', 1},
		{"neoverse-v1", 48, 'c', 1},     {"neoverse-v1", 50, 'c', 2},   {"neoverse-n2", 64, 'u', 0.5},
		{"neoverse-n2", 32, 'c', 1},     {"neoverse-n2", 34, 'c', 2},   {"cortex-a710", 66, 'u', 1},
		{"neoverse-v2", 1024, 'u', 0.5}, {"neoverse-v3", 1026, 'u', 1},
	};
	for (size_t i = 0; i < sizeof(measured) / sizeof(measured[0]); i++) {
		double got = chained(measured[i].core, measured[i].branches, measured[i].kind);
		if (got < measured[i].cycles - 0.02 || got > measured[i].cycles + 0.02)
			fail_msg("%s: %u branches (%c) take %.3f cycles each, not %.3f", measured[i].core,
				 measured[i].branches, measured[i].kind, got, measured[i].cycles);
	}
}

TEST(a_chain_is_bound_by_its_latencies)
{
	CHECK_RUN(4, ADD(0, 0, 8), ADD(0, 0, 8), ADD(0, 0, 8), ADD(0, 0, 8));
	CHECK_RUN(6, MUL(0, 0, 8), MUL(0, 0, 8));
	CHECK_RUN(4, LDR(0, 0));
}

/* str d, [n], #4: the guides give separate latencies for the address of a store and its data. */
#define STR_ON(d, n)                                                                                \
	{                                                                                           \
		.cls = APMU_CLASS_STORE, .reads = R(d) | R(n), .shift_reads = R(n), .writes = R(n), \
		.width = 4                                                                          \
	}

TEST(a_base_that_a_store_writes_back_does_not_wait_for_the_data)
{
	CHECK_RUN(1, LDR(1, 5), MUL(1, 1, 1), STR_ON(1, 5));
}

/* umlal r0, r1, r2, r3: the accumulator is two registers. */
TEST(an_accumulator_of_several_registers_may_be_read_late_too)
{
	struct lab l;
	const struct apmu_insn add = {.cls = APMU_CLASS_MUL_LONG,
				      .group = APMU_GROUP_MADD_LONG,
				      .reads = R(0) | R(1) | R(2) | R(3),
				      .late_reads = R(0) | R(1),
				      .writes = R(0) | R(1)};
	const char *late[] = {"result:5,late:3", "result:5,late:0"};
	for (unsigned k = 0; k < 2; k++) {
		open_window(&l);
		lab_set(&l, "group.madd-long", late[k]);
		lab_start(&l);
		CHECK_EQ((unsigned)(cycles_a_run(&l, &add, 1) + 0.5), k ? 5 : 2);
		lab_close(&l);
	}
}

/* Lanes of a register that are loaded one after another: each load merges into the result of the one before.
 */
TEST(a_lane_that_is_loaded_waits_for_its_register_late)
{
	struct lab l;
	const struct apmu_insn lane = {.cls = APMU_CLASS_LOAD,
				       .group = APMU_GROUP_LD1_LANE,
				       .reads = R(1) | R(32),
				       .late_reads = R(32),
				       .writes = R(32),
				       .width = 4};
	const char *timing[] = {"result:8,late:5", "result:8,late:0"};
	for (unsigned k = 0; k < 2; k++) {
		open_window(&l);
		lab_set(&l, "group.ld1-lane", timing[k]);
		lab_start(&l);
		CHECK_EQ((unsigned)(cycles_a_run(&l, &lane, 1) + 0.5), k ? 8 : 3);
		lab_close(&l);
	}
}

/* vmull and vmlal to the same register: a row can say that a product is forwarded late to an accumulation. */
TEST(a_product_may_come_late_to_a_sum)
{
	struct lab l;
	const struct apmu_insn insn[] = {
		{.cls = APMU_CLASS_SIMD, .group = APMU_GROUP_VMULL, .reads = R(32), .writes = R(32)},
		{.cls = APMU_CLASS_SIMD,
		 .group = APMU_GROUP_VMLAL,
		 .reads = R(32) | R(33),
		 .late_reads = R(32),
		 .writes = R(32)}};
	const char *vmull[] = {"result:6,late:5", "result:6"};
	for (unsigned k = 0; k < 2; k++) {
		open_window(&l);
		lab_set(&l, "group.vmull", vmull[k]);
		lab_set(&l, "group.vmlal", "result:6,late:5");
		lab_start(&l);
		CHECK_EQ((unsigned)(cycles_a_run(&l, insn, 2) + 0.5), k ? 12 : 7);
		lab_close(&l);
	}
}

/* aese v0, v1 and aesmc v0, v0; the next round uses their result. Without AESE before it, AESMC takes its own
 * time. */
TEST(a_fused_instruction_finishes_with_the_one_before_it)
{
	struct lab l;
	const struct apmu_insn aese = {
		.cls = APMU_CLASS_SIMD, .group = APMU_GROUP_AES, .reads = R(0) | R(1), .writes = R(0)};
	const struct apmu_insn aesmc = {.cls = APMU_CLASS_SIMD,
					.group = APMU_GROUP_AESMC,
					.reads = R(0),
					.late_reads = R(0),
					.writes = R(0)};
	const struct apmu_insn rounds[] = {aese, aesmc}, alone[] = {aesmc, aesmc};
	static const struct {
		const char *aesmc;
		unsigned pair, others;
	} told[] = {{"late:3", 3, 6}, {"late:0", 6, 6}};
	for (unsigned k = 0; k < 2; k++) {
		open_window(&l);
		lab_set(&l, "group.aes", "result:3");
		lab_set(&l, "group.aesmc", told[k].aesmc);
		lab_start(&l);
		CHECK_EQ((unsigned)(cycles_a_run(&l, rounds, 2) + 0.5), told[k].pair);
		CHECK_EQ((unsigned)(cycles_a_run(&l, alone, 2) + 0.5), told[k].others);
		lab_close(&l);
	}
}

/* Four pairs of AESE and AESMC, each pair on its own register. */
static void four_pairs(struct apmu_insn insn[8])
{
	for (unsigned k = 0; k < 8; k++)
		insn[k] = (struct apmu_insn){.cls = APMU_CLASS_SIMD,
					     .group = k % 2 ? APMU_GROUP_AESMC : APMU_GROUP_AES,
					     .reads = R(k / 2),
					     .late_reads = k % 2 ? R(k / 2) : 0,
					     .writes = R(k / 2)};
}

/* On one pipe. */
TEST(a_fused_instruction_takes_no_pipe)
{
	struct lab l;
	struct apmu_insn insn[8];
	four_pairs(insn);
	const char *aesmc[] = {"late:3", "late:0"};
	for (unsigned k = 0; k < 2; k++) {
		open_window(&l);
		lab_set(&l, "group.aes", "result:3,busy:1,unit:8");
		lab_set(&l, "group.aesmc", aesmc[k]);
		lab_start(&l);
		CHECK_EQ((unsigned)(cycles_a_run(&l, insn, 8) + 0.5), k ? 8 : 4);
		lab_close(&l);
	}
}

/* On pipes without limit, where vectors are dispatched one per cycle. */
TEST(a_fused_instruction_is_dispatched_with_the_one_before_it)
{
	struct apmu_insn insn[8];
	four_pairs(insn);
	const char *aesmc[] = {"late:1", "late:0"};
	for (unsigned k = 0; k < 2; k++)
		CHECK_EQ((unsigned)(cycles_with(WITH({"group.aes", "result:1,unit:0"},
						     {"group.aesmc", aesmc[k]}, {"dispatch.vector", "1"}),
						insn, 8) +
				    0.5),
			 k ? 8 : 4);
}

#define MULH(d)                                                                                     \
	{                                                                                           \
		.cls = APMU_CLASS_MUL_HIGH, .group = APMU_GROUP_MULH, .reads = R(8), .writes = R(d) \
	}

TEST(dispatch_to_a_queue_is_limited_by_micro_operations)
{
	const struct apmu_insn insn[] = {MULH(0), ADD(1, 8, 8), MULH(2), ADD(3, 8, 8)};
	const char *slots[] = {"slots:1", "slots:2", "slots:3"};
	for (unsigned k = 0; k < 3; k++)
		CHECK_EQ((unsigned)(100 * cycles_with(WITH({"width", "8"}, {"pipes.1", "8"},
							   {"unit.mul-high", "0"}, {"dispatch.integer", "2"},
							   {"group.mulh", slots[k]}),
						      insn, 4) +
				    0.5),
			 200 + 100 * k);
}

/* Four moves, each of what the one before wrote. */
TEST(a_move_that_renaming_completes_takes_neither_a_pipe_nor_a_place_nor_time)
{
	struct apmu_insn insn[4];
	for (unsigned k = 0; k < 4; k++)
		insn[k] = (struct apmu_insn){.cls = APMU_CLASS_ALU,
					     .group = APMU_GROUP_MOV_ZERO,
					     .reads = R(8 + k),
					     .writes = R(9 + k)};
	const char *how[] = {"result:0,unit:0", "result:1,unit:1"};
	for (unsigned k = 0; k < 2; k++)
		CHECK_EQ((unsigned)(100 * cycles_with(WITH({"width", "4"}, {"pipes.1", "1"},
							   {"dispatch.integer", "1"},
							   {"group.mov-zero", how[k]}),
						      insn, 4) +
				    0.5),
			 k ? 400 : 100);
}

/* Twelve moves, on a core of eight per cycle. */
TEST(renaming_completes_only_so_many_moves_per_cycle)
{
	static const struct {
		const char *group, *most;
		unsigned hundredths;
	} expected[] = {{"result:0,unit:0", "0", 150},
			{"result:0,unit:0", "6", 200},
			{"result:0,unit:0", "4", 300},
			{"result:1,unit:0", "4", 150}}; /* not renaming's */
	struct apmu_insn insn[12];
	for (unsigned k = 0; k < 12; k++)
		insn[k] = (struct apmu_insn){
			.cls = APMU_CLASS_ALU, .group = APMU_GROUP_MOV_ZERO, .writes = R(k)};
	for (size_t k = 0; k < sizeof(expected) / sizeof(expected[0]); k++)
		CHECK_EQ((unsigned)(100 * cycles_with(WITH({"width", "8"},
							   {"dispatch.renamed", expected[k].most},
							   {"dispatch.integer", "0"},
							   {"group.mov-zero", expected[k].group}),
						      insn, 12) +
				    0.5),
			 expected[k].hundredths);
}

/* Cycles per run if flags that pass a multiplication for the high half arrive so many cycles later. */
#define CHECK_PASSED(want, late, ...)                                                                     \
	do {                                                                                              \
		const struct apmu_insn insn[] = {__VA_ARGS__};                                            \
		CHECK_EQ((unsigned)(cycles_with(WITH({"mulh_flags", late}, {"unit.mul-high", "0"}), insn, \
						sizeof(insn) / sizeof(insn[0])) +                         \
				    0.5),                                                                 \
			 want);                                                                           \
	} while (0)

TEST(a_multiplication_for_the_high_half_delays_the_flags_that_pass_it)
{
	CHECK_PASSED(2, "0", ADCS(0), MULH(1), ADCS(2));
	CHECK_PASSED(3, "1", ADCS(0), MULH(1), ADCS(2));
	CHECK_PASSED(4, "2", ADCS(0), MULH(1), ADCS(2));
	CHECK_PASSED(3, "1", ADCS(0), ADCS(2), MULH(1)); /* to the next run */
	CHECK_PASSED(3, "1", MULH(1), ADCS(0), ADCS(2));
	CHECK_PASSED(4, "1", ADCS(0), MULH(1), ADCS(2), MULH(3));
	CHECK_PASSED(3, "1", ADCS(0), MULH(1), MULH(3), ADCS(2));   /* two delay them no longer than one */
	CHECK_PASSED(1, "2", CMP(8, 8), MULH(1), ADCS(0), MULH(2)); /* a new chain in each run */
	CHECK_PASSED(2, "2", ADCS(0), MUL(1, 8, 8), ADCS(2));       /* the low half does not */
}

/* Cycles per run of a multiplication for the high half whose product the next comparison reads. */
static unsigned product_compared(const char *passes)
{
	const struct apmu_insn insn[] = {MULH(1), CMP(1, 1)};
	return (unsigned)(cycles_with(WITH({"mulh_flags", passes}, {"unit.mul-high", "0"},
					   {"result.mul-high", "3"}, {"group.mulh", "result:3"}),
				      insn, 2) +
			  0.5);
}

TEST(a_multiplication_that_passes_the_flags_on_waits_for_them)
{
	CHECK_EQ(product_compared("0"), 1);
	CHECK_EQ(product_compared("1"), 3 + 1); /* product, comparison, next product */
}

TEST(a_multiplication_that_passes_the_flags_on_takes_a_flag_register)
{
	const struct apmu_insn insn[] = {MULH(1), MULH(2), MULH(3), MULH(4)};
	const char *passes[] = {"0", "1"};
	for (unsigned k = 0; k < 2; k++)
		CHECK_EQ((unsigned)(cycles_with(WITH({"width", "8"}, {"unit.mul-high", "0"},
						     {"mulh_flags", passes[k]}, {"flag_registers", "4"},
						     {"flag_cycles", "9"}, {"group.mulh", "result:1"}),
						insn, 4) +
				    0.5),
			 k ? 10 : 1);
}

TEST(operations_on_vectors_of_128_bits_take_slots_of_dispatch)
{
	struct lab l;
	struct apmu_insn insn[8];
	for (unsigned k = 0; k < 8; k++)
		insn[k] = (struct apmu_insn){.cls = APMU_CLASS_SIMD, .reads = R(8), .writes = R(k)};
	for (unsigned k = 0; k < 4; k++) {
		open_window(&l);
		lab_set(&l, "unit.simd", "0");
		lab_set(&l, "vector_slots", k & 1 ? "2" : "1");
		lab_start(&l);
		for (unsigned i = 0; i < 8; i++)
			insn[i].group = k & 2 ? APMU_GROUP_VADD_Q : APMU_GROUP_VADD;
		CHECK_EQ((unsigned)(cycles_a_run(&l, insn, 8) + 0.5), k == 3 ? 4 : 2);
		lab_close(&l);
	}
}

/* With two pipes for vectors: an SVE operation of a vector longer than a pipe takes its pipe twice, its
 * result is no later; other vectors, and what no vector pipe executes, take one cycle. */
TEST(an_sve_operation_may_take_its_pipe_more_than_once)
{
	static const struct {
		const char *passes;
		bool sve;
		uint16_t group;
		unsigned cycles;
	} told[] = {{"1", true, APMU_GROUP_VADD_Q, 4},
		    {"2", true, APMU_GROUP_VADD_Q, 8},
		    {"2", false, APMU_GROUP_VADD_Q, 4},
		    {"2", true, APMU_GROUP_VDUP_FROM, 8}};
	unsigned chains[sizeof told / sizeof told[0]];
	for (unsigned k = 0; k < sizeof told / sizeof told[0]; k++) {
		struct lab l;
		struct apmu_insn insn[8];
		open_window(&l);
		lab_set(&l, "unit.simd", "6");
		lab_set(&l, "pipes.6", "2");
		lab_set(&l, "group.vdup-from", "unit:2,busy:1"); /* one pipe of integers */
		lab_set(&l, "sve_passes", told[k].passes);
		lab_start(&l);
		for (unsigned i = 0; i < 8; i++)
			insn[i] = (struct apmu_insn){.cls = APMU_CLASS_SIMD,
						     .group = told[k].group,
						     .reads = R(8),
						     .writes = R(i),
						     .traits = (uint64_t)told[k].sve << APMU_TRAIT_SVE};
		CHECK_EQ((unsigned)(cycles_a_run(&l, insn, 8) + 0.5), told[k].cycles);
		for (unsigned i = 0; i < 8; i++)
			insn[i].reads = insn[i].writes = R(8);
		chains[k] = (unsigned)(cycles_a_run(&l, insn, 8) + 0.5);
		lab_close(&l);
	}
	CHECK_EQ(chains[1], chains[0]);
}

/* A multiplication that holds its pipe for a cycle and a half holds it for one and for two cycles in turn. */
TEST(a_pipe_may_be_held_for_part_of_a_cycle)
{
	struct apmu_insn mul = MUL(0, 8, 8);
	mul.group = APMU_GROUP_MADD;
	CHECK_EQ((unsigned)(100 * cycles_with(WITH({"group.madd", "busy:1"}), &mul, 1) + 0.5), 100);
	CHECK_EQ((unsigned)(100 * cycles_with(WITH({"group.madd", "busy:1.5"}), &mul, 1) + 0.5), 150);
	CHECK_EQ((unsigned)(100 * cycles_with(WITH({"group.madd", "busy:2"}), &mul, 1) + 0.5), 200);
}

/* Eight instructions, and lists of eight registers, on a core four wide whose pipes move two registers per
 * cycle. */
TEST(a_group_may_set_dispatch_slots_per_instruction_or_per_register_of_a_list)
{
	static const struct {
		const char *shift, *list;
		unsigned cycles, of_list;
	} told[] = {{"parent", "parent", 2, 1}, {"slots:1", "slots:1", 2, 2}, {"slots:3", "slots:2", 6, 4}};
	struct apmu_insn insn[8], list = LDR(0, 8);
	list.group = APMU_GROUP_LDM;
	list.flags = APMU_INSN_MULTIPLE;
	list.regs = 8;
	for (unsigned k = 0; k < 8; k++)
		insn[k] = (struct apmu_insn){
			.cls = APMU_CLASS_ALU, .group = APMU_GROUP_SHIFT_REG, .reads = R(8), .writes = R(k)};
	for (size_t k = 0; k < sizeof(told) / sizeof(told[0]); k++) {
		struct lab l;
		open_window(&l);
		lab_set(&l, "unit.alu", "0");
		lab_set(&l, "unit.load", "0");
		lab_set(&l, "group.shift-reg", told[k].shift);
		lab_set(&l, "group.ldm", told[k].list);
		lab_start(&l);
		CHECK_EQ((unsigned)(cycles_a_run(&l, insn, 8) + 0.5), told[k].cycles);
		CHECK_EQ((unsigned)(cycles_a_run(&l, &list, 1) + 0.5), told[k].of_list);
		lab_close(&l);
	}
}

/* Cycles per run of eight copies of an instruction, with a parameter set. */
static double run_of_eight(const struct apmu_insn *x, const char *key, const char *value)
{
	struct apmu_insn insn[8];
	for (unsigned k = 0; k < 8; k++)
		insn[k] = *x;
	return cycles_with(WITH({"unit.simd", "0"}, {"unit.load", "0"}, {key, value}), insn, 8);
}

TEST(a_group_says_how_many_slots_of_dispatch_it_takes)
{
	struct apmu_insn x = {.cls = APMU_CLASS_SIMD, .group = APMU_GROUP_VADD_Q, .reads = R(8)};
	CHECK_EQ(100 * run_of_eight(&x, "group.vadd-q", "slots:3") + 0.5, 600);
	CHECK_EQ(100 * run_of_eight(&x, "group.vadd", "slots:2") + 0.5, 400);
	CHECK_EQ(100 * run_of_eight(&x, "group.vlogic", "slots:2") + 0.5, 200);
}

TEST(an_address_that_is_written_back_takes_slots_of_dispatch)
{
	struct apmu_insn back = {.cls = APMU_CLASS_STORE, .reads = R(8) | R(1), .writes = R(8)};
	CHECK_EQ(100 * run_of_eight(&back, "base_slots", "0") + 0.5, 800); /* a chain of addresses */
	CHECK_EQ(100 * run_of_eight(&back, "base_slots", "4") + 0.5, 1000);
	back.group = APMU_GROUP_STRD;
	CHECK_EQ(100 * run_of_eight(&back, "group.strd", "base:4") + 0.5, 1000);
	back.group = 0;
	back.flags = APMU_INSN_EXCLUSIVE; /* its result is the status, not an address */
	CHECK_EQ(100 * run_of_eight(&back, "base_slots", "4") + 0.5, 800);
}

/* Cycles per run of four copies of an access and four vector additions, on two vector pipes. */
static double beside_additions(struct apmu_insn access, const char *group, const char *timing)
{
	struct apmu_insn insn[8];
	for (unsigned k = 0; k < 8; k++)
		insn[k] = (struct apmu_insn){.cls = APMU_CLASS_SIMD, .reads = R(8), .writes = R(20 + k)};
	for (unsigned k = 0; k < 8; k += 2)
		insn[k] = access;
	return cycles_with(WITH({"unit.load", "0"}, {"unit.store", "0"}, {"pipes.6", "2"}, {group, timing}),
			   insn, 8);
}

TEST(an_instruction_may_take_pipes_of_vectors_besides)
{
	struct apmu_insn store = {
		.cls = APMU_CLASS_STORE, .group = APMU_GROUP_STORE_VEC, .reads = R(8) | R(1)};
	struct apmu_insn load = {
		.cls = APMU_CLASS_LOAD, .group = APMU_GROUP_LD2, .reads = R(8), .writes = R(9)};
	struct apmu_insn move = {
		.cls = APMU_CLASS_VFP, .group = APMU_GROUP_FMOV_FROM, .reads = R(8), .writes = R(9)};
	struct apmu_insn chain = load;
	CHECK_EQ(100 * beside_additions(store, "group.store-vec", "parent") + 0.5, 200);
	CHECK_EQ(100 * beside_additions(store, "group.store-vec", "vector:1") + 0.5, 400);
	CHECK_EQ(100 * beside_additions(store, "group.store-vec", "vector:2") + 0.5, 600);
	CHECK_EQ(100 * beside_additions(load, "group.ld2", "vector:0") + 0.5, 200);
	CHECK_EQ(100 * beside_additions(load, "group.ld2", "vector:2") + 0.5, 600);
	CHECK_EQ(100 * beside_additions(move, "group.fmov-from", "unit:0") + 0.5, 200);
	CHECK_EQ(100 * beside_additions(move, "group.fmov-from", "unit:0,vector:2") + 0.5, 600);
	chain.writes = R(8); /* a chain: `result` alone decides */
	CHECK_EQ((unsigned)(cycles_with(WITH({"group.ld2", "result:7,vector:1"}), &chain, 1) + 0.5), 7);
	CHECK_EQ((unsigned)(cycles_with(WITH({"group.ld2", "result:7,vector:5"}), &chain, 1) + 0.5), 7);
	CHECK_EQ((unsigned)(cycles_with(WITH({"group.ld2", "result:1,vector:2"}), &chain, 1) + 0.5), 1);
}

/* Cycles per run of two instructions that depend on each other, if a multiplication gets the result of an ALU
 * instruction `more` cycles later than others do. */
static double in_turn(struct apmu_insn first, struct apmu_insn second, const char *more)
{
	const struct apmu_insn insn[] = {first, second};
	return cycles_with(WITH({"result.mul", "3"}, {"alu_factor", more}), insn, 2);
}

TEST(what_an_alu_computes_may_come_to_a_multiplication_later)
{
	struct apmu_insn add = ADD(0, 1, 1), mul = MUL(1, 0, 0), other = MUL(0, 1, 1);
	CHECK_EQ((unsigned)(in_turn(add, mul, "0") + 0.5), 4);
	CHECK_EQ((unsigned)(in_turn(add, mul, "1") + 0.5), 5);
	CHECK_EQ((unsigned)(in_turn(mul, add, "1") + 0.5), 5); /* through the next run */
	CHECK_EQ((unsigned)(in_turn(other, mul, "1") + 0.5), 6);
	mul.late_reads = R(0); /* an addend does not wait */
	CHECK_EQ((unsigned)(in_turn(add, mul, "1") + 0.5), 4);
}

/* Cycles per run of a chain of multiplications that write registers 0 and 1, through register `by`. */
static double chain_by(unsigned by, unsigned low, const char *low_early)
{
	struct apmu_insn x = {.cls = APMU_CLASS_MUL_LONG,
			      .reads = R(by) | R(9),
			      .writes = R(0) | R(1),
			      .low = (uint8_t)(1 + low)};
	return cycles_with(WITH({"result.mul-long", "4"}, {"low_early", low_early}), &x, 1);
}

TEST(the_low_half_of_a_product_may_come_earlier)
{
	CHECK_EQ((unsigned)(chain_by(0, 0, "0") + 0.5), 4);
	CHECK_EQ((unsigned)(chain_by(0, 0, "1") + 0.5), 3);
	CHECK_EQ((unsigned)(chain_by(1, 0, "1") + 0.5), 4);
	CHECK_EQ((unsigned)(chain_by(1, 1, "1") + 0.5), 3);
	CHECK_EQ((unsigned)(chain_by(0, 1, "2") + 0.5), 4);
	CHECK_EQ((unsigned)(chain_by(0, 0, "9") + 0.5), 1); /* the pipe takes one per cycle */
	struct apmu_insn many = {.cls = APMU_CLASS_MUL_LONG,
				 .reads = R(1) | R(4) | R(5) | R(6),
				 .writes = R(0) | R(1),
				 .low = 2};
	CHECK_EQ((unsigned)(cycles_with(WITH({"result.mul-long", "4"}, {"low_early", "1"}), &many, 1) + 0.5),
		 3);
}

/* Cycles per run of four multiplications and eight additions, with the lab's pipes. */
static double multiply_and_add(const char *within, const char *more)
{
	struct apmu_insn insn[12];
	for (unsigned k = 0; k < 12; k++)
		insn[k] = (struct apmu_insn){
			.cls = k % 3 ? APMU_CLASS_ALU : APMU_CLASS_MUL, .reads = R(12), .writes = R(k)};
	return cycles_with(WITH({"pipes.5", "3"}, {"within.2", within}, {"within.1", more}), insn, 12);
}

TEST(pipes_that_are_some_of_a_larger_group_are_taken_from_it)
{
	CHECK_EQ(100 * multiply_and_add("0", "0") + 0.5,
		 400); /* separate pipes: two adders, one multiplier */
	CHECK_EQ(100 * multiply_and_add("1", "0") + 0.5, 600); /* one of the adders multiplies */
	CHECK_EQ(100 * multiply_and_add("5", "0") + 0.5, 400); /* group 5 has room for all multiplications */
	CHECK_EQ(100 * multiply_and_add("1", "5") + 0.5,
		 600); /* multipliers in group 1, which is in group 5 */
}

TEST(a_ring_of_groups_and_a_group_within_a_smaller_one_are_refused)
{
	struct lab l;
	open_window(&l);
	lab_set(&l, "within.2", "1");
	assert_null(apmu_uarch_check(&l.p));
	lab_set(&l, "within.1", "2");
	assert_non_null(apmu_uarch_check(&l.p));
	lab_set(&l, "pipes.2", "2");
	assert_non_null(apmu_uarch_check(&l.p));
	lab_set(&l, "within.2", "0");
	assert_null(apmu_uarch_check(&l.p));
	lab_set(&l, "pipes.2", "1");
	assert_non_null(apmu_uarch_check(&l.p));
	lab_set(&l, "within.1", "0");
	lab_start(&l);
	lab_close(&l);
}

TEST(chains_side_by_side_overlap)
{
	CHECK_RUN(3, MUL(0, 0, 8), ADD(1, 1, 8), ADD(2, 2, 8), ADD(1, 1, 8));
	CHECK_RUN(4, LDR(0, 0), MUL(1, 1, 8), ADD(2, 2, 8));
}

/* Runs a block that loads from line `line`. */
static void load(struct lab *l, const struct apmu_block *b, uint64_t line)
{
	apmu_uarch_enter(l->u, b);
	apmu_uarch_access(l->u, b, 0, line * 64, 4, false);
}

TEST(dependent_misses_follow_one_another_and_independent_ones_overlap)
{
	struct lab l;
	open_window(&l);
	lab_start(&l);
	struct apmu_block *chase = LAB_BLOCK(&l, 0x8000, LDR(0, 0));
	for (unsigned k = 0; k < 100; k++)
		load(&l, chase, 1000 + k * 3);
	uint64_t before = GET(CYCLES);
	for (unsigned k = 0; k < 100; k++)
		load(&l, chase, 2000 + k * 3);
	CHECK_EQ((GET(CYCLES) - before + 50) / 100, 104); /* load 4, memory 100 */
	CHECK(GET(STALL_BACK_MEM) > 150 * 104);
	lab_close(&l);
	open_window(&l);
	lab_start(&l);
	struct apmu_block *apart = LAB_BLOCK(&l, 0x8000, LDR(0, 8));
	for (unsigned k = 0; k < 100; k++)
		load(&l, apart, 1000 + k * 3);
	before = GET(CYCLES);
	for (unsigned k = 0; k < 1000; k++)
		load(&l, apart, 2000 + k * 3);
	uint64_t each = (GET(CYCLES) - before) / 1000; /* 8 MSHRs: 100 / 8 cycles each; the bus needs 10 */
	CHECK(each >= 12 && each <= 13);
	lab_close(&l);
}

/* Cycles from one load from L2 to the next, whose address takes `adds` more additions. */
static uint64_t hop_in_l2(const char *chain, unsigned adds)
{
	struct lab l;
	struct apmu_insn insn[4] = {LDR(0, 0), ADD(0, 0, 0), ADD(0, 0, 0), ADD(0, 0, 0)};
	open_window(&l);
	lab_set(&l, "l1d.size", "1024");
	lab_set(&l, "l2_chain", chain);
	lab_start(&l);
	struct apmu_block *b = lab_block(&l, 0x8000, insn, 1 + adds);
	uint64_t before = 0;
	for (unsigned k = 0; k < 600; k++) {
		if (k == 400)
			before = GET(CYCLES);
		load(&l, b, 1000 + k % 200 * 3);
	}
	uint64_t cycles = GET(CYCLES) - before;
	lab_close(&l);
	return (cycles + 100) / 200;
}

TEST(a_miss_right_behind_the_use_of_a_line_from_l2_waits_for_the_rest_of_the_line)
{
	CHECK_EQ(hop_in_l2("0", 0), 24); /* load 4, L2 20 */
	CHECK_EQ(hop_in_l2("3", 0), 27);
	CHECK_EQ(hop_in_l2("0", 1), 25);
	CHECK_EQ(hop_in_l2("3", 1), 27); /* of which a cycle has passed */
	CHECK_EQ(hop_in_l2("0", 3), 27);
	CHECK_EQ(hop_in_l2("3", 3), 27);
}

TEST(a_miss_hidden_by_the_window_costs_only_its_entry)
{
	struct lab l;
	open_window(&l);
	lab_set(&l, "rob", "256");
	lab_start(&l);
	struct apmu_insn insn[161] = {LDR(0, 8)}; /* and 160 NOPs: 40 cycles */
	for (unsigned i = 1; i < 161; i++)
		insn[i] = (struct apmu_insn)NOP();
	struct apmu_block *b = lab_block(&l, 0x8000, insn, 161);
	uint64_t before = GET(CYCLES);
	for (unsigned k = 0; k < 10; k++)
		load(&l, b, 5000); /* the first misses, the others hit */
	uint64_t all = GET(CYCLES) - before;
	CHECK(all >= 9 * 40 && all <= 9 * 41 + 105 - 256 / 4);
	lab_close(&l);
}

static void mispredict(unsigned reg)
{
	struct lab l;
	open_window(&l);
	lab_start(&l);
	struct apmu_insn branch = BEQ(0x9000);
	branch.reads = R(reg); /* CBZ */
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, ADD(reg, 8, 8), branch);
	struct apmu_block *after = LAB_BLOCK(&l, 0x9000, B(0x8000));
	uint64_t before = GET(CYCLES);
	for (unsigned k = 0; k < 100; k++) { /* forward, taken: the static rule is wrong each time */
		apmu_uarch_enter(l.u, b);
		apmu_uarch_enter(l.u, after);
	}
	uint64_t fast = GET(CYCLES) - before;
	CHECK(fast >= 1000 && fast <= 1200); /* penalty 10, three instructions and a dependence */
	CHECK_EQ(GET(BR_MIS_PRED), 100);
	lab_close(&l);
	open_window(&l);
	lab_start(&l);
	b = LAB_BLOCK(&l, 0x8000, LDR(reg, 8), branch);
	after = LAB_BLOCK(&l, 0x9000, B(0x8000));
	before = GET(CYCLES);
	for (unsigned k = 0; k < 100; k++) {
		load(&l, b, 1000 + k * 3);
		apmu_uarch_enter(l.u, after);
	}
	uint64_t slow =
		GET(CYCLES) - before; /* each branch waits for its miss; what is fetched until then is lost */
	CHECK(slow >= 99 * 114 && slow <= 100 * 116);
	CHECK(GET(OP_SPEC) > GET(OP_RETIRED) + 99 * 30);
	lab_close(&l);
}

TEST(a_mispredicted_branch_waits_until_it_is_executed)
{
	mispredict(0);
	mispredict(15); /* X15 is a register like any other */
}

TEST(a_full_load_queue_holds_dispatch)
{
	struct lab l;
	open_window(&l);
	lab_set(&l, "load_queue", "2");
	lab_set(&l, "rob", "256");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 8));
	for (unsigned k = 0; k < 100; k++)
		load(&l, b, 1000 + k * 3);
	uint64_t before = GET(CYCLES);
	for (unsigned k = 0; k < 100; k++)
		load(&l, b, 2000 + k * 3);
	uint64_t each = (GET(CYCLES) - before) / 100;
	CHECK(each >= 50 && each <= 54); /* two at once */
	CHECK(GET(LSU_FULL_STALL) > 0);
	lab_close(&l);
}

/* Cycles per run of a multiplication of five cycles, which depends on the one before, and seven additions
 * that depend on it, with one scheduler of `entries`, or one for each of the two pipe groups. */
static double waiters(const char *entries, const char *of_one, const char *of_two)
{
	struct apmu_insn insn[8] = {MUL(0, 0, 0)};
	for (unsigned k = 1; k < 8; k++)
		insn[k] = (struct apmu_insn)ADD(k, 0, 0);
	return cycles_with(WITH({"width", "8"}, {"result.mul", "5"}, {"scheduler", entries},
				{"schedulers.1", of_one}, {"schedulers.2", of_two}),
			   insn, 8);
}

TEST(a_full_scheduler_holds_dispatch)
{
	CHECK_EQ((unsigned)(waiters("0", "0", "0") + 0.5), 5);
	CHECK_EQ((unsigned)(waiters("60", "0", "0") + 0.5), 5);
	/* each is dispatched in the cycle after the one before has started; the first addition waits five
	 * cycles */
	CHECK_EQ((unsigned)(waiters("1", "0", "0") + 0.5), 5 + 7);
	/* the additions start one by one, the next multiplication with the last of them */
	CHECK_EQ((unsigned)(waiters("0", "1", "1") + 0.5), 5 + 6);
	CHECK_EQ((unsigned)(waiters("0", "2", "2") + 0.5), 5 + 3);
	CHECK_EQ((unsigned)(waiters("0", "0", "1") + 0.5), 5);
}

/* Cycles per run of four comparisons, with so many flag registers, which stay taken for `more` cycles. */
static double comparisons(const char *registers, const char *more)
{
	const struct apmu_insn insn[] = {CMP(8, 8), CMP(9, 9), CMP(10, 10), CMP(11, 11)};
	return cycles_with(
		WITH({"width", "8"}, {"pipes.1", "8"}, {"flag_registers", registers}, {"flag_cycles", more}),
		insn, 4);
}

TEST(a_full_set_of_flag_registers_holds_dispatch)
{
	CHECK_EQ((unsigned)(2 * comparisons("0", "0") + 0.5), 1);
	/* of four registers each is taken for one cycle, and for nine more */
	CHECK_EQ((unsigned)(comparisons("4", "0") + 0.5), 1);
	CHECK_EQ((unsigned)(comparisons("4", "9") + 0.5), 10);
	CHECK_EQ((unsigned)(comparisons("40", "9") + 0.5), 1);
	const struct apmu_insn adds[] = {ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8), ADD(3, 8, 8)};
	CHECK_EQ((unsigned)(2 * cycles_with(WITH({"width", "8"}, {"pipes.1", "8"}, {"flag_registers", "4"},
						 {"flag_cycles", "9"}),
					    adds, 4) +
			    0.5),
		 1);
}

/* Four multiplications, for one of two pipes, and four additions, for either: the additions go to both pipes
 * in turn, whatever waits there, if each pipe has a scheduler. */
TEST(what_either_of_two_schedulers_could_hold_goes_into_them_in_turn)
{
	struct apmu_insn insn[8];
	for (unsigned k = 0; k < 8; k++)
		insn[k] = k < 4 ? (struct apmu_insn)MUL(k, 8, 8) : (struct apmu_insn)ADD(k, 8, 8);
	for (unsigned k = 0; k < 3; k++) {
		const char *entries = k ? "16" : "0";
		double cycles =
			cycles_with(WITH({"width", "8"}, {"pipes.1", "2"}, {"within.2", "1"},
					 {"within.10", "1"}, {"schedulers.2", entries},
					 {"schedulers.10", entries}, {"scheduler_room", k == 2 ? "1" : "0"}),
				    insn, 8);
		CHECK_EQ((unsigned)(cycles + 0.5), k == 1 ? 4 + 2 : 4); /* by room, as many wait for each */
	}
}

/* Four multiplications, for the first of two pipes, and four additions, for either, one after the other:
 * every second addition goes to the pipe of the multiplications, or none if these have had that pipe's turn.
 */
TEST(what_one_of_two_schedulers_takes_may_count_as_its_turn)
{
	struct apmu_insn insn[8];
	for (unsigned k = 0; k < 8; k++)
		insn[k] = k % 2 ? (struct apmu_insn)ADD(k, 8, 8) : (struct apmu_insn)MUL(k, 8, 8);
	for (unsigned bound = 0; bound < 2; bound++) {
		double cycles =
			cycles_with(WITH({"width", "8"}, {"pipes.1", "2"}, {"within.2", "1"},
					 {"within.10", "1"}, {"schedulers.2", "16"}, {"schedulers.10", "16"},
					 {"scheduler_bound", bound ? "1" : "0"}),
				    insn, 8);
		CHECK_EQ((unsigned)(cycles + 0.5), bound ? 4 : 4 + 2);
	}
}

/* Three additions, a compare and a branch that waits for it, on four slots a cycle: with the branch in the
 * compare's slot they fill one cycle, and a window of four entries holds them. */
TEST(a_branch_may_share_the_slot_and_the_entry_of_the_compare_before_it)
{
	const struct apmu_insn compare = {.cls = APMU_CLASS_ALU,
					  .group = APMU_GROUP_COMPARE,
					  .flags = APMU_INSN_SETS_FLAGS,
					  .reads = R(8)},
			       add = {.cls = APMU_CLASS_ALU, .reads = R(8), .flags = APMU_INSN_SETS_FLAGS},
			       branch = {.cls = APMU_CLASS_BRANCH,
					 .branch = APMU_BRANCH_IMMED,
					 .flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS,
					 .target = 0x1000};
	struct apmu_insn insn[5] = {ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8), compare, branch};
	for (unsigned fused = 0; fused < 2; fused++) {
		const struct setting *set = WITH({"width", "4"}, {"pipes.1", "8"}, {"rob", "40"},
						 {"fused_compares", fused ? "1" : "0"});
		insn[3] = compare;
		CHECK_EQ((unsigned)(4 * cycles_with(set, insn, 5) + 0.5), fused ? 4 : 5);
		insn[3] = add; /* ADDS of no register that is read: no compare */
		CHECK_EQ((unsigned)(4 * cycles_with(set, insn, 5) + 0.5), 5);
	}
}

/* Cycles per run of a multiplication as in waiters() and seven vector operations that depend on it, with
 * `entries` of the scheduler of vectors. */
static double vector_waiters(struct apmu_insn waits, const char *group, const char *timing, const char *slots,
			     const char *entries)
{
	struct apmu_insn insn[8] = {MUL(0, 0, 0)};
	for (unsigned k = 1; k < 8; k++) {
		insn[k] = waits;
		insn[k].writes = waits.cls == APMU_CLASS_STORE ? 0 : R(k);
	}
	return cycles_with(WITH({"width", "8"}, {"result.mul", "5"}, {"unit.store", "0"},
				{"store_queue", "0"}, {"unit.simd", "6"}, {"pipes.6", "8"}, {group, timing},
				{"vector_slots", slots}, {"schedulers.6", entries}),
			   insn, 8);
}

TEST(each_micro_operation_in_vector_pipes_takes_an_entry)
{
	const struct apmu_insn half = {.cls = APMU_CLASS_SIMD, .reads = R(0), .group = APMU_GROUP_VADD},
			       whole = {.cls = APMU_CLASS_SIMD, .reads = R(0), .group = APMU_GROUP_VADD_Q},
			       store = {
				       .cls = APMU_CLASS_STORE, .reads = R(0), .group = APMU_GROUP_STORE_VEC};
	/* as in a_full_scheduler_holds_dispatch: one entry at once, two, one of two slots */
	CHECK_EQ((unsigned)(vector_waiters(half, "group.vadd", "busy:1", "2", "1") + 0.5), 5 + 6);
	CHECK_EQ((unsigned)(vector_waiters(half, "group.vadd", "busy:1", "2", "2") + 0.5), 5 + 3);
	CHECK_EQ((unsigned)(vector_waiters(whole, "group.vadd", "busy:1", "2", "2") + 0.5), 5 + 6);
	CHECK_EQ((unsigned)(vector_waiters(whole, "group.vadd", "busy:1", "2", "1") + 0.5), 5 + 6);
	/* a store's data, if they pass through vector pipes */
	CHECK_EQ((unsigned)(vector_waiters(store, "group.store-vec", "vector:0", "1", "1") + 0.5), 5);
	CHECK_EQ((unsigned)(vector_waiters(store, "group.store-vec", "vector:1", "1", "1") + 0.5), 5 + 6);
	CHECK_EQ((unsigned)(vector_waiters(store, "group.store-vec", "vector:2", "1", "4") + 0.5), 5 + 3);
}

/* What a load does in a vector pipe waits for its data, in a scheduler before all pipes as in one of vectors:
 * 20 cycles less the two that the pipe takes. */
TEST(the_vector_part_of_a_load_keeps_its_entry_until_the_data_are_there)
{
	const struct apmu_insn load = {
		.cls = APMU_CLASS_LOAD, .group = APMU_GROUP_LD2, .reads = R(8), .writes = R(9)};
	static const struct setting sets[] = {{"scheduler", "2"}, {"schedulers.6", "1"}};
	for (unsigned k = 0; k < 2; k++) {
		double cycles =
			cycles_with(WITH({"load_queue", "0"}, {"unit.simd", "6"}, {"result.simd", "2"},
					 {"group.ld2", "result:20,vector:1"}, sets[k]),
				    &load, 1);
		CHECK_EQ((unsigned)(cycles + 0.5), 20 - 2 + 1);
	}
}

TEST(instructions_of_an_ordered_group_start_in_their_order)
{
	/* the second addition computes the operands of the next run's multiplication */
	const struct apmu_insn insn[] = {MUL(0, 3, 3), ADD(1, 0, 0), ADD(3, 3, 3)};
	double any = cycles_with(WITH({"result.mul", "9"}), insn, 3);
	double ordered = cycles_with(WITH({"result.mul", "9"}, {"ordered", "1"}), insn, 3);
	CHECK_EQ((unsigned)(any + 0.5), 1);
	CHECK_EQ((unsigned)(ordered + 0.5), 9 + 1); /* the second addition waits for the first, which
						       waits for the multiplication */
}

/* Cycles per run of a multiplication of five cycles, and in turn of additions that wait for it and such that
 * do not, in two pipes. A barrier ends the run. */
static double waits_in(const char *group)
{
	const struct apmu_insn insn[] = {MUL(1, 9, 9), ADD(2, 1, 1), ADD(3, 8, 8),
					 ADD(4, 1, 1), ADD(5, 8, 8), {.cls = APMU_CLASS_BARRIER}};
	return cycles_with(WITH({"width", "8"}, {"result.mul", "5"}, {"queue_per_pipe", group}), insn, 6);
}

TEST(an_instruction_stays_in_the_queue_of_its_pipe)
{
	/* of two pipes with equal work the first is taken: both additions that wait are in its queue */
	CHECK_EQ((unsigned)(waits_in("1") - waits_in("0") + 0.5), 1);
}

TEST(slots_are_width_times_cycles)
{
	struct lab l;
	open_window(&l);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 0), ADD(1, 0, 0), MUL(2, 1, 1), NOP(), NOP());
	for (unsigned k = 0; k < 1000; k++)
		load(&l, b, 1000 + k % 7 * 100);
	apmu_uarch_break(l.u);
	uint64_t slots = 4 * GET(CYCLES), used = GET(OP_RETIRED) + GET(SLOT_FRONT) + GET(SLOT_BACK);
	CHECK(used <= slots + 4 && used + 8 >= slots);
	CHECK(GET(FETCH_STALL) + GET(DATA_STALL) + GET(LSU_FULL_STALL) <= GET(CYCLES));
	lab_close(&l);
}

/* Pairs of dependent loads. In every other 65,536 steps the first of a pair always hits. */
static void wander(struct lab *l, unsigned steps)
{
	struct apmu_insn insn[] = {LDR(2, 1), ADD(3, 2, 2), LDR(4, 3), ADD(1, 4, 4)};
	struct apmu_block *b = lab_block(l, 0x8000, insn, 4);
	uint64_t seed = 1;

	for (unsigned k = 0; k < steps; k++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		uint64_t far = k / 65536 % 2 ? 0 : seed >> 40 << 6;
		apmu_uarch_enter(l->u, b);
		apmu_uarch_access(l->u, b, 0, 0x10000000 + far, 4, false);
		apmu_uarch_access(l->u, b, 2, 0x10000000 + (seed >> 50 << 6), 4, false);
	}
}

/* DATA_STALL of a chain of divisions that runs after `rounds` rounds of a chain of multiplications. */
static uint64_t stalls_of_divisions(unsigned rounds, bool estimate)
{
	struct apmu_insn mul[12], div[20];
	struct lab l;

	for (unsigned i = 0; i < 12; i++)
		mul[i] = (struct apmu_insn)MUL(1, 1, 1);
	for (unsigned i = 0; i < 20; i++) {
		div[i] = (struct apmu_insn)MUL(1, 1, 1);
		div[i].cls = APMU_CLASS_DIV;
	}
	lab_open(&l, "cortex-a76");
	lab_start_for(&l, APMU_SIG_DATA_STALL);
	if (estimate)
		apmu_uarch_estimate_stalls(l.u);
	struct apmu_block *first = lab_block(&l, 0x8000, mul, 12), *second = lab_block(&l, 0x9000, div, 20);
	for (unsigned k = 0; k < rounds; k++)
		apmu_uarch_enter(l.u, first);
	uint64_t before = lab_count(&l, APMU_SIG_DATA_STALL);
	for (unsigned k = 0; k < 200000; k++)
		apmu_uarch_enter(l.u, second);
	uint64_t after = lab_count(&l, APMU_SIG_DATA_STALL);
	lab_close(&l);
	return after - before;
}

/* The memo learns the divisions in a stretch that counts stalls, or in one that does not. */
TEST(estimated_stalls_of_a_block_do_not_depend_on_the_stretch_that_it_first_ran_in)
{
	uint64_t exact = stalls_of_divisions(85000, false);

	CHECK(exact > 1000000);
	for (unsigned rounds = 85000; rounds < 125000; rounds += 5000) {
		uint64_t about = stalls_of_divisions(rounds, true);
		CHECK(about > exact / 10 * 9 && about < exact / 10 * 11);
	}
}

TEST(estimated_stalls_come_near_and_change_nothing_else)
{
	struct lab a, b;

	lab_open(&a, "neoverse-n1");
	lab_open(&b, "neoverse-n1");
	lab_start(&a);
	lab_start(&b);
	apmu_uarch_estimate_stalls(b.u);
	wander(&a, 400000);
	wander(&b, 400000);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (!(apmu_uarch__needs_of(s) & APMU_UARCH__ENTRY_WAITS))
			CHECK_EQ(a.t.n[s], b.t.n[s]);
	static const unsigned stalls[] = {APMU_SIG_STALL_BACK_BOUND, APMU_SIG_STALL_BACK_MEM};
	for (unsigned k = 0; k < 2; k++) {
		uint64_t exact = a.t.n[stalls[k]], about = b.t.n[stalls[k]];
		CHECK(exact > 1000000 && about != exact);
		CHECK(about > exact / 10 * 9 && about < exact / 10 * 11);
	}
	lab_close(&a);
	lab_close(&b);
}
