/* SPDX-License-Identifier: MIT */
/* Types and operations of A64 instructions. The GNU assembler made the words; mnemonics give the expectation.
 */
#include "isa/classify.h"

#include "test.h"

#define T(trait)  ((uint64_t)1 << APMU_TRAIT_##trait)
#define FIXED(n)  ((uint64_t)1 << (APMU_TRAIT_FIXED + __builtin_ctz(n)))
#define SCALED(n) ((uint64_t)1 << (APMU_TRAIT_SCALED + __builtin_ctz(n)))

/* clang-format off */
static const struct {
	const char *text;
	uint32_t word;
	uint64_t traits;
} row[] = {
	{"fadd s0, s1, s2", 0x1E222820, T(FP_SINGLE) | FIXED(1)},
	{"fadd d0, d1, d2", 0x1E622820, T(FP_DOUBLE) | FIXED(1)},
	{"fadd h0, h1, h2", 0x1EE22820, T(FP_HALF) | FIXED(1)},
	{"fmadd s0, s1, s2, s3", 0x1F020C20, T(FP_SINGLE) | FIXED(2)},
	{"fnmsub d0, d1, d2, d3", 0x1F628C20, T(FP_DOUBLE) | FIXED(2)},
	{"fmadd h0, h1, h2, h3", 0x1FC20C20, T(FP_HALF) | FIXED(2)},
	{"fsqrt d0, d1", 0x1E61C020, T(FP_DOUBLE) | FIXED(1)},
	{"fcmp s0, s1", 0x1E212000, T(FP_SINGLE) | FIXED(1)},
	{"fccmp d0, d1, #0, eq", 0x1E610400, T(FP_DOUBLE) | FIXED(1)},
	{"frinta s0, s1", 0x1E264020, T(FP_SINGLE) | FIXED(1)},
	{"fcvt d0, s1", 0x1E22C020, T(FP_DOUBLE) | FIXED(1)},
	{"fcvt s0, d1", 0x1E624020, T(FP_DOUBLE) | FIXED(1)},
	{"fcvt s0, h1", 0x1EE24020, T(FP_SINGLE) | FIXED(1)},
	{"fcvt h0, s1", 0x1E23C020, T(FP_SINGLE) | FIXED(1)},
	{"fcvt h0, d1", 0x1E63C020, T(FP_DOUBLE) | FIXED(1)},
	{"scvtf d0, x1", 0x9E620020, T(FP_DOUBLE) | FIXED(1)},
	{"fcvtzs w0, s1", 0x1E380020, T(FP_SINGLE) | FIXED(1)},
	{"ucvtf s0, w1, #3", 0x1E03F420, T(FP_SINGLE) | FIXED(1)},
	{"fjcvtzs w0, d1", 0x1E7E0020, T(FP_DOUBLE) | FIXED(1)},
	{"fmov d0, d1", 0x1E604020, 0},
	{"fmov d0, x1", 0x9E670020, 0},
	{"fmov s0, #1.0", 0x1E2E1000, 0},
	{"fcsel d0, d1, d2, eq", 0x1E620C20, 0},
	{"fmov v0.d[1], x1", 0x9EAF0020, 0},
	{"fadd v0.4s, v1.4s, v2.4s", 0x4E22D420, T(FP_SINGLE) | FIXED(4)},
	{"fadd v0.2s, v1.2s, v2.2s", 0x0E22D420, T(FP_SINGLE) | FIXED(2)},
	{"fmul v0.2d, v1.2d, v2.2d", 0x6E62DC20, T(FP_DOUBLE) | FIXED(2)},
	{"fadd v0.8h, v1.8h, v2.8h", 0x4E421420, T(FP_HALF) | FIXED(8)},
	{"fmla v0.4s, v1.4s, v2.4s", 0x4E22CC20, T(FP_SINGLE) | FIXED(8)},
	{"fmls v0.2d, v1.2d, v2.2d", 0x4EE2CC20, T(FP_DOUBLE) | FIXED(4)},
	{"fmla v0.8h, v1.8h, v2.8h", 0x4E420C20, T(FP_HALF) | FIXED(16)},
	{"fmla v0.4h, v1.4h, v2.4h", 0x0E420C20, T(FP_HALF) | FIXED(8)},
	{"fmla v0.4s, v1.4s, v2.s[1]", 0x4FA21020, T(FP_SINGLE) | FIXED(8)},
	{"fmul v0.2d, v1.2d, v2.d[1]", 0x4FC29820, T(FP_DOUBLE) | FIXED(2)},
	{"fmla v0.8h, v1.8h, v2.h[1]", 0x4F121020, T(FP_HALF) | FIXED(16)},
	{"fmla s0, s1, v2.s[1]", 0x5FA21020, T(FP_SINGLE) | FIXED(2)},
	{"fdiv v0.2d, v1.2d, v2.2d", 0x6E62FC20, T(FP_DOUBLE) | FIXED(2)},
	{"fsqrt v0.4s, v1.4s", 0x6EA1F820, T(FP_SINGLE) | FIXED(4)},
	{"frecpe v0.2d, v1.2d", 0x4EE1D820, T(FP_DOUBLE) | FIXED(2)},
	{"scvtf v0.4s, v1.4s", 0x4E21D820, T(FP_SINGLE) | FIXED(4)},
	{"scvtf v0.8h, v1.8h", 0x4E79D820, T(FP_HALF) | FIXED(8)},
	{"fcmeq v0.4s, v1.4s, #0.0", 0x4EA0D820, T(FP_SINGLE) | FIXED(4)},
	{"fabs v0.2d, v1.2d", 0x4EE0F820, T(FP_DOUBLE) | FIXED(2)},
	{"fneg v0.8h, v1.8h", 0x6EF8F820, T(FP_HALF) | FIXED(8)},
	{"fabd d0, d1, d2", 0x7EE2D420, T(FP_DOUBLE) | FIXED(1)},
	{"fcmgt s0, s1, s2", 0x7EA2E420, T(FP_SINGLE) | FIXED(1)},
	{"scvtf v0.2d, v1.2d, #4", 0x4F7CE420, T(FP_DOUBLE) | FIXED(2)},
	{"fcvtzs v0.4s, v1.4s, #4", 0x4F3CFC20, T(FP_SINGLE) | FIXED(4)},
	{"fcvtl v0.2d, v1.2s", 0x0E617820, T(FP_DOUBLE) | FIXED(2)},
	{"fmov v0.4s, #1.0", 0x4F03F600, 0},
	{"movi v0.16b, #1", 0x4F00E420, 0},
	{"dup v0.4s, w1", 0x4E040C20, 0},
	{"zip1 v0.16b, v1.16b, v2.16b", 0x4E023820, 0},
	{"ext v0.16b, v1.16b, v2.16b, #3", 0x6E021820, 0},
	{"tbl v0.16b, {v1.16b}, v2.16b", 0x4E020020, 0},
	{"add v0.16b, v1.16b, v2.16b", 0x4E228420, T(INT_8)},
	{"add v0.8h, v1.8h, v2.8h", 0x4E628420, T(INT_16)},
	{"mul v0.4s, v1.4s, v2.4s", 0x4EA29C20, T(INT_32)},
	{"add v0.2d, v1.2d, v2.2d", 0x4EE28420, T(INT_64)},
	{"add d0, d1, d2", 0x5EE28420, T(INT_64)},
	{"and v0.16b, v1.16b, v2.16b", 0x4E221C20, T(INT_8)},
	{"eor v0.8b, v1.8b, v2.8b", 0x2E221C20, T(INT_8)},
	{"orn v0.16b, v1.16b, v2.16b", 0x4EE21C20, T(INT_8)},
	{"sdot v0.4s, v1.16b, v2.16b", 0x4E829420, T(INT_32)},
	{"saddl v0.8h, v1.8b, v2.8b", 0x0E220020, T(INT_16)},
	{"smull v0.2d, v1.2s, v2.2s", 0x0EA2C020, T(INT_64)},
	{"addhn v0.8b, v1.8h, v2.8h", 0x0E224020, T(INT_16)},
	{"uaddlp v0.4s, v1.8h", 0x6E602820, T(INT_32)},
	{"xtn v0.4h, v1.4s", 0x0E612820, T(INT_32)},
	{"abs v0.8h, v1.8h", 0x4E60B820, T(INT_16)},
	{"cnt v0.16b, v1.16b", 0x4E205820, T(INT_8)},
	{"addv s0, v1.4s", 0x4EB1B820, T(INT_32)},
	{"saddlv s0, v1.8h", 0x4E703820, T(INT_32)},
	{"shl v0.4s, v1.4s, #3", 0x4F235420, T(INT_32)},
	{"sshr v0.16b, v1.16b, #1", 0x4F0F0420, T(INT_8)},
	{"sshll v0.4s, v1.4h, #1", 0x0F11A420, T(INT_32)},
	{"shrn v0.4h, v1.4s, #1", 0x0F1F8420, T(INT_32)},
	{"ushr d0, d1, #7", 0x7F790420, T(INT_64)},
	{"mla v0.4s, v1.4s, v2.s[1]", 0x6FA20020, T(INT_32)},
	{"smlal v0.4s, v1.4h, v2.h[1]", 0x0F522020, T(INT_32)},
	{"sqdmulh v0.8h, v1.8h, v2.h[1]", 0x4F52C020, T(INT_16)},
	{"sdot v0.4s, v1.16b, v2.4b[1]", 0x4FA2E020, T(INT_32)},
	{"mls v0.8h, v1.8h, v2.h[1]", 0x6F524020, T(INT_16)},
	{"sqdmulh h0, h1, v2.h[1]", 0x5F52C020, T(INT_16)},
	{"shll v0.4s, v1.4h, #16", 0x2E613820, T(INT_32)},
	{"addp d0, v1.2d", 0x5EF1B820, T(INT_64)},
	{"fcvtzs s0, s1, #4", 0x5F3CFC20, T(FP_SINGLE) | FIXED(1)},
	{"aese v0.16b, v1.16b", 0x4E284820, 0},
	{"sudot v0.4s, v1.16b, v2.4b[1]", 0x4F22F020, T(INT_32)},
	{"usdot v0.4s, v1.16b, v2.4b[1]", 0x4FA2F020, T(INT_32)},
	{"ummla v0.4s, v1.16b, v2.16b", 0x6E82A420, T(INT_32)},
	{"usmmla v0.4s, v1.16b, v2.16b", 0x4E82AC20, T(INT_32)},
	{"sqrdmlah v0.8h, v1.8h, v2.h[1]", 0x6F52D020, T(INT_16)},
	{"sqrdmlsh v0.8h, v1.8h, v2.h[1]", 0x6F52F020, T(INT_16)},
	{"sqrdmlsh h0, h1, v2.h[1]", 0x7F52F020, T(INT_16)},
	{"sqrdmlsh v0.8h, v1.8h, v2.8h", 0x6E428C20, T(INT_16)},
	{"sqrdmlah s0, s1, s2", 0x7E828420, T(INT_32)},
	{"fmlal v0.4s, v1.4h, v2.4h", 0x4E22EC20, T(FP_SINGLE) | FIXED(8)},
	{"fmlsl2 v0.4s, v1.4h, v2.4h", 0x6EA2CC20, T(FP_SINGLE) | FIXED(8)},
	{"fmlsl v0.4s, v1.4h, v2.h[1]", 0x4F924020, T(FP_SINGLE) | FIXED(8)},
	{"fmlal2 v0.2s, v1.2h, v2.h[1]", 0x2F928020, T(FP_SINGLE) | FIXED(4)},
	{"fcmla v0.4s, v1.4s, v2.4s, #90", 0x6E82CC20, T(FP_SINGLE) | FIXED(8)},
	{"fcmla v0.8h, v1.8h, v2.h[1], #90", 0x6F623020, T(FP_HALF) | FIXED(16)},
	{"fcadd v0.2d, v1.2d, v2.2d, #90", 0x6EC2E420, T(FP_DOUBLE) | FIXED(2)},
	{"facge v0.4s, v1.4s, v2.4s", 0x6E22EC20, T(FP_SINGLE) | FIXED(4)},
	{"fcvtn v0.4h, v1.4s", 0x0E216820, T(FP_SINGLE) | FIXED(4)},
	{"bfcvtn v0.4h, v1.4s", 0x0EA16820, T(FP_SINGLE) | FIXED(4)},
	{"bfdot v0.4s, v1.8h, v2.8h", 0x6E42FC20, T(FP_SINGLE) | FIXED(16)},
	{"bfdot v0.4s, v1.8h, v2.2h[1]", 0x4F62F020, T(FP_SINGLE) | FIXED(16)},
	{"bfmlalb v0.4s, v1.8h, v2.h[1]", 0x0FD2F020, T(FP_SINGLE) | FIXED(8)},
	{"pmull v0.1q, v1.1d, v2.1d", 0x0EE2E020, 0},
	{"bfdot v0.2s, v1.4h, v2.4h", 0x2E42FC20, T(FP_SINGLE) | FIXED(8)},
	{"bfmmla v0.4s, v1.8h, v2.8h", 0x6E42EC20, T(FP_SINGLE) | FIXED(32)},
	{"bfmlalt v0.4s, v1.8h, v2.8h", 0x6EC2FC20, T(FP_SINGLE) | FIXED(8)},
	{"bfcvt h0, s1", 0x1E634020, T(FP_SINGLE) | FIXED(1)},
	{"bfcvtn2 v0.8h, v1.4s", 0x4EA16820, T(FP_SINGLE) | FIXED(4)},
	{"rev64 v0.8h, v1.8h", 0x4E600820, 0},
	{"rev32 v0.4h, v1.4h", 0x2E600820, 0},
	{"rev16 v0.16b, v1.16b", 0x4E201820, 0},
	{"rbit v0.16b, v1.16b", 0x6E605820, T(INT_8)},
	{"cls v0.4s, v1.4s", 0x4EA04820, T(INT_32)},
	{"not v0.8b, v1.8b", 0x2E205820, T(INT_8)},
	{"urecpe v0.4s, v1.4s", 0x4EA1C820, T(INT_32)},
	{"ursqrte v0.2s, v1.2s", 0x2EA1C820, T(INT_32)},
	{"frsqrte v0.2s, v1.2s", 0x2EA1D820, T(FP_SINGLE) | FIXED(2)},
	{"fcvtas v0.4s, v1.4s", 0x4E21C820, T(FP_SINGLE) | FIXED(4)},
	{"pmul v0.16b, v1.16b, v2.16b", 0x6E229C20, T(INT_8)},
	{"pmull v0.8h, v1.8b, v2.8b", 0x0E22E020, T(INT_16)},
	{"pmull2 v0.1q, v1.2d, v2.2d", 0x4EE2E020, 0},
	{"fadd z0.s, z1.s, z2.s", 0x65820020, T(FP_SINGLE) | SCALED(4)},
	{"fadd z0.d, p0/m, z0.d, z2.d", 0x65C08040, T(FP_DOUBLE) | SCALED(2) | T(SVE_PRED)},
	{"fmla z0.s, p0/m, z1.s, z2.s", 0x65A20020, T(FP_SINGLE) | SCALED(8) | T(SVE_PRED)},
	{"fmul z0.h, z1.h, z2.h", 0x65420820, T(FP_HALF) | SCALED(8)},
	{"fmad z0.d, p1/m, z1.d, z2.d", 0x65E28420, T(FP_DOUBLE) | SCALED(4) | T(SVE_PRED)},
	{"fmla z0.s, z1.s, z2.s[1]", 0x64AA0020, T(FP_SINGLE) | SCALED(8)},
	{"fmla z0.h, z1.h, z2.h[5]", 0x646A0020, T(FP_HALF) | SCALED(16)},
	{"fmla z0.d, z1.d, z2.d[1]", 0x64F20020, T(FP_DOUBLE) | SCALED(4)},
	{"fcmgt p0.s, p1/z, z0.s, z1.s", 0x65814410, T(FP_SINGLE) | SCALED(4) | T(SVE_PRED)},
	{"fsqrt z0.d, p0/m, z1.d", 0x65CDA020, T(FP_DOUBLE) | SCALED(2) | T(SVE_PRED)},
	{"frecpe z0.s, z1.s", 0x658E3020, T(FP_SINGLE) | SCALED(4)},
	{"scvtf z0.d, p0/m, z1.d", 0x65D6A020, T(FP_DOUBLE) | SCALED(2) | T(SVE_PRED)},
	{"fcvt z0.d, p0/m, z1.s", 0x65CBA020, T(FP_DOUBLE) | SCALED(2) | T(SVE_PRED)},
	{"fcvtx z0.s, p0/m, z1.d", 0x650AA020, T(FP_DOUBLE) | SCALED(2) | T(SVE_PRED)},
	{"fcvtxnt z0.s, p0/m, z1.d", 0x640AA020, T(FP_DOUBLE) | SCALED(2) | T(SVE_PRED)},
	{"flogb z0.h, p0/m, z1.h", 0x651AA020, T(FP_HALF) | SCALED(8) | T(SVE_PRED)},
	{"flogb z0.s, p0/m, z1.s", 0x651CA020, T(FP_SINGLE) | SCALED(4) | T(SVE_PRED)},
	{"flogb z0.d, p0/m, z1.d", 0x651EA020, T(FP_DOUBLE) | SCALED(2) | T(SVE_PRED)},
	{"bfcvt z0.h, p0/m, z1.s", 0x658AA020, T(FP_SINGLE) | SCALED(4) | T(SVE_PRED)},
	{"bfcvtnt z0.h, p0/m, z1.s", 0x648AA020, T(FP_SINGLE) | SCALED(4) | T(SVE_PRED)},
	{"faddv s0, p0, z1.s", 0x65802020, T(FP_SINGLE) | SCALED(4) | T(SVE_PRED)},
	{"add z0.b, z1.b, z2.b", 0x04220020, T(INT_8)},
	{"add z0.d, p0/m, z0.d, z2.d", 0x04C00040, T(INT_64) | T(SVE_PRED)},
	{"mla z0.s, p0/m, z1.s, z2.s", 0x04824020, T(INT_32) | T(SVE_PRED)},
	{"lsl z0.h, p0/m, z0.h, #3", 0x04038260, T(INT_16) | T(SVE_PRED)},
	{"lsr z0.d, p0/m, z0.d, #40", 0x04818300, T(INT_64) | T(SVE_PRED)},
	{"cmpgt p0.b, p1/z, z0.b, z1.b", 0x24018410, T(INT_8) | T(SVE_PRED)},
	{"cmphi p0.s, p1/z, z0.s, #5", 0x24A14410, T(INT_32) | T(SVE_PRED)},
	{"cmplt p0.d, p1/z, z0.d, #5", 0x25C52400, T(INT_64) | T(SVE_PRED)},
	{"add z0.s, z0.s, #5", 0x25A0C0A0, T(INT_32)},
	{"ld1w {z0.s}, p0/z, [x1]", 0xA540A020, T(SVE_PRED)},
	{"st1d {z0.d}, p0, [x1]", 0xE5E0E020, T(SVE_PRED)},
	{"ldff1w {z0.s}, p0/z, [x1, x2, lsl #2]", 0xA5426020, T(SVE_PRED) | T(SVE_LDFF)},
	{"ldnf1d {z0.d}, p0/z, [x1]", 0xA5F0A020, T(SVE_PRED) | T(SVE_LDFF)},
	{"ldff1d {z0.d}, p0/z, [x1, z2.d]", 0xC5C2E020, T(SVE_PRED) | T(SVE_LDFF)},
	{"ldff1w {z0.s}, p0/z, [z1.s]", 0x8520E020, T(SVE_PRED) | T(SVE_LDFF)},
	{"ldff1h {z0.s}, p0/z, [x1, z2.s, sxtw]", 0x84C26020, T(SVE_PRED) | T(SVE_LDFF)},
	{"ldff1w {z0.d}, p0/z, [x1, z2.d, lsl #2]", 0xC562E020, T(SVE_PRED) | T(SVE_LDFF)},
	{"ldff1h {z0.s}, p0/z, [x1, z2.s, sxtw #1]", 0x84E26020, T(SVE_PRED) | T(SVE_LDFF)},
	{"ld1w {z0.s}, p0/z, [z1.s]", 0x8520C020, T(SVE_PRED)},
	{"ld1rw {z0.s}, p0/z, [x1]", 0x8540C020, T(SVE_PRED)},
	{"ld1d {z0.d}, p0/z, [x1, z2.d]", 0xC5C2C020, T(SVE_PRED)},
	{"ldr z0, [x1]", 0x85804020, 0},
	{"str z0, [x1]", 0xE5804020, 0},
	{"ldr p0, [x1]", 0x85800020, 0},
	{"str p0, [x1]", 0xE5800020, 0},
	{"sel z0.s, p0, z1.s, z2.s", 0x05A2C020, T(SVE_PRED)},
	{"mov z0.s, p0/m, w1", 0x05A8A020, T(SVE_PRED)},
	{"dup z0.s, w1", 0x05A03820, 0},
	{"and p0.b, p1/z, p2.b, p3.b", 0x25034440, T(SVE_PRED)},
	{"zip1 z0.s, z1.s, z2.s", 0x05A26020, 0},
};
/* clang-format on */

#define FIRST APMU_TRAIT_FP_HALF
#define LAST  APMU_TRAIT_SVE_LDFF

static uint64_t types_of(uint32_t word)
{
	const uint64_t all = ((uint64_t)2 << LAST) - ((uint64_t)1 << FIRST);
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	struct apmu_insn insn;

	CHECK(apmu_isa__classify(&stream, 0x1000, word, 4, &insn));
	return insn.traits & all;
}

TEST(types_and_operations_are_those_of_the_mnemonic)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		uint64_t got = types_of(row[i].word);

		if (got != row[i].traits)
			printf("%s: %llx, not %llx\n", row[i].text, (unsigned long long)got,
			       (unsigned long long)row[i].traits);
		CHECK_EQ(got, row[i].traits);
	}
}

/* Words with registers 0 at 4:0 and 1 at 9:5. 16 to 31 are left out: their bit is an opcode where the
 * register is a predicate. */
TEST(types_do_not_depend_on_the_numbers_of_registers)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		for (uint32_t k = 0; k < 256 && (row[i].word & 0x3FF) == 0x020; k++)
			CHECK_EQ(types_of((row[i].word & ~0x3FFu) | (k & 15) | k >> 4 << 5), row[i].traits);
}
