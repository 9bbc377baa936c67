/* SPDX-License-Identifier: MIT */
/* EL2 takes an exception of AArch32 at EL0 (HCR_EL2.TGE) at the vector of a lower level in AArch64, because EL1 is, and its
 * host's EL0 (with VHE: E2H, TGE) at that of AArch32. DDI0487, AArch64.TakeException(). Exit status: the number of the first check
 * that fails. */
#include "check64.inc"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el2, x0
	mov x9, #0x80000000        /* RW */
	orr x9, x9, #1 << 27       /* TGE */
#ifdef VHE
	orr x9, x9, #1 << 34       /* E2H */
#endif
	msr hcr_el2, x9
	isb
	adr x0, user
	msr elr_el2, x0
	mov x0, #0x1d0             /* User mode */
	msr spsr_el2, x0
	mov x10, #0
	eret
user:	.inst 0xef000000           /* A32: svc #0 */
	.inst 0xeafffffe

came:	mrs x0, esr_el2
	check 1, x0, 0x46000000
#ifdef VHE
	check 2, x10, 6
#else
	check 2, x10, 4
#endif
	mov x19, #0
	the_end

	.balign 2048
vectors:
	.rept 8
	.balign 128
	b .
	.endr
	.balign 128
	mov x10, #4
	b came
	.rept 3
	.balign 128
	b .
	.endr
	.balign 128
	mov x10, #6
	b came
	.rept 3
	.balign 128
	b .
	.endr
