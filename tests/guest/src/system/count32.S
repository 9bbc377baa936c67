/* SPDX-License-Identifier: MIT */
/*
 * The same for AArch32, half of it in T32: 1 + 2 * 300,000 + 3, then 1 + 2 * 200,000 in T32, then 3 more and the end. The
 * vectors at 0xFFFF0000 are no kernel helpers here, but nothing goes there.
 */
	.syntax	unified
	.arch	armv7-a
	.global _start
	.arm
_start:
	ldr	r0, =300000		/* 1 */
1:	subs	r0, r0, #1		/* 600,000 */
	bne	1b
	adr	r1, thumb + 1		/* 2 */
	bx	r1
	.ltorg
	.thumb
	.balign 4
thumb:
	ldr	r0, =200000		/* 1 */
2:	subs	r0, #1			/* 400,000 */
	bne	2b
	movs	r0, #0x18		/* 3 */
	ldr	r1, =0x20026
	svc	0xab
	.ltorg
