/* SPDX-License-Identifier: MIT */
/* ARM11, XScale, Armv7: vectors, stacks, User mode. The image starts with the vectors: linked at 0 they are at the
 * core's default address; elsewhere (Armv7) VBAR has their address. */
	.arm
	.section .text.boot, "ax"
	.global _start
_start:
vectors:
	b reset
	b undefined
	b back                     @ SVC that is not semihosting: the end of rt_user
	b prefetch
	b data
	b .
	b irq
	b .

reset:
	msr cpsr_c, #0xd2          @ IRQ mode
	ldr sp, =rt_stack_irq
	msr cpsr_c, #0xdb          @ Undefined mode
	ldr sp, =rt_stack_irq - 0x200
	msr cpsr_c, #0xd7          @ Abort mode
	ldr sp, =rt_stack_irq - 0x200
	msr cpsr_c, #0xdf          @ System mode: the User stack pointer
	ldr sp, =rt_stack_user
	msr cpsr_c, #0xd3          @ Supervisor mode from here on
	ldr sp, =rt_stack
	ldr r0, =rt_bss
	ldr r1, =rt_bss_end
	mov r2, #0
1:	cmp r0, r1
	strlo r2, [r0], #4
	blo 1b
#if __ARM_ARCH >= 7
	ldr r0, =vectors
	mcr p15, 0, r0, c12, c0, 0 @ VBAR
#endif
	bl main
	b rt_exit

undefined:
	push {r0, r1}
	ldr r0, =rt_undefined
	ldr r1, [r0]
	add r1, r1, #1
	str r1, [r0]
	pop {r0, r1}
	movs pc, lr                @ the next instruction
prefetch:
	mov r0, #91
	b rt_stuck
data:
	mov r0, #92
	b rt_stuck

irq:
	sub lr, lr, #4
	push {r0-r3, r12, lr}
	ldr r0, =rt_irq
	ldr r0, [r0]
	cmp r0, #0
	moveq r0, #90
	beq rt_stuck
	blx r0
	ldm sp!, {r0-r3, r12, pc}^

	.global rt_user
rt_user:
	push {r4-r11, lr}
	mrs r1, cpsr
	str r1, user_from
	bic r1, r1, #0x1f
	orr r1, r1, #0x10
	msr spsr_cxsf, r1
	ldr lr, =1f
	movs pc, lr
1:	blx r0
	svc #0
back:
	ldr r1, user_from
	msr cpsr_c, r1             @ interrupts as they were
	pop {r4-r11, pc}
user_from:
	.word 0

	.global rt_enter
rt_enter:
	push {r4-r11, lr}
	mrs r2, cpsr
	str r2, user_from
	bic r2, r2, #0x1f
	orr r2, r2, #0x10
	msr spsr_cxsf, r2
	mov lr, r0
	mov r0, r1
	movs pc, lr

	.global rt_semihost
rt_semihost:
	push {lr}
	svc #0x123456
	pop {pc}

	.global rt_irq_on, rt_irq_off
rt_irq_on:
	msr cpsr_c, #0x53          @ I clear; F stays set
	bx lr
rt_irq_off:
	msr cpsr_c, #0xd3
	bx lr
