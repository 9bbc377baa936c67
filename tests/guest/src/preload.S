/* SPDX-License-Identifier: MIT */
/* 64 loads, each in the line 63 lines after the last, which no prefetcher follows; with AHEAD the next one is
 * preloaded before each. So of 65 lines the first is missed by a load, 64 by preloads, the last of which nobody
 * loads. */
	.text
	.global _start
_start:
	ldr	x0, =data
	mov	x9, #64
1:
#ifdef AHEAD
	prfm	pldl1keep, [x0, #4032]
#endif
	ldr	x1, [x0]
	add	x2, x2, x1
	mul	x2, x2, x2
	add	x0, x0, #4032
	subs	x9, x9, #1
	b.ne	1b
	mov	x0, #0
	mov	x8, #93
	svc	#0
	.data
	.quad	1
	.bss
	.balign	4096
data:	.space	4032 * 65
