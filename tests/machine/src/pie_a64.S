/* SPDX-License-Identifier: MIT */
/* A program that runs wherever it was put: exit status 0 if that is the start of virt's RAM, its data beside it. */
	.global _start
_start:
	adr x2, _start
	lsr x2, x2, #20
	sub x19, x2, #0x400
	adrp x1, block
	add x1, x1, :lo12:block
	str x19, [x1, #8]
	mov x0, #0x20
	hlt #0xf000
	b .
	.data
	.balign 16
block:	.quad 0x20026, 0
