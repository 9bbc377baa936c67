/* SPDX-License-Identifier: MIT */
/**
 * The reference clocks: a story told again, one cycle at a time, by a core that a reader can watch. One for
 * cores in order, one for cores with a reorder window. Written from include/apmu/uarch_params.h,
 * spec/uarch/keys.txt and docs/accuracy.md; they share nothing with src/uarch but the parameters.
 */
#ifndef APMU_TEST_CLOCKS_H
#define APMU_TEST_CLOCKS_H

#include "story.h"

/* Cycles until the last instruction has issued (in order) or was dispatched (out of order). */
uint64_t clock_in_order(const struct apmu_uarch_params *p, struct story *s);
uint64_t clock_out_of_order(const struct apmu_uarch_params *p, struct story *s);

/* What both ask of an instruction. */

/* Cycles from its issue, or from its data, until an ordinary reader of `reg` can issue. */
unsigned clock_result(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned reg);
/* A division by its operands (struct apmu_divide_params): cycles to its result, or that it holds its pipe,
 * which are `cycles` of its class. */
unsigned clock_divide(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned cycles);
/* Cycles earlier (positive) or later (negative) that it needs `reg`. */
int clock_early(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned reg);
/* Is it an integer multiplication? */
bool clock_multiplies(const struct apmu_insn *x);
/* Is `reg` a base register that the access writes back, and does not load? */
bool clock_writes_back(const struct apmu_insn *x, unsigned reg);
/* Cycles that a taken or mispredicted branch loses beyond its own. */
unsigned clock_branch(const struct apmu_uarch_params *p, const struct event *e);

static inline uint64_t clock_bit(unsigned reg)
{
	return (uint64_t)1 << reg;
}

/* Takes the lowest register out of the set, which has one. */
static inline unsigned clock_take(uint64_t *set)
{
	unsigned reg = (unsigned)__builtin_ctzll(*set);
	*set &= *set - 1;
	return reg;
}

#endif
