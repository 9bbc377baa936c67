/* SPDX-License-Identifier: MIT */
/* 80,000 blocks of code that run once each: QEMU translates every one, and has to drop its translations now and then. */
	.global	_start
_start:
	.rept	80000
	ldr	x1, [sp]
	ldr	x2, [sp, #16]
	add	x1, x1, x2
	str	x1, [sp, #-16]
	b	1f
1:
	.endr
	mov	x0, #0
	mov	x8, #93
	svc	#0
