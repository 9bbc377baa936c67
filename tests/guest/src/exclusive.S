/* SPDX-License-Identifier: MIT */
/* 200 LDREX and STREX pairs: each is one load and one store, though QEMU reads again when it stores. */
#include "exit.inc"
	.syntax unified
	.cpu arm1136j-s
	.arm
	.globl _start
_start:
	ldr r0, =word            @ 1 load
	mov r4, #200
1:	ldrex r1, [r0]
	add r1, r1, #1
	strex r2, r1, [r0]
	subs r4, r4, #1
	bne 1b
	swp r1, r4, [r0]         @ reads and writes
	mov r0, #0
	leave
	.bss
	.balign 8
word:	.space 8
