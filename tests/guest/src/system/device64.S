/* SPDX-License-Identifier: MIT */
/*
 * A bare-metal AArch64 program for QEMU's virt board: 1,000 loads and 1,000 stores of a word in RAM, as many of two
 * registers of the PL011; then the end by semihosting with status 0.
 */
	.global _start
_start:
	ldr	x0, =1000
	ldr	x1, =0x40100000
	ldr	x2, =0x09000000
1:	ldr	w3, [x1]
	ldr	w4, [x2, #0x18]		/* UARTFR */
	str	w3, [x1, #4]
	str	wzr, [x2, #0x20]	/* UARTILPR: the core has no use for it */
	subs	x0, x0, #1
	b.ne	1b
	mov	x0, #0x18
	adr	x1, status
	hlt	#0xf000
	.balign 8
status:	.quad	0x20026, 0
