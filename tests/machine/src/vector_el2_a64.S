/* SPDX-License-Identifier: MIT */
/* Who traps floating point: CPACR_EL1.FPEN at EL1 and EL0 alone, CPTR_EL2.TFP at EL2 and below, CPTR_EL3.TFP everywhere; with
 * VHE and HCR_EL2.E2H set, CPTR_EL2.FPEN. What CPACR_EL1 traps of EL0 under HCR_EL2.TGE is undefined, at EL2. DDI0487,
 * AArch64.CheckFPEnabled(), AArch64.AdvSIMDFPAccessTrap(). Exit status: the number of the first check that fails. */
#include "check64.inc"
	.set trapped, 0x1fe00000   /* EC 7, COND 14 */

	/* try N, SPSR, LEVEL, ESR: one instruction at the level that SPSR says is trapped by LEVEL with ESR; 0, 0: by none */
	.macro try n, spsr, level, esr
	mov x0, #\spsr
	bl one
	check \n, x10, \level
	check \n, x11, \esr
	.endm
	.global _start
_start:
	mrs x21, CurrentEL
	lsr x21, x21, #2
	cmp x21, #3
	b.ne at_el2
	adr x0, vectors_el3
	msr vbar_el3, x0
	mov x0, #0x501             /* RW, HCE, NS */
	msr scr_el3, x0
	mov x0, #1 << 10           /* CPTR_EL3.TFP */
	msr cptr_el3, x0
	isb
	mov x10, #0
	mov x11, #0
	fmov d0, xzr
	check 1, x10, 3
	check 2, x11, trapped
	mov x0, #0x3c9             /* EL2h */
	msr spsr_el3, x0
	adr x0, at_el2
	msr elr_el3, x0
	eret
at_el2:	adr x0, vectors_el2
	msr vbar_el2, x0
	adr x0, vectors_el1
	msr vbar_el1, x0
	mov x9, #0x80000000        /* RW */
	msr hcr_el2, x9
	cmp x21, #3
	b.ne without
	msr cptr_el2, xzr
	mov x0, #3 << 20
	msr cpacr_el1, x0
	isb
	try 3, 0x3c9, 3, trapped
	try 4, 0x3c5, 3, trapped
	msr cpacr_el1, xzr
	isb
	try 5, 0x3c5, 1, trapped
	b success
without:
	msr cptr_el2, xzr
	msr cpacr_el1, xzr
	isb
	try 6, 0x3c9, 0, 0
	try 7, 0x3c5, 1, trapped
	try 8, 0x3c0, 1, trapped
	orr x9, x9, #1 << 27       /* TGE */
	msr hcr_el2, x9
	isb
	try 9, 0x3c0, 2, 0x02000000
	mov x0, #3 << 20
	msr cpacr_el1, x0
	isb
	try 10, 0x3c0, 0, 0
	mov x0, #1 << 10           /* CPTR_EL2.TFP */
	msr cptr_el2, x0
	isb
	try 11, 0x3c0, 2, trapped
	bic x9, x9, #1 << 27
	msr hcr_el2, x9
	isb
	try 12, 0x3c5, 2, trapped
	try 13, 0x3c9, 2, trapped
#ifdef VHE
	msr cptr_el2, xzr
	mov x0, #1 << 20           /* CPACR_EL1.FPEN: EL0 alone */
	msr cpacr_el1, x0
	orr x9, x9, #1 << 34       /* E2H */
	msr hcr_el2, x9
	isb
	try 14, 0x3c9, 2, trapped
	try 15, 0x3c5, 2, trapped
	mov x0, #1 << 20           /* CPTR_EL2.FPEN: EL0 alone, if it is the host's */
	msr cptr_el2, x0
	isb
	try 16, 0x3c9, 0, 0
	try 17, 0x3c5, 0, 0
	try 18, 0x3c0, 1, trapped
	orr x9, x9, #1 << 27       /* TGE */
	msr hcr_el2, x9
	isb
	try 19, 0x3c0, 2, trapped
	mov x0, #3 << 20
	msr cptr_el2, x0
	isb
	try 20, 0x3c0, 0, 0        /* whatever EL1's control says */
#endif
success:
	mov x19, #0
	the_end

	/* x0: PSTATE; x10, x11: who trapped, and ESR; both 0: nobody */
one:	msr spsr_el2, x0
	adr x0, 1f
	msr elr_el2, x0
	mov x10, #0
	mov x11, #0
	mov x22, x30
	eret
1:	fmov d0, xzr
	svc #0
	b .

	/* of a level: notes the trap and steps over it; SVC and HVC lead back to EL2 */
	.macro noted el
	mrs x12, esr_el\el
	lsr x13, x12, #26
	cmp x13, #0x15
	b.eq done\el
	cmp x13, #0x16
	b.eq done\el
	mov x10, #\el
	mov x11, x12
	mrs x12, elr_el\el
	add x12, x12, #4
	msr elr_el\el, x12
	eret
	.endm
done1:	hvc #0
done2:	mov x30, x22
	ret
done3:	b .

	.macro table el
	.balign 2048
	.rept 4
	.balign 128
	b .
	.endr
	.balign 128
	noted \el
	.rept 3
	.balign 128
	b .
	.endr
	.balign 128
	noted \el
	.endm
	.balign 2048
vectors_el1:
	table 1
	.balign 2048
vectors_el2:
	table 2
	.balign 2048
vectors_el3:
	table 3
