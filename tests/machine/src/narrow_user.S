/* SPDX-License-Identifier: MIT */
/* AArch32 code at EL0 of an AArch64 kernel (narrow_a64.S): what it does, and, in the table at its end, the exceptions that
 * the kernel must see: vector, ESR_EL1, ELR_EL1, and of SPSR_EL1 mode, T and the IT bits. DDI0487 D1.3, D17.2.37.
 * With PEER: without what QEMU does not do alike, interrupts and counts. With TIMED: cycles are not one an instruction. */
	.syntax unified

	.macro expect vector, syndrome, at, state
	.subsection 1
	.word \vector, \syndrome, \at, \state
	.subsection 0
	.set expected, expected + 1
	.endm

	/* the next instruction causes this; `il`: its length bit */
	.macro next class, iss, state=0x10, il=1
	expect 0x600, (\class << 26) | (\il << 25) | (\iss), 9f, \state
9:
	.endm
	.macro check n, reg, value
	mov r11, #\n
	ldr r12, =\value
	cmp \reg, r12
	bne 8f
	.subsection 2
8:	mov r0, r11
	svc #0x22
	.subsection 0
	.endm

	/* ISS of MRC and MCR, MRRC and MCRR: CV and the condition, then the operands; the last: it reads */
	.macro next_mrc cond, opc2, crn, rt, crm, read, state=0x10
	next 3, (1 << 24 | \cond << 20 | \opc2 << 17 | \crn << 10 | \rt << 5 | \crm << 1 | \read), \state
	.endm

#ifdef PEER /* the condition of an access that it passes may be told as "always" */
	.set EQ, 14
	.set BKPT_IL, 1                /* QEMU's mistake: DDI0487, ESR_EL1.IL is 0 for T32's BKPT */
#else
	.set EQ, 0
	.set BKPT_IL, 0
#endif
	.set expected, 0
	.text
	.subsection 1
	.balign 4
table:
	.subsection 0
	.arm
	.global _start
_start:	b user
	.word table, expected_count
user:	ldr sp, =0x12345678
	ldr lr, =0x9abcdef0
	mov r10, #0

	next_mrc 14, 0, 9, 5, 13, 1
	mrc p15, 0, r5, c9, c13, 0     @ PMCCNTR while PMUSERENR is 0
	next_mrc 14, 5, 9, 3, 12, 0
	mcr p15, 0, r3, c9, c12, 5     @ PMSELR
	next_mrc 14, 0, 14, 1, 8, 1
	mrc p15, 0, r1, c14, c8, 0     @ PMEVCNTR0
#ifndef PEER /* which has no 64-bit access */
	next 4, (1 << 24 | 14 << 20 | 3 << 10 | 2 << 5 | 9 << 1 | 1)
	mrrc p15, 0, r2, r3, c9        @ PMCCNTR, 64 bits
#endif
	cmp r10, #0
	mrcne p15, 0, r5, c9, c13, 0   @ whose condition fails
	next_mrc EQ, 0, 9, 5, 13, 1
	mrceq p15, 0, r5, c9, c13, 0
	next 0, 0
	mrc p15, 0, r5, c9, c14, 1     @ PMINTENSET is nothing of EL0's
	next 0, 0
	mrc p15, 0, r5, c15, c12, 0    @ an ARM11 has that one
	expect 0x600, 0x46003456, 1f, 0x10
	svc #0x123456
1:	next 0, 0
	udf #1
	next 0, 0
	hvc #1
	next 0x38, 9
	bkpt #9
	ldr r0, =0x60000010
	next 0x24, 0x50
	str r0, [r0]                   @ nothing is there
	next 0x24, 0x10
	ldr r1, [r0]
	mov r1, lr
	mov lr, pc                     @ the kernel returns there: behind the next one
	ldr pc, =0x60000020
	mov lr, r1
	expect 0x600, 0x82000010, 0x60000020, 0x10
	mov r0, #0
	svc #0x24                      @ CPACR_EL1
	next 7, (1 << 24 | 14 << 20)
	vmov.f64 d0, #1.0
	cmp r10, #0
	vmovne r0, s0
	next 7, (1 << 24 | 14 << 20)
	vadd.i32 q0, q0, q0
	mov r0, #0x300000
	svc #0x24
	vmov.f64 d0, #2.0
	vmov r0, r1, d0
	check 1, r1, 0x40000000
	ldr r0, =0x12345678
	check 2, sp, 0x12345678
	check 3, lr, 0x9abcdef0
	wfe
	yield

	mov r0, #1
	svc #0x21                      @ PMUSERENR.EN
#ifndef PEER
	mrc p15, 0, r4, c9, c13, 0
	mrc p15, 0, r5, c9, c13, 0
	sub r6, r5, r4
	check 4, r6, 1
	mrrc p15, 0, r4, r5, c9
	mrc p15, 0, r6, c9, c13, 0
	check 5, r5, 0
	sub r6, r6, r4
	check 6, r6, 1
	mrc p15, 0, r7, c14, c8, 1     @ instructions at EL1
	mrc p15, 0, r4, c14, c8, 0     @ instructions at EL0
	nop
	nop
	svc #0x2f
	mrc p15, 0, r5, c14, c8, 0
	mrc p15, 0, r8, c14, c8, 1
	sub r6, r5, r4
	check 7, r6, 4
	sub r6, r8, r7
	check 8, r6, 19                @ of the kernel, for that call
	mvn r9, #4                     @ -5
	mcr p15, 0, r9, c14, c8, 0
	nop
	nop
	nop
	nop
	nop
	expect 0x680, 0, 1f, 0x10
1:	mrc p15, 0, r4, c14, c8, 0
	check 9, r4, 0
#endif
	add r0, pc, #1
	bx r0

	.thumb
	expect 0x600, 0x44000007, 1f, 0x30
	svc #7
1:	next 0, 0, 0x30
	udf #3
	next 0x38, 5, 0x30, BKPT_IL
	bkpt #5
	next 0, 0, 0x30
	udf.w #3
	movs r0, #0
	svc #0x21
	next_mrc 14, 0, 9, 5, 13, 1, 0x30
	mrc p15, 0, r5, c9, c13, 0
	movs r3, #0
	movs r2, #0
	cmp r10, #1
	ittt ne                        @ refused in an IT block: what is behind it has not happened
	addne r2, r2, #1
	next_mrc 14, 0, 9, 5, 13, 1, (0x30 | 0x1c00)
	mrcne p15, 0, r5, c9, c13, 0
	addne r3, r3, #1
	check 10, r2, 1
	check 11, r3, 1
	cmp r10, #1
	itt ne                         @ a call in one
	addne r3, r3, #1
	expect 0x600, 0x44000009, 1f, 0x30
	svcne #9
1:	check 12, r3, 2
	movs r0, #1
	svc #0x21
	cmp r10, #1
	itete ne                       @ accesses that are made there
	mrcne p15, 0, r4, c9, c13, 0
	mrceq p15, 0, r1, c15, c12, 0  @ its condition fails
	mrcne p15, 0, r5, c9, c13, 0
	mrceq p15, 0, r1, c9, c13, 0
#if !defined PEER && !defined TIMED
	subs r6, r5, r4
	check 13, r6, 2
#endif
	movs r2, #0
	movs r3, #0
	mrc p15, 0, r4, c9, c13, 0
	cmp r10, #1
	itete ne                       @ a call, and behind it one that does not execute
	expect 0x600, 0x44000009, 1f, 0x04000830
	svcne #9
1:	moveq r3, #1
	addne r2, r2, #1
	moveq r3, #2
	mrc p15, 0, r5, c9, c13, 0
#if !defined PEER && !defined TIMED
	subs r6, r5, r4
	check 17, r6, 7
#endif
	check 18, r2, 1
	check 19, r3, 0
	mrc p15, 0, r8, c9, c13, 0
	cmp r10, #1
	it ne
	yieldne
#ifndef PEER
	mcr p15, 0, r9, c14, c8, 0
	nop
	nop.w
	nop
	nop.w
	nop
	expect 0x680, 0, 1f, 0x30
1:	mrc p15, 0, r4, c14, c8, 0
	check 14, r4, 0
	mcr p15, 0, r9, c14, c8, 0     @ the overflow comes in an IT block: the interrupt behind it
	nop
	nop
	nop
	cmp r10, #1
	ittt ne
	movne r0, #1
	movne r1, #2
	movne r2, #3
	expect 0x680, 0, 1f, 0x30
1:	check 15, r0, 1
	check 16, r2, 3
#endif
	svc #0x26                      @ how many there were
	nop                            @ QEMU 7.2 leaves this one out
	mov r11, r0
	ldr r12, =expected_count
	cmp r11, r12
	beq 1f
	movs r0, #98
	svc #0x22
1:	movs r0, #0
	svc #0x22
	.ltorg
	.set expected_count, expected
