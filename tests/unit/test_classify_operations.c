/* SPDX-License-Identifier: MIT */
/* Arithmetic, permutations, predicates, BFloat16, atomics by operation. The GNU assembler made the words; the
 * lists of DDI0487 D14.3 say what they count as (events 0x8060 to 0x806E, 0x80F1 to 0x80F7). */
#include "isa/classify_operations.h"

#include "test.h"

#define S(signal) ((uint64_t)1 << (APMU_SIG_##signal - APMU_SIG_SVE_PERM_IN))

/* clang-format off */
static const struct {
	const char *text;
	uint32_t word;
	uint64_t signals;
} row[] = {
	{"trn1 z0.b, z1.b, z2.b", 0x05227020, S(SVE_PERM_IN)},
	{"trn2 z0.d, z1.d, z2.d", 0x05E27420, S(SVE_PERM_IN)},
	{"revb z0.h, p0/m, z1.h", 0x05648020, S(SVE_PERM_IN)},
	{"revh z0.s, p0/m, z1.s", 0x05A58020, S(SVE_PERM_IN)},
	{"revw z0.d, p0/m, z1.d", 0x05E68020, S(SVE_PERM_IN)},
	{"rbit z0.b, p0/m, z1.b", 0x05278020, 0},
	{"clasta z0.s, p0, z0.s, z1.s", 0x05A88020, S(SVE_PERM_OVER)},
	{"clastb s0, p0, s0, z1.s", 0x05AB8020, S(SVE_PERM_OVER)},
	{"clasta w0, p0, w0, z1.s", 0x05B0A020, S(SVE_PERM_OVER) | S(SVE_TO_SCALAR)},
	{"lastb w0, p0, z1.s", 0x05A1A020, S(SVE_PERM_OVER) | S(SVE_TO_SCALAR)},
	{"lasta s0, p0, z1.s", 0x05A28020, S(SVE_PERM_OVER)},
	{"compact z0.s, p0, z1.s", 0x05A18020, S(SVE_PERM_OVER)},
	{"mov z0.s, p0/m, s1", 0x05A08020, S(SVE_PERM_OVER)},
	{"mov z0.s, p0/m, w1", 0x05A8A020, S(SVE_PERM_OVER) | S(SVE_FROM_SCALAR)},
	{"dup z0.s, z1.s[2]", 0x05342020, S(SVE_PERM_OVER)},
	{"dup z0.s, w1", 0x05A03820, S(SVE_PERM_OVER) | S(SVE_FROM_SCALAR)},
	{"ext z0.b, z0.b, z1.b, #3", 0x05200C20, S(SVE_PERM_OVER)},
	{"ext z0.b, {z1.b, z2.b}, #3", 0x05600C20, S(SVE_PERM_OVER)},
	{"insr z0.s, w1", 0x05A43820, S(SVE_PERM_OVER) | S(SVE_FROM_SCALAR)},
	{"insr z0.s, s1", 0x05B43820, S(SVE_PERM_OVER)},
	{"rev z0.s, z1.s", 0x05B83820, S(SVE_PERM_OVER)},
	{"splice z0.s, p0, z0.s, z1.s", 0x05AC8020, S(SVE_PERM_OVER)},
	{"splice z0.s, p0, {z1.s, z2.s}", 0x05AD8020, S(SVE_PERM_OVER)},
	{"sunpklo z0.s, z1.h", 0x05B03820, S(SVE_PERM_OVER)},
	{"uunpkhi z0.s, z1.h", 0x05B33820, S(SVE_PERM_OVER)},
	{"zip1 z0.s, z1.s, z2.s", 0x05A26020, S(SVE_PERM_OVER)},
	{"uzp2 z0.s, z1.s, z2.s", 0x05A26C20, S(SVE_PERM_OVER)},
	{"tbl z0.s, {z1.s}, z2.s", 0x05A23020, S(SVE_PERM_FREE)},
	{"tbl z0.s, {z1.s, z2.s}, z3.s", 0x05A32820, S(SVE_PERM_FREE)},
	{"tbx z0.s, z1.s, z2.s", 0x05A22C20, S(SVE_PERM_FREE)},
	{"punpklo p0.h, p1.b", 0x05304020, S(SVE_PRED_PERM)},
	{"rev p0.s, p1.s", 0x05B44020, S(SVE_PRED_REV)},
	{"zip2 p0.s, p1.s, p2.s", 0x05A24420, S(SVE_PRED_PERM)},
	{"uzp1 p0.s, p1.s, p2.s", 0x05A24820, S(SVE_PRED_PERM)},
	{"trn2 p0.s, p1.s, p2.s", 0x05A25420, S(SVE_PRED_PERM)},
	{"incp x0, p1.s", 0x25AC8820, S(SVE_TO_SCALAR)},
	{"sqdecp x0, p1.s, w0", 0x25AA8820, S(SVE_TO_SCALAR)},
	{"uqincp x0, p1.d", 0x25E98C20, S(SVE_TO_SCALAR)},
	{"incp z0.s, p1", 0x25AC8020, 0},
	{"cntp x0, p1, p2.s", 0x25A08440, S(SVE_TO_SCALAR)},
	{"index z0.s, w1, #2", 0x04A24420, S(SVE_FROM_SCALAR)},
	{"index z0.s, #1, w2", 0x04A24820, S(SVE_FROM_SCALAR)},
	{"index z0.s, w1, w2", 0x04A24C20, S(SVE_FROM_SCALAR)},
	{"index z0.s, #1, #2", 0x04A24020, 0},
	{"whilelo p0.s, x0, x1", 0x25A11C00, 0},
	{"whilege p0.s, x0, x1", 0x25A11000, 0},
	{"whilewr p0.s, x0, x1", 0x25A13000, S(SVE_WHILE_WR)},
	{"whilerw p0.s, x0, x1", 0x25A13010, S(SVE_WHILE_WR)},
	{"ptrue p0.s", 0x2598E3E0, S(SVE_PRED_SET)},
	{"ptrues p0.s", 0x2599E3E0, S(SVE_PRED_SET) | S(SVE_PRED_FLAGS)},
	{"pfalse p0.b", 0x2518E400, S(SVE_PRED_SET)},
	{"rdffr p0.b", 0x2519F000, S(SVE_PRED_SET)},
	{"rdffr p0.b, p1/z", 0x2518F020, S(SVE_PRED_SET)},
	{"rdffrs p0.b, p1/z", 0x2558F020, S(SVE_PRED_SET) | S(SVE_PRED_FLAGS)},
	{"brka p0.b, p1/z, p2.b", 0x25104440, S(SVE_PRED_SCAN)},
	{"brkbs p0.b, p1/z, p2.b", 0x25D04440, S(SVE_PRED_SCAN) | S(SVE_PRED_FLAGS)},
	{"brkn p0.b, p1/z, p2.b, p0.b", 0x25184440, S(SVE_PRED_SCAN)},
	{"brkns p0.b, p1/z, p2.b, p0.b", 0x25584440, S(SVE_PRED_SCAN) | S(SVE_PRED_FLAGS)},
	{"brkpa p0.b, p1/z, p2.b, p3.b", 0x2503C440, S(SVE_PRED_SCAN)},
	{"brkpbs p0.b, p1/z, p2.b, p3.b", 0x2543C450, S(SVE_PRED_SCAN) | S(SVE_PRED_FLAGS)},
	{"pfirst p0.b, p1, p0.b", 0x2558C020, S(SVE_PRED_SCAN) | S(SVE_PRED_FLAGS)},
	{"pnext p0.s, p1, p0.s", 0x2599C420, S(SVE_PRED_SCAN) | S(SVE_PRED_FLAGS)},
	{"and p0.b, p1/z, p2.b, p3.b", 0x25034440, 0},
	{"orrs p0.b, p1/z, p2.b, p3.b", 0x25C34440, S(SVE_PRED_FLAGS)},
	{"sel p0.b, p1, p2.b, p3.b", 0x25034650, 0},
	{"ptest p0, p1.b", 0x2550C020, 0},
	{"cmpeq p0.s, p1/z, z2.s, z3.s", 0x2483A440, 0},
	{"fcmgt p0.s, p1/z, z2.s, z3.s", 0x65834450, 0},
	{"match p0.b, p1/z, z2.b, z3.b", 0x45238440, S(SVE_MATCH)},
	{"nmatch p0.h, p1/z, z2.h, z3.h", 0x45638450, S(SVE_MATCH)},
	{"bext z0.s, z1.s, z2.s", 0x4582B020, S(SVE_BITPERM)},
	{"bgrp z0.d, z1.d, z2.d", 0x45C2B820, S(SVE_BITPERM)},
	{"faddp z0.s, p0/m, z0.s, z1.s", 0x64908020, S(SVE_PAIRS)},
	{"fminnmp z0.d, p0/m, z0.d, z1.d", 0x64D58020, S(SVE_PAIRS)},
	{"bfcvt h0, s1", 0x1E634020, S(ASE_FP_BF16)},
	{"bfcvtn v0.4h, v1.4s", 0x0EA16820, S(ASE_FP_BF16)},
	{"bfdot v0.4s, v1.8h, v2.8h", 0x6E42FC20, S(ASE_FP_BF16) | S(ASE_FP_DOT)},
	{"bfdot v0.4s, v1.8h, v2.2h[1]", 0x4F62F020, S(ASE_FP_BF16) | S(ASE_FP_DOT)},
	{"bfmmla v0.4s, v1.8h, v2.8h", 0x6E42EC20, S(ASE_FP_BF16) | S(ASE_FP_MMLA)},
	{"bfmlalb v0.4s, v1.8h, v2.8h", 0x2EC2FC20, S(ASE_FP_BF16)},
	{"bfmlalt v0.4s, v1.8h, v2.h[3]", 0x4FF2F020, S(ASE_FP_BF16)},
	{"bfcvt z0.h, p0/m, z1.s", 0x658AA020, S(SVE_FP_BF16)},
	{"bfcvtnt z0.h, p0/m, z1.s", 0x648AA020, S(SVE_FP_BF16)},
	{"bfdot z0.s, z1.h, z2.h", 0x64628020, S(SVE_FP_BF16) | S(SVE_FP_DOT)},
	{"bfdot z0.s, z1.h, z2.h[1]", 0x646A4020, S(SVE_FP_BF16) | S(SVE_FP_DOT)},
	{"bfmmla z0.s, z1.h, z2.h", 0x6462E420, S(SVE_FP_BF16) | S(SVE_FP_MMLA)},
	{"bfmlalt z0.s, z1.h, z2.h", 0x64E28420, S(SVE_FP_BF16)},
	{"bfmlalb z0.s, z1.h, z2.h[3]", 0x64EA4820, S(SVE_FP_BF16)},
	{"fmmla z0.s, z1.s, z2.s", 0x64A2E420, S(SVE_FP_MMLA)},
	{"fmmla z0.d, z1.d, z2.d", 0x64E2E420, S(SVE_FP_MMLA)},
	{"stadd x1, [x2]", 0xF821005F, S(LSE_STORES)},
	{"stsmaxlb w1, [x2]", 0x3861405F, S(LSE_STORES)},
	{"ldadd x1, x3, [x2]", 0xF8210043, 0},
	{"ldadda x1, x3, [x2]", 0xF8A10043, 0},
	{"swp x1, x3, [x2]", 0xF8218043, 0},
	{"swp x1, xzr, [x2]", 0xF821805F, 0},
	{"dc cvau, x5", 0xD50B7B25, 0},
	{"dc gva, x5", 0xD50B7465, 0},
	{"add z0.s, z1.s, z2.s", 0x04A20020, 0},
	{"fadd v0.4s, v1.4s, v2.4s", 0x4E22D420, 0},
};
/* clang-format on */

TEST(operations_are_those_of_the_mnemonic)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		uint64_t got[APMU_OPERATION_WORDS], mine = 0;

		apmu_isa__operations(row[i].word, got);
		for (unsigned s = APMU_SIG_SVE_PERM_IN; s <= APMU_OPERATION_LAST; s++) {
			unsigned bit = s - APMU_OPERATION_FIRST;
			mine |= (got[bit / 64] >> bit % 64 & 1) << (s - APMU_SIG_SVE_PERM_IN);
		}
		if (mine != row[i].signals)
			printf("%s: %llx, not %llx\n", row[i].text, (unsigned long long)mine,
			       (unsigned long long)row[i].signals);
		CHECK_EQ(mine, row[i].signals);
	}
}

/* clang-format off */
static const struct {
	const char *text;
	uint32_t word;
	unsigned signals[3];
} arithmetic[] = {
	{"fjcvtzs w0, d1", 0x1E7E0020, {APMU_SIG_SCALAR_FP_CVT}},
	{"fcvtzs v0.4h, v1.4h", 0x0EF9B820, {APMU_SIG_ASE_FP_CVT}},
	{"fcvtas h0, h1", 0x5E79C820, {APMU_SIG_ASE_FP_CVT}},
	{"fcvtns s0, s1", 0x5E21A820, {APMU_SIG_ASE_FP_CVT}},
	{"ucvtf v0.2d, v1.2d, #4", 0x6F7CE420, {APMU_SIG_ASE_FP_CVT}},
	{"fcvtzs h0, h1, #4", 0x5F1CFC20, {APMU_SIG_ASE_FP_CVT}},
	{"fmulx h0, h1, h2", 0x5E421C20, {APMU_SIG_ASE_FP_MUL}},
	{"fmul v0.8h, v1.8h, v2.h[3]", 0x4F329020, {APMU_SIG_ASE_FP_MUL}},
	{"fmla h0, h1, v2.h[3]", 0x5F321020, {APMU_SIG_ASE_FP_FMA}},
	{"fdiv v0.8h, v1.8h, v2.8h", 0x6E423C20, {APMU_SIG_ASE_FP_DIV}},
	{"fsqrt v0.8h, v1.8h", 0x6EF9F820, {APMU_SIG_ASE_FP_SQRT}},
	{"frecpx d0, d1", 0x5EE1F820, {0}},
	{"frsqrte v0.8h, v1.8h", 0x6EF9D820, {APMU_SIG_ASE_FP_RECPE}},
	{"fcvtxn s0, d1", 0x7E616820, {APMU_SIG_ASE_FP_CVT}},
	{"fmaxnmp v0.4s, v1.4s, v2.4s", 0x6E22C420, {APMU_SIG_ASE_FP_PREDUCE}},
	{"fminp v0.8h, v1.8h, v2.8h", 0x6EC23420, {APMU_SIG_ASE_FP_PREDUCE}},
	{"faddp d0, v1.2d", 0x7E70D820, {APMU_SIG_ASE_FP_PREDUCE}},
	{"faddp h0, v1.2h", 0x5E30D820, {APMU_SIG_ASE_FP_PREDUCE}},
	{"fminnmv h0, v1.8h", 0x4EB0C820, {APMU_SIG_ASE_FP_VREDUCE}},
	{"fadd z0.s, p0/m, z0.s, z1.s", 0x65808020, {APMU_SIG_SVE_FP_ADDSUB}},
	{"fsub z0.d, p0/m, z0.d, z1.d", 0x65C18020, {APMU_SIG_SVE_FP_ADDSUB}},
	{"fsubr z0.h, p0/m, z0.h, z1.h", 0x65438020, {APMU_SIG_SVE_FP_ADDSUB}},
	{"fsub z0.s, p0/m, z0.s, #0.5", 0x65998000, {APMU_SIG_SVE_FP_ADDSUB}},
	{"fcadd z0.s, p0/m, z0.s, z1.s, #90", 0x64808020, {0}},
	{"fscale z0.s, p0/m, z0.s, z1.s", 0x65898020, {0}},
	{"fmaxnm z0.s, p0/m, z0.s, z1.s", 0x65848020, {0}},
	{"fabd z0.s, p0/m, z0.s, z1.s", 0x65888020, {APMU_SIG_SVE_FP_ADDSUB}},
	{"fmulx z0.s, p0/m, z0.s, z1.s", 0x658A8020, {APMU_SIG_SVE_FP_MUL}},
	{"fmul z0.s, z1.s, z2.s[1]", 0x64AA2020, {APMU_SIG_SVE_FP_MUL}},
	{"fdivr z0.d, p0/m, z0.d, z1.d", 0x65CC8020, {APMU_SIG_SVE_FP_DIV}},
	{"fcmla z0.s, p0/m, z1.s, z2.s, #90", 0x64822020, {APMU_SIG_SVE_FP_FMA}},
	{"frecpx z0.d, p0/m, z1.d", 0x65CCA020, {0}},
	{"frecpe z0.s, z1.s", 0x658E3020, {APMU_SIG_SVE_FP_RECPE}},
	{"frsqrte z0.h, z1.h", 0x654F3020, {APMU_SIG_SVE_FP_RECPE}},
	{"ucvtf z0.s, p0/m, z1.s", 0x6595A020, {APMU_SIG_SVE_FP_CVT}},
	{"faddv s0, p0, z1.s", 0x65802020, {APMU_SIG_SVE_FP_VREDUCE}},
	{"fminnmv d0, p0, z1.d", 0x65C52020, {APMU_SIG_SVE_FP_VREDUCE}},
	{"fcmeq p0.s, p0/z, z1.s, #0.0", 0x65922020, {APMU_SIG_SVE_FP_COMPARE}},
	{"ftsmul z0.s, z1.s, z2.s", 0x65820C20, {APMU_SIG_SVE_FP_MUL, APMU_SIG_SVE_MATH}},
	{"ftmad z0.d, z0.d, z1.d, #2", 0x65D28020, {APMU_SIG_SVE_FP_FMA, APMU_SIG_SVE_MATH}},
	{"ftssel z0.s, z1.s, z2.s", 0x04A2B020, {APMU_SIG_SVE_MATH}},
	{"fexpa z0.d, z1.d", 0x04E0B820, {APMU_SIG_SVE_MATH}},
	{"udiv w0, w1, w2", 0x1AC20820, {APMU_SIG_BASE_INT_DIV}},
	{"sdiv x0, x1, x2", 0x9AC20C20, {APMU_SIG_BASE_INT_DIV, APMU_SIG_BASE_INT_DIV64}},
	{"msub w0, w1, w2, w3", 0x1B028C20, {APMU_SIG_BASE_INT_MUL}},
	{"madd x0, x1, x2, x3", 0x9B020C20, {APMU_SIG_BASE_INT_MUL, APMU_SIG_BASE_INT_MUL64}},
	{"umulh x0, x1, x2", 0x9BC27C20, {APMU_SIG_BASE_INT_MUL, APMU_SIG_BASE_INT_MUL64, APMU_SIG_BASE_INT_MULH64}},
	{"sqdmulh v0.8h, v1.8h, v2.8h", 0x4E62B420, {APMU_SIG_ASE_INT_MUL}},
	{"sqdmulh s0, s1, s2", 0x5EA2B420, {APMU_SIG_ASE_INT_MUL}},
	{"sqdmlal v0.4s, v1.4h, v2.4h", 0x0E629020, {APMU_SIG_ASE_INT_MUL}},
	{"sqdmlsl d0, s1, v2.s[1]", 0x5FA27020, {APMU_SIG_ASE_INT_MUL}},
	{"sqdmulh h0, h1, v2.h[1]", 0x5F52C020, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmulh v0.8h, v1.8h, v2.h[1]", 0x4F52D020, {APMU_SIG_ASE_INT_MUL}},
	{"umull v0.2d, v1.2s, v2.s[1]", 0x2FA2A020, {APMU_SIG_ASE_INT_MUL}},
	{"mls v0.4s, v1.4s, v2.s[1]", 0x6FA24020, {APMU_SIG_ASE_INT_MUL}},
	{"pmul v0.16b, v1.16b, v2.16b", 0x6E229C20, {APMU_SIG_ASE_INT_MUL}},
	{"uaddlv s0, v1.8h", 0x6E703820, {APMU_SIG_ASE_INT_VREDUCE}},
	{"uminv b0, v1.16b", 0x6E31A820, {APMU_SIG_ASE_INT_VREDUCE}},
	{"usdot v0.4s, v1.16b, v2.16b", 0x4E829C20, {APMU_SIG_ASE_INT_DOT}},
	{"sudot v0.4s, v1.16b, v2.4b[1]", 0x4F22F020, {APMU_SIG_ASE_INT_DOT}},
	{"ummla v0.4s, v1.16b, v2.16b", 0x6E82A420, {APMU_SIG_ASE_INT_MMLA}},
	{"sdivr z0.s, p0/m, z0.s, z1.s", 0x04960020, {APMU_SIG_SVE_INT_DIV}},
	{"udiv z0.d, p0/m, z0.d, z1.d", 0x04D50020, {APMU_SIG_SVE_INT_DIV, APMU_SIG_SVE_INT_DIV64}},
	{"smulh z0.s, p0/m, z0.s, z1.s", 0x04920020, {APMU_SIG_SVE_INT_MUL}},
	{"mls z0.d, p0/m, z1.d, z2.d", 0x04C26020, {APMU_SIG_SVE_INT_MUL, APMU_SIG_SVE_INT_MUL64}},
	{"mul z0.d, z0.d, #5", 0x25F0C0A0, {APMU_SIG_SVE_INT_MUL}},
	{"mul z0.s, z1.s, z2.s", 0x04A26020, {APMU_SIG_SVE_INT_MUL}},
	{"umulh z0.d, p0/m, z0.d, z1.d", 0x04D30020, {APMU_SIG_SVE_INT_MUL, APMU_SIG_SVE_INT_MUL64, APMU_SIG_SVE_INT_MULH64}},
	{"saddv d0, p0, z1.s", 0x04802020, {APMU_SIG_SVE_INT_VREDUCE}},
	{"orv s0, p0, z1.s", 0x04982020, {APMU_SIG_SVE_INT_VREDUCE}},
	{"eorv b0, p0, z1.b", 0x04192020, {APMU_SIG_SVE_INT_VREDUCE}},
	{"umaxv h0, p0, z1.h", 0x04492020, {APMU_SIG_SVE_INT_VREDUCE}},
	{"udot z0.s, z1.b, z2.b[1]", 0x44AA0420, {APMU_SIG_SVE_INT_DOT}},
	{"usmmla z0.s, z1.b, z2.b", 0x45829820, {APMU_SIG_SVE_INT_MMLA}},
	{"fnmul d0, d1, d2", 0x1E628820, {0}},
	{"fmulx s0, s1, s2", 0x5E22DC20, {APMU_SIG_ASE_FP_MUL}},
	{"bfcvt h0, s1", 0x1E634020, {APMU_SIG_SCALAR_FP_CVT}},
	{"bfcvtn v0.4h, v1.4s", 0x0EA16820, {APMU_SIG_ASE_FP_CVT}},
	{"fabd v0.4s, v1.4s, v2.4s", 0x6EA2D420, {APMU_SIG_ASE_FP_ADDSUB}},
	{"fabd v0.8h, v1.8h, v2.8h", 0x6EC21420, {APMU_SIG_ASE_FP_ADDSUB}},
	{"fabd d0, d1, d2", 0x7EE2D420, {APMU_SIG_ASE_FP_ADDSUB}},
	{"fabd h0, h1, h2", 0x7EC21420, {APMU_SIG_ASE_FP_ADDSUB}},
	{"faddp v0.4s, v1.4s, v2.4s", 0x6E22D420, {APMU_SIG_ASE_FP_PREDUCE}},
	{"faddp v0.8h, v1.8h, v2.8h", 0x6E421420, {APMU_SIG_ASE_FP_PREDUCE}},
	{"fcadd v0.2d, v1.2d, v2.2d, #90", 0x6EC2E420, {0}},
	{"fcmla v0.4s, v1.4s, v2.4s, #90", 0x6E82CC20, {APMU_SIG_ASE_FP_FMA}},
	{"fcmla v0.8h, v1.8h, v2.8h, #270", 0x6E42DC20, {APMU_SIG_ASE_FP_FMA}},
	{"fcmla v0.8h, v1.8h, v2.h[1], #90", 0x6F623020, {APMU_SIG_ASE_FP_FMA}},
	{"fcmla v0.4s, v1.4s, v2.s[1], #90", 0x6F823820, {APMU_SIG_ASE_FP_FMA}},
	{"fmlal v0.4s, v1.4h, v2.4h", 0x4E22EC20, {APMU_SIG_ASE_FP_FMA}},
	{"fmlsl v0.2s, v1.2h, v2.2h", 0x0EA2EC20, {APMU_SIG_ASE_FP_FMA}},
	{"fmlal2 v0.4s, v1.4h, v2.4h", 0x6E22CC20, {APMU_SIG_ASE_FP_FMA}},
	{"fmlsl2 v0.2s, v1.2h, v2.2h", 0x2EA2CC20, {APMU_SIG_ASE_FP_FMA}},
	{"fmlal v0.4s, v1.4h, v2.h[1]", 0x4F920020, {APMU_SIG_ASE_FP_FMA}},
	{"fmlsl v0.4s, v1.4h, v2.h[1]", 0x4F924020, {APMU_SIG_ASE_FP_FMA}},
	{"fmlal2 v0.4s, v1.4h, v2.h[1]", 0x6F928020, {APMU_SIG_ASE_FP_FMA}},
	{"fmlsl2 v0.4s, v1.4h, v2.h[1]", 0x6F92C020, {APMU_SIG_ASE_FP_FMA}},
	{"bfmlalb v0.4s, v1.8h, v2.8h", 0x2EC2FC20, {APMU_SIG_ASE_FP_FMA}},
	{"bfmlalt v0.4s, v1.8h, v2.h[5]", 0x4FD2F820, {APMU_SIG_ASE_FP_FMA}},
	{"smulh x0, x1, x2", 0x9B427C20, {APMU_SIG_BASE_INT_MUL, APMU_SIG_BASE_INT_MUL64, APMU_SIG_BASE_INT_MULH64}},
	{"smaddl x0, w1, w2, x3", 0x9B220C20, {APMU_SIG_BASE_INT_MUL}},
	{"umaddl x0, w1, w2, x3", 0x9BA20C20, {APMU_SIG_BASE_INT_MUL}},
	{"smsubl x0, w1, w2, x3", 0x9B228C20, {0}},
	{"umsubl x0, w1, w2, x3", 0x9BA28C20, {0}},
	{"sqrdmlah v0.8h, v1.8h, v2.8h", 0x6E428420, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmlsh v0.4s, v1.4s, v2.4s", 0x6E828C20, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmlah h0, h1, h2", 0x7E428420, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmlsh s0, s1, s2", 0x7E828C20, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmlah v0.4s, v1.4s, v2.s[1]", 0x6FA2D020, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmlsh v0.8h, v1.8h, v2.h[1]", 0x6F52F020, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmlah h0, h1, v2.h[1]", 0x7F52D020, {APMU_SIG_ASE_INT_MUL}},
	{"sqrdmlsh s0, s1, v2.s[1]", 0x7FA2F020, {APMU_SIG_ASE_INT_MUL}},
	{"pmull v0.8h, v1.8b, v2.8b", 0x0E22E020, {APMU_SIG_ASE_INT_MUL}},
	{"pmull2 v0.1q, v1.2d, v2.2d", 0x4EE2E020, {APMU_SIG_ASE_INT_MUL}},
	{"sqdmull v0.4s, v1.4h, v2.h[1]", 0x0F52B020, {APMU_SIG_ASE_INT_MUL}},
	{"addp v0.4s, v1.4s, v2.4s", 0x4EA2BC20, {APMU_SIG_ASE_INT_VREDUCE}},
	{"addp d0, v1.2d", 0x5EF1B820, {APMU_SIG_ASE_INT_VREDUCE}},
	{"smaxp v0.16b, v1.16b, v2.16b", 0x4E22A420, {APMU_SIG_ASE_INT_VREDUCE}},
	{"uminp v0.4h, v1.4h, v2.4h", 0x2E62AC20, {APMU_SIG_ASE_INT_VREDUCE}},
	{"saddlp v0.4s, v1.8h", 0x4E602820, {APMU_SIG_ASE_INT_VREDUCE}},
	{"uadalp v0.2d, v1.4s", 0x6EA06820, {APMU_SIG_ASE_INT_VREDUCE}},
};
/* clang-format on */

static bool has(const uint64_t operations[APMU_OPERATION_WORDS], unsigned signal)
{
	unsigned bit = signal - APMU_OPERATION_FIRST;

	return operations[bit / 64] >> bit % 64 & 1;
}

TEST(arithmetic_is_counted_as_that_of_the_mnemonic)
{
	for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
		const unsigned *want = arithmetic[i].signals;
		uint64_t got[APMU_OPERATION_WORDS];

		apmu_isa__operations(arithmetic[i].word, got);
		for (unsigned s = APMU_OPERATION_FIRST; s < APMU_SIG_SVE_PERM_IN; s++) {
			bool wanted = s == want[0] || s == want[1] || s == want[2];

			if (has(got, s) != wanted)
				print_message("%s: signal %u\n", arithmetic[i].text, s);
			CHECK_EQ(has(got, s), wanted);
		}
	}
}

/* Checks that a word counts as the same with its registers 4:0 and 9:5, 0 and 1, replaced by others: all but
 * 16 to 31, whose bit is an opcode where the register is a predicate. */
static void check_registers(uint32_t word)
{
	uint64_t want[APMU_OPERATION_WORDS], got[APMU_OPERATION_WORDS];

	apmu_isa__operations(word, want);
	for (uint32_t k = 0; k < 256; k++) {
		apmu_isa__operations((word & ~0x3FFu) | (k & 15) | k >> 4 << 5, got);
		if (memcmp(got, want, sizeof got) != 0)
			fail_msg("%08x with registers %u, %u", word, k & 15, k >> 4);
	}
}

TEST(operations_do_not_depend_on_the_numbers_of_registers)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		if ((row[i].word & 0x3FF) == 0x020 && row[i].word != 0x2550C020) /* PTEST has no 4:0 */
			check_registers(row[i].word);
	for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++)
		if ((arithmetic[i].word & 0x3FF) == 0x020)
			check_registers(arithmetic[i].word);
}
