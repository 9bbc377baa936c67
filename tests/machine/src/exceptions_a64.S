/* SPDX-License-Identifier: MIT */
/* AArch64: exactness with one cycle an instruction, exceptions from EL1 and EL0 with their syndromes, pages that are
 * not where their addresses say, identification. Exit status: the number of the first check that fails. */
#include "check64.inc"
	.macro to_el0 where
	adr x0, \where
	msr elr_el1, x0
	msr spsr_el1, xzr
	eret
	.endm
	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	ldr x0, =0x40200000
	mov sp, x0

	mrs x0, id_aa64dfr0_el1
	ubfx x0, x0, #8, #4
	cbz x0, fail

	/* what a window counts */
	mov x0, #0x80000000
	msr pmcntenset_el0, x0
	mov x1, #0
	msr pmccfiltr_el0, x1
	mov x0, #0x45              /* E, C, LC */
	msr pmcr_el0, x0
	isb
	nop
	msr pmcr_el0, x1
	mrs x2, pmccntr_el0
	check 1, x2, 3
	msr pmcr_el0, x0
	mrs x2, pmccntr_el0
	mrs x3, pmccntr_el0
	msr pmcr_el0, x1
	check 2, x2, 0
	check 3, x3, 1

	/* exceptions at EL1: x10 vector, x11 ELR, x12 ESR, x13 FAR, x14 SPSR */
a:	svc #0x123
	check 4, x10, 0x200
	adr x0, a + 4
	cmp x11, x0
	mov x19, #5
	b.ne fail
	check 6, x12, 0x56000123
b:	.word 0x00000000           /* udf #0 */
	check 7, x12, 0x02000000
	adr x0, b
	cmp x11, x0
	mov x19, #8
	b.ne fail
c:	brk #9
	check 9, x12, 0xf2000009
	mrs x0, cpacr_el1
	msr cpacr_el1, xzr         /* floating point is trapped, at EL1 too */
	isb
d:	fmov d0, #1.0
	msr cpacr_el1, x0
	isb
	check 30, x12, 0x1fe00000  /* class 7 */
	adr x0, d
	cmp x11, x0
	mov x19, #31
	b.ne fail
	ldr x1, =0x60000010
	str x1, [x1]               /* nothing is there: synchronous external abort, a write */
	check 10, x12, 0x96000050
	check 11, x13, 0x60000010

	/* EL0: PMU access denied, then a supervisor call, registers and stack kept */
	mov x21, #0x77
	ldr x0, =0x40300000
	msr sp_el0, x0
	mov x22, sp
	to_el0 user
user:	mrs x5, pmccntr_el0        /* EL1 trap: op0 3, op1 3, CRn 9, CRm 13, op2 0, Rt 5, read */
	mov x23, x12
	mov x24, x10
	add x21, x21, #1
	mov x25, sp
	mrs x5, daif               /* trapped while SCTLR_EL1.UMA is 0 */
	mov x26, x12
	fmov d3, #2.0
	svc #5
	check 32, x26, 0x6232d0a5
	check 12, x10, 0x400
	check 13, x12, 0x56000005
	check 14, x24, 0x400
	check 15, x23, 0x6230e4bb
	check 16, x21, 0x78
	check 17, x25, 0x40300000
	fmov x0, d3
	check 18, x0, 0x4000000000000000
	mov x0, #99
	svc #99                    /* the handler stays at EL1 */
	mrs x0, CurrentEL
	check 19, x0, 4
	mov x0, sp
	cmp x0, x22
	mov x19, #20
	b.ne fail

	/* MMU: 4 KiB granule, 39 bits. 1 GiB blocks; 0x40000000 also stands at 0x1000000000 */
	ldr x0, =table
	ldr x1, =0x40000701        /* block, AF, SH inner, EL1 only */
	str x1, [x0, #8]
	ldr x1, =0x40000781        /* ... read-only */
	str x1, [x0, #512]
	mov x1, #0xff
	msr mair_el1, x1
	ldr x1, =0x803519          /* T0SZ 25, no TTBR1 walks, inner and outer write-back, shareable */
	msr tcr_el1, x1
	msr ttbr0_el1, x0
	dsb sy
	isb
	mrs x1, sctlr_el1
	orr x1, x1, #1
	msr sctlr_el1, x1
	isb
	ldr x2, =0x1000000000
	ldr x0, =_start - 0x40000000
	ldr w1, [x2, x0]
	ldr w3, _start
	cmp w1, w3
	mov x19, #21
	b.ne fail
	add x2, x2, x0
	str w1, [x2, #4]
	check 22, x12, 0x9600004d  /* permission, level 1, a write */
	ldr x0, =0x1000000004 + _start - 0x40000000
	cmp x13, x0
	mov x19, #23
	b.ne fail
	ldr x2, =0x80000000
	ldr w1, [x2, #8]
	check 24, x12, 0x96000005  /* translation, level 1 */
	check 25, x13, 0x80000008
	mov x19, #0
	the_end

	.balign 2048
vectors:
	.rept 4
	.balign 128
	b .
	.endr
	.balign 128                /* from EL1 */
	mov x10, #0x200
	b handler
	.rept 3
	.balign 128
	b .
	.endr
	.balign 128                /* from EL0 */
	mov x10, #0x400
	b handler
	.balign 128
	b .
handler:
	mrs x11, elr_el1
	mrs x12, esr_el1
	mrs x13, far_el1
	mrs x14, spsr_el1
	ldr x15, =0x56000063       /* svc #99: go on at EL1 */
	cmp x12, x15
	b.ne 1f
	mov x15, #0x3c5
	msr spsr_el1, x15
1:	lsr x15, x12, #26
	cmp x15, #0x15
	b.eq 2f
	add x15, x11, #4           /* all others: behind the instruction */
	msr elr_el1, x15
2:	eret
	.ltorg
	.data
	.balign 4096
table:	.space 4096
