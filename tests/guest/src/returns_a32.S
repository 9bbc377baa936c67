/* SPDX-License-Identifier: MIT */
/* Ten times each: POP {PC}, a return; LDM SP, {SP, PC}, LDMIB SP!, {PC} and LDM SP!, {PC}^, none. */
	.syntax unified
	.arm
	.global _start
_start:	b reset
	.rept 7
	b .
	.endr
reset:	ldr sp, =0x8000
	mov r10, #10
1:	adr r2, 2f
	push {r2}
	pop {pc}
2:	adr r2, 3f
	sub sp, sp, #8
	add r1, sp, #8
	stm sp, {r1, r2}
	ldm sp, {sp, pc}
3:	adr r2, 4f
	sub sp, sp, #8
	str r2, [sp, #4]
	ldmib sp!, {pc}
4:	add sp, sp, #4
	mrs r0, cpsr
	msr spsr_cxsf, r0
	adr r2, 5f
	push {r2}
	ldm sp!, {pc}^
5:	subs r10, r10, #1
	bne 1b
	mov r0, #0x18
	ldr r1, =0x20026
	svc #0x123456
	.ltorg
