/* SPDX-License-Identifier: MIT */
/* Semihosting calls in IT blocks are calls as anywhere; BKPT is one even where its condition fails. */
#include "check32.inc"
	.arm
	.global _start
_start:
	b reset
	b .
	b taken
	b taken
	b .
	b .
	b .
	b .
taken:	add r9, r9, #1
	movs pc, lr
reset:	ldr r0, =main + 1
	bx r0
	.thumb
	.thumb_func
main:	mov r9, #0
	mov r2, #0
	mov r3, #0
	mov r10, #0
	mov r0, #0x31              @ SYS_TICKFREQ
	cmp r0, #0x31
	ittet eq
	moveq r2, #5
	svceq 0xab
	movne r3, #9
	addeq r2, r2, #1
	add r10, r10, #1
	check 1, r0, 1000000000
	mov r0, #0x31
	cmp r0, #0x30
	itete eq
	moveq r3, #9
	addne r2, r2, #1
	bkpt 0xab
	addne r2, r2, #1
	add r10, r10, #1
	check 2, r0, 1000000000
	check 3, r2, 8
	check 4, r3, 0
	check 5, r9, 0
	check 6, r10, 2
	pass
	the_end 0xab
