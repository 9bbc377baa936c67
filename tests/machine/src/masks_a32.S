/* SPDX-License-Identifier: MIT */
/* In Non-secure state of a core without Hyp mode, SCR.AW and FW say if an exception may set CPSR.A and F: DDI0406C B1.9.8 to
 * B1.9.12. The program starts in Secure Supervisor mode. Exit status: the number of the first check that fails. */
#include "check32.inc"
	.arch_extension sec
	.global _start
_start:
	ldr r0, =vectors_m
	mcr p15, 0, r0, c12, c0, 1
	mov r8, #0
	ldr r0, =vectors
	mcr p15, 0, r0, c12, c0, 0
	cpsie af
	bkpt #0
	ands r0, r8, #0x100
	check 1, r0, 0x100         /* Secure state masks them, whatever SCR says */

	cps #0x16
	mov r1, #1                 /* NS */
	mcr p15, 0, r1, c1, c1, 0
	ldr r0, =vectors
	mcr p15, 0, r0, c12, c0, 0
	cps #0x13
	mrs r0, cpsr
	ands r0, r0, #0x140
	check 2, r0, 0
	bkpt #0
	ands r0, r8, #0x140
	check 3, r0, 0
	mov r0, #0x21              /* AW */
	smc #0
	bkpt #0
	ands r0, r8, #0x140
	check 4, r0, 0x100

	ldr r0, =0x08000000        /* GICD: an SGI of Group 0 */
	mov r1, #1
	str r1, [r0]
	str r1, [r0, #0x100]
	ldr r0, =0x08010000        /* GICC: Group 0 is FIQ */
	mov r1, #9
	str r1, [r0]
	mov r1, #0xff
	str r1, [r0, #4]
	mov r0, #0x31              /* AW, FW */
	smc #0
	ldr r0, =0x08000f00
	ldr r1, =0x02000000
	str r1, [r0]
	nop
	ldr r0, =state
	ldr r0, [r0]
	ands r0, r0, #0x1c0
	check 5, r0, 0x1c0
	pass
	the_end

	.balign 32
vectors_m:
	b .
	b .
	mcr p15, 0, r0, c1, c1, 0  /* SCR := r0 */
	movs pc, lr
	b .
	b .
	b .
	b .
	.balign 32
vectors:
	b .
	b .
	b .
	b seen
	b .
	b .
	b .
	mrs r9, cpsr               /* FIQ: r8 to r12 are its own */
	ldr r10, =0x0801000c       /* GICC_IAR */
	ldr r10, [r10]
	ldr r11, =state
	str r9, [r11]
	subs pc, lr, #4
seen:	mrs r8, cpsr
	movs pc, lr
	.ltorg
state:	.word 0
