/* SPDX-License-Identifier: MIT */
/* A hypervisor on Cortex-A7, A15, A17: Hyp mode's vectors, and the way to a guest in Supervisor mode and back. */
	.arm
	.arch_extension virt
	.section .text.boot, "ax"
	.global _start
_start:
	ldr r0, =vectors
	mcr p15, 4, r0, c12, c0, 0 @ HVBAR
	ldr sp, =rt_stack
	ldr r0, =rt_bss
	ldr r1, =rt_bss_end
	mov r2, #0
1:	cmp r0, r1
	strlo r2, [r0], #4
	blo 1b
	bl main
	b rt_exit

	.balign 32
vectors:
	b .
	b stuck                    @ Hyp mode's own faults
	b stuck
	b stuck
	b stuck
	b trap
	b irq
	b .
stuck:
	mov r0, #91
	b rt_stuck

	@ From the guest: its registers are an array for hyp_trap(), which says whether it goes on.
trap:
	push {r0-r12, lr}
	mov r0, sp
	bl hyp_trap
	cmp r0, #0
	beq leave
	pop {r0-r12, lr}
	eret
irq:
	push {r0-r3, r12, lr}
	ldr r0, =rt_irq
	ldr r0, [r0]
	blx r0
	pop {r0-r3, r12, lr}
	eret

	@ hyp_run(code): Supervisor mode, interrupts masked, a stack of its own; comes back at its HVC #0.
	.global hyp_run
hyp_run:
	push {r4-r11, lr}
	ldr r1, =rt_stack_user
	msr SP_svc, r1
	msr ELR_hyp, r0
	mov r1, #0xd3
	msr spsr_cxsf, r1
	eret
leave:
	add sp, sp, #14 * 4
	pop {r4-r11, pc}

	.global rt_semihost
rt_semihost:
	push {lr}
	svc #0x123456
	pop {pc}
