/* SPDX-License-Identifier: MIT */
/*
 * A64: SVE and SVE2 (DDI0487 C4.1, "SVE encodings"), in the order of the encoding index. First match wins.
 *
 * An instruction is of the group of the Advanced SIMD instruction of 128 bits that does the same, or of a
 * group of its own. A destination that keeps a part of its value (predicates that merge, the upper halves of
 * narrowing) or is added to is also read. Predicates are no operands.
 */
#include "isa/classify_rows.h"

#define Z  TRAIT(SVE)
#define R2 VN
#define R3 (VN | VM)
#define DN (VD | VN)
#define R4 (VD | VN | VM)

/* clang-format off */
static const struct apmu_isa__row row[] = {
	/* 0x04: predicated integer instructions */
	DO (0xFF3CE000, 0x04000000, SIMD, DN, VD, 0, Z | G(VADD_Q)),                     /* ADD, SUB, SUBR */
	DO (0xFF3CE000, 0x04080000, SIMD, DN, VD, 0, Z | G(VMAX_Q)),                     /* SMAX, SMIN, ... */
	DO (0xFF3CE000, 0x040C0000, SIMD, DN, VD, 0, Z | G(VABD_Q)),                     /* SABD */
	DO (0xFFFCE000, 0x04D00000, SIMD, DN, VD, 0, Z | G(SVE_MUL_64)),                 /* MUL, SMULH, .D */
	DO (0xFF3CE000, 0x04100000, SIMD, DN, VD, 0, Z | G(VMUL_Q)),
	DO (0xFF7CE000, 0x04540000, SIMD, DN, VD, 0, Z | G(SVE_DIV_64)),                 /* SDIV, UDIVR, ... */
	DO (0xFF3CE000, 0x04140000, SIMD, DN, VD, 0, Z | G(SVE_DIV_32)),
	DO (0xFF3CE000, 0x04180000, SIMD, DN, VD, 0, Z | G(VLOGIC_Q)),                   /* ORR, EOR, AND, BIC */
	DO (0xFF3FE000, 0x04102000, SIMD, R2, VD, 0, Z | G(VMOV_Q)),                     /* MOVPRFX, zeroing, */
	DO (0xFF3FE000, 0x04112000, SIMD, DN, VD, 0, Z | G(VMOV_Q)),                     /* merging */
	DO (0xFF38E000, 0x04182000, SIMD, R2, VD, 0, Z | G(SVE_ORV)),                    /* ORV, EORV, ANDV */
	DO (0xFFE0E000, 0x04002000, SIMD, R2, VD, 0, Z | G(SVE_REDUCE_8)),               /* SADDV, SMAXV, ... */
	DO (0xFFE0E000, 0x04402000, SIMD, R2, VD, 0, Z | G(SVE_REDUCE_16)),
	DO (0xFFE0E000, 0x04802000, SIMD, R2, VD, 0, Z | G(SVE_REDUCE)),
	DO (0xFFE0E000, 0x04C02000, SIMD, R2, VD, 0, Z | G(SVE_REDUCE_64)),
	DO (0xFFE0C000, 0x04C04000, SIMD, R4, VD, 0, Z | G(SVE_MLA_64) | ACC(VD)),       /* MLA, MLS, .D */
	DO (0xFF20C000, 0x04004000, SIMD, R4, VD, 0, Z | G(SVE_MLA) | ACC(VD)),
	DO (0xFFE0C000, 0x04C0C000, SIMD, R4, VD, 0, Z | G(SVE_MLA_64) | ACC(VN)),       /* MAD, MSB */
	DO (0xFF20C000, 0x0400C000, SIMD, R4, VD, 0, Z | G(SVE_MLA) | ACC(VN)),
	DO (0xFF3CE000, 0x040C8000, SIMD, VD, VD, 0, Z | G(VRSHR_Q)),                    /* SRSHR, URSHR, SQSHLU */
	DO (0xFF3CE000, 0x04048000, SIMD, VD, VD, 0, Z | G(VQSHL_IMM_Q)),                /* ASRD, SQSHL, UQSHL */
	DO (0xFF3CE000, 0x04008000, SIMD, VD, VD, 0, Z | G(VSHIFT_Q)),                   /* ASR, LSR, LSL */
	DO (0xFF30E000, 0x04108000, SIMD, DN, VD, 0, Z | G(VSHL_Q)),                     /* by a vector */
	DO (0xFF3EE000, 0x041CA000, SIMD, DN, VD, 0, Z | G(VFABS_Q)),                    /* FABS, FNEG */
	DO (0xFF3FE000, 0x041EA000, SIMD, DN, VD, 0, Z | G(VLOGIC_Q)),                   /* NOT */
	DO (0xFF3EE000, 0x0418A000, SIMD, DN, VD, 0, Z | G(VCLZ_Q)),                     /* CLS, CLZ */
	DO (0xFF3FE000, 0x041AA000, SIMD, DN, VD, 0, Z | G(VCNT_Q)),                     /* CNT */
	DO (0xFF30E000, 0x0410A000, SIMD, DN, VD, 0, Z | G(VABS_Q)),                     /* ABS, NEG, SXTB, CNOT, ... */
	/* unpredicated */
	DO (0xFF20F800, 0x04200000, SIMD, R3, VD, 0, Z | G(VADD_Q)),                     /* ADD, SUB */
	DO (0xFF20F000, 0x04201000, SIMD, R3, VD, 0, Z | G(VADD_SAT_Q)),                 /* SQADD, ... */
	DO (0xFF20FC00, 0x04203000, SIMD, R3, VD, 0, Z | G(VLOGIC_Q)),                   /* AND, ORR, EOR, BIC */
	DO (0xFF20FC00, 0x04203400, SIMD, DN, VD, 0, Z | G(EOR3)),                       /* XAR */
	DO (0xFFA0FC00, 0x04203800, SIMD, R4, VD, 0, Z | G(EOR3)),                       /* EOR3, BCAX */
	DO (0xFF20F800, 0x04203800, SIMD, R4, VD, 0, Z | G(VBSL_Q)),                     /* BSL, NBSL, ... */
	DO (0xFF20FC00, 0x04204000, SIMD, 0, VD, 0, Z | G(SVE_INDEX)),                   /* INDEX */
	DO (0xFF20FC00, 0x04204400, SIMD, N, VD, 0, Z | G(SVE_INDEX)),
	DO (0xFF20FC00, 0x04204800, SIMD, M, VD, 0, Z | G(SVE_INDEX)),
	DO (0xFF20FC00, 0x04204C00, SIMD, N | M, VD, 0, Z | G(SVE_INDEX)),
	DO (0xFFA0F800, 0x04205000, ALU, M, D, 0, Z | SPM | SPD | G(SVE_COUNT)),         /* ADDVL, ADDPL */
	DO (0xFFFFF800, 0x04BF5000, ALU, 0, D, 0, Z | G(SVE_COUNT)),                     /* RDVL */
	DO (0xFF20FC00, 0x04206400, SIMD, R3, VD, 0, Z | G(VPMUL_Q)),                    /* PMUL */
	DO (0xFFE0F800, 0x04E07000, SIMD, R3, VD, 0, Z | G(SVE_MUL_64)),                 /* SQDMULH, .D */
	DO (0xFF20F800, 0x04207000, SIMD, R3, VD, 0, Z | G(VQMUL_Q)),                    /* SQDMULH, SQRDMULH */
	DO (0xFFE0F000, 0x04E06000, SIMD, R3, VD, 0, Z | G(SVE_MUL_64)),                 /* MUL, SMULH, .D */
	DO (0xFF20F000, 0x04206000, SIMD, R3, VD, 0, Z | G(VMUL_Q)),
	DO (0xFF20F000, 0x04208000, SIMD, R3, VD, 0, Z | G(VSHL_Q)),                     /* shifts by wide elements, */
	DO (0xFF20F000, 0x04209000, SIMD, R2, VD, 0, Z | G(VSHIFT_Q)),                   /* by an immediate */
	DO (0xFF20F000, 0x0420A000, SIMD, R3, VD, 0, Z | G(VADD_Q)),                     /* ADR */
	DO (0xFFFFFC00, 0x0420BC00, SIMD, R2, VD, 0, Z | G(VMOV_Q)),                     /* MOVPRFX */
	DO (0xFF3FFC00, 0x0420B800, SIMD, R2, VD, 0, Z | G(VFMUL_Q)),                    /* FEXPA */
	DO (0xFF20FC00, 0x0420B000, SIMD, R3, VD, 0, Z | G(VFMUL_Q)),                    /* FTSSEL */
	DO (0xFF20F000, 0x0420C000, SIMD, VD, VD, 0, Z | G(VADD_Q)),                     /* INCH, SQINCH of vectors */
	DO (0xFF30FC00, 0x0420E000, ALU, 0, D, 0, Z | G(SVE_COUNT)),                     /* CNTB to CNTD */
	DO (0xFF30F800, 0x0430E000, ALU, D, D, 0, Z | G(SVE_INC)),                     /* INCB to DECD */
	DO (0xFF20F000, 0x0420F000, ALU, D, D, 0, Z | G(SVE_COUNT)),                     /* SQINCB to UQDECD */

	/* 0x05: immediates, permutations */
	DO (0xFFFC0000, 0x05C00000, SIMD, 0, VD, 0, Z | G(VMOVI_Q)),                     /* DUPM */
	DO (0xFF3C0000, 0x05000000, SIMD, VD, VD, 0, Z | G(VLOGIC_Q)),                   /* ORR, EOR, AND of an immediate */
	DO (0xFF30E000, 0x0510C000, SIMD, VD, VD, 0, Z | G(VMOVI_Q)),                    /* FCPY */
	DO (0xFF30C000, 0x05104000, SIMD, VD, VD, 0, Z | G(VMOVI_Q)),                    /* CPY, merging, */
	DO (0xFF30C000, 0x05100000, SIMD, 0, VD, 0, Z | G(VMOVI_Q)),                     /* zeroing */
	DO (0xFFE0E000, 0x05200000, SIMD, DN, VD, 0, Z | G(VEXT_Q)),                     /* EXT */
	DO (0xFFE0E000, 0x05600000, SIMD, R2, VD, 0, Z | G(VEXT_Q) | MORE(NEXT)),
	DO (0xFFE0E000, 0x05A00000, SIMD, R3, VD, 0, Z | G(VZIP_Q)),                     /* ZIP, UZP, TRN of 128 bits */
	DO (0xFF20FC00, 0x05202000, SIMD, R2, VD, 0, Z | G(VDUP_Q)),                     /* DUP of an element */
	DO (0xFF20FC00, 0x05202800, SIMD, R3, VD, 0, Z | G(VTBL2_Q) | MORE(NEXT)),       /* TBL of two registers */
	DO (0xFF20FC00, 0x05202C00, SIMD, R4, VD, 0, Z | G(VTBX1_Q)),                    /* TBX */
	DO (0xFF20FC00, 0x05203000, SIMD, R3, VD, 0, Z | G(SVE_TBL)),                    /* TBL */
	DO (0xFF3FFC00, 0x05203800, SIMD, N, VD, 0, Z | SPN | G(VDUP_FROM)),             /* DUP of a general register */
	DO (0xFF3FFC00, 0x05243800, SIMD, N | VD, VD, 0, Z | G(VINS_FROM)),              /* INSR */
	DO (0xFF3FFC00, 0x05343800, SIMD, DN, VD, 0, Z | G(VINS)),
	DO (0xFF3FFC00, 0x05383800, SIMD, R2, VD, 0, Z | G(VREV_Q)),                     /* REV */
	DO (0xFF3CFC00, 0x05303800, SIMD, R2, VD, 0, Z | G(VZIP_Q)),                     /* SUNPKLO, ... */
	DO (0xFF20E000, 0x05204000, ALU, 0, 0, 0, Z | G(SVE_PRED)),                      /* ZIP, REV, PUNPK of predicates */
	DO (0xFF20F800, 0x05207000, SIMD, R3, VD, 0, Z | G(VTRN_Q)),                     /* TRN */
	DO (0xFF20F000, 0x05206000, SIMD, R3, VD, 0, Z | G(VZIP_Q)),                     /* ZIP, UZP */
	DO (0xFF3FE000, 0x05208000, SIMD, DN, VD, 0, Z | G(VDUP_Q)),                     /* CPY of a scalar */
	DO (0xFF3FE000, 0x05218000, SIMD, R2, VD, 0, Z | G(VTBL1_Q)),                    /* COMPACT */
	DO (0xFF3EE000, 0x05228000, SIMD, R2, VD, 0, Z | G(SVE_LAST)),                   /* LASTA, LASTB */
	DO (0xFF3CE000, 0x05248000, SIMD, DN, VD, 0, Z | G(VREV_Q)),                     /* REVB, RBIT, ... */
	DO (0xFF3FE000, 0x052D8000, SIMD, R2, VD, 0, Z | G(VTBL1_Q) | MORE(NEXT)),       /* SPLICE of two registers */
	DO (0xFF30E000, 0x05208000, SIMD, DN, VD, 0, Z | G(SVE_LAST)),                   /* CLASTA, SPLICE, REVD */
	DO (0xFF3EE000, 0x0520A000, SIMD, VN, D, 0, Z | G(SVE_LAST_TO)),                 /* LASTA, LASTB to general */
	DO (0xFF3FE000, 0x0528A000, SIMD, N | VD, VD, 0, Z | SPN | G(VINS_FROM)),        /* CPY of a general register */
	DO (0xFF3EE000, 0x0530A000, SIMD, VN | D, D, 0, Z | G(SVE_CLAST_TO)),            /* CLASTA, CLASTB to general */
	DO (0xFF20C000, 0x0520C000, SIMD, R3, VD, 0, Z | G(VBSL_Q)),                     /* SEL */

	/* 0x24, 0x25: comparisons, predicates, immediates */
	DO (0xFF200000, 0x24000000, SIMD, R3, 0, 0, Z | WF | G(SVE_CMP)),                /* CMPEQ, ... */
	DO (0xFF200000, 0x24200000, SIMD, R2, 0, 0, Z | WF | G(SVE_CMP)),                /* with an immediate, unsigned, */
	DO (0xFF204000, 0x25000000, SIMD, R2, 0, 0, Z | WF | G(SVE_CMP)),                /* signed */
	DO (0xFF3FFC10, 0x2519E000, ALU, 0, 0, 0, Z | WF | G(SVE_PRED)),                 /* PTRUES */
	DO (0xFF3FFE10, 0x2519C400, ALU, 0, 0, 0, Z | WF | G(SVE_PRED)),                 /* PNEXT */
	DO (0xFF3FFC10, 0x2518E000, ALU, 0, 0, 0, Z | G(SVE_PRED)),                      /* PTRUE */
	DO (0xFFFFC21F, 0x2550C000, ALU, 0, 0, 0, Z | WF | G(SVE_PRED)),                 /* PTEST */
	DO (0xFF604000, 0x25404000, ALU, 0, 0, 0, Z | WF | G(SVE_LOGIC)),                 /* ANDS, BRKAS, ... */
	DO (0xFF204000, 0x25004000, ALU, 0, 0, 0, Z | G(SVE_LOGIC)),                      /* AND, BRKA, PFALSE, RDFFR, ... */
	DO (0xFFA0FC0F, 0x25A02000, ALU, N | M, 0, 0, Z | RF | WF | G(SVE_COUNT)),       /* CTERMEQ, CTERMNE */
	DO (0xFF20C000, 0x25200000, ALU, N | M, 0, 0, Z | WF | G(SVE_WHILE)),            /* WHILELT, WHILEWR, ... */
	DO (0xFF3CFC00, 0x25288000, SIMD, VD, VD, 0, Z | G(VADD_Q)),                     /* SQINCP of vectors */
	DO (0xFF3EFC00, 0x252C8000, SIMD, VD, VD, 0, Z | G(VADD_Q)),                     /* INCP, DECP */
	DO (0xFF3CFA00, 0x25288800, ALU, D, D, 0, Z | G(SVE_COUNT)),                     /* SQINCP to UQDECP */
	DO (0xFF3EFE00, 0x252C8800, ALU, D, D, 0, Z | G(SVE_COUNT)),                     /* INCP, DECP */
	DO (0xFF3FC200, 0x25208000, ALU, 0, D, 0, Z | G(SVE_COUNT)),                     /* CNTP */
	DO (0xFF38F000, 0x25289000, ALU, 0, 0, 0, Z | G(SVE_PRED)),                      /* WRFFR, SETFFR */
	DO (0xFF38C000, 0x2520C000, SIMD, VD, VD, 0, Z | G(VADD_Q)),                     /* ADD, SQADD of an immediate */
	DO (0xFF38C000, 0x2528C000, SIMD, VD, VD, 0, Z | G(VMAX_Q)),                     /* SMAX, ... */
	DO (0xFFF8C000, 0x25F0C000, SIMD, VD, VD, 0, Z | G(SVE_MUL_64)),                 /* MUL */
	DO (0xFF38C000, 0x2530C000, SIMD, VD, VD, 0, Z | G(VMUL_Q)),
	DO (0xFF3EC000, 0x2538C000, SIMD, 0, VD, 0, Z | G(VMOVI_Q)),                     /* DUP, FDUP */

	/* 0x44: multiply-add, SVE2's predicated instructions, products by element */
	DO (0xFFE0F800, 0x44C00000, SIMD, R4, VD, 0, Z | G(SVE_DOT_64) | ACC(VD)),       /* SDOT, UDOT, .D */
	DO (0xFF20F800, 0x44000000, SIMD, R4, VD, 0, Z | G(VDOT_Q) | ACC(VD)),           /* SDOT, UDOT */
	DO (0xFF20FC00, 0x44007800, SIMD, R4, VD, 0, Z | G(VDOT_Q) | ACC(VD)),           /* USDOT */
	DO (0xFF20F000, 0x44001000, SIMD, R4, VD, 0, Z | G(VDOT_Q) | ACC(VD)),           /* CDOT */
	DO (0xFF20E000, 0x44004000, SIMD, R4, VD, 0, Z | G(VMLAL) | ACC(VD)),            /* SMLALB, ... */
	DO (0xFF20F000, 0x44006000, SIMD, R4, VD, 0, Z | G(VQMLAL) | ACC(VD)),           /* SQDMLALB, ... */
	DO (0xFF20F000, 0x44000000, SIMD, R4, VD, 0, Z | G(VQMLAL) | ACC(VD)),           /* SQDMLALBT */
	DO (0xFFE08000, 0x44C00000, SIMD, R4, VD, 0, Z | G(SVE_MLA_64) | ACC(VD)),       /* CMLA, SQRDMLAH, .D */
	DO (0xFF208000, 0x44000000, SIMD, R4, VD, 0, Z | G(VQMLA_Q) | ACC(VD)),
	DO (0xFF38E000, 0x44108000, SIMD, DN, VD, 0, Z | G(VHADD_Q)),                    /* SHADD, ... */
	DO (0xFF38E000, 0x44188000, SIMD, DN, VD, 0, Z | G(VADD_SAT_Q)),                 /* SQADD, ... */
	DO (0xFF30E000, 0x44008000, SIMD, DN, VD, 0, Z | G(VRSHL_Q)),                    /* SRSHL, SQSHL, ... */
	DO (0xFF3EE000, 0x4404A000, SIMD, DN, VD, 0, Z | G(VADALP_Q) | ACC(VD)),         /* SADALP, UADALP */
	DO (0xFF3EE000, 0x4408A000, SIMD, DN, VD, 0, Z | G(VABS_SAT_Q)),                 /* SQABS, SQNEG */
	DO (0xFF3EE000, 0x4400A000, SIMD, DN, VD, 0, Z | G(VRECPE_4)),                   /* URECPE, URSQRTE */
	DO (0xFF20E000, 0x4400A000, SIMD, DN, VD, 0, Z | G(VADDP_Q)),                    /* ADDP, SMAXP, ... */
	DO (0xFF20F800, 0x4400C000, SIMD, R4, VD, 0, Z | G(VMAX_Q)),                     /* SCLAMP, UCLAMP */
	DO (0xFFE0F800, 0x44E00000, SIMD, R4, VD, 0, Z | G(SVE_DOT_64) | ACC(VD) | M4),      /* SDOT, UDOT by element */
	DO (0xFFE0E000, 0x44E02000, SIMD, R4, VD, 0, Z | G(VQMLAL) | ACC(VD) | M4),      /* SQDMLALB */
	DO (0xFFE0F000, 0x44E04000, SIMD, R4, VD, 0, Z | G(VDOT_Q) | ACC(VD) | M4),      /* CDOT */
	DO (0xFFE0E000, 0x44E06000, SIMD, R4, VD, 0, Z | G(VQMLA_Q) | ACC(VD) | M4),     /* CMLA, SQRDCMLAH */
	DO (0xFFE08000, 0x44E00000, SIMD, R4, VD, 0, Z | G(SVE_MLA_64) | ACC(VD) | M4),  /* MLA, SQRDMLAH */
	DO (0xFFE0C000, 0x44E08000, SIMD, R4, VD, 0, Z | G(VMLAL) | ACC(VD) | M4),       /* SMLALB, ... */
	DO (0xFFE0F000, 0x44E0F000, SIMD, R3, VD, 0, Z | G(SVE_MUL_64) | M4),            /* SQDMULH, MUL */
	DO (0xFFE0C000, 0x44E0C000, SIMD, R3, VD, 0, Z | G(SVE_MULL) | M4),                 /* SMULLB, SQDMULLB */
	DO (0xFF20F800, 0x44200000, SIMD, R4, VD, 0, Z | G(VDOT_Q) | ACC(VD) | M3),
	DO (0xFF20F800, 0x44201800, SIMD, R4, VD, 0, Z | G(VDOT_Q) | ACC(VD) | M3),      /* USDOT, SUDOT */
	DO (0xFF20E000, 0x44202000, SIMD, R4, VD, 0, Z | G(VQMLAL) | ACC(VD) | M3),
	DO (0xFF20F000, 0x44204000, SIMD, R4, VD, 0, Z | G(VDOT_Q) | ACC(VD) | M3),
	DO (0xFF20E000, 0x44206000, SIMD, R4, VD, 0, Z | G(VQMLA_Q) | ACC(VD) | M3),
	DO (0xFF20FC00, 0x44200800, SIMD, R4, VD, 0, Z | G(VMLA_ELEM_Q) | ACC(VD) | M3), /* MLA, MLS */
	DO (0xFF20FC00, 0x44200C00, SIMD, R4, VD, 0, Z | G(VMLA_ELEM_Q) | ACC(VD) | M3),
	DO (0xFF208000, 0x44200000, SIMD, R4, VD, 0, Z | G(VQMLA_Q) | ACC(VD) | M3),     /* SQRDMLAH */
	DO (0xFF20C000, 0x44208000, SIMD, R4, VD, 0, Z | G(VMLAL) | ACC(VD) | M3),
	DO (0xFF20F800, 0x4420F800, SIMD, R3, VD, 0, Z | G(VMUL_ELEM_Q) | M3),           /* MUL */
	DO (0xFF20F800, 0x4420F000, SIMD, R3, VD, 0, Z | G(VQMUL_ELEM_Q) | M3),          /* SQDMULH */
	DO (0xFF20C000, 0x4420C000, SIMD, R3, VD, 0, Z | G(SVE_MULL) | M3),

	/* 0x45: SVE2's widening and narrowing, AES, SM4, SHA3 */
	DO (0xFF20F800, 0x45006800, SIMD, R3, VD, 0, Z | G(VPMULL)),                     /* PMULLB */
	DO (0xFF20E000, 0x45006000, SIMD, R3, VD, 0, Z | G(SVE_MULL)),                      /* SMULLB, SQDMULLB */
	DO (0xFF20F000, 0x45003000, SIMD, R3, VD, 0, Z | G(VABDL)),                      /* SABDLB */
	DO (0xFF20E000, 0x45004000, SIMD, R3, VD, 0, Z | G(VADDW)),                      /* SADDWB */
	DO (0xFF208000, 0x45000000, SIMD, R3, VD, 0, Z | G(VADDL)),                      /* SADDLB */
	DO (0xFF20F800, 0x45009000, SIMD, R4, VD, 0, Z | G(VLOGIC_Q)),                   /* EORBT, EORTB */
	DO (0xFF20FC00, 0x45009800, SIMD, R4, VD, 0, Z | G(VMMLA_Q) | ACC(VD)),          /* SMMLA, ... */
	DO (0xFF20F000, 0x45008000, SIMD, R3, VD, 0, Z | G(VADDL)),                      /* SADDLBT */
	DO (0xFF20F000, 0x4500A000, SIMD, R2, VD, 0, Z | G(VSHLL)),                      /* SSHLLB */
	DO (0xFF20F000, 0x4500B000, SIMD, R3, VD, 0, Z | G(SVE_BITS)),                   /* BEXT, BDEP, BGRP */
	DO (0xFF20F000, 0x4500C000, SIMD, R4, VD, 0, Z | G(VABAL) | ACC(VD)),            /* SABALB */
	DO (0xFF20F800, 0x4500D000, SIMD, R4, VD, 0, Z | G(VADD_Q)),                     /* ADCLB */
	DO (0xFF3EF800, 0x4500D800, SIMD, DN, VD, 0, Z | G(VADD_Q)),                     /* CADD, SQCADD */
	DO (0xFF20F800, 0x4500E800, SIMD, DN, VD, 0, Z | G(VRSRA_Q) | ACC(VD)),          /* SRSRA */
	DO (0xFF20F000, 0x4500E000, SIMD, DN, VD, 0, Z | G(VSRA_Q) | ACC(VD)),           /* SSRA */
	DO (0xFF20F800, 0x4500F000, SIMD, DN, VD, 0, Z | G(VSLI_Q)),                     /* SRI, SLI */
	DO (0xFF20F800, 0x4500F800, SIMD, R4, VD, 0, Z | G(VABA_Q) | ACC(VD)),           /* SABA */
	DO (0xFF20C400, 0x45200000, SIMD, R2, VD, 0, Z | G(VSHRN)),                      /* SHRNB, SQRSHRNB, ... */
	DO (0xFF20C400, 0x45200400, SIMD, DN, VD, 0, Z | G(VSHRN)),
	DO (0xFF20E400, 0x45204000, SIMD, R2, VD, 0, Z | G(VQXTN)),                      /* SQXTNB */
	DO (0xFF20E400, 0x45204400, SIMD, DN, VD, 0, Z | G(VQXTN)),
	DO (0xFF20E400, 0x45206000, SIMD, R3, VD, 0, Z | G(VADDHN)),                     /* ADDHNB */
	DO (0xFF20E400, 0x45206400, SIMD, R4, VD, 0, Z | G(VADDHN)),
	DO (0xFF20E000, 0x45208000, SIMD, R3, 0, 0, Z | WF | G(SVE_CMP)),                /* MATCH, NMATCH */
	DO (0xFF20E000, 0x4520A000, SIMD, R3, VD, 0, Z | G(SVE_HIST)),                   /* HISTSEG */
	DO (0xFF20E000, 0x4520C000, SIMD, R3, VD, 0, Z | G(SVE_HIST)),                   /* HISTCNT */
	DO (0xFFFFFBE0, 0x4520E000, SIMD, VD, VD, 0, Z | G(AESMC)),                      /* AESMC, AESIMC */
	DO (0xFFFFF800, 0x4522E000, SIMD, DN, VD, 0, Z | G(AES)),                        /* AESE, AESD */
	DO (0xFFFFFC00, 0x4523E000, SIMD, DN, VD, 0, Z | G(SM4)),                        /* SM4E */
	DO (0xFF20FC00, 0x4520F400, SIMD, R3, VD, 0, Z | G(EOR3)),                       /* RAX1 */
	DO (0xFF20F000, 0x4520F000, SIMD, R3, VD, 0, Z | G(SM4)),                        /* SM4EKEY */

	/* 0x64, 0x65: floating point */
	DO (0xFF208000, 0x64000000, SIMD, R4, VD, 0, Z | G(VFCMLA_Q) | ACC(VD)),         /* FCMLA */
	DO (0xFF3EE000, 0x64008000, SIMD, DN, VD, 0, Z | G(VFADD_Q)),                    /* FCADD */
	DO (0xFF38E000, 0x64108000, SIMD, DN, VD, 0, Z | G(VFADDP_Q)),                   /* FADDP, FMAXP, ... */
	DO (0xFF20E000, 0x6400A000, SIMD, DN, VD, 0, Z | G(VFCVT_4)),                    /* FCVTNT, FCVTLT, BFCVTNT */
	DO (0xFFE0FC00, 0x64E02000, SIMD, R3, VD, 0, Z | G(VFMUL_Q) | M4),               /* FMUL by element */
	DO (0xFF20FC00, 0x64202000, SIMD, R3, VD, 0, Z | G(VFMUL_Q) | M3),
	DO (0xFFE0F000, 0x64E01000, SIMD, R4, VD, 0, Z | G(VFCMLA_Q) | ACC(VD) | M4),    /* FCMLA by element */
	DO (0xFFE0F000, 0x64A01000, SIMD, R4, VD, 0, Z | G(VFCMLA_Q) | ACC(VD) | M3),
	DO (0xFFE0F800, 0x64E00000, SIMD, R4, VD, 0, Z | G(VFMLA_Q) | ACC(VD) | M4),     /* FMLA by element */
	DO (0xFF20F800, 0x64200000, SIMD, R4, VD, 0, Z | G(VFMLA_Q) | ACC(VD) | M3),
	DO (0xFFE0FC00, 0x64604000, SIMD, R4, VD, 0, Z | G(VBFDOT_Q) | ACC(VD) | M3),    /* BFDOT by element */
	DO (0xFF20C000, 0x64204000, SIMD, R4, VD, 0, Z | G(VFMLAL_Q) | ACC(VD) | M3),    /* FMLALB by element */
	DO (0xFFE0FC00, 0x64608000, SIMD, R4, VD, 0, Z | G(VBFDOT_Q) | ACC(VD)),         /* BFDOT */
	DO (0xFF20FC00, 0x6420E400, SIMD, R4, VD, 0, Z | G(VBFMMLA_Q) | ACC(VD)),        /* BFMMLA, FMMLA */
	DO (0xFF20C000, 0x64208000, SIMD, R4, VD, 0, Z | G(VFMLAL_Q) | ACC(VD)),         /* FMLALB, BFMLALB */
	DO (0xFF20FC00, 0x65000800, SIMD, R3, VD, 0, Z | G(VFMUL_Q)),                    /* FMUL, */
	DO (0xFF20FC00, 0x65000C00, SIMD, R3, VD, 0, Z | G(VFMUL_Q)),                    /* FTSMUL */
	DO (0xFF20F800, 0x65001800, SIMD, R3, VD, 0, Z | G(SVE_FRECPS)),                  /* FRECPS, FRSQRTS */
	DO (0xFF20F800, 0x65000000, SIMD, R3, VD, 0, Z | G(VFADD_Q)),                    /* FADD, FSUB */
	DO (0xFFFEFC00, 0x654E3000, SIMD, R2, VD, 0, Z | G(VFRECPE_8)),                  /* FRECPE, FRSQRTE */
	DO (0xFFFEFC00, 0x65CE3000, SIMD, R2, VD, 0, Z | G(VFRECPE)),
	DO (0xFF3EFC00, 0x650E3000, SIMD, R2, VD, 0, Z | G(VFRECPE_4)),
	DO (0xFF38E000, 0x65102000, SIMD, R2, 0, 0, Z | G(SVE_FCMP)),                    /* FCMEQ with zero */
	DO (0xFFFFE000, 0x65582000, SIMD, DN, VD, 0, Z | G(SVE_FADDA_16)),               /* FADDA */
	DO (0xFFFFE000, 0x65D82000, SIMD, DN, VD, 0, Z | G(SVE_FADDA_64)),
	DO (0xFF3FE000, 0x65182000, SIMD, DN, VD, 0, Z | G(SVE_FADDA_32)),
	DO (0xFFF8E000, 0x65402000, SIMD, R2, VD, 0, Z | G(SVE_FREDUCE_16)),             /* FADDV, FMAXV, ... */
	DO (0xFFF8E000, 0x65C02000, SIMD, R2, VD, 0, Z | G(SVE_FREDUCE_64)),
	DO (0xFF38E000, 0x65002000, SIMD, R2, VD, 0, Z | G(SVE_FREDUCE_32)),
	DO (0xFF20C000, 0x65004000, SIMD, R3, 0, 0, Z | G(SVE_FCMP)),                    /* FCMEQ, FACGT, ... */
	DO (0xFF20C000, 0x6500C000, SIMD, R3, 0, 0, Z | G(SVE_FCMP)),
	DO (0xFFFEE000, 0x654C8000, SIMD, DN, VD, 0, Z | G(SVE_FDIV_16)),                /* FDIV, FDIVR */
	DO (0xFFFEE000, 0x658C8000, SIMD, DN, VD, 0, Z | G(SVE_FDIV_32)),
	DO (0xFFFEE000, 0x65CC8000, SIMD, DN, VD, 0, Z | G(SVE_FDIV_64)),
	DO (0xFF3FE000, 0x65028000, SIMD, DN, VD, 0, Z | G(VFMUL_Q)),                    /* FMUL, */
	DO (0xFF3FE000, 0x65098000, SIMD, DN, VD, 0, Z | G(VFMUL_Q)),                    /* FSCALE, */
	DO (0xFF3FE000, 0x650A8000, SIMD, DN, VD, 0, Z | G(VFMUL_Q)),                    /* FMULX */
	DO (0xFF3CE000, 0x65048000, SIMD, DN, VD, 0, Z | G(VFMAX_Q)),                    /* FMAX, FMINNM, ... */
	DO (0xFF30E000, 0x65008000, SIMD, DN, VD, 0, Z | G(VFADD_Q)),                    /* FADD, FSUBR, FABD */
	DO (0xFF38FC00, 0x65108000, SIMD, DN, VD, 0, Z | G(VFMLA_Q)),                    /* FTMAD */
	DO (0xFF38E000, 0x65188000, SIMD, VD, VD, 0, Z | G(VFADD_Q)),                    /* with an immediate */
	DO (0xFFFFE000, 0x654DA000, SIMD, DN, VD, 0, Z | G(SVE_FSQRT_16)),               /* FSQRT */
	DO (0xFFFFE000, 0x658DA000, SIMD, DN, VD, 0, Z | G(SVE_FSQRT_32)),
	DO (0xFFFFE000, 0x65CDA000, SIMD, DN, VD, 0, Z | G(SVE_FSQRT_64)),
	DO (0xFFFFE000, 0x654CA000, SIMD, DN, VD, 0, Z | G(VFRECPE_8)),                  /* FRECPX */
	DO (0xFFFFE000, 0x65CCA000, SIMD, DN, VD, 0, Z | G(VFRECPE)),
	DO (0xFF3FE000, 0x650CA000, SIMD, DN, VD, 0, Z | G(VFRECPE_4)),
	DO (0xFFF8E000, 0x6540A000, SIMD, DN, VD, 0, Z | G(VFRINT_8)),                   /* FRINTN, ... */
	DO (0xFFF8E000, 0x65C0A000, SIMD, DN, VD, 0, Z | G(VFRINT)),
	DO (0xFF38E000, 0x6500A000, SIMD, DN, VD, 0, Z | G(VFRINT_4)),
	DO (0xFFE0E000, 0x6540A000, SIMD, DN, VD, 0, Z | G(VFCVT_8)),                    /* FCVT, SCVTF, FCVTZS, FLOGB */
	DO (0xFFE0E000, 0x65C0A000, SIMD, DN, VD, 0, Z | G(VFCVT)),
	DO (0xFF20E000, 0x6500A000, SIMD, DN, VD, 0, Z | G(VFCVT_4)),
	DO (0xFF208000, 0x65200000, SIMD, R4, VD, 0, Z | G(VFMLA_Q) | ACC(VD)),          /* FMLA, FNMLS, ... */
	DO (0xFF208000, 0x65208000, SIMD, R4, VD, 0, Z | G(VFMLA_Q) | ACC(VM)),          /* FMAD, FNMSB, ... */

	/* loads and stores */
	MEM(0xFFA08010, 0x84200000, LOAD, 0, N | VM, 0, N | VM, Z | SPN | COND, BACK_NO), /* prefetches: 32-bit offsets, */
	MEM(0xFFC08010, 0x85C00000, LOAD, 0, N, 0, N, Z | SPN | COND, BACK_NO),          /* an immediate, */
	MEM(0xFE60E010, 0x8400C000, LOAD, 0, N | M, 0, N | M, Z | SPN | COND, BACK_NO),  /* a register, */
	MEM(0xFE60E010, 0x8400E000, LOAD, 0, VN, 0, VN, Z | COND, BACK_NO),              /* 32-bit addresses, */
	MEM(0xFFA08010, 0xC4200000, LOAD, 0, N | VM, 0, N | VM, Z | SPN | COND, BACK_NO), /* unpacked 32-bit offsets, */
	MEM(0xFFE08010, 0xC4608000, LOAD, 0, N | VM, 0, N | VM, Z | SPN | COND, BACK_NO), /* 64-bit offsets, */
	MEM(0xFE60E010, 0xC400E000, LOAD, 0, VN, 0, VN, Z | COND, BACK_NO),              /* 64-bit addresses */
	MEM(0xFFC0E000, 0x85800000, LOAD, 16, N, 0, N, Z | SPN | COND | G(SVE_LDR_PRED), BACK_NO),         /* LDR of a predicate, */
	MEM(0xFFC0E000, 0x85804000, LOAD, 16, N, VD, N, Z | SPN | COND | G(SVE_LD1), BACK_NO),        /* a vector */
	MEM(0xFE608000, 0x84208000, LOAD, 16, VN, VD, VN, Z | COND | G(SVE_GATHER), BACK_NO),            /* gathers: vector of addresses, */
	MEM(0xFE608000, 0xC4208000, LOAD, 16, VN, VD, VN, Z | COND | G(SVE_GATHER), BACK_NO),
	MEM(0xFE60C000, 0x84008000, LOAD, 16, VN | M, VD, VN | M, Z | COND | G(SVE_GATHER), BACK_NO),    /* and a register (LDNT1), */
	MEM(0xFE60A000, 0xC4008000, LOAD, 16, VN | M, VD, VN | M, Z | COND | G(SVE_GATHER), BACK_NO),
	MEM(0xFE008000, 0x84000000, LOAD, 16, N | VM, VD, N | VM, Z | SPN | COND | G(SVE_GATHER), BACK_NO), /* vector of offsets */
	MEM(0xFE000000, 0xC4000000, LOAD, 16, N | VM, VD, N | VM, Z | SPN | COND | G(SVE_GATHER), BACK_NO),
	MEM(0xFE000000, 0x84000000, LOAD, 16, N, VD, N, Z | SPN | COND | G(SVE_LD1), BACK_NO),        /* LD1RB, ... */
	MEM(0xFE60E000, 0xA420C000, LOAD, 16, N | M, 0, N | M, Z | SPN | COND | G(SVE_LD2) | MORE(STRUCT2), BACK_NO), /* LD2 to LD4 */
	MEM(0xFE60E000, 0xA440C000, LOAD, 16, N | M, 0, N | M, Z | SPN | COND | G(SVE_LD3) | MORE(STRUCT3), BACK_NO),
	MEM(0xFE60E000, 0xA460C000, LOAD, 16, N | M, 0, N | M, Z | SPN | COND | G(SVE_LD4) | MORE(STRUCT4), BACK_NO),
	MEM(0xFE60E000, 0xA420E000, LOAD, 16, N, 0, N, Z | SPN | COND | G(SVE_LD2) | MORE(STRUCT2), BACK_NO),
	MEM(0xFE60E000, 0xA440E000, LOAD, 16, N, 0, N, Z | SPN | COND | G(SVE_LD3) | MORE(STRUCT3), BACK_NO),
	MEM(0xFE60E000, 0xA460E000, LOAD, 16, N, 0, N, Z | SPN | COND | G(SVE_LD4) | MORE(STRUCT4), BACK_NO),
	MEM(0xFE00E000, 0xA4006000, LOAD, 16, N | M, VD, N | M, Z | SPN | COND | G(SVE_LD1), BACK_NO), /* LDFF1 */
	MEM(0xFE002000, 0xA4000000, LOAD, 16, N | M, VD, N | M, Z | SPN | COND | G(SVE_LD1), BACK_NO), /* LD1 of a register offset */
	MEM(0xFE000000, 0xA4000000, LOAD, 16, N, VD, N, Z | SPN | COND | G(SVE_LD1), BACK_NO),        /* of an immediate offset */
	MEM(0xFFC0E000, 0xE5800000, STORE, 16, N, 0, N, Z | SPN | COND, BACK_NO),        /* STR of a predicate, */
	MEM(0xFFC0E000, 0xE5804000, STORE, 16, N | VD, 0, N, Z | SPN | COND | G(SVE_ST1), BACK_NO),   /* a vector */
	MEM(0xFE00E000, 0xE4004000, STORE, 16, N | M | VD, 0, N | M, Z | SPN | COND | G(SVE_ST1), BACK_NO), /* ST1 of a register offset */
	MEM(0xFE60E000, 0xE4006000, STORE, 16, N | M | VD, 0, N | M, Z | SPN | COND | G(SVE_ST1), BACK_NO), /* STNT1 */
	MEM(0xFE60E000, 0xE4206000, STORE, 16, N | M, 0, N | M, Z | SPN | COND | G(SVE_ST2) | MORE(STRUCT2), BACK_NO), /* ST2 to ST4 */
	MEM(0xFE60E000, 0xE4406000, STORE, 16, N | M, 0, N | M, Z | SPN | COND | G(SVE_ST3) | MORE(STRUCT3), BACK_NO),
	MEM(0xFE60E000, 0xE4606000, STORE, 16, N | M, 0, N | M, Z | SPN | COND | G(SVE_ST4) | MORE(STRUCT4), BACK_NO),
	MEM(0xFE70E000, 0xE430E000, STORE, 16, N, 0, N, Z | SPN | COND | G(SVE_ST2) | MORE(STRUCT2), BACK_NO),
	MEM(0xFE70E000, 0xE450E000, STORE, 16, N, 0, N, Z | SPN | COND | G(SVE_ST3) | MORE(STRUCT3), BACK_NO),
	MEM(0xFE70E000, 0xE470E000, STORE, 16, N, 0, N, Z | SPN | COND | G(SVE_ST4) | MORE(STRUCT4), BACK_NO),
	MEM(0xFE00E000, 0xE400E000, STORE, 16, N | VD, 0, N, Z | SPN | COND | G(SVE_ST1), BACK_NO),   /* ST1 of an immediate offset */
	MEM(0xFE40E000, 0xE440A000, STORE, 16, VN | VD, 0, VN, Z | COND | G(SVE_SCATTER), BACK_NO),       /* scatters: vector of addresses, */
	MEM(0xFE00E000, 0xE4002000, STORE, 16, VN | M | VD, 0, VN | M, Z | COND | G(SVE_SCATTER), BACK_NO), /* and a register (STNT1), */
	MEM(0xFE008000, 0xE4008000, STORE, 16, N | VM | VD, 0, N | VM, Z | SPN | COND | G(SVE_SCATTER), BACK_NO), /* vector of offsets */
};
/* clang-format on */

const struct apmu_isa__rows apmu_isa__rows_a64_sve = {row, sizeof(row) / sizeof(row[0])};
