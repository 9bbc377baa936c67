/* SPDX-License-Identifier: MIT */
/* 1000 times three additions, each of the result of the one before. */
	.syntax unified
	.arch armv7-a
	.fpu neon
	.arm
	.text
	.global _start
_start:
	mov r4, #1000
1:	vadd.f64 D, D, d1
	vadd.f64 D, D, d1
	vadd.f64 D, D, d1
	subs r4, r4, #1
	bne 1b
	mov r0, #0
	mov r7, #1
	svc #0
