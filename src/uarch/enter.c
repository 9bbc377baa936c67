/* SPDX-License-Identifier: MIT */
/*
 * Entering a block the short way: in order, nothing waited for, lines and page known to be there, and a
 * branch that the tables know. First all of that is looked at and nothing changed; then everything is changed
 * at once. What does not fit goes the long way (uarch.c), which is right for everything.
 */
#include "machine.h"

/* Are two tables of hints enough to know that a line is fetched without delay? */
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

unsigned apmu__carried(const struct apmu_block *before, const struct apmu_block *b)
{
	struct apmu_block *memo = (struct apmu_block *)(uintptr_t)b; /* its memory is not constant */
	unsigned worst = 0;

	for (unsigned d = 0; d < APMU__CARRY; d++)
		for (unsigned c = 0; c <= d; c++)
			if ((before->late[d] & b->early[c]) && d + 1 - c > worst)
				worst = d + 1 - c;
	atomic_store_explicit(&memo->carry, before->serial << 3 | worst, memory_order_relaxed);
	return worst;
}

/* The same as it was last, if it was told of the same pair. */
static inline bool remembers(const struct apmu_block *before, const struct apmu_block *b, int64_t *cycles)
{
	uint64_t carry = atomic_load_explicit(&b->carry, memory_order_relaxed);

	if (!(before->late_any & b->early_any))
		return true;
	*cycles = (int64_t)(carry & 7);
	return carry >> 3 == before->serial;
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

static inline void count_stalls(uint64_t *n, const struct apmu_block *b, uint64_t carried)
{
	n[APMU_SIG_DATA_STALL] += b->stalls + carried;
	n[APMU_SIG_STALL_DEP_AGU] += b->agu;
	n[APMU_SIG_STALL_DEP_SIMD] += b->simd;
	n[APMU_SIG_STALL_DEP_OTHER] += b->stalls - b->agu - b->simd + carried;
}

bool apmu__brisk(const struct apmu_uarch *u)
{
	bool tables = u->direction.kind == APMU_DIRECTION_BTB || u->direction.simple;
	bool all = (u->parts & APMU__FETCH) && (u->parts & APMU__PREDICT) && u->p.predict;

	return all && tables && u->plain_fetch && !u->window && !u->ops;
}

void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;
	bool taken = (!before->conditional) | (b->addr != before->end);
	int64_t cost = 0, wait = 0;

	if ((before->rare | b->rare | !u->brisk) || !idle(u) || !fetched(u, b) ||
	    !remembers(before, b, &wait))
		goto any;
	if (before->ending == APMU__END_LEARN) {
		struct apmu__direction *d = &u->direction;
		uint8_t *counter =
			&d->counter[((before->branch >> 1) ^ (d->history & d->seen)) & d->counter_mask];
		uint8_t now = *counter;
		if (((now >= 2) != taken) | (taken & (u->btb.entry[before->entry].tag != before->branch)))
			goto any;
		*counter = taken ? 3 : 0;
		d->history = d->history << 1 | taken;
		cost = before->cost[taken];
	} else if (before->ending == APMU__END_BTB) {
		struct apmu__btb_entry *e = &u->btb.entry[before->entry];
		if ((e->tag != before->branch) | ((e->counter >= 2) != taken))
			goto any;
		e->counter = taken ? 3 : 0; /* from 2 or 3, from 1 or 0 */
		cost = before->cost[taken];
	} else if (before->ending != APMU__END_NONE) {
		goto any;
	} else {
		taken = false;
	}
	uint64_t *n = u->n;
	u->block = b;
	u->last.key = APMU__NO_KEY;
	u->iline = b->last_line;
	n[APMU_SIG_INST] += b->n;
	n[APMU_SIG_PC_CHANGE] += taken;
	if (u->parts & APMU__TIME) {
		uint64_t stall = wait && wait > cost ? (uint64_t)(wait - cost) : 0;
		uint64_t cycles = b->cycles + stall + (uint64_t)cost;
		n[APMU_SIG_CYCLES] += cycles;
		u->clock += cycles;
		if (u->more & APMU__MORE_STALLS)
			count_stalls(n, b, stall);
	}
	if (u->more)
		count(u, before, b, u->more);
	return;
any:
	apmu__enter_any(u, b);
}
