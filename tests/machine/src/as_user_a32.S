/* SPDX-License-Identifier: MIT */
/* STRT and STRBT fault for want of User's rights where STR does not. For address 0, where the vectors are. */
#include "check32.inc"
	.arch armv5te
	.arm
	.global _start
	.balign 32
_start:
	b reset
	b fail
	b fail
	b fail
	b dabt
	b fail
	b fail
	b fail
dabt:	mrc p15, 0, r6, c5, c0, 0
	subs pc, lr, #4
reset:
	ldr r0, =table
	ldr r1, =0x802             @ section at 0, AP 10: User may only read
	str r1, [r0]
	mcr p15, 0, r0, c2, c0, 0
	mov r1, #1
	mcr p15, 0, r1, c3, c0, 0  @ domain 0: client
	mrc p15, 0, r1, c1, c0, 0
	orr r1, r1, #1
	bic r1, r1, #0x2000
	mcr p15, 0, r1, c1, c0, 0
	nop
	nop
	ldr r4, =word
	mov r6, #0
	str r5, [r4]
	check 1, r6, 0
	ldrt r5, [r4]
	check 2, r6, 0
	strt r5, [r4]
	and r6, r6, #0xf
	check 3, r6, 13
	strbt r5, [r4], #1
	and r6, r6, #0xf
	check 4, r6, 13
	pass
	the_end
	.data
word:	.word 1
	.balign 16384
table:	.fill 4096, 4, 0
