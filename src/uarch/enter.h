/* SPDX-License-Identifier: MIT */
/**
 * Entering a block the short way, inline for who calls it once a block: in order, nothing waited for, lines
 * and page known to be there, and a branch that the tables know. First all of that is looked at and nothing
 * changed; then everything is changed at once. Few instructions matter here, and those few that a block
 * before and this one can answer for are answered when they are made (block.c).
 */
#ifndef APMU_UARCH_ENTER_H
#define APMU_UARCH_ENTER_H

#include "machine.h"

/* What became of it. */
enum apmu__entered {
	APMU__ENTERED,      /* done */
	APMU__ENTERED_MORE, /* done, but for apmu__enter_more() */
	APMU__ENTERED_ANY,  /* nothing was done: it needs apmu__enter_any() */
	APMU__ENTERED_FAR   /* nothing was done: it needs apmu_uarch_enter() */
};

/* Where it came from. */
struct apmu__coming {
	const struct apmu_block *before;
	bool taken; /* the branch of the block before, where it has one */
};

/* enter.c: what time it takes, and what is counted ahead beyond instructions. */
void apmu__enter_more(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_block *before,
		      bool taken);

/* The branch that ended the block before, where the tables know it and are right: they learn. */
static inline __attribute__((always_inline)) bool apmu__foreseen(struct apmu_uarch *u,
								 const struct apmu_block *before, bool taken)
{
	struct apmu__btb_entry *e = &u->btb.entry[before->entry];
	uint8_t *counter = &e->counter;
	bool known = e->tag == before->branch;

	if (before->ending == APMU__END_LEARN) {
		struct apmu__direction *d = &u->direction;
		uint64_t history = d->history;
		counter = &d->counter[((before->branch >> 1) ^ (history & d->seen)) & d->counter_mask];
		if (((*counter >= 2) != taken) | (taken & !known))
			return false;
		d->history = history << 1 | taken;
	} else if ((before->ending != APMU__END_BTB) | !known | ((*counter >= 2) != taken)) {
		return false;
	}
	*counter = taken ? 3 : 0; /* from 2 or 3, from 1 or 0 */
	return true;
}

/* Does everything but count what apmu__enter_more() does. */
static inline __attribute__((always_inline)) void apmu__set_out(struct apmu_uarch *u,
								const struct apmu_block *b)
{
	u->block = b;
	u->iline = b->last_line;
	u->last.key = APMU__NO_KEY;
	u->n[APMU_SIG_INST] += b->n;
}

/* A block that the block before leads to by itself or by its branch to a constant target; of known lines, on
 * the page fetched last. */
static inline __attribute__((always_inline)) enum apmu__entered
apmu__enter_quick(struct apmu_uarch *u, const struct apmu_block *b, struct apmu__coming *from)
{
	const struct apmu_block *before = u->block;
	bool away = b->addr != before->end, taken = away | before->always;

	*from = (struct apmu__coming){before, taken};
	if ((away && b->addr != before->target) || !u->brisk)
		return APMU__ENTERED_FAR;
	if (b->only_line != u->iline &&
	    (b->rare || b->page != u->ipage || !apmu__cache_knows(&u->l1i, b->line) ||
	     !apmu__cache_knows(&u->l1i, b->last_line)))
		return APMU__ENTERED_FAR;
	if (u->memory.pendings | u->memory.flights)
		return APMU__ENTERED_FAR;
	if (before->ending != APMU__END_NONE && !apmu__foreseen(u, before, taken))
		return APMU__ENTERED_ANY;
	apmu__set_out(u, b);
	if (u->more)
		return APMU__ENTERED_MORE;
	if (u->parts & APMU__TIME) {
		if (before->late_any & b->early_any)
			return APMU__ENTERED_MORE;
		uint64_t cycles = b->cycles + (uint64_t)(int64_t)before->cost[taken];
		u->n[APMU_SIG_CYCLES] += cycles;
		u->clock += cycles;
	}
	return APMU__ENTERED;
}

#endif
