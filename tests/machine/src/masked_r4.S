/* SPDX-License-Identifier: MIT */
/* Cortex-R4's events 0x47 and 0x46: cycles in which CPSR masks IRQ or FIQ (DDI0363E table 6-1), by exceptions too. CPI: cycles
 * per instruction. Exit status: the number of the first check that fails. */
#include "check32.inc"
	.global _start
_start:
	b start
	b .
	b call
	b .
	b .
	b .
	b .
	b .
call:	.rept 10
	nop
	.endr
	movs pc, lr
start:	mov r4, #0
	mov r5, #0x47
	bl choose
	mov r4, #1
	mov r5, #0x46
	bl choose
	ldr r0, =0x80000003
	mcr p15, 0, r0, c9, c12, 1 /* PMCNTENSET */
	mov r0, #7
	mcr p15, 0, r0, c9, c12, 0 /* PMCR: E, P, C */
	.rept 20
	nop
	.endr
	cpsie i
	.rept 100
	nop
	.endr
	cpsid i                    /* is executed with IRQs enabled still */
	nop
	cpsie f
	.rept 50
	nop
	.endr
	cpsie i
	svc #0                     /* masks IRQ in its handler, of 12 instructions with the vector */
	nop
	cpsid if
	mov r0, #0
	mcr p15, 0, r0, c9, c12, 0
	mrc p15, 0, r4, c9, c13, 0
	mov r5, #0
	bl count
	sub r7, r4, r6
	mov r5, #1
	bl count
	sub r8, r4, r6
	check 1, r7, (CPI * (101 + 3))
	check 2, r8, (CPI * (50 + 1 + 3 + 12))
	pass
	the_end

choose:	mcr p15, 0, r4, c9, c12, 5
	mcr p15, 0, r5, c9, c13, 1
	bx lr
count:	mcr p15, 0, r5, c9, c12, 5
	mrc p15, 0, r6, c9, c13, 2
	bx lr
