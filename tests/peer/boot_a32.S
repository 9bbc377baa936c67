/* SPDX-License-Identifier: MIT */
/* From Secure Supervisor mode, where QEMU's `virt` board with secure=on starts, by way of Monitor and Hyp mode to
 * Non-secure Supervisor mode; and the vectors. */
#define GICD_IGROUPR 0x08000080
#define HSR_EC_HVC   0x12
#define UNDEFINED    1 /* enum peer_end, run.h */
#define TRAP_EL2     3
#define ELSEWHERE    5

	.arch_extension sec
	.arch_extension virt
	.arm
	.section .text.boot, "ax"
	.global _start
_start:
	ldr r0, =GICD_IGROUPR
	mvn r1, #0
	str r1, [r0]               @ every private interrupt is Non-secure's to see
	cps #0x16                  @ Monitor
	ldr r0, =0x101             @ SCR: HCE, NS
	mcr p15, 0, r0, c1, c1, 0
	isb
	mov r0, #0x1da             @ Hyp
	msr spsr_cxsf, r0
	ldr lr, =start_hyp
	movs pc, lr

start_hyp:
	ldr r0, =vectors_hyp
	mcr p15, 4, r0, c12, c0, 0 @ HVBAR
	mov r0, #0x1d3             @ Supervisor
	msr spsr_cxsf, r0
	ldr r0, =start_svc
	msr elr_hyp, r0
	eret

start_svc:
	ldr r0, =vectors_svc
	mcr p15, 0, r0, c12, c0, 0 @ VBAR
	cps #0x1b
	ldr sp, =peer_fault_stack
	cps #0x1f
	ldr sp, =peer_user_stack
	cps #0x13
	ldr sp, =peer_stack
	bl peer_main
	mov r0, #0x18              @ semihosting SYS_EXIT
	ldr r1, =0x20026           @ ADP_Stopped_ApplicationExit
	svc 0x123456
1:	b 1b

	.global peer_hypercall
peer_hypercall:
	hvc #0
	bx lr

	.global peer_at_el0
peer_at_el0:
	push {r4-r11, lr}
	mov r1, #0x1d0             @ User, by an exception return: QEMU does not see a CPS change the level
	msr spsr_cxsf, r1
	ldr lr, =1f
	movs pc, lr
1:	blx r0
	svc #0

back_in_svc:
	pop {r4-r11, pc}

refused_svc:
	push {r0, r1}
	mov r1, #UNDEFINED
	b 1f
elsewhere:
	push {r0, r1}
	mov r1, #ELSEWHERE
1:	ldr r0, =peer_fault
	str r1, [r0]
	pop {r0, r1}
	movs pc, lr                @ Undefined Instruction: LR is the next instruction

/* r0 of a hypercall is HDCR. Hyp mode has no stack here: TPIDR registers keep what the handler borrows. */
refused_hyp:
	mcr p15, 4, r1, c13, c0, 2 @ HTPIDR
	mrc p15, 4, r1, c5, c2, 0  @ HSR
	lsr r1, r1, #26
	cmp r1, #HSR_EC_HVC
	mcreq p15, 4, r0, c1, c1, 1
	beq 2f
	mcr p15, 0, r0, c13, c0, 4 @ TPIDRPRW
	cmp r1, #3                 @ a trapped MCR or MRC of CP15
	moveq r1, #TRAP_EL2
	movne r1, #ELSEWHERE
	ldr r0, =peer_fault
	str r1, [r0]
	mrs r0, elr_hyp
	add r0, r0, #4
	msr elr_hyp, r0
	mrc p15, 0, r0, c13, c0, 4
2:	mrc p15, 4, r1, c13, c0, 2
	eret

	.ltorg
	.balign 32
vectors_svc:
	b elsewhere
	b refused_svc
	b back_in_svc
	b elsewhere
	b elsewhere
	b elsewhere
	b elsewhere
	b elsewhere
vectors_hyp:
	b refused_hyp
	b refused_hyp
	b refused_hyp
	b refused_hyp
	b refused_hyp
	b refused_hyp
	b refused_hyp
	b refused_hyp

	.global peer_fault
peer_fault:
	.word 0
