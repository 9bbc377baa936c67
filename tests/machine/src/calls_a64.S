/* SPDX-License-Identifier: MIT */
/* Exit status: 100 and the cycles, modulo 128, of two calls that the level itself takes. CALL: svc, hvc at EL2,
 * smc at EL3. */
#include "check64.inc"
	.global _start
_start:
	adr x1, vectors
	msr vbar_el2, x1
	mrs x0, CurrentEL
	cmp x0, #12
	b.ne 1f
	msr vbar_el3, x1
1:	mov x0, #0x80000000
	msr pmcntenset_el0, x0
	mov x0, #1 << 27           /* NSH: count at EL2; EL3 counts as Secure EL1 does */
	msr pmccfiltr_el0, x0
	mov x0, #0x41
	msr pmcr_el0, x0
	isb
	mov x10, #3                /* the last turn is the one that is told */
again:	mrs x1, pmccntr_el0
	CALL #0
	mrs x2, pmccntr_el0
	CALL #0
	mrs x3, pmccntr_el0
	subs x10, x10, #1
	b.ne again
	sub x19, x3, x1
	and x19, x19, #127
	add x19, x19, #100
	b fail
	.balign 2048
vectors:
	.rept 16
	.balign 128
	eret
	.endr
	the_end
