/* SPDX-License-Identifier: MIT */
/* What operating systems execute in AArch32, ten times each: SVC, UDF, writes of CONTEXTIDR and both TTBRs, one of CONTEXTIDR whose condition
 * fails; returns by MOVS PC, LDM ^ and RFE. */
	.syntax unified
	.arm
	.global _start
_start:	b reset
	movs pc, lr /* UDF: behind it */
	movs pc, lr /* SVC */
	b .
	b .
	b .
	b .
	b .
reset:	ldr sp, =0x8000
	cps #0x1B
	ldr sp, =0x9000
	cps #0x13
	mov r10, #10
	mov r1, #0
1:	mrs r8, spsr
	svc #1
	msr spsr_cxsf, r8
	.word 0xE7F000F0
	mcr p15, 0, r1, c13, c0, 1
	mcr p15, 0, r1, c2, c0, 0
	mcr p15, 0, r1, c2, c0, 1
	cmp r10, #100
	mcrhi p15, 0, r1, c13, c0, 1
	subs r10, r10, #1
	bne 1b
	mov r10, #10
2:	adr lr, 3f
	mrs r0, cpsr
	msr spsr_cxsf, r0
	movs pc, lr
3:	adr r2, 4f
	push {r2}
	ldm sp!, {pc}^
4:	adr r2, 5f
	mrs r3, cpsr
	push {r2, r3}
	rfeia sp!
5:	subs r10, r10, #1
	bne 2b
	mov r0, #0x18
	ldr r1, =0x20026
	svc #0x123456
	.ltorg
