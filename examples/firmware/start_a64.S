/* SPDX-License-Identifier: MIT */
/* AArch64 at EL1: vectors, stacks, EL0. */
#include "save_a64.inc"
#define EC_UNKNOWN 0x00
#define EC_SVC     0x15
#define EC_MSR     0x18

	.section .text.boot, "ax"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
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

/* Skips and counts Undefined and trapped instructions; the SVC of rt_user returns to rt_user. */
synchronous:
	stp x0, x1, [sp, #-16]!
	mrs x0, esr_el1
	lsr x0, x0, #26
	cmp x0, #EC_SVC
	b.eq back
	cmp x0, #EC_MSR
	b.eq 1f
	cbnz x0, stuck
1:	adr x0, rt_undefined_here
	ldr x0, [x0]
	ldr w1, [x0]
	add w1, w1, #1
	str w1, [x0]
	mrs x0, elr_el1
	add x0, x0, #4
	msr elr_el1, x0
	ldp x0, x1, [sp], #16
	eret
stuck:
	mov w0, #91
	b rt_stuck

irq:
	save_caller
	adr x0, rt_irq_here
	ldr x0, [x0]
	ldr x0, [x0]
	cbz x0, nobody
	blr x0
	restore_caller
	eret
nobody:
	mov w0, #90
	b rt_stuck

	.global rt_enter
rt_enter:
	save_callee 112
	mrs x19, daif
	str x19, [sp, #96]
	ldr x2, =rt_stack_user
	msr sp_el0, x2
	msr spsr_el1, x19          /* EL0t, interrupts as they are */
	msr elr_el1, x0
	mov x0, x1
	eret

	.global rt_user
rt_user:
	mov x1, x0
	adr x0, 1f
	b rt_enter
1:	blr x0
	svc #0

back:
	add sp, sp, #16
	ldr x0, [sp, #96]
	msr daif, x0
	restore_callee 112
	ret

	.global rt_semihost
rt_semihost:
	hlt #0xf000
	ret

	.global rt_irq_on, rt_irq_off
rt_irq_on:
	msr daifclr, #2
	ret
rt_irq_off:
	msr daifset, #2
	ret

	.balign 8
rt_undefined_here:
	.quad rt_undefined
rt_irq_here:
	.quad rt_irq

	.macro entry to
	.balign 128
	b \to
	.endm
	.balign 2048
vectors:
	.rept 2                    /* EL1 with SP_EL0, with SP_EL1 */
	entry synchronous
	entry irq
	entry stuck
	entry stuck
	.endr
	entry synchronous          /* EL0, AArch64 */
	entry irq
	entry stuck
	entry stuck
	.rept 4                    /* EL0, AArch32 */
	entry stuck
	.endr
