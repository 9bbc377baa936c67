/* SPDX-License-Identifier: MIT */
/*
 * A64: the rows, by the groups of the encoding index (DDI0487 C4). First match wins. Of Armv8.1 and later,
 * only what touches memory or the PC: atomics, LDAPR, pointer authentication.
 */
#include "isa/classify_rows.h"

/* clang-format off */
static const struct apmu_isa__row row[] = {
	/* branches, exceptions, system */
	BR (0xFC000000, 0x14000000, BRANCH, IMMED, 0, 0, 0, 0, BACK_NO, TO_A64_26),              /* B */
	BR (0xFC000000, 0x94000000, BRANCH, IMMED_LINK, 0, 0, 0, LINK, BACK_NO, TO_A64_26),      /* BL */
	BR (0xFF000000, 0x54000000, BRANCH, IMMED, 0, 0, 0, COND | RF, BACK_NO, TO_A64_19),           /* B.cond, BC.cond */
	BR (0x7E000000, 0x34000000, BRANCH, IMMED, 0, D, 0, COND, BACK_NO, TO_A64_19),           /* CBZ, CBNZ */
	BR (0x7E000000, 0x36000000, BRANCH, IMMED, 0, D, 0, COND, BACK_NO, TO_A64_14),           /* TBZ, TBNZ */
	BR (0xFFFFFC1F, 0xD61F0000, BRANCH, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),             /* BR */
	BR (0xFFFFFC1F, 0xD63F0000, BRANCH, INDIRECT_LINK, 0, N, 0, LINK, BACK_NO, TO_NONE),     /* BLR */
	BR (0xFFFFFC1F, 0xD65F0000, BRANCH, RETURN, 0, N, 0, 0, BACK_NO, TO_NONE),               /* RET */
	BR (0xFFFFF800, 0xD71F0800, BRANCH, INDIRECT, 0, N | D, 0, SPD, BACK_NO, TO_NONE),          /* BRAA, BRAB */
	BR (0xFFFFF800, 0xD61F0800, BRANCH, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),                /* BRAAZ, BRABZ */
	BR (0xFFFFF800, 0xD73F0800, BRANCH, INDIRECT_LINK, 0, N | D, 0, LINK | SPD, BACK_NO, TO_NONE), /* BLRAA, BLRAB */
	BR (0xFFFFF800, 0xD63F0800, BRANCH, INDIRECT_LINK, 0, N, 0, LINK, BACK_NO, TO_NONE),        /* BLRAAZ, BLRABZ */
	BR (0xFFFFFBFF, 0xD65F0BFF, BRANCH, RETURN, 0, 0, 0, MORE(LR_SP), BACK_NO, TO_NONE),          /* RETAA, RETAB */
	DO (0xFF9FF000, 0xD69F0000, EXCEPTION, 0, 0, 0, 0),                                      /* ERET, DRPS */
	DO (0xFFE0001F, 0xD4000001, EXCEPTION, 0, 0, 0, TRAIT(SVC)),                              /* SVC */
	DO (0xFF000000, 0xD4000000, EXCEPTION, 0, 0, 0, 0),                                      /* HVC, SMC, BRK, HLT */
	DO (0xFFFF0000, 0x00000000, EXCEPTION, 0, 0, 0, 0),                                      /* UDF */
	DO (0xFFFFFFFF, 0xD503229F, NOP, 0, 0, 0, TRAIT(CSDB)),                                   /* CSDB */
	DO (0xFFFFFFFF, 0xD50320FF, NOP, 0, 0, 0, MORE(LR_LR)),                                  /* XPACLRI */
	DO (0xFFFFFF3F, 0xD503211F, NOP, 0, 0, 0, MORE(X16_X17)),                               /* PACIA1716, AUTIA1716, ... */
	DO (0xFFFFFF3F, 0xD503231F, NOP, 0, 0, 0, MORE(LR_LR)),                                 /* PACIAZ, AUTIAZ, ... */
	DO (0xFFFFFF3F, 0xD503233F, NOP, 0, 0, 0, MORE(LR_SP_LR)),                              /* PACIASP, AUTIASP, ... */
	DO (0xFFFFF01F, 0xD503201F, NOP, 0, 0, 0, 0),                                            /* hints */
	DO (0xFFFFFFFF, 0xD503309F, SYSTEM, 0, 0, 0, TRAIT(DSB)),                                 /* SSBB */
	DO (0xFFFFFFFF, 0xD503349F, SYSTEM, 0, 0, 0, TRAIT(DSB)),                                 /* PSSBB */
	DO (0xFFFFF0FF, 0xD503309F, BARRIER, 0, 0, 0, TRAIT(DSB)),                                /* DSB */
	DO (0xFFFFF3FF, 0xD503323F, BARRIER, 0, 0, 0, TRAIT(DSB)),                                       /* DSB nXS */
	DO (0xFFFFF0FF, 0xD50330BF, SYSTEM, 0, 0, 0, TRAIT(DMB)),                                 /* DMB */
	DO (0xFFFFF0FF, 0xD50330DF, SYSTEM, 0, 0, 0, TRAIT(ISB)),                                 /* ISB */
	DO (0xFFFFF000, 0xD5033000, SYSTEM, 0, 0, 0, 0),                                         /* CLREX, SB */
	DO (0xFFFFF0FF, 0xD500401F, SYSTEM, 0, 0, 0, G(FLAG_SET) | RF | WF),                     /* CFINV */
	DO (0xFFFFF0FF, 0xD500403F, SYSTEM, 0, 0, 0, G(FLAG_SET) | RF | WF),                     /* XAFLAG */
	DO (0xFFFFF0FF, 0xD500405F, SYSTEM, 0, 0, 0, G(FLAG_SET) | RF | WF),                     /* AXFLAG */
	DO (0xFFF8F01F, 0xD500401F, SYSTEM, 0, 0, 0, MODE),                                      /* MSR immediate */
	DO (0xFFFFFFE0, 0xD51B4200, SYSTEM, D, 0, 0, WF),                                        /* MSR NZCV */
	DO (0xFFFFFFE0, 0xD53B4200, SYSTEM, 0, D, 0, RF),                                        /* MRS NZCV */
	DO (0xFFFFFFE0, 0xD50B7420, SYSTEM, D, 0, 0, TRAIT(ZVA)),                                 /* DC ZVA */
	DO (0xFFE00000, 0xD5000000, SYSTEM, D, 0, 0, 0),                                         /* MSR, SYS */
	DO (0xFFE00000, 0xD5200000, SYSTEM, 0, D, 0, 0),                                         /* MRS, SYSL */

	/* data processing, immediate */
	DO (0x1F000000, 0x10000000, ALU, 0, D, 0, G(MOV_IMM)),                                            /* ADR, ADRP */
	DO (0x3F800000, 0x11000000, ALU, N, D, 0, SPN | SPD),                                    /* ADD, SUB */
	DO (0x3F80001F, 0x3100001F, ALU, N, 0, 0, SPN | G(COMPARE) | WF),                                            /* CMN, CMP */
	DO (0x3F800000, 0x31000000, ALU, N, D, 0, SPN | G(ALU_FLAGS) | WF),                                          /* ADDS, SUBS */
	DO (0x1F800000, 0x11800000, ALU, N, D, 0, SPN | SPD),                                    /* ADDG, SUBG */
	DO (0x7F800000, 0x72000000, ALU, N, D, 0, G(ALU_FLAGS) | WF),                                            /* ANDS */
	DO (0x1F800000, 0x12000000, ALU, N, D, 0, SPD),                                          /* AND, ORR, EOR */
	DO (0x7F800000, 0x72800000, ALU, D, D, 0, 0),                                            /* MOVK */
	DO (0x7F9FFFE0, 0x52800000, ALU, 0, D, 0, G(MOV_ZERO)),                                           /* MOVZ #0 */
	DO (0x1F800000, 0x12800000, ALU, 0, D, 0, G(MOV_IMM)),                                            /* MOVN, MOVZ */
	DO (0x7F800000, 0x33000000, ALU, N | D, D, N, G(BFI)),                                   /* BFM */
	DO (0x1F800000, 0x13000000, ALU, N, D, N, G(BFX)),                                       /* SBFM, UBFM */
	DO (0x1F800000, 0x13800000, ALU, N | M, D, N | M, G(EXTR) | MORE(SAME)),                 /* EXTR */

	/* data processing, register */
	DO (0x7FFFFFE0, 0x2A1F03E0, ALU, M, D, 0, G(MOV_ZERO)),                                  /* MOV from ZR */
	DO (0x7FE0FFE0, 0x2A0003E0, ALU, M, D, 0, G(MOV_REG)),                                   /* MOV */
	DO (0x7F20FC00, 0x6A000000, ALU, N | M, D, 0, G(ALU_FLAGS) | WF),                        /* ANDS, unshifted */
	DO (0x7F20FC00, 0x6A200000, ALU, N | M, D, 0, G(ALU_FLAGS) | WF),                        /* BICS */
	DO (0x7F000000, 0x6A000000, ALU, N | M, D, M, G(LOGIC_SHIFT_FLAGS) | WF),
	DO (0x1F00FC00, 0x0A000000, ALU, N | M, D, 0, 0),                                        /* logical, unshifted */
	DO (0x1F00FC00, 0x0A000400, ALU, N | M, D, M, G(ADD_LSL)),                               /* LSL #1, */
	DO (0x1F00F800, 0x0A000800, ALU, N | M, D, M, G(ADD_LSL)),                               /* #2, #3, */
	DO (0x1FC0FC00, 0x0A001000, ALU, N | M, D, M, G(ADD_LSL)),                               /* #4 */
	DO (0x1F000000, 0x0A000000, ALU, N | M, D, M, G(LOGIC_SHIFT)),
	DO (0x3F20FC1F, 0x2B00001F, ALU, N | M, 0, 0, G(COMPARE) | WF),                          /* CMN, CMP, unshifted */
	DO (0x3F20FC00, 0x2B000000, ALU, N | M, D, 0, G(ALU_FLAGS) | WF),                        /* ADDS, SUBS, unshifted */
	DO (0x3FE0FC00, 0x2B000400, ALU, N | M, D, M, G(ADD_LSL_FLAGS) | WF),                          /* LSL #1 to #4 */
	DO (0x3FE0F800, 0x2B000800, ALU, N | M, D, M, G(ADD_LSL_FLAGS) | WF),
	DO (0x3FE0FC00, 0x2B001000, ALU, N | M, D, M, G(ADD_LSL_FLAGS) | WF),
	DO (0x3F200000, 0x2B000000, ALU, N | M, D, M, G(ADD_SHIFT) | WF),
	DO (0x1F20FC00, 0x0B000000, ALU, N | M, D, 0, 0),                                        /* ADD, SUB, unshifted */
	DO (0x1FE0FC00, 0x0B000400, ALU, N | M, D, M, G(ADD_LSL)),
	DO (0x1FE0F800, 0x0B000800, ALU, N | M, D, M, G(ADD_LSL)),
	DO (0x1FE0FC00, 0x0B001000, ALU, N | M, D, M, G(ADD_LSL)),
	DO (0x1F200000, 0x0B000000, ALU, N | M, D, M, G(ADD_SHIFT)),
	DO (0x3F200000, 0x0B200000, ALU, N | M, D, M, G(ADD_SHIFT) | SPN | SPD),                 /* ADD, SUB extended */
	DO (0x3F200000, 0x2B200000, ALU, N | M, D, M, G(ADD_SHIFT) | SPN | WF),
	DO (0xFFE07C10, 0xBA000400, ALU, N, 0, 0, G(FLAG_SET) | RF | WF),                        /* RMIF */
	DO (0xFFFFBC1F, 0x3A00080D, ALU, N, 0, 0, G(FLAG_SET) | RF | WF),                        /* SETF8, SETF16 */
	DO (0x3FE0FC00, 0x3A000000, ALU, N | M, D, 0, G(ADC_FLAGS) | RF | WF),                   /* ADCS, SBCS */
	DO (0x1FE00000, 0x1A000000, ALU, N | M, D, 0, G(ADC) | RF),                              /* ADC, SBC */
	DO (0x1FE00800, 0x1A400000, ALU, N | M, 0, 0, G(CCMP) | RF | WF),                        /* CCMP, CCMN */
	DO (0x1FE00800, 0x1A400800, ALU, N, 0, 0, G(CCMP) | RF | WF),
	DO (0x1FE00000, 0x1A800000, ALU, N | M, D, 0, G(CSEL) | RF),                             /* CSEL, CSINC, ... */
	DO (0xFFE0F800, 0x9AC00800, DIV, N | M, D, 0, G(DIV_64)),                                /* UDIV X, SDIV X */
	DO (0x7FE0F800, 0x1AC00800, DIV, N | M, D, 0, G(DIV_32)),                                        /* UDIV, SDIV */
	DO (0x7FE0F000, 0x1AC02000, ALU, N | M, D, 0, G(SHIFT_VAR)),                /* LSLV, LSRV, ASRV, RORV */
	DO (0x7FE0E000, 0x1AC04000, ALU, N | M, D, 0, G(CRC)),                                   /* CRC32, CRC32C */
	DO (0xFFE0FC00, 0x9AC03000, ALU, N | M, D, 0, G(PAC) | SPM),                             /* PACGA */
	DO (0xFFE0FC00, 0xBAC00000, ALU, N | M, D, 0, SPN | SPM | WF),                           /* SUBPS */
	DO (0xFFE0FC00, 0x9AC00000, ALU, N | M, D, 0, SPN | SPM),                                /* SUBP */
	DO (0xFFE0FC00, 0x9AC01000, ALU, N | M, D, 0, SPN | SPD),                                /* IRG */
	DO (0xFFE0FC00, 0x9AC01400, ALU, N | M, D, 0, SPN),                                      /* GMI */
	DO (0x7FE00000, 0x1AC00000, ALU, N | M, D, 0, 0),
	DO (0xFFFFE000, 0xDAC10000, ALU, N | D, D, 0, G(PAC) | SPN),                             /* PACIA, ..., AUTDB */
	DO (0xFFFF8000, 0xDAC10000, ALU, D, D, 0, G(PAC)),                                       /* PACIZA, ..., XPACD */
	DO (0x7FE00000, 0x5AC00000, ALU, N, D, 0, G(BIT_REVERSE)),                               /* CLZ, RBIT, REV, ... */
	DO (0xFFE07C00, 0x9B007C00, MUL_64, N | M, D, 0, G(MUL_X)),                                     /* MUL X, MNEG X */
	DO (0xFFE08000, 0x9B000000, MUL_64, N | M | S, D, 0, G(MADD_64) | ACC(S)),               /* MADD X */
	DO (0xFFE08000, 0x9B008000, MUL_64, N | M | S, D, 0, G(MSUB_64) | ACC(S)),               /* MSUB X */
	DO (0x7FE07C00, 0x1B007C00, MUL, N | M, D, 0, 0),                                        /* MUL, MNEG */
	DO (0x7FE00000, 0x1B000000, MUL, N | M | S, D, 0, G(MADD) | ACC(S)),                     /* MADD, MSUB */
	DO (0xFF607C00, 0x9B207C00, MUL_LONG, N | M, D, 0, G(MULL)),                                   /* SMULL, UMULL */
	DO (0xFF600000, 0x9B200000, MUL_LONG, N | M | S, D, 0, G(MADD_LONG) | ACC(S)),           /* SMADDL, UMADDL, ... */
	DO (0xFF600000, 0x9B400000, MUL_HIGH, N | M, D, 0, G(MULH)),                                   /* SMULH, UMULH */

	/* structures of vector registers */
	MEM(0xBFFFF000, 0x0C400000, LOAD, 16, N, 0, N, SPN | G(LD4) | WIDE | MORE(STRUCT4), BACK_NO),
	MEM(0xBFE0F000, 0x0CC00000, LOAD, 16, N | M, 0, N, SPN | G(LD4) | WIDE | MORE(STRUCT4), BACK_YES),
	MEM(0xBFFFF000, 0x0C402000, LOAD, 16, N, 0, N, SPN | G(LD1_4) | WIDE | MORE(STRUCT4), BACK_NO),
	MEM(0xBFE0F000, 0x0CC02000, LOAD, 16, N | M, 0, N, SPN | G(LD1_4) | WIDE | MORE(STRUCT4), BACK_YES),
	MEM(0xBFFFF000, 0x0C404000, LOAD, 16, N, 0, N, SPN | G(LD3) | WIDE | MORE(STRUCT3), BACK_NO),
	MEM(0xBFE0F000, 0x0CC04000, LOAD, 16, N | M, 0, N, SPN | G(LD3) | WIDE | MORE(STRUCT3), BACK_YES),
	MEM(0xBFFFF000, 0x0C406000, LOAD, 16, N, 0, N, SPN | G(LD1_3) | WIDE | MORE(STRUCT3), BACK_NO),
	MEM(0xBFE0F000, 0x0CC06000, LOAD, 16, N | M, 0, N, SPN | G(LD1_3) | WIDE | MORE(STRUCT3), BACK_YES),
	MEM(0xBFFFF000, 0x0C407000, LOAD, 16, N, 0, N, SPN | G(LD1_1) | WIDE | MORE(STRUCT1), BACK_NO),
	MEM(0xBFE0F000, 0x0CC07000, LOAD, 16, N | M, 0, N, SPN | G(LD1_1) | WIDE | MORE(STRUCT1), BACK_YES),
	MEM(0xBFFFF000, 0x0C408000, LOAD, 16, N, 0, N, SPN | G(LD2) | WIDE | MORE(STRUCT2), BACK_NO),
	MEM(0xBFE0F000, 0x0CC08000, LOAD, 16, N | M, 0, N, SPN | G(LD2) | WIDE | MORE(STRUCT2), BACK_YES),
	MEM(0xBFFFF000, 0x0C40A000, LOAD, 16, N, 0, N, SPN | G(LD1_2) | WIDE | MORE(STRUCT2), BACK_NO),
	MEM(0xBFE0F000, 0x0CC0A000, LOAD, 16, N | M, 0, N, SPN | G(LD1_2) | WIDE | MORE(STRUCT2), BACK_YES),
	MEM(0xBFFFE000, 0x0D40C000, LOAD, 16, N, 0, N, SPN | G(LD1_LANE) | WIDE | MORE(STRUCT1), BACK_NO), /* LD1R */
	MEM(0xBFFF2000, 0x0D400000, LOAD, 16, N, 0, N, SPN | G(LD1_LANE) | WIDE | MORE(LANE1), BACK_NO), /* LD1 of a lane */
	MEM(0xBFE0E000, 0x0DC0C000, LOAD, 16, N | M, 0, N, SPN | G(LD1_LANE) | WIDE | MORE(STRUCT1), BACK_YES), /* LD1R */
	MEM(0xBFE02000, 0x0DC00000, LOAD, 16, N | M, 0, N, SPN | G(LD1_LANE) | WIDE | MORE(LANE1), BACK_YES), /* LD1 of a lane */
	MEM(0xBFFFE000, 0x0D60C000, LOAD, 16, N, 0, N, SPN | G(LD2_LANE) | WIDE | MORE(STRUCT2), BACK_NO), /* LD2R */
	MEM(0xBFFF2000, 0x0D600000, LOAD, 16, N, 0, N, SPN | G(LD2_LANE) | WIDE | MORE(LANE2), BACK_NO), /* LD2 of a lane */
	MEM(0xBFE0E000, 0x0DE0C000, LOAD, 16, N | M, 0, N, SPN | G(LD2_LANE) | WIDE | MORE(STRUCT2), BACK_YES), /* LD2R */
	MEM(0xBFE02000, 0x0DE00000, LOAD, 16, N | M, 0, N, SPN | G(LD2_LANE) | WIDE | MORE(LANE2), BACK_YES), /* LD2 of a lane */
	MEM(0xBFFFE000, 0x0D40E000, LOAD, 16, N, 0, N, SPN | G(LD3_LANE) | WIDE | MORE(STRUCT3), BACK_NO), /* LD3R */
	MEM(0xBFFF2000, 0x0D402000, LOAD, 16, N, 0, N, SPN | G(LD3_LANE) | WIDE | MORE(LANE3), BACK_NO), /* LD3 of a lane */
	MEM(0xBFE0E000, 0x0DC0E000, LOAD, 16, N | M, 0, N, SPN | G(LD3_LANE) | WIDE | MORE(STRUCT3), BACK_YES), /* LD3R */
	MEM(0xBFE02000, 0x0DC02000, LOAD, 16, N | M, 0, N, SPN | G(LD3_LANE) | WIDE | MORE(LANE3), BACK_YES), /* LD3 of a lane */
	MEM(0xBFFFE000, 0x0D60E000, LOAD, 16, N, 0, N, SPN | G(LD4_LANE) | WIDE | MORE(STRUCT4), BACK_NO), /* LD4R */
	MEM(0xBFFF2000, 0x0D602000, LOAD, 16, N, 0, N, SPN | G(LD4_LANE) | WIDE | MORE(LANE4), BACK_NO), /* LD4 of a lane */
	MEM(0xBFE0E000, 0x0DE0E000, LOAD, 16, N | M, 0, N, SPN | G(LD4_LANE) | WIDE | MORE(STRUCT4), BACK_YES), /* LD4R */
	MEM(0xBFE02000, 0x0DE02000, LOAD, 16, N | M, 0, N, SPN | G(LD4_LANE) | WIDE | MORE(LANE4), BACK_YES), /* LD4 of a lane */
	MEM(0xFFFFFC00, 0x4C000C00, STORE, 16, N, 0, N, SPN | G(ST4_64) | MORE(STRUCT4), BACK_NO), /* of 64 bits */
	MEM(0xBFFFF000, 0x0C000000, STORE, 16, N, 0, N, SPN | G(ST4) | WIDE | MORE(STRUCT4), BACK_NO),
	MEM(0xFFE0FC00, 0x4C800C00, STORE, 16, N | M, 0, N, SPN | G(ST4_64) | MORE(STRUCT4), BACK_YES), /* of 64 bits */
	MEM(0xBFE0F000, 0x0C800000, STORE, 16, N | M, 0, N, SPN | G(ST4) | WIDE | MORE(STRUCT4), BACK_YES),
	MEM(0xBFFFF000, 0x0C002000, STORE, 16, N, 0, N, SPN | G(ST1_4) | WIDE | MORE(STRUCT4), BACK_NO),
	MEM(0xBFE0F000, 0x0C802000, STORE, 16, N | M, 0, N, SPN | G(ST1_4) | WIDE | MORE(STRUCT4), BACK_YES),
	MEM(0xFFFFFC00, 0x4C004C00, STORE, 16, N, 0, N, SPN | G(ST3_64) | MORE(STRUCT3), BACK_NO), /* of 64 bits */
	MEM(0xBFFFF000, 0x0C004000, STORE, 16, N, 0, N, SPN | G(ST3) | WIDE | MORE(STRUCT3), BACK_NO),
	MEM(0xFFE0FC00, 0x4C804C00, STORE, 16, N | M, 0, N, SPN | G(ST3_64) | MORE(STRUCT3), BACK_YES), /* of 64 bits */
	MEM(0xBFE0F000, 0x0C804000, STORE, 16, N | M, 0, N, SPN | G(ST3) | WIDE | MORE(STRUCT3), BACK_YES),
	MEM(0xBFFFF000, 0x0C006000, STORE, 16, N, 0, N, SPN | G(ST1_3) | WIDE | MORE(STRUCT3), BACK_NO),
	MEM(0xBFE0F000, 0x0C806000, STORE, 16, N | M, 0, N, SPN | G(ST1_3) | WIDE | MORE(STRUCT3), BACK_YES),
	MEM(0xBFFFF000, 0x0C007000, STORE, 16, N, 0, N, SPN | G(ST1_1) | WIDE | MORE(STRUCT1), BACK_NO),
	MEM(0xBFE0F000, 0x0C807000, STORE, 16, N | M, 0, N, SPN | G(ST1_1) | WIDE | MORE(STRUCT1), BACK_YES),
	MEM(0xFFFFFC00, 0x4C008C00, STORE, 16, N, 0, N, SPN | G(ST2_64) | MORE(STRUCT2), BACK_NO), /* of 64 bits */
	MEM(0xBFFFF000, 0x0C008000, STORE, 16, N, 0, N, SPN | G(ST2) | WIDE | MORE(STRUCT2), BACK_NO),
	MEM(0xFFE0FC00, 0x4C808C00, STORE, 16, N | M, 0, N, SPN | G(ST2_64) | MORE(STRUCT2), BACK_YES), /* of 64 bits */
	MEM(0xBFE0F000, 0x0C808000, STORE, 16, N | M, 0, N, SPN | G(ST2) | WIDE | MORE(STRUCT2), BACK_YES),
	MEM(0xBFFFF000, 0x0C00A000, STORE, 16, N, 0, N, SPN | G(ST1_2) | WIDE | MORE(STRUCT2), BACK_NO),
	MEM(0xBFE0F000, 0x0C80A000, STORE, 16, N | M, 0, N, SPN | G(ST1_2) | WIDE | MORE(STRUCT2), BACK_YES),
	MEM(0xBFFFEC00, 0x0D008400, STORE, 16, N, 0, N, SPN | G(ST1_LANE_64) | MORE(STRUCT1), BACK_NO), /* ST1 of a lane of 64 bits */
	MEM(0xBFFF2000, 0x0D000000, STORE, 16, N, 0, N, SPN | G(ST1_LANE) | MORE(STRUCT1), BACK_NO), /* ST1 of a lane */
	MEM(0xBFE0EC00, 0x0D808400, STORE, 16, N | M, 0, N, SPN | G(ST1_LANE_64) | MORE(STRUCT1), BACK_YES), /* ST1 of a lane of 64 bits */
	MEM(0xBFE02000, 0x0D800000, STORE, 16, N | M, 0, N, SPN | G(ST1_LANE) | MORE(STRUCT1), BACK_YES), /* ST1 of a lane */
	MEM(0xBFFFEC00, 0x0D208400, STORE, 16, N, 0, N, SPN | G(ST2_LANE_64) | MORE(STRUCT2), BACK_NO), /* ST2 of a lane of 64 bits */
	MEM(0xBFFF2000, 0x0D200000, STORE, 16, N, 0, N, SPN | G(ST2_LANE) | MORE(STRUCT2), BACK_NO), /* ST2 of a lane */
	MEM(0xBFE0EC00, 0x0DA08400, STORE, 16, N | M, 0, N, SPN | G(ST2_LANE_64) | MORE(STRUCT2), BACK_YES), /* ST2 of a lane of 64 bits */
	MEM(0xBFE02000, 0x0DA00000, STORE, 16, N | M, 0, N, SPN | G(ST2_LANE) | MORE(STRUCT2), BACK_YES), /* ST2 of a lane */
	MEM(0xBFFFEC00, 0x0D00A400, STORE, 16, N, 0, N, SPN | G(ST3_LANE_64) | MORE(STRUCT3), BACK_NO), /* ST3 of a lane of 64 bits */
	MEM(0xBFFFEC00, 0x0D00A000, STORE, 16, N, 0, N, SPN | G(ST3_LANE_32) | MORE(STRUCT3), BACK_NO), /* ST3 of a lane of 32 bits */
	MEM(0xBFFF2000, 0x0D002000, STORE, 16, N, 0, N, SPN | G(ST3_LANE) | MORE(STRUCT3), BACK_NO), /* ST3 of a lane */
	MEM(0xBFE0EC00, 0x0D80A400, STORE, 16, N | M, 0, N, SPN | G(ST3_LANE_64) | MORE(STRUCT3), BACK_YES), /* ST3 of a lane of 64 bits */
	MEM(0xBFE0EC00, 0x0D80A000, STORE, 16, N | M, 0, N, SPN | G(ST3_LANE_32) | MORE(STRUCT3), BACK_YES), /* ST3 of a lane of 32 bits */
	MEM(0xBFE02000, 0x0D802000, STORE, 16, N | M, 0, N, SPN | G(ST3_LANE) | MORE(STRUCT3), BACK_YES), /* ST3 of a lane */
	MEM(0xBFFFEC00, 0x0D20A400, STORE, 16, N, 0, N, SPN | G(ST4_LANE_64) | MORE(STRUCT4), BACK_NO), /* ST4 of a lane of 64 bits */
	MEM(0xBFFFEC00, 0x0D20A000, STORE, 16, N, 0, N, SPN | G(ST4_LANE_32) | MORE(STRUCT4), BACK_NO), /* ST4 of a lane of 32 bits */
	MEM(0xBFFF2000, 0x0D202000, STORE, 16, N, 0, N, SPN | G(ST4_LANE) | MORE(STRUCT4), BACK_NO), /* ST4 of a lane */
	MEM(0xBFE0EC00, 0x0DA0A400, STORE, 16, N | M, 0, N, SPN | G(ST4_LANE_64) | MORE(STRUCT4), BACK_YES), /* ST4 of a lane of 64 bits */
	MEM(0xBFE0EC00, 0x0DA0A000, STORE, 16, N | M, 0, N, SPN | G(ST4_LANE_32) | MORE(STRUCT4), BACK_YES), /* ST4 of a lane of 32 bits */
	MEM(0xBFE02000, 0x0DA02000, STORE, 16, N | M, 0, N, SPN | G(ST4_LANE) | MORE(STRUCT4), BACK_YES), /* ST4 of a lane */

	/* exclusives, acquire and release, compare and swap */
	MEM(0xBFA00000, 0x08200000, SWAP, 4, N | D | M, M, N, SPN | PAIR | SIZE_P | ORD_CAS | G(CASP) | MORE(CASP), BACK_NO), /* CASP */
	MEM(0x3FA00000, 0x08A00000, SWAP, 4, N | D | M, M, N, SPN | SIZE30 | ORD_CAS | G(CAS), BACK_NO),  /* CAS */
	MEM(0x3FE00000, 0x08000000, STORE, 4, N | D, M, N, SPN | EXCL | SIZE30 | ORD15 | G(STORE_EX), BACK_NO), /* STXR, STLXR */
	MEM(0xBFE00000, 0x88200000, STORE, 4, N | D | S, M, N, SPN | EXCL | PAIR | SIZE_P | ORD15 | G(STORE_EX), BACK_NO), /* STXP, STLXP */
	MEM(0x3FE00000, 0x08400000, LOAD, 4, N, D, N, SPN | EXCL | SIZE30 | ORD15 | G(LOAD_EX), BACK_NO),     /* LDXR, LDAXR */
	MEM(0xBFE00000, 0x88600000, LOAD, 4, N, D | S, N, SPN | EXCL | PAIR | SIZE_P | ORD15 | G(LOAD_EX), BACK_NO), /* LDXP, LDAXP */
	MEM(0x3FE00000, 0x08800000, STORE, 4, N | D, 0, N, SPN | SIZE30 | TRAIT(STREL) | G(STORE_ORDERED), BACK_NO), /* STLR, STLLR */
	MEM(0x3FE00000, 0x08C00000, LOAD, 4, N, D, N, SPN | SIZE30 | TRAIT(LDACQ) | G(LOAD_ORDERED), BACK_NO),      /* LDAR, LDLAR */
	MEM(0x3FE00C00, 0x19000000, STORE, 4, N | D, 0, N, SPN | SIZE30 | TRAIT(STREL) | G(STORE_ORDERED), BACK_NO),               /* STLUR */
	MEM(0x3F200C00, 0x19000000, LOAD, 4, N, D, N, SPN | SIZE30 | TRAIT(LDACQ) | G(LOAD_ORDERED), BACK_NO),                    /* LDAPUR */
	MEM(0x3FFFFC00, 0x38BFC000, LOAD, 4, N, D, N, SPN | SIZE30 | TRAIT(LDACQ) | G(LOAD_ORDERED), BACK_NO),                    /* LDAPR */
	MEM(0x3F200C00, 0x38200000, SWAP, 4, N | M, D, N, SPN | SIZE30 | ORD_LSE | G(ATOMIC), BACK_NO),      /* LDADD, SWP, ... */

	/* literals */
	DO (0xFF000000, 0xD8000000, PRELOAD, 0, 0, 0, 0),                                        /* PRFM */
	MEM(0xFF000000, 0x98000000, LOAD, 4, 0, D, 0, G(LOAD_LITERAL), BACK_NO),                               /* LDRSW */
	MEM(0xFF000000, 0x18000000, LOAD, 4, 0, D, 0, G(LOAD_LITERAL), BACK_NO),                               /* LDR W */
	MEM(0xFF000000, 0x58000000, LOAD, 8, 0, D, 0, G(LOAD_LITERAL), BACK_NO),                               /* LDR X */
	MEM(0x3F000000, 0x1C000000, LOAD, 4, 0, VD, 0, SIZE_Q | G(LOAD_VEC), BACK_NO),             /* LDR S, D, Q */

	/* pairs */
	MEM(0xFFC00000, 0x69000000, STORE, 8, N | D | S, 0, N, SPN | PAIR, BACK_NO),                /* STGP */
	MEM(0xFF400000, 0x68000000, STORE, 8, N | D | S, 0, N, SPN | PAIR, BACK_B23),                /* STGP */
	MEM(0xFE400000, 0x68400000, LOAD, 4, N, D | S, N, SPN | PAIR | G(LOAD_PAIR), BACK_B23),                   /* LDPSW */
	MEM(0x3E400000, 0x28000000, STORE, 4, N | D | S, 0, N, SPN | PAIR | SIZE_P | G(STORE_PAIR), BACK_B23),   /* STP, STNP */
	MEM(0x3E400000, 0x28400000, LOAD, 4, N, D | S, N, SPN | PAIR | SIZE_P | G(LOAD_PAIR), BACK_B23),        /* LDP, LDNP */
	MEM(0x3E400000, 0x2C000000, STORE, 4, N | VD | VS, 0, N, SPN | PAIR | SIZE_Q | G(STORE_VEC_PAIR) | WIDE31, BACK_B23),
	MEM(0x3E400000, 0x2C400000, LOAD, 4, N, VD | VS, N, SPN | PAIR | SIZE_Q | G(LOAD_VEC_PAIR) | WIDE31, BACK_B23),

	/* one register */
	DO (0xFFC00000, 0xF9800000, PRELOAD, N, 0, N, SPN),                                      /* PRFM */
	DO (0xFFE00C00, 0xF8A00800, PRELOAD, N | M, 0, N | M, SPN),
	DO (0xFFE00C00, 0xF8800000, PRELOAD, N, 0, N, SPN),                                      /* PRFUM */
	MEM(0xFF200400, 0xF8200400, LOAD, 8, N, D, N, SPN, BACK_B11),                            /* LDRAA, LDRAB */
	MEM(0x3FC00000, 0x39000000, STORE, 4, N | D, 0, N, SPN | SIZE30, BACK_NO),               /* STR [N,#imm12] */
	MEM(0x3FE00000, 0x38000000, STORE, 4, N | D, 0, N, SPN | SIZE30, BACK_B10),              /* STR [N],#imm9 */
	MEM(0x3FE00C00, 0x38200800, STORE, 4, N | M | D, 0, N | M, SPN | SIZE30, BACK_NO),       /* STR [N,M] */
	MEM(0x3F000000, 0x39000000, LOAD, 4, N, D, N, SPN | SIZE30 | G(LOAD_IMM), BACK_NO),                    /* LDR */
	MEM(0x3F200000, 0x38000000, LOAD, 4, N, D, N, SPN | SIZE30 | G(LOAD_IMM), BACK_B10),
	MEM(0x3F20FC00, 0x38206800, LOAD, 4, N | M, D, N | M, SPN | SIZE30 | G(LOAD_INDEX), BACK_NO),
	MEM(0xFF201C00, 0x78201800, LOAD, 4, N | M, D, N | M, SPN | SIZE30 | G(LOAD_HALF_SCALED), BACK_NO),
	MEM(0x3F200C00, 0x38200800, LOAD, 4, N | M, D, N | M, SPN | SIZE30 | G(LOAD_SCALED), BACK_NO),
	MEM(0x3F400000, 0x3D000000, STORE, 4, N | VD, 0, N, SPN | SIZE_V | G(STORE_VEC) | WIDE23, BACK_NO),        /* STR vector */
	MEM(0x3F600000, 0x3C000000, STORE, 4, N | VD, 0, N, SPN | SIZE_V | G(STORE_VEC) | WIDE23, BACK_B10),
	MEM(0x3F600C00, 0x3C200800, STORE, 4, N | M | VD, 0, N | M, SPN | SIZE_V | G(STORE_VEC) | WIDE23, BACK_NO),
	MEM(0x3F400000, 0x3D400000, LOAD, 4, N, VD, N, SPN | SIZE_V | G(LOAD_VEC) | WIDE23, BACK_NO),             /* LDR vector */
	MEM(0x3F600000, 0x3C400000, LOAD, 4, N, VD, N, SPN | SIZE_V | G(LOAD_VEC) | WIDE23, BACK_B10),
	MEM(0x3F600C00, 0x3C600800, LOAD, 4, N | M, VD, N | M, SPN | SIZE_V | G(LOAD_VEC) | WIDE23, BACK_NO),

};
/* clang-format on */

const struct apmu_isa__rows apmu_isa__rows_a64 = {row, sizeof(row) / sizeof(row[0])};
