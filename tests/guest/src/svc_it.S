/* SPDX-License-Identifier: MIT */
/* System calls in IT blocks: made, made with one behind in the block, and not made. Prints "it" twice. */
	.syntax unified
	.thumb
	.global _start
	.thumb_func
_start:	ldr r1, =text
	movs r0, #1
	movs r2, #3
	movs r7, #4
	movs r5, #0
	cmp r5, #1
	ittt ne
	movne r6, #1
	svcne #0
	addne r6, r6, r0      @ 1 + 3
	cmp r5, #0
	itee ne
	svcne #0              @ not made
	moveq r0, #1
	svceq #0
	adds r6, r6, r0       @ 7
	cmp r6, #7
	ite ne
	movne r0, #1
	moveq r0, #0
	movs r7, #1
	cmp r5, #1
	it ne
	svcne #0
	b .
	.ltorg
	.data
text:	.ascii "it\n"
