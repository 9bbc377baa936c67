/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose cost is known: freestanding Arm programs (A32 from Armv5TE on, A64).
 *
 *   kernels NAME SIZE ROUNDS
 *
 * prints how many operations a round makes. A run with twice the rounds less a run with ROUNDS leaves the
 * cost of ROUNDS alone: start-up and set-up are the same in both.
 */
#ifndef KERNEL_H
#define KERNEL_H

typedef unsigned long word;

/* Prepares for `size`, then makes `rounds` rounds. Returns the operations of one round. */
typedef word kernel(word size, word rounds);

kernel mixture;

struct kernel_row {
	const char *name;
	kernel *run;
};
extern const struct kernel_row memory_kernels[], branch_kernels[], chain_kernels[], program_kernels[],
	code_kernels[];

extern unsigned char arena[]; /* 64 MiB and a page, page aligned */
word next_random(word *state);

#define KIB 1024ul
#define MIB (1024 * KIB)

/* text eight, sixty-four times */
#define X8(s)  s s s s s s s s
#define X64(s) X8(X8(s))

#ifdef __aarch64__
#define PICK(a32, a64) a64
#else
#define PICK(a32, a64) a32
#endif

#endif
