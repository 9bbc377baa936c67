/* SPDX-License-Identifier: MIT */
/*
 * 1000 handled SIGSEGVs. Each comes in the middle of a block, whose rest must not be counted before the handler, and
 * the handler steps over the load that faulted.
 */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r0, #11              @ 1  SIGSEGV
	ldr r1, =action          @ 1
	mov r2, #0               @ 1
	mov r3, #8               @ 1
	mov r7, #174             @ 1  rt_sigaction
	svc #0                   @ 1
	mov r5, #0               @ 1
	mov r6, #1000            @ 1
	ldr r9, =word            @ 1
1:	add r4, r4, #1           @ 1000 times: two, the fault, four of the rest, two to loop
	ldr r8, [r9]
	ldr r3, [r5]             @ faults: not executed
	add r4, r4, #2
	str r4, [r9]
	add r4, r4, #3
	ldr r8, [r9]
	subs r6, r6, #1
	bne 1b
	mov r0, #0               @ 1
	leave                    @ 2

handler:                         @ 1000 times: four, and two to return
	ldr r3, [r2, #92]        @ the saved pc of struct ucontext
	add r3, r3, #4
	str r3, [r2, #92]
	bx lr
restore:
	mov r7, #173             @ rt_sigreturn
	svc #0

	.data
	.balign 8
action:	.word handler, 0x04000004, restore, 0, 0 @ SA_RESTORER | SA_SIGINFO
word:	.word 0
