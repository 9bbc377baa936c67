/* SPDX-License-Identifier: MIT */
/*
 * A64: the data of floating-point, Advanced SIMD and SVE instructions: type, number of operations, and if a
 * predicate governs them. DDI0487 C4.1.96 (scalar, Advanced SIMD), C4.1.2 (SVE). First match wins.
 *
 * Arithmetic, comparisons and conversions count as computing; moves, selections, permutations, loads and
 * stores do not. The type is the largest of those that the instruction names. Not here: BFloat16,
 * polynomials.
 */
#include "isa/classify_format.h"

#include "isa/classify_format_rows.h"

/* clang-format off */
static const struct apmu_isa__format_row rows[] = {
	/* scalar floating point */
	{0xFFFFFC00, 0x1E7E0000, FP_DOUBLE, SCALAR}, /* FJCVTZS */
	{0x7F26FC00, 0x1E260000, NONE, SCALAR}, /* FMOV to and from general registers */
	{0x7F20FC00, 0x1E200000, FP_TYPE, SCALAR}, /* to and from integers */
	{0x7F200000, 0x1E000000, FP_TYPE, SCALAR}, /* to and from fixed point */
	{0xFFFFFC00, 0x1E634000, NONE, SCALAR}, /* BFCVT */
	{0xFF3FFC00, 0x1E204000, NONE, SCALAR}, /* FMOV */
	{0xFFFFFC00, 0x1EE24000, FP_SINGLE, SCALAR}, /* FCVT half to single */
	{0xFFFFFC00, 0x1E23C000, FP_SINGLE, SCALAR}, /* FCVT single to half */
	{0xFF3FFC00, 0x1E22C000, FP_DOUBLE, SCALAR}, /* FCVT to double */
	{0xFF207C00, 0x1E204000, FP_TYPE, SCALAR}, /* one source */
	{0xFF203C00, 0x1E202000, FP_TYPE, SCALAR}, /* FCMP */
	{0xFF200C00, 0x1E200400, FP_TYPE, SCALAR}, /* FCCMP */
	{0xFF200C00, 0x1E200800, FP_TYPE, SCALAR}, /* two sources */
	{0xFF000000, 0x1F000000, FP_TYPE, SCALAR | FMA}, /* FMADD and others */

	/* Advanced SIMD, vectors; bit 28 set: scalars */
	{0x9F20FC00, 0x0E20CC00, FP_SZ, VECTOR | FMA}, /* FMLA, FMLS, FMLAL2, FMLSL2 */
	{0xBF20FC00, 0x0E20EC00, FP_SZ, VECTOR | FMA}, /* FMLAL, FMLSL */
	{0x9F20C400, 0x0E20C400, FP_SZ, VECTOR}, /* three of a type */
	{0x9F60FC00, 0x0E400C00, FP_HALF, VECTOR | FMA}, /* FMLA, FMLS half */
	{0x9F60C400, 0x0E400400, FP_HALF, VECTOR}, /* three of a type, half */
	{0x9F3F8C00, 0x0E218800, FP_SZ, VECTOR}, /* FRINT, FCVT, SCVTF, FRECPE, FSQRT */
	{0xBFFFFC00, 0x0EA16800, NONE, VECTOR}, /* BFCVTN */
	{0x9F3FEC00, 0x0E216800, FP_SZ, VECTOR | WHOLE}, /* FCVTN, FCVTL */
	{0x9FBFCC00, 0x0EA0C800, FP_SZ, VECTOR}, /* compared with zero, FABS, FNEG */
	{0x9F7E0C00, 0x0E780800, FP_HALF, VECTOR}, /* compared with zero, FABS, FNEG, half */
	{0xBF3FCC00, 0x2E30C800, FP_SZ, VECTOR}, /* FMAXNMV, FADDP and others */
	{0xBF3FCC00, 0x0E30C800, FP_HALF, VECTOR}, /* FMAXNMV, FADDP and others, half */
	{0xDF20FC00, 0x5E20CC00, FP_SZ, SCALAR | FMA}, /* FMLA, FMLS */
	{0xDF20C400, 0x5E20C400, FP_SZ, SCALAR}, /* three of a type */
	{0xDF60FC00, 0x5E400C00, FP_HALF, SCALAR | FMA}, /* FMLA, FMLS half */
	{0xDF60C400, 0x5E400400, FP_HALF, SCALAR}, /* three of a type, half */
	{0xDF3F8C00, 0x5E218800, FP_SZ, SCALAR}, /* FRINT, FCVT, SCVTF, FRECPE, FSQRT */
	{0xDF3FEC00, 0x5E216800, FP_SZ, SCALAR}, /* FCVTN, FCVTL */
	{0xDFBFCC00, 0x5EA0C800, FP_SZ, SCALAR}, /* compared with zero, FABS, FNEG */
	{0xDF7E0C00, 0x5E780800, FP_HALF, SCALAR}, /* compared with zero, FABS, FNEG, half */
	{0xFF3FCC00, 0x7E30C800, FP_SZ, SCALAR}, /* FMAXNMV, FADDP and others */
	{0xFF3FCC00, 0x5E30C800, FP_HALF, SCALAR}, /* FMAXNMV, FADDP and others, half */
	{0xBF20E400, 0x2E00C400, FP_SIZE, VECTOR | FMA}, /* FCMLA */
	{0xBF20EC00, 0x2E00E400, FP_SIZE, VECTOR}, /* FCADD */
	{0xBF009400, 0x2F001000, FP_SIZE, VECTOR | FMA}, /* FCMLA by element */
	{0xBFC0B400, 0x0F800000, FP_SINGLE, VECTOR | FMA}, /* FMLAL, FMLSL by element */
	{0xBFC0B400, 0x2F808000, FP_SINGLE, VECTOR | FMA}, /* FMLAL2, FMLSL2 by element */
	{0x9FC0F400, 0x0F001000, FP_HALF, VECTOR | FMA}, /* FMLA by element, half */
	{0x9F80F400, 0x0F801000, FP_SZ, VECTOR | FMA}, /* FMLA by element */
	{0x9FC0F400, 0x0F005000, FP_HALF, VECTOR | FMA}, /* FMLS by element, half */
	{0x9F80F400, 0x0F805000, FP_SZ, VECTOR | FMA}, /* FMLS by element */
	{0x9FC0F400, 0x0F009000, FP_HALF, VECTOR}, /* FMUL, FMULX by element, half */
	{0x9F80F400, 0x0F809000, FP_SZ, VECTOR}, /* FMUL, FMULX by element */
	{0x9FC0FC00, 0x0F40E400, FP_DOUBLE, VECTOR}, /* conversion of fixed point */
	{0x9FE0FC00, 0x0F20E400, FP_SINGLE, VECTOR},
	{0x9FF0FC00, 0x0F10E400, FP_HALF, VECTOR},
	{0x9FC0FC00, 0x0F40FC00, FP_DOUBLE, VECTOR}, /* conversion of fixed point */
	{0x9FE0FC00, 0x0F20FC00, FP_SINGLE, VECTOR},
	{0x9FF0FC00, 0x0F10FC00, FP_HALF, VECTOR},
	{0xDFC0F400, 0x5F001000, FP_HALF, SCALAR | FMA}, /* FMLA by element, half */
	{0xDF80F400, 0x5F801000, FP_SZ, SCALAR | FMA}, /* FMLA by element */
	{0xDFC0F400, 0x5F005000, FP_HALF, SCALAR | FMA}, /* FMLS by element, half */
	{0xDF80F400, 0x5F805000, FP_SZ, SCALAR | FMA}, /* FMLS by element */
	{0xDFC0F400, 0x5F009000, FP_HALF, SCALAR}, /* FMUL, FMULX by element, half */
	{0xDF80F400, 0x5F809000, FP_SZ, SCALAR}, /* FMUL, FMULX by element */
	{0xDFC0FC00, 0x5F40E400, FP_DOUBLE, SCALAR}, /* conversion of fixed point */
	{0xDFE0FC00, 0x5F20E400, FP_SINGLE, SCALAR},
	{0xDFF0FC00, 0x5F10E400, FP_HALF, SCALAR},
	{0xDFC0FC00, 0x5F40FC00, FP_DOUBLE, SCALAR}, /* conversion of fixed point */
	{0xDFE0FC00, 0x5F20FC00, FP_SINGLE, SCALAR},
	{0xDFF0FC00, 0x5F10FC00, FP_HALF, SCALAR},

	/* Advanced SIMD, integers */
	{0xBF20FC00, 0x0E201C00, INT_8, VECTOR}, /* AND, BIC, ORR, ORN */
	{0xBF20FC00, 0x2E201C00, INT_8, VECTOR}, /* EOR, BSL, BIT, BIF */
	{0x9F20FC00, 0x0E009400, INT_32, VECTOR}, /* SDOT, UDOT */
	{0x9F20FC00, 0x0E009C00, INT_32, VECTOR}, /* USDOT */
	{0x9F20F400, 0x0E00A400, INT_32, VECTOR}, /* SMMLA, UMMLA, USMMLA */
	{0xBF20F400, 0x2E008400, INT_SIZE, VECTOR}, /* SQRDMLAH, SQRDMLSH */
	{0x9F200400, 0x0E200400, INT_SIZE, VECTOR}, /* three of a type */
	{0x9F20FC00, 0x0E20E000, NONE, VECTOR}, /* PMULL */
	{0x9F200C00, 0x0E200000, INT_WIDE, VECTOR}, /* three of different widths */
	{0x9F3FFC00, 0x0E202800, INT_WIDE, VECTOR}, /* SADDLP */
	{0x9F3FFC00, 0x0E206800, INT_WIDE, VECTOR}, /* SADALP */
	{0x9F3FFC00, 0x0E212800, INT_WIDE, VECTOR}, /* XTN, SQXTUN */
	{0x9F3FFC00, 0x0E213800, INT_WIDE, VECTOR}, /* SHLL */
	{0x9F3FFC00, 0x0E214800, INT_WIDE, VECTOR}, /* SQXTN */
	{0x9F3E0C00, 0x0E200800, INT_SIZE, VECTOR}, /* one source */
	{0x9F3FFC00, 0x0E303800, INT_WIDE, VECTOR}, /* SADDLV */
	{0x9F3E0C00, 0x0E300800, INT_SIZE, VECTOR}, /* across lanes, pairwise */
	{0xFF20F400, 0x7E008400, INT_SIZE, SCALAR}, /* SQRDMLAH, SQRDMLSH */
	{0xDF200400, 0x5E200400, INT_SIZE, SCALAR}, /* three of a type */
	{0xDF20FC00, 0x5E20E000, NONE, SCALAR}, /* PMULL */
	{0xDF200C00, 0x5E200000, INT_WIDE, SCALAR}, /* three of different widths */
	{0xDF3FFC00, 0x5E202800, INT_WIDE, SCALAR}, /* SADDLP */
	{0xDF3FFC00, 0x5E206800, INT_WIDE, SCALAR}, /* SADALP */
	{0xDF3FFC00, 0x5E212800, INT_WIDE, SCALAR}, /* XTN, SQXTUN */
	{0xDF3FFC00, 0x5E213800, INT_WIDE, SCALAR}, /* SHLL */
	{0xDF3FFC00, 0x5E214800, INT_WIDE, SCALAR}, /* SQXTN */
	{0xDF3E0C00, 0x5E200800, INT_SIZE, SCALAR}, /* one source */
	{0xDF3FFC00, 0x5E303800, INT_WIDE, SCALAR}, /* SADDLV */
	{0xDF3E0C00, 0x5E300800, INT_SIZE, SCALAR}, /* across lanes, pairwise */
	{0x9FF80400, 0x0F000400, NONE, VECTOR}, /* MOVI, FMOV */
	{0x9F80E400, 0x0F008400, INT_IMMH2, VECTOR}, /* narrowing shifts */
	{0x9F80FC00, 0x0F00A400, INT_IMMH2, VECTOR}, /* SSHLL, USHLL */
	{0x9F800400, 0x0F000400, INT_IMMH, VECTOR}, /* shifts by a number */
	{0x9F00F400, 0x0F000000, INT_SIZE, VECTOR}, /* MUL, MLA, SQDMULH by element */
	{0x9F00F400, 0x0F004000, INT_SIZE, VECTOR}, /* MUL, MLA, SQDMULH by element */
	{0x9F00F400, 0x0F008000, INT_SIZE, VECTOR}, /* MUL, MLA, SQDMULH by element */
	{0x9F00F400, 0x0F00C000, INT_SIZE, VECTOR}, /* MUL, MLA, SQDMULH by element */
	{0x9F00F400, 0x0F00D000, INT_SIZE, VECTOR}, /* MUL, MLA, SQDMULH by element */
	{0x9F00F400, 0x0F00E000, INT_32, VECTOR}, /* SDOT, UDOT by element */
	{0xBF40F400, 0x0F00F000, INT_32, VECTOR}, /* SUDOT, USDOT by element */
	{0xBF40F400, 0x0F40F000, NONE, VECTOR}, /* BFDOT, BFMLALB, BFMLALT by element */
	{0xBF00F400, 0x2F00F000, INT_SIZE, VECTOR}, /* SQRDMLSH by element */
	{0x9F000400, 0x0F000000, INT_WIDE, VECTOR}, /* widening by element */
	{0xDFF80400, 0x5F000400, NONE, SCALAR}, /* MOVI, FMOV */
	{0xDF80E400, 0x5F008400, INT_IMMH2, SCALAR}, /* narrowing shifts */
	{0xDF80FC00, 0x5F00A400, INT_IMMH2, SCALAR}, /* SSHLL, USHLL */
	{0xDF800400, 0x5F000400, INT_IMMH, SCALAR}, /* shifts by a number */
	{0xDF00F400, 0x5F000000, INT_SIZE, SCALAR}, /* MUL, MLA, SQDMULH by element */
	{0xDF00F400, 0x5F004000, INT_SIZE, SCALAR}, /* MUL, MLA, SQDMULH by element */
	{0xDF00F400, 0x5F008000, INT_SIZE, SCALAR}, /* MUL, MLA, SQDMULH by element */
	{0xDF00F400, 0x5F00C000, INT_SIZE, SCALAR}, /* MUL, MLA, SQDMULH by element */
	{0xDF00F400, 0x5F00D000, INT_SIZE, SCALAR}, /* MUL, MLA, SQDMULH by element */
	{0xFF00F400, 0x7F00F000, INT_SIZE, SCALAR}, /* SQRDMLSH by element */
	{0xDF000400, 0x5F000000, INT_WIDE, SCALAR}, /* widening by element */

	/* SVE, floating point */
	{0xFFFFE000, 0x658AA000, NONE, SVE | PRED}, /* BFCVT */
	{0xFFFFE000, 0x648AA000, NONE, SVE | PRED}, /* BFCVTNT */
	{0xFFFFE000, 0x650AA000, FP_DOUBLE, SVE | PRED}, /* FCVTX */
	{0xFFFFE000, 0x640AA000, FP_DOUBLE, SVE | PRED}, /* FCVTXNT */
	{0xFFFFE000, 0x651CA000, FP_SINGLE, SVE | PRED}, /* FLOGB single */
	{0xFFFFE000, 0x651EA000, FP_DOUBLE, SVE | PRED}, /* FLOGB double */
	{0xFF208000, 0x64000000, FP_SIZE, SVE | FMA | PRED}, /* FCMLA */
	{0xFF20C000, 0x64008000, FP_SIZE, SVE | PRED}, /* FCADD, pairwise */
	{0xFF20F800, 0x64200000, FP_SIZE, SVE | FMA}, /* FMLA, FMLS by element */
	{0xFF20F000, 0x64201000, FP_SIZE, SVE | FMA}, /* FCMLA by element */
	{0xFF20FC00, 0x64202000, FP_SIZE, SVE}, /* FMUL by element */
	{0xFF200000, 0x65200000, FP_SIZE, SVE | FMA | PRED}, /* FMLA, FMAD and others */
	{0xFF20E000, 0x65000000, FP_SIZE, SVE}, /* FADD, FSUB, FMUL, FRECPS, unpredicated */
	{0xFF3EFC00, 0x650E3000, FP_SIZE, SVE}, /* FRECPE, FRSQRTE */
	{0xFF200000, 0x65000000, FP_SIZE, SVE | PRED}, /* arithmetic, conversions, comparisons, reductions */

	/* SVE, integers */
	{0xFF38E000, 0x04008000, INT_TSZ, SVE | PRED}, /* shifts by a number */
	{0xFF200000, 0x04000000, INT_SIZE, SVE | PRED}, /* predicated */
	{0xFF20E000, 0x04200000, INT_SIZE, SVE}, /* ADD, SUB, unpredicated */
	{0xFF20F800, 0x04206000, INT_SIZE, SVE}, /* MUL, SMULH, unpredicated */
	{0xFF200000, 0x24000000, INT_SIZE, SVE | PRED}, /* comparisons */
	{0xFF200000, 0x24200000, INT_SIZE, SVE | PRED}, /* comparisons with a number, unsigned */
	{0xFF204000, 0x25000000, INT_SIZE, SVE | PRED}, /* comparisons with a number, signed */
	{0xFF20C000, 0x2520C000, INT_SIZE, SVE}, /* ADD, SUB, MUL with a number */
	{0xFF20C000, 0x44008000, INT_SIZE, SVE | PRED}, /* SVE2, predicated */
	{0xFFA0F800, 0x44800000, INT_SIZE, SVE}, /* SDOT, UDOT */

	/* SVE, governed by a predicate and of no counted type */
	{0xFF20C000, 0x0520C000, NONE, SVE | PRED}, /* SEL */
	{0xFF20C000, 0x05208000, NONE, SVE | PRED}, /* CPY, COMPACT, CLAST, SPLICE, REV */
	{0xFF300000, 0x05100000, NONE, SVE | PRED}, /* CPY of a number */
	{0xFF30C000, 0x25004000, NONE, SVE | PRED}, /* logic of predicates, BRKPA */

	/* SVE, memory */
	{0xFE00E000, 0xA4006000, NONE, SVE | PRED | LDFF}, /* LDFF1, contiguous */
	{0xFE10E000, 0xA410A000, NONE, SVE | PRED | LDFF}, /* LDNF1 */
	{0xFFC0E000, 0x85800000, NONE, SVE}, /* LDR, predicate */
	{0xFFC0E000, 0x85804000, NONE, SVE}, /* LDR, vector */
	{0xFFC0E000, 0xE5800000, NONE, SVE}, /* STR, predicate */
	{0xFFC0E000, 0xE5804000, NONE, SVE}, /* STR, vector */
	{0xFE20A000, 0x84002000, NONE, SVE | PRED | LDFF}, /* LDFF1, 32-bit offsets */
	{0xFFA0A000, 0x84A02000, NONE, SVE | PRED | LDFF}, /* LDFF1, 32-bit offsets, scaled */
	{0xFFA0A000, 0x85202000, NONE, SVE | PRED | LDFF}, /* LDFF1, 32-bit offsets, scaled, words */
	{0xFE60A000, 0x8420A000, NONE, SVE | PRED | LDFF}, /* LDFF1, a vector of addresses */
	{0xFE40A000, 0xC440A000, NONE, SVE | PRED | LDFF}, /* LDFF1, 64-bit offsets */
	{0xFE20A000, 0xC4002000, NONE, SVE | PRED | LDFF}, /* LDFF1, unpacked 32-bit offsets */
	{0xFFA0A000, 0xC4A02000, NONE, SVE | PRED | LDFF}, /* LDFF1, unpacked, scaled, halfwords */
	{0xFF20A000, 0xC5202000, NONE, SVE | PRED | LDFF}, /* LDFF1, unpacked, scaled, words and doublewords */
	{0xFE60A000, 0xC420A000, NONE, SVE | PRED | LDFF}, /* LDFF1, a vector of addresses */
	{0xFE000000, 0x84000000, NONE, SVE | PRED}, /* gathers, broadcasts, prefetches */
	{0xFE000000, 0xC4000000, NONE, SVE | PRED},
	{0xFE000000, 0xA4000000, NONE, SVE | PRED}, /* contiguous loads */
	{0xFE000000, 0xE4000000, NONE, SVE | PRED}, /* stores */
};
/* clang-format on */

uint64_t apmu_isa__format_traits(uint32_t word)
{
	return apmu_isa__format_find(word, rows, sizeof rows / sizeof rows[0]);
}
