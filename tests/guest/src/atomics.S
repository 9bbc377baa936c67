/* SPDX-License-Identifier: MIT */
/* 1000 rounds of LDADD, SWP, CAS, STADD and a load. With -DTHREADED the process first makes a thread, which ends. */
	.arch armv8.1-a
	.text
	.global _start
_start:
#ifdef THREADED
	mov x8, #220 /* clone: CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */
	mov x0, #0x0f00
	movk x0, #5, lsl #16
	adrp x1, top
	add x1, x1, :lo12:top
	mov x2, #0
	mov x3, #0
	mov x4, #0
	svc #0
	cbnz x0, 1f
	mov x0, #0
	mov x8, #93
	svc #0
1:
#endif
	adrp x1, word
	add x1, x1, :lo12:word
	mov x2, #1000
	mov x3, #1
	.balign 64
2:	ldadd x3, x4, [x1]
	swp x3, x4, [x1]
	cas x4, x3, [x1]
	stadd x3, [x1]
	ldr x4, [x1]
	subs x2, x2, #1
	b.ne 2b
	mov x0, #0
	mov x8, #94
	svc #0
	.bss
	.balign 64
word:	.skip 64
	.skip 4096
top:
