/* SPDX-License-Identifier: MIT */
/*
 * 100 handled SIGILLs: MOVW is undefined before Armv6T2. QEMU ends the block there; the instruction is not executed. The
 * handler steps over it.
 */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r0, #4               @ 1  SIGILL
	ldr r1, =action          @ 1
	mov r2, #0               @ 1
	mov r3, #8               @ 1
	mov r7, #174             @ 1  rt_sigaction
	svc #0                   @ 1
	mov r6, #100             @ 1
1:	add r4, r4, #1           @ 100 times: one, MOVW, one, two to loop
	.inst 0xE3005000         @ movw r5, #0
	add r4, r4, #2
	subs r6, r6, #1
	bne 1b
	mov r0, #0               @ 1
	leave                    @ 2

handler:                         @ 100 times: four, and two to return
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
