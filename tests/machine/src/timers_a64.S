/* SPDX-License-Identifier: MIT */
/* The generic timer at EL2: CNTHP and its interrupt, CNTVOFF, what CNTHCTL_EL2 keeps from EL1, who writes CNTFRQ; with VHE:
 * CNTHV, the names that a host has. DDI0487 D12. Exit status: the number of the first check that fails. */
#include "check64.inc"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el2, x0
	adr x0, vectors_el1
	msr vbar_el1, x0
	mov x9, #0x80000000        /* RW */
	msr hcr_el2, x9

	ldr x6, =0x08000200        /* GICD_ISPENDR0: no timer is on */
	ldr w1, [x6]
	ubfx x1, x1, #26, #3
	check 1, x1, 0
	mrs x1, cntpct_el0
	add x1, x1, #100
	msr cnthp_cval_el2, x1
	mov x2, #1
	msr cnthp_ctl_el2, x2
	mrs x3, cnthp_ctl_el2
	check 2, x3, 1
1:	mrs x3, cnthp_ctl_el2
	tbz x3, #2, 1b
	mrs x3, cntpct_el0
	mov x19, #3
	cmp x3, x1
	b.lo fail
	ldr w4, [x6]
	ubfx x4, x4, #26, #3
	check 4, x4, 1             /* INTID 26 */
	msr cnthp_ctl_el2, xzr
	ldr w4, [x6]
	ubfx x4, x4, #26, #3
	check 5, x4, 0

	mov x0, #1000
	msr cntvoff_el2, x0
	mrs x1, cntpct_el0
	mrs x2, cntvct_el0
	sub x1, x1, x2
	mov x19, #6
	cmp x1, #1000
	b.hi fail
	cmp x1, #998
	b.lo fail
	mrs x1, cntpct_el0         /* the virtual timer looks at the virtual counter */
	sub x1, x1, #900
	msr cntv_cval_el0, x1
	mov x0, #1
	msr cntv_ctl_el0, x0
	mrs x2, cntv_ctl_el0
	check 7, x2, 1
	msr cntv_ctl_el0, xzr
	msr cntvoff_el2, xzr

#ifdef VHE
	msr s3_4_c14_c3_1, x0      /* CNTHV_CTL_EL2, CVAL 0: due */
	ldr w4, [x6]
	ubfx x4, x4, #26, #3
	check 8, x4, 4             /* INTID 28 */
	msr s3_4_c14_c3_1, xzr
	msr cntp_cval_el0, xzr
	ldr x1, =0x123456789
	msr cnthp_cval_el2, x1
	orr x10, x9, #1 << 34      /* E2H */
	msr hcr_el2, x10
	isb
	mrs x2, cntp_cval_el0      /* is CNTHP's now */
	cmp x2, x1
	mov x19, #9
	b.ne fail
	mov x1, #0x77
	msr s3_5_c14_c2_2, x1      /* CNTP_CVAL_EL02 */
	mov x1, #0x88
	msr cntv_cval_el0, x1      /* CNTHV's */
	msr hcr_el2, x9
	isb
	mrs x2, cntp_cval_el0
	check 10, x2, 0x77
	mrs x2, s3_4_c14_c3_2
	check 11, x2, 0x88
#else
	mov x11, #0
	msr s3_4_c14_c3_1, xzr     /* there is none: undefined */
	check 8, x11, 0x02000000
#endif
	mov x11, #0
	mrs x2, s3_5_c14_c2_2      /* undefined without E2H */
	check 12, x11, 0x02000000

	mov x0, #3                 /* EL1 may */
	bl at_el1
	check 13, x11, 0
	mov x0, #2                 /* not the counter: op0 3, op1 3, CRn 14, CRm 0, op2 1, Rt 3, read */
	bl at_el1
	check 14, x11, 0x6232f861
	mov x0, #1                 /* not the timer: CRm 2, op2 2, Rt 4, write */
	bl at_el1
	check 15, x11, 0x6234f884
	check 16, x14, 0x02000000  /* CNTFRQ is the highest level's */
	mov x11, #0
	mov x0, #0x1234
	msr cntfrq_el0, x0
	check 17, x11, 0
	mrs x0, cntfrq_el0
	check 18, x0, 0x1234
	mov x19, #0
	b fail

	/* CNTHCTL_EL2 := x0; CNTPCT and CNTP_CVAL from EL1; x11: ESR_EL2 of what was trapped, x14: ESR_EL1 of a write of CNTFRQ */
at_el1:	msr cnthctl_el2, x0
	mov x11, #0
	mov x14, #0
	mov x0, #0x3c5
	msr spsr_el2, x0
	adr x0, 1f
	msr elr_el2, x0
	eret
1:	msr cntfrq_el0, xzr
	mrs x3, cntpct_el0
	msr cntp_cval_el0, x4
	hvc #0                     /* back at EL2, behind it */
	ret

	the_end

	.balign 2048
vectors_el1:
	.rept 4
	.balign 128
	b .
	.endr
	.balign 128
	mrs x14, esr_el1
	mrs x12, elr_el1
	add x12, x12, #4
	msr elr_el1, x12
	eret
	.balign 2048
vectors:
	.rept 4
	.balign 128
	b .
	.endr
	.balign 128                /* from EL2 */
	b skip
	.rept 3
	.balign 128
	b .
	.endr
	.balign 128                /* from EL1 */
	mrs x13, esr_el2
	lsr x12, x13, #26
	cmp x12, #0x16             /* HVC */
	b.ne skip
	mov x12, #0x3c9            /* EL2h */
	msr spsr_el2, x12
	eret
skip:	mrs x11, esr_el2
	mrs x12, elr_el2
	add x12, x12, #4
	msr elr_el2, x12
	eret
