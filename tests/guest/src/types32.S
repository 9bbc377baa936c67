/* SPDX-License-Identifier: MIT */
/* A32 and T32: types of data of VFP and Advanced SIMD, 100 times. */
	.syntax unified
	.arch armv8-a
	.fpu neon-fp-armv8
	.arm
	.globl _start
_start:	mov r9, #100
1:	vadd.f32 s0, s1, s2            // single, 1
	vmla.f64 d0, d1, d2            // double, 2
	vcmp.f64 d0, d1                // double, 1
	vmla.f32 q0, q1, q2            // single, 8
	vadd.i8 q0, q1, q2             // 8 bits
	vmull.s16 q0, d1, d2           // 32 bits, of 16
	vmov.i32 q0, #1                // of no type
	vmov s0, r1                    // likewise
	blx t32
	subs r9, r9, #1
	bne 1b
	mov r0, #0
	mov r7, #1
	svc #0

	.thumb
	.type t32, %function
t32:	vmul.f32 d0, d1, d2            // single, 2
	vdiv.f64 d0, d1, d2            // double, 1
	vadd.i64 q0, q1, q2            // 64 bits
	bx lr
