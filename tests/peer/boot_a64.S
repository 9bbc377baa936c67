/* SPDX-License-Identifier: MIT */
/* From EL3, where QEMU's `virt` board with secure=on starts, to Non-secure EL1; and the vectors. */
#include "../../examples/firmware/save_a64.inc"
#define GICD_IGROUPR 0x08000080
#define EC_HVC       0x16
#define EC_SVC       0x15
#define EC_MSR       0x18
#define UNDEFINED    1 /* enum peer_end, run.h */
#define TRAP_EL1     2
#define TRAP_EL2     3
#define ELSEWHERE    5

	.section .text.boot, "ax"
	.global _start
_start:
	mov x0, #GICD_IGROUPR & 0xffff
	movk x0, #GICD_IGROUPR >> 16, lsl #16
	mov w1, #-1
	str w1, [x0]               /* every private interrupt is Non-secure's to see */
	mov x0, #0x531             /* SCR_EL3: RW, HCE, RES1, NS */
	msr scr_el3, x0
	msr mdcr_el3, xzr
	mov x0, #1 << 31           /* HCR_EL2: RW */
	msr hcr_el2, x0
	ldr x0, =0x30d00800        /* SCTLR_EL1: RES1; no MMU */
	msr sctlr_el1, x0
	adr x0, vectors_el1
	msr vbar_el1, x0
	adr x0, vectors_el2
	msr vbar_el2, x0
	ldr x0, =peer_stack
	msr sp_el1, x0
	mov x0, #0x3c5             /* EL1h, everything masked */
	msr spsr_el3, x0
	adr x0, start_el1
	msr elr_el3, x0
	eret

start_el1:
	bl peer_main
	adr x1, exit_block
	mov w0, #0x18              /* semihosting SYS_EXIT */
	hlt #0xf000
1:	b 1b

	.global peer_hypercall
peer_hypercall:
	hvc #0
	ret

	.global peer_at_el0
peer_at_el0:
	save_callee
	mov x19, x0
	ldr x0, =peer_user_stack
	msr sp_el0, x0
	mov x0, #0x3c0             /* EL0t */
	msr spsr_el1, x0
	adr x0, 1f
	msr elr_el1, x0
	eret
1:	blr x19
	svc #0

back_at_el1:
	restore_callee
	ret

refused_el1:
	stp x0, x1, [sp, #-16]!
	mrs x0, esr_el1
	lsr x0, x0, #26
	cmp x0, #EC_SVC
	b.eq 3f
	mov w1, #UNDEFINED
	cbz x0, 2f
	cmp x0, #EC_MSR
	mov w1, #TRAP_EL1
	b.eq 2f
	mov w1, #ELSEWHERE
2:	adr x0, peer_fault
	str w1, [x0]
	mrs x0, elr_el1
	add x0, x0, #4
	msr elr_el1, x0
	ldp x0, x1, [sp], #16
	eret
3:	add sp, sp, #16
	b back_at_el1

/* x0 of a hypercall is MDCR_EL2. Two thread registers keep what the handler borrows. */
refused_el2:
	msr tpidr_el2, x1
	mrs x1, esr_el2
	lsr x1, x1, #26
	cmp x1, #EC_HVC
	b.ne 2f
	msr mdcr_el2, x0
	mrs x1, tpidr_el2
	eret
2:	msr tpidr_el1, x0
	mov w0, #ELSEWHERE
	cmp x1, #EC_MSR
	b.ne 3f
	mov w0, #TRAP_EL2
3:	adr x1, peer_fault
	str w0, [x1]
	mrs x0, elr_el2
	add x0, x0, #4
	msr elr_el2, x0
	mrs x0, tpidr_el1
	mrs x1, tpidr_el2
	eret

	.balign 2048
vectors_el1:
	.rept 16
	b refused_el1
	.balign 128
	.endr
vectors_el2:
	.rept 16
	b refused_el2
	.balign 128
	.endr

	.balign 8
exit_block:
	.quad 0x20026, 0           /* ADP_Stopped_ApplicationExit, status 0 */
	.global peer_fault
peer_fault:
	.word 0
