/* SPDX-License-Identifier: MIT */
/* IT blocks with PMU accesses over the end of a page: taken and not taken, in each place. Exit status: the number of the
 * first check that fails. */
#include "check32.inc"
	.arm
	.global _start
_start:
	mov r0, #0x80000000
	mcr p15, 0, r0, c9, c12, 1
	mov r0, #5
	mcr p15, 0, r0, c9, c12, 0
	ldr r0, =first + 1
	bx r0
	.ltorg
	.thumb
	.balign 4096
	.space 4096 - 8
first:	mov r2, #0                 /* 4 bytes: 8 before the end */
	cmp r2, #0
	it eq                      /* the last two bytes of the page */
	mrceq p15, 0, r2, c9, c13, 0
	mrc p15, 0, r3, c9, c13, 0
	sub r3, r3, r2
	check 1, r3, 1
	b.w second
	.ltorg
	.balign 4096
	.space 4096 - 10
second:	cmp r3, #1
	ite ne                     /* the first of the block ends before, the second begins behind it */
	.inst.w 0xee194f1d         /* mrcne p15, 0, r4, c9, c13, 0: the last two bytes are nop's */
	moveq r4, #77
	nop
	check 2, r4, 77
	b.w third
	.ltorg
	.balign 4096
	.space 4096 - 8
third:	cmp r3, #1
	itt eq                     /* an access on each side */
	mrceq p15, 0, r4, c9, c13, 0
	mrceq p15, 0, r5, c9, c13, 0
	sub r5, r5, r4
	check 3, r5, 1
	b.w fourth
	.ltorg
	.balign 4096
	.space 4096 - 6
fourth:	cmp r3, #1
	it eq                      /* an access that lies on both pages */
	mrceq p15, 0, r4, c9, c13, 0
	mrc p15, 0, r5, c9, c13, 0
	sub r5, r5, r4
	check 4, r5, 1
	mov r9, #3                 /* again, as translated already */
	b.w fifth
	.ltorg
	.balign 4096
	.space 4096 - 8
fifth:	cmp r9, #0
	it ne                      /* an access that ends with the page */
	mrcne p15, 0, r4, c9, c13, 0
	mrc p15, 0, r5, c9, c13, 0
	sub r5, r5, r4
	check 5, r5, 1
	subs r9, r9, #1
	bne fourth_again
	pass
fourth_again:
	b.w sixth
	.ltorg
	.balign 4096
	.space 4096 - 6
sixth:	cmp r9, #0
	it ne
	mrcne p15, 0, r4, c9, c13, 0
	mrc p15, 0, r5, c9, c13, 0
	sub r5, r5, r4
	check 6, r5, 1
	b.w fifth
	.ltorg
	the_end 0xab
