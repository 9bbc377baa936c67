/* SPDX-License-Identifier: MIT */
/* Exactness with one cycle an instruction, PMUv2 registers: what a window counts, what reads see, where an overflow's
 * interrupt is taken. SKID: by how many instructions it comes late. */
#include "check32.inc"
	.arm
	.global _start
_start:
	b reset
	b .
	b .
	b .
	b .
	b .
	b irq
	b .

reset:
	mov r0, #0x80000000
	orr r0, r0, #1
	mcr p15, 0, r0, c9, c12, 1 @ PMCNTENSET: cycles, counter 0
	mov r0, #0
	mcr p15, 0, r0, c9, c12, 5 @ PMSELR
	mov r0, #0x08
	mcr p15, 0, r0, c9, c13, 1 @ PMXEVTYPER: INST_RETIRED
	mov r0, #7
	mov r1, #0
	mcr p15, 0, r0, c9, c12, 0 @ PMCR: E, both reset; not counted
	nop
	nop
	nop
	mcr p15, 0, r1, c9, c12, 0 @ E off; counted
	nop
	mrc p15, 0, r2, c9, c13, 2
	mrc p15, 0, r3, c9, c13, 0
	check 1, r2, 4
	check 2, r3, 4

	mov r0, #7
	mcr p15, 0, r0, c9, c12, 0
	mrc p15, 0, r2, c9, c13, 0 @ sees nothing of itself
	mrc p15, 0, r3, c9, c13, 0
	mrc p15, 0, r4, c9, c13, 0
	mcr p15, 0, r1, c9, c12, 0
	check 3, r2, 0
	check 4, r3, 1
	check 5, r4, 2

	mvn r0, #7                 @ -8: the eighth instruction overflows
	mcr p15, 0, r0, c9, c13, 2
	mov r0, #1
	mcr p15, 0, r0, c9, c12, 3 @ flag
	mcr p15, 0, r0, c9, c14, 1 @ PMINTENSET
	cpsie i
	mcr p15, 0, r0, c9, c12, 0 @ E, counters as they are
	.rept 8
	nop
	.endr
overflowed:
	.rept 8
	nop
	.endr
	mov r11, #6                @ the interrupt did not come
	b fail

irq:
	sub lr, lr, #4
	mcr p15, 0, r1, c9, c12, 0
	check 7, lr, overflowed + 4 * SKID
	mrc p15, 0, r2, c9, c12, 3
	check 8, r2, 1
	pass
	the_end
