/* SPDX-License-Identifier: MIT */
/* Every AArch32 family: adjacent reads of the cycle counter differ, whatever the core issues at once; what an exception
 * return costs is counted; an instruction written over in the block that runs is the new one after the barriers. ARM11,
 * XSC1, XSC2: the PMU; else Armv7's. Exit status: the number of the first check that fails. */
#include "check32.inc"
	.arm
#if defined ARM11
	.macro cycles reg
	mrc p15, 0, \reg, c15, c12, 1
	.endm
	.macro control reg
	mcr p15, 0, \reg, c15, c12, 0
	.endm
#elif defined XSC1
	.macro cycles reg
	mrc p14, 0, \reg, c1, c0, 0
	.endm
	.macro control reg
	mcr p14, 0, \reg, c0, c0, 0
	.endm
#elif defined XSC2
	.macro cycles reg
	mrc p14, 0, \reg, c1, c1, 0
	.endm
	.macro control reg
	mcr p14, 0, \reg, c0, c1, 0
	.endm
#else
	.macro cycles reg
	mrc p15, 0, \reg, c9, c13, 0
	.endm
	.macro control reg
	mcr p15, 0, \reg, c9, c12, 0
	.endm
#endif
	.macro increases n, from, to
	mov r11, #\n
	cmp \to, \from
	bls fail
	.endm
	.global _start
_start:
#if !defined ARM11 && !defined XSC1 && !defined XSC2
	mov r0, #0x80000000
	mcr p15, 0, r0, c9, c12, 1
#endif
	mov r0, #5                 /* E and the cycle counter's reset, in every family */
	control r0
	nop                        /* ARM11 starts three cycles later */
	nop
	nop
	nop
	mov r9, #50                /* cold and warm caches, trained and untrained predictors */
1:	cycles r2
	cycles r3
	cycles r4
	cycles r5
	increases 1, r2, r3
	increases 2, r3, r4
	increases 3, r4, r5
	subs r9, r9, #1
	bne 1b

	/* an exception return takes time, and what it leads to is counted */
	mrs r0, cpsr
	msr spsr_cxsf, r0
	ldr lr, =2f
	cycles r2
	movs pc, lr
	b fail
2:	cycles r3
	increases 4, r2, r3
	sub r3, r3, r2
	cmp r3, #2                 /* the read and the return */
	mov r11, #5
	blo fail

	/* the third turn writes over what stands behind it in the block */
	mov r9, #3
	mov r0, #0
	ldr r6, =3f
	ldr r7, new
1:	cmp r9, #1
	streq r7, [r6]
	mcr p15, 0, r0, c7, c10, 4 /* data synchronization */
	mcr p15, 0, r0, c7, c5, 0  /* instruction cache */
#if defined XSC1 || defined XSC2
	mrc p15, 0, r0, c2, c0, 0  /* XScale's way to wait for it */
	mov r0, r0
	sub pc, pc, #4
#else
	mcr p15, 0, r0, c7, c5, 4  /* prefetch flush */
#endif
3:	mov r5, #1
	cmp r9, #1
	addne r8, r5, #0
	subs r9, r9, #1
	bne 1b
	check 6, r8, 1
	check 7, r5, 7
	pass
new:	mov r5, #7
	the_end
