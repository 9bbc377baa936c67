/* SPDX-License-Identifier: MIT */
/* PMU accesses in T32, in IT blocks above all: those whose condition fails do nothing, and each is an instruction. */
#include "check32.inc"
	.arm
	.global _start
_start:
	ldr r0, =main + 1
	bx r0
	.thumb
	.thumb_func
main:
	mov r0, #0x80000000
	mcr p15, 0, r0, c9, c12, 1
	mov r1, #0
	mov r0, #5
	mcr p15, 0, r0, c9, c12, 0
	mrc p15, 0, r2, c9, c13, 0 @ 0
	cmp r1, #1                 @ 1
	ittee ne                   @ 2
	mrcne p15, 0, r3, c9, c13, 0 @ 3
	mrcne p15, 0, r4, c9, c13, 0 @ 4
	mcreq p15, 0, r1, c9, c13, 0 @ 5: does not clear the counter
	moveq r5, #99              @ 6
	mrc p15, 0, r6, c9, c13, 0 @ 7
	ite eq                     @ 8
	mrceq p15, 0, r7, c9, c13, 0 @ 9
	mcrne p15, 0, r1, c9, c13, 0 @ 10: clears the counter
	mrc p15, 0, r8, c9, c13, 0 @ 0
	wfe
	yield
	mrc p15, 0, r9, c9, c13, 0 @ 3
	mcr p15, 0, r1, c9, c12, 0
	check 1, r2, 0
	check 2, r3, 3
	check 3, r4, 4
	check 4, r5, 0
	check 5, r6, 7
	check 6, r7, 0
	check 7, r8, 0
	check 8, r9, 3
	pass
	the_end 0xab
