/* SPDX-License-Identifier: MIT */
/* Software step of EL0 (DDI0487 D2.12): one instruction, then an exception of class 0x32 with ISV set, whether the
 * emulator executes the instruction or the machine does (PMCCNTR_EL0). Then a fetch from where nothing is. Exit
 * status: the number of the first check that fails. */
#include "check64.inc"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	msr oslar_el1, xzr
	mov x0, #1
	msr pmuserenr_el0, x0
	msr mdscr_el1, x0          /* SS */
	adr x0, user
	msr elr_el1, x0
	mov x0, #0x200000          /* SPSR.SS, EL0 */
	msr spsr_el1, x0
	mov x21, #0                /* steps */
	adr x22, user              /* where the next one ends, less 4 */
	ldr x23, =0xCB000022       /* class 0x32, IL, ISV, IFSC 0x22 */
	isb
	eret
user:	mov x9, #1
	mrs x10, pmccntr_el0
	add x9, x9, #1
	ldxr w11, [x22]
	svc #5
stepped:
	mrs x0, esr_el1
	bic x1, x0, #0x40          /* EX, of an exclusive load */
	mov x19, #1
	cmp x1, x23
	b.ne fail
	add x22, x22, #4
	mrs x1, elr_el1
	mov x19, #2
	cmp x1, x22
	b.ne fail
	mrs x2, spsr_el1
	mov x19, #3
	tbnz x2, #21, fail
	add x21, x21, #1
	ubfx x0, x0, #6, #1
	cmp x21, #4
	cset x1, eq
	mov x19, #4
	cmp x0, x1
	b.ne fail
	orr x2, x2, #0x200000
	msr spsr_el1, x2
	eret
lower:	mrs x0, esr_el1
	lsr x1, x0, #26
	cmp x1, #0x32
	b.eq stepped
	check 5, x0, 0x56000005    /* SVC ends the user part: four steps */
	check 6, x21, 4
	check 7, x9, 2
	msr mdscr_el1, xzr
	mov x1, #0x20000000        /* nothing is there */
	adr x2, aborts
	msr vbar_el1, x2
	br x1
fetched:
	mrs x0, esr_el1
	check 8, x0, 0x86000010   /* instruction abort, same level, synchronous external */
	mrs x0, far_el1
	check 9, x0, 0x20000000
	mrs x0, elr_el1
	check 10, x0, 0x20000000
	mov x19, #0
	the_end
	.balign 2048
vectors:
	.rept 8
	entry other
	.endr
	entry lower
	.rept 7
	entry other
	.endr
	.balign 2048
aborts:
	.rept 4
	entry other
	.endr
	entry fetched
	.rept 11
	entry other
	.endr
other:	mov x19, #99
	b fail
