/* SPDX-License-Identifier: MIT */
/* A64: every way to say a preload's address, each in a line of its own, 63 lines apart; then each line is loaded.
 * Ten lines by preloads; a NULL pointer's preload, one of a kind that Arm leaves free and one of code bring none. */
	.equ	step, 4032
	.text
	.global _start
_start:
	ldr	x0, =data + 256
	mov	w4, #-1
	mov	x5, #0
	add	x6, x0, #1, lsl #12
	add	x6, x6, #step * 2 - 4096
	prfm	pldl1keep, [x0, #step]          /* 1 */
	prfum	pldl1strm, [x6, #-5]            /* 2, the line before */
	mov	x1, #step * 3
	prfm	pldl1keep, [x0, x1]             /* 3 */
	mov	x1, #step * 4 / 8
	prfm	pstl1keep, [x0, x1, lsl #3]     /* 4 */
	movk	x1, #5, lsl #32
	movk	x1, #step * 5 / 8
	prfm	pldl1keep, [x0, w1, uxtw #3]    /* 5 */
	mov	x1, #step * 6
	prfm	pldl1keep, [x0, w1, sxtw]       /* 6 */
	add	x2, x0, #7, lsl #12
	prfm	pldl1keep, [x2, w4, sxtw #3]    /* 7: 4096 * 7 - 8 */
	mov	x7, sp
	mov	sp, x0
	mov	x1, #step * 8
	prfm	pldl1keep, [sp, x1]             /* 8 */
	mov	sp, x7
	prfm	pldl1keep, near                 /* 9 */
	mov	x2, #step * 10
	add	x2, x0, x2
	mov	x1, #-8
	prfm	pldl1keep, [x2, x1, sxtx #3]    /* 10 */
	prfm	pldl1keep, [x5]
	prfm	#6, [x0, #step * 8]
	prfm	plil1keep, [x0, #step * 7]
#ifdef LOADS
	ldr	x1, [x0, #step]
	ldurb	w1, [x6, #-5]
	ldr	x1, [x0, #step * 3]
	ldr	x1, [x0, #step * 4]
	ldr	x1, [x0, #step * 5]
	ldr	x1, [x0, #step * 6]
	ldr	x1, [x0, #4096 * 7 - 8]
	ldr	x1, [x0, #step * 8]
	ldr	x1, near
	ldur	x1, [x2, #-64]
#endif
	mov	x0, #0
	mov	x8, #93
	svc	#0
	.balign	512
near:	.quad	1
	.balign	64
	.ltorg
	.data
	.quad	1
	.bss
	.balign	4096
data:	.space	4032 * 12
