/* SPDX-License-Identifier: MIT */
/* A hypervisor in AArch64: EL2's vectors, entering and leaving a guest at EL1, and the guests' own vectors. */
#include "save_a64.inc"
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

	/* hyp_enter(x): runs the guest with registers x[31] until it leaves; returns 0 after an exception, 1 after an
	 * interrupt. */
	.global hyp_enter
hyp_enter:
	save_callee
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
	restore_callee
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
	save_caller
	bl guest_on_interrupt
	restore_caller
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
