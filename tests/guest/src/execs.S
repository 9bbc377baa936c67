/* SPDX-License-Identifier: MIT */
/* Executes its first argument, with all its arguments: five instructions, three more if that fails. A64 and A32. */
	.globl _start
_start:
#ifdef __aarch64__
	ldr x0, [sp, #16]
	add x1, sp, #16
	mov x2, #0
	mov x8, #221
	svc #0
	mov x0, #9
	mov x8, #93
	svc #0
#else
	ldr r0, [sp, #8]
	add r1, sp, #8
	mov r2, #0
	mov r7, #11
	svc #0
	mov r0, #9
	mov r7, #1
	svc #0
#endif
