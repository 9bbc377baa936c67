/* SPDX-License-Identifier: MIT */
/* An exception keeps CPSR.PAN, or sets it if SCTLR.SPAN is clear. */
#include "check32.inc"
	.arch armv8-a
	.arm
	.global _start
	.balign 32
_start:
	b reset
	b fail
	b call
	b fail
	b fail
	b fail
	b fail
	b fail
call:	mrs r5, cpsr
	and r5, r5, #1 << 22
	cmp r4, #0
	movne pc, r4               @ where the test wants to go on, in Supervisor mode
	movs pc, lr

	.macro span on
	mrc p15, 0, r0, c1, c0, 0
	mov r1, #\on
	bfi r0, r1, #23, #1
	mcr p15, 0, r0, c1, c0, 0
	isb
	.endm

reset:
	ldr r0, =_start
	mcr p15, 0, r0, c12, c0, 0
	mov r4, #0
	cps #31                    @ System mode: its own link register
	span 1
	svc #0
	check 1, r5, 0
	span 0
	svc #0
	check 2, r5, 1 << 22
	mrs r5, cpsr
	and r5, r5, #1 << 22
	check 3, r5, 0
	ldr r4, =set
	svc #0
set:	mov r4, #0
	span 1
	svc #0
	check 4, r5, 1 << 22
	mov r11, #0
	the_end
