/* SPDX-License-Identifier: MIT */
/* 100 times a function that calls itself to a depth of 15, which is more than return stacks of eight entries hold. */
	.text
	.global _start
_start:
	mov x20, #100
1:	mov x0, #15
	bl f
	subs x20, x20, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93
	svc #0
	.balign 64
f:	str x30, [sp, #-16]!
	subs x0, x0, #1
	b.eq 2f
	bl f
2:	ldr x30, [sp], #16
	ret
