/* SPDX-License-Identifier: MIT */
/* The fast path of block entry (enter.h): the less common cases. */
#include "uarch/fast/enter.h"

static inline __attribute__((always_inline)) void more_after(struct apmu_uarch *u, const struct apmu_block *b,
							     struct apmu_uarch__coming from, uint64_t stall)
{
	const struct apmu_block *before = from.before;
	uint64_t *n = u->n;
	uint32_t more = u->more;
	bool on = before->end == b->addr, branch = !from.counted & (before->kind != APMU_BRANCH_NONE);

	if (u->parts & APMU_UARCH__TIME) {
		uint64_t cycles = b->cycles + stall + (uint64_t)(int64_t)from.cost;
		n[APMU_SIG_CYCLES] += cycles;
		n[APMU_SIG_CYCLES_ALONE] += b->alone;
		u->clock += cycles;
	}
	if (stall)
		apmu_uarch__count_carried(n, stall);
	if ((more & APMU_UARCH__MORE_TURNS) && (u->parts & APMU_UARCH__PREDICT))
		n[APMU_SIG_PC_CHANGE] += from.taken & branch;
	if ((more & APMU_UARCH__MORE_WAYS) && branch)
		apmu_uarch__count_way(n, before, from.taken);
	if (more & APMU_UARCH__MORE_FETCHES)
		n[APMU_SIG_L1I_ACCESS] += b->fetches - (on & ((b->addr & u->fetch_mask) != 0));
	apmu_uarch__counts_add(n, b, 1, apmu_uarch__counts_of(u, b)); /* INST is counted */
}

/* noinline: keeps the common case free of spills. */
static __attribute__((noinline)) void more_late(struct apmu_uarch *u, const struct apmu_block *b,
						struct apmu_uarch__coming from)
{
	uint64_t stall = 0;

	if (u->parts & APMU_UARCH__TIME)
		stall = apmu_uarch__carry(u, from.before, b, u->clock, from.cost);
	more_after(u, b, from, stall);
	if (u->memory.pendings)
		apmu_uarch__adopt(u, b);
}

void apmu_uarch__enter_more(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_uarch__coming from)
{
	if (from.before->late_any & b->early_any)
		more_late(u, b, from);
	else
		more_after(u, b, from, 0);
}

int apmu_uarch__resolve_any(struct apmu_uarch *u, const struct apmu_block *before, uint64_t next)
{
	return apmu_uarch__resolve(u, before, next);
}

static enum apmu_uarch__way predicting(const struct apmu_uarch *u)
{
	if (!(u->parts & APMU_UARCH__PREDICT) || !u->p.predict)
		return APMU_UARCH__WAY_LONG;
	if (u->direction.kind == APMU_DIRECTION_BTB)
		return APMU_UARCH__WAY_BUFFER;
	if (!u->direction.simple || !u->soft)
		return APMU_UARCH__WAY_SOME;
	return u->parts & APMU_UARCH__TIME ? APMU_UARCH__WAY_TIMED : APMU_UARCH__WAY_UNTIMED;
}

enum apmu_uarch__way apmu_uarch__way_of(const struct apmu_uarch *u)
{
	bool plain = (u->no_fetch || u->plain_fetch) && !u->ops && !(u->more & APMU_UARCH__MORE_OUTSIDE);

	if (u->window)
		return APMU_UARCH__WAY_WINDOW;
	if (!plain)
		return APMU_UARCH__WAY_LONG;
	if (u->parts & (APMU_UARCH__PREDICT | APMU_UARCH__TIME))
		return predicting(u);
	return u->parts & APMU_UARCH__TAKEN ? APMU_UARCH__WAY_TAKEN : APMU_UARCH__WAY_LINES;
}

#define TRY(way) \
	case way: how = apmu_uarch__enter_quick(u, b, &from, way, true); break;

bool apmu_uarch__enter_try(struct apmu_uarch *u, const struct apmu_block *b)
{
	enum apmu_uarch__entered how = APMU_UARCH__ENTERED_ANY;
	struct apmu_uarch__coming from;

	switch (u->way) {
		TRY(APMU_UARCH__WAY_LINES)
		TRY(APMU_UARCH__WAY_TAKEN)
		TRY(APMU_UARCH__WAY_UNTIMED)
		TRY(APMU_UARCH__WAY_TIMED)
		TRY(APMU_UARCH__WAY_BUFFER)
		TRY(APMU_UARCH__WAY_SOME)
	default: break;
	}
	if (how == APMU_UARCH__ENTERED_MORE)
		apmu_uarch__enter_more(u, b, from);
	return how != APMU_UARCH__ENTERED_ANY;
}

void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (!apmu_uarch__enter_try(u, b))
		apmu_uarch__enter_any(u, b);
}
