/* SPDX-License-Identifier: MIT */
/**
 * The rows of the classifier: which words a row matches, what they are, which register fields they have.
 * Shared by classify*.c only.
 *
 * A slot is a place in the word that holds a register number:
 *
 *          N       D      S      M
 *   A32    19:16   15:12  11:8   3:0
 *   T32    19:16   15:12  11:8   3:0    (32-bit encodings)
 *   T16    5:3     2:0    10:8   8:6    (010001 in 15:10: N is 6:3, D is 7 and 2:0)
 *   A64    9:5     4:0    14:10  20:16
 *
 * VN, VD, VS and VM are vector registers in the same places. In A32 and T32 their size comes from
 * VD_, VN_ and VM_, else from the word: S or D registers by the coprocessor, D or Q registers by bit 6 (or,
 * with Q24, 24).
 */
#ifndef APMU_ISA_CLASSIFY_ROWS_H
#define APMU_ISA_CLASSIFY_ROWS_H

#include "isa/classify.h"

/* Sets of slots: of a general register, of a vector register. */
#define N  0x01u
#define D  0x02u
#define S  0x04u
#define M  0x08u
#define VN 0x10u
#define VD 0x20u
#define VS 0x40u
#define VM 0x80u

/* Flags: how the other fields of a row apply. */
#define LINK   0x00001u  /* writes the link register */
#define COND   0x00002u  /* conditional by itself, not by a condition field: CBZ, B<c>, predicated SVE */
#define RSHIFT 0x00004u  /* register-controlled shift */
#define PAIR   0x00008u  /* two registers; in A32 the one after D is the second */
#define LIST   0x00010u  /* the register list is in the low bits: 16 of A32 and T32, 8 of T16 */
#define LISTLR 0x00020u  /* T16 PUSH, POP: bit 8 adds LR or PC */
#define M3     0x00020u  /* A64: M has three bits */
#define BASESP 0x00040u  /* T16: SP is read as the base */
#define MOVESP 0x00080u  /* T16: SP is written */
#define EXCL   0x00100u  /* exclusive access */
#define MODE   0x00200u  /* writes CPSR control bits */
#define RF     0x00400u  /* reads the condition flags */
#define WF     0x00800u  /* writes the condition flags */
#define VLIST  0x01000u  /* VLDM, VSTM: a list from D on, of the length in imm8 */
#define SPN    0x02000u  /* A64: N = 31 is SP */
#define SPD    0x04000u  /* A64: D = 31 is SP */
#define SIZE30 0x08000u  /* A64: width is 1 << bits 31:30 */
#define SIZE_P 0x10000u  /* A64: width per register of a pair: 8 if bit 31 (exclusives: 30), else 4 */
#define SIZE_V 0x20000u  /* A64: width of a vector register: bits 31:30, 16 with bit 23 */
#define SIZE_Q 0x40000u  /* A64: width of each register of a vector pair: 4 << bits 31:30 */
#define ITSET  0x80000u  /* starts an IT block */
#define ICACHE 0x100000u /* touches the instruction cache or its TLB */

/* A32 and T32, in bits that A64 uses otherwise: the size of vector registers; VM_ELEMENT: the last operand is
 * an element of one. */
#define VD_D       0x002000u
#define VD_Q       0x004000u
#define VD_S       0x006000u
#define VN_D       0x008000u
#define VN_Q       0x010000u
#define VN_S       0x018000u
#define VM_D       0x020000u
#define VM_Q       0x040000u
#define VM_S       0x060000u
#define Q24        0x200000u
#define VM_ELEMENT 0x400000u
#define VM_LOW     0x800000u /* element of one of D0 to D15: bit 5 is no part of its number */

#define SPM    0x01000000u /* A64: M = 31 is SP */
#define M4     0x02000000u /* A64: M has four bits: an element of 16 bits */
#define WIDE   0x04000000u /* the next group, of 128 bits, by bit 30 (A64), 6 (A32) or 24 (A32, Q24) */
#define WIDE31 0x08000000u /* like WIDE, but bit 31: pairs of vector registers */
#define WIDE23 0x10000000u /* like WIDE, but bit 23: one vector register */
#define WF_S   0x20000000u /* A32, T32: writes the flags if bit 20 is set */
#define WF_IT  0x40000000u /* T16: writes the flags unless inside an IT block */
/* ADC, SBC and RSC, by their opcodes in A32 and T32 and in T16's register forms, and RRX: read the flags. */
#define CARRY 0x80000000u

/* The rest are numbers in fields: the group of instructions; the slots of the addend; further registers; and
 * one trait besides the class's own: TRAIT(DMB). ASE, CRYPTO and SVE replace the class's own. */
#define GROUP_SHIFT  32
#define ACC_SHIFT    42
#define MORE_SHIFT   50
#define TRAIT_SHIFT  56
#define G(group)     ((uint64_t)APMU_GROUP_##group << GROUP_SHIFT)
#define ACC(slots)   ((uint64_t)(slots) << ACC_SHIFT)
#define MORE(what)   ((uint64_t)MORE_##what << MORE_SHIFT)
#define TRAIT(trait) ((APMU_TRAIT_##trait + (uint64_t)1) << TRAIT_SHIFT)
/* A64: the position of the acquire and release bits. */
#define ORD15   0x200000u /* exclusives: bit 15, acquire of a load, release of a store */
#define ORD_CAS 0x400000u /* bits 22 (acquire) and 15 (release) */
#define ORD_LSE 0x800000u /* bits 23 (acquire) and 22 (release) */

/* When the base register N is written back. */
enum apmu_isa__back {
	BACK_NO,
	BACK_A32, /* P (24) clear or W (21) set */
	BACK_W21, /* W (21) set */
	BACK_W8,  /* W (8) set: T32 with an 8-bit offset */
	BACK_B10, /* bit 10 set: A64 with a 9-bit offset */
	BACK_B11, /* bit 11 set: A64 LDRAA */
	BACK_B23, /* bit 23 set: A64 pairs and structures */
	BACK_YES,
	BACK_NEON,    /* unless M is 15: VLD1 to VST4; M is read unless it is 13 */
	BACK_UNLISTED /* unless N is in the list: T16 LDM */
};

/* How the target of an immediate branch is encoded. */
enum apmu_isa__where {
	TO_NONE,
	TO_A32,    /* imm24 */
	TO_A32_X,  /* imm24 and H: BLX */
	TO_T16_CC, /* imm8 */
	TO_T16,    /* imm11 */
	TO_T16_CB, /* i:imm5, forward only */
	TO_T32_CC, /* imm20 */
	TO_T32,    /* imm24 */
	TO_T32_X,  /* imm24, to A32: BLX */
	TO_A64_26,
	TO_A64_19,
	TO_A64_14
};

/* Registers in addition to those of the slots. */
enum apmu_isa__more {
	MORE_NONE,
	MORE_TABLE,   /* A64 TBL: reads as many registers from N on as bits 14:13 say */
	MORE_STRUCT1, /* A64 LD1 to LD4: transfers this many registers from D on */
	MORE_STRUCT2,
	MORE_STRUCT3,
	MORE_STRUCT4,
	MORE_LANE1, /* as MORE_STRUCT, but parts of the registers keep their value */
	MORE_LANE2,
	MORE_LANE3,
	MORE_LANE4,
	MORE_CASP,     /* A64: also the registers after D and M */
	MORE_LR_SP,    /* A64: reads LR and SP */
	MORE_LR_LR,    /* A64: reads and writes LR */
	MORE_LR_SP_LR, /* A64: reads and writes LR, reads SP */
	MORE_NEXT,     /* A64 SVE: also reads the vector register after N */
	MORE_SAME,     /* A64 EXTR, ORR: the next group, if WIDE the next pair, if N and M are one register */
	MORE_X16_X17,  /* A64: reads and writes X17, reads X16 */
	MORE_D_TABLE,  /* A32 VTBL: reads as many D registers from N on as bits 9:8 say */
	MORE_D_LIST1,  /* A32 VLD1 to VST4: transfers this many consecutive D registers */
	MORE_D_LIST2,
	MORE_D_LIST3,
	MORE_D_LIST4,
	MORE_D_APART2, /* A32 VLD1 to VST4: transfers this many D registers, every second one */
	MORE_D_APART3,
	MORE_D_APART4,
	MORE_D_LANE,      /* A32 VLD1 to VST4 of one lane: parts of the registers keep their value */
	MORE_D_ALL_LANES, /* A32 VLD1 to VLD4 to all lanes */
	MORE_S_NEXT,      /* A32 VMOV of two: also the S register after M */
	MORE_FPSCR_SET,   /* A32 VCMP: writes the flags of FPSCR */
	MORE_FPSCR_GET    /* A32 VMRS: reads the flags of FPSCR */
};

struct apmu_isa__row {
	uint32_t mask, bits;          /* the row matches words with (word & mask) == bits */
	uint8_t cls, branch;          /* enum apmu_class, enum apmu_branch */
	uint8_t width;                /* bytes of one element accessed */
	uint8_t reads, writes, early; /* sets of slots; early: read one stage earlier (shifter, address) */
	uint64_t how;
	uint8_t back;  /* enum apmu_isa__back */
	uint8_t where; /* enum apmu_isa__where */
};

/* DO: a row that computes. MEM: a row that accesses memory. BR: a row that may change the PC. */
#define DO(mask, bits, cls, reads, writes, early, how)                                                 \
	{                                                                                              \
		mask, bits, APMU_CLASS_##cls, APMU_BRANCH_NONE, 0, reads, writes, early, how, BACK_NO, \
			TO_NONE                                                                        \
	}
#define MEM(mask, bits, cls, width, reads, writes, early, how, back)                                    \
	{                                                                                               \
		mask, bits, APMU_CLASS_##cls, APMU_BRANCH_NONE, width, reads, writes, early, how, back, \
			TO_NONE                                                                         \
	}
#define BR(mask, bits, cls, branch, width, reads, writes, how, back, where)                             \
	{                                                                                               \
		mask, bits, APMU_CLASS_##cls, APMU_BRANCH_##branch, width, reads, writes, 0, how, back, \
			where                                                                           \
	}

struct apmu_isa__rows {
	const struct apmu_isa__row *row;
	size_t n;
};

/* The tables, by instruction set; `always` holds the words of A32 with condition field 1111. */
extern const struct apmu_isa__rows apmu_isa__rows_a32, apmu_isa__rows_a32_always;
extern const struct apmu_isa__rows apmu_isa__rows_t16, apmu_isa__rows_t32;
extern const struct apmu_isa__rows apmu_isa__rows_neon; /* Advanced SIMD of A32 and T32, as A32 has it */
extern const struct apmu_isa__rows apmu_isa__rows_a64, apmu_isa__rows_a64_vector, apmu_isa__rows_a64_sve;

/* classify_target.c: the distance of an immediate branch, in bytes. */
uint64_t apmu_isa__distance(uint32_t w, enum apmu_isa__where where);

#endif
