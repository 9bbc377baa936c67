/* SPDX-License-Identifier: MIT */
/**
 * The reference clocks: they replay a story (story.h) one cycle at a time on a core that is easy to follow.
 * One clock is for in-order cores, one for cores with a reorder window. Written from
 * include/apmu/uarch_params.h, spec/uarch/keys.txt and docs/accuracy.md; only the parameters are shared with
 * src/uarch.
 */
#ifndef APMU_TEST_CLOCKS_H
#define APMU_TEST_CLOCKS_H

#include "story.h"

/* Cycles until the last instruction has issued (in order) or was dispatched (out of order). */
uint64_t clock_in_order(const struct apmu_uarch_params *p, struct story *s);
uint64_t clock_out_of_order(const struct apmu_uarch_params *p, struct story *s);

/* Properties of an instruction that both clocks use. */

/* Cycles from the instruction's issue, or from a load's data, until an ordinary reader of `reg` can issue. */
unsigned clock_result(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned reg);
/* `cycles` of a class (to its result, or for which it holds its pipe), adapted to the operands of a division
 * (struct apmu_divide_params). */
unsigned clock_divide(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned cycles);
/* Cycles by which the instruction needs `reg` earlier (positive) or later (negative) than others do. */
int clock_early(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned reg);
/* Out of order: cycles from a store's start until the store queue has its data, beyond those of a general
 * register: `result` of its group, less one. Groups whose parent is another group are not looked up there. */
unsigned clock_arranges(const struct apmu_uarch_params *p, const struct apmu_insn *x);
/* True for an integer multiplication. */
bool clock_multiplies(const struct apmu_insn *x);
/* True if the access writes `reg` back as its base register, and does not load it. */
bool clock_writes_back(const struct apmu_insn *x, unsigned reg);
/* Cycles that a taken or mispredicted branch loses beyond its own issue. */
unsigned clock_branch(const struct apmu_uarch_params *p, const struct event *e);

static inline uint64_t clock_bit(unsigned reg)
{
	return (uint64_t)1 << reg;
}

/* Removes the lowest register from a set, which must not be empty, and returns it. */
static inline unsigned clock_take(uint64_t *set)
{
	unsigned reg = (unsigned)__builtin_ctzll(*set);
	*set &= *set - 1;
	return reg;
}

#endif
