/* SPDX-License-Identifier: MIT */
/* A64: one SVE load or store, FORM, a hundred times; nothing else in it reads or writes memory. */
	.arch armv8.2-a+sve2
	.global _start
	.text
_start:	mov	x19, #100
	adrp	x20, buffer
	add	x20, x20, :lo12:buffer
	mov	x21, #0
	ptrue	p0.s
	ptrue	p1.d
	index	z20.s, #0, #1		/* offsets */
	index	z21.d, #0, #1
	index	z22.d, x20, #8		/* addresses */
loop:	FORM
	subs	x19, x19, #1
	b.ne	loop
	mov	x0, #0
	mov	x8, #93
	svc	#0
	.bss
	.balign	256
buffer:	.skip	4096
