/* SPDX-License-Identifier: MIT */
/* EL0 under a host at EL2 (HCR_EL2.E2H, TGE): CNTHCTL_EL2 says what it reaches of the timers, CNTVOFF does not apply, EL0's
 * names are EL2's timers, and what is refused goes to EL2. DDI0487 D12. PSTATE.I masks its interrupts, although EL2 takes them
 * (D1.3.6), and CPACR_EL1, which is EL1's, traps nothing of it. */
#include "check64.inc"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el2, x0
	ldr x0, =1000000000
	msr cntvoff_el2, x0
	msr cntkctl_el1, xzr       /* EL1's: nothing for EL0 */
	msr cpacr_el1, xzr
	ldr x0, =0x08000000        /* GICD: an SGI is pending */
	mov w1, #1
	str w1, [x0]
	str w1, [x0, #0x100]
	ldr w2, =0x02000000
	str w2, [x0, #0xf00]
	ldr x6, =0x08010000        /* GICC */
	str w1, [x6]
	mov w2, #0xff
	str w2, [x6, #4]
	mov x9, #0x80000000        /* RW */
	orr x9, x9, #1 << 34       /* E2H */
	orr x9, x9, #1 << 27       /* TGE */
	msr hcr_el2, x9
	isb
	mov x0, #3 << 20           /* CPTR_EL2.FPEN: the host's control of floating point */
	msr cptr_el2, x0
	isb
	mov x0, #0x102             /* EL0VCTEN, EL0VTEN; not EL1PCTEN, EL1PTEN */
	msr cntkctl_el1, x0        /* CNTHCTL_EL2 */
	msr pmuserenr_el0, xzr
	mov x7, #0
	adr x0, user
	msr elr_el2, x0
	mov x0, #0x80              /* I */
	msr spsr_el2, x0
	eret
user:	mov x3, #0
	mov x11, #0
	mrs x3, cntvct_el0
	mov x13, x11
	mov x11, #0
	mrs x4, cntpct_el0         /* op0 3, op1 3, CRn 14, CRm 0, op2 1, Rt 4, read */
	mov x14, x11
	mov x11, #0
	mrs x4, pmccntr_el0        /* op1 3, CRn 9, CRm 13, op2 0 */
	mov x15, x11
	mov x11, #0
	ldr x4, =0x55667788
	msr cntv_cval_el0, x4      /* CNTHV's */
	mov x16, x11
	mov x11, #0
	fmov d0, xzr
	mov x17, x11
	svc #0
second:	svc #0                     /* the interrupt is taken before it */
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
	entry irq
	entry fail
	entry fail
lower:	mrs x11, esr_el2
	lsr x12, x11, #26
	cmp x12, #0x15             /* SVC */
	b.eq done
	mrs x12, elr_el2
	add x12, x12, #4
	msr elr_el2, x12
	eret
irq:	mov x19, #8                /* taken although it is masked */
	cbz x7, fail
	ldr w18, [x6, #12]         /* GICC_IAR */
	eret
done:	mov x7, #1
	mrs x8, elr_el2
	adr x12, second
	cmp x8, x12
	b.ne checks
	msr spsr_el2, xzr
	mov x18, #1023
	eret
checks:	check 1, x13, 0
	check 2, x14, 0x6232f881
	check 3, x15, 0x6230e49b
	check 4, x16, 0
	mrs x5, cntpct_el0
	sub x5, x5, x3
	mov x19, #5
	ldr x6, =1000000
	cmp x5, x6
	b.hi fail
	mrs x5, s3_4_c14_c3_2      /* CNTHV_CVAL_EL2 */
	check 6, x5, 0x55667788
	check 7, x17, 0
	check 9, x18, 0            /* SGI 0 */
	mov x19, #0
	the_end
