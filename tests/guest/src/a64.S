/* SPDX-License-Identifier: MIT */
/* AArch64: a loop, pairs, exclusives, a call, DC ZVA (for which QEMU makes no access). */
	.globl _start
_start:
	adrp x0, data            // 1
	add x0, x0, :lo12:data   // 1
	mov w4, #1000            // 1
1:	ldp x1, x2, [x0]         // 1000 times: seven, leaf's two, two to loop
	stp x1, x2, [x0, #16]
	ldxr x5, [x0]
	stxr w6, x5, [x0]
	ldr q0, [x0, #32]
	strb w5, [x0, #8]
	bl leaf
	subs w4, w4, #1
	b.ne 1b
	dc zva, x0               // 1
	mov x0, #9               // 1
	mov x8, #93              // 1
	svc #0                   // 1
leaf:	add x3, x3, #1
	ret
	.data
	.balign 4096
data:	.space 4096
