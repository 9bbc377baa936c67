/* SPDX-License-Identifier: MIT */
/* Accesses of code that has run before anything was counted are counted like any other. */
#include "check64.inc"
	.global _start
_start:
	ldr x0, =0x08000013        /* MEM_ACCESS, at EL2 too */
	msr pmevtyper0_el0, x0
	ldr x5, =0x40100000
	mov x6, #3
	adr x30, 1f
	b loop
1:	mov x0, #1
	msr pmcntenset_el0, x0
	mov x0, #0x41
	msr pmcr_el0, x0
	mov x6, #20
	adr x30, 2f
	b loop
2:	mrs x1, pmevcntr0_el0
	check 1, x1, 60
	mov x19, #0
	b fail
loop:	ldr x4, [x5]
	ldr x4, [x5, #64]
	str x4, [x5, #128]
	subs x6, x6, #1
	b.ne loop
	br x30
	the_end
