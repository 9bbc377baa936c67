/* SPDX-License-Identifier: MIT */
/*
 * A32 and T32: the data of VFP and Advanced SIMD instructions. DDI0487 F4.1.18 to F4.1.24 (DDI0406C A7.4 to
 * A7.7). First match wins; words with condition field 1111 come first, since the other rows ignore that
 * field.
 *
 * Counted as in A64 (classify_format.c). Not here: VFP's short vectors of Armv6.
 */
#include "isa/classify_format.h"

#include "isa/classify_format_rows.h"

/* clang-format off */
static const struct apmu_isa__format_row vfp[] = {
	{0xFF800C50, 0xFE000800, NONE, SCALAR}, /* VSEL */
	{0xFFBF0C50, 0xFEB00840, NONE, SCALAR}, /* VMOVX, VINS */
	{0xFE000C10, 0xFE000800, FP_CP, SCALAR}, /* VMAXNM, VMINNM, VRINTA, VCVTA and others */
	{0x0FA00C10, 0x0E000800, FP_CP, SCALAR | FMA}, /* VMLA, VMLS, VNMLA, VNMLS */
	{0x0FB00C10, 0x0E900800, FP_CP, SCALAR | FMA}, /* VFNMA, VFNMS */
	{0x0FB00C10, 0x0EA00800, FP_CP, SCALAR | FMA}, /* VFMA, VFMS */
	{0x0FA00C10, 0x0E200800, FP_CP, SCALAR}, /* VMUL, VNMUL, VADD, VSUB */
	{0x0FB00C10, 0x0E800800, FP_CP, SCALAR}, /* VDIV */
	{0x0FB00C50, 0x0EB00800, NONE, SCALAR}, /* VMOV of a number */
	{0x0FBF0CD0, 0x0EB00840, NONE, SCALAR}, /* VMOV */
	{0x0FBF0F50, 0x0EB30940, FP_SINGLE, SCALAR}, /* VCVTB, VCVTT to BFloat16 */
	{0x0FBF0ED0, 0x0EB70AC0, FP_DOUBLE, SCALAR}, /* VCVT between single and double */
	{0x0FBF0FD0, 0x0EB90BC0, FP_DOUBLE, SCALAR}, /* VJCVT */
	{0x0FB00C50, 0x0EB00840, FP_CP, SCALAR}, /* VABS, VNEG, VSQRT, VCMP, VRINT, VCVT */
};

static const struct apmu_isa__format_row simd[] = {
	/* three of a type */
	{0xFE800F10, 0xF2000110, INT_8, Q6}, /* VAND, VBIC, VORR, VORN, VEOR, VBSL, VBIT, VBIF */
	{0xFF800F10, 0xF2000C10, FP_20, Q6 | FMA}, /* VFMA, VFMS */
	{0xFF800F10, 0xF2000D10, FP_20, Q6 | FMA}, /* VMLA, VMLS */
	{0xFE800F00, 0xF2000D00, FP_20, Q6}, /* VADD, VSUB, VPADD, VABD, VMUL */
	{0xFE800E00, 0xF2000E00, FP_20, Q6}, /* VCEQ, VCGE, VACGE, VMAX, VPMAX, VRECPS, VMAXNM and others */
	{0xFE800000, 0xF2000000, INT_20, Q6},

	/* a number in the instruction */
	{0xFEB80090, 0xF2800010, NONE, Q6}, /* VMOV, VMVN, VORR, VBIC */
	{0xFE800E90, 0xF2800E10, FP_SINGLE, Q6}, /* VCVT of fixed point */
	{0xFE800E90, 0xF2800C10, FP_HALF, Q6},
	{0xFE800C90, 0xF2800810, INT_IMM2, Q6}, /* narrowing shifts, VSHLL, VMOVL */
	{0xFE800010, 0xF2800010, INT_IMM, Q6}, /* VSHR, VSRA, VSHL, VQSHL and others */

	/* two sources without an immediate, or one source */
	{0xFFB00010, 0xF2B00000, NONE, Q6}, /* VEXT */
	{0xFFB00810, 0xF3B00800, NONE, Q6}, /* VTBL, VTBX, VDUP */
	{0xFFB30F90, 0xF3B00500, INT_8, Q6}, /* VCNT */
	{0xFFB30F90, 0xF3B00580, INT_8, Q6}, /* VMVN */
	{0xFFB30F10, 0xF3B00200, INT_WIDE_18, Q6}, /* VPADDL */
	{0xFFB30F10, 0xF3B00600, INT_WIDE_18, Q6}, /* VPADAL */
	{0xFFB30F10, 0xF3B00000, NONE, Q6}, /* VREV64, VREV32 */
	{0xFFB30F10, 0xF3B00100, NONE, Q6}, /* VREV16 */
	{0xFFB30810, 0xF3B00000, INT_18, Q6}, /* VCLS, VCLZ, VQABS, VQNEG */
	{0xFFB30C10, 0xF3B10400, FP_18, Q6}, /* VCGT and others with zero, VABS, VNEG */
	{0xFFB30810, 0xF3B10000, INT_18, Q6}, /* VCGT and others with zero, VABS, VNEG, integers */
	{0xFFB30F90, 0xF3B20300, INT_WIDE_18, Q6}, /* VSHLL */
	{0xFFB30F10, 0xF3B20200, INT_WIDE_18, Q6}, /* VMOVN, VQMOVN, VQMOVUN */
	{0xFFB30E90, 0xF3B20600, FP_SINGLE, WHOLE}, /* VCVT between half and single, to BFloat16 */
	{0xFFB30C10, 0xF3B20400, FP_18, Q6}, /* VRINT */
	{0xFFB30F10, 0xF3B30400, INT_18, Q6}, /* VRECPE, VRSQRTE of integers */
	{0xFFB30810, 0xF3B30000, FP_18, Q6}, /* VRECPE, VRSQRTE, VCVT */
	{0xFFB30010, 0xF3B20000, NONE, Q6}, /* VSWP, VTRN, VUZP, VZIP */

	/* a scalar; two types */
	{0xFE800F50, 0xF2800140, FP_20_16, Q24 | FMA}, /* VMLA by scalar */
	{0xFE800F50, 0xF2800540, FP_20_16, Q24 | FMA}, /* VMLS by scalar */
	{0xFE800F50, 0xF2800940, FP_20_16, Q24}, /* VMUL by scalar */
	{0xFE800E50, 0xF2800E40, INT_20, Q24}, /* VQRDMLAH, VQRDMLSH by scalar */
	{0xFE800350, 0xF2800240, INT_WIDE_20, Q24}, /* VMLAL, VMLSL, VMULL by scalar */
	{0xFE800B50, 0xF2800340, INT_WIDE_20, Q24}, /* VQDMLAL, VQDMLSL by scalar */
	{0xFE800F50, 0xF2800B40, INT_WIDE_20, Q24}, /* VQDMULL by scalar */
	{0xFE800050, 0xF2800040, INT_20, Q24}, /* VMLA, VMUL, VQDMULH by scalar */
	{0xFEB00F50, 0xF2A00E00, NONE, Q6}, /* VMULL of 64-bit polynomials */
	{0xFE800050, 0xF2800000, INT_WIDE_20, Q6}, /* VADDL, VADDHN, VABAL, VMLAL, VMULL and others */

	/* since Armv8.2 */
	{0xFEA00F10, 0xFC800800, FP_20_8, Q6}, /* VCADD */
	{0xFE200F10, 0xFC200800, FP_20_8, Q6 | FMA}, /* VCMLA */
	{0xFF800F10, 0xFE000800, FP_HALF, Q6 | FMA}, /* VCMLA by element, half */
	{0xFF800F10, 0xFE800800, FP_SINGLE, Q6 | FMA}, /* VCMLA by element */
	{0xFF300F10, 0xFC200810, FP_SINGLE, Q6 | FMA}, /* VFMAL, VFMSL */
	{0xFFA00F10, 0xFE000810, FP_SINGLE, Q6 | FMA}, /* by scalar */
	{0xFFB00F10, 0xFC300810, FP_SINGLE, WHOLE | FMA}, /* VFMAB, VFMAT */
	{0xFFB00F10, 0xFE300810, FP_SINGLE, WHOLE | FMA}, /* by scalar */
	{0xFFB00F10, 0xFC000D00, FP_SINGLE, Q6 | DOT}, /* VDOT */
	{0xFFB00F10, 0xFE000D00, FP_SINGLE, Q6 | DOT}, /* by scalar */
	{0xFFB00F50, 0xFC000C40, FP_SINGLE, Q6 | MMLA}, /* VMMLA */
	{0xFF300F40, 0xFC200C40, INT_32, Q6}, /* VSMMLA, VUMMLA, VUSMMLA */
	{0xFF300F00, 0xFC200D00, INT_32, Q6}, /* VSDOT, VUDOT, VUSDOT */
	{0xFFB00F00, 0xFE200D00, INT_32, Q6}, /* VSDOT, VUDOT by scalar */
	{0xFFB00F00, 0xFE800D00, INT_32, Q6}, /* VUSDOT, VSUDOT by scalar */
};
/* clang-format on */

/* True for data processing of coprocessors 9 (half), 10 (single) and 11 (double). */
static bool is_vfp(uint32_t w)
{
	return (w >> 24 & 15) == 14 && (w & 0xC10) == 0x800 && (w & 0x300) != 0;
}

uint64_t apmu_isa__format_traits_a32(uint32_t word)
{
	if (is_vfp(word))
		return apmu_isa__format_find(word, vfp, sizeof vfp / sizeof vfp[0]);
	return word >> 28 == 15 ? apmu_isa__format_find(word, simd, sizeof simd / sizeof simd[0]) : 0;
}
