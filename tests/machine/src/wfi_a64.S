/* SPDX-License-Identifier: MIT */
/* WFI: modelled time goes on to the timer, the cycle counter with it if the core's row says so (RUNS), and the
 * instruction after it is the next. Exit status: the number of the first check that fails. */
#include "check64.inc"
	.global _start
_start:
	mov x0, #0x80000000
	msr pmcntenset_el0, x0
	msr pmccfiltr_el0, xzr
	mov x0, #0x45
	msr pmcr_el0, x0
	mrs x1, cntvct_el0
	add x1, x1, #1000
	msr cntv_cval_el0, x1
	mov x2, #1
	msr cntv_ctl_el0, x2
	mrs x3, pmccntr_el0
	wfi                        /* masked interrupts wake, too */
	mrs x4, pmccntr_el0
	mrs x5, cntvct_el0
	mov x19, #1
	cmp x5, x1
	b.lo fail
	add x1, x1, #3
	mov x19, #2
	cmp x5, x1
	b.hi fail
	sub x4, x4, x3
	mov x19, #3
#ifdef RUNS
	ldr x6, =15900             /* 1000 ticks of 62.5 MHz are 16000 cycles of 1 GHz, less what was executed */
	cmp x4, x6
	b.lo fail
#else
	cmp x4, #2                 /* the first read, and WFI */
	b.ne fail
#endif
	mov x19, #0
	the_end
