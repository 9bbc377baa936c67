/* SPDX-License-Identifier: MIT */
/* A program that has EL2: what stage 2 translates and refuses, the syndromes, virtual interrupts. Exit status: the
 * number of the first check that fails.
 *
 * hvc #1 calls the function in x8 at EL2. What else comes to a vector is noted: x10 level and offset, x11 ELR, x12 ESR,
 * x13 FAR, x14 SPSR, x15 HPFAR; it goes on behind the instruction, or at x29 if that is not 0, with SCTLR_EL1
 * from x28 if that is not 0.
 *
 * Stage 2, 2 MiB each from 0x40000000 on: this program; 0x40600000; nothing; read-only; access flag clear; not to be
 * executed; pages, of which the second is mapped to 0x40601000. */
	.arch armv8-a
#include "check64.inc"
#define NORMAL 0x7fd           /* S2AP 3, SH 3, AF, MemAttr 0b1111, block */
#define VTCR   0x80023560      /* T0SZ 32, SL0 1, cacheable tables, 4 KiB, PS 40 bits */
	.macro at_el2 what
	adr x8, \what
	hvc #1
	.endm
	.macro hcr bits            /* at EL1; RW is always there */
	ldr x0, =(0x80000000 | \bits)
	at_el2 set_hcr
	.endm
	.global _start
_start:
	ldr x0, =0x40100000
	mov sp, x0
	adr x0, vectors2
	msr vbar_el2, x0
	adr x0, vectors1
	msr vbar_el1, x0
	ldr x0, =level1
	msr vttbr_el2, x0
	ldr x0, =VTCR
	msr vtcr_el2, x0
	mov x0, #0x33ff            /* CPTR_EL2: nothing trapped */
	msr cptr_el2, x0
	ldr x0, =0x30d00800        /* SCTLR_EL1: all off */
	msr sctlr_el1, x0
	mov x0, #0x80000000
	orr x0, x0, #1             /* RW, VM */
	msr hcr_el2, x0
	isb
	tlbi alle1
	dsb sy
	isb
	mov x29, #0
	mov x28, #0
	adr x0, in_el1
	msr elr_el2, x0
	mov x0, #0x3c5
	msr spsr_el2, x0
	eret
in_el1:	mrs x0, CurrentEL
	check 1, x0, 4

	/* translated: what EL1 writes at 0x40200000 is at 0x40600000 */
	ldr x4, =0x40200010
	ldr x5, =0x1234567890abcdef
	str x5, [x4]
	ldr x0, =0x40600010
	at_el2 load
	check 2, x1, 0x1234567890abcdef
	ldr x4, =0x40c01010
	str x5, [x4]
	ldr x0, =0x40601010
	at_el2 load
	check 3, x1, 0x1234567890abcdef

	/* nothing there */
	ldr x4, =0x40400008
	ldr w5, [x4]
	check 4, x10, 0x2400
	check 5, x12, 0x93850006   /* from below, ISV, word, w5, translation level 2 */
	check 6, x13, 0x40400008
	check 7, x15, 0x404000
	check 8, x14, 0x600003c5
	ldr x4, =0x40c02008
	str xzr, [x4, #8]
	check 9, x12, 0x93df8047   /* doubleword, SF, xzr, write, level 3 */
	check 10, x13, 0x40c02010
	check 11, x15, 0x40c020
	ldr x4, =0x10000000
	ldrb w7, [x4, x4]
	check 12, x12, 0x93070005  /* level 1 */
	check 13, x13, 0x20000000
	check 14, x15, 0x200000

	/* read-only; access flag; which register and how */
	ldr x4, =0x40600100
	ldr x0, [x4]
	strb w7, [x4]
	check 15, x12, 0x9307004e
	ldur w0, [x4]
	stlrh w9, [x4]
	check 16, x12, 0x9349404e
	ldr x4, =0x40800100
	ldrsh x9, [x4, #2]
	check 17, x12, 0x9369800a
	ldrsb w9, [x4]
	check 18, x12, 0x9329000a
	ldrsw x9, [x4]
	check 19, x12, 0x93a9800a
	ldr x4, =0x40800100
	ldr x9, [x4], #8           /* write-back: no ISV */
	check 20, x12, 0x9200000a
	check 21, x4, 0x40800100
	ldp x9, x8, [x4]
	check 22, x12, 0x9200000a
	ldxr x9, [x4]
	check 23, x12, 0x9200000a
	mov x1, #8
	ldar x9, [x4]
	check 60, x12, 0x93c9c00a
	ldarb w9, [x4]
	check 61, x12, 0x9309400a
	stlr w9, [x4]
	check 62, x12, 0x9389404a
	ldrsb x9, [x4]
	check 63, x12, 0x9329800a
	ldrsh w9, [x4, #2]
	check 64, x12, 0x9369000a
	ldursw x9, [x4, #4]
	check 65, x12, 0x93a9800a
	ldtrh w9, [x4]
	check 66, x12, 0x9349000a
	sttr x9, [x4, #8]
	check 67, x12, 0x93c9804a
	str w9, [x4, x1]
	check 68, x12, 0x9389004a
	ldr x1, [x4, w1, uxtw #3]
	check 69, x12, 0x93c1800a
	str x9, [x4, #8]!
	check 70, x12, 0x9200004a
	stp w9, w8, [x4]
	check 71, x12, 0x9200004a
	ldr q0, [x4]
	check 72, x12, 0x9200000a
	ldaxr w9, [x4]
	check 73, x12, 0x9200000a

	/* fetches: nothing there, not to be executed */
	ldr x4, =0x40400000
	adr x29, a
	br x4
a:	mov x29, #0
	check 24, x12, 0x82000006
	check 25, x11, 0x40400000
	check 26, x13, 0x40400000
	check 27, x15, 0x404000
	ldr x4, =0x40a00040
	adr x29, b
	br x4
b:	mov x29, #0
	check 28, x12, 0x8200000e
	check 29, x11, 0x40a00040

	/* EL2 goes straight where EL1 has nothing */
	adr x29, c
	at_el2 leave_to_nothing
c:	mov x29, #0
	check 30, x10, 0x2400
	check 31, x12, 0x82000006
	check 32, x11, 0x40400040

	/* EL0 */
	adr x0, el0
	msr elr_el1, x0
	mov x0, #0x3c0
	msr spsr_el1, x0
	adr x29, d
	eret
el0:	ldr x4, =0x40400010
	ldr w6, [x4]
d:	mov x29, #0                /* still EL0: EL2 returns where it came from */
	mov x7, x12
	mov x9, x14
	svc #0
	check 33, x7, 0x93860006
	check 34, x9, 0x3c0
	check 35, x10, 0x1400

	/* stage 1 whose tables stage 2 refuses, then with tables: both stages */
	ldr x0, =0x40400000
	msr ttbr0_el1, x0
	ldr x0, =0x200803520       /* TCR_EL1: T0SZ 32, cacheable, no TTBR1, IPS 40 bits */
	msr tcr_el1, x0
	mov x0, #0xff
	msr mair_el1, x0
	tlbi vmalle1
	dsb sy
	isb
	ldr x9, =0x30d00801
	adr x29, e
	ldr x28, =0x30d00800
	msr sctlr_el1, x9
	isb
e:	mov x29, #0
	mov x28, #0
	check 36, x12, 0x82000086 /* S1PTW */
	check 37, x15, 0x404000
	ldr x0, =table1
	msr ttbr0_el1, x0
	ldr x9, =0x30d00801
	msr sctlr_el1, x9
	isb
	ldr x4, =0x80200010        /* to 0x40200010, to 0x40600010 */
	ldr x5, [x4]
	check 38, x5, 0x1234567890abcdef
	ldr x4, =0x80400018
	ldr x5, [x4]
	check 39, x12, 0x93c58006
	check 40, x13, 0x80400018
	check 41, x15, 0x404000
	ldr x4, =0xc0000018        /* stage 1 has nothing: EL1's own */
	ldr x5, [x4]
	check 42, x10, 0x1200
	check 43, x12, 0x96000005
	ldr x9, =0x30d00800
	msr sctlr_el1, x9
	isb
	hcr 0x1001                 /* DC, VM: no stage 1 whatever SCTLR says */
	ldr x9, =0x30d00801
	msr sctlr_el1, x9
	isb
	ldr x4, =0x40200010
	ldr x5, [x4]
	check 44, x5, 0x1234567890abcdef
	ldr x9, =0x30d00800
	msr sctlr_el1, x9
	isb

	/* virtual interrupts: held off by PSTATE, wake WFI, and need IMO, FMO */
	mov x10, #0
	hcr 0x91                   /* VI, IMO, VM */
	wfi
	check 45, x10, 0x2400      /* the call */
	msr daifclr, #2
	nop
	check 46, x10, 0x1280
	msr daifset, #2
	hcr 0x81                   /* VI alone */
	mov x10, #0
	msr daifclr, #2
	nop
	msr daifset, #2
	check 47, x10, 0
	hcr 0x49                   /* VF, FMO, VM */
	mov x10, #0
	msr daifclr, #1
	nop
	check 48, x10, 0x1300
	msr daifset, #1
	hcr 0x91
	adr x0, f
	msr elr_el1, x0
	msr spsr_el1, xzr
	mov x10, #0
	eret
f:	nop                        /* at EL0 */
	mov x9, x10
	svc #0
	check 49, x9, 0x1480

	/* virtual SError: as the interrupts; taken, it is pending no more */
	mov x10, #0
	hcr 0x121                  /* VSE, AMO, VM */
	wfi
	check 50, x10, 0x2400
	msr daifclr, #4
	nop
	check 51, x10, 0x1380
	mrs x9, esr_el1
	check 52, x9, 0xbe000000
	check 53, x21, 0x80000021
	msr daifset, #4
	hcr 0x101                  /* VSE alone */
	mov x10, #0
	msr daifclr, #4
	nop
	msr daifset, #4
	check 54, x10, 0

	mov x19, #0
	b fail
	the_end

	/* functions at EL2 */
load:	ldr x1, [x0]
	ret
get_hcr:
	mrs x21, hcr_el2
	ret
set_hcr:
	msr hcr_el2, x0
	isb
	ret
leave_to_nothing:
	ldr x0, =0x40400040
	msr elr_el2, x0
	eret
	.ltorg

note2:	mrs x12, esr_el2
	lsr x20, x12, #26
	cmp x20, #0x16
	b.ne 1f
	and x20, x12, #0xffff
	cmp x20, #1
	b.ne 1f
	mov x10, #0x2400
	stp x30, x20, [sp, #-16]!
	blr x8
	ldp x30, x20, [sp], #16
	eret
1:	mrs x11, elr_el2
	mrs x13, far_el2
	mrs x14, spsr_el2
	mrs x15, hpfar_el2
	cbz x28, 2f
	msr sctlr_el1, x28
2:
	add x20, x11, #4
	cmp x29, #0
	csel x20, x20, x29, eq
	msr elr_el2, x20
	eret

	/* EL1: aborts are skipped; SVC stays at EL1; interrupts are made to end by EL2 */
note1:	mrs x12, esr_el1
	lsr x20, x12, #26
	cmp x20, #0x15
	b.eq 2f
	mrs x20, elr_el1
	add x20, x20, #4
	msr elr_el1, x20
	eret
2:	mrs x20, elr_el1
	br x20
ended:	mov x17, x0
	mov x16, x8
	mov x18, x10
	at_el2 get_hcr
	ldr x0, =0x80000001
	at_el2 set_hcr
	mov x10, x18
	mov x0, x17
	mov x8, x16
	eret
	.ltorg

	.macro noted offset, level, to
	.balign 128
	mov x10, #(\level << 12 | \offset)
	b \to
	.endm
	.balign 2048
vectors2:
	.irp offset, 0, 0x80, 0x100, 0x180, 0x200, 0x280, 0x300, 0x380, 0x400, 0x480, 0x500, 0x580, 0x600, 0x680, 0x700, 0x780
	noted \offset, 2, note2
	.endr
	.balign 2048
vectors1:
	.irp offset, 0, 0x80, 0x100, 0x180, 0x200, 0x280, 0x300, 0x380, 0x400, 0x480, 0x500, 0x580, 0x600, 0x680, 0x700, 0x780
	.if (\offset & 0x180) == 0
	noted \offset, 1, note1
	.else
	noted \offset, 1, ended
	.endif
	.endr

	.data
	.balign 4096
level1:	.quad 0, level2 + 3, 0, 0
	.balign 4096
level2:	.quad 0x40000000 + NORMAL, 0x40600000 + NORMAL, 0, 0x40600000 + NORMAL - 0x80, 0x40800000 + NORMAL - 0x400
	.quad 0x0040000040a00000 + NORMAL, level3 + 3
	.balign 4096
level3:	.quad 0, 0x40601000 + NORMAL + 2
	.balign 4096
table1:	.quad 0, 0x40000701, 0x40000701, 0
	.balign 4096
