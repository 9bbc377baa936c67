/* SPDX-License-Identifier: MIT */
/* Each kind of access, alone in a loop of 100 rounds. `data` is at the start of a line. */
#include "exit.inc"
	.syntax unified
	.cpu arm1136j-s
	.arm
	.globl _start
_start:
	ldr r0, =data            @ 1 load, before the loop
	mov r12, #100
1:	ldr r1, [r0]             @ word
	ldrb r1, [r0, #5]        @ byte
	strh r1, [r0, #6]        @ halfword
	str r1, [r0, #8]         @ word
	ldmia r0, {r2-r9}        @ eight registers, one line
	stmia r0, {r2-r9}        @ eight registers, one line
	add r10, r0, #16
	ldmia r10, {r2-r9}       @ eight registers, two lines
	ldrd r2, r3, [r0, #8]    @ two registers, one line
	ldr r2, [r0, #30]        @ unaligned: bytes 30 to 33, two lines
	cmp r12, #0              @ never equal
	ldreq r1, [r0]           @ fails: no access
	streq r1, [r0]           @ fails
	pld [r0]                 @ no access
	subs r12, r12, #1
	bne 1b
	mov r0, #0
	leave

	.data
	.balign 4096
data:	.space 4096
