/* SPDX-License-Identifier: MIT */
/* Each exception of AArch32: the mode, the link register, the saved state, the fault's status and address.
 * BASE: where it is loaded. VBAR says where the vectors are. */
#include "check32.inc"
	.arm
	.global _start
	.balign 32
_start:
	b reset
	b und
	b svc
	b pabt
	b dabt
	b .
	b .
	b .

	.macro kind n              @ r10: which exception came; r9: its link register; r8: its saved state
	mov r10, #\n
	mov r9, lr
	mrs r8, spsr
	mrs r7, cpsr
	.endm
und:	kind 1
	movs pc, lr
svc:	kind 2
	movs pc, lr
pabt:	kind 3
	mrc p15, 0, r6, c5, c0, 1
	mrc p15, 0, r5, c6, c0, 2
	cmp r4, #0
	movsne pc, r4              @ where the test wants to go on
	movs pc, lr
dabt:	kind 4
	mrc p15, 0, r6, c5, c0, 0
	mrc p15, 0, r5, c6, c0, 0
	subs pc, lr, #4            @ behind the access

reset:
	ldr r0, =_start
	mcr p15, 0, r0, c12, c0, 0
	mov r4, #0
a:	udf #0
	check 1, r10, 1
	check 2, r9, a + 4
	and r0, r8, #0x1f
	check 3, r0, 0x13
	and r0, r7, #0x9f          @ Undefined mode, IRQ masked
	check 4, r0, 0x9b
b:	svc #7
	check 5, r10, 2
	check 6, r9, b + 4
	mov r1, #0x60000000
c:	str r1, [r1, #4]           @ nothing is there: external abort
	check 7, r10, 4
	check 8, r9, c + 8
	check 9, r5, 0x60000004
	and r6, r6, #0xff
	bic r6, r6, #0xf0
	check 10, r6, 8
	ldr r4, =back
	bx r1                      @ nor there
back:	check 11, r10, 3
	check 12, r9, 0x60000004
	check 13, r5, 0x60000000
	mov r4, #0
d:	bkpt #0
	check 14, r10, 3           @ back behind it: LR is its address + 4
	check 15, r9, d + 4
	and r6, r6, #0xf
	check 16, r6, 2

	@ The MMU: sections of 1 MiB, one to one; 0x50000000 faults; 0xFFF00000 is this RAM, read-only
	ldr r0, =0x40100000
	add r1, r0, #0x4000
	mov r2, #0
1:	str r2, [r0], #4
	cmp r0, r1
	bne 1b
	ldr r0, =0x40100000
	ldr r1, =0xc02             @ section, full access
	str r1, [r0]               @ 0
	mov r2, #0x40000000
	orr r1, r1, r2
	ldr r3, =0x40100000 + 4 * 0x400
	str r1, [r3], #4
	add r1, r1, #0x100000
	str r1, [r3]
	ldr r1, =0x40008402        @ AP[2], AP 01: read-only, privileged
	ldr r3, =0x40100000 + 4 * 0xfff
	str r1, [r3]
	mcr p15, 0, r0, c2, c0, 0
	mov r0, #1
	mcr p15, 0, r0, c3, c0, 0  @ domain 0: client
	mov r0, #0
	mcr p15, 0, r0, c2, c0, 2
	mcr p15, 0, r0, c8, c7, 0
	mrc p15, 0, r0, c1, c0, 0
	orr r0, r0, #1
	orr r0, r0, #0x800000      @ XP, on Armv6
	mcr p15, 0, r0, c1, c0, 0
	isb
	ldr r1, =0x50000000
e:	ldr r0, [r1, #8]
	check 17, r10, 4
	check 18, r9, e + 8
	check 19, r5, 0x50000008
	ldr r0, =0x40f
	and r6, r6, r0
	check 20, r6, 5            @ translation fault, section
	ldr r1, =0xfff00000
	ldr r0, [r1]
	ldr r2, =_start
	ldr r2, [r2]
	cmp r0, r2                 @ the same memory, if that is at 0x40000000
	mov r10, #0
	ldr r1, =0xfff00010
f:	stm r1, {r0, r2}
	check 21, r10, 4
	check 22, r5, 0xfff00010
	ldr r0, =0xc0f
	and r6, r6, r0
	check 23, r6, 0x80d        @ permission, section; a write
	pass
	the_end
