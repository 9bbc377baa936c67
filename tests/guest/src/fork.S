/* SPDX-License-Identifier: MIT */
/* The child runs a loop of 5000 and leaves with 3; the parent waits and leaves with 4. */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r7, #2               @ 1  fork
	svc #0                   @ 1
	cmp r0, #0               @ 1, in both
	beq child                @ 1, in both
	mvn r0, #0               @ parent: 1
	mov r1, #0               @ 1
	mov r2, #0               @ 1
	mov r3, #0               @ 1
	mov r7, #114             @ 1  wait4
	svc #0                   @ 1
	mov r0, #4               @ 1
	leave                    @ 2
child:	ldr r1, =5000            @ 1
1:	subs r1, r1, #1          @ 10000
	bne 1b
	mov r0, #3               @ 1
	leave                    @ 2
