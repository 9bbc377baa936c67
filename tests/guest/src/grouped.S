/* SPDX-License-Identifier: MIT */
/* Of every 256 bytes of 2 MiB two lines are accessed, by instructions whose addresses differ by constants. */
	.globl _start
_start:
	adrp x0, buffer
	ldp x1, x2, [x0] /* how this QEMU splits pairs */
	b 1f
1:	mov x9, #8192
2:	ldp x1, x2, [x0, #16]!
	ldr x3, [x0, #64]
	str x3, [x0, #72]
	ldp x4, x5, [x0, #-16]
	add x0, x0, #240
	subs x9, x9, #1
	b.ne 2b
	mov x0, #0
	mov x8, #93
	svc #0

	.bss
	.balign 4096
buffer:	.skip 0x200000
	.skip 4096
