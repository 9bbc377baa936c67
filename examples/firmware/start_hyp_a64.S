/* SPDX-License-Identifier: MIT */
/* A hypervisor in AArch64: EL2's vectors, the way to a guest's EL1 and back, and the guests' own vectors. */
	.section .text.boot, "ax"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el2, x0
	mrs x0, sctlr_el2
	orr x0, x0, #0x1000        /* I */
	msr sctlr_el2, x0
	isb
	ldr x0, =rt_stack
	mov sp, x0
	ldr x0, =rt_bss
	ldr x1, =rt_bss_end
1:	cmp x0, x1
	b.hs 2f
	str xzr, [x0], #8
	b 1b
2:	bl main
	b rt_exit

	.macro pairs what          /* x2 to x29 of the guest, at x0 */
	\what x2, x3, [x0, #16]
	\what x4, x5, [x0, #32]
	\what x6, x7, [x0, #48]
	\what x8, x9, [x0, #64]
	\what x10, x11, [x0, #80]
	\what x12, x13, [x0, #96]
	\what x14, x15, [x0, #112]
	\what x16, x17, [x0, #128]
	\what x18, x19, [x0, #144]
	\what x20, x21, [x0, #160]
	\what x22, x23, [x0, #176]
	\what x24, x25, [x0, #192]
	\what x26, x27, [x0, #208]
	\what x28, x29, [x0, #224]
	.endm

	/* hyp_enter(x): the guest goes on with registers x[31]; returns when it comes back: 0 by an exception, 1 by an
	 * interrupt. */
	.global hyp_enter
hyp_enter:
	stp x19, x20, [sp, #-96]!
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	msr tpidr_el2, x0
	pairs ldp
	ldr x30, [x0, #240]
	ldp x0, x1, [x0]
	eret

	.macro back why
	stp x0, x1, [sp, #-16]!
	mrs x0, tpidr_el2
	pairs stp
	str x30, [x0, #240]
	ldp x2, x3, [sp], #16
	stp x2, x3, [x0]
	mov x0, #\why
	b leave
	.endm
exception:
	back 0
interrupt:
	back 1
leave:
	ldp x21, x22, [sp, #16]
	ldp x23, x24, [sp, #32]
	ldp x25, x26, [sp, #48]
	ldp x27, x28, [sp, #64]
	ldp x29, x30, [sp, #80]
	ldp x19, x20, [sp], #96
	ret

stuck:
	mov w0, #91
	b rt_stuck

	.global rt_semihost
rt_semihost:
	hlt #0xf000
	ret

	/* A guest's interrupt, at EL1. */
guest_interrupt:
	stp x0, x1, [sp, #-176]!
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	stp x8, x9, [sp, #64]
	stp x10, x11, [sp, #80]
	stp x12, x13, [sp, #96]
	stp x14, x15, [sp, #112]
	stp x16, x17, [sp, #128]
	stp x18, x30, [sp, #144]
	bl guest_on_interrupt
	ldp x2, x3, [sp, #16]
	ldp x4, x5, [sp, #32]
	ldp x6, x7, [sp, #48]
	ldp x8, x9, [sp, #64]
	ldp x10, x11, [sp, #80]
	ldp x12, x13, [sp, #96]
	ldp x14, x15, [sp, #112]
	ldp x16, x17, [sp, #128]
	ldp x18, x30, [sp, #144]
	ldp x0, x1, [sp], #176
	eret
guest_stuck:
	hvc #1

	.macro entry to
	.balign 128
	b \to
	.endm
	.balign 2048
vectors:
	.rept 8                    /* EL2's own */
	entry stuck
	.endr
	entry exception            /* EL1 and EL0 */
	entry interrupt
	entry stuck
	entry stuck
	.rept 4
	entry stuck
	.endr
	.balign 2048
	.global guest_vectors
guest_vectors:
	.rept 4
	entry guest_stuck
	.endr
	entry guest_stuck          /* EL1 with SP_EL1 */
	entry guest_interrupt
	entry guest_stuck
	entry guest_stuck
	.rept 8
	entry guest_stuck
	.endr
