/* SPDX-License-Identifier: MIT */
/* A32 and T32: seven ways to say an address each, in lines of their own, 15 apart, which is no step of a prefetcher
 * (of what Cortex-A7 has: 4); then, with LOADS, each of the 14 is loaded, one byte of each. Without PRELOADS nothing
 * is preloaded. */
	.syntax unified
	.arch	armv7-a
	.arch_extension mp
	.equ	step, 960
	.macro	preload args:vararg
#ifdef PRELOADS
	pld	\args
#endif
	.endm
	.macro	forms base
	ldr	r0, =data + \base
	mov	r2, #4
	add	r3, r0, #step * 4
	preload	[r0, #step]
	preload	[r3, #-255]              @ in the line 4 before step * 4
	mov	r1, #step * 2
	preload	[r0, r1]
	mov	r1, #step * 3 / 4
	preload	[r0, r1, lsl #2]
	preload	[r3]
	.endm
	.text
	.global _start
	.arm
_start:
	forms	0
	mov	r1, #step * 5
	sub	r1, r3, r1
	rsb	r1, r1, r3
	add	r4, r3, #step * 5
	mov	r1, #step * 4
	preload	[r4, -r1]                @ step * 5
	mov	r1, #step * 2
	preload	[r3, r1, lsr #0]         @ step * 6
	blx	thumb
	.arm
finish:
#ifdef LOADS
	ldr	r0, =data
	bl	loads
	ldr	r0, =data + 16384
	bl	loads
#endif
	mov	r0, #0
	mov	r7, #1
	svc	#0
loads:
	ldrb	r1, [r0, #step]
	add	r3, r0, #step * 4
	ldrb	r1, [r3, #-255]
	add	r2, r0, #step * 2
	ldrb	r1, [r2]
	ldrb	r1, [r2, #step]
	ldrb	r1, [r3]
	ldrb	r1, [r3, #step]
	ldrb	r1, [r3, #step * 2]
	bx	lr
	.thumb
	.thumb_func
thumb:
	forms	16384
	preload	[r3, #step]              @ 5
	add	r4, r3, #step * 2
	preload	[r4]                     @ 6
	bx	lr
	.balign	64
	.ltorg
	.data
	.word	1
	.bss
	.balign	4096
data:	.space	32768
