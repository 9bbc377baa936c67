/* SPDX-License-Identifier: MIT */
/* For guests that check themselves, A32 and T32: exit status 0, or the number of the first check that failed. */
	.syntax unified

	/* check N, REG, VALUE: uses r11, r12 and the flags */
	.macro check n, reg, value
	mov r11, #\n
	ldr r12, =\value
	cmp \reg, r12
	bne fail
	.endm

	.macro pass
	mov r11, #0
	b fail
	.endm

	.macro the_end call=0x123456
fail:
	ldr r1, =0x20026
	ldr r12, =fail_block
	str r1, [r12]
	str r11, [r12, #4]
	mov r1, r12
	mov r0, #0x20
	svc \call
	b .
	.ltorg
	.balign 4
fail_block:
	.word 0, 0
	.endm
