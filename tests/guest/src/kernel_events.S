/* SPDX-License-Identifier: MIT */
/* What operating systems execute, ten times each, at EL1: SVC, UDF, writes of CONTEXTIDR_EL1 and both TTBRs; then ten ERETs. If LEVELS, begins
 * at EL2 and executes at EL1, ten times each: HVC, an access that EL2 traps, UDF. */
	.global _start
	.macro finish
	mov w0, #0x18
	adr x1, block
	hlt #0xF000
	.endm
	.macro handler elr, esr, call /* goes on behind the instruction; ELR of a call is there already */
	mrs x6, \esr
	lsr x6, x6, #26
	cmp x6, \call
	b.eq 9f
	mrs x6, \elr
	add x6, x6, #4
	msr \elr, x6
9:	eret
	.endm

_start:	adr x0, vectors
	msr vbar_el1, x0
	mov x10, #10
#ifdef LEVELS
	adr x0, vectors2
	msr vbar_el2, x0
	mov x0, #1 << 31 /* RW */
	msr hcr_el2, x0
	mov x0, #6 | 1 << 6 /* HPMN, TPM */
	msr mdcr_el2, x0
	mov x0, #0x3C5
	msr spsr_el2, x0
	adr x0, 1f
	msr elr_el2, x0
	eret
1:	hvc #1
	mrs x1, pmcr_el0
	udf #0
	subs x10, x10, #1
	b.ne 1b
	finish
#endif
1:	svc #1
	udf #0
	msr contextidr_el1, x10
	mrs x9, contextidr_el1
	msr ttbr0_el1, xzr
	msr ttbr1_el1, xzr
	subs x10, x10, #1
	b.ne 1b
	mov x10, #10
2:	adr x2, 3f
	msr elr_el1, x2
	mov x2, #0x3C5
	msr spsr_el1, x2
	eret
3:	subs x10, x10, #1
	b.ne 2b
	finish
	.balign 16
block:	.quad 0x20026, 0

	.balign 2048
vectors: .space 0x200
	handler elr_el1, esr_el1, #0x15
	.balign 2048
vectors2: .space 0x400
	handler elr_el2, esr_el2, #0x16
