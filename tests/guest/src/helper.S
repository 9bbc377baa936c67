/* SPDX-License-Identifier: MIT */
/* 100 calls of the kernel's helper at 0xFFFF0FE0 (get_tls), one of those that Linux maps for every program. */
#include "exit.inc"
	.syntax unified
	.arm
	.globl _start
_start:
	mov r4, #100             @ 1
	ldr r5, =0xFFFF0FE0      @ 1
1:	mov lr, pc               @ 100 times: five, and the helper's one
	mov pc, r5
	nop
	subs r4, r4, #1
	bne 1b
	mov r0, #0               @ 1
	leave                    @ 2
