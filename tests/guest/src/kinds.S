/* SPDX-License-Identifier: MIT */
/*
 * Branches of each kind, a known number of each:
 *
 *            executed  taken   kind
 *   b.ne          100     99   conditional, closes the loop
 *   cbz           100      0   conditional
 *   tbz           100    100   conditional
 *   b             100    100   immediate
 *   bl            200    200   immediate with link
 *   blr           100    100   indirect with link
 *   br            100    100   indirect
 *   ret           300    300   return
 *
 * and of each turn two PRFM for data, one for instructions, and one CAS.
 */
	.arch armv8.1-a
	.global _start
	.text
leaf:	ret
_start:	mov	x19, #100
	adr	x20, leaf
	adr	x21, back
	adr	x22, word
loop:	bl	leaf
	bl	leaf
	blr	x20
	cbz	x19, out
	tbz	xzr, #3, over
	nop
over:	b	on
	nop
on:	br	x21
	nop
back:	prfm	pldl1keep, [x22]
	prfm	pstl1keep, [x22]
	prfm	plil1keep, [x22]
	mov	x1, #0
	cas	x1, x2, [x22]
	subs	x19, x19, #1
	b.ne	loop
out:	mov	x0, #0
	mov	x8, #93
	svc	#0
	.data
	.balign	16
word:	.quad	0, 0
