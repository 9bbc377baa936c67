/* SPDX-License-Identifier: MIT */
/* Walks SIZE bytes a line at a time, ROUNDS times, loads only. */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r3, #ROUNDS          @ 1
1:	ldr r0, =data            @ a load a round, from `pool`
	mov r1, #SIZE / 32       @ 1
2:	ldr r2, [r0], #32        @ SIZE / 32 a round
	subs r1, r1, #1
	bne 2b
	subs r3, r3, #1
	bne 1b
	mov r0, #0
	leave
pool:	.ltorg

	.bss
	.balign 65536
data:	.space SIZE
