/* SPDX-License-Identifier: MIT */
/*
 * Advanced SIMD of A32 and T32: data processing, and loads and stores of structures, in A32's encoding
 * (DDI0406C A7.4, A7.7; DDI0487 F4.1.18 to F4.1.22). First match wins. neon_word() in classify.c translates
 * the words of T32.
 */
#include "isa/classify_rows.h"

/* Operands: one source; two sources. A destination that keeps parts, or is added to, is also read. */
#define R2    VM
#define R3    (VN | VM)
#define LONG  (VD_Q | VN_D | VM_D) /* two registers of 64 bits make one of 128 */
#define WIDER (VD_Q | VN_Q | VM_D)
#define HALF  (VD_D | VN_Q | VM_Q)
#define ELEM  (Q24 | VM_ELEMENT) /* the last operand is an element; bit 24 means 128 bits */

/* Three registers of one type: SAME by bit 24, BOTH for both of its values; `a` is bits 11:8, `b` bit 4. */
#define SAME(u, a, b, reads, how) \
	DO(0xFF800F10, 0xF2000000u | (u) << 24 | (a) << 8 | (b) << 4, SIMD, reads, VD, 0, how)
#define BOTH(a, b, reads, how) DO(0xFE800F10, 0xF2000000u | (a) << 8 | (b) << 4, SIMD, reads, VD, 0, how)
/* Three registers of two lengths, or two registers and an element: bit 24 is the sign, or means 128 bits. */
#define LENGTHS(a, reads, how) DO(0xFE800F50, 0xF2800000u | (a) << 8, SIMD, reads, VD, 0, how)
/* LENGTHS for 32-bit elements, as are all macros with _32 below. */
#define LENGTHS_32(a, reads, how) DO(0xFEB00F50, 0xF2A00000u | (a) << 8, SIMD, reads, VD, 0, how)
#define BY_ELEMENT(a, reads, how) DO(0xFE800F50, 0xF2800040u | (a) << 8, SIMD, reads, VD, 0, (how) | ELEM)
#define BY_ELEMENT_32(q, a, reads, how) \
	DO(0xFFB00F50, 0xF2A00040u | (q) << 24 | (a) << 8, SIMD, reads, VD, 0, (how) | ELEM)
#define LONG_ELEMENT(a, reads, how) \
	DO(0xFE800F50, 0xF2800040u | (a) << 8, SIMD, reads, VD, 0, (how) | VD_Q | VN_D | VM_ELEMENT)
#define LONG_ELEMENT_32(a, reads, how) \
	DO(0xFEB00F50, 0xF2A00040u | (a) << 8, SIMD, reads, VD, 0, (how) | VD_Q | VN_D | VM_ELEMENT)
/* Shifts by an immediate. */
#define SHIFT(mask, bits, reads, how) DO(0xFE800010u | (mask), 0xF2800010u | (bits), SIMD, reads, VD, 0, how)
/* Two registers: `a` is bits 17:16, `b` bits 10:6. */
#define TWO(mask, a, b, reads, how) \
	DO(0xFFB30810u | (mask) << 6, 0xF3B00000u | (a) << 16 | (b) << 6, SIMD, reads, VD, 0, how)

/* VLD1 to VLD4 and VST1 to VST4: LIST_OF whole registers by bits 11:8, ALIGNED_LIST_OF those that also set
 * `at` of the alignment; LANE_OF one lane, or to all lanes, WORD_LANE_OF the store of a lane of 32 bits. */
#define ALIGNED_LIST_OF(type, at, group, list)                                              \
	MEM(0xFFB00F00 | (at), 0xF4200000u | (type) << 8 | (at), LOAD, 8, N, 0, N,          \
	    G(LD##group) | MORE(list), BACK_NEON),                                          \
		MEM(0xFFB00F00 | (at), 0xF4000000u | (type) << 8 | (at), STORE, 8, N, 0, N, \
		    G(ST##group) | MORE(list), BACK_NEON)
#define LIST_OF(type, group, list) ALIGNED_LIST_OF(type, 0u, group, list)
#define LANE_OF(n)                                                                                         \
	MEM(0xFFB00F00, 0xF4A00C00u | ((n)-1) << 8, LOAD, 8, N, 0, N, G(LD##n##_LANE) | MORE(D_ALL_LANES), \
	    BACK_NEON),                                                                                    \
		MEM(0xFFB00300, 0xF4A00000u | ((n)-1) << 8, LOAD, 8, N, 0, N,                              \
		    G(LD##n##_LANE) | MORE(D_LANE), BACK_NEON),                                            \
		MEM(0xFFB00300, 0xF4800000u | ((n)-1) << 8, STORE, 8, N, 0, N,                             \
		    G(ST##n##_LANE) | MORE(D_LANE), BACK_NEON)
#define WORD_LANE_OF(n)                                                                                   \
	MEM(0xFFB00F00, 0xF4800800u | ((n)-1) << 8, STORE, 8, N, 0, N, G(ST##n##_LANE_32) | MORE(D_LANE), \
	    BACK_NEON)

/* clang-format off */
static const struct apmu_isa__row row[] = {
	/* cryptography */
	DO (0xFFB00F50, 0xF2300C40, SIMD, R3 | VD, VD, 0, G(SHA1SU) | VD_Q | VN_Q | VM_Q | TRAIT(CRYPTO)),  /* SHA1SU0 */
	DO (0xFF800F50, 0xF2000C40, SIMD, R3 | VD, VD, 0, G(SHA1) | VD_Q | VN_Q | VM_Q | TRAIT(CRYPTO)),    /* SHA1C, P, M */
	DO (0xFFB00F50, 0xF3200C40, SIMD, R3 | VD, VD, 0, G(SHA256SU1) | VD_Q | VN_Q | VM_Q | TRAIT(CRYPTO)),
	DO (0xFF800F50, 0xF3000C40, SIMD, R3 | VD, VD, 0, G(SHA256) | VD_Q | VN_Q | VM_Q | TRAIT(CRYPTO) | ACC(VD)),  /* SHA256H, H2 */
	DO (0xFFB30F90, 0xF3B00300, SIMD, R2 | VD, VD, 0, G(AES) | VD_Q | VM_Q | TRAIT(CRYPTO)),            /* AESE, AESD */
	DO (0xFFB30F90, 0xF3B00380, SIMD, R2, VD, 0, G(AESMC) | VD_Q | VM_Q | TRAIT(CRYPTO) | ACC(R2)),     /* AESMC, AESIMC */
	DO (0xFFBF0FD0, 0xF3B902C0, SIMD, R2, VD, 0, G(SHA1H) | VD_Q | VM_Q | TRAIT(CRYPTO)),
	DO (0xFFBF0FD0, 0xF3BA0380, SIMD, R2 | VD, VD, 0, G(SHA1SU) | VD_Q | VM_Q | TRAIT(CRYPTO)),         /* SHA1SU1 */
	DO (0xFFBF0FD0, 0xF3BA03C0, SIMD, R2 | VD, VD, 0, G(SHA256SU0) | VD_Q | VM_Q | TRAIT(CRYPTO)),

	/* three registers of a type */
	BOTH(0x0, 0, R3, G(VHADD) | WIDE),                      /* VHADD */
	BOTH(0x0, 1, R3, G(VADD_SAT) | WIDE),                   /* VQADD */
	BOTH(0x1, 0, R3, G(VRHADD) | WIDE),
	DO (0xFFB00F10, 0xF3000110, SIMD, R3, VD, 0, G(VLOGIC) | WIDE),      /* VEOR */
	SAME(1, 0x1, 1, R3 | VD, G(VBSL) | WIDE),               /* VBSL, VBIT, VBIF */
	DO (0xFFB00F10, 0xF2200110, SIMD, R3, VD, 0, G(VLOGIC) | WIDE),      /* VORR, VMOV */
	SAME(0, 0x1, 1, R3, G(VLOGIC) | WIDE),                  /* VAND, VBIC, VORN */
	BOTH(0x2, 0, R3, G(VHADD) | WIDE),                      /* VHSUB */
	BOTH(0x2, 1, R3, G(VADD_SAT) | WIDE),                   /* VQSUB */
	BOTH(0x3, 0, R3, G(VCMP) | WIDE),                       /* VCGT, VCGE */
	BOTH(0x3, 1, R3, G(VCMP) | WIDE),
	BOTH(0x4, 0, R3, G(VSHL) | WIDE),
	BOTH(0x4, 1, R3, G(VQSHL) | WIDE),
	BOTH(0x5, 0, R3, G(VRSHL) | WIDE),
	BOTH(0x5, 1, R3, G(VQSHL) | WIDE),                      /* VQRSHL */
	BOTH(0x6, 0, R3, G(VMAX) | WIDE),
	BOTH(0x6, 1, R3, G(VMAX) | WIDE),
	BOTH(0x7, 0, R3, G(VABD) | WIDE),
	BOTH(0x7, 1, R3 | VD, G(VABA) | WIDE | ACC(VD)),
	BOTH(0x8, 0, R3, G(VADD) | WIDE),                       /* VADD, VSUB */
	SAME(0, 0x8, 1, R3, G(VCMTST) | WIDE),                  /* VTST */
	SAME(1, 0x8, 1, R3, G(VCMP) | WIDE),                    /* VCEQ */
	DO (0xFEB00F50, 0xF2200900, SIMD, R3 | VD, VD, 0, G(VMLA_32) | ACC(VD)), /* VMLA, VMLS of 32 bits */
	DO (0xFEB00F50, 0xF2200940, SIMD, R3 | VD, VD, 0, G(VMLA_Q_32) | ACC(VD)),
	BOTH(0x9, 0, R3 | VD, G(VMLA) | WIDE | ACC(VD)),        /* VMLA, VMLS */
	DO (0xFFB00F50, 0xF2200910, SIMD, R3, VD, 0, G(VMUL_32)), /* VMUL of 32 bits */
	SAME(0, 0x9, 1, R3, G(VMUL) | WIDE),
	SAME(1, 0x9, 1, R3, G(VPMUL) | WIDE),
	BOTH(0xA, 0, R3, G(VMAXP) | WIDE),
	BOTH(0xA, 1, R3, G(VMAXP) | WIDE),
	BOTH(0xB, 0, R3, G(VQMUL) | WIDE),                      /* VQDMULH, VQRDMULH */
	SAME(0, 0xB, 1, R3, G(VADDP) | WIDE),
	SAME(1, 0xB, 1, R3 | VD, G(VQMLA) | WIDE | ACC(VD)),    /* VQRDMLAH */
	SAME(0, 0xC, 1, R3 | VD, G(VFMLA) | WIDE | ACC(VD)),    /* VFMA, VFMS */
	SAME(1, 0xC, 1, R3 | VD, G(VQMLA) | WIDE | ACC(VD)),    /* VQRDMLSH */
	SAME(0, 0xD, 0, R3, G(VFADD) | WIDE),                   /* VADD, VSUB */
	DO (0xFFA00F10, 0xF3000D00, SIMD, R3, VD, 0, G(VFADDP) | WIDE),
	SAME(1, 0xD, 0, R3, G(VFADD) | WIDE),                   /* VABD */
	SAME(0, 0xD, 1, R3 | VD, G(VFMLA) | WIDE | ACC(VD)),    /* VMLA, VMLS */
	SAME(1, 0xD, 1, R3, G(VFMUL) | WIDE),
	BOTH(0xE, 0, R3, G(VFCMP) | WIDE),
	BOTH(0xE, 1, R3, G(VFCMP) | WIDE),                      /* VACGE, VACGT */
	SAME(0, 0xF, 0, R3, G(VFMAX) | WIDE),
	SAME(1, 0xF, 0, R3, G(VFMAXP) | WIDE),
	SAME(0, 0xF, 1, R3, G(VFRECPS) | WIDE),                 /* VRECPS, VRSQRTS */
	SAME(1, 0xF, 1, R3, G(VFMAX) | WIDE),                   /* VMAXNM, VMINNM */

	/* an immediate: the words whose bits 21:19 are 0 */
	DO (0xFEB80990, 0xF2800110, SIMD, VD, VD, 0, G(VLOGIC) | WIDE),      /* VORR, VBIC: cmode 0xx1, */
	DO (0xFEB80D90, 0xF2800910, SIMD, VD, VD, 0, G(VLOGIC) | WIDE),      /* 10x1 */
	DO (0xFEB80090, 0xF2800010, SIMD, 0, VD, 0, G(VMOVI) | WIDE),        /* VMOV, VMVN */

	/* shifts by an immediate: `L` is bit 7 */
	SHIFT(0xF00, 0x000, R2, G(VSHIFT) | WIDE),              /* VSHR */
	SHIFT(0xF00, 0x100, R2 | VD, G(VSRA) | WIDE | ACC(VD)),
	SHIFT(0xF00, 0x200, R2, G(VRSHR) | WIDE),
	SHIFT(0xF00, 0x300, R2 | VD, G(VRSRA) | WIDE | ACC(VD)),
	SHIFT(0xF00, 0x400, R2 | VD, G(VSLI) | WIDE),           /* VSRI */
	DO (0xFF800F10, 0xF3800510, SIMD, R2 | VD, VD, 0, G(VSLI) | WIDE),
	SHIFT(0xF00, 0x500, R2, G(VSHIFT) | WIDE),              /* VSHL */
	SHIFT(0xE00, 0x600, R2, G(VQSHL_IMM) | WIDE),           /* VQSHL, VQSHLU */
	DO (0xFF800FD0, 0xF2800810, SIMD, R2, VD, 0, G(VSHRN) | HALF),
	DO (0xFF800FD0, 0xF2800850, SIMD, R2, VD, 0, G(VRSHRN) | HALF),
	SHIFT(0xE80, 0x800, R2, G(VQSHRN) | HALF),              /* VQSHRUN, VQSHRN and others */
	SHIFT(0xFC0, 0xA00, R2, G(VSHLL) | LONG),               /* VSHLL, VMOVL */
	DO (0xFE800ED0, 0xF2800E50, SIMD, R2, VD, 0, G(VFCVT_4)),            /* VCVT of fixed point, 4 lanes */
	SHIFT(0xE80, 0xE00, R2, G(VFCVT)),
	DO (0xFE800ED0, 0xF2800C50, SIMD, R2, VD, 0, G(VFCVT_8)),            /* VCVT of half precision */
	SHIFT(0xE80, 0xC00, R2, G(VFCVT_4)),

	/* bytes of two registers, tables, elements */
	DO (0xFFB00010, 0xF2B00000, SIMD, R3, VD, 0, G(VEXT) | WIDE),
	DO (0xFFB00F50, 0xF3B00800, SIMD, R2, VD, 0, G(VTBL1) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F50, 0xF3B00900, SIMD, R2, VD, 0, G(VTBL2) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F50, 0xF3B00A00, SIMD, R2, VD, 0, G(VTBL3) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F50, 0xF3B00B00, SIMD, R2, VD, 0, G(VTBL4) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F50, 0xF3B00840, SIMD, R2 | VD, VD, 0, G(VTBX1) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F50, 0xF3B00940, SIMD, R2 | VD, VD, 0, G(VTBX2) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F50, 0xF3B00A40, SIMD, R2 | VD, VD, 0, G(VTBX3) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F50, 0xF3B00B40, SIMD, R2 | VD, VD, 0, G(VTBX4) | VD_D | VM_D | MORE(D_TABLE)),
	DO (0xFFB00F90, 0xF3B00C00, SIMD, R2, VD, 0, G(VDUP) | WIDE | VM_D),

	/* two registers */
	TWO(0x1C, 0, 0x04, R2, G(VREV) | WIDE),                 /* VREV16; below: VREV64, VREV32 */
	TWO(0x1C, 0, 0x00, R2, G(VREV) | WIDE),
	TWO(0x1C, 0, 0x08, R2, G(VADDLP) | WIDE),
	TWO(0x1C, 0, 0x10, R2, G(VCLZ) | WIDE),                 /* VCLS, VCLZ */
	TWO(0x1E, 0, 0x14, R2, G(VCNT) | WIDE),
	TWO(0x1E, 0, 0x16, R2, G(VLOGIC) | WIDE),               /* VMVN */
	TWO(0x1C, 0, 0x18, R2 | VD, G(VADALP) | WIDE | ACC(VD)),
	TWO(0x1C, 0, 0x1C, R2, G(VABS_SAT) | WIDE),             /* VQABS, VQNEG */
	TWO(0x1C, 1, 0x0C, R2, G(VABS) | WIDE),                 /* VABS, VNEG */
	TWO(0x1C, 1, 0x1C, R2, G(VFABS) | WIDE),
	TWO(0x10, 1, 0x00, R2, G(VCMP) | WIDE),                 /* with zero */
	TWO(0x10, 1, 0x10, R2, G(VFCMP) | WIDE),
	DO (0xFFB30F10, 0xF3B20000, SIMD, R2 | VD, VD | VM, 0, G(VTRN2) | WIDE), /* VSWP, VTRN */
	DO (0xFFB30E10, 0xF3B20000, SIMD, R2 | VD, VD | VM, 0, G(VZIP2) | WIDE), /* VUZP, VZIP */
	TWO(0x1F, 2, 0x08, R2, G(VXTN) | HALF),                 /* VMOVN */
	TWO(0x1C, 2, 0x08, R2, G(VQXTN) | HALF),                /* VQMOVN, VQMOVUN */
	TWO(0x1F, 2, 0x0C, R2, G(VSHLL) | LONG),
	TWO(0x1F, 2, 0x18, R2, G(VFCVTN_16) | HALF),            /* single to half */
	TWO(0x1F, 2, 0x19, R2, G(VFCVTN_16) | HALF),            /* single to BFloat16 */
	TWO(0x1F, 2, 0x1C, R2, G(VFCVTL_16) | LONG),            /* half to single */
	TWO(0x11, 2, 0x11, R2, G(VFRINT_4)),                    /* VRINT */
	TWO(0x11, 2, 0x10, R2, G(VFRINT)),
	TWO(0x11, 3, 0x01, R2, G(VFCVT_4)),                     /* VCVTA, N, P, M */
	TWO(0x11, 3, 0x00, R2, G(VFCVT)),
	TWO(0x1D, 3, 0x11, R2, G(VRECPE_4)),                    /* VRECPE, VRSQRTE of integers */
	TWO(0x1C, 3, 0x10, R2, G(VRECPE)),
	TWO(0x1D, 3, 0x15, R2, G(VFRECPE_4)),
	TWO(0x1C, 3, 0x14, R2, G(VFRECPE)),
	TWO(0x19, 3, 0x19, R2, G(VFCVT_4)),                     /* VCVT */
	TWO(0x18, 3, 0x18, R2, G(VFCVT)),

	/* three registers of two lengths */
	LENGTHS(0x0, R3, G(VADDL) | LONG),
	LENGTHS(0x1, R3, G(VADDW) | WIDER),
	LENGTHS(0x2, R3, G(VADDL) | LONG),                      /* VSUBL */
	LENGTHS(0x3, R3, G(VADDW) | WIDER),                     /* VSUBW */
	DO (0xFF800D50, 0xF3800400, SIMD, R3, VD, 0, G(VRADDHN) | HALF),     /* VRADDHN, VRSUBHN */
	LENGTHS(0x4, R3, G(VADDHN) | HALF),
	LENGTHS(0x6, R3, G(VADDHN) | HALF),                     /* VSUBHN */
	LENGTHS(0x5, R3 | VD, G(VABAL) | LONG | ACC(VD)),
	LENGTHS(0x7, R3, G(VABDL) | LONG),
	LENGTHS_32(0x8, R3 | VD, G(VMLAL_32) | LONG | ACC(VD)),
	LENGTHS(0x8, R3 | VD, G(VMLAL) | LONG | ACC(VD)),
	LENGTHS_32(0xA, R3 | VD, G(VMLAL_32) | LONG | ACC(VD)),
	LENGTHS(0xA, R3 | VD, G(VMLAL) | LONG | ACC(VD)),       /* VMLSL */
	LENGTHS(0x9, R3 | VD, G(VQMLAL) | LONG | ACC(VD)),
	LENGTHS(0xB, R3 | VD, G(VQMLAL) | LONG | ACC(VD)),
	LENGTHS_32(0xC, R3, G(VMULL_32) | LONG),
	LENGTHS(0xC, R3, G(VMULL) | LONG),
	LENGTHS(0xD, R3, G(VQMULL) | LONG),
	DO (0xFEB00F50, 0xF2A00E00, SIMD, R3, VD, 0, G(PMULL_64) | LONG),
	LENGTHS(0xE, R3, G(VPMULL) | LONG),

	/* two registers and an element */
	BY_ELEMENT_32(0u, 0x0, R3 | VD, G(VMLA_ELEM_32) | ACC(VD)),
	BY_ELEMENT_32(1u, 0x0, R3 | VD, G(VMLA_ELEM_Q_32) | ACC(VD)),
	BY_ELEMENT(0x0, R3 | VD, G(VMLA_ELEM) | WIDE | ACC(VD)),
	BY_ELEMENT_32(0u, 0x4, R3 | VD, G(VMLA_ELEM_32) | ACC(VD)), /* VMLS */
	BY_ELEMENT_32(1u, 0x4, R3 | VD, G(VMLA_ELEM_Q_32) | ACC(VD)),
	BY_ELEMENT(0x4, R3 | VD, G(VMLA_ELEM) | WIDE | ACC(VD)), /* VMLS */
	BY_ELEMENT(0x1, R3 | VD, G(VFMLA) | WIDE | ACC(VD)),
	BY_ELEMENT(0x5, R3 | VD, G(VFMLA) | WIDE | ACC(VD)),
	LONG_ELEMENT_32(0x2, R3 | VD, G(VMLAL_32) | ACC(VD)),
	LONG_ELEMENT(0x2, R3 | VD, G(VMLAL) | ACC(VD)),
	LONG_ELEMENT_32(0x6, R3 | VD, G(VMLAL_32) | ACC(VD)),
	LONG_ELEMENT(0x6, R3 | VD, G(VMLAL) | ACC(VD)),
	LONG_ELEMENT(0x3, R3 | VD, G(VQMLAL) | ACC(VD)),
	LONG_ELEMENT(0x7, R3 | VD, G(VQMLAL) | ACC(VD)),
	BY_ELEMENT_32(0u, 0x8, R3, G(VMUL_ELEM_32)),
	BY_ELEMENT_32(1u, 0x8, R3, G(VMUL_ELEM_Q_32)),
	BY_ELEMENT(0x8, R3, G(VMUL_ELEM) | WIDE),
	BY_ELEMENT(0x9, R3, G(VFMUL) | WIDE),
	LONG_ELEMENT_32(0xA, R3, G(VMULL_32)),
	LONG_ELEMENT(0xA, R3, G(VMULL)),
	LONG_ELEMENT(0xB, R3, G(VQMULL)),
	BY_ELEMENT(0xC, R3, G(VQMUL_ELEM) | WIDE),
	BY_ELEMENT(0xD, R3, G(VQMUL_ELEM) | WIDE),
	BY_ELEMENT(0xE, R3 | VD, G(VQMLA) | WIDE | ACC(VD)),
	BY_ELEMENT(0xF, R3 | VD, G(VQMLA) | WIDE | ACC(VD)),
	DO (0xFE000000, 0xF2000000, SIMD, R3 | VD, VD, 0, 0),   /* no row above matches */

	/* structures: bits 11:8 give the number of registers and their distance, bits 5:4 the alignment */
	ALIGNED_LIST_OF(0x7u, 1u << 4, 1_1_AT, D_LIST1),
	ALIGNED_LIST_OF(0xAu, 1u << 5, 1_2_AT, D_LIST2),
	ALIGNED_LIST_OF(0x2u, 1u << 5, 1_4_AT, D_LIST4),
	ALIGNED_LIST_OF(0x8u, 1u << 5, 2_AT, D_LIST2),
	ALIGNED_LIST_OF(0x9u, 1u << 5, 2_AT, D_APART2),
	LIST_OF(0x7u, 1_1, D_LIST1),
	LIST_OF(0xAu, 1_2, D_LIST2),
	LIST_OF(0x6u, 1_3, D_LIST3),
	LIST_OF(0x2u, 1_4, D_LIST4),
	LIST_OF(0x8u, 2, D_LIST2),
	LIST_OF(0x9u, 2, D_APART2),
	LIST_OF(0x3u, 2_Q, D_LIST4),
	LIST_OF(0x4u, 3, D_LIST3),
	LIST_OF(0x5u, 3, D_APART3),
	LIST_OF(0x0u, 4, D_LIST4),
	LIST_OF(0x1u, 4, D_APART4),
	WORD_LANE_OF(3),
	WORD_LANE_OF(4),
	LANE_OF(1),
	LANE_OF(2),
	LANE_OF(3),
	LANE_OF(4),
};
/* clang-format on */

const struct apmu_isa__rows apmu_isa__rows_neon = {row, sizeof(row) / sizeof(row[0])};
