/* SPDX-License-Identifier: MIT */
/**
 * Loops whose time depends on one parameter: the fast model and the reference must agree on the cycles per
 * iteration, and a change of the parameter by one cycle or one entry must be visible.
 */
#ifndef APMU_TEST_DIRECTED_H
#define APMU_TEST_DIRECTED_H

#include "compare.h"

struct directed {
	char name[64];
	const char *params; /* as in struct kind */
	/* The loop. An instruction is "class:to,from[,from]". After the class: '!' shifted by a register, '<'
	 * its first source is needed early, '^' its first source is written back, '#' it sets the condition
	 * flags, '=' it only sets them, as a compare, which the branch at the end then reads, 'b' a byte, 'w'
	 * a load of 16 bytes or a store of 8, '~' of the instruction group `strd`,
	 * '*N' N registers. Registers from 32 on are vectors. "6x" before an
	 * instruction: six of them. The last word is the branch at the loop's end: "branch" back to the
	 * start; "wrong" a mispredicted one, then one back; "hop" a predicted one forward, then one back;
	 * "call" to a block that returns; "elsewhere" the same, but the return goes to another address than
	 * the call pushed; "chain:N" N branches, each to the next one, the last back to the start; "pairs:N"
	 * the same, every second branch unconditional. Code of N blocks, each with the instructions before:
	 * "straight:N" without gaps or branches, but for one in place of the last instruction, back to the
	 * start; "hops:N" in lines of their own, each with a branch to the next; "turns:N" the same, the
	 * branches mispredicted. "hops:N*M": each block M times as far from the one before; "hops:N+L": from
	 * the L-th line of 64 bytes on, "hops:N*M+L" both. Such code has no accesses. */
	char loop[160];
	unsigned step; /* bytes from one access to the next */
	unsigned wrap; /* bytes after which the addresses start again; 0: never */
	unsigned cell; /* number of successive accesses with the same address; 0: one */
};

/* All directed loops; the list is made once. */
const struct directed *directed_all(unsigned *n);

/* Changes the row as the loop needs it. */
void directed_row(struct apmu_uarch_params *p, const struct directed *d);
void directed_program(struct program *p, const struct directed *d, unsigned turns);

/* Cycles of `turns` iterations, after as many that warm the core up. */
uint64_t directed_fast(const struct apmu_uarch_params *p, const struct directed *d, unsigned turns);
uint64_t directed_slow(const struct apmu_uarch_params *p, const struct directed *d, unsigned turns);

/* True if the two differ by no more than rounding explains. */
bool directed_same(uint64_t fast, uint64_t slow, unsigned turns);

#endif
