/* SPDX-License-Identifier: MIT */
/* LDTR and STTR fault for want of EL0's rights where LDR does not. With PSTATE.PAN (PAN) they reach EL0's memory, and LDR does
 * not. */
#include "check64.inc"
#ifdef PAN
	.arch armv8.1-a+pan
#endif
	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	ldr x0, =table
	ldr x2, =0x40000401        /* a block of EL1's, accessed */
	str x2, [x0, #8]
	ldr x2, =0x40000441        /* the same memory 1 GiB higher, EL0's */
	str x2, [x0, #16]
	msr ttbr0_el1, x0
	ldr x0, =25 | 1 << 23
	msr tcr_el1, x0
	mov x0, #0xff
	msr mair_el1, x0
	isb
	mrs x0, sctlr_el1
	orr x0, x0, #1
	msr sctlr_el1, x0
	isb
	ldr x4, =word
	mov x11, #0
	ldtr x5, [x4]
	check 1, x11, 0x9600000d
	mov x11, #0
	sttr x5, [x4]
	check 2, x11, 0x9600004d
	mov x11, #0
	ldr x5, [x4]
	check 3, x11, 0
#ifdef PAN
	msr pan, #1
	mov x6, #0x40000000
	add x6, x6, x4
	mov x7, #0x77
	sttr x7, [x6]              /* the first access to that address */
	check 4, x11, 0
	ldr x5, [x4]
	check 5, x5, 0x77
	ldr x5, [x6]
	check 6, x11, 0x9600000d
#endif
	mov x19, #0
	b fail
	.balign 2048
vectors:
	entry fail
	entry fail
	entry fail
	entry fail
	entry here
	entry fail
	entry fail
	entry fail
	.balign 128
here:	mrs x11, esr_el1
	mrs x12, elr_el1
	add x12, x12, #4
	msr elr_el1, x12
	eret
	the_end
	.data
	.balign 4096
table:	.fill 512, 8, 0
word:	.quad 0x5566
