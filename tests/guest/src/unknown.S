/* SPDX-License-Identifier: MIT */
/* A word that no row knows, in the middle of a block. QEMU finds it undefined too: SIGILL. */
	.syntax unified
	.arm
	.globl _start
_start:
	mov r0, #1
	mov r1, #2
	.inst 0xF9000000
	mov r2, #3
