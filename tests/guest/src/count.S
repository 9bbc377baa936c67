/* SPDX-License-Identifier: MIT */
/* Instructions and branches of straight code, a loop, failed conditions, a call, a computed jump. */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r0, #1000            @ 1
1:	subs r0, r0, #1          @ 1000 times: this and the next
	bne 1b                   @ 1000 branches, 999 taken
	cmp r0, #1               @ 1
	addeq r1, r1, #1         @ 1, fails
	moveq r2, #0             @ 1, fails
	mov r4, #50              @ 1
2:	bl leaf                  @ 50 times: bl, leaf's two, subs, bne
	subs r4, r4, #1
	bne 2b                   @ 50 branches, 49 taken
	adr r3, 3f               @ 1
	mov pc, r3               @ 1, a branch to a register
	udf #0                   @ not reached
3:	mov r0, #7               @ 1
	leave                    @ 2

leaf:	add r1, r1, #1
	bx lr
