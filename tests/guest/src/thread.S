/* SPDX-License-Identifier: MIT */
/*
 * A second thread runs a loop of 3000 and ends itself; the first ends itself at once. Nobody waits for anybody, so both
 * counts are exact; and both leave with 5, for the last one's status is the process's.
 */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	ldr r0, =0x00050F00      @ 1  VM FS FILES SIGHAND THREAD SYSVSEM
	ldr r1, =stack_end       @ 1
	mov r2, #0               @ 1
	mov r3, #0               @ 1
	mov r4, #0               @ 1
	mov r7, #120             @ 1  clone
	svc #0                   @ 1
	cmp r0, #0               @ 1, in both
	beq child                @ 1, in both
	mov r0, #5               @ first thread: 1
	leave                    @ 2
child:	ldr r1, =3000            @ 1
1:	subs r1, r1, #1          @ 6000
	bne 1b
	mov r0, #5               @ 1
	leave                    @ 2

	.bss
	.balign 8
stack:	.space 4096
stack_end:
