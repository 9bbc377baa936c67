/* SPDX-License-Identifier: MIT */
/* EL0 under HCR_EL2.TGE without a host: EL1's translation is off, whatever SCTLR_EL1.M says. DDI0487, HCR_EL2.TGE. */
#include "check64.inc"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el2, x0
	mov x9, #0x80000000        /* RW */
	orr x9, x9, #1 << 27       /* TGE */
	msr hcr_el2, x9
	ldr x0, =0x60000000
	msr ttbr0_el1, x0
	mov x0, #25
	msr tcr_el1, x0
	mrs x0, sctlr_el1
	orr x0, x0, #1
	msr sctlr_el1, x0
	isb
	adr x0, user
	msr elr_el2, x0
	msr spsr_el2, xzr
	eret
user:	ldr x3, =0x1122
	ldr x4, =word
	ldr x5, [x4]
	str x3, [x4]
	ldr x6, [x4]
	mov x2, #0xf000000000      /* nothing is there: an external abort, not a translation fault */
	mov x11, #0
	ldr x7, [x2]
	svc #0
	b .
	.balign 2048
vectors:
	entry fail
	entry fail
	entry fail
	entry fail
	entry fail
	entry fail
	entry fail
	entry fail
	entry lower
	entry fail
	entry fail
	entry fail
lower:	mrs x12, esr_el2
	lsr x13, x12, #26
	cmp x13, #0x15
	b.eq done
	mov x11, x12
	mrs x14, elr_el2
	add x14, x14, #4
	msr elr_el2, x14
	eret
done:	check 1, x5, 0x5566
	check 2, x6, 0x1122
	and x11, x11, #0x3f
	check 3, x11, 0x10
	mov x19, #0
	the_end
	.data
	.balign 16
word:	.quad 0x5566
