/* SPDX-License-Identifier: MIT */
/*
 * A64: scalar floating point and Advanced SIMD (DDI0487 C4.1.96), in the order of the encoding index. First
 * match wins. A destination that keeps a part of its value, or is added to, is also read.
 */
#include "isa/classify_rows.h"

#define C  TRAIT(CRYPTO)
#define A  TRAIT(ASE)
#define R2 VN
#define R3 (VN | VM)

/* clang-format off */
static const struct apmu_isa__row row[] = {
	/* floating point: between a general register and a vector register */
	DO (0xFFFFFC00, 0x9EAF0000, VFP, N | VD, VD, 0, G(FMOV_FROM)),                    /* FMOV V.D[1],X */
	DO (0xFFFFFC00, 0x1E7E0000, VFP, VN, D, 0, G(FCVT_TO) | WF),                     /* FJCVTZS */
	DO (0x7F27FC00, 0x1E260000, VFP, VN, D, 0, G(FMOV_TO)),
	DO (0x7F27FFE0, 0x1E2703E0, VFP, N, VD, 0, G(FMOV_ZERO)),                        /* FMOV from ZR */
	DO (0x7F27FC00, 0x1E270000, VFP, N, VD, 0, G(FMOV_FROM)),                        /* FMOV from general */
	DO (0x7F26FC00, 0x1E220000, VFP, N, VD, 0, G(FCVT_FROM)),                        /* SCVTF, UCVTF */
	DO (0x7F20FC00, 0x1E200000, VFP, VN, D, 0, G(FCVT_TO)),                          /* FCVT to integer */
	DO (0x7F3E0000, 0x1E020000, VFP, N, VD, 0, G(FCVT_FROM)),                        /* SCVTF, UCVTF fixed point */
	DO (0x7F3E0000, 0x1E180000, VFP, VN, D, 0, G(FCVT_TO)),                          /* FCVTZS, FCVTZU fixed point */

	/* one source */
	DO (0xFFFFFC00, 0x1E61C000, VFP_DIV_64, R2, VD, 0, G(FSQRT_64)),                 /* FSQRT D */
	DO (0xFFFFFC00, 0x1EE1C000, VFP_DIV, R2, VD, 0, G(FSQRT_16)),
	DO (0xFF3FFC00, 0x1E21C000, VFP_DIV, R2, VD, 0, G(FSQRT_32)),
	DO (0xFF3FFC00, 0x1E204000, VFP, R2, VD, 0, G(FMOV)),                            /* FMOV */
	DO (0xFF3FFC00, 0x1E214000, VFP, R2, VD, 0, G(FABS)),                            /* FNEG */
	DO (0xFF3FFC00, 0x1E20C000, VFP, R2, VD, 0, G(FABS)),                            /* FABS */
	DO (0xFF3E7C00, 0x1E224000, VFP, R2, VD, 0, G(FCVT)),                            /* FCVT */
	DO (0xFF207C00, 0x1E204000, VFP, R2, VD, 0, G(FRINT)),                           /* FRINT... */
	/* compares, immediates, selects */
	DO (0xFF20FC0F, 0x1E202008, VFP, VN, 0, 0, G(FCMP) | WF),                        /* FCMP #0.0 */
	DO (0xFF20FC0F, 0x1E202000, VFP, R3, 0, 0, G(FCMP) | WF),                        /* FCMP */
	DO (0xFF201FE0, 0x1E201000, VFP, 0, VD, 0, G(FMOV_IMM)),                         /* FMOV #imm */
	DO (0xFF200C00, 0x1E200400, VFP, R3, 0, 0, G(FCCMP) | RF | WF),                  /* FCCMP */
	DO (0xFF200C00, 0x1E200C00, VFP, R3, VD, 0, G(FCSEL) | RF),                      /* FCSEL */
	/* two and three sources */
	DO (0xFFE0FC00, 0x1E601800, VFP_DIV_64, R3, VD, 0, G(FDIV_64)),                  /* FDIV D */
	DO (0xFFE0FC00, 0x1EE01800, VFP_DIV, R3, VD, 0, G(FDIV_16)),
	DO (0xFF20FC00, 0x1E201800, VFP_DIV, R3, VD, 0, G(FDIV_32)),
	DO (0xFFE07C00, 0x1E600800, VFP, R3, VD, 0, G(FMUL_64)),                         /* double precision */
	DO (0xFF207C00, 0x1E200800, VFP, R3, VD, 0, G(FMUL)),                            /* FMUL, FNMUL */
	DO (0xFF20CC00, 0x1E204800, VFP, R3, VD, 0, G(FMAX)),                            /* FMAX, FMIN, FMAXNM, FMINNM */
	DO (0xFF20EC00, 0x1E202800, VFP, R3, VD, 0, G(FADD)),                            /* FADD, FSUB */
	DO (0xFFC00000, 0x1F400000, VFP_MAC, R3 | VS, VD, R3, G(FMADD_64) | ACC(VS)),    /* double precision */
	DO (0xFF000000, 0x1F000000, VFP_MAC, R3 | VS, VD, R3, G(FMADD) | ACC(VS)),       /* FMADD, ... */
	DO (0x7F000000, 0x1E000000, VFP, R3, VD, 0, 0),

	/* AES and SHA */
	DO (0xFFFFEC00, 0x4E284800, SIMD, VN | VD, VD, 0, G(AES) | C),                   /* AESE, AESD */
	DO (0xFFFFEC00, 0x4E286800, SIMD, VN, VD, 0, G(AESMC) | C | ACC(VN)),            /* AESMC, AESIMC */
	DO (0xFFE0FC00, 0x5E003000, SIMD, R3 | VD, VD, 0, G(SHA1SU) | C),                /* SHA1SU0 */
	DO (0xFFE0CC00, 0x5E000000, SIMD, R3 | VD, VD, 0, G(SHA1) | C),                  /* SHA1C, SHA1P, SHA1M */
	DO (0xFFE0FC00, 0x5E006000, SIMD, R3 | VD, VD, 0, G(SHA256SU1) | C),             /* SHA256SU1 */
	DO (0xFFE08C00, 0x5E000000, SIMD, R3 | VD, VD, 0, G(SHA256) | C | ACC(VD)),      /* SHA256H, SHA256H2 */
	DO (0xFFFFFC00, 0x5E280800, SIMD, VN, VD, 0, G(SHA1H) | C),                      /* SHA1H */
	DO (0xFFFFFC00, 0x5E282800, SIMD, VN | VD, VD, 0, G(SHA256SU0) | C),             /* SHA256SU0 */
	DO (0xFFFF0C00, 0x5E280800, SIMD, VN | VD, VD, 0, G(SHA1SU) | C),                /* SHA1SU1 */
	DO (0xFFE0FC00, 0xCE608C00, SIMD, R3, VD, 0, G(EOR3) | C),                       /* RAX1 */
	DO (0xFFE0F000, 0xCE608000, SIMD, R3 | VD, VD, 0, G(SHA512) | C | ACC(VD)),      /* SHA512H, SHA512H2, SHA512SU1 */
	DO (0xFFE0FC00, 0xCE60C800, SIMD, R3, VD, 0, G(SM4) | C),                        /* SM4EKEY */
	DO (0xFFE0F000, 0xCE60C000, SIMD, R3 | VD, VD, 0, G(SM3) | C),                   /* SM3PARTW1, SM3PARTW2 */
	DO (0xFFE0C000, 0xCE408000, SIMD, R3 | VD, VD, 0, G(SM3) | C),                   /* SM3TT1A, ... */
	DO (0xFFFFFC00, 0xCEC08400, SIMD, VN | VD, VD, 0, G(SM4) | C),                   /* SM4E */
	DO (0xFFFFF000, 0xCEC08000, SIMD, VN | VD, VD, 0, G(SHA512) | C | ACC(VD)),      /* SHA512SU0 */
	DO (0xFFE08000, 0xCE400000, SIMD, R3 | VS, VD, 0, G(SM3) | C),                   /* SM3SS1 */
	DO (0xFF808000, 0xCE000000, SIMD, R3 | VS, VD, 0, G(EOR3) | C),                  /* EOR3, BCAX */
	DO (0xFFE00000, 0xCE800000, SIMD, R3, VD, 0, G(EOR3) | C),                       /* XAR */

	/* scalar Advanced SIMD */
	DO (0xFFE0FC00, 0x5E000400, SIMD, R2, VD, 0, G(VDUP)),                           /* DUP element */
	DO (0xDF60FC00, 0x5E401C00, SIMD, R3, VD, 0, G(VFMUL)),
	DO (0xDFE0FC00, 0x5E403C00, SIMD, R3, VD, 0, G(VFRECPS)),                        /* FRECPS, FRSQRTS */
	DO (0xDFE0FC00, 0x5EC03C00, SIMD, R3, VD, 0, G(VFRECPS)),
	DO (0xFFE0FC00, 0x7EC01400, SIMD, R3, VD, 0, G(VFADD)),                          /* FABD */
	DO (0xDF60C400, 0x5E400400, SIMD, R3, VD, 0, G(VFCMP)),                          /* compares */
	DO (0xDFFFCC00, 0x5EF8C800, SIMD, R2, VD, 0, G(VFCMP)),                          /* half, one source: compares with zero, */
	DO (0xDFFFDC00, 0x5EF9D800, SIMD, R2, VD, 0, G(VFRECPE)),                        /* FRECPE, FRECPX, FRSQRTE, ... */
	DO (0xDF7E0C00, 0x5E780800, SIMD, R2, VD, 0, G(VFCVT)),
	DO (0xDF208400, 0x5E008400, SIMD, R3 | VD, VD, 0, G(VQMLA) | ACC(VD)),           /* SQRDMLAH, SQRDMLSH */
	DO (0xDF3FFC00, 0x5E203800, SIMD, R2 | VD, VD, 0, G(VADD_SAT)),                  /* SUQADD, USQADD */
	DO (0xDF3FFC00, 0x5E207800, SIMD, R2, VD, 0, G(VABS_SAT)),                       /* SQABS, SQNEG */
	DO (0xDF3FFC00, 0x5E20B800, SIMD, R2, VD, 0, G(VABS)),                           /* ABS, NEG */
	DO (0xDF3FCC00, 0x5E208800, SIMD, R2, VD, 0, G(VCMP)),                           /* CMGT #0, CMEQ, CMLT, CMGE */
	DO (0xDF3FFC00, 0x5E212800, SIMD, R2, VD, 0, G(VQXTN)),                          /* SQXTUN */
	DO (0xDF3FFC00, 0x5E214800, SIMD, R2, VD, 0, G(VQXTN)),                          /* SQXTN, UQXTN */
	DO (0xFF3FFC00, 0x7E216800, SIMD, R2, VD, 0, G(VFCVTN)),                         /* FCVTXN */
	DO (0xDFBFCC00, 0x5EA0C800, SIMD, R2, VD, 0, G(VFCMP)),                          /* FCMGT #0.0, ... */
	DO (0xDFBFDC00, 0x5EA1D800, SIMD, R2, VD, 0, G(VFRECPE)),                        /* FRECPE, FRECPX, FRSQRTE */
	DO (0xDF3E0C00, 0x5E200800, SIMD, R2, VD, 0, G(VFCVT)),                          /* FCVT..., SCVTF */
	DO (0xDF3FFC00, 0x5E31B800, SIMD, R2, VD, 0, G(VADDP)),                          /* ADDP */
	DO (0xDF3FFC00, 0x5E30D800, SIMD, R2, VD, 0, G(FADDP)),                          /* FADDP */
	DO (0xDF3E0C00, 0x5E300800, SIMD, R2, VD, 0, G(FMAXP)),                          /* FMAXP, ... */
	DO (0xFF20DC00, 0x5E209000, SIMD, R3 | VD, VD, 0, G(VQMLAL) | ACC(VD)),          /* SQDMLAL, SQDMLSL */
	DO (0xDF200C00, 0x5E200000, SIMD, R3, VD, 0, G(VQMULL)),                         /* SQDMULL */
	DO (0xDF20FC00, 0x5E200C00, SIMD, R3, VD, 0, G(VADD_SAT)),                       /* SQADD */
	DO (0xDF20FC00, 0x5E202C00, SIMD, R3, VD, 0, G(VADD_SAT)),                       /* SQSUB */
	DO (0xDF20F400, 0x5E203400, SIMD, R3, VD, 0, G(VCMP)),                           /* CMGT, CMGE */
	DO (0xDF20F400, 0x5E204400, SIMD, R3, VD, 0, G(VSHL)),                           /* SSHL */
	DO (0xDF20FC00, 0x5E205400, SIMD, R3, VD, 0, G(VRSHL)),                          /* SRSHL */
	DO (0xDF20E400, 0x5E204400, SIMD, R3, VD, 0, G(VQSHL)),                          /* SQSHL, SRSHL, SQRSHL */
	DO (0xDF20FC00, 0x5E208400, SIMD, R3, VD, 0, G(VADD)),                           /* ADD, SUB */
	DO (0xFF20FC00, 0x7E208C00, SIMD, R3, VD, 0, G(VCMP)),                           /* CMEQ */
	DO (0xDF20FC00, 0x5E208C00, SIMD, R3, VD, 0, G(VCMTST)),                         /* CMTST */
	DO (0xDF20FC00, 0x5E20B400, SIMD, R3, VD, 0, G(VQMUL)),                          /* SQDMULH, SQRDMULH */
	DO (0xFFA0FC00, 0x7EA0D400, SIMD, R3, VD, 0, G(VFADD)),                          /* FABD */
	DO (0xDF20FC00, 0x5E20DC00, SIMD, R3, VD, 0, G(VFMUL)),                          /* FMULX */
	DO (0xDF20FC00, 0x5E20FC00, SIMD, R3, VD, 0, G(VFRECPS)),                        /* FRECPS, FRSQRTS */
	DO (0xDF200400, 0x5E200400, SIMD, R3, VD, 0, G(VFCMP)),                          /* FCM.., FAC.. */
	DO (0xDF80FC00, 0x5F000400, SIMD, R2, VD, 0, G(VSHIFT)),                         /* SSHR, USHR */
	DO (0xDF80FC00, 0x5F001400, SIMD, R2 | VD, VD, 0, G(VSRA) | ACC(VD)),            /* SSRA */
	DO (0xDF80FC00, 0x5F002400, SIMD, R2, VD, 0, G(VRSHR)),                          /* SRSHR */
	DO (0xDF80FC00, 0x5F003400, SIMD, R2 | VD, VD, 0, G(VRSRA) | ACC(VD)),           /* SRSRA */
	DO (0xFF80FC00, 0x7F004400, SIMD, R2 | VD, VD, 0, G(VSLI)),                      /* SRI */
	DO (0xFF80FC00, 0x7F005400, SIMD, R2 | VD, VD, 0, G(VSLI)),                      /* SLI */
	DO (0xFF80FC00, 0x5F005400, SIMD, R2, VD, 0, G(VSHIFT)),                         /* SHL */
	DO (0xDF80EC00, 0x5F006400, SIMD, R2, VD, 0, G(VQSHL_IMM)),                      /* SQSHLU, SQSHL */
	DO (0xDF80E400, 0x5F008400, SIMD, R2, VD, 0, G(VQSHRN)),                         /* SQSHRN, ... */
	DO (0xDF800400, 0x5F000400, SIMD, R2, VD, 0, G(VFCVT)),                          /* SCVTF, FCVTZS fixed point */
	DO (0xFFC0B400, 0x5F403000, SIMD, R3 | VD, VD, 0, G(VQMLAL) | ACC(VD) | M4),     /* SQDMLAL, SQDMLSL by element, .H */
	DO (0xFF00B400, 0x5F003000, SIMD, R3 | VD, VD, 0, G(VQMLAL) | ACC(VD)),
	DO (0xDFC0F400, 0x5F40B000, SIMD, R3, VD, 0, G(VQMULL) | M4),                    /* SQDMULL */
	DO (0xDF00F400, 0x5F00B000, SIMD, R3, VD, 0, G(VQMULL)),
	DO (0xFFC0D400, 0x7F40D000, SIMD, R3 | VD, VD, 0, G(VQMLA) | ACC(VD) | M4),      /* SQRDMLAH, SQRDMLSH */
	DO (0xFF00D400, 0x7F00D000, SIMD, R3 | VD, VD, 0, G(VQMLA) | ACC(VD)),
	DO (0xFFC0E400, 0x5F40C000, SIMD, R3, VD, 0, G(VQMUL_ELEM) | M4),                     /* SQDMULH, SQRDMULH */
	DO (0xFF00E400, 0x5F00C000, SIMD, R3, VD, 0, G(VQMUL_ELEM)),
	DO (0xFFC0B400, 0x5F001000, SIMD, R3 | VD, VD, 0, G(VFMLA) | ACC(VD) | M4),      /* FMLA, FMLS .H */
	DO (0xFF00B400, 0x5F001000, SIMD, R3 | VD, VD, 0, G(VFMLA) | ACC(VD)),
	DO (0xDFC0F400, 0x5F009000, SIMD, R3, VD, 0, G(VFMUL) | M4),                     /* FMUL, FMULX .H */
	DO (0xDF000400, 0x5F000000, SIMD, R3, VD, 0, G(VFMUL)),

	/* vectors: tables, permutations, copies */
	DO (0xBFE0FC00, 0x0E000000, SIMD, VM, VD, 0, G(VTBL1) | WIDE | MORE(TABLE)),     /* TBL of 1 to 4 registers */
	DO (0xBFE0FC00, 0x0E002000, SIMD, VM, VD, 0, G(VTBL2) | WIDE | MORE(TABLE)),
	DO (0xBFE0FC00, 0x0E004000, SIMD, VM, VD, 0, G(VTBL3) | WIDE | MORE(TABLE)),
	DO (0xBFE0FC00, 0x0E006000, SIMD, VM, VD, 0, G(VTBL4) | WIDE | MORE(TABLE)),
	DO (0xBFE0FC00, 0x0E001000, SIMD, VM | VD, VD, 0, G(VTBX1) | WIDE | MORE(TABLE)), /* TBX */
	DO (0xBFE0FC00, 0x0E003000, SIMD, VM | VD, VD, 0, G(VTBX2) | WIDE | MORE(TABLE)),
	DO (0xBFE0FC00, 0x0E005000, SIMD, VM | VD, VD, 0, G(VTBX3) | WIDE | MORE(TABLE)),
	DO (0xBFE0FC00, 0x0E007000, SIMD, VM | VD, VD, 0, G(VTBX4) | WIDE | MORE(TABLE)),
	DO (0xBF20BC00, 0x0E002800, SIMD, R3, VD, 0, G(VTRN) | WIDE),                    /* TRN */
	DO (0xBF208C00, 0x0E000800, SIMD, R3, VD, 0, G(VZIP) | WIDE),                    /* ZIP, UZP */
	DO (0xBFE08400, 0x2E000000, SIMD, R3, VD, 0, G(VEXT) | WIDE),                    /* EXT */
	DO (0xBFE0FC00, 0x0E000400, SIMD, R2, VD, 0, G(VDUP) | WIDE),                    /* DUP element */
	DO (0xBFE0FC00, 0x0E000C00, SIMD, N, VD, 0, G(VDUP_FROM)),                /* DUP general */
	DO (0xBFE0EC00, 0x0E002C00, SIMD, VN, D, 0, G(VMOV_TO)),                         /* SMOV, UMOV */
	DO (0xFFE0FC00, 0x4E001C00, SIMD, N | VD, VD, 0, G(VINS_FROM)),                  /* INS general */
	DO (0xFFE08400, 0x6E000400, SIMD, R2 | VD, VD, 0, G(VINS)),                      /* INS element */

	/* three registers, half precision */
	DO (0xBF60FC00, 0x0E400C00, SIMD, R3 | VD, VD, 0, G(VFMLA) | WIDE | ACC(VD)),    /* FMLA, FMLS */
	DO (0xBFE0FC00, 0x0E401C00, SIMD, R3, VD, 0, G(VFMUL) | WIDE),                   /* FMULX */
	DO (0xBFE0FC00, 0x2E401C00, SIMD, R3, VD, 0, G(VFMUL) | WIDE),                   /* FMUL */
	DO (0xBFE0FC00, 0x2E403C00, SIMD, R3, VD, 0, G(VFDIV_16) | WIDE | A),            /* FDIV */
	DO (0xBF60FC00, 0x0E403C00, SIMD, R3, VD, 0, G(VFRECPS) | WIDE),                 /* FRECPS, FRSQRTS */
	DO (0xBFE0FC00, 0x2EC01400, SIMD, R3, VD, 0, G(VFADD) | WIDE),                   /* FABD */
	DO (0xBF60FC00, 0x2E401400, SIMD, R3, VD, 0, G(VFADDP) | WIDE),                  /* FADDP */
	DO (0xBF60FC00, 0x0E401400, SIMD, R3, VD, 0, G(VFADD) | WIDE),                   /* FADD, FSUB */
	DO (0xBF60FC00, 0x0E400400, SIMD, R3, VD, 0, G(VFMAX) | WIDE),                   /* FMAXNM, FMINNM */
	DO (0xBF60FC00, 0x0E403400, SIMD, R3, VD, 0, G(VFMAX) | WIDE),                   /* FMAX, FMIN */
	DO (0xBF60FC00, 0x2E400400, SIMD, R3, VD, 0, G(VFMAXP) | WIDE),                  /* FMAXNMP, FMINNMP */
	DO (0xBF60FC00, 0x2E403400, SIMD, R3, VD, 0, G(VFMAXP) | WIDE),                  /* FMAXP, FMINP */
	DO (0x9F60C400, 0x0E400400, SIMD, R3, VD, 0, G(VFCMP) | WIDE),                   /* FCM.., FAC.. */
	/* one register, half precision */
	DO (0xBFFFFC00, 0x2EF9F800, VFP_DIV, R2, VD, 0, G(VFSQRT_16) | WIDE | A),        /* FSQRT */
	DO (0x9FFFFC00, 0x0EF8F800, SIMD, R2, VD, 0, G(VFABS) | WIDE),                   /* FABS, FNEG */
	DO (0x9FFFCC00, 0x0EF8C800, SIMD, R2, VD, 0, G(VFCMP) | WIDE),                   /* FCM.. #0.0 */
	DO (0xDFFFFC00, 0x4EF9D800, SIMD, R2, VD, 0, G(VFRECPE_8)),                 /* FRECPE, FRSQRTE */
	DO (0x9FFFFC00, 0x0EF9D800, SIMD, R2, VD, 0, G(VFRECPE_4)),
	DO (0xDF7FEC00, 0x4E798800, SIMD, R2, VD, 0, G(VFRINT_8)),                  /* FRINT... */
	DO (0x9F7FEC00, 0x0E798800, SIMD, R2, VD, 0, G(VFRINT_4)),
	DO (0xDF7E0C00, 0x4E780800, SIMD, R2, VD, 0, G(VFCVT_8)),                   /* FCVT..., SCVTF */
	DO (0x9F7E0C00, 0x0E780800, SIMD, R2, VD, 0, G(VFCVT_4)),

	/* three registers, later additions */
	DO (0xBF20EC00, 0x2E00E400, SIMD, R3, VD, 0, G(VFADD) | WIDE),                   /* FCADD */
	DO (0xBF20E400, 0x2E00C400, SIMD, R3 | VD, VD, 0, G(VFCMLA) | WIDE | ACC(VD)),   /* FCMLA */
	DO (0xBF20F400, 0x2E008400, SIMD, R3 | VD, VD, 0, G(VQMLA) | WIDE | ACC(VD)),    /* SQRDMLAH, SQRDMLSH */
	DO (0x9F20F400, 0x0E009400, SIMD, R3 | VD, VD, 0, G(VDOT) | WIDE | ACC(VD)),     /* SDOT, UDOT, USDOT */
	DO (0x9F20F400, 0x0E00A400, SIMD, R3 | VD, VD, 0, G(VMMLA) | WIDE | ACC(VD)),    /* SMMLA, ... */
	DO (0xFFE0FC00, 0x6E40EC00, SIMD, R3 | VD, VD, 0, G(VBFMMLA) | WIDE | ACC(VD)),  /* BFMMLA */
	DO (0x9F20F400, 0x0E00F400, SIMD, R3 | VD, VD, 0, G(VBFDOT) | WIDE | ACC(VD)),   /* BFDOT, BFMLAL */
	DO (0x9F208400, 0x0E008400, SIMD, R3 | VD, VD, 0, G(VBFMMLA) | WIDE | ACC(VD)),

	/* one register */
	DO (0xBFFFFC00, 0x2EA1F800, VFP_DIV, R2, VD, 0, G(VFSQRT_32) | WIDE | A),        /* FSQRT S */
	DO (0xBFFFFC00, 0x2EE1F800, VFP_DIV_64, R2, VD, 0, G(VFSQRT_64) | WIDE | A),     /* FSQRT D */
	DO (0x9F3FEC00, 0x0E200800, SIMD, R2, VD, 0, G(VREV) | WIDE),                    /* REV64, REV16, REV32 */
	DO (0x9F3FFC00, 0x0E202800, SIMD, R2, VD, 0, G(VADDLP) | WIDE),                  /* SADDLP */
	DO (0x9F3FFC00, 0x0E206800, SIMD, R2 | VD, VD, 0, G(VADALP) | WIDE | ACC(VD)),   /* SADALP */
	DO (0x9F3FFC00, 0x0E203800, SIMD, R2 | VD, VD, 0, G(VADD_SAT) | WIDE),           /* SUQADD, USQADD */
	DO (0x9F3FFC00, 0x0E204800, SIMD, R2, VD, 0, G(VCLZ) | WIDE),                    /* CLS, CLZ */
	DO (0xBF3FFC00, 0x0E205800, SIMD, R2, VD, 0, G(VCNT) | WIDE),                    /* CNT */
	DO (0xBFFFFC00, 0x2E205800, SIMD, R2, VD, 0, G(VLOGIC) | WIDE),                  /* NOT */
	DO (0xBFFFFC00, 0x2E605800, SIMD, R2, VD, 0, G(VRBIT) | WIDE),                   /* RBIT */
	DO (0x9F3FFC00, 0x0E207800, SIMD, R2, VD, 0, G(VABS_SAT) | WIDE),                /* SQABS, SQNEG */
	DO (0x9F3FFC00, 0x0E20B800, SIMD, R2, VD, 0, G(VABS) | WIDE),                    /* ABS, NEG */
	DO (0x9F3FCC00, 0x0E208800, SIMD, R2, VD, 0, G(VCMP) | WIDE),                    /* CMGT #0, CMEQ, CMLT, CMGE */
	DO (0xBF3FFC00, 0x2E213800, SIMD, R2, VD, 0, G(VSHLL)),                          /* SHLL */
	DO (0xFF3FFC00, 0x0E212800, SIMD, R2, VD, 0, G(VXTN)),                           /* XTN */
	DO (0xFF3FFC00, 0x4E212800, SIMD, R2 | VD, VD, 0, G(VXTN) | ACC(VD)),                      /* XTN2 */
	DO (0xDF3FFC00, 0x0E214800, SIMD, R2, VD, 0, G(VQXTN)),                          /* SQXTN, UQXTN */
	DO (0xDF3FFC00, 0x4E214800, SIMD, R2 | VD, VD, 0, G(VQXTN) | ACC(VD)),
	DO (0xFF3FFC00, 0x2E212800, SIMD, R2, VD, 0, G(VQXTN)),                          /* SQXTUN */
	DO (0xFF3FFC00, 0x6E212800, SIMD, R2 | VD, VD, 0, G(VQXTN) | ACC(VD)),
	DO (0xDFFFFC00, 0x0E216800, SIMD, R2, VD, 0, G(VFCVTN_16)),                         /* half */
	DO (0xDF3FFC00, 0x0E216800, SIMD, R2, VD, 0, G(VFCVTN)),                         /* FCVTN, FCVTXN, BFCVTN */
	DO (0xDFFFFC00, 0x4E216800, SIMD, R2 | VD, VD, 0, G(VFCVTN_16)),
	DO (0xDF3FFC00, 0x4E216800, SIMD, R2 | VD, VD, 0, G(VFCVTN)),
	DO (0xBFFFFC00, 0x0E217800, SIMD, R2, VD, 0, G(VFCVTL_16)),                         /* half */
	DO (0xBF3FFC00, 0x0E217800, SIMD, R2, VD, 0, G(VFCVTL)),                         /* FCVTL */
	DO (0x9FBFFC00, 0x0EA0F800, SIMD, R2, VD, 0, G(VFABS) | WIDE),                   /* FABS, FNEG */
	DO (0x9FBFCC00, 0x0EA0C800, SIMD, R2, VD, 0, G(VFCMP) | WIDE),                   /* FCM.. #0.0 */
	DO (0xDFFFFC00, 0x4EA1C800, SIMD, R2, VD, 0, G(VRECPE_4)),                  /* four lanes */
	DO (0x9FBFFC00, 0x0EA1C800, SIMD, R2, VD, 0, G(VRECPE)),                  /* URECPE, URSQRTE */
	DO (0xDFFFFC00, 0x4EA1D800, SIMD, R2, VD, 0, G(VFRECPE_4)),                 /* four lanes */
	DO (0xDFFFFC00, 0x4EE1D800, SIMD, R2, VD, 0, G(VFRECPE_64)),              /* two lanes of 64 bits */
	DO (0x9FBFFC00, 0x0EA1D800, SIMD, R2, VD, 0, G(VFRECPE)),                 /* FRECPE, FRSQRTE */
	DO (0xDF7FEC00, 0x4E218800, SIMD, R2, VD, 0, G(VFRINT_4)),                  /* four lanes */
	DO (0x9F3FEC00, 0x0E218800, SIMD, R2, VD, 0, G(VFRINT)),                  /* FRINTN, ... */
	DO (0xDFFFEC00, 0x4E21E800, SIMD, R2, VD, 0, G(VFRINT_4)),                  /* four lanes */
	DO (0x9FBFEC00, 0x0E21E800, SIMD, R2, VD, 0, G(VFRINT)),                  /* FRINT32Z, ... */
	DO (0xDF7E0C00, 0x4E200800, SIMD, R2, VD, 0, G(VFCVT_4)),                   /* four lanes */
	DO (0x9F3E0C00, 0x0E200800, SIMD, R2, VD, 0, G(VFCVT)),                   /* FCVT..., SCVTF */

	/* across lanes */
	DO (0xBF3FFC00, 0x2E30C800, SIMD, R2, VD, 0, G(VFMAXV)),                         /* FMAXNMV, FMINNMV */
	DO (0xBF3FFC00, 0x2E30F800, SIMD, R2, VD, 0, G(VFMAXV)),                         /* FMAXV, FMINV */
	DO (0xBF3FFC00, 0x0E30C800, SIMD, R2, VD, 0, G(VFMAXV_16) | WIDE),               /* half precision */
	DO (0xBF3FFC00, 0x0E30F800, SIMD, R2, VD, 0, G(VFMAXV_16) | WIDE),
	DO (0xDFFEFC00, 0x0E30A800, SIMD, R2, VD, 0, G(VMAXV_8)),                        /* SMAXV, SMINV */
	DO (0xDFFE0C00, 0x0E300800, SIMD, R2, VD, 0, G(VADDV_8)),                        /* 8B */
	DO (0xDFFEFC00, 0x4E30A800, SIMD, R2, VD, 0, G(VMAXV_16)),                       /* SMAXV, SMINV */
	DO (0xDFFE0C00, 0x4E300800, SIMD, R2, VD, 0, G(VADDV_16)),                       /* 16B */
	DO (0xDFFEFC00, 0x4E70A800, SIMD, R2, VD, 0, G(VMAXV_8)),                        /* SMAXV, SMINV */
	DO (0xDFFE0C00, 0x4E700800, SIMD, R2, VD, 0, G(VADDV_8)),                        /* 8H */
	DO (0x9F3EFC00, 0x0E30A800, SIMD, R2, VD, 0, G(VMAXV_4)),                        /* SMAXV, SMINV */
	DO (0x9F3E0C00, 0x0E300800, SIMD, R2, VD, 0, G(VADDV_4)),                        /* 4H, 4S */

	/* three registers of different widths */
	DO (0x9F20DC00, 0x0E200000, SIMD, R3, VD, 0, G(VADDL)),                          /* SADDL, SSUBL */
	DO (0x9F20DC00, 0x0E201000, SIMD, R3, VD, 0, G(VADDW)),                          /* SADDW, SSUBW */
	DO (0xFF20DC00, 0x2E204000, SIMD, R3, VD, 0, G(VRADDHN)),                         /* RADDHN, RSUBHN */
	DO (0xDF20DC00, 0x0E204000, SIMD, R3, VD, 0, G(VADDHN)),                         /* ADDHN, SUBHN */
	DO (0xFF20DC00, 0x6E204000, SIMD, R3 | VD, VD, 0, G(VRADDHN)),
	DO (0xDF20DC00, 0x4E204000, SIMD, R3 | VD, VD, 0, G(VADDHN)),
	DO (0x9F20FC00, 0x0E205000, SIMD, R3 | VD, VD, 0, G(VABAL) | ACC(VD)),           /* SABAL */
	DO (0x9F20FC00, 0x0E207000, SIMD, R3, VD, 0, G(VABDL)),                          /* SABDL */
	DO (0x9FE0DC00, 0x0EA08000, SIMD, R3 | VD, VD, 0, G(VMLAL_32) | ACC(VD)),        /* SMLAL, SMLSL, .S */
	DO (0x9F20DC00, 0x0E208000, SIMD, R3 | VD, VD, 0, G(VMLAL) | ACC(VD)),           /* SMLAL, SMLSL */
	DO (0xBF20DC00, 0x0E209000, SIMD, R3 | VD, VD, 0, G(VQMLAL) | ACC(VD)),          /* SQDMLAL, SQDMLSL */
	DO (0x9FE0FC00, 0x0EA0C000, SIMD, R3, VD, 0, G(VMULL_32)),                       /* SMULL, .S */
	DO (0x9F20FC00, 0x0E20C000, SIMD, R3, VD, 0, G(VMULL)),                          /* SMULL */
	DO (0xBF20FC00, 0x0E20D000, SIMD, R3, VD, 0, G(VQMULL)),                         /* SQDMULL */
	DO (0xBFE0FC00, 0x0EE0E000, SIMD, R3, VD, 0, G(PMULL_64)),                       /* PMULL 1Q */
	DO (0xBF20FC00, 0x0E20E000, SIMD, R3, VD, 0, G(VPMULL)),                         /* PMULL 8H */

	/* three registers */
	DO (0xBFE0FC00, 0x2E201C00, SIMD, R3, VD, 0, G(VLOGIC) | WIDE),                  /* EOR */
	DO (0xBF20FC00, 0x2E201C00, SIMD, R3 | VD, VD, 0, G(VBSL) | WIDE),               /* BSL, BIT, BIF */
	DO (0xBFE0FC00, 0x0EA01C00, SIMD, R3, VD, 0, G(VLOGIC) | WIDE | MORE(SAME)),     /* ORR, MOV */
	DO (0xBF20FC00, 0x0E201C00, SIMD, R3, VD, 0, G(VLOGIC) | WIDE),                  /* AND, BIC, ORN */
	DO (0x9F20DC00, 0x0E200C00, SIMD, R3, VD, 0, G(VADD_SAT) | WIDE),                /* SQADD, SQSUB */
	DO (0x9F20DC00, 0x0E200400, SIMD, R3, VD, 0, G(VHADD) | WIDE),                   /* SHADD, SHSUB */
	DO (0x9F20FC00, 0x0E201400, SIMD, R3, VD, 0, G(VRHADD) | WIDE),                  /* SRHADD */
	DO (0x9F20F400, 0x0E203400, SIMD, R3, VD, 0, G(VCMP) | WIDE),                    /* CMGT, CMGE */
	DO (0x9F20FC00, 0x0E204400, SIMD, R3, VD, 0, G(VSHL) | WIDE),                    /* SSHL */
	DO (0x9F20FC00, 0x0E205400, SIMD, R3, VD, 0, G(VRSHL) | WIDE),                   /* SRSHL */
	DO (0x9F20E400, 0x0E204400, SIMD, R3, VD, 0, G(VQSHL) | WIDE),                   /* SQSHL, SRSHL, SQRSHL */
	DO (0x9F20F400, 0x0E206400, SIMD, R3, VD, 0, G(VMAX) | WIDE),                    /* SMAX, SMIN */
	DO (0x9F20FC00, 0x0E207400, SIMD, R3, VD, 0, G(VABD) | WIDE),                    /* SABD */
	DO (0x9F20FC00, 0x0E207C00, SIMD, R3 | VD, VD, 0, G(VABA) | WIDE | ACC(VD)),     /* SABA */
	DO (0x9F20FC00, 0x0E208400, SIMD, R3, VD, 0, G(VADD) | WIDE),                    /* ADD, SUB */
	DO (0xBF20FC00, 0x2E208C00, SIMD, R3, VD, 0, G(VCMP) | WIDE),                    /* CMEQ */
	DO (0xBF20FC00, 0x0E208C00, SIMD, R3, VD, 0, G(VCMTST) | WIDE),                  /* CMTST */
	DO (0xDFE0FC00, 0x0EA09400, SIMD, R3 | VD, VD, 0, G(VMLA_32) | ACC(VD)),         /* MLA, MLS, .2S */
	DO (0xDFE0FC00, 0x4EA09400, SIMD, R3 | VD, VD, 0, G(VMLA_Q_32) | ACC(VD)),       /* .4S */
	DO (0x9F20FC00, 0x0E209400, SIMD, R3 | VD, VD, 0, G(VMLA) | WIDE | ACC(VD)),     /* MLA, MLS */
	DO (0xFFE0FC00, 0x0EA09C00, SIMD, R3, VD, 0, G(VMUL_32)),                        /* MUL, .2S */
	DO (0xBF20FC00, 0x0E209C00, SIMD, R3, VD, 0, G(VMUL) | WIDE),                    /* MUL */
	DO (0xBF20FC00, 0x2E209C00, SIMD, R3, VD, 0, G(VPMUL) | WIDE),                   /* PMUL */
	DO (0x9F20F400, 0x0E20A400, SIMD, R3, VD, 0, G(VMAXP) | WIDE),                   /* SMAXP, SMINP */
	DO (0x9F20FC00, 0x0E20B400, SIMD, R3, VD, 0, G(VQMUL) | WIDE),                   /* SQDMULH, SQRDMULH */
	DO (0xBF20FC00, 0x0E20BC00, SIMD, R3, VD, 0, G(VADDP) | WIDE),                   /* ADDP */
	DO (0xBF60FC00, 0x0E60CC00, SIMD, R3 | VD, VD, 0, G(VFMLA_64) | WIDE | ACC(VD)), /* FMLA, FMLS 2D */
	DO (0xBF20FC00, 0x0E20CC00, SIMD, R3 | VD, VD, 0, G(VFMLA) | WIDE | ACC(VD)),    /* FMLA, FMLS */
	DO (0xBF60FC00, 0x2E20CC00, SIMD, R3 | VD, VD, 0, G(VFMLAL) | WIDE | ACC(VD)),   /* FMLAL2, FMLSL2 */
	DO (0xBF60FC00, 0x0E20EC00, SIMD, R3 | VD, VD, 0, G(VFMLAL) | WIDE | ACC(VD)),   /* FMLAL, FMLSL */
	DO (0xBF60FC00, 0x0E60D400, SIMD, R3, VD, 0, G(VFADD_64) | WIDE),                /* FADD, FSUB 2D */
	DO (0xBF20FC00, 0x0E20D400, SIMD, R3, VD, 0, G(VFADD) | WIDE),                   /* FADD, FSUB */
	DO (0xBFA0FC00, 0x2EA0D400, SIMD, R3, VD, 0, G(VFADD) | WIDE),                   /* FABD */
	DO (0xBFA0FC00, 0x2E20D400, SIMD, R3, VD, 0, G(VFADDP) | WIDE),                  /* FADDP */
	DO (0xBF20FC00, 0x0E20DC00, SIMD, R3, VD, 0, G(VFMUL) | WIDE),                   /* FMULX */
	DO (0xBFE0FC00, 0x2E60DC00, SIMD, R3, VD, 0, G(VFMUL_64) | WIDE),                /* FMUL 2D */
	DO (0xBFA0FC00, 0x2E20DC00, SIMD, R3, VD, 0, G(VFMUL) | WIDE),                   /* FMUL */
	DO (0xBFE0FC00, 0x2E60FC00, VFP_DIV_64, R3, VD, 0, G(VFDIV_64) | WIDE | A),      /* FDIV 2D */
	DO (0xBFA0FC00, 0x2E20FC00, VFP_DIV, R3, VD, 0, G(VFDIV_32) | WIDE | A),         /* FDIV */
	DO (0xBF20FC00, 0x0E20FC00, SIMD, R3, VD, 0, G(VFRECPS) | WIDE),                 /* FRECPS, FRSQRTS */
	DO (0xBF20FC00, 0x0E20C400, SIMD, R3, VD, 0, G(VFMAX) | WIDE),                   /* FMAXNM, FMINNM */
	DO (0xBF20FC00, 0x0E20F400, SIMD, R3, VD, 0, G(VFMAX) | WIDE),                   /* FMAX, FMIN */
	DO (0xBF20FC00, 0x2E20C400, SIMD, R3, VD, 0, G(VFMAXP) | WIDE),                  /* FMAXNMP, FMINNMP */
	DO (0xBF20FC00, 0x2E20F400, SIMD, R3, VD, 0, G(VFMAXP) | WIDE),                  /* FMAXP, FMINP */
	DO (0x9F200400, 0x0E200400, SIMD, R3, VD, 0, G(VFCMP) | WIDE),                   /* FCM.., FAC.. */

	/* immediates */
	DO (0xBFF8FC00, 0x0F00FC00, SIMD, 0, VD, 0, G(VMOVI) | WIDE),                    /* FMOV half */
	DO (0x9FF89C00, 0x0F001400, SIMD, VD, VD, 0, G(VLOGIC) | WIDE),                  /* ORR, BIC, cmode 0xx1, */
	DO (0x9FF8DC00, 0x0F009400, SIMD, VD, VD, 0, G(VLOGIC) | WIDE),                  /* 10x1 */
	DO (0xBFFF9FE0, 0x0F000400, SIMD, 0, VD, 0, G(VMOVI_ZERO) | WIDE),               /* MOVI #0, cmode 0xx0, */
	DO (0xBFFFDFE0, 0x0F008400, SIMD, 0, VD, 0, G(VMOVI_ZERO) | WIDE),               /* 10x0, */
	DO (0x9FFFFFE0, 0x0F00E400, SIMD, 0, VD, 0, G(VMOVI_ZERO) | WIDE),               /* 1110 */
	DO (0x9FF80400, 0x0F000400, SIMD, 0, VD, 0, G(VMOVI) | WIDE),                    /* MOVI, MVNI, FMOV */
	/* shifts by an immediate */
	DO (0x9F80FC00, 0x0F000400, SIMD, R2, VD, 0, G(VSHIFT) | WIDE),                  /* SSHR */
	DO (0x9F80FC00, 0x0F001400, SIMD, R2 | VD, VD, 0, G(VSRA) | WIDE | ACC(VD)),     /* SSRA */
	DO (0x9F80FC00, 0x0F002400, SIMD, R2, VD, 0, G(VRSHR) | WIDE),                   /* SRSHR */
	DO (0x9F80FC00, 0x0F003400, SIMD, R2 | VD, VD, 0, G(VRSRA) | WIDE | ACC(VD)),    /* SRSRA */
	DO (0xBF80FC00, 0x2F004400, SIMD, R2 | VD, VD, 0, G(VSLI) | WIDE),               /* SRI */
	DO (0xBF80FC00, 0x2F005400, SIMD, R2 | VD, VD, 0, G(VSLI) | WIDE),               /* SLI */
	DO (0xBF80FC00, 0x0F005400, SIMD, R2, VD, 0, G(VSHIFT) | WIDE),                  /* SHL */
	DO (0x9F80EC00, 0x0F006400, SIMD, R2, VD, 0, G(VQSHL_IMM) | WIDE),               /* SQSHLU, SQSHL */
	DO (0xFF80FC00, 0x0F008400, SIMD, R2, VD, 0, G(VSHRN)),                          /* SHRN */
	DO (0xFF80FC00, 0x4F008400, SIMD, R2 | VD, VD, 0, G(VSHRN) | ACC(VD)),
	DO (0xFF80FC00, 0x0F008C00, SIMD, R2, VD, 0, G(VRSHRN)),                         /* RSHRN */
	DO (0xDF80E400, 0x0F008400, SIMD, R2, VD, 0, G(VQSHRN)),                         /* RSHRN, SQSHRN, ... */
	DO (0xFF80FC00, 0x4F008C00, SIMD, R2 | VD, VD, 0, G(VRSHRN) | ACC(VD)),
	DO (0xDF80E400, 0x4F008400, SIMD, R2 | VD, VD, 0, G(VQSHRN) | ACC(VD)),
	DO (0x9F80FC00, 0x0F00A400, SIMD, R2, VD, 0, G(VSHLL)),                          /* SSHLL */
	DO (0xDFC00400, 0x4F000400, SIMD, R2, VD, 0, G(VFCVT_4)),                   /* four lanes */
	DO (0x9F800400, 0x0F000400, SIMD, R2, VD, 0, G(VFCVT)),                   /* SCVTF, FCVTZS fixed point */

	/* by an element */
	DO (0xBFC0F400, 0x0F00F000, SIMD, R3 | VD, VD, 0, G(VDOT) | WIDE | ACC(VD)),     /* SUDOT */
	DO (0xBFC0F400, 0x0F40F000, SIMD, R3 | VD, VD, 0, G(VBFDOT) | WIDE | ACC(VD)),   /* BFDOT */
	DO (0xBFC0F400, 0x0FC0F000, SIMD, R3 | VD, VD, 0, G(VBFDOT) | WIDE | ACC(VD) | M4), /* BFMLAL */
	DO (0xBF00F400, 0x0F00F000, SIMD, R3 | VD, VD, 0, G(VDOT) | WIDE | ACC(VD)),     /* USDOT */
	DO (0x9F00F400, 0x0F00E000, SIMD, R3 | VD, VD, 0, G(VDOT) | WIDE | ACC(VD)),     /* SDOT, UDOT */
	DO (0xBFC0B400, 0x0F800000, SIMD, R3 | VD, VD, 0, G(VFMLAL) | WIDE | ACC(VD) | M4), /* FMLAL, FMLSL */
	DO (0xBFC0F400, 0x2F808000, SIMD, R3 | VD, VD, 0, G(VFMLAL) | WIDE | ACC(VD) | M4), /* FMLAL2 */
	DO (0xBFC0F400, 0x2F80C000, SIMD, R3 | VD, VD, 0, G(VFMLAL) | WIDE | ACC(VD) | M4), /* FMLSL2 */
	DO (0xBF009400, 0x2F001000, SIMD, R3 | VD, VD, 0, G(VFCMLA_ELEM) | WIDE | ACC(VD)), /* FCMLA */
	DO (0xBFC0B400, 0x0F001000, SIMD, R3 | VD, VD, 0, G(VFMLA) | WIDE | ACC(VD) | M4), /* FMLA, FMLS .H */
	DO (0xBFC0B400, 0x0FC01000, SIMD, R3 | VD, VD, 0, G(VFMLA_64) | WIDE | ACC(VD)), /* 2D */
	DO (0xBF80B400, 0x0F801000, SIMD, R3 | VD, VD, 0, G(VFMLA) | WIDE | ACC(VD)),
	DO (0x9FC0F400, 0x0F009000, SIMD, R3, VD, 0, G(VFMUL) | WIDE | M4),              /* FMUL, FMULX .H */
	DO (0xBFC0F400, 0x0FC09000, SIMD, R3, VD, 0, G(VFMUL_64) | WIDE),                /* FMUL 2D */
	DO (0x9F80F400, 0x0F809000, SIMD, R3, VD, 0, G(VFMUL) | WIDE),
	DO (0xBFC0B400, 0x2F400000, SIMD, R3 | VD, VD, 0, G(VMLA_ELEM) | WIDE | ACC(VD) | M4), /* MLA, MLS */
	DO (0xFF00B400, 0x2F000000, SIMD, R3 | VD, VD, 0, G(VMLA_ELEM_32) | ACC(VD)),
	DO (0xFF00B400, 0x6F000000, SIMD, R3 | VD, VD, 0, G(VMLA_ELEM_Q_32) | ACC(VD)),
	DO (0x9FC0B400, 0x0F402000, SIMD, R3 | VD, VD, 0, G(VMLAL) | ACC(VD) | M4),      /* SMLAL, SMLSL */
	DO (0x9F00B400, 0x0F002000, SIMD, R3 | VD, VD, 0, G(VMLAL_32) | ACC(VD)),
	DO (0xBFC0B400, 0x0F403000, SIMD, R3 | VD, VD, 0, G(VQMLAL) | ACC(VD) | M4),     /* SQDMLAL, SQDMLSL */
	DO (0xBF00B400, 0x0F003000, SIMD, R3 | VD, VD, 0, G(VQMLAL) | ACC(VD)),
	DO (0xBFC0F400, 0x0F408000, SIMD, R3, VD, 0, G(VMUL_ELEM) | WIDE | M4),               /* MUL */
	DO (0xFF00F400, 0x0F008000, SIMD, R3, VD, 0, G(VMUL_ELEM_32)),
	DO (0xFF00F400, 0x4F008000, SIMD, R3, VD, 0, G(VMUL_ELEM_Q_32)),
	DO (0x9FC0F400, 0x0F40A000, SIMD, R3, VD, 0, G(VMULL) | M4),                     /* SMULL */
	DO (0x9F00F400, 0x0F00A000, SIMD, R3, VD, 0, G(VMULL_32)),
	DO (0xBFC0F400, 0x0F40B000, SIMD, R3, VD, 0, G(VQMULL) | M4),                    /* SQDMULL */
	DO (0xBF00F400, 0x0F00B000, SIMD, R3, VD, 0, G(VQMULL)),
	DO (0xBFC0D400, 0x2F40D000, SIMD, R3 | VD, VD, 0, G(VQMLA) | WIDE | ACC(VD) | M4), /* SQRDMLAH, SQRDMLSH */
	DO (0xBF00D400, 0x2F00D000, SIMD, R3 | VD, VD, 0, G(VQMLA) | WIDE | ACC(VD)),
	DO (0xBFC0E400, 0x0F40C000, SIMD, R3, VD, 0, G(VQMUL_ELEM) | WIDE | M4),              /* SQDMULH, SQRDMULH */
	DO (0xBF00E400, 0x0F00C000, SIMD, R3, VD, 0, G(VQMUL_ELEM) | WIDE),
	DO (0x0E000000, 0x0E000000, SIMD, R3, VD, 0, 0),
};
/* clang-format on */

const struct apmu_isa__rows apmu_isa__rows_a64_vector = {row, sizeof(row) / sizeof(row[0])};
