/* SPDX-License-Identifier: MIT */
/* Two loads of one register, 1000 times: between them an instruction adds 496 to it, which the instruction word does
 * not say (addvl, with vectors of 16 bytes) or which is not decoded (stg). */
	.arch armv8.5-a+sve+memtag
	.globl _start
_start:
	adrp x0, buffer
	ldr x1, [x0] /* how this QEMU accesses it */
	b 1f
1:	mov x9, #1000
2:	ldr x1, [x0]
#ifdef TAG
	stg x0, [x0], #496
#else
	addvl x0, x0, #31
#endif
	ldr x2, [x0]
	add x0, x0, #512
	subs x9, x9, #1
	b.ne 2b
	mov x0, #0
	mov x8, #93
	svc #0

	.bss
	.balign 4096
buffer:	.skip 0x200000
