/* SPDX-License-Identifier: MIT */
/*
 * Writes a function anew and calls it, 300,000 times, each time one of 256: QEMU translates it each time, and has to
 * drop its translations now and then. The sum of what the functions return must come out right too.
 */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r0, #0               @ 1
	mov r1, #4096            @ 1
	mov r2, #7               @ 1
	mov r3, #0x22            @ 1
	mvn r4, #0               @ 1
	mov r5, #0               @ 1
	mov r7, #192             @ 1  mmap2
	svc #0                   @ 1
	mov r8, r0               @ 1
	ldr r9, =0xE3A00000      @ 1  mov r0, #0
	ldr r10, =0xE12FFF1E     @ 1  bx lr
	ldr r6, =300000          @ 1
	mov r11, #0              @ 1
1:	and r3, r6, #255         @ 300,000 times: 13, and two of the function
	orr r3, r9, r3
	str r3, [r8]
	str r10, [r8, #4]
	mov r0, r8
	add r1, r8, #8
	mov r2, #0
	ldr r7, =0xF0002         @ cacheflush
	svc #0
	mov lr, pc
	mov pc, r8
	add r11, r11, r0
	subs r6, r6, #1
	bne 1b                   @ (that makes 14)
	ldr r3, =38246640        @ 1  the sum of n & 255 for n from 1 to 300,000
	subs r0, r11, r3         @ 1
	movne r0, #1             @ 1
	leave                    @ 2
