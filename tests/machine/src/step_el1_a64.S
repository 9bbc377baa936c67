/* SPDX-License-Identifier: MIT */
/* Software step of EL1 itself (DDI0487 D2.12): with MDSCR_EL1.KDE set and PSTATE.D clear each instruction behind an ERET with
 * SPSR.SS set is followed by an exception of class 0x33, whether the emulator executes it or the machine does; with KDE or SS
 * clear, or PSTATE.D set, there is none. Exit status: the number of the first check that fails. */
#include "check64.inc"
	.macro go spsr             /* to `code` at EL1 */
	adr x0, code
	msr elr_el1, x0
	ldr x0, =\spsr
	msr spsr_el1, x0
	eret
	.endm
	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	msr oslar_el1, xzr
	mov x0, #0x2001            /* KDE, SS */
	msr mdscr_el1, x0
	isb
	mov x21, #0
	adr x22, code
	ldr x23, =0xCF000022       /* class 0x33, IL, ISV, IFSC 0x22 */
	mov x9, #0
	mov x24, #0                /* the first round steps */
	go 0x2001C5                /* SS, EL1h, D clear */
code:	mov x9, #1
	mrs x10, pmcr_el0
	add x9, x9, #1
	ldxr w11, [x22]
	svc #5                     /* not stepped over: its handler runs with D set */
stepped:
	mrs x0, esr_el1
	bic x1, x0, #0x40          /* EX, of an exclusive load */
	mov x19, #1
	cmp x1, x23
	b.ne fail
	mov x19, #2
	cbnz x24, fail
	add x22, x22, #4
	mrs x1, elr_el1
	mov x19, #3
	cmp x1, x22
	b.ne fail
	mrs x2, spsr_el1
	mov x19, #4
	tbnz x2, #21, fail
	add x21, x21, #1
	orr x2, x2, #0x200000
	msr spsr_el1, x2
	eret
same:	mrs x0, esr_el1
	lsr x1, x0, #26
	cmp x1, #0x33
	b.eq stepped
	check 5, x0, 0x56000005
	add x24, x24, #1
	cmp x24, #1
	b.ne 1f
	check 6, x21, 4
	check 7, x9, 2
	ldr x0, =0x2003C5          /* SS, but D set */
	b 3f
1:	cmp x24, #2
	b.ne 2f
	mov x0, #1                 /* SS without KDE */
	msr mdscr_el1, x0
	isb
	ldr x0, =0x2001C5
	b 3f
2:	check 8, x21, 4
	mov x19, #0
	b fail
3:	adr x1, code
	msr elr_el1, x1
	msr spsr_el1, x0
	eret
	the_end
	.balign 2048
vectors:
	.rept 4
	entry other
	.endr
	entry same
	.rept 11
	entry other
	.endr
other:	mov x19, #99
	b fail
