/* SPDX-License-Identifier: MIT */
/* PMU accesses in an IT block of privileged code that the PMU refuses: Undefined at the access, and nothing behind it in
 * the block has happened yet. Accesses that it takes work there, and a condition that fails makes none. */
#include "check32.inc"
	.arm
	.global _start
_start:
	b reset
	b und
	b .
	b .
	b .
	b .
	b .
	b .
und:	add r8, r8, #1
	mov r9, r3                 @ what the instruction behind the access has done so far
	sub r6, lr, #2             @ the access
	mrs r10, spsr
	add lr, lr, #2             @ behind it, and so in the block's place after it
	bic r5, r10, #0x06000000
	bic r5, r5, #0xfc00
	msr spsr_cxsf, r5          @ out of the block
	movs pc, lr
reset:	ldr r0, =main + 1
	bx r0
	.thumb
	.thumb_func
main:	mov r8, #0
	mov r3, #0
	mov r2, #0
	mov r0, #1
	cmp r0, #0
	itttt ne
	movne r2, #2
e:	mrcne p15, 0, r1, c15, c12, 0  @ an ARM11 has that one
	addne r3, r3, #1
	addne r3, r3, #2
	check 1, r8, 1
	check 2, r9, 0
	check 3, r3, 3             @ the handler goes on behind the access
	check 4, r2, 2
	ldr r5, =e
	cmp r6, r5
	mov r11, #5
	bne fail

	ldr r1, =0x41              @ accesses that are taken, in the same kind of block
	mov r0, #1
	cmp r0, #0
	itete ne
	mcrne p15, 0, r1, c9, c12, 0
	mcreq p15, 0, r0, c9, c12, 0
	mrcne p15, 0, r4, c9, c12, 0
	mrceq p15, 0, r4, c15, c12, 0  @ its condition fails: no exception
	and r4, r4, #1
	check 6, r4, 1
	check 7, r8, 1
	mov r7, #0                 @ twice, from a translation that is there already
again:	cmp r0, #0
	itt ne
	mrcne p15, 0, r1, c15, c12, 0
	addne r3, r3, #4
	add r7, r7, #1
	cmp r7, #2
	bne again
	check 8, r8, 3
	check 9, r3, 11
	pass
	the_end 0xab
