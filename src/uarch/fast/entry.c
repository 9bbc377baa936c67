/* SPDX-License-Identifier: MIT */
/* The fast path of block entry (entry.h): the less common cases. */
#include "uarch/fast/entry.h"
#include "uarch/time_samples.h"

#define EDGE (APMU_UARCH__ENTRY_PC_CHANGE | APMU_UARCH__ENTRY_BRANCH_KINDS | APMU_UARCH__ENTRY_FETCHES)

/* Counts the edge from the previous block into this one: a branch, a fetch. */
static void count_edge(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_uarch__entry_edge from)
{
	const struct apmu_block *before = from.before;
	uint64_t *n = u->n;
	uint32_t counts = u->entry_counts;
	bool on = before->end == b->addr, branch = !from.counted & (before->kind != APMU_BRANCH_NONE);

	if ((counts & APMU_UARCH__ENTRY_PC_CHANGE) && (u->units & APMU_UARCH__PREDICT))
		n[APMU_SIG_PC_CHANGE] += from.taken & branch;
	if ((counts & APMU_UARCH__ENTRY_BRANCH_KINDS) && branch)
		apmu_uarch__count_branch_kind(n, before, from.taken);
	if (counts & APMU_UARCH__ENTRY_FETCHES)
		n[APMU_SIG_L1I_ACCESS] += b->fetches - (on & ((b->addr & u->fetch_mask) != 0));
}

static inline __attribute__((always_inline)) void count_after(struct apmu_uarch *u,
							      const struct apmu_block *b,
							      struct apmu_uarch__entry_edge from,
							      struct apmu_uarch__carried stall)
{
	uint64_t *n = u->n;

	if (u->units & APMU_UARCH__TIME) {
		uint64_t cycles = b->cycles + stall.cycles + (uint64_t)(int64_t)from.cost;
		n[APMU_SIG_CYCLES] += cycles;
		n[APMU_SIG_CYCLES_ALONE] += b->alone;
		u->clock += cycles;
		apmu_uarch__idle(u, from.cost, APMU_SIG_SLOT_FRONT);
	}
	if (stall.cycles)
		apmu_uarch__count_carried(u, b, stall);
	if (u->entry_counts & EDGE)
		count_edge(u, b, from);
	apmu_uarch__counts_add(n, b, 1, apmu_uarch__counts_of(u, b)); /* INST is counted already */
}

/* noinline: keeps the common case free of spills. */
static __attribute__((noinline)) void count_late(struct apmu_uarch *u, const struct apmu_block *b,
						 struct apmu_uarch__entry_edge from)
{
	struct apmu_uarch__carried stall = {0};

	if (u->units & APMU_UARCH__TIME)
		stall = apmu_uarch__carry(u, from.before, b, u->clock, from.cost);
	count_after(u, b, from, stall);
	if (u->memory.pendings)
		apmu_uarch__adopt(u, b);
}

void apmu_uarch__enter_count(struct apmu_uarch *u, const struct apmu_block *b,
			     struct apmu_uarch__entry_edge from)
{
	if (from.before->late_any & b->early_any)
		count_late(u, b, from);
	else
		count_after(u, b, from, (struct apmu_uarch__carried){0});
}

int apmu_uarch__resolve_any(struct apmu_uarch *u, const struct apmu_block *before, uint64_t next)
{
	return apmu_uarch__resolve(u, before, next);
}

static enum apmu_uarch__fast_path predicting(const struct apmu_uarch *u)
{
	if (!(u->units & APMU_UARCH__PREDICT) || !u->p.predict)
		return APMU_UARCH__FAST_NONE;
	if (u->direction.kind == APMU_DIRECTION_BTB)
		return APMU_UARCH__FAST_BUFFER;
	if (!(u->direction.simple | u->direction.hybrid) || !u->flush_is_plain)
		return APMU_UARCH__FAST_PREDICTED;
	if (u->direction.hybrid)
		return u->units & APMU_UARCH__TIME ? APMU_UARCH__FAST_HYBRID_TIMED : APMU_UARCH__FAST_HYBRID;
	return u->units & APMU_UARCH__TIME ? APMU_UARCH__FAST_TIMED : APMU_UARCH__FAST_UNTIMED;
}

/* The macro-op cache exists only with time, but has to see each block while time is sampled. */
static bool is_tage(const struct apmu_uarch *u)
{
	return (u->units & APMU_UARCH__PREDICT) && !(u->units & APMU_UARCH__TIME) && u->p.predict &&
	       u->direction.usual && u->flush_is_plain && !u->mop.tag && (u->no_fetch || !u->l1i.ordered);
}

enum apmu_uarch__fast_path apmu_uarch__fast_path_of(const struct apmu_uarch *u)
{
	bool cached = !(u->entry_counts & APMU_UARCH__ENTRY_UNCACHED_CODE);
	bool plain = (u->no_fetch || u->plain_fetch) && cached;

	if (u->window)
		return APMU_UARCH__FAST_WINDOW;
	if (cached && is_tage(u))
		return APMU_UARCH__FAST_TAGE;
	if (!plain)
		return u->units & APMU_UARCH__TIME ? APMU_UARCH__FAST_NONE : APMU_UARCH__FAST_ORDERED;
	if (u->units & (APMU_UARCH__PREDICT | APMU_UARCH__TIME))
		return predicting(u);
	if (u->no_fetch)
		return APMU_UARCH__FAST_BARE;
	return u->no_itlb && !u->entry_counts && !(u->units & APMU_UARCH__TAKEN) ? APMU_UARCH__FAST_CACHE
										 : APMU_UARCH__FAST_LINES;
}

#define TRY(path) \
	case path: how = apmu_uarch__enter_fast(u, b, &from, path, entering); break;

static inline __attribute__((always_inline)) bool enter_try(struct apmu_uarch *u, const struct apmu_block *b,
							    enum apmu_uarch__entering entering)
{
	enum apmu_uarch__entered how = APMU_UARCH__ENTERED_ANY;
	struct apmu_uarch__entry_edge from;

	switch (u->fast_path) {
		TRY(APMU_UARCH__FAST_LINES)
		TRY(APMU_UARCH__FAST_CACHE)
		TRY(APMU_UARCH__FAST_BARE)
		TRY(APMU_UARCH__FAST_UNTIMED)
		TRY(APMU_UARCH__FAST_TIMED)
		TRY(APMU_UARCH__FAST_HYBRID)
		TRY(APMU_UARCH__FAST_HYBRID_TIMED)
		TRY(APMU_UARCH__FAST_BUFFER)
		TRY(APMU_UARCH__FAST_TAGE)
		TRY(APMU_UARCH__FAST_PREDICTED)
	default: break;
	}
	if (how == APMU_UARCH__ENTERED_UNCOUNTED)
		apmu_uarch__enter_count(u, b, from);
	return how != APMU_UARCH__ENTERED_ANY;
}

bool apmu_uarch__enter_try(struct apmu_uarch *u, const struct apmu_block *b)
{
	return enter_try(u, b, APMU_UARCH__CALLING);
}

void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (u->untimed.samples)
		apmu_uarch__enter_sampling(u, b);
	else if (u->fast_path == APMU_UARCH__FAST_ORDERED)
		apmu_uarch__enter_ordered(u, b);
	else if (!enter_try(u, b, APMU_UARCH__SETTLING))
		apmu_uarch__enter_any(u, b);
}
