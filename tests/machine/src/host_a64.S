/* SPDX-License-Identifier: MIT */
/* A semihosting call of AArch32 code at EL0 has its parameters in words, whatever EL1 is. */
	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	adr x0, user
	msr elr_el1, x0
	mov x0, #0x3d0
	msr spsr_el1, x0
	eret
	.balign 2048
vectors:
	.rept 16
	.balign 128
	b .
	.endr
	.balign 4
user:	.word 0xe3a00020           /* mov r0, #0x20: SYS_EXIT_EXTENDED */
	.word 0xe28f1004           /* add r1, pc, #4 */
	.word 0xe10f0070           /* hlt #0xf000 */
	.word 0xeafffffe           /* b . */
	.word 0x20026, 0
