/* SPDX-License-Identifier: MIT */
/* A signal that a system call in an IT block sends: its handler, which is in A32, returns into the block. Exit
 * status: 0, or the check that failed. */
	.syntax unified
	.thumb
	.global _start
	.thumb_func
_start:	movs r0, #10           @ SIGUSR1
	ldr r1, =action
	movs r2, #0
	movs r3, #8
	movs r7, #174          @ rt_sigaction
	svc #0
	movs r7, #20           @ getpid
	svc #0
	movs r1, #10
	movs r7, #37           @ kill
	movs r4, #0
	movs r5, #0
	movs r6, #0
	cmp r4, #1
	itete ne
	svcne #0
	moveq r6, #1           @ not executed
	addne r5, r5, #1
	moveq r6, #2
	add r5, r5, #2
	movs r7, #1
	movs r0, #1
	cmp r6, #0
	bne 1f
	movs r0, #2
	cmp r5, #3
	bne 1f
	ldr r1, =calls
	ldr r1, [r1]
	movs r0, #3
	cmp r1, #1
	bne 1f
	movs r0, #0
1:	svc #0
	b .
	.ltorg
	.arm
handler:
	ldr r1, =calls
	ldr r2, [r1]
	cmp r2, #9             @ other flags
	add r2, r2, #1
	str r2, [r1]
	bx lr
	.ltorg
back:	mov r7, #119           @ sigreturn
	svc #0
	.data
	.balign 4
action:	.word handler, 0x04000000, back, 0, 0
calls:	.word 0
