/* SPDX-License-Identifier: MIT */
/* 1000 rounds of: one branch taken each time, one never, one every other time, the loop's own. */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r0, #1000            @ 1
1:	cmp r0, #0               @ never equal here
	bne 2f                   @ taken 1000 times
	udf #0
2:	cmp r0, #0
	beq 4f                   @ taken 0 times
	tst r0, #1
	beq 3f                   @ taken 500 times; when not, the nop runs
	nop
3:	subs r0, r0, #1
	bne 1b                   @ taken 999 times
4:	mov r0, #0               @ 1
	leave                    @ 2
