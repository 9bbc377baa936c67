/* SPDX-License-Identifier: MIT */
/*
 * T32 at the end of a page: a 32-bit instruction lies across it, behind a 16-bit or a 32-bit one. QEMU looks at its
 * first half while it translates the one before.
 */
#include "exit.inc"
	.syntax unified
	.cpu cortex-a7
	.arm
	.globl _start
_start:
	mov r6, #100             @ 1
	ldr r8, =words           @ 1 load
	mov r4, r8               @ 1
	mov r5, #0               @ 1
1:	blx short_one            @ 100 times: three blx, subs, bne and what they call
	blx long_one
	blx lone
	subs r6, r6, #1
	bne 1b
	mov r0, #0               @ 1
	leave                    @ 2
	.ltorg

	.thumb
	.balign 4096
	.space 4096 - 8
	.thumb_func
short_one:
	ldr r0, [r8]             @ 4 bytes, 1 load
	ldr r1, [r0]             @ 2 bytes at 0xFFC, 1 load
	ldr.w r2, [r8, #4]       @ 4 bytes at 0xFFE, 1 load
	bx lr                    @ 4 with it

	.balign 4096
	.space 4096 - 6
	.thumb_func
long_one:
	ldr.w r0, [r8, #8]       @ 4 bytes at 0xFFA, 1 load
	ldr.w r2, [r8, #12]      @ 4 bytes at 0xFFE, 1 load
	bx lr                    @ 3 with it

	.balign 4096
	.space 4096 - 4
	.thumb_func
lone:	ldr r1, [r4, r5]         @ 2 bytes at 0xFFC, alone in its block, 1 load
	ldr.w r2, [r8, #4]       @ 1 load
	bx lr                    @ 3 with it

	.data
	.balign 64
words:	.word words, 1, 2, 3
