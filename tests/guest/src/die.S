/* SPDX-License-Identifier: MIT */
/* Runs a loop of 2000, then dies of the signal SIGNAL that it sends to itself. */
	.syntax unified
	.arm
	.globl _start
_start:
	ldr r1, =2000            @ 1
1:	subs r1, r1, #1          @ 4000
	bne 1b
	mov r7, #20              @ 1  getpid
	svc #0                   @ 1
	mov r1, #SIGNAL          @ 1
	mov r7, #37              @ 1  kill
	svc #0                   @ 1
	udf #0
