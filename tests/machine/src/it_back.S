/* SPDX-License-Identifier: MIT */
/* An exception in an IT block, behind which an instruction does not execute: each way to return goes on in the
 * block, also after another exception; all its instructions are counted, and an interrupt comes behind it. */
#include "check32.inc"
	/* the handler `to` has n instructions; with the vector's, 8 more are counted, from the first read on */
	.macro back to, n
	mov r1, #0
	mov r2, #0
	ldr r8, =\to
	mrc p15, 0, r4, c9, c13, 0
	cmp r1, #0
	itete eq
	svceq #1
	movne r1, #1
	moveq r2, #2
	movne r1, #2
	mrc p15, 0, r5, c9, c13, 0
	sub r5, r5, r4
	.set number, number + 1
	check number, r5, 8 + \n
	.set number, number + 1
	check number, r1, 0
	.set number, number + 1
	check number, r2, 2
	.endm
	.set number, 0
	.arm
	.global _start
_start:
	b reset
	b .
	bx r8
	b .
	b .
	b .
	sub lr, lr, #4             @ the interrupt
	mov r9, #0x80000000
	mcr p15, 0, r9, c9, c12, 3
	movs pc, lr
by_movs:
	movs pc, lr
by_subs:
	add lr, lr, #0x3f00
	subs pc, lr, #0x3f00
by_ldm:	push {lr}
	ldm sp!, {pc}^
by_ldmib:
	push {lr}
	sub sp, sp, #8
	ldmib sp, {r6, pc}^
by_rfe:	srsdb sp!, #0x13
	rfeia sp!
by_rfeib:
	srsdb sp!, #0x13
	sub sp, sp, #4
	rfeib sp
by_nesting:
	mrs r6, spsr
	mov r7, lr
	add r8, pc, #8
	svc #2                     @ whose handler is the last one below
	msr spsr_cxsf, r6
	movs pc, r7
	movs pc, lr
reset:	ldr sp, =0x40010000
	mov r0, #1
	mcr p15, 0, r0, c9, c12, 0
	mov r0, #0x80000000
	mcr p15, 0, r0, c9, c12, 1
	ldr r0, =main + 1
	bx r0
	.thumb
t32_subs:
	add lr, lr, #4
	subs pc, lr, #4
t32_eret:
	subs pc, lr, #0
t32_rfe:
	srsdb sp!, #0x13
	rfeia sp!
t32_rfedb:
	srsia sp!, #0x13
	rfedb sp!
	.thumb_func
main:	back by_movs, 1
	back by_subs, 2
	back by_ldm, 2
	ldr sp, =0x40010000
	back by_ldmib, 3
	ldr sp, =0x40010000
	back by_rfe, 2
	back by_rfeib, 3
	ldr sp, =0x40010000
	back t32_subs + 1, 2
	back t32_eret + 1, 1
	back t32_rfe + 1, 2
	back t32_rfedb + 1, 2
	back by_nesting, 8

	mov r0, #0x80000000        @ PMCCNTR overflows ever earlier
	mcr p15, 0, r0, c9, c14, 1
	cpsie i
	mov r10, #60
next:	mvn r0, r10
	mcr p15, 0, r0, c9, c13, 0
	mov r1, #0
	mov r2, #0
	ldr r8, =by_movs
	cmp r1, #0
	itete eq
	svceq #1
	movne r1, #1
	moveq r2, #2
	movne r1, #2
	check 101, r1, 0
	check 102, r2, 2
	subs r10, r10, #1
	bne next
	pass
	the_end 0xab
