/* SPDX-License-Identifier: MIT */
/* In-order dual issue: which instructions issue together, by the rules of include/apmu/uarch.h. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

static void open_dual(struct lab *l)
{
	static const char *const params[][2] = {
		{"width", "2"},         {"unit.load", "1"},    {"unit.store", "1"},  {"unit.mul", "2"},
		{"unit.branch", "3"},   {"unit.simd", "4"},    {"pipes.4", "2"},     {"pair.system", "none"},
		{"pair.div", "elder"},  {"issue.mul", "1"},    {"result.mul", "3"},  {"issue.div", "1"},
		{"result.load", "3"},   {"store_late", "1"},   {"shift_extra", "0"}, {"address_extra", "0"},
		{"itlb.entries", "0"},  {"dtlb.entries", "0"}, {"l1i.size", "0"},    {"issue.simd", "1"},
		{"result.vfp-mac", "8"}};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
}

/* `sets`: statements that set parameters of `l`. */
#define CHECK_DUAL_OF(sets, want_cycles, ...)                              \
	do {                                                               \
		struct lab l;                                              \
		open_dual(&l);                                             \
		sets;                                                      \
		lab_start(&l);                                             \
		apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, __VA_ARGS__)); \
		CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), want_cycles);     \
		lab_close(&l);                                             \
	} while (0)
#define CHECK_DUAL(key, value, want_cycles, ...) \
	CHECK_DUAL_OF(lab_set(&l, key, value), want_cycles, __VA_ARGS__)
#define CHECK_PAIR(want_cycles, ...) CHECK_DUAL("width", "2", want_cycles, __VA_ARGS__)

#define SIMD(d, n)                                                                  \
	{                                                                           \
		.cls = APMU_CLASS_SIMD, .reads = R(32 + (n)), .writes = R(32 + (d)) \
	}
#define DIV(d, n, m)                                                        \
	{                                                                   \
		.cls = APMU_CLASS_DIV, .reads = R(n) | R(m), .writes = R(d) \
	}
#define MRS(d)                                           \
	{                                                \
		.cls = APMU_CLASS_SYSTEM, .writes = R(d) \
	}

TEST(two_independent_instructions_take_one_cycle)
{
	CHECK_PAIR(1, ADD(0, 8, 8), ADD(1, 8, 8));
	CHECK_PAIR(2, ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8), ADD(3, 8, 8));
	CHECK_PAIR(2, ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8));
	CHECK_DUAL("width", "1", 2, ADD(0, 8, 8), ADD(1, 8, 8));
	CHECK_DUAL("width", "3", 1, ADD(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8));
}

TEST(a_result_is_not_there_in_its_own_cycle)
{
	CHECK_PAIR(2, ADD(0, 8, 8), ADD(1, 0, 8));
	CHECK_PAIR(2, ADD(0, 8, 8), ADD(0, 9, 9)); /* two results in one register do not pair */
	CHECK_PAIR(1, ADD(0, 8, 8), STR(0, 9));    /* store data are needed a cycle late */
	CHECK_PAIR(2, ADD(9, 8, 8), STR(0, 9));    /* the store's address is not */
}

TEST(two_instructions_of_one_pipe_do_not_go_together)
{
	CHECK_PAIR(2, LDR(0, 8), STR(1, 9));
	CHECK_PAIR(1, LDR(0, 8), ADD(1, 9, 9));
	CHECK_PAIR(2, MUL(0, 8, 8), MUL(1, 8, 8));
	CHECK_PAIR(1, MUL(0, 8, 8), LDR(1, 8));
	CHECK_PAIR(1, SIMD(0, 1), SIMD(2, 3)); /* two pipes */
}

/* Of 8 or of 16 bytes. */
#define FADD(d, n, group_)                                                                           \
	{                                                                                            \
		.cls = APMU_CLASS_SIMD, .group = group_, .reads = R(32 + (n)), .writes = R(32 + (d)) \
	}
#define FADD_2S(d, n) FADD(d, n, APMU_GROUP_VFADD)
#define FADD_4S(d, n) FADD(d, n, APMU_GROUP_VFADD_Q)
#define LDR_V(d, n, group_, bytes)                                                           \
	{                                                                                    \
		.cls = APMU_CLASS_LOAD, .group = group_, .reads = R(n), .shift_reads = R(n), \
		.writes = R(32 + (d)), .width = bytes, .flags = APMU_INSN_VECTOR             \
	}
#define LDR_D(d, n)         LDR_V(d, n, APMU_GROUP_LOAD_VEC, 8)
#define LDR_Q(d, n)         LDR_V(d, n, APMU_GROUP_LOAD_VEC_Q, 16)
#define VECTORS(key, value) (lab_set(&l, "vector_bytes", "8"), lab_set(&l, key, value))

/* CC53: operations of 128 bits do not issue together; QSDR has the measurements behind the other two. */
TEST(a_vector_of_16_bytes_takes_two_pipes_of_8)
{
	CHECK_DUAL("vector_bytes", "16", 1, FADD_4S(0, 1), FADD_4S(2, 3));
	CHECK_DUAL("vector_bytes", "8", 2, FADD_4S(0, 1), FADD_4S(2, 3));
	CHECK_DUAL("vector_bytes", "8", 2, FADD_2S(0, 1), FADD_4S(2, 3));
	CHECK_DUAL("vector_bytes", "8", 1, FADD_2S(0, 1), FADD_2S(2, 3));
	CHECK_DUAL_OF(VECTORS("pipes.4", "1"), 2, FADD_4S(0, 1), FADD_4S(2, 3));
}

TEST(a_vector_of_two_pipes_may_issue_with_what_follows_alone)
{
	CHECK_DUAL_OF(VECTORS("vector_elder", "0"), 1, ADD(0, 8, 8), FADD_4S(2, 3));
	CHECK_DUAL_OF(VECTORS("vector_elder", "1"), 2, ADD(0, 8, 8), FADD_4S(2, 3));
	CHECK_DUAL_OF(VECTORS("vector_elder", "1"), 1, FADD_4S(2, 3), ADD(0, 8, 8));
	CHECK_DUAL_OF(VECTORS("vector_elder", "1"), 1, ADD(0, 8, 8), FADD_2S(2, 3));
	CHECK_DUAL_OF(VECTORS("vector_elder", "1"), 1, ADD(0, 8, 8), LDR_Q(2, 8));
}

TEST(a_load_of_vectors_may_take_their_pipes_too)
{
	CHECK_DUAL_OF(VECTORS("vector_access", "0"), 1, LDR_Q(0, 8), FADD_4S(2, 3));
	CHECK_DUAL_OF(VECTORS("vector_access", "4"), 1, LDR_D(0, 8), FADD_2S(2, 3));
	CHECK_DUAL_OF(VECTORS("vector_access", "4"), 2, LDR_D(0, 8), FADD_4S(2, 3));
	CHECK_DUAL_OF(VECTORS("vector_access", "4"), 2, LDR_Q(0, 8), FADD_2S(2, 3));
	CHECK_DUAL_OF(VECTORS("vector_access", "4"), 2, FADD_4S(2, 3), LDR_D(0, 8));
	CHECK_DUAL_OF(VECTORS("vector_access", "4"), 1, LDR_Q(0, 8), ADD(0, 8, 8));
}

/* A block's results that come late are more than it hands on one by one: the latest is among those. */
TEST(the_next_block_waits_for_the_latest_of_many_results)
{
	struct apmu_insn slow = {.cls = APMU_CLASS_VFP_MAC, .writes = R(60)},
			 many = {.cls = APMU_CLASS_SIMD, .writes = (uint64_t)0xFFFFF << 32};
	struct lab l;
	open_dual(&l);
	lab_set(&l, "result.simd", "4");
	lab_set(&l, "result.vfp-mac", "40");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, slow, many));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8008, SIMD(0, 28)));
	apmu_uarch_break(l.u);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 41);
	lab_close(&l);
}

/* A group may keep the load/store unit for longer than its transfers take. */
TEST(a_group_of_loads_may_keep_their_unit)
{
	CHECK_DUAL("group.load-vec", "busy:1", 2, LDR_D(0, 8), LDR_D(1, 9));
	CHECK_DUAL("group.load-vec", "busy:3", 4, LDR_D(0, 8), LDR_D(1, 9));
	CHECK_DUAL("group.load-vec", "busy:3", 4, LDR_D(0, 8), STR(1, 9));
}

TEST(some_classes_go_alone_or_first)
{
	CHECK_PAIR(2, MRS(0), ADD(1, 8, 8));
	CHECK_PAIR(2, ADD(1, 8, 8), MRS(0));
	CHECK_PAIR(1, DIV(0, 8, 8), ADD(1, 8, 8));
	CHECK_PAIR(2, ADD(1, 8, 8), DIV(0, 8, 8));
	CHECK_PAIR(1, ADD(1, 8, 8), B(0x9000)); /* a branch ends its group */
}

TEST(a_younger_alu_instruction_may_have_to_be_an_immediate_one)
{
	struct apmu_insn add_immediate = {.cls = APMU_CLASS_ALU, .reads = R(8), .writes = R(1)},
			 rotate = {.cls = APMU_CLASS_ALU,
				   .group = APMU_GROUP_BFX,
				   .reads = R(8),
				   .shift_reads = R(8),
				   .writes = R(1)},
			 extend = rotate, reverse = add_immediate, insert = add_immediate;
	extend.group = APMU_GROUP_EXTEND;
	reverse.group = APMU_GROUP_BIT_REVERSE;
	insert.group = APMU_GROUP_BFI;
	CHECK_DUAL("pair_immediate", "1", 2, ADD(0, 8, 8), ADD(1, 8, 9));
	CHECK_DUAL("pair_immediate", "1", 1, ADD(0, 8, 9), add_immediate);
	CHECK_DUAL("pair_immediate", "1", 2, ADD(0, 8, 9), rotate);
	CHECK_DUAL("pair_immediate", "1", 2, ADD(0, 8, 9), reverse);
	CHECK_DUAL("pair_immediate", "1", 2, ADD(0, 8, 9), insert);
	CHECK_DUAL("pair_immediate", "1", 1, ADD(0, 8, 9), extend);
}

TEST(an_instruction_of_several_cycles_has_no_partner)
{
	CHECK_DUAL("issue.mul", "2", 3, MUL(0, 8, 8), ADD(1, 8, 8));
}

#define FMADD(d, n, m, a)                                                                    \
	{                                                                                    \
		.cls = APMU_CLASS_VFP_MAC, .reads = R(32 + (n)) | R(32 + (m)) | R(32 + (a)), \
		.shift_reads = R(32 + (n)) | R(32 + (m)), .writes = R(32 + (d))              \
	}

/* result.vfp-mac is 8: an addend is needed some cycles later than a factor. */
TEST(an_addend_may_be_wanted_late)
{
	CHECK_DUAL("addend_late", "0", 9, FMADD(0, 1, 2, 0), FMADD(0, 1, 2, 0));
	CHECK_DUAL("addend_late", "4", 5, FMADD(0, 1, 2, 0), FMADD(0, 1, 2, 0));
	CHECK_DUAL("addend_late", "4", 9, FMADD(0, 1, 2, 3), FMADD(3, 0, 2, 4)); /* a factor */
}

#define LOAD(d, bytes, f)                                                                   \
	{                                                                                   \
		.cls = APMU_CLASS_LOAD, .reads = R(8), .shift_reads = R(8), .writes = R(d), \
		.width = (bytes), .flags = (f)                                              \
	}

TEST(a_wide_load_may_keep_the_pipe_longer)
{
	CHECK_DUAL("load_bytes", "0", 2, LOAD(0, 16, 0), LOAD(1, 16, 0));
	CHECK_DUAL("load_bytes", "8", 3, LOAD(0, 16, 0), LOAD(1, 16, 0));
	CHECK_DUAL("load_bytes", "8", 3, LOAD(0, 8, APMU_INSN_DOUBLE), LOAD(1, 8, 0));
	CHECK_DUAL("load_bytes", "8", 2, LOAD(0, 8, 0), LOAD(1, 8, 0));
	CHECK_DUAL("load_bytes", "8", 2, LOAD(0, 4, APMU_INSN_DOUBLE), LOAD(1, 4, 0));
}

#define CHECK_SLOT(value, want_cycles, ...)                                               \
	CHECK_DUAL_OF((lab_set(&l, "load_bytes", "8"), lab_set(&l, "access_blocks", "1"), \
		       lab_set(&l, "access_slot", value)),                                \
		      want_cycles, __VA_ARGS__)

TEST(the_last_cycle_of_a_wide_load_may_leave_a_slot)
{
	CHECK_SLOT("0", 3, LOAD(0, 16, 0), ADD(1, 9, 9), ADD(2, 9, 9));
	CHECK_SLOT("1", 3, LOAD(0, 16, 0), ADD(1, 9, 9), ADD(2, 9, 9)); /* one slot, not two */
	CHECK_SLOT("0", 3, LOAD(0, 16, 0), ADD(1, 9, 9));
	CHECK_SLOT("1", 2, LOAD(0, 16, 0), ADD(1, 9, 9));
	CHECK_SLOT("1", 2, LOAD(0, 16, 0), B(0x9000));
	CHECK_SLOT("1", 4, LOAD(0, 16, 0), ADD(1, 0, 9));  /* needs the loaded value */
	CHECK_SLOT("1", 3, LOAD(0, 16, 0), LOAD(1, 8, 0)); /* the load pipe is not free */
	CHECK_SLOT("1", 1, LOAD(0, 8, 0), ADD(1, 9, 9));
}

TEST(what_a_branch_compares_may_be_wanted_late)
{
	struct apmu_insn cbz = B(0x9000);
	cbz.reads = R(0);
	CHECK_DUAL("branch_late", "0", 2, ADD(0, 8, 8), cbz);
	CHECK_DUAL("branch_late", "1", 1, ADD(0, 8, 8), cbz);
	CHECK_DUAL("branch_late", "1", 3, MUL(0, 8, 8), cbz); /* result.mul is 3 */
	cbz.reads = R(15);                                    /* X15 is a register like any other */
	CHECK_DUAL("branch_late", "0", 2, ADD(15, 8, 8), cbz);
}

/* Loads three registers in two cycles; the first arrives after 3 cycles. */
TEST(the_last_cycle_of_a_load_multiple_may_leave_a_slot)
{
	CHECK_DUAL("multiple_slot", "0", 3, LDM(7, 3, 8), ADD(3, 9, 9));
	CHECK_DUAL("multiple_slot", "1", 2, LDM(7, 3, 8), ADD(3, 9, 9));
	CHECK_DUAL("multiple_slot", "1", 2, STM(7, 3, 8), ADD(3, 9, 9));
	CHECK_DUAL("multiple_slot", "1", 3, LDM(7, 3, 8), ADD(3, 9, 9), ADD(4, 9, 9)); /* one slot, not two */
	CHECK_DUAL("multiple_slot", "1", 3, LDM(7, 3, 8), LDR(3, 9));    /* the pipe is not free */
	CHECK_DUAL("multiple_slot", "1", 5, LDM(7, 3, 8), ADD(3, 2, 9)); /* needs the last register */
	CHECK_DUAL("multiple_slot", "1", 1, LDM(1, 1, 8), ADD(3, 9, 9));
}

#define LD1(of, list)                                                                             \
	{                                                                                         \
		.cls = APMU_CLASS_LOAD, .group = APMU_GROUP_LD1_##of, .flags = APMU_INSN_VECTOR,  \
		.width = 16, .reads = R(8), .shift_reads = R(8), .writes = (uint64_t)(list) << 32 \
	}
#define CHECK_APART(value, want_cycles, ...)                                                                \
	CHECK_DUAL_OF((lab_set(&l, "group.ld1-1-q", "result:4"), lab_set(&l, "group.ld1-2-q", "result:6"),  \
		       lab_set(&l, "group.ld1-3-q", "result:8"), lab_set(&l, "group.ld1-4-q", "result:10"), \
		       lab_set(&l, "group.ld1-1", "result:3"), lab_set(&l, "group.ld1-2", "result:5"),      \
		       lab_set(&l, "vectors_apart", value)),                                                \
		      want_cycles, __VA_ARGS__)

TEST(registers_of_a_vector_load_may_come_one_after_the_other)
{
	CHECK_APART("0", 11, LD1(4_Q, 0xF), SIMD(4, 0));
	CHECK_APART("1", 5, LD1(4_Q, 0xF), SIMD(4, 0));
	CHECK_APART("1", 7, LD1(4_Q, 0xF), SIMD(4, 1));
	CHECK_APART("1", 9, LD1(4_Q, 0xF), SIMD(4, 2));
	CHECK_APART("1", 11, LD1(4_Q, 0xF), SIMD(4, 3));
	CHECK_APART("1", 7, LD1(3_Q, 7), SIMD(4, 1));
	CHECK_APART("1", 5, LD1(2_Q, 3), SIMD(4, 0));
	CHECK_APART("1", 7, LD1(2_Q, 3), SIMD(4, 1));
	CHECK_APART("1", 4, LD1(2, 3), SIMD(4, 0)); /* 64-bit registers */
	CHECK_APART("1", 6, LD1(2, 3), SIMD(4, 1));
	CHECK_APART("1", 5, LD1(1_Q, 1), SIMD(4, 0));
}

#define LONG(lo, hi, n, m)                                                                                  \
	{                                                                                                   \
		.cls = APMU_CLASS_MUL_LONG, .reads = R(n) | R(m), .writes = R(lo) | R(hi), .low = 1 + (lo), \
	}

TEST(what_is_multiplied_may_be_wanted_early)
{
	CHECK_DUAL("factor_extra", "0", 2, ADD(0, 8, 8), MUL(1, 0, 8));
	CHECK_DUAL("factor_extra", "1", 3, ADD(0, 8, 8), MUL(1, 0, 8));
	CHECK_DUAL("factor_extra", "1", 5, MUL(0, 8, 8), MUL(1, 0, 8));
	CHECK_DUAL("factor_extra", "1", 4, MUL(0, 8, 8),
		   ADD(1, 0, 8)); /* not for an operand of an ALU instruction */
}

TEST(the_low_half_of_a_product_may_come_first)
{
	CHECK_DUAL("low_early", "0", 4, LONG(0, 1, 8, 9), ADD(2, 0, 8));
	CHECK_DUAL("low_early", "1", 3, LONG(0, 1, 8, 9), ADD(2, 0, 8));
	CHECK_DUAL("low_early", "1", 4, LONG(0, 1, 8, 9), ADD(2, 1, 8));
	CHECK_DUAL("low_early", "9", 1, LONG(0, 1, 8, 9),
		   ADD(2, 0, 8)); /* at the earliest in the same cycle */
}

#define CHECK_LAST(value, want_cycles, ...)                                                              \
	CHECK_DUAL_OF((lab_set(&l, "issue.mul", "2"), lab_set(&l, "multiply_slot", value)), want_cycles, \
		      __VA_ARGS__)

TEST(the_last_cycle_of_a_multiplication_may_leave_a_slot)
{
	CHECK_LAST("0", 3, MUL(0, 8, 8), ADD(1, 8, 8));
	CHECK_LAST("1", 2, MUL(0, 8, 8), ADD(1, 8, 8));
	CHECK_LAST("1", 3, MUL(0, 8, 8), ADD(1, 8, 8), ADD(2, 8, 8)); /* one slot */
	CHECK_LAST("1", 4, MUL(0, 8, 8), MUL(1, 8, 8));               /* the multiplier is not free */
	CHECK_LAST("1", 4, MUL(0, 8, 8), ADD(1, 0, 8));               /* needs the product */
}

#define EXTRACT(d, n)                                                                   \
	{                                                                               \
		.cls = APMU_CLASS_SIMD, .group = APMU_GROUP_VEXT, .reads = R(32 + (n)), \
		.writes = R(32 + (d))                                                   \
	}

/* result.simd is 4. */
TEST(a_group_may_issue_for_several_cycles_and_want_its_operands_early)
{
	CHECK_DUAL("group.vext", "parent", 1, EXTRACT(0, 1), ADD(1, 8, 8));
	CHECK_DUAL("group.vext", "issue:2", 3, EXTRACT(0, 1), ADD(1, 8, 8));
	CHECK_DUAL("group.vext", "issue:2", 1, SIMD(0, 1), ADD(1, 8, 8));
	CHECK_DUAL("group.vext", "parent", 5, SIMD(0, 1), EXTRACT(2, 0));
	CHECK_DUAL("group.vext", "early:1", 6, SIMD(0, 1), EXTRACT(2, 0));
	CHECK_DUAL("group.vext", "early:1", 5, EXTRACT(0, 1), SIMD(2, 0));
}

TEST(an_early_result_is_there_in_its_own_cycle)
{
	CHECK_DUAL("alu_early", "1", 1, ADD(0, 8, 8), ADD(1, 0, 8));
	CHECK_DUAL("alu_early", "1", 1, ADD(0, 8, 8), ADD(0, 0, 0));
	CHECK_DUAL("alu_early", "1", 2, ADD(0, 8, 8), ADD(0, 9, 9)); /* not two results in one register */
	CHECK_DUAL("alu_early", "1", 2, ADD(0, 8, 8), ADD(0, 0, 0), ADD(0, 0, 0));
	CHECK_DUAL("alu_early", "1", 4, ADD(0, 8, 8), ADD(0, 0, 0), ADD(0, 0, 0), ADD(0, 0, 0), ADD(0, 0, 0));
	CHECK_DUAL("alu_early", "1", 2, ADD(0, 8, 8), LDR(1, 0)); /* only for an ALU instruction */
	CHECK_DUAL("alu_early", "1", 2, ADD(0, 8, 8), MUL(1, 0, 8));
	CHECK_DUAL("alu_early", "1", 4, MUL(0, 8, 8), ADD(1, 0, 8)); /* only from an ALU instruction */
}

/* The first instruction's operand, from the block before, must be a cycle old for the second to pair with it.
 */
TEST(an_early_result_needs_operands_of_the_cycle_before)
{
	struct lab l;
	open_dual(&l);
	lab_set(&l, "alu_early", "1");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, ADD(0, 8, 8)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, ADD(1, 0, 8), ADD(2, 1, 8)));
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 3);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, ADD(1, 0, 8), ADD(3, 1, 8)));
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 4);
	lab_close(&l);
}

TEST(interlocks_are_told_apart)
{
	struct lab l;
	open_dual(&l);
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, MUL(0, 8, 8), ADD(1, 0, 0)));
	CHECK_EQ(lab_count(&l, APMU_SIG_STALL_DEP_OTHER), 2);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, LDR(0, 8), LDR(1, 0)));
	CHECK_EQ(lab_count(&l, APMU_SIG_STALL_DEP_AGU), 2);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, SIMD(0, 1), SIMD(2, 0)));
	CHECK_EQ(lab_count(&l, APMU_SIG_STALL_DEP_SIMD), 3); /* result.simd is 4 */
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 2 + 2 + 3);
	lab_close(&l);
}

TEST(a_wait_for_flags_is_no_interlock_of_an_address)
{
	struct apmu_insn conditional = LDR(1, 0);
	struct lab l;

	conditional.flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS;
	open_dual(&l);
	lab_set(&l, "result.alu", "3");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, CMP(8, 8), conditional));
	CHECK_EQ(lab_count(&l, APMU_SIG_STALL_DEP_OTHER), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_STALL_DEP_AGU), 0);
	lab_close(&l);
}

/* The stall of a block at its begin, or behind `others` instructions without operands, for what the block
 * before it computes in register r; all of it counts as one interlock. */
static void waits_behind(unsigned others, unsigned r, struct apmu_insn user, enum apmu_signal interlock)
{
	static const enum apmu_signal all[] = {APMU_SIG_STALL_DEP_OTHER, APMU_SIG_STALL_DEP_AGU,
					       APMU_SIG_STALL_DEP_SIMD};
	struct apmu_insn slow = {.cls = APMU_CLASS_VFP_MAC, .writes = R(r)}, insn[16] = {NOP()};
	struct lab l;

	open_dual(&l);
	lab_set(&l, "result.vfp-mac", "40");
	lab_start(&l);
	for (unsigned k = 0; k < others; k++)
		insn[k] = (struct apmu_insn)NOP();
	insn[others] = user;
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, slow, NOP(), NOP()));
	apmu_uarch_enter(l.u, lab_block(&l, 0x800c, insn, others + 1));
	apmu_uarch_break(l.u);
	uint64_t waits = lab_count(&l, APMU_SIG_DATA_STALL);
	CHECK(waits > 30);
	for (unsigned k = 0; k < 3; k++)
		CHECK_EQ(lab_count(&l, all[k]), all[k] == interlock ? waits : 0);
	lab_close(&l);
}

TEST(interlocks_of_what_the_block_before_computed_are_told_apart)
{
	for (unsigned others = 0; others < 12; others += 11) {
		waits_behind(others, 8, (struct apmu_insn)ADD(1, 8, 8), APMU_SIG_STALL_DEP_OTHER);
		waits_behind(others, 8, (struct apmu_insn)LDR(1, 8), APMU_SIG_STALL_DEP_AGU);
		waits_behind(others, 8, (struct apmu_insn)STR(8, 9), APMU_SIG_STALL_DEP_OTHER);
		waits_behind(others, 32, (struct apmu_insn)SIMD(1, 0), APMU_SIG_STALL_DEP_SIMD);
	}
}

/* Two blocks whose second waits for the load/store unit, which is no operand, as within a block. */
TEST(a_wait_for_the_unit_of_the_block_before_is_no_interlock)
{
	struct lab l;
	open_dual(&l);
	lab_set(&l, "group.load-vec", "busy:3");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, LDR_D(0, 8)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, LDR_D(1, 9)));
	apmu_uarch_break(l.u);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_STALL_DEP_OTHER), 0);
	lab_close(&l);
}
