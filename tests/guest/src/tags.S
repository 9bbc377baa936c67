/* SPDX-License-Identifier: MIT */
/* Memory with allocation tags, all of them 0 (FEAT_MTE): 100 turns with checks, then 100 without. */
	.arch armv8.5-a+memtag
	.globl _start
_start:
	mov x1, #3                     // PR_TAGGED_ADDR_ENABLE, PR_MTE_TCF_SYNC
	bl control
	mov x2, #0x23                  // PROT_READ, PROT_WRITE, PROT_MTE
	bl map
	mov x19, x0
	mov x2, #0x3
	bl map
	mov x20, x0
	add x0, x19, #4096
	mov sp, x0
	bl turns
	mov x1, #1                     // faults are ignored
	bl control
	bl turns
	mov x0, #0
	mov x8, #93
	svc #0

turns:	mov x9, #100
1:	ldr x1, [x19]                  // a checked read
	str x1, [x19, #8]              // a checked write
	ldadd x1, x2, [x19]            // both
	str x1, [sp, #-16]!            // SP is written: a checked write
	ldr x1, [sp], #16              // a checked read
	ldr x1, [sp]                   // not checked
	ldr x1, here                   // not checked
	ldr x1, [x20]                  // no tags there
	str x1, [x20]
	ldg x1, [x19]                  // of the tags themselves
	subs x9, x9, #1
	b.ne 1b
	ret

control: mov x0, #55                   // prctl(PR_SET_TAGGED_ADDR_CTRL)
	mov x8, #167
	mov x2, #0
	mov x3, #0
	mov x4, #0
	svc #0
	cbnz x0, wrong
	ret

map:	mov x0, #0
	mov x1, #8192
	mov x3, #0x22                  // MAP_PRIVATE, MAP_ANONYMOUS
	mov x4, #-1
	mov x5, #0
	mov x8, #222
	svc #0
	cmn x0, #4095
	b.hs wrong
	ret

wrong:	mov x0, #1
	mov x8, #93
	svc #0
	.balign 8
here:	.quad 0
