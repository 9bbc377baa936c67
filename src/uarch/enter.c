/* SPDX-License-Identifier: MIT */
/*
 * Entering a block the short way: in order, nothing waited for, lines and page known to be there, and a
 * branch that the tables know. First all of that is looked at and nothing changed; then everything is changed
 * at once. What does not fit goes the long way (uarch.c), which is right for everything.
 */
#include "machine.h"

/* Do the hints tell that the block's lines are there, and its page? */
static inline bool fetched(const struct apmu_uarch *u, const struct apmu_block *b)
{
	if ((b->line == u->iline) & (b->last_line == b->line))
		return true;
	if (b->page != u->ipage && !u->no_itlb && !apmu__cache_knows(&u->itlb, b->page))
		return false;
	return apmu__cache_knows(&u->l1i, b->line) && apmu__cache_knows(&u->l1i, b->last_line);
}

/* Nothing waited for, nothing that has come. */
static inline bool idle(const struct apmu_uarch *u)
{
	const struct apmu__memory *m = &u->memory;

	return m->pendings == 0 && (m->flights == 0 || m->flight[0].ready > u->clock);
}

static inline void count(struct apmu_uarch *u, const struct apmu_block *before, const struct apmu_block *b,
			 uint32_t more)
{
	uint64_t *n = u->n;

	if (more & APMU__MORE_BRANCHES) {
		n[APMU_SIG_BR_EXEC] += b->branches;
		n[APMU_SIG_BR_IMMED] += b->immediates;
		n[APMU_SIG_BR_OTHER] += b->branches - b->immediates;
	}
	if (more & APMU__MORE_ACCESSES)
		apmu__sure_add(u, b->loads, b->stores);
	if (more & APMU__MORE_FETCHES)
		n[APMU_SIG_L1I_ACCESS] +=
			b->fetches - ((before->end == b->addr) & ((b->addr & u->fetch_mask) != 0));
	if (more & APMU__MORE_TRAITS)
		apmu__traits_add(n, b);
}

bool apmu__brisk(const struct apmu_uarch *u)
{
	bool tables = u->direction.kind == APMU_DIRECTION_BTB || u->direction.simple;
	bool all = (u->parts & APMU__FETCH) && (u->parts & APMU__PREDICT) && u->p.predict;

	return all && tables && u->plain_fetch && !u->window && !u->ops;
}

/* The branch that ended the block before, where the tables know it and are right: they learn, and its cost is
 * set. */
static inline bool foreseen(struct apmu_uarch *u, const struct apmu_block *before, bool taken, int64_t *cost)
{
	struct apmu__btb_entry *e = &u->btb.entry[before->entry];
	struct apmu__direction *d = &u->direction;
	uint8_t *counter = &e->counter;

	if (before->ending == APMU__END_NONE)
		return true;
	if (before->ending == APMU__END_OTHER)
		return false;
	if (before->ending == APMU__END_LEARN)
		counter = &d->counter[((before->branch >> 1) ^ (d->history & d->seen)) & d->counter_mask];
	bool needed = taken | (before->ending == APMU__END_BTB);
	if (((*counter >= 2) != taken) | (needed & (e->tag != before->branch)))
		return false;
	*counter = taken ? 3 : 0; /* from 2 or 3, from 1 or 0 */
	if (before->ending == APMU__END_LEARN)
		d->history = d->history << 1 | taken;
	*cost = before->cost[taken];
	return true;
}

void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;
	bool taken = (!before->conditional) | (b->addr != before->end);
	int64_t cost = 0;

	if ((before->rare | b->rare | !u->brisk) || !idle(u) || !fetched(u, b) ||
	    !foreseen(u, before, taken, &cost)) {
		apmu__enter_any(u, b);
		return;
	}
	uint64_t *n = u->n;
	u->block = b;
	u->last.key = APMU__NO_KEY;
	u->iline = b->last_line;
	n[APMU_SIG_INST] += b->n;
	n[APMU_SIG_PC_CHANGE] += taken & (before->ending != APMU__END_NONE);
	if (u->parts & APMU__TIME) {
		uint64_t stall = apmu__stall_between(before, b, cost);
		uint64_t cycles = b->cycles + stall + (uint64_t)cost;
		n[APMU_SIG_CYCLES] += cycles;
		u->clock += cycles;
		if (u->more & APMU__MORE_STALLS)
			apmu__count_stalls(n, b, stall);
	}
	if (u->more)
		count(u, before, b, u->more);
}
