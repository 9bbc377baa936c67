/* SPDX-License-Identifier: MIT */
/* Floating point and vectors by type, 100 times: scalars, Advanced SIMD, SVE of any length. */
	.arch armv8.2-a+sve+fp16
	.globl _start
_start:
	mov x19, #100
	ptrue p0.b
	adr x1, data
	mov x2, #0
	ldr x4, =words
	add x5, x4, #60
1:	fadd h0, h1, h2                // half, 1
	fadd s0, s1, s2                // single, 1
	fmadd d0, d1, d2, d3           // double, 2
	fmla v0.4s, v1.4s, v2.4s       // single, 8
	fadd v0.2d, v1.2d, v2.2d       // double, 2
	add v0.16b, v1.16b, v2.16b     // 8 bits
	mul v0.4s, v1.4s, v2.4s        // 32 bits
	add v0.2d, v1.2d, v2.2d        // 64 bits
	fadd z0.s, z1.s, z2.s          // single, 4 of 128 bits
	fmla z0.d, p0/m, z1.d, z2.d    // double, 4; predicated
	add z0.h, p0/m, z0.h, z1.h     // 16 bits; predicated
	ldff1w {z0.s}, p0/z, [x1, x2, lsl #2] // predicated, first-fault
	ldr x3, [x4]                   // within a line
	ldr x3, [x5]                   // over the end of a line
	str x3, [x5]
	subs x19, x19, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93
	svc #0
	.balign 64
data:	.space 64
	.bss
	.balign 64
words:	.space 8192
