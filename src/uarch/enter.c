/* SPDX-License-Identifier: MIT */
/* The short way into a block (enter.h): what is less often so, and what few ask for. */
#include "uarch/enter.h"

/* Do the hints tell that the block's lines are there, and its page? */
static bool fetched(const struct apmu_uarch *u, const struct apmu_block *b)
{
	if (b->rare | b->wide)
		return false;
	if ((b->line == u->iline) & (b->last_line == b->line))
		return true;
	if (b->page != u->ipage && !u->no_itlb && !apmu_uarch__cache_knows(&u->itlb, b->page))
		return false;
	return apmu_uarch__cache_knows(&u->l1i, b->line) && apmu_uarch__cache_knows(&u->l1i, b->last_line);
}

/* Nothing waited for, nothing that has come. */
static bool idle(const struct apmu_uarch *u)
{
	const struct apmu_uarch__memory *m = &u->memory;

	return m->pendings == 0 && m->lands > u->clock;
}

static inline __attribute__((always_inline)) void more_after(struct apmu_uarch *u, const struct apmu_block *b,
							     const struct apmu_block *before, bool taken,
							     int cost, uint64_t stall)
{
	uint64_t *n = u->n;
	uint32_t more = u->more;
	bool on = before->end == b->addr;

	if (u->parts & APMU_UARCH__TIME) {
		uint64_t cycles = b->cycles + stall + (uint64_t)(int64_t)cost;
		n[APMU_SIG_CYCLES] += cycles;
		u->clock += cycles;
	}
	if (more & APMU_UARCH__MORE_STALLS)
		apmu_uarch__count_stalls(n, b, stall);
	if (more & APMU_UARCH__MORE_TURNS)
		n[APMU_SIG_PC_CHANGE] += taken & (before->ending != APMU_UARCH__END_NONE);
	if ((more & APMU_UARCH__MORE_WAYS) && before->ending != APMU_UARCH__END_NONE)
		apmu_uarch__count_way(n, before, taken);
	if (more & APMU_UARCH__MORE_BRANCHES) {
		n[APMU_SIG_BR_EXEC] += b->branches;
		n[APMU_SIG_BR_IMMED] += b->immediates;
		n[APMU_SIG_BR_OTHER] += b->branches - b->immediates;
	}
	apmu_uarch__sure_ahead(n, b, more);
	if (more & APMU_UARCH__MORE_FETCHES)
		n[APMU_SIG_L1I_ACCESS] += b->fetches - (on & ((b->addr & u->fetch_mask) != 0));
	if (more & APMU_UARCH__MORE_TRAITS)
		apmu_uarch__traits_add(n, b);
}

/* Apart, so that the other case needs no stack. */
static __attribute__((noinline)) void more_late(struct apmu_uarch *u, const struct apmu_block *b,
						const struct apmu_block *before, bool taken, int cost)
{
	more_after(u, b, before, taken, cost, apmu_uarch__stall_between(before, b, cost));
}

void apmu_uarch__enter_more(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_block *before,
			    bool taken, int cost)
{
	if (before->late_any & b->early_any)
		more_late(u, b, before, taken, cost);
	else
		more_after(u, b, before, taken, cost, 0);
}

bool apmu_uarch__brisk(const struct apmu_uarch *u)
{
	bool tables = u->direction.kind == APMU_DIRECTION_BTB || u->direction.simple;
	bool all = (u->parts & APMU_UARCH__FETCH) && (u->parts & APMU_UARCH__PREDICT) && u->p.predict;

	return all && tables && u->plain_fetch && !u->window && !u->ops;
}

bool apmu_uarch__only_lines(const struct apmu_uarch *u)
{
	bool more = (u->parts & (APMU_UARCH__TAKEN | APMU_UARCH__PREDICT | APMU_UARCH__TIME)) ||
		    (u->more & (APMU_UARCH__MORE_DRAINS | APMU_UARCH__MORE_OUTSIDE));

	return !more && (u->no_fetch || u->plain_fetch) && !u->window && !u->ops;
}

enum apmu_uarch__way apmu_uarch__way_of(const struct apmu_uarch *u)
{
	if (u->window)
		return APMU_UARCH__WAY_WINDOW;
	bool buffer = u->direction.kind == APMU_DIRECTION_BTB;

	if (u->only_lines)
		return APMU_UARCH__WAY_LINES;
	if (!u->brisk || (u->more != 0) != buffer || (!buffer && !u->soft))
		return APMU_UARCH__WAY_ANY;
	return buffer                        ? APMU_UARCH__WAY_BUFFER
	       : u->parts & APMU_UARCH__TIME ? APMU_UARCH__WAY_TIMED
					     : APMU_UARCH__WAY_UNTIMED;
}

/* Not so short: any known lines, reads in flight. */
static bool enter_far(struct apmu_uarch *u, const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;
	bool away = b->addr != before->end, taken = away | before->always;

	if ((away && b->addr != before->target) || !u->brisk || !idle(u) || !fetched(u, b))
		return false;
	struct apmu_uarch__coming from = {before, taken, false};
	if (before->ending != APMU_UARCH__END_NONE && !apmu_uarch__foreseen(u, &from, APMU_UARCH__WAY_ANY))
		return false;
	apmu_uarch__set_out(u, b);
	apmu_uarch__enter_more(u, b, before, taken, apmu_uarch__coming_cost(u, &from));
	return true;
}

void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (!enter_far(u, b))
		apmu_uarch__enter_any(u, b);
}
