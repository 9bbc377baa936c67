/* SPDX-License-Identifier: MIT */
/* A hypervisor on Cortex-A7, A15, A17: Hyp mode's vectors, and entering and leaving a guest in Supervisor mode. */
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

	@ A trap of the guest: hyp_trap() gets its registers as an array and returns 0 if the guest must end.
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

	@ hyp_run(code): runs code in Supervisor mode, interrupts masked, on its own stack; returns at its HVC #0.
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
