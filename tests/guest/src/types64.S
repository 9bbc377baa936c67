/* SPDX-License-Identifier: MIT */
/* What the machine's processors know too: types of data and operations, 100 times. No SVE. */
	.arch armv8.2-a+fp16+lse
	.globl _start
_start:	mov x19, #100
	ldr x8, =data                  // a load of 8 bytes before the turns
	add x7, x8, #60
1:	fadd h0, h1, h2                // half, 1
	fmadd d0, d1, d2, d3           // double, 2
	fmla v0.4s, v1.4s, v2.4s       // single, 8: Advanced SIMD multiply-add
	fdiv s0, s1, s2                // single, 1: division
	add v0.16b, v1.16b, v2.16b     // 8 bits
	mul v0.4s, v1.4s, v2.4s        // 32 bits: multiplication
	udiv x1, x2, x3                // integer division
	ld2 {v0.4s, v1.4s}, [x8]       // two registers: 8 elements, 32 bytes
	ldadd x1, x2, [x8]             // atomic, loads
	stadd x1, [x8]                 // atomic, does not
	ldr x1, [x7]                   // over the end of a line
	subs x19, x19, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93
	svc #0
	.data
	.balign 64
data:	.space 128
