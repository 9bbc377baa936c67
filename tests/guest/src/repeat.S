/* SPDX-License-Identifier: MIT */
/* INSN 10,000 times; x1 is OFFSET bytes beyond a line's begin. */
	.global _start
_start:	adrp x1, buffer
	add x1, x1, :lo12:buffer
	add x1, x1, #OFFSET
	mov x2, #10000
1:	INSN
	subs x2, x2, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93
	svc 0
	.data
	.balign 64
buffer:	.space 4096
