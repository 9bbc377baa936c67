/* SPDX-License-Identifier: MIT */
/* A program that starts as out of reset, in Secure Supervisor mode: Monitor mode by SMC, two worlds with registers and
 * vectors of their own, which of them is counted, the PMU's interrupt in Monitor mode. Exit status: the number of the
 * first check that fails. FILTER: the core's counters have filters. ARM11: its PMU is another one,
 * whose registers and interrupt are not looked at.
 *
 * The Monitor's SMC handler changes worlds if r0 is 0; else it calls r0. r8: how often something came. */
#include "check32.inc"
	.arch_extension sec
	.macro pmcr op
	\op p15, 0, r1, c9, c12, 0
	.endm
	.global _start
_start:
	mrs r0, cpsr
	and r0, r0, #0x1f
	check 1, r0, 0x13
	mrc p15, 0, r0, c1, c1, 0  /* SCR: Secure */
	check 2, r0, 0
	ldr r0, =vectors_s
	mcr p15, 0, r0, c12, c0, 0
	ldr r0, =vectors_m
	mcr p15, 0, r0, c12, c0, 1
	ldr r0, =vectors_ns
	cps #0x16
	mov r1, #1
	mcr p15, 0, r1, c1, c1, 0  /* SCR.NS: Non-secure registers from here */
	mcr p15, 0, r0, c12, c0, 0
	mov r1, #0
	mcr p15, 0, r1, c1, c1, 0
	cps #0x13
	mrc p15, 0, r1, c12, c0, 0
	ldr r2, =vectors_s
	cmp r1, r2
	mov r11, #3
	bne fail

	/* two worlds: the Monitor changes */
	mov r8, #0
	svc #0
	check 4, r8, 0x51          /* Secure vectors */
	mov r0, #0
	smc #0
	check 5, r8, 0x71
	mrs r0, cpsr
	and r0, r0, #0x1f
	check 6, r0, 0x13
	svc #0
	check 7, r8, 0x61          /* Non-secure vectors */
	mov r10, #0
	mrc p15, 0, r0, c1, c1, 0  /* SCR is undefined here */
	check 8, r10, 1
	mov r0, #0
	smc #0
	svc #0
	check 9, r8, 0x51
	mov r10, #0
	mrc p15, 0, r0, c1, c1, 0
	check 10, r10, 0
	check 11, r0, 0

#ifdef FILTER
	/* INST_RETIRED in Secure state alone, and in Non-secure PL1 alone */
	mov r1, #0
	mcr p15, 0, r1, c9, c12, 5
	ldr r2, =0x60000008        /* U, NSK: Secure PL1 */
	mcr p15, 0, r2, c9, c13, 1
	mov r1, #1
	mcr p15, 0, r1, c9, c12, 5
	ldr r2, =0xe0000008        /* P, U, NSK: Non-secure PL1 */
	mcr p15, 0, r2, c9, c13, 1
	mov r1, #3
	mcr p15, 0, r1, c9, c12, 1
	mov r0, #0
	mov r1, #7
	pmcr mcr
	smc #0                     /* Secure: 1, Monitor mode 13 */
	nop                        /* Non-secure: 3 */
	nop
	smc #0                     /* Monitor mode 13 */
	mov r1, #0                 /* Secure: 2 */
	pmcr mcr
	mov r1, #0
	mcr p15, 0, r1, c9, c12, 5
	mrc p15, 0, r2, c9, c13, 2
	check 12, r2, 1 + 13 + 13 + 2
	mov r1, #1
	mcr p15, 0, r1, c9, c12, 5
	mrc p15, 0, r2, c9, c13, 2
	check 13, r2, 3

	/* HDCR.HPMN, by the Monitor: Non-secure PL1 sees two counters, Secure state all */
	ldr r0, =divide
	smc #0
	pmcr mrc
	lsr r7, r1, #11
	and r7, r7, #0x1f
	mov r0, #0
	smc #0
	pmcr mrc
	lsr r1, r1, #11
	and r1, r1, #0x1f
	check 14, r1, 2
	mov r0, #0
	smc #0
	cmp r7, #2
	mov r11, #15
	bls fail
#endif

#ifndef ARM11
	/* the interrupt: to Monitor mode by SCR.IRQ, else to IRQ mode of the world */
	mov r8, #0
	bl overflow
	cpsie i
	nop
	check 16, r8, 0x52
	cpsid i
	ldr r0, =to_monitor
	smc #0
	mov r8, #0
	bl overflow
	cpsie i
	nop
	check 17, r8, 0x72
	cpsid i
	mov r0, #0
	smc #0
	mov r8, #0
	bl overflow
	cpsie i
	nop
	check 18, r8, 0x72         /* from Non-secure state too */
	cpsid i
	ldr r0, =not_monitor
	smc #0
	mov r8, #0
	bl overflow
	cpsie i
	nop
	check 19, r8, 0x62
	cpsid i

#else
	mov r0, #0
	smc #0
#endif

	/* an exception in Monitor mode leads to Secure state */
	ldr r0, =fault
	smc #0
	check 20, r8, 0x53
	check 21, r0, 0
	mov r0, #0
	smc #0
	pass

divide:	mrc p15, 0, r1, c1, c1, 0
	orr r2, r1, #1
	mcr p15, 0, r2, c1, c1, 0
	mov r2, #2
#ifdef FILTER
	mcr p15, 4, r2, c1, c1, 1
#endif
	mcr p15, 0, r1, c1, c1, 0
	bx lr
to_monitor:
	mrc p15, 0, r1, c1, c1, 0
	orr r1, r1, #2
	mcr p15, 0, r1, c1, c1, 0
	bx lr
not_monitor:
	mrc p15, 0, r1, c1, c1, 0
	bic r1, r1, #2
	mcr p15, 0, r1, c1, c1, 0
	bx lr
fault:	mrc p15, 0, r5, c1, c1, 0
	.word 0xe7f000f0           /* undefined; its handler reads SCR, and comes back in Monitor mode */
	mcr p15, 0, r5, c1, c1, 0
	mov r0, r6
	and r0, r0, #1
	bx lr
	/* the cycle counter's flag and interrupt, at once */
overflow:
	mov r1, #0x80000000
	mcr p15, 0, r1, c9, c12, 1
	mcr p15, 0, r1, c9, c14, 1
	mvn r1, #0
	mcr p15, 0, r1, c9, c13, 0
	mov r1, #1
	pmcr mcr
	nop
	nop
	bx lr
	.macro acknowledge to
	mov r8, #\to
	mov r12, #0x80000000
	mcr p15, 0, r12, c9, c12, 3
	subs pc, lr, #4
	.endm
	.macro table name, undefined, call, interrupt
	.balign 32
\name:	b .
	b \undefined
	b \call
	b .
	b .
	b .
	b \interrupt
	b .
	.endm
	table vectors_s, undefined_s, call_s, interrupt_s
	table vectors_ns, undefined_ns, call_ns, interrupt_ns
	table vectors_m, ., monitor, interrupt_m
call_s:	mov r8, #0x51
	movs pc, lr
call_ns:
	mov r8, #0x61
	movs pc, lr
undefined_s:
	mov r8, #0x53
	mrc p15, 0, r6, c1, c1, 0
	movs pc, lr
undefined_ns:
	mov r10, #1
	movs pc, lr
interrupt_s:
	acknowledge 0x52
interrupt_ns:
	acknowledge 0x62
interrupt_m:
	acknowledge 0x72
monitor:	                   /* 13 instructions with the vector's, to change worlds */
	mov r8, #0x71
	cmp r0, #0
	bne 1f
	mrc p15, 0, r9, c1, c1, 0
	eor r9, r9, #1
	mcr p15, 0, r9, c1, c1, 0
	mrs r9, spsr
	nop
	nop
	nop
	nop
	movs pc, lr
1:	mov r4, lr
	mrs r3, spsr
	blx r0
	msr spsr_cxsf, r3
	movs pc, r4
	.ltorg
	the_end
