/* SPDX-License-Identifier: MIT */
/* A program that has Hyp mode: what stage 2 translates and refuses of Supervisor and User mode, with its syndromes, both
 * stages, and HCR.DC. Exit status: the number of the first check that fails. DDI0406C B3.6, B3.13.6; B4.1.34, HPFAR.
 *
 * hvc #1 from below calls the function in r0 in Hyp mode. What else comes to a Hyp vector is noted: r8 its offset, r9 HSR,
 * r10 ELR_hyp, r7 HDFAR, of a fetch HIFAR, r5 HPFAR; it goes on behind the instruction, or at r6 if that is not 0, with
 * SCTLR from r2 if that is not 0. PL1's data aborts: r8 is 0x110, r9 DFSR.
 *
 * Stage 2, 2 MiB each from 0x40000000 on: this program; 0x40600000; nothing; read-only; access flag clear; not to be
 * executed; pages, of which the second is mapped to 0x40601000. */
#include "check32.inc"
#ifdef V8
#define IL 0x02000000              /* of what has no instruction to tell the size of: RES1; 0 on Armv7 */
#else
#define IL 0
#endif
#define NORMAL 0x7fd               /* HAP 3, SH 3, AF, MemAttr 0b1111, block */
#define VTCR   0x80003540          /* T0SZ 0, SL0 1, cacheable tables */
	.arch_extension virt
	.arch_extension sec
	.macro in_hyp what
	ldr r0, =\what
	hvc #1
	.endm
	.macro hcr bits
	ldr r1, =\bits
	in_hyp set_hcr
	.endm
	.macro sctlr bits
	ldr r1, =\bits
	mcr p15, 0, r1, c1, c0, 0
	isb
	.endm
	/* form N, HSR, INSTRUCTION: stage 2 refuses the T32 instruction with that syndrome */
	.macro form n, hsr, insn:vararg
	adr r6, 9f
	adr r0, 8f
	orr r0, r0, #1
	blx r0
	check \n, r9, \hsr
	b 7f
	.ltorg
	.thumb
	.balign 4
8:	\insn
	.balign 4
9:	bx lr
	.arm
	.balign 4
7:
	.endm
	.global _start
_start:
	ldr r0, =hyp_vectors
	mcr p15, 4, r0, c12, c0, 0
	ldr r0, =vectors
	mcr p15, 0, r0, c12, c0, 0
	ldr r0, =level1
	mov r1, #0
	mcrr p15, 6, r0, r1, c2        /* VTTBR */
	ldr r0, =VTCR
	mcr p15, 4, r0, c2, c1, 2
	mov r0, #1
	mcr p15, 4, r0, c1, c1, 0      /* HCR.VM */
	isb
	mcr p15, 4, r0, c8, c7, 4      /* TLBIALLNSNH */
	dsb
	isb
	mov r6, #0
	mov r2, #0
	ldr r0, =below
	msr ELR_hyp, r0
	ldr r0, =0x1d3
	msr spsr_cxsf, r0
	eret
below:	ldr sp, =0x40100000
	mrs r0, cpsr
	and r0, r0, #31
	check 1, r0, 0x13

	/* translated: what is written at 0x40200000 is at 0x40600000 */
	ldr r4, =0x40200010
	ldr r3, =0x12345678
	str r3, [r4]
	ldr r1, =0x40600010
	in_hyp load
	check 2, r1, 0x12345678
	ldr r4, =0x40c01010
	str r3, [r4]
	ldr r1, =0x40601010
	in_hyp load
	check 3, r1, 0x12345678

	/* nothing there */
	ldr r4, =0x40400008
	ldr r3, [r4]
	check 4, r8, 0x14
	check 5, r9, 0x93830006        /* from below, ISV, word, r3, translation level 2 */
	check 6, r7, 0x40400008
	check 7, r5, 0x404000
	ldr r4, =0x40c02008
	strh r3, [r4, #8]
	check 8, r9, 0x93430047        /* halfword, write, level 3 */
	check 9, r7, 0x40c02010
	check 10, r5, 0x40c020
	ldr r4, =0x10000000
	ldrb r3, [r4, r4]
	check 11, r9, 0x93030005       /* level 1 */
	check 12, r7, 0x20000000
	check 13, r5, 0x200000

	/* read-only; access flag; which register and how */
	ldr r4, =0x40600100
	ldr r3, [r4]
	strb r3, [r4]
	check 14, r9, 0x9303004e
	ldr r4, =0x40800100
	ldrsh r3, [r4, #2]
	check 15, r9, 0x9363000a
	ldrsb r3, [r4]
	check 16, r9, 0x9323000a
	ldr r3, [r4], #8               /* write-back: no ISV */
	check 17, r9, (0x9000000a | IL)
	check 18, r4, 0x40800100
	ldm r4, {r3, r10}
	check 19, r9, (0x9000000a | IL)

	/* fetches: nothing there, not to be executed */
	ldr r4, =0x40400000
	ldr r6, =a
	bx r4
a:	mov r6, #0
	check 20, r8, 0x14
	check 21, r9, (0x80000006 | IL)
	check 22, r10, 0x40400000
	check 23, r7, 0x40400000
	check 24, r5, 0x404000
	ldr r4, =0x40a00040
	ldr r6, =b
	bx r4
b:	mov r6, #0
	check 25, r9, (0x8000000e | IL)
	check 26, r10, 0x40a00040

	/* User mode */
	ldr r4, =0x40400010
	ldr r6, =c
	cps #16
	ldr r3, [r4]
c:	mov r6, #0
	mov r4, r9
	check 27, r4, 0x93830006
	svc #0                          /* to c2, in Supervisor mode */
c2:
	/* stage 1 whose tables stage 2 refuses, then with tables: both stages */
	mov r0, #0
	mcr p15, 0, r0, c2, c0, 2
	ldr r0, =0x40400000
	mcr p15, 0, r0, c2, c0, 0
	mov r0, #1
	mcr p15, 0, r0, c3, c0, 0
	mcr p15, 0, r0, c8, c7, 0
	isb
	ldr r2, =0xc50078
	ldr r6, =d
	sctlr 0xc50079
d:	mov r6, #0
	mov r2, #0
	check 28, r9, (0x80000086 | IL) /* S1PTW */
	check 29, r5, 0x404010
	ldr r0, =sections
	mcr p15, 0, r0, c2, c0, 0
	mcr p15, 0, r0, c8, c7, 0
	isb
	sctlr 0xc50079
	ldr r4, =0x80200010            /* to 0x40200010, to 0x40600010 */
	ldr r3, [r4]
	check 30, r3, 0x12345678
	ldr r4, =0x80400018
	ldr r3, [r4]
	check 31, r9, 0x93830006
	check 32, r7, 0x80400018
	check 33, r5, 0x404000
	ldr r4, =0xc0000018            /* stage 1 has nothing: PL1's own */
	ldr r3, [r4]
	check 34, r8, 0x110
	check 35, r9, 5
	sctlr 0xc50078
	hcr 0x1001                     /* DC, VM: no stage 1 whatever SCTLR says */
	sctlr 0xc50079
	ldr r4, =0x40200010
	ldr r3, [r4]
	check 36, r3, 0x12345678
	sctlr 0xc50078
	hcr 0                          /* no stage 2 */
	ldr r4, =0x40600010
	ldr r3, [r4]
	check 37, r3, 0x12345678

	/* virtual abort: held off by CPSR.A; taken, it is pending no more */
	mov r8, #0
	hcr 0x121                      /* VA, AMO, VM */
	check 41, r8, 0x14                /* the call */
	cpsie a
	nop
	cpsid a
	check 42, r8, 0x110
	check 43, r9, 0x406
	in_hyp get_hcr
	check 44, r1, 0x21

	/* T32: a narrow instruction has IL clear */
	hcr 1
	ldr r4, =0x40400008
	ldr r6, =after_narrow
	blx narrow
	check 38, r9, 0x91830006
	ldr r6, =after_stack
	blx stack
	check 39, r9, 0x91850006
	ldr r6, =after_wide
	blx wide
	check 40, r9, 0x93630006

	/* the forms of T32: size, sign, register, and IL by the instruction's length */
	ldr r4, =0x40400100
	mov r1, #8
	form 50, 0x91830046, str r3, [r4, r1]
	form 51, 0x91430046, strh r3, [r4, r1]
	form 52, 0x91030046, strb r3, [r4, r1]
	form 53, 0x91230006, ldrsb r3, [r4, r1]
	form 54, 0x91820006, ldr r2, [r4, r1]
	form 55, 0x91430006, ldrh r3, [r4, r1]
	form 56, 0x91030006, ldrb r3, [r4, r1]
	form 57, 0x91630006, ldrsh r3, [r4, r1]
	mov r2, #0
	form 58, 0x91870046, str r7, [r4, #4]
	form 59, 0x91030046, strb r3, [r4, #4]
	form 60, 0x91030006, ldrb r3, [r4, #4]
	form 61, 0x91430046, strh r3, [r4, #4]
	form 62, 0x91430006, ldrh r3, [r4, #4]
	form 63, 0x93230006, ldrsb.w r3, [r4, r1]
	form 64, 0x93430046, strh.w r3, [r4, #-4]
	form 65, 0x93880006, ldrt r8, [r4, #4]
	form 66, 0x93630006, ldrsht r3, [r4, #4]
	form 67, 0x93030046, strb.w r3, [r4, #0x200]
	form 68, (0x90000006 | IL), ldr.w r3, [r4, #4]!
	form 69, (0x90000046 | IL), strd r0, r3, [r4]
	form 70, (0x90000006 | IL), ldmia r4, {r3, r7}
	mov r6, #0

	pass
	the_end

	.thumb
	.thumb_func
narrow:	ldr r3, [r4, #4]
after_narrow:
	bx lr
	.thumb_func
stack:	mov r3, sp
	mov sp, r4
	ldr r5, [sp, #8]
after_stack:
	mov sp, r3
	bx lr
	.thumb_func
wide:	ldrsh.w r3, [r4, #0x100]
after_wide:
	bx lr
	.arm
	.balign 4

load:	ldr r1, [r1]
	bx lr
get_hcr:
	mrc p15, 4, r1, c1, c1, 0
	bx lr
set_hcr:
	mcr p15, 4, r1, c1, c1, 0
	isb
	bx lr

note:	mrc p15, 4, r9, c5, c2, 0
	lsr r12, r9, #26
	cmp r12, #0x12
	beq call
	mrs r10, ELR_hyp
	mrc p15, 4, r7, c6, c0, 0
	cmp r12, #0x20
	mrceq p15, 4, r7, c6, c0, 2
	mrc p15, 4, r5, c6, c0, 4
	cmp r2, #0
	mcrne p15, 0, r2, c1, c0, 0
	add r12, r10, #4
	cmp r6, #0
	movne r12, r6
	msr ELR_hyp, r12
	eret
call:	push {r12, lr}
	blx r0
	pop {r12, lr}
	eret

	.balign 32
hyp_vectors:
	b .
	b .
	b .
	b .
	b .
	b from_below
	b .
	b .
from_below:
	mov r8, #0x14
	ldr sp, =0x400f0000
	b note
	.balign 32
vectors:
	b .
	b .
	b svc
	b .
	b data
	b .
	b .
	b .
svc:	ldr lr, =c2
	bx lr
data:	mov r8, #0x110
	mrc p15, 0, r9, c5, c0, 0
	cmp r9, #0x400
	subshs pc, lr, #8              /* asynchronous: the next instruction */
	subs pc, lr, #4
	.ltorg

	.data
	.balign 4096
level2:	.quad 0x40000000 + NORMAL, 0x40600000 + NORMAL, 0, 0x40600000 + NORMAL - 0x80, 0x40800000 + NORMAL - 0x400
	.quad 0x0040000040a00000 + NORMAL
	.word level3 + 3, 0
	.balign 4096
level3:	.quad 0, 0x40601000 + NORMAL + 2
	.balign 4096
level1:	.word 0, 0, level2 + 3, 0, 0, 0, 0, 0
	.balign 16384
sections:
	.rept 0x400
	.word 0
	.endr
	.set at, 0x40000000
	.rept 16
	.word at + 0xc0e
	.set at, at + 0x100000
	.endr
	.rept 0x3f0
	.word 0
	.endr
	.set at, 0x40000000
	.rept 16
	.word at + 0xc0e
	.set at, at + 0x100000
	.endr
	.rept 0x7f0
	.word 0
	.endr
