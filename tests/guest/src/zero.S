/* SPDX-License-Identifier: MIT */
/* Sixteen lines zeroed by DC ZVA, whose address comes from: an access and a rounding before the loop (as in a C
 * library's memset); the code alone; a register that is unknown under QEMU, if UNKNOWN. Then the lines are loaded,
 * zeroed once more, in L1, and loaded again. Blocks of 64 bytes. */
	.macro zero_lines
	mov x2, #16
1:	dc zva, x3
	add x3, x3, #64
	subs x2, x2, #1
	b.ne 1b
	.endm
	.macro load_lines
	mov x2, #16
	adrp x3, data
1:	ldr x1, [x3], #64
	subs x2, x2, #1
	b.ne 1b
	.endm
	.text
	.global _start
_start:
#ifdef CALL /* a line of a page that brk() gives: the call changes a register that was known */
	mov x0, #0
	mov x8, #214
	svc #0
	add x0, x0, #8192
	svc #0
	sub x0, x0, #4096
	dc zva, x0
	mov x0, #0
	mov x8, #93
	svc #0
#endif
	adrp x0, data
#ifdef UNKNOWN
	mov x4, #24
	add x3, x0, x4
#else
	add x0, x0, #24
	str xzr, [x0, #-24]!
	and x3, x0, #-64
#endif
	zero_lines
	load_lines
	adrp x3, data
	zero_lines
	load_lines
	mov x0, #0
	mov x8, #93
	svc #0
	.bss
	.balign 4096
data:	.space 4096
