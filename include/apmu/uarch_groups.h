/* SPDX-License-Identifier: MIT */
/* Written by tools/specgen_uarch.py from spec/uarch; change groups.txt there. */
#ifndef APMU_UARCH_GROUPS_H
#define APMU_UARCH_GROUPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/* Instructions that take the same time, beside the classes, which are the first numbers. */
enum apmu_group {
	APMU_GROUP_FIRST = 22,
	APMU_GROUP_BEFORE = APMU_GROUP_FIRST - 1,
	APMU_GROUP_MOV_REG, /* move of a general register */
	APMU_GROUP_MOV_IMM, /* move of an immediate, ADR */
	APMU_GROUP_MOV_ZERO, /* move of zero: MOVZ of 0, MOV of the zero register */
	APMU_GROUP_SHIFT_REG, /* add, subtract, logical: register shifted by a register, of A32 */
	APMU_GROUP_ALU_FLAGS, /* add, subtract, logical and compare that set the flags, operand not shifted */
	APMU_GROUP_COMPARE, /* compare of A64: CMP, CMN, operand not shifted */
	APMU_GROUP_ADD_LSL, /* add, subtract, logical: register shifted left by 1 to 4 */
	APMU_GROUP_ADD_LSL_FLAGS, /* add, subtract, logical that set the flags: register shifted left by 1 to 4 */
	APMU_GROUP_ADD_SHIFT, /* add, subtract: register shifted otherwise, or extended */
	APMU_GROUP_RRX, /* add, subtract, logical, move: register rotated right with extend, of A32 and T32 */
	APMU_GROUP_LOGIC_SHIFT, /* logical: register shifted otherwise */
	APMU_GROUP_LOGIC_SHIFT_FLAGS, /* logical that set the flags: register shifted otherwise */
	APMU_GROUP_ADC, /* add and subtract with carry */
	APMU_GROUP_ADC_FLAGS, /* add and subtract with carry that set the flags */
	APMU_GROUP_CSEL, /* conditional select */
	APMU_GROUP_CCMP, /* conditional compare */
	APMU_GROUP_BFX, /* bit field extract, shift by an immediate, extension of A64: SBFM, UBFM */
	APMU_GROUP_EXTEND, /* extension of A32 and T32: SXTB, UXTH, ... */
	APMU_GROUP_BFI, /* bit field insert: BFM */
	APMU_GROUP_EXTR, /* extract from two registers */
	APMU_GROUP_EXTR_ONE, /* rotate by an immediate: EXTR of one register */
	APMU_GROUP_SHIFT_VAR, /* shift by a register: LSLV */
	APMU_GROUP_BIT_REVERSE, /* CLZ, CLS, RBIT, REV */
	APMU_GROUP_CRC, /* CRC32, CRC32C */
	APMU_GROUP_FLAG_SET, /* SETF, RMIF, CFINV */
	APMU_GROUP_PAC, /* pointer authentication */
	APMU_GROUP_MUL_X, /* multiply of 64 bits */
	APMU_GROUP_MULL, /* multiply of 32 by 32 to 64 bits */
	APMU_GROUP_MULH, /* multiply, high half: SMULH, UMULH */
	APMU_GROUP_MADD, /* multiply-add of 32 bits */
	APMU_GROUP_MADD_64, /* multiply-add of 64 bits */
	APMU_GROUP_MADD_LONG, /* multiply-add of 32 by 32 to 64 bits */
	APMU_GROUP_MSUB_64, /* multiply-subtract of 64 bits */
	APMU_GROUP_UMAAL, /* multiply-add of 32 by 32 to 64 bits, two addends */
	APMU_GROUP_DIV_32, /* division of 32 bits */
	APMU_GROUP_DIV_64, /* division of 64 bits */
	APMU_GROUP_LOAD_SCALED, /* load, register offset that is shifted or extended */
	APMU_GROUP_LOAD_HALF_SCALED, /* load of a halfword, register offset that is shifted, of A64 */
	APMU_GROUP_LOAD_INDEX, /* load, register offset */
	APMU_GROUP_LOAD_IMM, /* load, immediate offset, index left alone */
	APMU_GROUP_LOAD_PAIR, /* load of two general registers */
	APMU_GROUP_LOAD_SUB, /* load of a byte or a halfword, of A32 and T32 */
	APMU_GROUP_LDRD, /* LDRD of A32 and T32 */
	APMU_GROUP_LDM, /* LDM, POP */
	APMU_GROUP_LOAD_LITERAL, /* load of a literal */
	APMU_GROUP_LOAD_ORDERED, /* load-acquire */
	APMU_GROUP_LOAD_EX, /* load-exclusive */
	APMU_GROUP_LOAD_VEC, /* load of a vector register */
	APMU_GROUP_LOAD_VEC_Q, /* load of a vector register, 128 bits */
	APMU_GROUP_LOAD_VEC_PAIR, /* load of two vector registers */
	APMU_GROUP_LOAD_VEC_PAIR_Q, /* load of two vector registers, 128 bits */
	APMU_GROUP_LD1_1, /* LD1 of one register */
	APMU_GROUP_LD1_1_Q, /* LD1 of one register, 128 bits */
	APMU_GROUP_LD1_2, /* LD1 of two registers */
	APMU_GROUP_LD1_2_Q, /* LD1 of two registers, 128 bits */
	APMU_GROUP_LD1_3, /* LD1 of three registers */
	APMU_GROUP_LD1_3_Q, /* LD1 of three registers, 128 bits */
	APMU_GROUP_LD1_4, /* LD1 of four registers */
	APMU_GROUP_LD1_4_Q, /* LD1 of four registers, 128 bits */
	APMU_GROUP_LD1_1_AT, /* VLD1 of one register, of A32, aligned to 64 bits */
	APMU_GROUP_LD1_2_AT, /* VLD1 of two registers, of A32, aligned to 128 bits */
	APMU_GROUP_LD1_4_AT, /* VLD1 of four registers, of A32, aligned to 128 or 256 bits */
	APMU_GROUP_LD2, /* LD2 of two registers */
	APMU_GROUP_LD2_Q, /* LD2 of two registers, 128 bits */
	APMU_GROUP_LD2_AT, /* VLD2 of two registers, of A32, aligned to 128 bits */
	APMU_GROUP_LD3, /* LD3 of three registers */
	APMU_GROUP_LD3_Q, /* LD3 of three registers, 128 bits */
	APMU_GROUP_LD4, /* LD4 of four registers */
	APMU_GROUP_LD4_Q, /* LD4 of four registers, 128 bits */
	APMU_GROUP_LD1_LANE, /* LD1 of one lane, or to all lanes (LD1R) */
	APMU_GROUP_LD1_LANE_Q, /* LD1 of one lane, or to all lanes (LD1R), 128 bits */
	APMU_GROUP_LD2_LANE, /* LD2 of one lane, LD2R */
	APMU_GROUP_LD2_LANE_Q, /* LD2 of one lane, LD2R, 128 bits */
	APMU_GROUP_LD3_LANE, /* LD3 of one lane, LD3R */
	APMU_GROUP_LD3_LANE_Q, /* LD3 of one lane, LD3R, 128 bits */
	APMU_GROUP_LD4_LANE, /* LD4 of one lane, LD4R */
	APMU_GROUP_LD4_LANE_Q, /* LD4 of one lane, LD4R, 128 bits */
	APMU_GROUP_STORE_PAIR, /* store of two general registers */
	APMU_GROUP_STORE_SUB, /* store of a byte or a halfword, of A32 and T32 */
	APMU_GROUP_STRD, /* STRD of A32 and T32 */
	APMU_GROUP_STM, /* STM, PUSH */
	APMU_GROUP_STORE_ORDERED, /* store-release */
	APMU_GROUP_STORE_EX, /* store-exclusive */
	APMU_GROUP_STORE_VEC, /* store of a vector register */
	APMU_GROUP_STORE_VEC_Q, /* store of a vector register, 128 bits */
	APMU_GROUP_STORE_VEC_PAIR, /* store of two vector registers */
	APMU_GROUP_STORE_VEC_PAIR_Q, /* store of two vector registers, 128 bits */
	APMU_GROUP_ST1_1, /* ST1 of one register */
	APMU_GROUP_ST1_1_Q, /* ST1 of one register, 128 bits */
	APMU_GROUP_ST1_2, /* ST1 of two registers */
	APMU_GROUP_ST1_2_Q, /* ST1 of two registers, 128 bits */
	APMU_GROUP_ST1_3, /* ST1 of three registers */
	APMU_GROUP_ST1_3_Q, /* ST1 of three registers, 128 bits */
	APMU_GROUP_ST1_4, /* ST1 of four registers */
	APMU_GROUP_ST1_4_Q, /* ST1 of four registers, 128 bits */
	APMU_GROUP_ST1_1_AT, /* VST1 of one register, of A32, aligned to 64 bits */
	APMU_GROUP_ST1_2_AT, /* VST1 of two registers, of A32, aligned to 128 bits */
	APMU_GROUP_ST1_4_AT, /* VST1 of four registers, of A32, aligned to 128 or 256 bits */
	APMU_GROUP_ST2, /* ST2 of two registers */
	APMU_GROUP_ST2_Q, /* ST2 of two registers, 128 bits */
	APMU_GROUP_ST2_AT, /* VST2 of two registers, of A32, aligned to 128 bits */
	APMU_GROUP_ST3, /* ST3 of three registers */
	APMU_GROUP_ST3_Q, /* ST3 of three registers, 128 bits */
	APMU_GROUP_ST4, /* ST4 of four registers */
	APMU_GROUP_ST4_Q, /* ST4 of four registers, 128 bits */
	APMU_GROUP_ST2_64, /* ST2 of two registers, elements of 64 bits */
	APMU_GROUP_ST3_64, /* ST3 of three registers, elements of 64 bits */
	APMU_GROUP_ST4_64, /* ST4 of four registers, elements of 64 bits */
	APMU_GROUP_ST1_LANE, /* ST1 of one lane */
	APMU_GROUP_ST1_LANE_64, /* ST1 of one lane of 64 bits */
	APMU_GROUP_ST2_LANE, /* ST2 of one lane */
	APMU_GROUP_ST2_LANE_64, /* ST2 of one lane of 64 bits */
	APMU_GROUP_ST3_LANE, /* ST3 of one lane */
	APMU_GROUP_ST3_LANE_32, /* ST3 of one lane of 32 bits */
	APMU_GROUP_ST3_LANE_64, /* ST3 of one lane of 64 bits */
	APMU_GROUP_ST4_LANE, /* ST4 of one lane */
	APMU_GROUP_ST4_LANE_32, /* ST4 of one lane of 32 bits */
	APMU_GROUP_ST4_LANE_64, /* ST4 of one lane of 64 bits */
	APMU_GROUP_ATOMIC, /* SWP, LDADD and kin */
	APMU_GROUP_CAS, /* compare and swap */
	APMU_GROUP_CASP, /* compare and swap of a pair */
	APMU_GROUP_FADD, /* scalar floating-point add, subtract, absolute difference */
	APMU_GROUP_FABS, /* scalar absolute value, negation */
	APMU_GROUP_FCMP, /* scalar compare */
	APMU_GROUP_FCCMP, /* scalar conditional compare */
	APMU_GROUP_FCSEL, /* scalar conditional select */
	APMU_GROUP_FCVT, /* scalar conversion between floating-point formats */
	APMU_GROUP_FCVT_TO, /* floating point to a general register */
	APMU_GROUP_FCVT_FROM, /* general register to floating point */
	APMU_GROUP_FMOV, /* scalar move */
	APMU_GROUP_FMOV_IMM, /* scalar move of an immediate */
	APMU_GROUP_FMOV_TO, /* move to a general register */
	APMU_GROUP_FMOV_FROM, /* move from a general register */
	APMU_GROUP_FMOV_ZERO, /* move from the zero register */
	APMU_GROUP_FMAX, /* scalar maximum, minimum */
	APMU_GROUP_FRINT, /* scalar rounding to integral */
	APMU_GROUP_FMUL, /* scalar multiply */
	APMU_GROUP_FMUL_64, /* scalar multiply, double precision */
	APMU_GROUP_FMADD, /* scalar multiply-add */
	APMU_GROUP_FMADD_64, /* scalar multiply-add, double precision */
	APMU_GROUP_FDIV_16, /* scalar division, half precision */
	APMU_GROUP_FDIV_32, /* scalar division, single precision */
	APMU_GROUP_FDIV_64, /* scalar division, double precision */
	APMU_GROUP_FSQRT_16, /* scalar square root, half precision */
	APMU_GROUP_FSQRT_32, /* scalar square root, single precision */
	APMU_GROUP_FSQRT_64, /* scalar square root, double precision */
	APMU_GROUP_VADD, /* integer add, subtract */
	APMU_GROUP_VADD_Q, /* integer add, subtract, 128 bits */
	APMU_GROUP_VABS, /* integer absolute value, negation */
	APMU_GROUP_VABS_Q, /* integer absolute value, negation, 128 bits */
	APMU_GROUP_VADD_SAT, /* saturating add, subtract */
	APMU_GROUP_VADD_SAT_Q, /* saturating add, subtract, 128 bits */
	APMU_GROUP_VABS_SAT, /* saturating absolute value, negation */
	APMU_GROUP_VABS_SAT_Q, /* saturating absolute value, negation, 128 bits */
	APMU_GROUP_VHADD, /* halving add, subtract */
	APMU_GROUP_VHADD_Q, /* halving add, subtract, 128 bits */
	APMU_GROUP_VRHADD, /* rounding halving add */
	APMU_GROUP_VRHADD_Q, /* rounding halving add, 128 bits */
	APMU_GROUP_VADDL, /* long add, subtract */
	APMU_GROUP_VADDW, /* wide add, subtract */
	APMU_GROUP_VADDHN, /* add, subtract, narrow the high half */
	APMU_GROUP_VRADDHN, /* add, subtract, narrow the rounded high half */
	APMU_GROUP_VADDP, /* add pairwise */
	APMU_GROUP_VADDP_Q, /* add pairwise, 128 bits */
	APMU_GROUP_VADDLP, /* long add pairwise */
	APMU_GROUP_VADDLP_Q, /* long add pairwise, 128 bits */
	APMU_GROUP_VADALP, /* long add pairwise, accumulate */
	APMU_GROUP_VADALP_Q, /* long add pairwise, accumulate, 128 bits */
	APMU_GROUP_VADDV_4, /* add across 4 lanes */
	APMU_GROUP_VADDV_8, /* add across 8 lanes */
	APMU_GROUP_VADDV_16, /* add across 16 lanes */
	APMU_GROUP_VMAXV_4, /* maximum, minimum across 4 lanes */
	APMU_GROUP_VMAXV_8, /* maximum, minimum across 8 lanes */
	APMU_GROUP_VMAXV_16, /* maximum, minimum across 16 lanes */
	APMU_GROUP_VCMP, /* integer compare */
	APMU_GROUP_VCMP_Q, /* integer compare, 128 bits */
	APMU_GROUP_VCMTST, /* test bits */
	APMU_GROUP_VCMTST_Q, /* test bits, 128 bits */
	APMU_GROUP_VLOGIC, /* logical */
	APMU_GROUP_VLOGIC_Q, /* logical, 128 bits */
	APMU_GROUP_VMOV, /* move of a vector register: ORR of a register with itself */
	APMU_GROUP_VMOV_Q, /* move of a vector register: ORR of a register with itself, 128 bits */
	APMU_GROUP_VBSL, /* bitwise select, insert */
	APMU_GROUP_VBSL_Q, /* bitwise select, insert, 128 bits */
	APMU_GROUP_VMAX, /* integer maximum, minimum */
	APMU_GROUP_VMAX_Q, /* integer maximum, minimum, 128 bits */
	APMU_GROUP_VMAXP, /* integer maximum, minimum pairwise */
	APMU_GROUP_VMAXP_Q, /* integer maximum, minimum pairwise, 128 bits */
	APMU_GROUP_VABD, /* absolute difference */
	APMU_GROUP_VABD_Q, /* absolute difference, 128 bits */
	APMU_GROUP_VABDL, /* absolute difference long */
	APMU_GROUP_VABA, /* absolute difference, accumulate */
	APMU_GROUP_VABA_Q, /* absolute difference, accumulate, 128 bits */
	APMU_GROUP_VABAL, /* absolute difference long, accumulate */
	APMU_GROUP_VMUL, /* integer multiply */
	APMU_GROUP_VMUL_Q, /* integer multiply, 128 bits */
	APMU_GROUP_VMUL_ELEM, /* integer multiply by an element */
	APMU_GROUP_VMUL_ELEM_Q, /* integer multiply by an element, 128 bits */
	APMU_GROUP_VMUL_32, /* multiply of 32-bit elements, 64-bit vectors */
	APMU_GROUP_VMUL_ELEM_32, /* multiply of 32-bit elements by an element, 64-bit vectors */
	APMU_GROUP_VMUL_ELEM_Q_32, /* multiply of 32-bit elements by an element, 128-bit vectors */
	APMU_GROUP_VMULL, /* multiply long */
	APMU_GROUP_VMULL_32, /* multiply long of 32-bit elements */
	APMU_GROUP_VQMUL, /* saturating doubling multiply high */
	APMU_GROUP_VQMUL_Q, /* saturating doubling multiply high, 128 bits */
	APMU_GROUP_VQMUL_ELEM, /* saturating doubling multiply high by an element */
	APMU_GROUP_VQMUL_ELEM_Q, /* saturating doubling multiply high by an element, 128 bits */
	APMU_GROUP_VQMULL, /* saturating doubling multiply long */
	APMU_GROUP_VMLA, /* multiply-add */
	APMU_GROUP_VMLA_Q, /* multiply-add, 128 bits */
	APMU_GROUP_VMLA_ELEM, /* multiply-add by an element */
	APMU_GROUP_VMLA_ELEM_Q, /* multiply-add by an element, 128 bits */
	APMU_GROUP_VMLA_32, /* multiply-add of 32-bit elements, 64-bit vectors */
	APMU_GROUP_VMLA_Q_32, /* multiply-add of 32-bit elements, 128-bit vectors */
	APMU_GROUP_VMLA_ELEM_32, /* multiply-add of 32-bit elements by an element, 64-bit vectors */
	APMU_GROUP_VMLA_ELEM_Q_32, /* multiply-add of 32-bit elements by an element, 128-bit vectors */
	APMU_GROUP_VMLAL, /* multiply-add long */
	APMU_GROUP_VMLAL_32, /* multiply-add long of 32-bit elements */
	APMU_GROUP_VQMLA, /* saturating rounding doubling multiply-add high */
	APMU_GROUP_VQMLA_Q, /* saturating rounding doubling multiply-add high, 128 bits */
	APMU_GROUP_VQMLAL, /* saturating doubling multiply-add long */
	APMU_GROUP_VDOT, /* dot product */
	APMU_GROUP_VDOT_Q, /* dot product, 128 bits */
	APMU_GROUP_VMMLA, /* integer matrix multiply-add */
	APMU_GROUP_VMMLA_Q, /* integer matrix multiply-add, 128 bits */
	APMU_GROUP_VPMUL, /* polynomial multiply */
	APMU_GROUP_VPMUL_Q, /* polynomial multiply, 128 bits */
	APMU_GROUP_VPMULL, /* polynomial multiply long, 8 bits */
	APMU_GROUP_PMULL_64, /* polynomial multiply long, 64 bits */
	APMU_GROUP_VSHIFT, /* shift by an immediate */
	APMU_GROUP_VSHIFT_Q, /* shift by an immediate, 128 bits */
	APMU_GROUP_VSHLL, /* shift left long */
	APMU_GROUP_VSHRN, /* shift right narrow */
	APMU_GROUP_VRSHR, /* rounding shift right by an immediate */
	APMU_GROUP_VRSHR_Q, /* rounding shift right by an immediate, 128 bits */
	APMU_GROUP_VRSHRN, /* rounding shift right narrow */
	APMU_GROUP_VQSHRN, /* saturating shift right narrow */
	APMU_GROUP_VQSHL_IMM, /* saturating shift left by an immediate */
	APMU_GROUP_VQSHL_IMM_Q, /* saturating shift left by an immediate, 128 bits */
	APMU_GROUP_VSRA, /* shift right, accumulate */
	APMU_GROUP_VSRA_Q, /* shift right, accumulate, 128 bits */
	APMU_GROUP_VRSRA, /* rounding shift right, accumulate */
	APMU_GROUP_VRSRA_Q, /* rounding shift right, accumulate, 128 bits */
	APMU_GROUP_VSLI, /* shift and insert */
	APMU_GROUP_VSLI_Q, /* shift and insert, 128 bits */
	APMU_GROUP_VSHL, /* shift by a register */
	APMU_GROUP_VSHL_Q, /* shift by a register, 128 bits */
	APMU_GROUP_VRSHL, /* rounding shift by a register */
	APMU_GROUP_VRSHL_Q, /* rounding shift by a register, 128 bits */
	APMU_GROUP_VQSHL, /* saturating shift by a register */
	APMU_GROUP_VQSHL_Q, /* saturating shift by a register, 128 bits */
	APMU_GROUP_VCLZ, /* count leading bits */
	APMU_GROUP_VCLZ_Q, /* count leading bits, 128 bits */
	APMU_GROUP_VCNT, /* count bits */
	APMU_GROUP_VCNT_Q, /* count bits, 128 bits */
	APMU_GROUP_VRBIT, /* reverse bits of bytes */
	APMU_GROUP_VRBIT_Q, /* reverse bits of bytes, 128 bits */
	APMU_GROUP_VREV, /* reverse elements */
	APMU_GROUP_VREV_Q, /* reverse elements, 128 bits */
	APMU_GROUP_VDUP, /* duplicate an element */
	APMU_GROUP_VDUP_Q, /* duplicate an element, 128 bits */
	APMU_GROUP_VDUP_FROM, /* duplicate a general register */
	APMU_GROUP_VINS, /* insert an element */
	APMU_GROUP_VINS_FROM, /* insert a general register */
	APMU_GROUP_VMOV_TO, /* element to a general register */
	APMU_GROUP_VMOVI, /* move of an immediate */
	APMU_GROUP_VMOVI_Q, /* move of an immediate, 128 bits */
	APMU_GROUP_VMOVI_ZERO, /* move of zero: MOVI of 0 */
	APMU_GROUP_VMOVI_ZERO_Q, /* move of zero: MOVI of 0, 128 bits */
	APMU_GROUP_VEXT, /* extract from two registers */
	APMU_GROUP_VEXT_Q, /* extract from two registers, 128 bits */
	APMU_GROUP_VZIP, /* zip, unzip */
	APMU_GROUP_VZIP_Q, /* zip, unzip, 128 bits */
	APMU_GROUP_VZIP2, /* zip, unzip of A32, which write two registers */
	APMU_GROUP_VZIP2_Q, /* zip, unzip of A32, which write two registers, 128 bits */
	APMU_GROUP_VTRN, /* transpose */
	APMU_GROUP_VTRN_Q, /* transpose, 128 bits */
	APMU_GROUP_VTRN2, /* transpose, swap of A32, which write two registers */
	APMU_GROUP_VTRN2_Q, /* transpose, swap of A32, which write two registers, 128 bits */
	APMU_GROUP_VXTN, /* extract narrow */
	APMU_GROUP_VQXTN, /* saturating extract narrow */
	APMU_GROUP_VTBL1, /* table of one register */
	APMU_GROUP_VTBL1_Q, /* table of one register, 128 bits */
	APMU_GROUP_VTBL2, /* table of two registers */
	APMU_GROUP_VTBL2_Q, /* table of two registers, 128 bits */
	APMU_GROUP_VTBL3, /* table of three registers */
	APMU_GROUP_VTBL3_Q, /* table of three registers, 128 bits */
	APMU_GROUP_VTBL4, /* table of four registers */
	APMU_GROUP_VTBL4_Q, /* table of four registers, 128 bits */
	APMU_GROUP_VTBX1, /* table of one register that keeps elements out of range */
	APMU_GROUP_VTBX1_Q, /* table of one register that keeps elements out of range, 128 bits */
	APMU_GROUP_VTBX2, /* table of two registers that keeps elements out of range */
	APMU_GROUP_VTBX2_Q, /* table of two registers that keeps elements out of range, 128 bits */
	APMU_GROUP_VTBX3, /* table of three registers that keeps elements out of range */
	APMU_GROUP_VTBX3_Q, /* table of three registers that keeps elements out of range, 128 bits */
	APMU_GROUP_VTBX4, /* table of four registers that keeps elements out of range */
	APMU_GROUP_VTBX4_Q, /* table of four registers that keeps elements out of range, 128 bits */
	APMU_GROUP_VFADD, /* floating-point add, subtract, absolute difference */
	APMU_GROUP_VFADD_Q, /* floating-point add, subtract, absolute difference, 128 bits */
	APMU_GROUP_VFABS, /* floating-point absolute value, negation */
	APMU_GROUP_VFABS_Q, /* floating-point absolute value, negation, 128 bits */
	APMU_GROUP_VFADD_64, /* floating-point add, subtract of double precision */
	APMU_GROUP_VFADD_64_Q, /* floating-point add, subtract of double precision, 128 bits */
	APMU_GROUP_VFADDP, /* floating-point add pairwise */
	APMU_GROUP_VFADDP_Q, /* floating-point add pairwise, 128 bits */
	APMU_GROUP_FADDP, /* add of the two lanes of a vector, to a scalar */
	APMU_GROUP_VFCMP, /* floating-point compare */
	APMU_GROUP_VFCMP_Q, /* floating-point compare, 128 bits */
	APMU_GROUP_VFMAX, /* floating-point maximum, minimum */
	APMU_GROUP_VFMAX_Q, /* floating-point maximum, minimum, 128 bits */
	APMU_GROUP_VFMAXP, /* floating-point maximum, minimum pairwise */
	APMU_GROUP_VFMAXP_Q, /* floating-point maximum, minimum pairwise, 128 bits */
	APMU_GROUP_FMAXP, /* maximum, minimum of the two lanes of a vector, to a scalar */
	APMU_GROUP_VFMAXV, /* floating-point maximum, minimum across 4 lanes */
	APMU_GROUP_VFMAXV_16, /* half-precision maximum, minimum across the lanes */
	APMU_GROUP_VFMAXV_16_Q, /* half-precision maximum, minimum across the lanes, 128 bits */
	APMU_GROUP_VFMUL, /* floating-point multiply */
	APMU_GROUP_VFMUL_Q, /* floating-point multiply, 128 bits */
	APMU_GROUP_VFMUL_64, /* floating-point multiply of double precision */
	APMU_GROUP_VFMUL_64_Q, /* floating-point multiply of double precision, 128 bits */
	APMU_GROUP_VFMLA, /* floating-point multiply-add */
	APMU_GROUP_VFMLA_Q, /* floating-point multiply-add, 128 bits */
	APMU_GROUP_VFMLA_64, /* floating-point multiply-add of double precision */
	APMU_GROUP_VFMLA_64_Q, /* floating-point multiply-add of double precision, 128 bits */
	APMU_GROUP_VFMLAL, /* floating-point multiply-add long */
	APMU_GROUP_VFMLAL_Q, /* floating-point multiply-add long, 128 bits */
	APMU_GROUP_VFCMLA, /* floating-point complex multiply-add */
	APMU_GROUP_VFCMLA_Q, /* floating-point complex multiply-add, 128 bits */
	APMU_GROUP_VFCMLA_ELEM, /* floating-point complex multiply-add by an element, 64-bit vectors */
	APMU_GROUP_VFCMLA_ELEM_Q, /* floating-point complex multiply-add by an element, 128-bit vectors */
	APMU_GROUP_VFCVT, /* conversion between floating point and integer, 2 lanes or scalar */
	APMU_GROUP_VFCVT_4, /* conversion between floating point and integer, 4 lanes */
	APMU_GROUP_VFCVT_8, /* conversion between floating point and integer, 8 lanes */
	APMU_GROUP_VFCVTL, /* conversion from single to double precision */
	APMU_GROUP_VFCVTL_16, /* conversion from half to single precision */
	APMU_GROUP_VFCVTN, /* conversion from double to single precision */
	APMU_GROUP_VFCVTN_16, /* conversion from single to half precision */
	APMU_GROUP_VFRINT, /* rounding to integral, 2 lanes or scalar */
	APMU_GROUP_VFRINT_4, /* rounding to integral, 4 lanes */
	APMU_GROUP_VFRINT_8, /* rounding to integral, 8 lanes */
	APMU_GROUP_VFRECPE, /* reciprocal estimate, reciprocal square root estimate, 2 lanes or scalar */
	APMU_GROUP_VFRECPE_64, /* reciprocal estimate, reciprocal square root estimate, 2 lanes of 64 bits */
	APMU_GROUP_VFRECPE_4, /* reciprocal estimate, reciprocal square root estimate, 4 lanes */
	APMU_GROUP_VFRECPE_8, /* reciprocal estimate, reciprocal square root estimate, 8 lanes */
	APMU_GROUP_VRECPE, /* reciprocal estimate of integers, 2 lanes */
	APMU_GROUP_VRECPE_4, /* reciprocal estimate of integers, 4 lanes */
	APMU_GROUP_VFRECPS, /* reciprocal step */
	APMU_GROUP_VFRECPS_Q, /* reciprocal step, 128 bits */
	APMU_GROUP_VFDIV_16, /* division, half precision */
	APMU_GROUP_VFDIV_16_Q, /* division, half precision, 128 bits */
	APMU_GROUP_VFDIV_32, /* division, single precision */
	APMU_GROUP_VFDIV_32_Q, /* division, single precision, 128 bits */
	APMU_GROUP_VFDIV_64, /* division, double precision */
	APMU_GROUP_VFDIV_64_Q, /* division, double precision, 128 bits */
	APMU_GROUP_VFSQRT_16, /* square root, half precision */
	APMU_GROUP_VFSQRT_16_Q, /* square root, half precision, 128 bits */
	APMU_GROUP_VFSQRT_32, /* square root, single precision */
	APMU_GROUP_VFSQRT_32_Q, /* square root, single precision, 128 bits */
	APMU_GROUP_VFSQRT_64, /* square root, double precision */
	APMU_GROUP_VFSQRT_64_Q, /* square root, double precision, 128 bits */
	APMU_GROUP_VBFDOT, /* BFloat16 dot product, multiply-add long */
	APMU_GROUP_VBFDOT_Q, /* BFloat16 dot product, multiply-add long, 128 bits */
	APMU_GROUP_VBFMMLA, /* BFloat16 matrix multiply-add */
	APMU_GROUP_VBFMMLA_Q, /* BFloat16 matrix multiply-add, 128 bits */
	APMU_GROUP_SVE_COUNT, /* SVE: counts of elements to general registers: CNTB, CNTP, ADDVL, CTERMEQ */
	APMU_GROUP_SVE_INC, /* SVE: counts added to general registers: INCB */
	APMU_GROUP_SVE_PRED, /* SVE: predicates made or permuted, PTRUE, ZIP1, and PTEST */
	APMU_GROUP_SVE_LOGIC, /* SVE: logic and breaks of predicates: AND, BRKA */
	APMU_GROUP_SVE_WHILE, /* SVE: predicates of a loop: WHILELO, WHILEWR */
	APMU_GROUP_SVE_CMP, /* SVE: integer compare */
	APMU_GROUP_SVE_FCMP, /* SVE: floating-point compare */
	APMU_GROUP_SVE_REDUCE, /* SVE: integer reduction, 32-bit elements */
	APMU_GROUP_SVE_REDUCE_8, /* SVE: integer reduction, 8-bit elements */
	APMU_GROUP_SVE_REDUCE_16, /* SVE: integer reduction, 16-bit elements */
	APMU_GROUP_SVE_REDUCE_64, /* SVE: integer reduction, 64-bit elements */
	APMU_GROUP_SVE_ORV, /* SVE: logical reduction */
	APMU_GROUP_SVE_FREDUCE_16, /* SVE: floating-point reduction, half precision */
	APMU_GROUP_SVE_FREDUCE_32, /* SVE: floating-point reduction, single precision */
	APMU_GROUP_SVE_FREDUCE_64, /* SVE: floating-point reduction, double precision */
	APMU_GROUP_SVE_FADDA_16, /* SVE: floating-point reduction in order, half precision */
	APMU_GROUP_SVE_FADDA_32, /* SVE: floating-point reduction in order, single precision */
	APMU_GROUP_SVE_FADDA_64, /* SVE: floating-point reduction in order, double precision */
	APMU_GROUP_SVE_INDEX, /* SVE: INDEX */
	APMU_GROUP_SVE_MULL, /* SVE: multiply long */
	APMU_GROUP_SVE_MUL_64, /* SVE: multiply of 64-bit elements */
	APMU_GROUP_SVE_MLA, /* SVE: multiply-add */
	APMU_GROUP_SVE_MLA_64, /* SVE: multiply-add of 64-bit elements */
	APMU_GROUP_SVE_DOT_64, /* SVE: dot product with sums of 64 bits */
	APMU_GROUP_SVE_FRECPS, /* SVE: reciprocal step */
	APMU_GROUP_SVE_TBL, /* SVE: table of one register */
	APMU_GROUP_SVE_LAST, /* SVE: element or vector chosen by a predicate: LASTB, CLASTB, SPLICE */
	APMU_GROUP_SVE_LAST_TO, /* SVE: LASTA, LASTB to a general register */
	APMU_GROUP_SVE_CLAST_TO, /* SVE: CLASTA, CLASTB to a general register */
	APMU_GROUP_SVE_DIV_32, /* SVE: integer division of 32-bit elements */
	APMU_GROUP_SVE_DIV_64, /* SVE: integer division of 64-bit elements */
	APMU_GROUP_SVE_FDIV_16, /* SVE: floating-point division, half precision */
	APMU_GROUP_SVE_FDIV_32, /* SVE: floating-point division, single precision */
	APMU_GROUP_SVE_FDIV_64, /* SVE: floating-point division, double precision */
	APMU_GROUP_SVE_FSQRT_16, /* SVE: floating-point square root, half precision */
	APMU_GROUP_SVE_FSQRT_32, /* SVE: floating-point square root, single precision */
	APMU_GROUP_SVE_FSQRT_64, /* SVE: floating-point square root, double precision */
	APMU_GROUP_SVE_BITS, /* SVE: BEXT, BDEP, BGRP */
	APMU_GROUP_SVE_HIST, /* SVE: HISTCNT, HISTSEG */
	APMU_GROUP_SVE_LD1, /* SVE: contiguous load of a vector, broadcasts */
	APMU_GROUP_SVE_LD2, /* SVE: LD2 */
	APMU_GROUP_SVE_LD3, /* SVE: LD3 */
	APMU_GROUP_SVE_LD4, /* SVE: LD4 */
	APMU_GROUP_SVE_GATHER, /* SVE: gather load */
	APMU_GROUP_SVE_LDR_PRED, /* SVE: load of a predicate */
	APMU_GROUP_SVE_ST1, /* SVE: contiguous store of a vector */
	APMU_GROUP_SVE_ST2, /* SVE: ST2 */
	APMU_GROUP_SVE_ST3, /* SVE: ST3 */
	APMU_GROUP_SVE_ST4, /* SVE: ST4 */
	APMU_GROUP_SVE_SCATTER, /* SVE: scatter store */
	APMU_GROUP_AES, /* AESE, AESD */
	APMU_GROUP_AESMC, /* AESMC, AESIMC */
	APMU_GROUP_SHA1H, /* SHA1H */
	APMU_GROUP_SHA1SU, /* SHA1SU0, SHA1SU1 */
	APMU_GROUP_SHA1, /* SHA1C, SHA1M, SHA1P */
	APMU_GROUP_SHA256, /* SHA256H, SHA256H2 */
	APMU_GROUP_SHA256SU0, /* SHA256SU0 */
	APMU_GROUP_SHA256SU1, /* SHA256SU1 */
	APMU_GROUP_SHA512, /* SHA512H, SHA512H2, SHA512SU0, SHA512SU1 */
	APMU_GROUP_SM3, /* SM3 */
	APMU_GROUP_SM4, /* SM4 */
	APMU_GROUP_EOR3, /* EOR3, BCAX, RAX1, XAR */
	APMU_GROUPS
};
/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
