/* SPDX-License-Identifier: MIT */
/* Exceptions from within an IT block: undefined instruction and supervisor call go back into the block, and what follows
 * it is taken again as ever: a supervisor call in A32 code that was not translated before. */
#include "check32.inc"
	.arm
	.global _start
_start:
	b reset
	b und
	b svc
	b .
	b .
	b .
	b .
	b .
und:	add r8, r8, #1
	mrs r6, spsr
	svc #1                     @ in fresh A32 code
	movs pc, lr
svc:	add r9, r9, #1
	movs pc, lr
reset:	ldr r0, =main + 1
	bx r0
	.thumb
	.thumb_func
main:	mov r7, #0
	mov r8, #0
	mov r9, #0
	cmp r0, #0
	itete ne
	movne r1, #1
	moveq r1, #2
	.inst.n 0xde00             @ udf: the handler goes on behind it without moving the block's state on, so
	.inst.n 0x3701             @ this add r7, #1 takes its place in the block
	.inst.n 0x3702             @ and this add r7, #2 is the one that does not
	cmp r0, #0
	itt ne
	svcne #2
	movne r2, #3
	svc #3
	check 1, r1, 1
	check 2, r8, 1
	check 5, r7, 1
	check 3, r9, 3
	check 4, r2, 3
	pass
	the_end 0xab
