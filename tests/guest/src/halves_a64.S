/* SPDX-License-Identifier: MIT */
/* 1000 times: a load of a vector of 128 bits at OFFSET of a page, and a pair of them. */
	.text
	.global _start
_start:
	adrp x1, page
	mov x2, #1000
1:	ldur q0, [x1, #OFFSET]
	add x3, x1, #OFFSET
	stp q0, q1, [x3]
	subs x2, x2, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93
	svc #0
	.bss
	.balign 4096
page:	.skip 4096
