/* SPDX-License-Identifier: MIT */
/* A32: the rows, in the order of the instruction set's own tables (DDI0406C A5). First match wins. */
#include "isa/classify_rows.h"

/* Data processing: the five forms of operand 2. Bit 20 is S; opcodes 10xx with S are compares. */
#define PLAIN_M 0x0E000FF0u, 0x00000000u /* register, unshifted */
#define RRX_M   0x0E000FF0u, 0x00000060u
#define SHIFT_M 0x0E000010u, 0x00000000u /* shifted by an immediate */
#define SHIFT_S 0x0E000090u, 0x00000010u /* shifted by a register */
#define IMMED   0x0E000000u, 0x02000000u

#define LSL_M 0x0E000E70u, 0x00000000u /* LSL #1 to #3 */
#define LSL_4 0x0E000FF0u, 0x00000200u /* LSL #4 */

/* The rows of one form: compares, moves, all others; moves and others also with the PC as destination. */
#define DP_(m, b, extra, early, how, compare, move, other)                                                   \
	DO((m) | 0x01900000u, (b) | 0x01100000u, ALU, N | (extra), 0, early, (how) | (compare)),             \
		BR((m) | 0x01A0F000u, (b) | 0x01A0F000u, ALU, INDIRECT, 0, extra, 0, how, BACK_NO, TO_NONE), \
		DO((m) | 0x01A00000u, (b) | 0x01A00000u, ALU, extra, D, early, (how) | (move)),              \
		BR((m) | 0x0000F000u, (b) | 0x0000F000u, ALU, INDIRECT, 0, N | (extra), 0, how, BACK_NO,     \
		   TO_NONE),                                                                                 \
		DO((m), (b), ALU, N | (extra), D, early, (how) | (other))
#define DP(form, extra, early, how, compare, move, other) \
	DP_(form, extra, early, (how) | WF_S | CARRY, compare, move, other)

/* clang-format off */
static const struct apmu_isa__row row[] = {
	/* branches and miscellaneous */
	BR (0x0F000000, 0x0A000000, BRANCH, IMMED, 0, 0, 0, 0, BACK_NO, TO_A32),                 /* B */
	BR (0x0F000000, 0x0B000000, BRANCH, IMMED_LINK, 0, 0, 0, LINK, BACK_NO, TO_A32),         /* BL */
	BR (0x0FFFFFFF, 0x012FFF1E, BRANCH, RETURN, 0, M, 0, 0, BACK_NO, TO_NONE),               /* BX LR */
	BR (0x0FFFFFF0, 0x012FFF10, BRANCH, INDIRECT, 0, M, 0, 0, BACK_NO, TO_NONE),             /* BX */
	BR (0x0FFFFFF0, 0x012FFF20, BRANCH, INDIRECT, 0, M, 0, 0, BACK_NO, TO_NONE),             /* BXJ */
	BR (0x0FFFFFF0, 0x012FFF30, BRANCH, INDIRECT_LINK, 0, M, 0, LINK, BACK_NO, TO_NONE),     /* BLX */
	BR (0x0FFFFFFF, 0x01A0F00E, ALU, RETURN, 0, M, 0, 0, BACK_NO, TO_NONE),                  /* MOV PC,LR */
	DO (0x0F000000, 0x0F000000, EXCEPTION, 0, 0, 0, TRAIT(SVC)),                                      /* SVC */
	DO (0x0FF000F0, 0x01000070, EXCEPTION, 0, 0, 0, 0),                                      /* HLT */
	DO (0x0FF000F0, 0x01200070, EXCEPTION, 0, 0, 0, 0),                                      /* BKPT */
	DO (0x0FF000F0, 0x01400070, EXCEPTION, 0, 0, 0, 0),                                      /* HVC */
	DO (0x0FF000F0, 0x01600070, EXCEPTION, 0, 0, 0, 0),                                      /* SMC */
	DO (0x0FF000FF, 0x0160006E, EXCEPTION, 0, 0, 0, 0),                                      /* ERET */
	DO (0x0FF000F0, 0x07F000F0, EXCEPTION, 0, 0, 0, 0),                                      /* UDF */
	DO (0x0FFF0FF0, 0x016F0F10, ALU, M, D, 0, G(BIT_REVERSE)),                               /* CLZ */
	DO (0x0F9000F0, 0x01000050, ALU, N | M, D, 0, 0),                                        /* QADD, QSUB, QDADD, QDSUB */
	DO (0x0F900DF0, 0x01000040, ALU, N | M, D, 0, G(CRC)),                                   /* CRC32 */
	DO (0x0FBF0FFF, 0x010F0000, SYSTEM, 0, D, 0, 0),                                         /* MRS */
	DO (0x0FB00EFF, 0x01000200, SYSTEM, 0, D, 0, 0),                                         /* MRS banked */
	DO (0x0FB0FEF0, 0x0120F200, SYSTEM, M, 0, 0, 0),                                         /* MSR banked */
	DO (0x0FF1FFF0, 0x0121F000, SYSTEM, M, 0, 0, MODE),                                      /* MSR CPSR_c */
	DO (0x0FB0FFF0, 0x0120F000, SYSTEM, M, 0, 0, 0),                                         /* MSR */
	DO (0x0FF00000, 0x03000000, ALU, 0, D, 0, G(MOV_IMM)),                                   /* MOVW */
	DO (0x0FF00000, 0x03400000, ALU, D, D, 0, 0),                                            /* MOVT */
	DO (0x0FFFFFFF, 0x0320F014, NOP, 0, 0, 0, TRAIT(CSDB)),                                   /* CSDB */
	DO (0x0FFFFF00, 0x0320F000, NOP, 0, 0, 0, 0),                                            /* hints */
	DO (0x0FF1F000, 0x0321F000, SYSTEM, 0, 0, 0, MODE),                                      /* MSR CPSR_c, #imm */
	DO (0x0FB0F000, 0x0320F000, SYSTEM, 0, 0, 0, 0),                                         /* MSR #imm */

	/* multiplies: Rd is 19:16, Ra 15:12 */
	DO (0x0FE000F0, 0x00000090, MUL, S | M, N, 0, WF_S),                                        /* MUL */
	DO (0x0FE000F0, 0x00200090, MUL, S | M | D, N, 0, G(MADD) | ACC(D) | WF_S),               /* MLA */
	DO (0x0FF000F0, 0x00600090, MUL, S | M | D, N, 0, G(MADD) | ACC(D)),                     /* MLS */
	DO (0x0FF000F0, 0x00400090, MUL_LONG, N | D | S | M, N | D, 0, G(UMAAL) | ACC(N | D)),     /* UMAAL */
	DO (0x0FA000F0, 0x00800090, MUL_LONG, S | M, N | D, 0, G(MULL) | WF_S),                     /* UMULL, SMULL */
	DO (0x0FA000F0, 0x00A00090, MUL_LONG, N | D | S | M, N | D, 0, G(MADD_LONG) | ACC(N | D) | WF_S), /* UMLAL, SMLAL */
	DO (0x0FF00090, 0x01000080, MUL_HALF, S | M | D, N, 0, 0),                               /* SMLAxy */
	DO (0x0FF000B0, 0x01200080, MUL_HALF, S | M | D, N, 0, 0),                               /* SMLAWy */
	DO (0x0FF000B0, 0x012000A0, MUL_HALF, S | M, N, 0, 0),                                   /* SMULWy */
	DO (0x0FF00090, 0x01400080, MUL_HALF, N | D | S | M, N | D, 0, 0),                       /* SMLALxy */
	DO (0x0FF00090, 0x01600080, MUL_HALF, S | M, N, 0, 0),                                   /* SMULxy */

	/* swap and exclusives */
	MEM(0x0FF000F0, 0x01000090, SWAP, 4, N | M, D, N, 0, BACK_NO),                           /* SWP */
	MEM(0x0FF000F0, 0x01400090, SWAP, 1, N | M, D, N, 0, BACK_NO),                           /* SWPB */
	MEM(0x0FF0FFF0, 0x0180FC90, STORE, 4, N | M, 0, N, TRAIT(STREL), BACK_NO),                /* STL */
	MEM(0x0FF0FFF0, 0x01C0FC90, STORE, 1, N | M, 0, N, TRAIT(STREL), BACK_NO),                /* STLB */
	MEM(0x0FF0FFF0, 0x01E0FC90, STORE, 2, N | M, 0, N, TRAIT(STREL), BACK_NO),                /* STLH */
	MEM(0x0FF00FF0, 0x01800E90, STORE, 4, N | M, D, N, EXCL | TRAIT(STREL), BACK_NO),         /* STLEX */
	MEM(0x0FF00FF0, 0x01A00E90, STORE, 4, N | M, D, N, EXCL | PAIR | TRAIT(STREL), BACK_NO),  /* STLEXD */
	MEM(0x0FF00FF0, 0x01C00E90, STORE, 1, N | M, D, N, EXCL | TRAIT(STREL), BACK_NO),         /* STLEXB */
	MEM(0x0FF00FF0, 0x01E00E90, STORE, 2, N | M, D, N, EXCL | TRAIT(STREL), BACK_NO),         /* STLEXH */
	MEM(0x0FF00FFF, 0x01900C9F, LOAD, 4, N, D, N, TRAIT(LDACQ), BACK_NO),                     /* LDA */
	MEM(0x0FF00FFF, 0x01D00C9F, LOAD, 1, N, D, N, TRAIT(LDACQ), BACK_NO),                     /* LDAB */
	MEM(0x0FF00FFF, 0x01F00C9F, LOAD, 2, N, D, N, TRAIT(LDACQ), BACK_NO),                     /* LDAH */
	MEM(0x0FF00FFF, 0x01900E9F, LOAD, 4, N, D, N, EXCL | TRAIT(LDACQ), BACK_NO),              /* LDAEX */
	MEM(0x0FF00FFF, 0x01B00E9F, LOAD, 4, N, D, N, EXCL | PAIR | TRAIT(LDACQ), BACK_NO),       /* LDAEXD */
	MEM(0x0FF00FFF, 0x01D00E9F, LOAD, 1, N, D, N, EXCL | TRAIT(LDACQ), BACK_NO),              /* LDAEXB */
	MEM(0x0FF00FFF, 0x01F00E9F, LOAD, 2, N, D, N, EXCL | TRAIT(LDACQ), BACK_NO),              /* LDAEXH */
	MEM(0x0FF00CF0, 0x01800C90, STORE, 4, N | M, D, N, EXCL, BACK_NO),                       /* STREX */
	MEM(0x0FF00CF0, 0x01A00C90, STORE, 4, N | M, D, N, EXCL | PAIR, BACK_NO),                /* STREXD */
	MEM(0x0FF00CF0, 0x01C00C90, STORE, 1, N | M, D, N, EXCL, BACK_NO),                       /* STREXB */
	MEM(0x0FF00CF0, 0x01E00C90, STORE, 2, N | M, D, N, EXCL, BACK_NO),                       /* STREXH */
	MEM(0x0FF00CFF, 0x01900C9F, LOAD, 4, N, D, N, EXCL, BACK_NO),                            /* LDREX */
	MEM(0x0FF00CFF, 0x01B00C9F, LOAD, 4, N, D, N, EXCL | PAIR, BACK_NO),                     /* LDREXD */
	MEM(0x0FF00CFF, 0x01D00C9F, LOAD, 1, N, D, N, EXCL, BACK_NO),                            /* LDREXB */
	MEM(0x0FF00CFF, 0x01F00C9F, LOAD, 2, N, D, N, EXCL, BACK_NO),                            /* LDREXH */

	/* halfword, signed and double transfers: bit 22 is the immediate form */
	MEM(0x0E5000F0, 0x000000B0, STORE, 2, N | D | M, 0, N | M, 0, BACK_A32),                 /* STRH */
	MEM(0x0E5000F0, 0x004000B0, STORE, 2, N | D, 0, N, 0, BACK_A32),
	MEM(0x0E5000F0, 0x001000B0, LOAD, 2, N | M, D, N | M, 0, BACK_A32),                      /* LDRH */
	MEM(0x0E5000F0, 0x005000B0, LOAD, 2, N, D, N, 0, BACK_A32),
	MEM(0x0E5000F0, 0x000000D0, LOAD, 4, N | M, D, N | M, PAIR | G(LDRD), BACK_A32),         /* LDRD */
	MEM(0x0E5000F0, 0x004000D0, LOAD, 4, N, D, N, PAIR | G(LDRD), BACK_A32),
	MEM(0x0E5000F0, 0x000000F0, STORE, 4, N | D | M, 0, N | M, PAIR | G(STRD), BACK_A32),    /* STRD */
	MEM(0x0E5000F0, 0x004000F0, STORE, 4, N | D, 0, N, PAIR | G(STRD), BACK_A32),
	MEM(0x0E5000F0, 0x001000D0, LOAD, 1, N | M, D, N | M, 0, BACK_A32),                      /* LDRSB */
	MEM(0x0E5000F0, 0x005000D0, LOAD, 1, N, D, N, 0, BACK_A32),
	MEM(0x0E5000F0, 0x001000F0, LOAD, 2, N | M, D, N | M, 0, BACK_A32),                      /* LDRSH */
	MEM(0x0E5000F0, 0x005000F0, LOAD, 2, N, D, N, 0, BACK_A32),

	DP(PLAIN_M, M, 0, 0, G(ALU_FLAGS), G(MOV_REG), 0),
	DP(RRX_M, M, M, 0, G(RRX), G(RRX), G(RRX)),
	DP(LSL_M, M, M, 0, G(ADD_LSL_FLAGS), G(BFX), G(ADD_LSL)),
	DP(LSL_4, M, M, 0, G(ADD_LSL_FLAGS), G(BFX), G(ADD_LSL)),
	DP(SHIFT_M, M, M, 0, G(ADD_SHIFT), G(BFX), G(ADD_SHIFT)),
	DP(SHIFT_S, M | S, M | S, RSHIFT, G(SHIFT_REG), G(SHIFT_VAR), G(SHIFT_REG)),
	DP(IMMED, 0, 0, 0, G(ALU_FLAGS), G(MOV_IMM), 0),

	/* word and byte transfers */
	BR (0x0FFFF000, 0x049DF000, LOAD, RETURN, 4, N, 0, 0, BACK_A32, TO_NONE),                /* LDR PC,[SP],# */
	BR (0x0E50F000, 0x0410F000, LOAD, LOAD_PC, 4, N, 0, 0, BACK_A32, TO_NONE),               /* LDR PC */
	BR (0x0E50F010, 0x0610F000, LOAD, LOAD_PC, 4, N | M, 0, 0, BACK_A32, TO_NONE),
	MEM(0x0E500000, 0x04100000, LOAD, 4, N, D, N, 0, BACK_A32),                              /* LDR */
	MEM(0x0E500010, 0x06100000, LOAD, 4, N | M, D, N | M, CARRY, BACK_A32),
	MEM(0x0E500000, 0x04500000, LOAD, 1, N, D, N, 0, BACK_A32),                              /* LDRB */
	MEM(0x0E500010, 0x06500000, LOAD, 1, N | M, D, N | M, CARRY, BACK_A32),
	MEM(0x0E500000, 0x04000000, STORE, 4, N | D, 0, N, 0, BACK_A32),                         /* STR */
	MEM(0x0E500010, 0x06000000, STORE, 4, N | M | D, 0, N | M, CARRY, BACK_A32),
	MEM(0x0E500000, 0x04400000, STORE, 1, N | D, 0, N, 0, BACK_A32),                         /* STRB */
	MEM(0x0E500010, 0x06400000, STORE, 1, N | M | D, 0, N | M, CARRY, BACK_A32),

	/* media */
	DO (0x0FF0F0F0, 0x0710F010, DIV, S | M, N, 0, 0),                                        /* SDIV */
	DO (0x0FF0F0F0, 0x0730F010, DIV, S | M, N, 0, 0),                                        /* UDIV */
	DO (0x0FF00090, 0x07000010, MUL_HALF, S | M | D, N, 0, 0),                               /* SMLAD, SMUAD, ... */
	DO (0x0FF00090, 0x07400010, MUL_HALF, N | D | S | M, N | D, 0, 0),                       /* SMLALD, SMLSLD */
	DO (0x0FF000D0, 0x07500010, MUL_HIGH, S | M | D, N, 0, 0),                               /* SMMLA, SMMUL */
	DO (0x0FF000D0, 0x075000D0, MUL_HIGH, S | M | D, N, 0, 0),                               /* SMMLS */
	DO (0x0FF000F0, 0x07800010, MUL_HALF, S | M | D, N, 0, 0),                               /* USADA8, USAD8 */
	DO (0x0FE0007F, 0x07C0001F, ALU, D, D, 0, G(BFI)),                                       /* BFC */
	DO (0x0FE00070, 0x07C00010, ALU, D | M, D, M, G(BFI)),                                   /* BFI */
	DO (0x0FA00070, 0x07A00050, ALU, M, D, M, G(BFX)),                                       /* SBFX, UBFX */
	DO (0x0FF000F0, 0x068000B0, ALU, N | M, D, 0, 0),                                        /* SEL */
	DO (0x0FA00030, 0x06A00010, ALU, M, D, M, 0),                                            /* SSAT, USAT: 20:16 is a number, */
	DO (0x0FB000F0, 0x06A00030, ALU, M, D, M, 0),                                            /* SSAT16, USAT16 */
	DO (0x0FB000F0, 0x06B00030, ALU, M, D, 0, G(BIT_REVERSE)),                               /* REV, RBIT */
	DO (0x0FB000F0, 0x06B000B0, ALU, M, D, 0, G(BIT_REVERSE)),                               /* REV16, REVSH */
	DO (0x0F8F03F0, 0x068F0070, ALU, M, D, M, G(EXTEND)),                                    /* SXTB, UXTH, ... */
	DO (0x0F800010, 0x06800010, ALU, N | M, D, M, G(ADD_SHIFT)),                             /* SXTAB, UXTAH, PKHBT, ... */
	DO (0x0F800010, 0x06000010, ALU, N | M, D, 0, 0),                                        /* parallel add, subtract */

	/* block transfers */
	BR (0x0FFF8000, 0x08BD8000, LOAD, RETURN, 4, N, 0, G(LDM) | LIST, BACK_W21, TO_NONE),    /* LDM SP!,{..PC} */
	BR (0x0E108000, 0x08108000, LOAD, LOAD_PC, 4, N, 0, G(LDM) | LIST, BACK_W21, TO_NONE),   /* LDM {..PC} */
	MEM(0x0E100000, 0x08100000, LOAD, 4, N, 0, N, G(LDM) | LIST, BACK_W21),                  /* LDM */
	MEM(0x0E100000, 0x08000000, STORE, 4, N, 0, N, G(STM) | LIST, BACK_W21),                 /* STM */

	/* VFP: coprocessors 9 (half), 10 (single) and 11 (double) */
	DO (0x0FF00FD0, 0x0C400A10, VFP, D | N, VM, 0, G(FMOV_FROM) | MORE(S_NEXT)),             /* VMOV to two */
	DO (0x0FF00FD0, 0x0C400B10, VFP, D | N, VM, 0, G(FMOV_FROM)),
	DO (0x0FF00FD0, 0x0C500A10, VFP, VM, D | N, 0, G(FMOV_TO) | MORE(S_NEXT)),               /* VMOV from two */
	DO (0x0FF00FD0, 0x0C500B10, VFP, VM, D | N, 0, G(FMOV_TO)),
	MEM(0x0F300F00, 0x0D100900, LOAD, 2, N, VD, N, G(LOAD_VEC), BACK_NO),                    /* VLDR */
	MEM(0x0F300F00, 0x0D100A00, LOAD, 4, N, VD, N, G(LOAD_VEC), BACK_NO),
	MEM(0x0F300F00, 0x0D100B00, LOAD, 8, N, VD, N, G(LOAD_VEC), BACK_NO),
	MEM(0x0F300F00, 0x0D000900, STORE, 2, N | VD, 0, N, G(STORE_VEC), BACK_NO),              /* VSTR */
	MEM(0x0F300F00, 0x0D000A00, STORE, 4, N | VD, 0, N, G(STORE_VEC), BACK_NO),
	MEM(0x0F300F00, 0x0D000B00, STORE, 8, N | VD, 0, N, G(STORE_VEC), BACK_NO),
	MEM(0x0E100F00, 0x0C100A00, LOAD, 4, N, 0, N, VLIST, BACK_W21),                          /* VLDM */
	MEM(0x0E100F00, 0x0C100B00, LOAD, 8, N, 0, N, VLIST, BACK_W21),
	MEM(0x0E100F00, 0x0C000A00, STORE, 4, N, 0, N, VLIST, BACK_W21),                         /* VSTM */
	MEM(0x0E100F00, 0x0C000B00, STORE, 8, N, 0, N, VLIST, BACK_W21),
	DO (0x0FB00F50, 0x0E800900, VFP_DIV, VN | VM, VD, 0, G(FDIV_16)),                        /* VDIV */
	DO (0x0FB00F50, 0x0E800A00, VFP_DIV, VN | VM, VD, 0, G(FDIV_32)),
	DO (0x0FB00F50, 0x0E800B00, VFP_DIV_64, VN | VM, VD, 0, G(FDIV_64)),
	/* moves and instructions with one source: opcode 1x11, bits 19:16 */
	DO (0x0FB00C50, 0x0EB00800, VFP, 0, VD, 0, G(FMOV_IMM)),                                 /* VMOV of a number */
	DO (0x0FBF0CD0, 0x0EB00840, VFP, VM, VD, 0, G(FMOV)),                                    /* VMOV */
	DO (0x0FBF0CD0, 0x0EB008C0, VFP, VM, VD, 0, G(FABS)),                                    /* VABS */
	DO (0x0FBF0CD0, 0x0EB10840, VFP, VM, VD, 0, G(FABS)),                                    /* VNEG */
	DO (0x0FBF0FD0, 0x0EB109C0, VFP_DIV, VM, VD, 0, G(FSQRT_16)),                            /* VSQRT */
	DO (0x0FBF0FD0, 0x0EB10AC0, VFP_DIV, VM, VD, 0, G(FSQRT_32)),
	DO (0x0FBF0FD0, 0x0EB10BC0, VFP_DIV_64, VM, VD, 0, G(FSQRT_64)),
	DO (0x0FBF0F50, 0x0EB30A40, VFP, VM | VD, VD, 0, G(FCVT) | VD_S | VM_S),                 /* VCVTB, VCVTT to half */
	DO (0x0FBF0F50, 0x0EB30B40, VFP, VM | VD, VD, 0, G(FCVT) | VD_S | VM_D),
	DO (0x0FBF0F50, 0x0EB30940, VFP, VM | VD, VD, 0, G(FCVT) | VD_S | VM_S),                 /* VCVT to BFloat16 */
	DO (0x0FBF0F50, 0x0EB20A40, VFP, VM, VD, 0, G(FCVT) | VD_S | VM_S),                      /* VCVT from half */
	DO (0x0FBF0F50, 0x0EB20B40, VFP, VM, VD, 0, G(FCVT) | VD_D | VM_S),
	DO (0x0FBF0C50, 0x0EB40840, VFP, VD | VM, 0, 0, G(FCMP) | MORE(FPSCR_SET)),              /* VCMP */
	DO (0x0FBF0C50, 0x0EB50840, VFP, VD, 0, 0, G(FCMP) | MORE(FPSCR_SET)),                   /* VCMP with zero */
	DO (0x0FBF0FD0, 0x0EB70AC0, VFP, VM, VD, 0, G(FCVT) | VD_D | VM_S),                      /* VCVT to double */
	DO (0x0FBF0FD0, 0x0EB70BC0, VFP, VM, VD, 0, G(FCVT) | VD_S | VM_D),                      /* VCVT to single */
	DO (0x0FBE0C50, 0x0EB60840, VFP, VM, VD, 0, G(FRINT)),                                   /* VRINT */
	DO (0x0FBF0C50, 0x0EB80840, VFP, VM, VD, 0, G(VFCVT) | VM_S),                            /* VCVT from an integer */
	DO (0x0FBF0FD0, 0x0EB90BC0, VFP, VM, VD, 0, G(VFCVT) | VD_S | VM_D),          /* VJCVT */
	DO (0x0FBE0C50, 0x0EBC0840, VFP, VM, VD, 0, G(VFCVT) | VD_S),                            /* VCVT to an integer */
	DO (0x0FBA0C50, 0x0EBA0840, VFP, VD, VD, 0, G(VFCVT)),                                   /* VCVT of fixed point */
	/* two sources */
	DO (0x0FB00F10, 0x0E200B00, VFP, VN | VM, VD, 0, G(FMUL_64)),                            /* VMUL.F64, VNMUL.F64 */
	DO (0x0FB00C50, 0x0E200800, VFP, VN | VM, VD, 0, G(FMUL)),                               /* VMUL */
	DO (0x0FB00C50, 0x0E200840, VFP, VN | VM, VD, 0, G(FMUL)),                               /* VNMUL */
	DO (0x0FB00C10, 0x0E300800, VFP, VN | VM, VD, 0, G(FADD)),                               /* VADD, VSUB */
	DO (0x0FA00F10, 0x0E000B00, VFP_MAC, VN | VM | VD, VD, VN | VM, G(FMADD_64) | ACC(VD)),   /* double precision */
	DO (0x0FA00C10, 0x0E000800, VFP_MAC, VN | VM | VD, VD, VN | VM, G(FMADD) | ACC(VD)),     /* VMLA, VMLS, VNMLA, VNMLS */
	DO (0x0FB00F10, 0x0E900B00, VFP_MAC, VN | VM | VD, VD, VN | VM, G(FMADD_64) | ACC(VD)),   /* double precision */
	DO (0x0FB00C10, 0x0E900800, VFP_MAC, VN | VM | VD, VD, VN | VM, G(FMADD) | ACC(VD)),     /* VFNMA, VFNMS */
	DO (0x0FB00F10, 0x0EA00B00, VFP_MAC, VN | VM | VD, VD, VN | VM, G(FMADD_64) | ACC(VD)),   /* double precision */
	DO (0x0FB00C10, 0x0EA00800, VFP_MAC, VN | VM | VD, VD, VN | VM, G(FMADD) | ACC(VD)),     /* VFMA, VFMS */
	DO (0x0F000E10, 0x0E000A00, VFP, VN | VM, VD, 0, 0),                                     /* no row above matches */
	DO (0x0F000F10, 0x0E000900, VFP, VN | VM, VD, 0, 0),
	/* between register files */
	DO (0x0FFFFFFF, 0x0EF1FA10, VFP, 0, 0, 0, G(FMOV_TO) | WF | MORE(FPSCR_GET)),            /* VMRS of the flags */
	DO (0x0FFF0FFF, 0x0EF10A10, VFP, 0, D, 0, G(FMOV_TO) | MORE(FPSCR_GET)),                 /* VMRS FPSCR */
	DO (0x0FFF0FFF, 0x0EE10A10, VFP, D, 0, 0, G(FMOV_FROM) | MORE(FPSCR_SET)),               /* VMSR FPSCR */
	DO (0x0FF00FFF, 0x0EF00A10, VFP, 0, D, 0, G(FMOV_TO)),                                   /* VMRS, */
	DO (0x0FF00FFF, 0x0EE00A10, VFP, D, 0, 0, G(FMOV_FROM)),                                 /* VMSR of others */
	DO (0x0FF00F10, 0x0E100910, VFP, VN, D, 0, G(FMOV_TO)),                                  /* VMOV to core: half, */
	DO (0x0FF00F10, 0x0E000910, VFP, D, VN, 0, G(FMOV_FROM)),
	DO (0x0FF00F10, 0x0E100A10, VFP, VN, D, 0, G(FMOV_TO)),                                  /* VMOV of a single */
	DO (0x0FF00F10, 0x0E000A10, VFP, D, VN, 0, G(FMOV_FROM)),
	DO (0x0FB00F10, 0x0E800B10, VFP, D, VN, 0, G(VDUP_FROM) | VN_D),                         /* VDUP from core */
	DO (0x0FB00F10, 0x0EA00B10, VFP, D, VN, 0, G(VDUP_FROM) | VN_Q),
	DO (0x0F100F10, 0x0E100B10, VFP, VN, D, 0, G(VMOV_TO)),                                  /* VMOV of an element */
	DO (0x0F100F10, 0x0E000B10, VFP, D | VN, VN, 0, G(VINS_FROM)),
	DO (0x0F100E10, 0x0E100A10, VFP, VN, D, 0, G(FMOV_TO)),
	DO (0x0F100E10, 0x0E000A10, VFP, D, VN, 0, G(FMOV_FROM)),

	/* other coprocessors; barriers of Armv6 are CP15 writes (DDI0301H 3-68) */
	DO (0x0FFF0FFF, 0x0E070F9A, BARRIER, D, 0, 0, TRAIT(DSB)),                                /* c7,c10,4: DSB */
	DO (0x0FFF0FFF, 0x0E070FBA, SYSTEM, D, 0, 0, TRAIT(DMB)),                                 /* c7,c10,5: DMB */
	DO (0x0FFF0FFF, 0x0E070F95, SYSTEM, D, 0, 0, TRAIT(ISB)),                                         /* c7,c5,4: ISB */
	DO (0x0FFF0F1D, 0x0E070F15, SYSTEM, D, 0, 0, ICACHE),                                    /* c7,c5 and c7,c7 */
	DO (0x0FFF0F1D, 0x0E080F15, SYSTEM, D, 0, 0, ICACHE),                                    /* c8,c5 and c8,c7: ITLB */
	DO (0x0FFF0F1F, 0x0E090F11, SYSTEM, D, 0, 0, ICACHE),                                    /* c9,c1: lock (XScale) */
	DO (0x0FFF0F1F, 0x0E0A0F14, SYSTEM, D, 0, 0, ICACHE),                                    /* c10,c4: lock (XScale) */
	DO (0x0FF00FF0, 0x0E200010, MUL, D | M, 0, 0, 0),                                        /* MIA (XScale) */
	DO (0x0FF00000, 0x0C400000, SYSTEM, D | N, 0, 0, 0),                                     /* MCRR, MAR */
	DO (0x0FF00000, 0x0C500000, SYSTEM, 0, D | N, 0, 0),                                     /* MRRC, MRA */
	MEM(0x0E100000, 0x0C100000, LOAD, 0, N, 0, N, 0, BACK_W21),                              /* LDC */
	MEM(0x0E100000, 0x0C000000, STORE, 0, N, 0, N, 0, BACK_W21),                             /* STC */
	DO (0x0F10F010, 0x0E10F010, SYSTEM, 0, 0, 0, WF),                                        /* MRC to the flags */
	DO (0x0F100010, 0x0E100010, SYSTEM, 0, D, 0, 0),                                         /* MRC */
	DO (0x0F100010, 0x0E000010, SYSTEM, D, 0, 0, 0),                                         /* MCR */
	DO (0x0F000010, 0x0E000000, SYSTEM, 0, 0, 0, 0),                                         /* CDP */
};

static const struct apmu_isa__row always[] = {
	BR (0xFE000000, 0xFA000000, BRANCH, IMMED_X, 0, 0, 0, LINK, BACK_NO, TO_A32_X),          /* BLX */
	DO (0xFF30F000, 0xF510F000, PRELOAD, N, 0, N, 0),                                        /* PLD, PLDW */
	DO (0xFF70F000, 0xF450F000, PRELOAD, N, 0, N, 0),                                        /* PLI */
	DO (0xFF30F010, 0xF710F000, PRELOAD, N | M, 0, N | M, CARRY),
	DO (0xFF70F010, 0xF650F000, PRELOAD, N | M, 0, N | M, CARRY),
	DO (0xFFFFFFF0, 0xF57FF040, BARRIER, 0, 0, 0, TRAIT(DSB)),                                /* DSB */
	DO (0xFFFFFFF0, 0xF57FF050, SYSTEM, 0, 0, 0, TRAIT(DMB)),                                 /* DMB */
	DO (0xFFFFFFF0, 0xF57FF060, SYSTEM, 0, 0, 0, TRAIT(ISB)),                                 /* ISB */
	DO (0xFFFFFF00, 0xF57FF000, SYSTEM, 0, 0, 0, 0),                                         /* CLREX, SB */
	DO (0xFFFF0000, 0xF1010000, SYSTEM, 0, 0, 0, 0),                                         /* SETEND */
	DO (0xFFF10020, 0xF1000000, SYSTEM, 0, 0, 0, MODE),                                      /* CPS */
	DO (0xFFF00000, 0xF1100000, SYSTEM, 0, 0, 0, 0),                                         /* SETPAN */
	BR (0xFE500000, 0xF8100000, LOAD, LOAD_PC, 4, N, 0, PAIR | MODE, BACK_W21, TO_NONE),     /* RFE */
	MEM(0xFE500000, 0xF8400000, STORE, 4, 0, 0, 0, PAIR, BACK_NO),                           /* SRS */
	/* VFP and Advanced SIMD since Armv8 */
	DO (0xFF800F10, 0xFE000800, SIMD, VN | VM | VD, VD, 0, G(VFCMLA_ELEM) | WIDE | ACC(VD) | VM_LOW), /* VCMLA by element */
	DO (0xFF800F10, 0xFE800800, SIMD, VN | VM | VD, VD, 0, G(VFCMLA_ELEM) | WIDE | ACC(VD) | VM_D), /* of 32 bits */
	DO (0xFF800C50, 0xFE000800, VFP, VN | VM, VD, 0, G(FCSEL) | RF),                         /* VSEL */
	DO (0xFFB00C10, 0xFE800800, VFP, VN | VM, VD, 0, G(FMAX)),                               /* VMAXNM, VMINNM */
	DO (0xFFBF0FD0, 0xFEB00A40, VFP, VM, VD, 0, G(FMOV)),                                    /* VMOVX */
	DO (0xFFBF0FD0, 0xFEB00AC0, VFP, VM | VD, VD, 0, G(FMOV)),                               /* VINS */
	DO (0xFFBC0C50, 0xFEB80840, VFP, VM, VD, 0, G(FRINT)),                                   /* VRINTA, ... */
	DO (0xFFBC0C50, 0xFEBC0840, VFP, VM, VD, 0, G(VFCVT) | VD_S),                            /* VCVTA, ... */
	DO (0xFEA00F10, 0xFC800800, SIMD, VN | VM, VD, 0, G(VFADD) | WIDE),                      /* VCADD */
	DO (0xFE200F10, 0xFC200800, SIMD, VN | VM | VD, VD, 0, G(VFCMLA) | WIDE | ACC(VD)),      /* VCMLA */
	DO (0xFFB00F50, 0xFC200C40, SIMD, VN | VM | VD, VD, 0, G(VMMLA) | WIDE | ACC(VD)),       /* VSMMLA, VUSMMLA */
	DO (0xFFB00F50, 0xFC000C40, SIMD, VN | VM | VD, VD, 0, G(VBFMMLA) | WIDE | ACC(VD)),     /* VMMLA of BFloat16 */
	DO (0xFFB00F10, 0xFC000D00, SIMD, VN | VM | VD, VD, 0, G(VBFDOT) | WIDE | ACC(VD)),      /* VDOT of BFloat16 */
	DO (0xFF300F00, 0xFC200D00, SIMD, VN | VM | VD, VD, 0, G(VDOT) | WIDE | ACC(VD)),        /* VSDOT, VUDOT, VUSDOT */
	DO (0xFF300F00, 0xFE200D00, SIMD, VN | VM | VD, VD, 0, G(VDOT) | WIDE | ACC(VD) | VM_LOW), /* by element */
	DO (0xFFB00F00, 0xFE000D00, SIMD, VN | VM | VD, VD, 0, G(VBFDOT) | WIDE | ACC(VD) | VM_LOW),
	DO (0xFF300F00, 0xFE000D00, SIMD, VN | VM | VD, VD, 0, G(VDOT) | WIDE | ACC(VD) | VM_LOW),
	DO (0xFF300F50, 0xFC200810, SIMD, VN | VM | VD, VD, 0, VN_S | VM_S),                     /* VFMAL, VFMSL */
	DO (0xFF300F50, 0xFC200850, SIMD, VN | VM | VD, VD, 0, VN_D | VM_D),
	DO (0xFFA00F50, 0xFE000810, SIMD, VN | VM | VD, VD, 0, VN_S | VM_S | VM_ELEMENT),        /* by element */
	DO (0xFFA00F50, 0xFE000850, SIMD, VN | VM | VD, VD, 0, VN_D | VM_D | VM_ELEMENT),
	DO (0xFF300E00, 0xFC200C00, SIMD, VN | VM | VD, VD, 0, 0),
	DO (0xFF000E00, 0xFE000A00, VFP, VN | VM, VD, 0, 0),
	DO (0xFF000F00, 0xFE000900, VFP, VN | VM, VD, 0, 0),
	DO (0xFE000C00, 0xFC000800, SIMD, VN | VM | VD, VD, 0, 0),
	DO (0xFF000C00, 0xFE000800, SIMD, VN | VM | VD, VD, 0, 0),
	DO (0xFF10F010, 0xFE10F010, SYSTEM, 0, 0, 0, WF),                                        /* MRC2 to the flags */
	DO (0xFF100010, 0xFE100010, SYSTEM, 0, D, 0, 0),                                         /* MRC2 */
	DO (0xFF000000, 0xFE000000, SYSTEM, D, 0, 0, 0),                                         /* MCR2, CDP2 */
	DO (0xFFE00000, 0xFC400000, SYSTEM, D | N, 0, 0, 0),                                     /* MCRR2, MRRC2 */
	MEM(0xFE100000, 0xFC100000, LOAD, 0, N, 0, N, 0, BACK_W21),                              /* LDC2 */
	MEM(0xFE100000, 0xFC000000, STORE, 0, N, 0, N, 0, BACK_W21),                             /* STC2 */
};
/* clang-format on */

const struct apmu_isa__rows apmu_isa__rows_a32 = {row, sizeof(row) / sizeof(row[0])};
const struct apmu_isa__rows apmu_isa__rows_a32_always = {always, sizeof(always) / sizeof(always[0])};
