// SPDX-License-Identifier: MIT
// Reads and writes scattered over 160 KiB, with a branch that is hard to foresee, in a function that is called
// often. In assembly and with nothing but itself in the program, so that no compiler or library decides what runs.
	.bss
	.balign 64
cell:	.skip 163840
	.text
	.globl _start, walk, step
	.type walk, %function
	.type step, %function
	.type _start, %function
step:	mov w4, 25173			// x0: state, x1: cells; the new state is returned
	mul w0, w0, w4
	add w0, w0, 3, lsl 12
	add w0, w0, 1561
	ubfx w2, w0, 4, 15
	ldr w3, [x1, x2, lsl 2]
	tbz w0, 13, 1f
	add w3, w3, w0
	str w3, [x1, x2, lsl 2]
1:	eor w0, w0, w3, lsr 7
	ret
	.size step, . - step
walk:	stp x29, x30, [sp, -32]!
	str x19, [sp, 16]
	mov w19, w0
	mov w0, 1
	adrp x1, cell
	add x1, x1, :lo12:cell
2:	bl step
	subs w19, w19, 1
	b.ne 2b
	ldr x19, [sp, 16]
	ldp x29, x30, [sp], 32
	ret
	.size walk, . - walk
_start:	mov w0, 50000
	bl walk
	mov x0, 0
	mov x8, 93
	svc 0
	.size _start, . - _start
