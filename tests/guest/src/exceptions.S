/* SPDX-License-Identifier: MIT */
/*
 * Exceptions that a program takes as signals: 5 data aborts, 4 undefined instructions, 3 breakpoints, 2 fetches from
 * where nothing is; and two signals that are no exceptions. The handlers step over what faulted; a fetch returns to
 * the address in x20.
 */
	.globl _start
	.macro handle number, handler
	mov x0, #\number
	adr x1, \handler
	mov x2, #0
	mov x3, #8
	mov x8, #134                 // rt_sigaction
	svc #0
	.endm
	.macro again count
	mov x19, #\count
1:
	.endm
	.macro until_done
	subs x19, x19, #1
	b.ne 1b
	.endm
	.macro action handler
	.quad \handler, 4, 0, 0      // SA_SIGINFO
	.endm
_start:
	mov x20, #0
	handle 4, to_step
	handle 5, to_step
	handle 7, to_fault
	handle 11, to_fault
	handle 10, to_wake
	again 4
	mov x5, #0
	ldr x3, [x5]
	until_done
	cbz xzr, 2f
2:	mov x5, #0
	str x5, [x5]                 // the fifth
	again 2
	udf #1
	until_done
	again 2
	.inst 0x00200000             // unallocated
	until_done
	again 3
	brk #0
	until_done
	adr x20, 3f
	mov x5, #16
	br x5
3:	adr x20, 4f
	ldr x5, =0x7000000000
	blr x5
4:	mov x8, #172                 // getpid
	svc #0
	mov x21, x0
	mov x1, #10                  // SIGUSR1
	mov x8, #129                 // kill
	svc #0
	mov x0, x21
	adr x20, 5f
	mov x1, #11                  // SIGSEGV, but nothing has faulted
	mov x8, #129
	svc #0
5:	mov x0, #0
	mov x8, #93                  // exit
	svc #0

	/* x2: struct ucontext; its pc is at 176 + 8 + 31 * 8 + 8 */
faulting:
	ldr x3, [x2, #440]
	ldr x4, [x2, #(184 + 8 * 20)]
	cbnz x4, return_there
stepping:
	ldr x3, [x2, #440]
	add x3, x3, #4
	str x3, [x2, #440]
	ret
return_there:
	str x4, [x2, #440]
	ret
waking:
	ret

	.balign 8
to_step: action stepping
to_fault: action faulting
to_wake: action waking
