/* SPDX-License-Identifier: MIT */
/*
 * T32: the rows of 16-bit and of 32-bit words (DDI0406C A6). First match wins. Coprocessor, VFP and Advanced
 * SIMD data words that T32 shares with A32 bit for bit are in classify_a32.c.
 */
#include "isa/classify_rows.h"

/* A load or store of one register with its three addressing forms: [N,M,LSL], [N,#imm12], [N,#-imm8] and
 * write-back. */
#define LDST_(bits, cls, width, reads, writes)                                                         \
	MEM(0xFFF00FC0, bits, cls, width, N | M | (reads), writes, N | M, 0, BACK_NO),                 \
		MEM(0xFFF00000, (bits) | 0x00800000u, cls, width, N | (reads), writes, N, 0, BACK_NO), \
		MEM(0xFFF00800, (bits) | 0x00000800u, cls, width, N | (reads), writes, N, 0, BACK_W8)
#define LDR_(bits, width) LDST_(bits, LOAD, width, 0, D)
#define STR_(bits, width) LDST_(bits, STORE, width, D, 0)
/* The literal form: N is the PC, bit 23 the sign. */
#define LIT_(bits, width) MEM(0xFF7F0000, (bits) | 0x000F0000u, LOAD, width, 0, D, 0, 0, BACK_NO)

/* clang-format off */
static const struct apmu_isa__row row16[] = {
	DO (0xFE00, 0x1800, ALU, N | M, D, 0, WF_IT),                                                /* ADD, SUB register */
	DO (0xFE00, 0x1A00, ALU, N | M, D, 0, WF_IT),
	DO (0xFC00, 0x1C00, ALU, N, D, 0, WF_IT),                                                    /* ADD, SUB #imm3 */
	DO (0xFFC0, 0x0000, ALU, N, D, 0, G(MOV_REG) | WF_IT),                                       /* MOVS */
	DO (0xE000, 0x0000, ALU, N, D, N, G(BFX) | WF_IT),                                                    /* LSL, LSR, ASR #imm */
	DO (0xF800, 0x2000, ALU, 0, S, 0, G(MOV_IMM) | WF_IT),                                                    /* MOV #imm8 */
	DO (0xF800, 0x2800, ALU, S, 0, 0, G(ALU_FLAGS) | WF),                                                    /* CMP #imm8 */
	DO (0xF000, 0x3000, ALU, S, S, 0, WF_IT),                                                    /* ADD, SUB #imm8 */
	DO (0xFF80, 0x4080, ALU, N | D, D, N | D, G(SHIFT_VAR) | RSHIFT | WF_IT),                                       /* LSL, LSR */
	DO (0xFFC0, 0x4100, ALU, N | D, D, N | D, G(SHIFT_VAR) | RSHIFT | WF_IT),                                       /* ASR */
	DO (0xFFC0, 0x41C0, ALU, N | D, D, N | D, G(SHIFT_VAR) | RSHIFT | WF_IT),                                       /* ROR */
	DO (0xFFC0, 0x4200, ALU, N | D, 0, 0, G(ALU_FLAGS) | WF),                                                /* TST */
	DO (0xFFC0, 0x4240, ALU, N, D, 0, WF_IT),                                                    /* NEG */
	DO (0xFF80, 0x4280, ALU, N | D, 0, 0, G(ALU_FLAGS) | WF),                                                /* CMP, CMN */
	DO (0xFFC0, 0x4340, MUL, N | D, D, 0, WF_IT),                                                /* MUL */
	DO (0xFFC0, 0x43C0, ALU, N, D, 0, WF_IT),                                                    /* MVN */
	DO (0xFC00, 0x4000, ALU, N | D, D, 0, WF_IT | CARRY),                                                /* AND, EOR, ADC, SBC, ... */
	BR (0xFF87, 0x4487, ALU, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),                        /* ADD PC,Rm */
	DO (0xFF00, 0x4400, ALU, N | D, D, 0, 0),                                                /* ADD high */
	DO (0xFF00, 0x4500, ALU, N | D, 0, 0, G(ALU_FLAGS) | WF),                                                /* CMP high */
	BR (0xFFFF, 0x46F7, ALU, RETURN, 0, N, 0, 0, BACK_NO, TO_NONE),                          /* MOV PC,LR */
	BR (0xFF87, 0x4687, ALU, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),                        /* MOV PC,Rm */
	DO (0xFF00, 0x4600, ALU, N, D, 0, G(MOV_REG)),                                                    /* MOV high */
	BR (0xFFFF, 0x4770, BRANCH, RETURN, 0, N, 0, 0, BACK_NO, TO_NONE),                       /* BX LR */
	BR (0xFF80, 0x4700, BRANCH, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),                     /* BX */
	BR (0xFF80, 0x4780, BRANCH, INDIRECT_LINK, 0, N, 0, LINK, BACK_NO, TO_NONE),             /* BLX */
	MEM(0xF800, 0x4800, LOAD, 4, 0, S, 0, 0, BACK_NO),                                       /* LDR literal */
	MEM(0xFE00, 0x5000, STORE, 4, N | M | D, 0, N | M, 0, BACK_NO),                          /* STR [N,M] */
	MEM(0xFE00, 0x5200, STORE, 2, N | M | D, 0, N | M, 0, BACK_NO),                          /* STRH */
	MEM(0xFE00, 0x5400, STORE, 1, N | M | D, 0, N | M, 0, BACK_NO),                          /* STRB */
	MEM(0xFE00, 0x5600, LOAD, 1, N | M, D, N | M, 0, BACK_NO),                               /* LDRSB */
	MEM(0xFE00, 0x5800, LOAD, 4, N | M, D, N | M, 0, BACK_NO),                               /* LDR */
	MEM(0xFE00, 0x5A00, LOAD, 2, N | M, D, N | M, 0, BACK_NO),                               /* LDRH */
	MEM(0xFE00, 0x5C00, LOAD, 1, N | M, D, N | M, 0, BACK_NO),                               /* LDRB */
	MEM(0xFE00, 0x5E00, LOAD, 2, N | M, D, N | M, 0, BACK_NO),                               /* LDRSH */
	MEM(0xF800, 0x6000, STORE, 4, N | D, 0, N, 0, BACK_NO),                                  /* STR [N,#imm5] */
	MEM(0xF800, 0x6800, LOAD, 4, N, D, N, 0, BACK_NO),                                       /* LDR */
	MEM(0xF800, 0x7000, STORE, 1, N | D, 0, N, 0, BACK_NO),                                  /* STRB */
	MEM(0xF800, 0x7800, LOAD, 1, N, D, N, 0, BACK_NO),                                       /* LDRB */
	MEM(0xF800, 0x8000, STORE, 2, N | D, 0, N, 0, BACK_NO),                                  /* STRH */
	MEM(0xF800, 0x8800, LOAD, 2, N, D, N, 0, BACK_NO),                                       /* LDRH */
	MEM(0xF800, 0x9000, STORE, 4, S, 0, 0, BASESP, BACK_NO),                                 /* STR [SP] */
	MEM(0xF800, 0x9800, LOAD, 4, 0, S, 0, BASESP, BACK_NO),                                  /* LDR [SP] */
	DO (0xF800, 0xA000, ALU, 0, S, 0, 0),                                                    /* ADR */
	DO (0xF800, 0xA800, ALU, 0, S, 0, BASESP),                                               /* ADD Rd,SP */
	DO (0xFF00, 0xB000, ALU, 0, 0, 0, BASESP | MOVESP),                                      /* ADD, SUB SP */
	BR (0xF500, 0xB100, BRANCH, IMMED, 0, D, 0, COND, BACK_NO, TO_T16_CB),                   /* CBZ, CBNZ */
	DO (0xFF00, 0xB200, ALU, N, D, N, G(EXTEND)),                                            /* SXTH, SXTB, UXTH, UXTB */
	MEM(0xFE00, 0xB400, STORE, 4, 0, 0, 0, G(STM) | LIST | LISTLR | BASESP | MOVESP, BACK_NO), /* PUSH */
	DO (0xFFF7, 0xB650, SYSTEM, 0, 0, 0, 0),                                                 /* SETEND */
	DO (0xFFE8, 0xB660, SYSTEM, 0, 0, 0, MODE),                                              /* CPS */
	DO (0xFFC0, 0xBA80, EXCEPTION, 0, 0, 0, 0),                                              /* HLT */
	DO (0xFF00, 0xBA00, ALU, N, D, N, G(BIT_REVERSE)),                                       /* REV, REV16, REVSH */
	BR (0xFF00, 0xBD00, LOAD, RETURN, 4, 0, 0, G(LDM) | LIST | LISTLR | BASESP | MOVESP, BACK_NO, TO_NONE), /* POP {..PC} */
	MEM(0xFF00, 0xBC00, LOAD, 4, 0, 0, 0, G(LDM) | LIST | BASESP | MOVESP, BACK_NO),         /* POP */
	DO (0xFF00, 0xBE00, EXCEPTION, 0, 0, 0, 0),                                              /* BKPT */
	DO (0xFF0F, 0xBF00, NOP, 0, 0, 0, 0),                                                    /* hints */
	DO (0xFF00, 0xBF00, NOP, 0, 0, 0, ITSET),                                                /* IT */
	MEM(0xF800, 0xC000, STORE, 4, S, S, S, G(STM) | LIST, BACK_NO),                          /* STM */
	MEM(0xF800, 0xC800, LOAD, 4, S, 0, S, G(LDM) | LIST, BACK_UNLISTED),                     /* LDM */
	DO (0xFF00, 0xDE00, EXCEPTION, 0, 0, 0, 0),                                              /* UDF */
	DO (0xFF00, 0xDF00, EXCEPTION, 0, 0, 0, TRAIT(SVC)),                                              /* SVC */
	BR (0xF000, 0xD000, BRANCH, IMMED, 0, 0, 0, COND | RF, BACK_NO, TO_T16_CC),                   /* B<c> */
	BR (0xF800, 0xE000, BRANCH, IMMED, 0, 0, 0, 0, BACK_NO, TO_T16),                         /* B */
};

static const struct apmu_isa__row row32[] = {
	/* load and store multiple; RFE, SRS */
	BR (0xFFD00000, 0xE8100000, LOAD, LOAD_PC, 4, N, 0, PAIR | MODE, BACK_W21, TO_NONE),     /* RFE */
	BR (0xFFD00000, 0xE9900000, LOAD, LOAD_PC, 4, N, 0, PAIR | MODE, BACK_W21, TO_NONE),
	MEM(0xFFD00000, 0xE8000000, STORE, 4, 0, 0, 0, PAIR, BACK_NO),                           /* SRS */
	MEM(0xFFD00000, 0xE9800000, STORE, 4, 0, 0, 0, PAIR, BACK_NO),
	BR (0xFFFF8000, 0xE8BD8000, LOAD, RETURN, 4, N, 0, G(LDM) | LIST, BACK_W21, TO_NONE),    /* POP.W {..PC} */
	BR (0xFE508000, 0xE8108000, LOAD, LOAD_PC, 4, N, 0, G(LDM) | LIST, BACK_W21, TO_NONE),   /* LDM {..PC} */
	MEM(0xFE500000, 0xE8100000, LOAD, 4, N, 0, N, G(LDM) | LIST, BACK_W21),                  /* LDM */
	MEM(0xFE500000, 0xE8000000, STORE, 4, N, 0, N, G(STM) | LIST, BACK_W21),                 /* STM */

	/* exclusives, table branches, doubles */
	MEM(0xFFF00000, 0xE8500000, LOAD, 4, N, D, N, EXCL, BACK_NO),                            /* LDREX */
	MEM(0xFFF00000, 0xE8400000, STORE, 4, N | D, S, N, EXCL, BACK_NO),                       /* STREX */
	BR (0xFFF000F0, 0xE8D00000, LOAD, INDIRECT, 1, N | M, 0, 0, BACK_NO, TO_NONE),           /* TBB */
	BR (0xFFF000F0, 0xE8D00010, LOAD, INDIRECT, 2, N | M, 0, 0, BACK_NO, TO_NONE),           /* TBH */
	MEM(0xFFF000F0, 0xE8D00080, LOAD, 1, N, D, N, TRAIT(LDACQ), BACK_NO),                     /* LDAB */
	MEM(0xFFF000F0, 0xE8D00090, LOAD, 2, N, D, N, TRAIT(LDACQ), BACK_NO),                     /* LDAH */
	MEM(0xFFF000F0, 0xE8D000A0, LOAD, 4, N, D, N, TRAIT(LDACQ), BACK_NO),                     /* LDA */
	MEM(0xFFF000F0, 0xE8D000C0, LOAD, 1, N, D, N, EXCL | TRAIT(LDACQ), BACK_NO),              /* LDAEXB */
	MEM(0xFFF000F0, 0xE8D000D0, LOAD, 2, N, D, N, EXCL | TRAIT(LDACQ), BACK_NO),              /* LDAEXH */
	MEM(0xFFF000F0, 0xE8D000E0, LOAD, 4, N, D, N, EXCL | TRAIT(LDACQ), BACK_NO),              /* LDAEX */
	MEM(0xFFF000F0, 0xE8C00080, STORE, 1, N | D, 0, N, TRAIT(STREL), BACK_NO),                /* STLB */
	MEM(0xFFF000F0, 0xE8C00090, STORE, 2, N | D, 0, N, TRAIT(STREL), BACK_NO),                /* STLH */
	MEM(0xFFF000F0, 0xE8C000A0, STORE, 4, N | D, 0, N, TRAIT(STREL), BACK_NO),                /* STL */
	MEM(0xFFF000F0, 0xE8C000C0, STORE, 1, N | D, M, N, EXCL | TRAIT(STREL), BACK_NO),         /* STLEXB */
	MEM(0xFFF000F0, 0xE8C000D0, STORE, 2, N | D, M, N, EXCL | TRAIT(STREL), BACK_NO),         /* STLEXH */
	MEM(0xFFF000F0, 0xE8C000E0, STORE, 4, N | D, M, N, EXCL | TRAIT(STREL), BACK_NO),         /* STLEX */
	MEM(0xFFF000F0, 0xE8D00070, LOAD, 4, N, D | S, N, EXCL | PAIR, BACK_NO),                 /* LDREXD */
	MEM(0xFFF000F0, 0xE8D000F0, LOAD, 4, N, D | S, N, EXCL | PAIR | TRAIT(LDACQ), BACK_NO),   /* LDAEXD */
	MEM(0xFFF00030, 0xE8D00000, LOAD, 1, N, D, N, EXCL, BACK_NO),                            /* LDREXB */
	MEM(0xFFF00030, 0xE8D00010, LOAD, 2, N, D, N, EXCL, BACK_NO),                            /* LDREXH */
	MEM(0xFFF000F0, 0xE8C00070, STORE, 4, N | D | S, M, N, EXCL | PAIR, BACK_NO),            /* STREXD */
	MEM(0xFFF000F0, 0xE8C000F0, STORE, 4, N | D | S, M, N, EXCL | PAIR | TRAIT(STREL), BACK_NO), /* STLEXD */
	MEM(0xFFF00030, 0xE8C00000, STORE, 1, N | D, M, N, EXCL, BACK_NO),                       /* STREXB */
	MEM(0xFFF00030, 0xE8C00010, STORE, 2, N | D, M, N, EXCL, BACK_NO),                       /* STREXH */
	MEM(0xFE500000, 0xE8500000, LOAD, 4, N, D | S, N, PAIR | G(LDRD), BACK_A32),             /* LDRD */
	MEM(0xFE500000, 0xE8400000, STORE, 4, N | D | S, 0, N, PAIR | G(STRD), BACK_A32),        /* STRD */

	/* data processing, shifted register */
	DO (0xFE107FF0, 0xEA100F30, ALU, N | M, 0, M, G(RRX) | RF | WF_S),                       /* RRX */
	DO (0xFE10FFF0, 0xEA100F00, ALU, N | M, 0, 0, G(ALU_FLAGS) | WF_S | CARRY),                                        /* TST, TEQ, CMP, CMN */
	DO (0xFE100F00, 0xEA100F00, ALU, N | M, 0, M, WF_S | CARRY),
	DO (0xFE0070F0, 0xEA000030, ALU, N | M, S, M, G(RRX) | RF | WF_S),                                      /* RRX */
	DO (0xFFEF70F0, 0xEA4F0000, ALU, M, S, 0, G(MOV_REG) | WF_S),                            /* MOV */
	DO (0xFFEF0000, 0xEA4F0000, ALU, M, S, M, G(BFX) | WF_S),                                /* LSL, LSR, ASR, ROR */
	DO (0xFE0070F0, 0xEA000000, ALU, N | M, S, 0, WF_S | CARRY),
	DO (0xFE007030, 0xEA000000, ALU, N | M, S, M, G(ADD_LSL) | WF_S | CARRY),                    /* LSL #1 to #3 */
	DO (0xFE000000, 0xEA000000, ALU, N | M, S, M, G(ADD_SHIFT) | WF_S | CARRY),

	/* data processing, immediate */
	DO (0xFA108F00, 0xF0100F00, ALU, N, 0, 0, G(ALU_FLAGS) | WF_S | CARRY),                                            /* TST, TEQ, CMP, CMN */
	DO (0xFA008000, 0xF0000000, ALU, N, S, 0, WF_S | CARRY),
	DO (0xFBF08000, 0xF2400000, ALU, 0, S, 0, G(MOV_IMM)),                                   /* MOVW */
	DO (0xFBF08000, 0xF2C00000, ALU, S, S, 0, 0),                                            /* MOVT */
	DO (0xFBF08000, 0xF3600000, ALU, N | S, S, N, G(BFI)),                                   /* BFI, BFC */
	DO (0xFB508000, 0xF3400000, ALU, N, S, N, G(BFX)),                                       /* SBFX, UBFX */
	DO (0xFB108000, 0xF3000000, ALU, N, S, N, 0),                                            /* SSAT, USAT */
	DO (0xFA008000, 0xF2000000, ALU, N, S, 0, 0),                                            /* ADDW, SUBW, ADR */

	/* branches and miscellaneous control */
	BR (0xF800D000, 0xF0009000, BRANCH, IMMED, 0, 0, 0, 0, BACK_NO, TO_T32),                 /* B.W */
	BR (0xF800D000, 0xF000D000, BRANCH, IMMED_LINK, 0, 0, 0, LINK, BACK_NO, TO_T32),         /* BL */
	BR (0xF800D001, 0xF000C000, BRANCH, IMMED_X, 0, 0, 0, LINK, BACK_NO, TO_T32_X),          /* BLX */
	DO (0xFFFFFFFF, 0xF3AF8014, NOP, 0, 0, 0, TRAIT(CSDB)),                                   /* CSDB */
	DO (0xFFFFFF00, 0xF3AF8000, NOP, 0, 0, 0, 0),                                            /* hints */
	DO (0xFFFFF800, 0xF3AF8000, SYSTEM, 0, 0, 0, MODE),                                      /* CPS */
	DO (0xFFFFFFF0, 0xF3BF8F40, BARRIER, 0, 0, 0, TRAIT(DSB)),                                /* DSB */
	DO (0xFFFFFFF0, 0xF3BF8F50, SYSTEM, 0, 0, 0, TRAIT(DMB)),                                 /* DMB */
	DO (0xFFFFFFF0, 0xF3BF8F60, SYSTEM, 0, 0, 0, TRAIT(ISB)),                                 /* ISB */
	DO (0xFFFFFF00, 0xF3BF8F00, SYSTEM, 0, 0, 0, 0),                                         /* CLREX, SB */
	BR (0xFFF0FFFF, 0xF3C08F00, BRANCH, INDIRECT, 0, N, 0, 0, BACK_NO, TO_NONE),             /* BXJ */
	DO (0xFFFFFF00, 0xF3DE8F00, EXCEPTION, 0, 0, 0, 0),                                      /* ERET, SUBS PC,LR */
	DO (0xFFF0D020, 0xF3808020, SYSTEM, N, 0, 0, 0),                                         /* MSR banked */
	DO (0xFFF0D100, 0xF3808100, SYSTEM, N, 0, 0, MODE),                                      /* MSR CPSR_c */
	DO (0xFFE0D000, 0xF3808000, SYSTEM, N, 0, 0, 0),                                         /* MSR */
	DO (0xFFE0D000, 0xF3E08000, SYSTEM, 0, S, 0, 0),                                         /* MRS */
	DO (0xFFE0D000, 0xF7E08000, EXCEPTION, 0, 0, 0, 0),                                      /* HVC, SMC, UDF */
	DO (0xFB80D000, 0xF3808000, UNKNOWN, 0, 0, 0, 0),                                        /* no condition 111x */
	BR (0xF800D000, 0xF0008000, BRANCH, IMMED, 0, 0, 0, COND | RF, BACK_NO, TO_T32_CC),           /* B<c>.W */

	/* loads and stores of one register; a byte or halfword to the PC is a preload */
	DO (0xFE5FF000, 0xF81FF000, PRELOAD, 0, 0, 0, 0),                                        /* PLD, PLI literal */
	DO (0xFED0FFC0, 0xF810F000, PRELOAD, N | M, 0, N | M, 0),
	DO (0xFE50F000, 0xF810F000, PRELOAD, N, 0, N, 0),
	BR (0xFFFFFF00, 0xF85DFB00, LOAD, RETURN, 4, N, 0, 0, BACK_W8, TO_NONE),                 /* LDR PC,[SP],# */
	BR (0xFF7FF000, 0xF85FF000, LOAD, LOAD_PC, 4, 0, 0, 0, BACK_NO, TO_NONE),
	BR (0xFFF0FFC0, 0xF850F000, LOAD, LOAD_PC, 4, N | M, 0, 0, BACK_NO, TO_NONE),            /* LDR PC,[N,M] */
	BR (0xFFF0F000, 0xF8D0F000, LOAD, LOAD_PC, 4, N, 0, 0, BACK_NO, TO_NONE),
	BR (0xFFF0F800, 0xF850F800, LOAD, LOAD_PC, 4, N, 0, 0, BACK_W8, TO_NONE),
	LIT_(0xF8100000, 1), LIT_(0xF8300000, 2), LIT_(0xF8500000, 4), LIT_(0xF9100000, 1), LIT_(0xF9300000, 2),
	LDR_(0xF8100000, 1), LDR_(0xF8300000, 2), LDR_(0xF8500000, 4),                           /* LDRB, LDRH, LDR */
	LDR_(0xF9100000, 1), LDR_(0xF9300000, 2),                                                /* LDRSB, LDRSH */
	STR_(0xF8000000, 1), STR_(0xF8200000, 2), STR_(0xF8400000, 4),                           /* STRB, STRH, STR */

	/* data processing, register; multiplies: Rd is 11:8, Ra 15:12 */
	DO (0xFF80F0F0, 0xFA00F000, ALU, N | M, S, N | M, G(SHIFT_VAR) | RSHIFT | WF_S),                               /* LSL, LSR, ASR, ROR */
	DO (0xFF8FF080, 0xFA0FF080, ALU, M, S, M, G(EXTEND)),                                    /* SXTH, UXTB, ... */
	DO (0xFF80F080, 0xFA00F080, ALU, N | M, S, M, G(ADD_SHIFT)),                             /* SXTAB, ... */
	DO (0xFFF0F0C0, 0xFA90F080, ALU, M, S, 0, G(BIT_REVERSE)),                               /* REV, REV16, RBIT, REVSH */
	DO (0xFFF0F0C0, 0xFAB0F080, ALU, M, S, 0, G(BIT_REVERSE)),                               /* CLZ */
	DO (0xFFE0F0C0, 0xFAC0F080, ALU, N | M, S, 0, G(CRC)),                                   /* CRC32 */
	DO (0xFF80F000, 0xFA80F000, ALU, N | M, S, 0, 0),                                        /* parallel, QADD, SEL, ... */
	DO (0xFFF0F0F0, 0xFB00F000, MUL, N | M, S, 0, 0),                                        /* MUL */
	DO (0xFFF000E0, 0xFB000000, MUL, N | M | D, S, 0, G(MADD) | ACC(D)),                     /* MLA, MLS */
	DO (0xFFF000C0, 0xFB500000, MUL_HIGH, N | M | D, S, 0, 0),                               /* SMMLA, SMMUL */
	DO (0xFFF000C0, 0xFB600000, MUL_HIGH, N | M | D, S, 0, 0),                               /* SMMLS */
	DO (0xFF8000C0, 0xFB000000, MUL_HALF, N | M | D, S, 0, 0),                               /* SMLAxy, SMLAD, USAD8, ... */
	DO (0xFFD000F0, 0xFB9000F0, DIV, N | M, S, 0, 0),                                        /* SDIV, UDIV */
	DO (0xFFD000F0, 0xFB800000, MUL_LONG, N | M, D | S, 0, G(MULL)),                         /* SMULL, UMULL */
	DO (0xFFD000F0, 0xFBC00000, MUL_LONG, N | M | D | S, D | S, 0, G(MADD_LONG) | ACC(D | S)), /* SMLAL, UMLAL */
	DO (0xFFF000F0, 0xFBE00060, MUL_LONG, N | M | D | S, D | S, 0, G(UMAAL) | ACC(D | S)), /* UMAAL */
	DO (0xFFE00080, 0xFBC00080, MUL_HALF, N | M | D | S, D | S, 0, 0),                       /* SMLALxy, SMLALD, SMLSLD */
};
/* clang-format on */

const struct apmu_isa__rows apmu_isa__rows_t16 = {row16, sizeof(row16) / sizeof(row16[0])};
const struct apmu_isa__rows apmu_isa__rows_t32 = {row32, sizeof(row32) / sizeof(row32[0])};
