/* SPDX-License-Identifier: MIT */
/*
 * A64 operations, a hundred turns of a loop that has a known number of each: operations.sh has the numbers.
 */
	.arch armv8.4-a+sve2+fp16fml
	.global _start
	.text
_start:	mov	x19, #100
	adrp	x20, buffer
	add	x20, x20, :lo12:buffer
	mov	x21, #0
	ptrue	p0.s
	ptrue	p1.d
	dup	z20.s, #0
	dup	z21.d, #0
	mov	z23.d, x20
loop:
	/* scalar floating point: 2 divisions, 1 root, 3 multiply-adds, 1 multiplication, 2 additions, 3 conversions */
	fdiv	s0, s1, s2
	fdiv	d0, d1, d2
	fsqrt	d0, d1
	fmadd	s0, s1, s2, s3
	fmsub	d0, d1, d2, d3
	fnmadd	d0, d1, d2, d3
	fmul	d0, d1, d2
	fnmul	s0, s1, s2	/* none: not in the list of DDI0487 D14.3, FP_MUL_SPEC */
	fadd	d0, d1, d2
	fsub	s0, s1, s2
	fcvt	d0, s1
	scvtf	d0, x21
	fcvtzs	x1, d1
	fmov	x1, d1		/* none */
	fmov	d1, d2
	/* Advanced SIMD floating point: 1 each, 4 multiply-adds, 2 estimates, 3 conversions, a pairwise sum, a maximum */
	fdiv	v0.4s, v1.4s, v2.4s
	fsqrt	v0.2d, v1.2d
	fmla	v0.4s, v1.4s, v2.4s
	fmls	v0.2d, v1.2d, v2.d[0]
	fcmla	v0.4s, v1.4s, v2.s[1], #90
	fmlal	v0.4s, v1.4h, v2.4h
	fmul	v0.4s, v1.4s, v2.4s
	fadd	v0.4s, v1.4s, v2.4s
	frecpe	v0.4s, v1.4s
	frsqrte	d0, d1
	fcvtl	v0.2d, v1.2s
	scvtf	v0.4s, v1.4s
	fcvtzs	d0, d1
	faddp	v0.4s, v1.4s, v2.4s	/* no addition: not in the list of DDI0487 D14.3, FP_ADDSUB_SPEC */
	fmaxv	s0, v1.4s
	/* integers: 3 divisions, two of 64 bits; 4 multiplications, two of 64 bits, one of them for the upper half */
	sdiv	w1, w2, w3
	udiv	x1, x2, x3
	sdiv	x1, x2, x3
	mul	w1, w2, w3
	madd	x1, x2, x3, x4
	smull	x1, w2, w3
	smulh	x1, x2, x3
	/* Advanced SIMD integers: 4 multiplications, 1 sum of a vector, 1 dot product */
	mul	v0.4s, v1.4s, v2.4s
	mla	v0.8h, v1.8h, v2.h[1]
	smull	v0.4s, v1.4h, v2.4h
	sqrdmlah	v0.8h, v1.8h, v2.8h
	addv	s0, v1.4s
	sdot	v0.4s, v1.16b, v2.16b
	/* SVE: floating point 1 each but 2 multiply-adds and 2 estimates; 1 FEXPA, 1 FTSSEL; 1 pairwise sum */
	fdiv	z0.s, p0/m, z0.s, z2.s
	fsqrt	z0.d, p1/m, z1.d
	fmla	z0.s, p0/m, z1.s, z2.s
	fmad	z0.d, p1/m, z1.d, z2.d
	fmul	z0.s, z1.s, z2.s
	fsub	z0.d, z1.d, z2.d
	frecpe	z0.s, z1.s
	frsqrte	z0.d, z1.d
	fcvt	z0.d, p1/m, z1.s
	fadda	d0, p1, d0, z1.d
	fmaxv	s0, p0, z1.s
	faddp	z0.s, p0/m, z0.s, z1.s
	fexpa	z0.s, z1.s
	ftssel	z0.d, z1.d, z2.d
	/* SVE integers: a division of 64 bits, 3 multiplications, one of 64 bits, 1 sum, 1 dot product */
	sdiv	z0.d, p1/m, z0.d, z2.d
	mul	z0.s, p0/m, z0.s, z2.s
	mad	z0.d, p1/m, z1.d, z2.d
	sqrdmlah	z0.s, z1.s, z2.s
	uaddv	d0, p0, z1.s
	sdot	z0.s, z1.b, z2.b
	movprfx	z5, z6
	add	z5.d, p1/m, z5.d, z7.d
	movprfx	z5.d, p1/z, z6.d
	add	z5.d, p1/m, z5.d, z7.d
	movprfx	z5.d, p1/m, z6.d
	add	z5.d, p1/m, z5.d, z7.d
	cmpeq	p2.s, p0/z, z1.s, z2.s
	fcmge	p2.d, p1/z, z1.d, z2.d
	and	p3.b, p0/z, p0.b, p1.b
	cntp	x1, p0, p1.s		/* 3 counts of a predicate, two to a general register */
	incp	x1, p1.s
	incp	z0.s, p1
	brkas	p3.b, p0/z, p1.b	/* 2 tests of a loop: this and WHILELO */
	ptest	p0, p1.b	/* none */
	whilelo	p3.s, x21, x19
	ctermeq	x21, x19
	/* loads and stores: of general registers 3 and 2, of vector registers 2 and 1, structures 3 (2 of several) and 2 (1) */
	ldr	x1, [x20]
	ldrb	w1, [x20, #1]
	ldp	x1, x2, [x20]
	str	x1, [x20]
	stp	x1, x2, [x20, #16]
	ldr	q0, [x20]
	ldr	d0, [x20]
	str	q0, [x20]
	ld1	{v0.4s}, [x20]
	ld2	{v0.4s, v1.4s}, [x20]
	ld1	{v0.4s, v1.4s}, [x20]
	st1	{v0.4s}, [x20]
	st3	{v0.4s, v1.4s, v2.4s}, [x20]
	prfm	pldl1keep, [x20]
	/* SVE: LDR, STR of a vector and of a predicate; contiguous 3 loads (1 non-temporal), 2 stores (1); 1 + 1 of two
	 * vectors; a broadcast, which is contiguous too; gathers by 32 and 64 bits, a scatter by 64; 2 + 1 prefetches */
	ldr	z0, [x20]
	ldr	p4, [x20]
	str	z0, [x20]
	str	p4, [x20]
	ld1w	{z0.s}, p0/z, [x20]
	ld1w	{z0.s}, p0/z, [x20, x21, lsl #2]
	ldnt1w	{z0.s}, p0/z, [x20]
	ld1rw	{z0.s}, p0/z, [x20]
	st1w	{z0.s}, p0, [x20]
	stnt1w	{z0.s}, p0, [x20]
	ld2w	{z0.s, z1.s}, p0/z, [x20]
	st2w	{z0.s, z1.s}, p0, [x20]
	ld1w	{z0.s}, p0/z, [x20, z20.s, uxtw]
	ld1d	{z0.d}, p1/z, [x20, z21.d]
	st1d	{z0.d}, p1, [z23.d]
	prfw	pldl1keep, p0, [x20]
	prfw	pldl1keep, p0, [x20, x21, lsl #2]
	prfd	pldl1keep, p1, [x20, z21.d, lsl #3]
	subs	x19, x19, #1
	b.ne	loop
	mov	x0, #0
	mov	x8, #93
	svc	#0
	.bss
	.balign	256
buffer:	.skip	4096
