/* SPDX-License-Identifier: MIT */
/* A32 and T32 in one program, among them blocks of four-byte instructions alone, which could be either. */
#include "exit.inc"
	.syntax unified
	.cpu arm1136j-s
	.arm
	.globl _start
_start:
	mov r6, #100             @ 1
	ldr r8, =0xE8BDE8BD      @ 1 load
1:	ldr r3, =inner           @ 100 times: ldr, blx, subs, bne, and inner
	blx r3
	subs r6, r6, #1
	bne 1b
	mov r0, #0               @ 1
	leave                    @ 2

/* Alone in its block, and its low half is 0xFF1E: as T32 it would be the first half of a BL or a vector load. */
lone_a32:
	bx lr

	.thumb
	.balign 4
	.thumb_func
inner:	push {r4, r5, lr}        @ 1 store
	mov r5, pc               @ 1: r5 = inner + 6
	movs r4, #10             @ 1
2:	b 3f                     @ 10 times: b, bl, leaf's two, subs, bne
	.balign 4
3:	bl leaf                  @ alone in its block, at a multiple of four: only its text tells T32
	subs r4, #1
	bne 2b
	ldr r3, =lone_a32        @ 1 load
	blx r3                   @ 1, and lone_a32's one
	pop {r4, r5, pc}         @ 1 load
	.thumb_func
leaf:	adds r5, #1
	bx lr
	.balign 4
	.ltorg
