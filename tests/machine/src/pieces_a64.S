/* SPDX-License-Identifier: MIT */
/* One page of RAM is at 511 virtual addresses, a GiB apart. Each reaches it, the first ones again after the last ones. */
#include "check64.inc"
	.equ TABLE, 0x40200000     /* level 1: 512 blocks of 1 GiB, all of them RAM's */
	.equ BLOCK, 0x40000701     /* AF, Inner Shareable, EL1 alone, attribute 0 */
	.equ WORD,  0x300000       /* in each block */

	/* adds 1 to WORD by each of the blocks 1 to 511 */
	.macro add_by_each
	mov x1, #1
9:	lsl x2, x1, #30
	add x2, x2, x10
	ldr x4, [x2]
	add x4, x4, #1
	str x4, [x2]
	add x1, x1, #1
	cmp x1, #512
	b.ne 9b
	.endm

	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	ldr x0, =TABLE
	msr ttbr0_el1, x0
	ldr x3, =BLOCK
	mov x1, #512
1:	str x3, [x0], #8
	sub x1, x1, #1
	cbnz x1, 1b
	mov x0, #0xFF              /* Normal, Write-Back */
	msr mair_el1, x0
	ldr x0, =0x803519          /* 4 KiB, T0SZ 25, Write-Back, Inner Shareable; no TTBR1 */
	msr tcr_el1, x0
	isb
	mrs x0, sctlr_el1
	orr x0, x0, #1
	msr sctlr_el1, x0
	isb
	ldr x10, =WORD
	add_by_each
	add_by_each
	ldr x0, =0x40300000
	ldr x5, [x0]
	check 1, x5, 1022
	mov x19, #0
	b fail

	vector_table bad
bad:	mov x19, #2
	the_end
