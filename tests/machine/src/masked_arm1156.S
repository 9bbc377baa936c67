/* SPDX-License-Identifier: MIT */
/* ARM1156's events 0xFF and 0x14 (cycles, and those with IRQ masked) beside CCNT, with IRQ masked throughout: all three agree, though
 * instructions that miss take many cycles. Exit status: the number of the first check that fails. */
#include "check32.inc"
	.global _start
_start:	ldr r9, =0x10000
	ldr r0, =0x0FF14007 /* EvtCount0 0xFF, EvtCount1 0x14, C, P, E */
	mcr p15, 0, r0, c15, c12, 0
	mov r1, #300
1:	ldr r2, [r9], #68
	add r3, r3, r2
	subs r1, r1, #1
	bne 1b
	ldr r0, =0x0FF14000
	mcr p15, 0, r0, c15, c12, 0
	mrc p15, 0, r4, c15, c12, 1
	mrc p15, 0, r5, c15, c12, 2
	mrc p15, 0, r6, c15, c12, 3
	sub r7, r4, r5
	sub r8, r4, r6
	check 1, r7, 0
	check 2, r8, 0
	pass
	the_end
