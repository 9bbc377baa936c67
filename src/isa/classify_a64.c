/* SPDX-License-Identifier: MIT */
/*
 * A64: the rows, by the groups of the encoding index (DDI0487 C4). First match wins. Armv8.1 and later where
 * they touch memory or the PC: atomics, LDAPR, pointer authentication.
 */
#include "isa/classify_rows.h"

/* clang-format off */
static const struct apmu__row row[] = {
	/* branches, exceptions, system */
	BR (0xFC000000, 0x14000000, BRANCH, IMMED, 0, 0, 0, 0, BACK_NO, TO_A64_26),              /* B */
	BR (0xFC000000, 0x94000000, BRANCH, IMMED_LINK, 0, 0, 0, LINK, BACK_NO, TO_A64_26),      /* BL */
	BR (0xFF000000, 0x54000000, BRANCH, IMMED, 0, 0, 0, COND, BACK_NO, TO_A64_19),           /* B.cond, BC.cond */
	BR (0x7E000000, 0x34000000, BRANCH, IMMED, 0, D, 0, COND, BACK_NO, TO_A64_19),           /* CBZ, CBNZ */
	BR (0x7E000000, 0x36000000, BRANCH, IMMED, 0, D, 0, COND, BACK_NO, TO_A64_14),           /* TBZ, TBNZ */
	BR (0xFFFFFC1F, 0xD61F0000, BRANCH, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),             /* BR */
	BR (0xFFFFFC1F, 0xD63F0000, BRANCH, INDIRECT_LINK, 0, N, 0, LINK, BACK_NO, TO_NONE),     /* BLR */
	BR (0xFFFFFC1F, 0xD65F0000, BRANCH, RETURN, 0, N, 0, 0, BACK_NO, TO_NONE),               /* RET */
	BR (0xFEFFF800, 0xD61F0800, BRANCH, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),             /* BRAA, BRAB, ... */
	BR (0xFEFFF800, 0xD63F0800, BRANCH, INDIRECT_LINK, 0, N, 0, LINK, BACK_NO, TO_NONE),     /* BLRAA, BLRAB, ... */
	BR (0xFFFFFBFF, 0xD65F0BFF, BRANCH, RETURN, 0, 0, 0, 0, BACK_NO, TO_NONE),               /* RETAA, RETAB */
	DO (0xFF9FF000, 0xD69F0000, EXCEPTION, 0, 0, 0, 0),                                      /* ERET, DRPS */
	DO (0xFFE0001F, 0xD4000001, EXCEPTION, 0, 0, 0, TRAIT(SVC)),                              /* SVC */
	DO (0xFF000000, 0xD4000000, EXCEPTION, 0, 0, 0, 0),                                      /* HVC, SMC, BRK, HLT */
	DO (0xFFFF0000, 0x00000000, EXCEPTION, 0, 0, 0, 0),                                      /* UDF */
	DO (0xFFFFFFFF, 0xD503229F, NOP, 0, 0, 0, TRAIT(CSDB)),                                   /* CSDB */
	DO (0xFFFFF01F, 0xD503201F, NOP, 0, 0, 0, 0),                                            /* hints */
	DO (0xFFFFFFFF, 0xD503309F, SYSTEM, 0, 0, 0, 0),                                         /* SSBB */
	DO (0xFFFFFFFF, 0xD503349F, SYSTEM, 0, 0, 0, 0),                                         /* PSSBB */
	DO (0xFFFFF0FF, 0xD503309F, BARRIER, 0, 0, 0, TRAIT(DSB)),                                /* DSB */
	DO (0xFFFFF3FF, 0xD503323F, BARRIER, 0, 0, 0, TRAIT(DSB)),                                       /* DSB nXS */
	DO (0xFFFFF0FF, 0xD50330BF, SYSTEM, 0, 0, 0, TRAIT(DMB)),                                 /* DMB */
	DO (0xFFFFF0FF, 0xD50330DF, SYSTEM, 0, 0, 0, TRAIT(ISB)),                                 /* ISB */
	DO (0xFFFFF000, 0xD5033000, SYSTEM, 0, 0, 0, 0),                                         /* CLREX, SB */
	DO (0xFFF8F01F, 0xD500401F, SYSTEM, 0, 0, 0, MODE),                                      /* MSR immediate */
	DO (0xFFE00000, 0xD5000000, SYSTEM, D, 0, 0, 0),                                         /* MSR, SYS, DC ZVA */
	DO (0xFFE00000, 0xD5200000, SYSTEM, 0, D, 0, 0),                                         /* MRS, SYSL */

	/* data processing, immediate */
	DO (0x1F000000, 0x10000000, ALU, 0, D, 0, 0),                                            /* ADR, ADRP */
	DO (0x3F800000, 0x11000000, ALU, N, D, 0, SPN | SPD),                                    /* ADD, SUB */
	DO (0x3F800000, 0x31000000, ALU, N, D, 0, SPN),                                          /* ADDS, SUBS */
	DO (0x1F800000, 0x11800000, ALU, N, D, 0, SPN | SPD),                                    /* ADDG, SUBG */
	DO (0x7F800000, 0x72000000, ALU, N, D, 0, 0),                                            /* ANDS */
	DO (0x1F800000, 0x12000000, ALU, N, D, 0, SPD),                                          /* AND, ORR, EOR */
	DO (0x7F800000, 0x72800000, ALU, D, D, 0, 0),                                            /* MOVK */
	DO (0x1F800000, 0x12800000, ALU, 0, D, 0, 0),                                            /* MOVN, MOVZ */
	DO (0x7F800000, 0x33000000, ALU, N | D, D, N, 0),                                        /* BFM */
	DO (0x1F800000, 0x13000000, ALU, N, D, N, 0),                                            /* SBFM, UBFM */
	DO (0x1F800000, 0x13800000, ALU, N | M, D, N | M, 0),                                    /* EXTR */

	/* data processing, register */
	DO (0x1F00FC00, 0x0A000000, ALU, N | M, D, 0, 0),                                        /* logical, unshifted */
	DO (0x1F000000, 0x0A000000, ALU, N | M, D, M, 0),
	DO (0x1F20FC00, 0x0B000000, ALU, N | M, D, 0, 0),                                        /* ADD, SUB, unshifted */
	DO (0x1F200000, 0x0B000000, ALU, N | M, D, M, 0),
	DO (0x3F200000, 0x0B200000, ALU, N | M, D, M, SPN | SPD),                                /* ADD, SUB extended */
	DO (0x3F200000, 0x2B200000, ALU, N | M, D, M, SPN),
	DO (0x1FE00000, 0x1A000000, ALU, N | M, D, 0, 0),                                        /* ADC, SBC, RMIF */
	DO (0x1FE00800, 0x1A400000, ALU, N | M, 0, 0, 0),                                        /* CCMP, CCMN */
	DO (0x1FE00800, 0x1A400800, ALU, N, 0, 0, 0),
	DO (0x1FE00000, 0x1A800000, ALU, N | M, D, 0, 0),                                        /* CSEL, CSINC, ... */
	DO (0x7FE0F800, 0x1AC00800, DIV, N | M, D, 0, 0),                                        /* UDIV, SDIV */
	DO (0x7FE0F000, 0x1AC02000, ALU, N | M, D, N | M, RSHIFT),                               /* LSLV, LSRV, ASRV, RORV */
	DO (0x7FE00000, 0x1AC00000, ALU, N | M, D, 0, 0),                                        /* CRC32, PACGA, ... */
	DO (0x7FE00000, 0x5AC00000, ALU, N, D, 0, 0),                                            /* CLZ, RBIT, REV, PACIA, ... */
	DO (0xFFE00000, 0x9B000000, MUL_64, N | M | S, D, 0, 0),                                 /* MADD X, MSUB X */
	DO (0x7FE00000, 0x1B000000, MUL, N | M | S, D, 0, 0),                                    /* MADD, MSUB */
	DO (0xFF600000, 0x9B200000, MUL_LONG, N | M | S, D, 0, 0),                               /* SMADDL, UMADDL, ... */
	DO (0xFF600000, 0x9B400000, MUL_HIGH, N | M, D, 0, 0),                                   /* SMULH, UMULH */

	/* structures of vector registers */
	MEM(0xBE400000, 0x0C400000, LOAD, 16, N, D, N, VECD | SPN, BACK_B23),                    /* LD1 - LD4 */
	MEM(0xBE400000, 0x0C000000, STORE, 16, N | D, 0, N, VECD | SPN, BACK_B23),               /* ST1 - ST4 */

	/* exclusives, acquire and release, compare and swap */
	MEM(0xBFA00000, 0x08200000, SWAP, 4, N | D | M, M, N, SPN | PAIR | SIZE_P | ORD_CAS, BACK_NO), /* CASP */
	MEM(0x3FA00000, 0x08A00000, SWAP, 4, N | D | M, M, N, SPN | SIZE30 | ORD_CAS, BACK_NO),  /* CAS */
	MEM(0x3FE00000, 0x08000000, STORE, 4, N | D, M, N, SPN | EXCL | SIZE30 | ORD15, BACK_NO), /* STXR, STLXR */
	MEM(0xBFE00000, 0x88200000, STORE, 4, N | D | S, M, N, SPN | EXCL | PAIR | SIZE_P | ORD15, BACK_NO), /* STXP, STLXP */
	MEM(0x3FE00000, 0x08400000, LOAD, 4, N, D, N, SPN | EXCL | SIZE30 | ORD15, BACK_NO),     /* LDXR, LDAXR */
	MEM(0xBFE00000, 0x88600000, LOAD, 4, N, D | S, N, SPN | EXCL | PAIR | SIZE_P | ORD15, BACK_NO), /* LDXP, LDAXP */
	MEM(0x3FE00000, 0x08800000, STORE, 4, N | D, 0, N, SPN | SIZE30 | TRAIT(STREL), BACK_NO), /* STLR, STLLR */
	MEM(0x3FE00000, 0x08C00000, LOAD, 4, N, D, N, SPN | SIZE30 | TRAIT(LDACQ), BACK_NO),      /* LDAR, LDLAR */
	MEM(0x3FE00C00, 0x19000000, STORE, 4, N | D, 0, N, SPN | SIZE30 | TRAIT(STREL), BACK_NO),               /* STLUR */
	MEM(0x3F200C00, 0x19000000, LOAD, 4, N, D, N, SPN | SIZE30 | TRAIT(LDACQ), BACK_NO),                    /* LDAPUR */
	MEM(0x3FFFFC00, 0x38BFC000, LOAD, 4, N, D, N, SPN | SIZE30 | TRAIT(LDACQ), BACK_NO),                    /* LDAPR */
	MEM(0x3F200C00, 0x38200000, SWAP, 4, N | M, D, N, SPN | SIZE30 | ORD_LSE, BACK_NO),      /* LDADD, SWP, ... */

	/* literals */
	DO (0xFF000000, 0xD8000000, PRELOAD, 0, 0, 0, 0),                                        /* PRFM */
	MEM(0xFF000000, 0x98000000, LOAD, 4, 0, D, 0, 0, BACK_NO),                               /* LDRSW */
	MEM(0xFF000000, 0x18000000, LOAD, 4, 0, D, 0, 0, BACK_NO),                               /* LDR W */
	MEM(0xFF000000, 0x58000000, LOAD, 8, 0, D, 0, 0, BACK_NO),                               /* LDR X */
	MEM(0x3F000000, 0x1C000000, LOAD, 4, 0, D, 0, VECD | SIZE_Q, BACK_NO),                   /* LDR S, D, Q */

	/* pairs */
	MEM(0xFE400000, 0x68400000, LOAD, 4, N, D | S, N, SPN | PAIR, BACK_B23),                 /* LDPSW */
	MEM(0x3E400000, 0x28000000, STORE, 4, N | D | S, 0, N, SPN | PAIR | SIZE_P, BACK_B23),   /* STP, STNP */
	MEM(0x3E400000, 0x28400000, LOAD, 4, N, D | S, N, SPN | PAIR | SIZE_P, BACK_B23),        /* LDP, LDNP */
	MEM(0x3E400000, 0x2C000000, STORE, 4, N | D, 0, N, SPN | PAIR | VECD | SIZE_Q, BACK_B23),
	MEM(0x3E400000, 0x2C400000, LOAD, 4, N, D, N, SPN | PAIR | VECD | SIZE_Q, BACK_B23),

	/* one register */
	DO (0xFFC00000, 0xF9800000, PRELOAD, N, 0, N, SPN),                                      /* PRFM */
	DO (0xFFE00C00, 0xF8A00800, PRELOAD, N | M, 0, N | M, SPN),
	DO (0xFFE00C00, 0xF8800000, PRELOAD, N, 0, N, SPN),                                      /* PRFUM */
	MEM(0xFF200400, 0xF8200400, LOAD, 8, N, D, N, SPN, BACK_B11),                            /* LDRAA, LDRAB */
	MEM(0x3FC00000, 0x39000000, STORE, 4, N | D, 0, N, SPN | SIZE30, BACK_NO),               /* STR [N,#imm12] */
	MEM(0x3FE00000, 0x38000000, STORE, 4, N | D, 0, N, SPN | SIZE30, BACK_B10),              /* STR [N],#imm9 */
	MEM(0x3FE00C00, 0x38200800, STORE, 4, N | M | D, 0, N | M, SPN | SIZE30, BACK_NO),       /* STR [N,M] */
	MEM(0x3F000000, 0x39000000, LOAD, 4, N, D, N, SPN | SIZE30, BACK_NO),                    /* LDR */
	MEM(0x3F200000, 0x38000000, LOAD, 4, N, D, N, SPN | SIZE30, BACK_B10),
	MEM(0x3F200C00, 0x38200800, LOAD, 4, N | M, D, N | M, SPN | SIZE30, BACK_NO),
	MEM(0x3F400000, 0x3D000000, STORE, 4, N | D, 0, N, SPN | VECD | SIZE_V, BACK_NO),        /* STR vector */
	MEM(0x3F600000, 0x3C000000, STORE, 4, N | D, 0, N, SPN | VECD | SIZE_V, BACK_B10),
	MEM(0x3F600C00, 0x3C200800, STORE, 4, N | M | D, 0, N | M, SPN | VECD | SIZE_V, BACK_NO),
	MEM(0x3F400000, 0x3D400000, LOAD, 4, N, D, N, SPN | VECD | SIZE_V, BACK_NO),             /* LDR vector */
	MEM(0x3F600000, 0x3C400000, LOAD, 4, N, D, N, SPN | VECD | SIZE_V, BACK_B10),
	MEM(0x3F600C00, 0x3C600800, LOAD, 4, N | M, D, N | M, SPN | VECD | SIZE_V, BACK_NO),

	/* scalar floating point */
	DO (0xFFE0FC00, 0x1E601800, VFP_DIV_64, N | M, D, 0, VECD | VECNM),                      /* FDIV D */
	DO (0xFFFFFC00, 0x1E61C000, VFP_DIV_64, N, D, 0, VECD | VECNM),                          /* FSQRT D */
	DO (0xFF20FC00, 0x1E201800, VFP_DIV, N | M, D, 0, VECD | VECNM),                         /* FDIV */
	DO (0xFF3FFC00, 0x1E21C000, VFP_DIV, N, D, 0, VECD | VECNM),                             /* FSQRT */
	DO (0x7F27FC00, 0x1E260000, VFP, N, D, 0, VECNM),                                        /* FMOV to general */
	DO (0x7F27FC00, 0x1E270000, VFP, N, D, 0, VECD),                                         /* FMOV from general */
	DO (0x7F26FC00, 0x1E220000, VFP, N, D, 0, VECD),                                         /* SCVTF, UCVTF */
	DO (0x7F20FC00, 0x1E200000, VFP, N, D, 0, VECNM),                                        /* FCVT to integer */
	DO (0x5F000000, 0x1E000000, VFP, N | M, D, 0, VECD | VECNM),
	DO (0xFF000000, 0x1F000000, VFP_MAC, N | M | S, D, N | M, VECD | VECNM),                         /* FMADD, ... */

	/* Advanced SIMD and SVE */
	DO (0xFFE0FC00, 0x6E60FC00, VFP_DIV_64, N | M, D, 0, VECD | VECNM | TRAIT(ASE)),          /* FDIV 2D */
	DO (0xFFFFFC00, 0x6EE1F800, VFP_DIV_64, N, D, 0, VECD | VECNM | TRAIT(ASE)),              /* FSQRT 2D */
	DO (0xBFA0FC00, 0x2E20FC00, VFP_DIV, N | M, D, 0, VECD | VECNM | TRAIT(ASE)),             /* FDIV vector */
	DO (0xBFBFFC00, 0x2EA1F800, VFP_DIV, N, D, 0, VECD | VECNM | TRAIT(ASE)),                 /* FSQRT vector */
	DO (0xFFFF0C00, 0x4E280800, SIMD, N | D, D, 0, VECD | VECNM | TRAIT(CRYPTO)),             /* AESE, AESD, AESMC, AESIMC */
	DO (0xFFE08C00, 0x5E000000, SIMD, N | M | D, D, 0, VECD | VECNM | TRAIT(CRYPTO)),         /* SHA1C, ..., SHA256SU1 */
	DO (0xFFFF0C00, 0x5E280800, SIMD, N | D, D, 0, VECD | VECNM | TRAIT(CRYPTO)),             /* SHA1H, SHA1SU1, SHA256SU0 */
	DO (0xFFE0B000, 0xCE608000, SIMD, N | M | D, D, 0, VECD | VECNM | TRAIT(CRYPTO)),         /* SHA512H, ..., SM3PARTW1, SM4EKEY */
	DO (0xFFFFF000, 0xCEC08000, SIMD, N | D, D, 0, VECD | VECNM | TRAIT(CRYPTO)),             /* SHA512SU0, SM4E */
	DO (0xFF800000, 0xCE000000, SIMD, N | M | S, D, 0, VECD | VECNM | TRAIT(CRYPTO)),         /* EOR3, BCAX, SM3SS1, SM3TT1A, ... */
	DO (0xFFE00000, 0xCE800000, SIMD, N | M, D, 0, VECD | VECNM | TRAIT(CRYPTO)),             /* XAR */
	DO (0x0E000000, 0x0E000000, SIMD, N | M, D, 0, VECD | VECNM),
	MEM(0xFFA08010, 0x84200000, LOAD, 0, N, 0, N, SPN | COND | TRAIT(SVE), BACK_NO), /* SVE prefetches: PRFB, ..., of 32-bit offsets, */
	MEM(0xFFE08010, 0x85C00000, LOAD, 0, N, 0, N, SPN | COND | TRAIT(SVE), BACK_NO), /* an immediate, */
	MEM(0xFE60C010, 0x8400C000, LOAD, 0, N, 0, N, SPN | COND | TRAIT(SVE), BACK_NO), /* a register, 32-bit addresses, */
	MEM(0xFFA08010, 0xC4200000, LOAD, 0, N, 0, N, SPN | COND | TRAIT(SVE), BACK_NO), /* unpacked 32-bit offsets, */
	MEM(0xFFE08010, 0xC4608000, LOAD, 0, N, 0, N, SPN | COND | TRAIT(SVE), BACK_NO), /* 64-bit offsets, */
	MEM(0xFE60E010, 0xC400E000, LOAD, 0, N, 0, N, SPN | COND | TRAIT(SVE), BACK_NO), /* 64-bit addresses */
	MEM(0xFE000000, 0x84000000, LOAD, 16, N, D, N, VECD | SPN | COND | TRAIT(SVE), BACK_NO), /* SVE loads */
	MEM(0xFE000000, 0xA4000000, LOAD, 16, N, D, N, VECD | SPN | COND | TRAIT(SVE), BACK_NO),
	MEM(0xFE000000, 0xC4000000, LOAD, 16, N, D, N, VECD | SPN | COND | TRAIT(SVE), BACK_NO),
	MEM(0xFE000000, 0xE4000000, STORE, 16, N | D, 0, N, VECD | SPN | COND | TRAIT(SVE), BACK_NO), /* SVE stores */
	DO (0x1E000000, 0x04000000, SIMD, N | M, D, 0, VECD | VECNM | TRAIT(SVE)),
};
/* clang-format on */

const struct apmu__rows apmu__rows_a64 = {row, sizeof(row) / sizeof(row[0])};
