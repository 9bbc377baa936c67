/* SPDX-License-Identifier: MIT */
/* A T32 function that ends within an IT block, as libgcc's divisions do, returns to A32 code that was not translated
 * before: an interrupt is taken there before the next instruction, as anywhere. */
#include "check32.inc"
	.arm
	.global _start
_start:
	b reset
	b .
	b .
	b .
	b .
	b .
irq:	sub r8, lr, #4             @ where it goes on
	mov r9, sp
	mov r0, #0x80000000
	mcr p15, 0, r0, c9, c12, 3 @ PMOVSR
	subs pc, lr, #4
reset:	msr cpsr_c, #0xd2          @ IRQ mode has a stack pointer of its own
	mov sp, #0x12
	msr cpsr_c, #0xd3
	mov sp, #0x13
	mov r8, #0
	mvn r0, #29
	mcr p15, 0, r0, c9, c13, 0 @ PMCCNTR: 30 cycles from its end
	mov r0, #0x80000000
	mcr p15, 0, r0, c9, c14, 1 @ PMINTENSET
	mcr p15, 0, r0, c9, c12, 1 @ PMCNTENSET
	cpsie i
	mov r0, #0
	blx short                  @ the last one translated before `fresh`
fresh:	mov r1, #1
	mcr p15, 0, r1, c9, c12, 0 @ PMCR.E
begin:	.rept 40
	mov r2, sp
	.endr
	ldr r3, =begin
	sub r8, r8, r3
	check 1, r8, 120
	check 2, r9, 0x12
	check 3, r2, 0x13
	pass
	.thumb
	.thumb_func
short:	cmp r0, #0
	it eq
	bxeq lr
	b .
	.arm
	the_end
