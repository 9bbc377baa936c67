/* SPDX-License-Identifier: MIT */
/* Copies standard input to standard output, a byte at a time; leaves with the number of bytes. */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r6, #0               @ 1
1:	mov r0, #0               @ for each byte, and once for the end: 5
	ldr r1, =byte
	mov r2, #1
	mov r7, #3               @ read
	svc #0
	cmp r0, #1               @ and 2
	bne 2f
	mov r0, #1               @ for each byte: 5
	mov r7, #4               @ write
	svc #0
	add r6, r6, #1
	b 1b
2:	mov r0, r6               @ 1
	leave                    @ 2
	.bss
byte:	.space 4
