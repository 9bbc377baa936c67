/* SPDX-License-Identifier: MIT */
/*
 * Two virtual CPUs of QEMU's virt board: the first starts the second by PSCI and sleeps; the second counts and ends it all.
 *
 * vCPU 0: 1 + 2 * 100,000 + 6 instructions, the last a WFI. vCPU 1: 1 + 3 * 10,000,000 + 3.
 */
	.global _start
_start:
	ldr	x0, =100000
1:	subs	x0, x0, #1
	b.ne	1b
	ldr	x0, =0xC4000003		/* CPU_ON */
	mov	x1, #1
	adr	x2, second
	mov	x3, #0
	hvc	#0
2:	wfi
	b	2b

second:	ldr	x0, =10000000
3:	nop
	subs	x0, x0, #1
	b.ne	3b
	mov	x0, #0x18
	adr	x1, status
	hlt	#0xf000
	.balign 8
status:	.quad	0x20026, 0
