/* SPDX-License-Identifier: MIT */
/* A program that has Hyp mode: how it gets there and back, its vectors with their syndromes, what it traps and keeps
 * of the PMU, its filter, the PMU's interrupt there, its page tables. Exit status: the number of the first check that
 * fails. FIQ: run with --fiq. MONITOR: it starts in Secure Supervisor mode, and goes on to what SCR has to do with
 * Hyp mode.
 *
 * hvc #1 from below calls the function in r0 in Hyp mode. What else comes to a Hyp vector is noted (r8 its offset, r9
 * HSR, r10 ELR_hyp, r7 SPSR_hyp), and skipped unless it is a call or an interrupt; a fetch goes on at r6. What comes to
 * PL1's vectors: r8 is 0x100 and more. */
#include "check32.inc"
#ifdef V8
#define IL 0x02000000              /* of what has no instruction to tell the size of: RES1; 0 on Armv7 */
#else
#define IL 0
#endif
#ifdef FIQ                         /* the PMU's line is FIQ, not IRQ */
#define VECTOR  0x1c
#define ROUTE   0x08               /* HCR.FMO */
#define MASK    0x40
#define UNMASK  cpsie f
#define REMASK  cpsid f
#else
#define VECTOR  0x18
#define ROUTE   0x10
#define MASK    0x80
#define UNMASK  cpsie i
#define REMASK  cpsid i
#endif
	.arch_extension virt
	.arch_extension sec
	.macro in_hyp what
	ldr r0, =\what
	hvc #1
	.endm
	.macro eret_to state, where
	ldr r0, =\where
	msr ELR_hyp, r0
	ldr r0, =\state
	msr spsr_cxsf, r0
	eret
	.endm
	.macro hcr op, reg
	\op p15, 4, \reg, c1, c1, 0
	.endm
	.macro hdcr op, reg
	\op p15, 4, \reg, c1, c1, 1
	.endm
	.macro pmcr op, reg
	\op p15, 0, \reg, c9, c12, 0
	.endm
	/* an event counter's number, type or value */
	.macro counter op, n, opc2, reg
	mov r12, #\n
	mcr p15, 0, r12, c9, c12, 5
	\op p15, 0, \reg, c9, c13, \opc2
	.endm
	.macro type n, value
	ldr r1, =\value
	counter mcr, \n, 1, r1
	.endm

	.global _start
_start:
#ifdef MONITOR
	ldr r0, =vectors_m
	mcr p15, 0, r0, c12, c0, 1 /* MVBAR */
	cps #0x16
	ldr r0, =0x101             /* SCR: NS, HCE */
	mcr p15, 0, r0, c1, c1, 0
	ldr r0, =0x1da
	msr spsr_cxsf, r0
	ldr lr, =at_hyp
	movs pc, lr
at_hyp:
#endif
	mrs r0, cpsr
	and r0, r0, #0xff
	check 1, r0, 0xda
	ldr r0, =vectors_h
	mcr p15, 4, r0, c12, c0, 0 /* HVBAR */
	ldr r0, =vectors
	mcr p15, 0, r0, c12, c0, 0 /* VBAR */
	pmcr mrc, r4
	lsr r4, r4, #11
	and r4, r4, #0x1f
	hdcr mrc, r0               /* HPMN: all counters */
	cmp r0, r4
	mov r11, #2
	bne fail

	/* exceptions in Hyp mode itself */
	hvc #5
	check 3, r8, 0x08
	check 4, r9, 0x4a000005
	check 5, r7, 0x600001da
	svc #3
	check 6, r8, 0x08
	check 7, r9, 0x46000003
a:	.word 0xe7f000f0           /* undefined */
	check 8, r8, 0x04
	check 9, r9, IL
	ldr r0, =a
	cmp r10, r0
	mov r11, #10
	bne fail
	bkpt #9
	check 11, r8, 0x0c
	check 12, r9, 0x84000022 | IL
	ldr r0, =0xf0000000
	ldr r1, [r0]
	check 13, r8, 0x10
	check 14, r9, 0x94000010 | IL
	mrc p15, 4, r1, c6, c0, 0  /* HDFAR */
	check 15, r1, 0xf0000000
	str r1, [r0, #4]
	check 16, r9, 0x94000050 | IL
	ldr r6, =b
	bx r0
b:	check 17, r8, 0x0c
	check 18, r9, 0x84000010 | IL
	mrc p15, 4, r1, c6, c0, 2  /* HIFAR */
	check 19, r1, 0xf0000000
	check 20, r10, 0xf0000000

	/* registers of the other modes */
	ldr r0, =0x40210000
	msr SP_svc, r0
	ldr r0, =0x40220000
	msr SP_irq, r0
	ldr r0, =0x40230000
	msr SP_usr, r0
	ldr r0, =0x60000010
	msr SPSR_irq, r0
	ldr sp, =0x40240000
	mrs r1, SPSR_irq
	check 21, r1, 0x60000010
	eret_to 0x1d3, in_svc
in_svc:	mrs r0, cpsr
	and r0, r0, #0xff
	check 22, r0, 0xd3
	mov r0, sp
	check 23, r0, 0x40210000
	in_hyp own_stack
	check 24, r1, 0x40240000 - 4 /* lr is on it */

	/* calls from below */
c:	hvc #7
	check 25, r8, 0x14
	check 26, r9, 0x4a000007
	check 27, r7, 0x600001d3
	ldr r0, =c + 4
	cmp r10, r0
	mov r11, #28
	bne fail
	mov r8, #0
	mrc p15, 4, r0, c12, c0, 0 /* HVBAR: undefined here */
	check 29, r8, 0x104
	msr cpsr_c, #0xda          /* nor is Hyp mode reached so */
	mrs r0, cpsr
	and r0, r0, #0x1f
	check 30, r0, 0x13
	svc #3
	check 31, r8, 0x108

	/* HPMN: PL1 has two counters */
	in_hyp hpmn2
	pmcr mrc, r1
	lsr r1, r1, #11
	and r1, r1, #0x1f
	check 32, r1, 2
	in_hyp read_n
	cmp r1, r4
	mov r11, #33
	bne fail
	/* TPM and TPMCR, with the condition of the access */
	in_hyp tpm
	mov r5, #77
d:	mrc p15, 0, r5, c9, c13, 0
	check 34, r8, 0x14
	check 35, r9, 0x0fe024bb   /* CRn 9, CRm 13, Rt 5, read */
	check 36, r5, 77
	ldr r0, =d
	cmp r10, r0
	mov r11, #37
	bne fail
	cmp r0, r0
	mrceq p15, 0, r5, c9, c13, 0
	check 38, r9, 0x0f0024bb
	mov r8, #0
	cmp r0, r0
	mrcne p15, 0, r5, c9, c13, 0
	check 39, r8, 0
	in_hyp tpmcr
	mov r8, #0
	mov r6, #0
	mcr p15, 0, r6, c9, c12, 1
	check 40, r8, 0
	pmcr mcr, r6
	check 41, r8, 0x14
	check 42, r9, 0x0fe024d8   /* CRn 9, CRm 12, Rt 6, write */
	in_hyp opened
	/* HSTR.T9 */
	in_hyp hstr9
	mcr p15, 0, r6, c9, c12, 1
	check 43, r9, 0x0fe224d8   /* opc2 1 */
	in_hyp no_hstr
	mov r8, #0
	mcr p15, 0, r6, c9, c12, 1
	check 44, r8, 0

	/* what is counted: INST_RETIRED at PL1, in Hyp mode, in User mode */
	type 0, 0x40000008         /* U */
	in_hyp types
	mov r1, #7
	mcr p15, 0, r1, c9, c12, 1
	ldr r0, =counting
	ldr r2, =0x1d0
	msr spsr_cxsf, r2
	ldr lr, =in_user
	pmcr mcr, r1               /* E, P, C */
	hvc #1                     /* PL1: 1; Hyp: 11 with the function's */
	movs pc, lr                /* PL1: 1 */
in_user:
	nop                        /* User: 3 */
	nop
	svc #0x11                  /* goes on at PL1: 6 there */
	mov r1, #0                 /* PL1: 2 */
	pmcr mcr, r1
	counter mrc, 0, 2, r1
	check 45, r1, 1 + 1 + 6 + 2
	in_hyp read_types
	check 46, r1, 11
	check 47, r2, 3
	check 48, r3, 3            /* by HDCR.HPME */

	/* TGE: User mode's exceptions come to Hyp mode */
	in_hyp tge
	svc #3                     /* in User mode from here */
	check 49, r8, 0x14
	check 50, r9, 0x46000003
	.word 0xe7f000f0
	check 51, r8, 0x14
	check 52, r9, IL
	bkpt #1
	check 53, r8, 0x14
	check 54, r9, 0x80000022 | IL
	svc #0x22                  /* the handler clears TGE and comes back in Supervisor mode */
	mrs r0, cpsr
	and r0, r0, #0x1f
	check 55, r0, 0x13

	/* what HCR traps of PL1 */
	in_hyp traps
	mcr p15, 0, r3, c2, c0, 0  /* TVM */
	check 56, r8, 0x14
	check 57, r9, 0x0fe00860
	mrc p15, 0, r5, c0, c1, 2  /* TID3 */
	check 58, r9, 0x0fe400a3
	wfi                        /* TWI */
	check 59, r9, 0x07e00000
	wfe                        /* TWE */
	check 60, r9, 0x07e00001
e:	smc #4                     /* TSC */
	check 61, r9, 0x4e000000
	ldr r0, =e
	cmp r10, r0
	mov r11, #62
	bne fail
	ldr r12, =t_smc + 1
	blx r12                    /* in an IT block */
	check 78, r9, 0x4e000000
	in_hyp no_traps
	mov r8, #0
	mrc p15, 0, r5, c0, c1, 2
	check 63, r8, 0

	/* the interrupt: Hyp mode takes it by IMO although PL1 masks it, before the next instruction */
	in_hyp imo
	in_hyp overflow            /* due with the instruction behind the call */
	nop
f:	nop
	nop
	check 64, r8, VECTOR
	ldr r0, =f
	cmp r10, r0
	mov r11, #65
	bne fail
	in_hyp no_imo
	in_hyp overflow
	nop
	nop
	check 66, r8, 0x14         /* that call: the interrupt is masked */
	mov r6, #0
	UNMASK
	nop
	check 67, r6, 0x118
	REMASK
	in_hyp unmasked            /* Hyp mode takes what comes there, IMO or not */
	check 68, r3, VECTOR
	/* back in Hyp mode for good */
	in_hyp stay
	nop
stays:	mrs r0, cpsr
	and r0, r0, #0x1f
	check 69, r0, 0x1a

	/* Hyp's own tables: 1 GiB blocks, RAM at its place and again at 0x80000000, read-only at 0xc0000000 */
	ldr r0, =0xff              /* HMAIR0 */
	mcr p15, 4, r0, c10, c2, 0
	ldr r0, =0x80800000        /* HTCR: RES1 bits, T0SZ 0 */
	mcr p15, 4, r0, c2, c0, 2
	ldr r0, =tables
	mov r1, #0
	mcrr p15, 4, r0, r1, c2    /* HTTBR */
	mcr p15, 4, r0, c8, c7, 0  /* TLBIALLH */
	dsb
	isb
	mrc p15, 4, r0, c1, c0, 0
	orr r0, r0, #1
	mcr p15, 4, r0, c1, c0, 0
	isb
	ldr r0, =fail_block
	ldr r1, =0x12345678
	str r1, [r0]
	add r0, r0, #0x40000000
	ldr r2, [r0]
	check 70, r2, 0x12345678
	mov r0, #0x100
	ldr r2, [r0]
	check 71, r8, 0x10
	check 72, r9, 0x94000005 | IL
	mrc p15, 4, r1, c6, c0, 0
	check 73, r1, 0x100
	ldr r0, =fail_block + 0x80000000
	ldr r2, [r0]
	check 74, r2, 0x12345678
	str r1, [r0]
	check 75, r9, 0x9400004d | IL
	add pc, pc, #0x40000000    /* the alias is executed, too */
	nop
	nop
	hvc #2
	check 76, r8, 0x08
	lsr r10, r10, #30
	check 77, r10, 2
	ldr lr, =1f
	bx lr
1:	mrc p15, 4, r0, c1, c0, 0
	bic r0, r0, #1
	mcr p15, 4, r0, c1, c0, 0
	isb

#ifdef MONITOR
	/* SMC from Hyp mode; SCR.IRQ; SCR.HCE clear: HVC is undefined below */
	mov r5, #0
	smc #0
	check 80, r5, 1
	mov r5, #0
	ldr r12, =t_call + 1
	blx r12
	check 84, r5, 1
	ldr r0, =0x103             /* NS, IRQ, HCE */
	smc #1
	eret_to 0x1d3, m1
m1:	cpsie i
	in_hyp overflow
	nop
	nop
	check 81, r5, 3
	cpsid i
	ldr r0, =0x81              /* NS, SCD */
	smc #1
	mov r8, #0
	hvc #1
	check 82, r8, 0x104
	mov r8, #0
	smc #0
	check 83, r8, 0x104
#endif
	pass

	.thumb
t_smc:	mov r9, #0
	cmp r9, r9
	ite ne
	movne r9, #1
	smceq #4
	bx lr
t_call:	cmp r5, r5
	it eq
	smceq #0
	bx lr
	.arm
/* Functions for Hyp mode: r12 and what they return are theirs. */
own_stack:
	mov r1, sp
	bx lr
hpmn2:	mov r1, #2
	b set_hdcr
tpm:	mov r1, #0x42
	b set_hdcr
tpmcr:	mov r1, #0x22
	b set_hdcr
opened:	mov r1, #2
set_hdcr:
	hdcr mcr, r1
	bx lr
read_n:	pmcr mrc, r1
	lsr r1, r1, #11
	and r1, r1, #0x1f
	bx lr
hstr9:	mov r1, #0x200
	mcr p15, 4, r1, c1, c1, 3
	bx lr
no_hstr:
	mov r1, #0
	mcr p15, 4, r1, c1, c1, 3
	bx lr
types:	mov r1, #0x83              /* HPME; three counters are PL1's */
	hdcr mcr, r1
	type 1, 0xc8000008         /* P, U, NSH */
	type 2, 0x80000008         /* P */
	type 3, 0x80000008
	mov r1, #8
	mcr p15, 0, r1, c9, c12, 1
	bx lr
counting:
	bx lr
read_types:
	counter mrc, 1, 2, r1
	counter mrc, 2, 2, r2
	counter mrc, 3, 2, r3
	mov r12, #2
	hdcr mcr, r12
	bx lr
tge:	mov r1, #0x08000000
	hcr mcr, r1
	mrs r1, spsr
	bic r1, r1, #3
	msr spsr_cxsf, r1
	bx lr
traps:	ldr r1, =0x040c6000        /* TVM, TSC, TID3, TWE, TWI */
	hcr mcr, r1
	bx lr
no_traps:
no_imo:	mov r1, #0
	hcr mcr, r1
	bx lr
imo:	mov r1, #ROUTE
	hcr mcr, r1
	bx lr
	/* the cycle counter's flag and interrupt, some instructions on: --cpi 1 */
overflow:
	mov r1, #0x80000000
	mcr p15, 0, r1, c9, c12, 1
	mcr p15, 0, r1, c9, c14, 1
	mov r12, #31
	mcr p15, 0, r12, c9, c12, 5
	mov r12, #0x08000000       /* NSH: Hyp mode too */
	mcr p15, 0, r12, c9, c13, 1
	mvn r1, #3
	mcr p15, 0, r1, c9, c13, 0
	mov r1, #1
	pmcr mcr, r1
	bx lr
unmasked:
	push {lr}
	bl overflow
	nop
	nop
	nop
	mrs r5, ELR_hyp
	mrs r6, spsr
	mrs r2, cpsr
	bic r1, r2, #MASK
	mov r8, #0
	msr cpsr_c, r1
	nop
	msr cpsr_c, r2
	msr ELR_hyp, r5
	msr spsr_cxsf, r6
	mov r3, r8
	pop {pc}
stay:	eret_to 0x1da, stays

	.balign 32
vectors:
	b .
	b undefined
	b call
	b .
	b .
	b .
	b interrupt
	b interrupt
undefined:
	ldr r8, =0x104
	movs pc, lr
call:	ldr r8, [lr, #-4]
	bic r8, r8, #0xff000000
	cmp r8, #0x11
	ldr r8, =0x108
	moveq pc, lr
	movs pc, lr
interrupt:
	sub lr, lr, #4
	ldr r6, =0x118             /* FIQ mode has an r8 of its own */
	mov r12, #0x80000000
	mcr p15, 0, r12, c9, c12, 3
	movs pc, lr

	.balign 32
vectors_h:
	b .
	b h_undefined
	b h_call
	b h_fetch
	b h_data
	b h_trap
	b h_irq
	b h_fiq
	.macro entry name, offset
\name:	mov r8, #\offset
	b noted
	.endm
	entry h_undefined, 0x04
	entry h_call, 0x08
	entry h_data, 0x10
h_fetch:
	mov r8, #0x0c
	mrc p15, 4, r9, c5, c2, 0
	and r12, r9, #0x3f
	cmp r12, #0x22
	beq noted
	mrs r10, ELR_hyp
	msr ELR_hyp, r6
	eret
h_fiq:	mov r8, #0x1c
	b 1f
h_irq:	mov r8, #0x18
1:	mrs r10, ELR_hyp
	mov r12, #0x80000000
	mcr p15, 0, r12, c9, c12, 3
	eret
h_trap:	mov r8, #0x14
	mrc p15, 4, r9, c5, c2, 0
	ldr r12, =0x4a000001
	cmp r9, r12
	beq do_call
	ldr r12, =0x46000022
	cmp r9, r12
	bne noted
	mov r12, #0                /* TGE off, Supervisor mode */
	hcr mcr, r12
	mrs r12, spsr
	orr r12, r12, #0xd3
	msr spsr_cxsf, r12
	eret
do_call:
	push {lr}
	blx r0
	pop {lr}
	eret
noted:	mrc p15, 4, r9, c5, c2, 0  /* HSR */
	mrs r10, ELR_hyp
	mrs r7, spsr
	lsr r12, r9, #26
	cmp r12, #0x11
	cmpne r12, #0x12
	addne r12, r10, #4
	msrne ELR_hyp, r12
	eret
	.ltorg

	.balign 32
vectors_m:
	b .
	b .
	b m_call
	b .
	b .
	b .
	b m_irq
	b .
m_call:	cmp r5, #0
	mov r5, #1
	mcrne p15, 0, r0, c1, c1, 0
	movs pc, lr
m_irq:	mov r5, #3
	mov r12, #0x80000000
	mcr p15, 0, r12, c9, c12, 3
	subs pc, lr, #4

	.balign 32
tables:	.quad 0
	.quad 0x40000000 | 0x741    /* AP[1], SH, AF, block */
	.quad 0x40000000 | 0x741
	.quad 0x40000000 | 0x7c1    /* read-only */
	the_end
