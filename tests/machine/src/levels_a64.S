/* SPDX-License-Identifier: MIT */
/* A program that has EL3: calls and traps between the levels with their syndromes, what EL2 and EL3 keep of the PMU,
 * filters by level, the PMU's interrupt at EL2 and EL3. Exit status: the number of the first check that fails.
 *
 * hvc #1 and smc #1 call the function in x8 at EL2 or EL3. What else comes to a vector is noted: x10 level and
 * offset, x11 ELR, x12 ESR, x13 FAR, x14 SPSR; the instruction is skipped unless it is a call. */
	.arch armv8-a
#include "check64.inc"
	.macro at_el2 what
	adr x8, \what
	hvc #1
	.endm
	.macro at_el3 what
	adr x8, \what
	smc #1
	.endm
	.macro eret_to level, state, where
	adr x0, \where
	msr elr_el\level, x0
	mov x0, #\state
	msr spsr_el\level, x0
	eret
	.endm
	.macro acknowledge         /* x18: where it was taken; x17: how often */
	mov x18, x10
	add x17, x17, #1
	mov x20, #0x80000000
	msr pmovsclr_el0, x20
	.endm
	.global _start
_start:
	mrs x0, CurrentEL
	check 1, x0, 12
	adr x0, vectors3
	msr vbar_el3, x0
	adr x0, vectors2
	msr vbar_el2, x0
	adr x0, vectors1
	msr vbar_el1, x0
	ldr x0, =0x40203000
	mov sp, x0
	mrs x27, pmcr_el0
	ubfx x27, x27, #11, #5     /* all counters */
	mov x0, #0x501             /* RW, HCE, NS */
	msr scr_el3, x0
	mov x0, #0x80000000        /* RW */
	msr hcr_el2, x0
	mov x0, #0x20000           /* SPME: Secure state is counted */
	msr mdcr_el3, x0

	/* a counter a level: INST_RETIRED and the filter */
	ldr x0, =0x44000008        /* U, M: EL1 alone */
	msr pmevtyper0_el0, x0
	ldr x0, =0xc8000008        /* P, U, NSH: EL2 alone */
	msr pmevtyper1_el0, x0
	ldr x0, =0xc4000008        /* P, U, M: EL3 alone */
	msr pmevtyper2_el0, x0
	ldr x0, =0x80000008        /* P: EL0 alone */
	msr pmevtyper3_el0, x0
	mov x0, #0xf
	msr pmcntenset_el0, x0
	mov x0, #0x47              /* E, P, C, LC */
	adr x1, in_el2
	msr elr_el3, x1
	mov x1, #0x3c9
	msr spsr_el3, x1
	msr pmcr_el0, x0           /* counted from the next on */
	eret                       /* EL3: 1 */
in_el2:	mrs x0, CurrentEL          /* EL2: 6 */
	adr x1, in_el1
	msr elr_el2, x1
	mov x1, #0x3c5
	msr spsr_el2, x1
	eret
in_el1:	mrs x2, CurrentEL          /* EL1: 5 */
	adr x1, in_el0
	msr elr_el1, x1
	msr spsr_el1, xzr
	eret
in_el0:	nop                        /* EL0: 3 */
	nop
	svc #1                     /* goes on at EL1: the handler has 15 instructions there */
	mrs x3, CurrentEL          /* EL1: 2 */
	smc #2                     /* stops counting: EL3: 2 */
	check 2, x0, 8
	check 3, x2, 4
	check 4, x3, 4
	check 5, x10, 0x3400
	check 6, x12, 0x5e000002
	mrs x0, pmevcntr0_el0
	check 7, x0, 5 + 15 + 2
	mrs x0, pmevcntr1_el0
	check 8, x0, 6
	mrs x0, pmevcntr2_el0
	check 9, x0, 1 + 2
	mrs x0, pmevcntr3_el0
	check 10, x0, 3

	/* calls: SP and SPSR of each level are its own */
	ldr x0, =0x40201000
	mov sp, x0
	at_el2 stack2
	mov x0, sp
	check 11, x0, 0x40201000
	check 12, x1, 0x40202000
	at_el3 stack3
	check 13, x1, 0x40203000
	mov x1, #0
a:	hvc #7
	check 14, x10, 0x2400
	check 15, x12, 0x5a000007
	adr x0, a + 4
	cmp x11, x0
	mov x19, #16
	b.ne fail
	check 17, x14, 0x600003c5  /* Z and C: the comparison */
	svc #3
	check 18, x10, 0x1200
	check 19, x12, 0x56000003

	/* HPMN: EL1 sees two counters */
	at_el2 hpmn2
	mrs x0, pmcr_el0
	ubfx x0, x0, #11, #5
	check 20, x0, 2
	at_el2 read_n
	cmp x0, x27
	mov x19, #21
	b.ne fail
	mov x10, #0
b:	mrs x5, pmevcntr2_el0      /* EL2's */
	check 22, x10, 0x2400
	check 23, x12, 0x6234f8b1  /* op0 3, op1 3, CRn 14, CRm 8, op2 2, Rt 5, read */

	/* MDCR_EL2.TPM, TPMCR */
	at_el2 tpm
	mrs x5, pmccntr_el0
	check 24, x10, 0x2400
	check 25, x12, 0x6230e4bb
	at_el2 tpmcr
	mov x10, #0
	msr pmcntenset_el0, xzr
	check 26, x10, 0
	msr pmcr_el0, x6
	check 27, x10, 0x2400
	check 28, x12, 0x6230e4d8  /* CRn 9, CRm 12, op2 0, Rt 6, write */
	at_el2 open2

	/* MDCR_EL3.TPM: from EL1 and from EL2 */
	at_el3 tpm3
	mrs x5, pmccntr_el0
	check 29, x10, 0x3400
	check 30, x12, 0x6230e4bb
	mov x10, #0
	at_el2 read_n
	check 31, x10, 0x3400
	check 32, x12, 0x6230e419  /* CRn 9, CRm 12, op2 0, Rt 0, read */
	at_el3 open3

	/* the interrupt: EL2 takes it by HCR_EL2.IMO although EL1 masks it */
	at_el2 imo
	adr x9, irq_at
	mov x18, #0
	at_el2 overflow            /* two cycles more make it due */
	nop
irq_at:	nop
	nop
	check 33, x18, 0x2480
	check 34, x17, 1           /* once */
	at_el3 irq3
	at_el2 overflow
	nop
	nop
	nop
	check 35, x18, 0x3480
	check 36, x17, 2
	at_el3 no_irq3

	/* at EL1 and from EL0 with nothing routed */
	at_el2 no_imo
	at_el2 overflow
	nop
	nop
	check 37, x17, 2           /* PSTATE.I */
	msr daifclr, #2
	nop
	check 38, x17, 3
	check 39, x18, 0x1280
	msr daifset, #2

	/* EL2 itself does not take what is EL1's */
	at_el2 unmasked2
	check 40, x17, 3
	msr daifclr, #2
	nop
	check 41, x17, 4
	msr daifset, #2

	/* HCR_EL2.TGE: EL0's exceptions are EL2's */
	at_el2 to_user
back_from_user:
	check 42, x10, 0x2400
	check 43, x12, 0x56000005
	check 44, x14, 0x00000000
	check 45, x21, 0x40300000
	check 46, x22, 0x40202000

	/* an SMC that EL2 traps */
	at_el2 tsc
	mov x10, #0
	smc #6
	check 47, x10, 0x2400
	check 48, x12, 0x5e000006
	at_el2 no_imo

	/* identification registers that EL2 traps: ID_AA64DFR0_EL1, op0 3, CRm 5, Rt 5, read */
	at_el2 tid3
	mrs x5, id_aa64dfr0_el1
	check 61, x10, 0x2400
	check 62, x12, 0x623000ab
	at_el2 no_imo
	mrs x5, id_aa64dfr0_el1
	ubfx x5, x5, #8, #4
	cbz x5, fail

	/* EL1 with pages that are not where their addresses say: the calls still work, also from EL0 */
	ldr x0, =table
	ldr x1, =0x40000701        /* 1 GiB block, AF, shareable: EL1 alone */
	str x1, [x0, #8]
	ldr x1, =0x400007c1        /* ... 0x80000000 is the same memory, read-only, EL0's too */
	str x1, [x0, #16]
	mov x1, #0xff
	msr mair_el1, x1
	ldr x1, =0x200803519       /* T0SZ 25, no TTBR1, write-back, 40 bits */
	msr tcr_el1, x1
	msr ttbr0_el1, x0
	dsb sy
	isb
	mrs x1, sctlr_el1
	orr x1, x1, #1
	msr sctlr_el1, x1
	isb
	mov x10, #0
	hvc #8
	check 49, x10, 0x2400
	check 50, x12, 0x5a000008
	smc #8
	check 51, x10, 0x3400
	adr x0, user_pages
	mov x1, #0x40000000
	add x0, x0, x1
	msr elr_el1, x0
	msr spsr_el1, xzr
	eret
user_pages:
	mrs x5, pmccntr_el0        /* EL1's to refuse */
	mov x21, x10
	hvc #1                     /* undefined at EL0 */
	mov x22, x10
	mov x23, x12
	svc #1
	ldr x0, =1f
	br x0
1:	check 52, x21, 0x1400
	check 53, x22, 0x1400
	check 54, x23, 0x02000000
	hvc #9
	check 55, x12, 0x5a000009
	mrs x1, sctlr_el1
	bic x1, x1, #1
	msr sctlr_el1, x1
	isb

	/* EL2 with tables of its own: 0x80000000 is 0x40000000 there as well */
	ldr x0, =table
	ldr x1, =0x40000701
	str x1, [x0, #16]
	at_el2 mmu2
	check 56, x1, 0x9          /* CurrentEL and SCTLR_EL2.M, read through an instruction at the other address */
	at_el2 abort2
	check 57, x10, 0x2200
	check 58, x12, 0x96000005  /* translation, level 1, from EL2 */
	check 59, x13, 0xc0000000
	mov x10, #0
	hvc #10
	check 60, x12, 0x5a00000a
done:	mov x19, #0
	the_end

stack2:	ldr x1, =0x40202000
	mov sp, x1
	ret
stack3:	mov x1, sp
	ret
hpmn2:	mov x0, #2
	msr mdcr_el2, x0
	ret
read_n:	mrs x0, pmcr_el0
	ubfx x0, x0, #11, #5
	ret
tpm:	mov x0, #0x46
	msr mdcr_el2, x0
	ret
tpmcr:	mov x0, #0x26
	msr mdcr_el2, x0
	ret

open2:	mov x0, #6
	msr mdcr_el2, x0
	ret
tpm3:	mov x0, #0x40
	msr mdcr_el3, x0
	ret
open3:	mov x0, #0x20000
	msr mdcr_el3, x0
	ret
imo:	ldr x0, =0x80000010
	msr hcr_el2, x0
	mov x17, #0
	ret
no_imo:	mov x0, #0x80000000
	msr hcr_el2, x0
	ret
tid3:	ldr x0, =0x80040000
	msr hcr_el2, x0
	ret
tsc:	mov x0, #0x80080000
	msr hcr_el2, x0
	ret
irq3:	mrs x0, scr_el3
	orr x0, x0, #2
	msr scr_el3, x0
	ret
no_irq3:
	mrs x0, scr_el3
	bic x0, x0, #2
	msr scr_el3, x0
	ret
	/* the cycle counter, counting at EL1 alone, wraps two cycles after the return */
overflow:
	msr pmcr_el0, xzr
	mov x0, #-2
	msr pmccntr_el0, x0
	mov x0, #0x80000000
	msr pmovsclr_el0, x0
	msr pmcntenset_el0, x0
	msr pmintenset_el1, x0
	mov x0, #0x04000000
	msr pmccfiltr_el0, x0
	mov x0, #0x41
	msr pmcr_el0, x0
	ret
unmasked2:
	mov x0, #0xffffffff
	msr pmccntr_el0, xzr
	mov x0, #0x80000000
	msr pmovsset_el0, x0
	msr daifclr, #2
	nop
	nop
	ret
to_user:
	mov x0, #0x88000000
	msr hcr_el2, x0
	ldr x0, =0x40300000
	msr sp_el0, x0
	adr x0, user
	msr elr_el2, x0
	msr spsr_el2, xzr
	eret
user:	mov x21, sp
	svc #5                     /* to EL2, whose handler comes back here: so once more, with 6 */
	svc #6
	/* EL2 with the MMU on; SP and vectors are at the same address */
mmu2:	mov x2, #0xff
	msr mair_el2, x2
	ldr x2, =0x80823519        /* T0SZ 25, RES1 bits, write-back, 40 bits */
	msr tcr_el2, x2
	ldr x2, =table
	msr ttbr0_el2, x2
	dsb sy
	isb
	mrs x2, sctlr_el2
	orr x2, x2, #1
	msr sctlr_el2, x2
	isb
	adr x2, 1f
	mov x3, #0x40000000
	add x2, x2, x3
	br x2
1:	mrs x1, CurrentEL
	mrs x3, sctlr_el2
	and x3, x3, #1
	orr x1, x1, x3
	mov x3, #0x40000000
	sub x2, x2, x3
	add x2, x2, #(2f - 1b)
	br x2
2:	ret
abort2:	ldr x2, =0xc0000000
	ldr w2, [x2]
	ret

	/* One level's vectors. An SVC whose number is 1 goes on at EL1. */
	.macro vectors level
	.balign 2048
vectors\level:
	.rept 4
	.balign 128
	b .
	.endr
	.balign 128
	mov x10, #0x\level\()200
	b handler\level
	.balign 128
	mov x10, #0x\level\()280
	b interrupt\level
	.balign 128
	mov x10, #0x\level\()300
	b interrupt\level
	.balign 128
	b .
	.balign 128
	mov x10, #0x\level\()400
	b handler\level
	.balign 128
	mov x10, #0x\level\()480
	b interrupt\level
	.balign 128
	mov x10, #0x\level\()500
	b interrupt\level
	.balign 128
	b .
handler\level:
	mrs x11, elr_el\level
	mrs x12, esr_el\level
	mrs x13, far_el\level
	mrs x14, spsr_el\level
	.endm

	vectors 1
	ldr x15, =0x56000001
	cmp x12, x15
	b.ne 1f
	mov x15, #0x3c5
	msr spsr_el1, x15
1:	lsr x15, x12, #26
	cmp x15, #0x15
	b.eq 2f
	add x15, x11, #4
	msr elr_el1, x15
2:	eret
interrupt1:
	acknowledge
	eret

	vectors 2
	ldr x15, =0x5a000001
	cmp x12, x15
	b.ne 1f
	mov x16, x30
	mrs x24, elr_el2
	mrs x25, spsr_el2
	blr x8
	msr elr_el2, x24
	msr spsr_el2, x25
	mov x30, x16
	eret
1:	ldr x15, =0x56000006       /* svc #6 of the user: away from it */
	cmp x12, x15
	b.ne 1f
	mov x12, x23
	mov x22, sp
	mov x15, #0x3c5
	msr spsr_el2, x15
	mov x15, #0x80000000
	msr hcr_el2, x15
	adr x15, back_from_user
	msr elr_el2, x15
	eret
1:	mov x23, x12
	lsr x15, x12, #26
	cmp x15, #0x16
	b.eq 2f
	cmp x15, #0x15
	b.eq 2f
	add x15, x11, #4
	msr elr_el2, x15
2:	eret
interrupt2:
	acknowledge
	eret

	.balign 2048
vectors3:
	.rept 8
	.balign 128
	b .
	.endr
	.balign 128
	b 1f
	.balign 128
	mov x10, #0x3480
	acknowledge
	eret
1:	msr pmcr_el0, xzr          /* the second instruction here */
	mov x10, #0x3400
	mrs x11, elr_el3
	mrs x12, esr_el3
	mrs x13, far_el3
	mrs x14, spsr_el3
	ldr x15, =0x5e000001
	cmp x12, x15
	b.ne 1f
	mov x16, x30
	blr x8
	mov x30, x16
	eret
1:	lsr x15, x12, #26
	cmp x15, #0x17
	b.eq 2f
	add x15, x11, #4
	msr elr_el3, x15
2:	eret
	.ltorg
	.data
	.balign 4096
table:	.space 4096
