/* SPDX-License-Identifier: MIT */
/**
 * Loops that one parameter decides: what the fast model and the reference make of a turn must be the same,
 * and one cycle or one place more must show.
 */
#ifndef APMU_TEST_DIRECTED_H
#define APMU_TEST_DIRECTED_H

#include "compare.h"

struct directed {
	char name[64];
	const char *params; /* as of struct kind */
	/* The loop: "class:to,from[,from]" an instruction. Behind the class: '!' shifted by a register, '<'
	 * its first source is needed early, '^' it is written back, 'b' a byte, 'w' 16 bytes, '*N' N
	 * registers. Registers from 32 on are vectors. "branch": back to the loop's begin; "wrong": a branch
	 * that goes on as it should not; "call": to a block that returns; "elsewhere": ... to where the call
	 * does not say; "chain:N": to a branch, from that to the next, and back by the N-th; "pairs:N":
	 * likewise, each second one unconditional. "6x" before an instruction: six of them. */
	char loop[160];
	unsigned step; /* bytes from one access to the next */
	unsigned wrap; /* bytes after which they begin again; 0: never */
	unsigned cell; /* accesses that follow one another and have one address; 0: one */
};

/* All of them; the list is made once. */
const struct directed *directed_all(unsigned *n);

/* The row for it. */
void directed_row(struct apmu_uarch_params *p, const struct directed *d);
void directed_program(struct program *p, const struct directed *d, unsigned turns);

/* Cycles of so many turns, once the first as many have been made. */
uint64_t directed_fast(const struct apmu_uarch_params *p, const struct directed *d, unsigned turns);
uint64_t directed_slow(const struct apmu_uarch_params *p, const struct directed *d, unsigned turns);

/* Are so many cycles as many, as far as the two may differ by the way they round? */
bool directed_same(uint64_t fast, uint64_t slow, unsigned turns);

#endif
