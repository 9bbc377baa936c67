/* SPDX-License-Identifier: MIT */
/* BKPT is a debug event in IFSR, in the format of the tables that TTBCR.EAE chooses. */
#include "check32.inc"
	.arch armv7-a
	.arm
	.global _start
	.balign 32
_start:
	b reset
	b fail
	b fail
	b pabt
	b fail
	b fail
	b fail
	b fail
pabt:	mrc p15, 0, r6, c5, c0, 1
	mov pc, lr                 @ behind the BKPT, still in Abort mode

	.macro tables long
	mov r0, #\long << 31
	mcr p15, 0, r0, c2, c0, 2
	isb
	.endm

reset:
	ldr r0, =_start
	mcr p15, 0, r0, c12, c0, 0
	bkpt #0
	check 1, r6, 2
	tables 1
	bkpt #0
	check 2, r6, 0x222
	pass
	the_end
