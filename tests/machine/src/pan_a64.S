/* SPDX-License-Identifier: MIT */
/* An exception keeps PSTATE.PAN, or sets it if SCTLR_EL1.SPAN is clear; its return brings PAN back. */
#include "check64.inc"
	.arch armv8.1-a+pan
	.equ PAN, 0x400000

	.macro span on
	mrs x0, sctlr_el1
	mov x1, #\on
	bfi x0, x1, #23, #1
	msr sctlr_el1, x0
	isb
	.endm

	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	span 1
	msr pan, #1
	svc #0
	check 1, x5, PAN
	msr pan, #0
	svc #0
	check 2, x5, 0
	span 0
	svc #0
	check 3, x5, PAN
	mrs x6, pan
	check 4, x6, 0
	msr pan, #1
	svc #0
	check 5, x5, PAN
	mrs x6, pan
	check 6, x6, PAN
	adr x0, user               /* from EL0 */
	msr elr_el1, x0
	msr spsr_el1, xzr
	eret
user:	svc #0

	.balign 2048
vectors:
	entry fail
	entry fail
	entry fail
	entry fail
	entry here
	entry fail
	entry fail
	entry fail
	entry lower
	.balign 128
here:	mrs x5, pan
	eret
lower:	mrs x5, pan
	check 7, x5, PAN
	mrs x5, spsr_el1
	check 8, x5, 0
	mov x19, #0
	the_end
