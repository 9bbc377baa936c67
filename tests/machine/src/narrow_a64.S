/* SPDX-License-Identifier: MIT */
/* The AArch64 kernel of narrow_user.S: holds every exception that comes from it against the user's table, and does what its
 * calls #0x20 to #0x2f ask for. X16 to X30 are the kernel's: R0 to R14 are X0 to X14. Exit status: 0, the user's check
 * that failed, or 128 and the number of the exception that was not as expected.
 * With WITHOUT: a core that has no AArch32 at EL0. */
	.set user, 0x40090000
	.global _start
_start:
	mrs x0, CurrentEL
	cmp x0, #12
	b.ne kernel
	mov x0, #0x501             /* from EL3 down: RW, HCE, NS */
	msr scr_el3, x0
	mov x0, #0x80000000        /* RW */
	msr hcr_el2, x0
	mov x0, #0x3c5
	msr spsr_el3, x0
	adr x0, kernel
	msr elr_el3, x0
	eret
kernel:	adr x0, vectors
	msr vbar_el1, x0
	ldr x0, =0x40200000
	mov sp, x0
	mov x0, #0x3f3             /* Supervisor mode: not under an AArch64 EL1 */
	mov x5, #1
	bl illegal
#ifdef WITHOUT
	mov x0, #0x3d0
	mov x5, #2
	bl illegal
	mov x0, #0
	b exit
#else
	ldr x0, =0x80000008        /* INST_RETIRED, not at EL1 */
	msr pmevtyper0_el0, x0
	ldr x0, =0x40000008        /* ... not at EL0 */
	msr pmevtyper1_el0, x0
	mov x0, #0x80000000
	msr pmccfiltr_el0, x0
	mov x0, #1
	msr pmintenset_el1, x0
	ldr x0, =0x80000003
	msr pmcntenset_el0, x0
	mov x0, #0x47              /* E, P, C, LC */
	msr pmcr_el0, x0
	isb
	ldr x0, =user
	msr elr_el1, x0
	mov x0, #0x10
	msr spsr_el1, x0
	eret
#endif

	/* returns with SPSR_EL1 x0: class 0x0E at the place that it would have come to. x5: the check */
illegal:
	msr spsr_el1, x0
	adr x1, there
	msr elr_el1, x1
	mov x16, #0
	eret
there:	nop                        /* not executed: behind it goes on */
	cmp x16, #0x200
	b.ne wrong
	mov w2, #0x3a000000
	cmp w17, w2
	b.ne wrong
	cmp x18, x1
	b.ne wrong
	tbz x19, #20, wrong        /* SPSR.IL */
	ret
wrong:	mov x0, x5
	b exit

	.balign 2048
vectors:
	.rept 4
	.balign 128
	b .
	.endr
	.balign 128                /* from EL1: behind the instruction */
	mov x16, #0x200
	mrs x17, esr_el1
	mrs x18, elr_el1
	mrs x19, spsr_el1
	add x20, x18, #4
	msr elr_el1, x20
	bic x20, x19, #0x100000
	msr spsr_el1, x20
	eret
	.rept 7
	.balign 128
	b .
	.endr
	.balign 128                /* from EL0, AArch32 */
	mov x16, #0x600
	b lower
	.balign 128
	mov x16, #0x680
	mov x17, #1
	msr pmovsclr_el0, x17
	mov x17, #0
	b seen
	.balign 128
	b .
	.balign 128
	b .
lower:	mrs x17, esr_el1
	lsr x20, x17, #26
	cmp x20, #0x11
	b.ne seen
	and x21, x17, #0xfff0
	cmp x21, #0x20
	b.eq command
seen:	mrs x18, elr_el1
	mrs x19, spsr_el1
	adr x23, index
	ldr w24, [x23]
	add w25, w24, #1
	str w25, [x23]
	ldr x26, =user + 4
	ldr w26, [x26]
	add x26, x26, x24, lsl #4
	ldp w27, w28, [x26]
	cmp w27, w16
	b.ne differs
	cmp w28, w17
	b.ne differs
	ldp w27, w28, [x26, #8]
	cmp w27, w18
	b.ne differs
	ldr w29, =0x0600fc3f
	and w29, w29, w19
	cmp w28, w29
	b.ne differs
	cmp x16, #0x680
	b.eq back
	lsr x20, x17, #26
	cmp x20, #0x11
	b.eq back
	cmp x20, #0x20
	b.eq to_link
	mov x21, #4                /* behind the instruction */
	tbz x19, #5, 1f
	ldr w22, =0x0600fc00
	bic w19, w19, w22          /* and out of the IT block */
	msr spsr_el1, x19
	ldrh w22, [x18]
	lsr w22, w22, #11
	cmp w22, #0x1d
	b.hs 1f
	mov x21, #2
1:	add x18, x18, x21
	msr elr_el1, x18
back:	eret
to_link:
	msr elr_el1, x14
	eret
differs:
	add x0, x24, #128
	b exit
command:
	and x21, x17, #15
	cmp x21, #1
	b.eq userenr
	cmp x21, #2
	b.eq exit
	cmp x21, #4
	b.eq cpacr
	cmp x21, #6
	b.eq count
	eret
userenr:
	msr pmuserenr_el0, x0
	eret
cpacr:	msr cpacr_el1, x0
	eret
count:	adr x23, index
	ldr w0, [x23]
	eret
exit:	and x0, x0, #0xff
	adr x1, exit_block
	str x0, [x1, #8]
	ldr x0, =0x20026
	str x0, [x1]
	mov x0, #0x20
	hlt #0xf000
	b .
	.ltorg
	.balign 16
exit_block:
	.quad 0, 0
index:	.word 0
#ifndef WITHOUT
	.section .user, "ax"
	.incbin USER
#endif
