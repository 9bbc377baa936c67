/* SPDX-License-Identifier: MIT */
/* What is known about addresses: the base of an access and by how much the access moves it, sums of a
 * register and a constant. Words by the GNU assembler. */
#include "test.h"

#include "isa/follow.h"

static const struct {
	enum apmu_isa__isa isa;
	uint32_t word;
	int64_t back;
	const char *text;
} rows[] = {
	{APMU_ISA__A32, 0xF420070D, 8, "vld1.8 {d0}, [r0]!"},
	{APMU_ISA__A32, 0xF4200A0D, 16, "vld1.8 {d0, d1}, [r0]!"},
	{APMU_ISA__A32, 0xF420060D, 24, "vld1.8 {d0-d2}, [r0]!"},
	{APMU_ISA__A32, 0xF420020D, 32, "vld1.8 {d0-d3}, [r0]!"},
	{APMU_ISA__A32, 0xF420080D, 16, "vld2.8 {d0, d1}, [r0]!"},
	{APMU_ISA__A32, 0xF420090D, 16, "vld2.8 {d0, d2}, [r0]!"},
	{APMU_ISA__A32, 0xF420030D, 32, "vld2.8 {d0-d3}, [r0]!"},
	{APMU_ISA__A32, 0xF400038D, 32, "vst2.32 {d0-d3}, [r0]!"},
	{APMU_ISA__A32, 0xF420040D, 24, "vld3.8 {d0-d2}, [r0]!"},
	{APMU_ISA__A32, 0xF420010D, 32, "vld4.8 {d0, d2, d4, d6}, [r0]!"},
	{APMU_ISA__T32, 0xF920030D, 32, "vld2.8 {d0-d3}, [r0]!"},
	{APMU_ISA__A64, 0x68808801, 16, "stgp x1, x2, [x0], #16"},
	{APMU_ISA__A64, 0xA8810801, 16, "stp x1, x2, [x0], #16"},
	{APMU_ISA__A64, 0x28820801, 16, "stp w1, w2, [x0], #16"},
	{APMU_ISA__A64, 0x68C20801, 16, "ldpsw x1, x2, [x0], #16"},
	{APMU_ISA__A64, 0xAC810801, 32, "stp q1, q2, [x0], #32"},
};

TEST(a_pair_or_a_structure_of_whole_registers_moves_its_base_by_the_bytes_accessed)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct apmu_isa__addressed m = apmu_isa__addressed(rows[i].isa, 0x8000, rows[i].word, 4);
		bool right = m.what == APMU_ISA__MOVE_ACCESS && m.base == 0 && m.to == 0 && !m.keeps &&
			     m.offset == 0 && m.back == rows[i].back;
		if (!right)
			print_message("%s: %lld\n", rows[i].text, (long long)m.back);
		CHECK(right);
	}
}

/* An access at `base` + `offset`; one that adds `back` to its base; a sum for register `to`. */
#define ACCESS(base, offset)      APMU_ISA__MOVE_ACCESS, base, 0, true, offset, 0
#define MOVES(base, offset, back) APMU_ISA__MOVE_ACCESS, base, base, false, offset, back
#define SUM(to, base, offset)     APMU_ISA__MOVE_SUM, base, to, false, offset, 0
#define ALIGN(to, base, bits)     APMU_ISA__MOVE_ALIGN, base, to, false, bits, 0
#define UNKNOWN                   APMU_ISA__MOVE_NONE, 0, 0, false, 0, 0
#define PC                        APMU_ISA__NO_BASE

/* clang-format off */
static const struct {
	enum apmu_isa__isa isa;
	uint32_t word;
	unsigned size;
	uint8_t what, base, to;
	bool keeps;
	int64_t offset, back;
	const char *text;
} forms[] = {
	{APMU_ISA__A64, 0xF9401041, 4, ACCESS(2, 32), "ldr x1, [x2, #32]"},
	{APMU_ISA__A64, 0x3DC00841, 4, ACCESS(2, 32), "ldr q1, [x2, #32]"},
	{APMU_ISA__A64, 0x39000C41, 4, ACCESS(2, 3), "strb w1, [x2, #3]"},
	{APMU_ISA__A64, 0xF85F7041, 4, ACCESS(2, -9), "ldur x1, [x2, #-9]"},
	{APMU_ISA__A64, 0xF85F0441, 4, MOVES(2, 0, -16), "ldr x1, [x2], #-16"},
	{APMU_ISA__A64, 0xF8010C41, 4, MOVES(2, 16, 16), "str x1, [x2, #16]!"},
	{APMU_ISA__A64, 0xA97E0C41, 4, ACCESS(2, -32), "ldp x1, x3, [x2, #-32]"},
	{APMU_ISA__A64, 0x29BF0C41, 4, MOVES(2, -8, -8), "stp w1, w3, [x2, #-8]!"},
	{APMU_ISA__A64, 0x4C407040, 4, ACCESS(2, 0), "ld1 {v0.16b}, [x2]"},
	{APMU_ISA__A64, 0x91001441, 4, SUM(1, 2, 5), "add x1, x2, #5"},
	{APMU_ISA__A64, 0xD14017E1, 4, SUM(1, 31, -0x5000), "sub x1, sp, #5, lsl #12"},
	{APMU_ISA__A64, 0xAA0203E1, 4, SUM(1, 2, 0), "mov x1, x2"},
	{APMU_ISA__A64, 0xAA1F03E1, 4, UNKNOWN, "mov x1, xzr"},
	{APMU_ISA__A64, 0x30FFFFE1, 4, SUM(1, PC, 0x7FFD), "adr x1, .-3"},
	{APMU_ISA__A64, 0xB0000021, 4, SUM(1, PC, 0xD000), "adrp x1, .+0x5000"},
	{APMU_ISA__A64, 0xD2C24681, 4, SUM(1, PC, 0x123400000000), "movz x1, #0x1234, lsl #32"},
	{APMU_ISA__A64, 0x52824681, 4, SUM(1, PC, 0x1234), "movz w1, #0x1234"},
	{APMU_ISA__A64, 0x927AE441, 4, ALIGN(1, 2, -64), "and x1, x2, #-64"},
	{APMU_ISA__A64, 0x927CEC5F, 4, ALIGN(31, 2, -16), "and sp, x2, #-16"},
	{APMU_ISA__A64, 0x92410041, 4, ALIGN(1, 2, INT64_MIN), "and x1, x2, #0x8000000000000000"},
	{APMU_ISA__A64, 0x92401441, 4, UNKNOWN, "and x1, x2, #63"},
	{APMU_ISA__A64, 0x92482041, 4, UNKNOWN, "and x1, x2, #0xFF00000000000001"},
	{APMU_ISA__A64, 0x92103C41, 4, UNKNOWN, "and x1, x2, #0xFFFF0000FFFF0000"},
	{APMU_ISA__A64, 0x121A6441, 4, UNKNOWN, "and w1, w2, #-64"},
	{APMU_ISA__A64, 0xF27AE441, 4, UNKNOWN, "ands x1, x2, #-64"},
	{APMU_ISA__A64, 0x927AE7E1, 4, UNKNOWN, "and x1, xzr, #-64"},
	{APMU_ISA__A64, 0x11001441, 4, UNKNOWN, "add w1, w2, #5"},
	{APMU_ISA__A64, 0x8B030041, 4, UNKNOWN, "add x1, x2, x3"},
	{APMU_ISA__A32, 0xE592100C, 4, ACCESS(2, 12), "ldr r1, [r2, #12]"},
	{APMU_ISA__A32, 0xE512100C, 4, ACCESS(2, -12), "ldr r1, [r2, #-12]"},
	{APMU_ISA__A32, 0xE492100C, 4, MOVES(2, 0, 12), "ldr r1, [r2], #12"},
	{APMU_ISA__A32, 0xE522100C, 4, MOVES(2, -12, -12), "str r1, [r2, #-12]!"},
	{APMU_ISA__A32, 0xE59F1008, 4, ACCESS(PC, 0x8010), "ldr r1, [pc, #8]"},
	{APMU_ISA__A32, 0xE1D211BA, 4, ACCESS(2, 26), "ldrh r1, [r2, #26]"},
	{APMU_ISA__A32, 0xE16241F8, 4, MOVES(2, -24, -24), "strd r4, [r2, #-24]!"},
	{APMU_ISA__A32, 0xE8B20038, 4, MOVES(2, 0, 12), "ldmia r2!, {r3, r4, r5}"},
	{APMU_ISA__A32, 0xE8120038, 4, ACCESS(2, -8), "ldmda r2, {r3, r4, r5}"},
	{APMU_ISA__A32, 0xE9220018, 4, MOVES(2, -8, -8), "stmdb r2!, {r3, r4}"},
	{APMU_ISA__A32, 0xE9920018, 4, ACCESS(2, 4), "ldmib r2, {r3, r4}"},
	{APMU_ISA__A32, 0xED120B04, 4, ACCESS(2, -16), "vldr d0, [r2, #-16]"},
	{APMU_ISA__A32, 0xECB20B04, 4, MOVES(2, 0, 16), "vldmia r2!, {d0-d1}"},
	{APMU_ISA__A32, 0xED220B02, 4, MOVES(2, -8, -8), "vstmdb r2!, {d0}"},
	{APMU_ISA__A32, 0xEC432B10, 4, UNKNOWN, "vmov d0, r2, r3"},
	{APMU_ISA__A32, 0xE2821C3F, 4, SUM(1, 2, 0x3F00), "add r1, r2, #0x3F00"},
	{APMU_ISA__A32, 0xE2421001, 4, SUM(1, 2, -1), "sub r1, r2, #1"},
	{APMU_ISA__A32, 0xE28F1010, 4, SUM(1, PC, 0x8018), "add r1, pc, #16"},
	{APMU_ISA__A32, 0xE3A014FF, 4, SUM(1, PC, 0xFF000000), "mov r1, #0xFF000000"},
	{APMU_ISA__A32, 0xE1A01002, 4, SUM(1, 2, 0), "mov r1, r2"},
	{APMU_ISA__A32, 0xE1A01082, 4, UNKNOWN, "lsl r1, r2, #1"},
	{APMU_ISA__A32, 0xE7921003, 4, UNKNOWN, "ldr r1, [r2, r3]"},
	{APMU_ISA__T32, 0x6891, 2, ACCESS(2, 8), "ldr r1, [r2, #8]"},
	{APMU_ISA__T32, 0x70D1, 2, ACCESS(2, 3), "strb r1, [r2, #3]"},
	{APMU_ISA__T32, 0x88D1, 2, ACCESS(2, 6), "ldrh r1, [r2, #6]"},
	{APMU_ISA__T32, 0x9103, 2, ACCESS(13, 12), "str r1, [sp, #12]"},
	{APMU_ISA__T32, 0x4902, 2, ACCESS(PC, 0x800C), "ldr r1, [pc, #8]"},
	{APMU_ISA__T32, 0xCA18, 2, MOVES(2, 0, 8), "ldmia r2!, {r3, r4}"},
	{APMU_ISA__T32, 0xCA14, 2, ACCESS(2, 0), "ldmia r2, {r2, r4}"},
	{APMU_ISA__T32, 0xB506, 2, MOVES(13, -12, -12), "push {r1, r2, lr}"},
	{APMU_ISA__T32, 0xBC06, 2, MOVES(13, 0, 8), "pop {r1, r2}"},
	{APMU_ISA__T32, 0x1D51, 2, SUM(1, 2, 5), "adds r1, r2, #5"},
	{APMU_ISA__T32, 0x1F51, 2, SUM(1, 2, -5), "subs r1, r2, #5"},
	{APMU_ISA__T32, 0x21C8, 2, SUM(1, PC, 200), "movs r1, #200"},
	{APMU_ISA__T32, 0x31C8, 2, SUM(1, 1, 200), "adds r1, #200"},
	{APMU_ISA__T32, 0x39C8, 2, SUM(1, 1, -200), "subs r1, #200"},
	{APMU_ISA__T32, 0xA904, 2, SUM(1, 13, 16), "add r1, sp, #16"},
	{APMU_ISA__T32, 0x4691, 2, SUM(9, 2, 0), "mov r9, r2"},
	{APMU_ISA__T32, 0xB006, 2, SUM(13, 13, 24), "add sp, #24"},
	{APMU_ISA__T32, 0xB086, 2, SUM(13, 13, -24), "sub sp, #24"},
	{APMU_ISA__T32, 0xF8D21ABC, 4, ACCESS(2, 0xABC), "ldr.w r1, [r2, #0xABC]"},
	{APMU_ISA__T32, 0xF8521C04, 4, ACCESS(2, -4), "ldr r1, [r2, #-4]"},
	{APMU_ISA__T32, 0xF8521B04, 4, MOVES(2, 0, 4), "ldr r1, [r2], #4"},
	{APMU_ISA__T32, 0xF8421D04, 4, MOVES(2, -4, -4), "str r1, [r2, #-4]!"},
	{APMU_ISA__T32, 0xF9121C04, 4, ACCESS(2, -4), "ldrsb r1, [r2, #-4]"},
	{APMU_ISA__T32, 0xF85F1010, 4, ACCESS(PC, 0x7FF4), "ldr.w r1, [pc, #-16]"},
	{APMU_ISA__T32, 0xF8521003, 4, UNKNOWN, "ldr.w r1, [r2, r3]"},
	{APMU_ISA__T32, 0xE9524506, 4, ACCESS(2, -24), "ldrd r4, r5, [r2, #-24]"},
	{APMU_ISA__T32, 0xE8E24506, 4, MOVES(2, 0, 24), "strd r4, r5, [r2], #24"},
	{APMU_ISA__T32, 0xE8521F00, 4, UNKNOWN, "ldrex r1, [r2]"},
	{APMU_ISA__T32, 0xE8B20218, 4, MOVES(2, 0, 12), "ldmia.w r2!, {r3, r4, r9}"},
	{APMU_ISA__T32, 0xE9220208, 4, MOVES(2, -8, -8), "stmdb r2!, {r3, r9}"},
	{APMU_ISA__T32, 0xE9120208, 4, ACCESS(2, -8), "ldmdb r2, {r3, r9}"},
	{APMU_ISA__T32, 0xED920B04, 4, ACCESS(2, 16), "vldr d0, [r2, #16]"},
	{APMU_ISA__T32, 0xED9F0B04, 4, ACCESS(PC, 0x8014), "vldr d0, [pc, #16]"},
	{APMU_ISA__T32, 0xF10211AB, 4, SUM(1, 2, 0x00AB00AB), "add.w r1, r2, #0x00AB00AB"},
	{APMU_ISA__T32, 0xF1A221AB, 4, SUM(1, 2, -0xAB00AB00ll), "sub.w r1, r2, #0xAB00AB00"},
	{APMU_ISA__T32, 0xF10231AB, 4, SUM(1, 2, 0xABABABAB), "add.w r1, r2, #0xABABABAB"},
	{APMU_ISA__T32, 0xF502317F, 4, SUM(1, 2, 0x3FC00), "add.w r1, r2, #0x3FC00"},
	{APMU_ISA__T32, 0xF60221BC, 4, SUM(1, 2, 0xABC), "addw r1, r2, #0xABC"},
	{APMU_ISA__T32, 0xF6A221BC, 4, SUM(1, 2, -0xABC), "subw r1, r2, #0xABC"},
	{APMU_ISA__T32, 0xEA4F0109, 4, SUM(1, 9, 0), "mov.w r1, r9"},
	{APMU_ISA__T32, 0xEB020103, 4, UNKNOWN, "add.w r1, r2, r3"},
};
/* clang-format on */

TEST(each_form_says_where_its_address_or_sum_comes_from)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct apmu_isa__addressed m =
			apmu_isa__addressed(forms[i].isa, 0x8000, forms[i].word, forms[i].size);
		bool right = m.what == forms[i].what && m.base == forms[i].base &&
			     m.keeps == forms[i].keeps && m.offset == forms[i].offset &&
			     (m.keeps || (m.to == forms[i].to && m.back == forms[i].back));
		if (!right)
			print_message("%s: %u, %u %+lld, back %lld\n", forms[i].text, m.what, m.base,
				      (long long)m.offset, (long long)m.back);
		CHECK(right);
	}
}

static struct apmu_isa__values values;

static bool run_in(enum apmu_isa__isa isa, uint32_t word)
{
	struct apmu_isa__addressed m = apmu_isa__addressed(isa, 0x8000, word, 4);
	struct apmu_isa__stream stream = {.isa = (uint8_t)isa};
	struct apmu_insn insn;
	bool known = apmu_isa__classify(&stream, 0x8000, word, 4, &insn);

	apmu_isa__follow_step(&values, &m, &insn);
	return known;
}

static void run(uint32_t word)
{
	CHECK(run_in(APMU_ISA__A32, word));
}

/* True if register `a` is known to be register `b` plus `by`. */
static bool apart(unsigned a, unsigned b, int64_t by)
{
	struct apmu_isa__value of_a = apmu_isa__follow_value(&values, a, 0);
	struct apmu_isa__value of_b = apmu_isa__follow_value(&values, b, by);

	return of_a.name == of_b.name && of_a.offset == of_b.offset;
}

TEST(registers_are_followed_through_sums_moves_and_bases_that_move)
{
	apmu_isa__follow_start(&values);
	CHECK(!apart(1, 2, 0));
	run(0xE2821C3F); /* add r1, r2, #0x3F00 */
	CHECK(apart(1, 2, 0x3F00));
	run(0xE1A03001); /* mov r3, r1 */
	run(0xE493400C); /* ldr r4, [r3], #12 */
	CHECK(apart(3, 1, 12));
	CHECK(!apart(4, 2, 0));
	run(0xE3A014FF); /* mov r1, #0xFF000000 */
	CHECK_EQ(apmu_isa__follow_value(&values, 1, 1).name, 0);
	CHECK_EQ(apmu_isa__follow_value(&values, 1, 1).offset, 0xFF000001);
	run(0x02822001); /* addeq r2, r2, #1: perhaps */
	CHECK(!apart(3, 2, 0x3F00 + 12));
	run(0xE1A05003); /* mov r5, r3 */
	run(0xE5933000); /* ldr r3, [r3] */
	CHECK(!apart(5, 3, 0));
}

/* clang-format off */
static const struct {
	uint32_t word;
	const char *text;
} general[] = {
	{0x043F57FF, "addvl sp, sp, #-1"}, {0x04615041, "addpl x1, x1, #2"}, {0x04BF5041, "rdvl x1, #2"},
	{0x0420E3E1, "cntb x1"}, {0x04E2E001, "cntd x1, pow2, mul #3"}, {0x0430E3E1, "incb x1"},
	{0x04BFE7E1, "decw x1, all, mul #16"}, {0x0430F3E1, "sqincb x1"}, {0x0420F3E1, "sqincb x1, w1"},
	{0x04E0F7E1, "uqincd w1"}, {0x0470FFE1, "uqdech x1"}, {0x25288C41, "sqincp x1, p2.b"},
	{0x25288841, "sqincp x1, p2.b, w1"}, {0x25EB8861, "uqdecp w1, p3.d"}, {0x25AC8841, "incp x1, p2.s"},
	{0x252D8841, "decp x1, p2.b"}, {0x25E08861, "cntp x1, p2, p3.d"}, {0x05E0A861, "lasta x1, p2, z3.d"},
	{0x05A1A861, "lastb w1, p2, z3.s"}, {0x05F0A861, "clasta x1, p2, x1, z3.d"},
	{0x0531A861, "clastb w1, p2, w1, z3.b"},
};
/* clang-format on */

TEST(what_sve_computes_in_a_general_register_is_unknown)
{
	for (size_t i = 0; i < sizeof(general) / sizeof(general[0]); i++) {
		unsigned to = general[i].word & 31;

		apmu_isa__follow_start(&values);
		CHECK(run_in(APMU_ISA__A64, to == 31 ? 0x910003E2 : 0xAA0103E2)); /* mov x2, sp; mov x2, x1 */
		CHECK(apart(2, to, 0));
		bool right = run_in(APMU_ISA__A64, general[i].word) && !apart(2, to, 0);
		if (!right)
			print_message("%s\n", general[i].text);
		CHECK(right);
	}
}

TEST(an_undecoded_instruction_leaves_no_register_known)
{
	apmu_isa__follow_start(&values);
	CHECK(run_in(APMU_ISA__A64, 0xAA0103E2));  /* mov x2, x1 */
	CHECK(!run_in(APMU_ISA__A64, 0xD9201421)); /* stg x1, [x1], #16 */
	CHECK(!apart(2, 1, 0));
}
