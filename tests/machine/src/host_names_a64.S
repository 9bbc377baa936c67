/* SPDX-License-Identifier: MIT */
/* A host at EL2 (HCR_EL2.E2H) reaches EL2's registers by the names of EL1's, and EL1's by names that end in 12, which are
 * Undefined without E2H. What it writes has its effect at once. */
#include "check64.inc"
	.arch armv8.3-a+fp
	.equ RW_TGE_E2H, 0x488000000
	.equ RW, 0x80000000
	.equ SCTLR_1, 0x30D00800
	.equ SCTLR_2, 0x30C50830
	.equ ENIA, 0x80000000

	/* EL12's name gets `one`, EL1's name `two`; then EL2's name reads `two` and EL12's `one` */
	.macro pair n, crn, crm, op2, one, two, el2=default
	ldr x0, =\one
	msr s3_5_c\crn\()_c\crm\()_\op2, x0
	ldr x1, =\two
	msr s3_0_c\crn\()_c\crm\()_\op2, x1
	.ifc \el2, default
	mrs x2, s3_4_c\crn\()_c\crm\()_\op2
	.else
	mrs x2, \el2
	.endif
	mrs x3, s3_0_c\crn\()_c\crm\()_\op2
	mrs x4, s3_5_c\crn\()_c\crm\()_\op2
	check \n, x2, \two
	check \n, x3, \two
	check \n, x4, \one
	.endm

	.global _start
_start:
	mov x9, #0                 /* Undefined instructions */
	adr x0, vectors
	msr vbar_el2, x0
	mrs x0, s3_5_c12_c0_0
	check 1, x9, 1
	ldr x0, =RW_TGE_E2H
	msr hcr_el2, x0
	isb
	pair 2, 1, 0, 0, SCTLR_1, SCTLR_2
	pair 3, 1, 0, 2, 0x100000, 0x300000, cptr_el2
	pair 4, 2, 0, 0, 0x1000, 0x2000
	pair 5, 2, 0, 1, 0x3000, 0x4000
	pair 6, 2, 0, 2, 0x19, 0x803519
	pair 7, 4, 0, 0, 0x3C4, 0x3C5
	pair 8, 4, 0, 1, 0x1234, 0x5678
	pair 9, 5, 2, 0, 0x56000001, 0x56000002
	pair 10, 6, 0, 0, 0x123456789, 0x987654321
	pair 11, 10, 2, 0, 0xFF, 0x44
	pair 12, 13, 0, 1, 5, 6
	pair 13, 12, 0, 0, 0x40000000, vectors
	check 14, x9, 1
	fmov d0, x9                /* CPACR_EL1 is CPTR_EL2 here, and permits it */
	fmov x0, d0
	check 15, x0, 1
#ifdef PAUTH
	mov x0, #1                 /* a key whose every bit is set for one of the words */
	msr s3_0_c2_c1_0, x0
	msr s3_0_c2_c1_1, x0
	ldr x5, =0x12345678
	mov x6, x5
	pacia x6, x0               /* EnIA is clear */
	check 16, x6, 0x12345678
	ldr x1, =SCTLR_2 | ENIA
	msr sctlr_el1, x1
	isb
	pacia x6, x0
	cmp x6, x5
	cset x7, eq
	check 17, x7, 0
	ldr x1, =SCTLR_2
	msr sctlr_el1, x1
	isb
	mov x6, x5
	pacia x6, x0
	check 18, x6, 0x12345678
	check 19, x9, 1
#endif
	ldr x0, =RW                /* no host: the names are EL1's own */
	msr hcr_el2, x0
	isb
	mrs x2, vbar_el1
	check 20, x2, 0x40000000
	mrs x2, far_el1
	check 21, x2, 0x123456789
	mrs x2, s3_5_c6_c0_0
	check 22, x9, 2
	mov x19, #0
	b fail

	vector_table undefined
	.balign 128
undefined:
	add x9, x9, #1
	mrs x10, elr_el2
	add x10, x10, #4
	msr elr_el2, x10
	eret
	the_end
