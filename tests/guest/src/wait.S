/* SPDX-License-Identifier: MIT */
/* Says "ready", then waits for a signal that ends it. */
	.syntax unified
	.arm
	.globl _start
_start:
	mov r0, #1
	ldr r1, =text
	mov r2, #6
	mov r7, #4               @ write
	svc #0
1:	mov r7, #29              @ pause
	svc #0
	b 1b
text:	.ascii "ready\n"
