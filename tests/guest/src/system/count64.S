/* SPDX-License-Identifier: MIT */
/*
 * A bare-metal AArch64 program for QEMU's virt board: 1 + 2 * 1,000,000 instructions, then faults: 1,000 loads that the
 * first-level table does not map, each skipped by its handler; then the end by semihosting with status 5.
 *
 * Instructions (HANDLED = 1000): see the comments; the load that aborts does not retire.
 */
#define HANDLED 1000
	.global _start
_start:
	ldr	x0, =1000000		/* 1 */
1:	subs	x0, x0, #1		/* 2,000,000 */
	b.ne	1b
	adr	x1, vectors		/* 9: to the loop */
	msr	vbar_el1, x1
	mov	x2, #0xE00000000000	/* no address of the board: beyond the physical ones */
	movz	x3, #HANDLED
	mov	x4, #0
	mov	x5, #0
	nop
	nop
	isb
2:	add	x4, x4, #1		/* 5 * HANDLED, without the load that aborts */
	ldr	x6, [x2]
	add	x5, x5, #1
	add	x5, x5, #1
	subs	x3, x3, #1
	b.ne	2b
	mov	x0, #0x18		/* 3 */
	adr	x1, status
	hlt	#0xf000
	.balign 8
status:	.quad	0x20026, 5

	.balign 2048
vectors:
	.skip	0x200
	mrs	x7, elr_el1		/* 4 * HANDLED: synchronous, from the current level with its own stack pointer */
	add	x7, x7, #4
	msr	elr_el1, x7
	eret
