/* SPDX-License-Identifier: MIT */
/**
 * Entering a block the short way, inline for who calls it once a block: in order, nothing waited for, lines
 * and pages known to be there, and a branch that the tables know. First all of that is looked at and nothing
 * changed that counts; then everything is changed at once. Few instructions matter here, and those few that a
 * block before and this one can answer for are answered when they are made (block.c).
 */
#ifndef APMU_UARCH_ENTER_H
#define APMU_UARCH_ENTER_H

#include "uarch/pass.h"

/* What became of it. */
enum apmu_uarch__entered {
	APMU_UARCH__ENTERED,      /* done */
	APMU_UARCH__ENTERED_MORE, /* done, but for apmu_uarch__enter_more() */
	APMU_UARCH__ENTERED_ANY,  /* nothing was done: it needs apmu_uarch__enter_any() */
	APMU_UARCH__ENTERED_FAR   /* nothing was done: it needs apmu_uarch_enter() */
};

/* Which of the short ways a machine takes, one and the same for all of its life. */
enum apmu_uarch__way {
	APMU_UARCH__WAY_ANY,     /* whatever it is, with all that is less often so */
	APMU_UARCH__WAY_LINES,   /* neither branches nor time matter: lines and pages, or not even those */
	APMU_UARCH__WAY_UNTIMED, /* directions from a table; instructions are all that is counted ahead */
	APMU_UARCH__WAY_TIMED,   /* the same, and cycles */
	APMU_UARCH__WAY_BUFFER,  /* directions from the BTB; more is counted ahead */
	APMU_UARCH__WAY_WINDOW   /* out of order: ENTERED_ANY means apmu_uarch__enter_window() */
};
enum apmu_uarch__way apmu_uarch__way_of(const struct apmu_uarch *u);

/* enter.c: which short way there is for a machine that is made: any; lines alone. */
bool apmu_uarch__brisk(const struct apmu_uarch *u);
bool apmu_uarch__only_lines(const struct apmu_uarch *u);

/* Where it came from. */
struct apmu_uarch__coming {
	const struct apmu_block *before;
	bool taken; /* the branch of the block before, where it has one, */
	bool wrong; /* and was mispredicted */
};

/* enter.c: what time it takes, and what is counted ahead beyond instructions. */
void apmu_uarch__enter_more(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_block *before,
			    bool taken, int cost);

/* The way of a machine with a window; does everything. */
static inline __attribute__((always_inline)) void apmu_uarch__enter_window(struct apmu_uarch *u,
									   const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;

	u->block = b;
	apmu_uarch__count_ahead(u, b);
	u->last.key = APMU_UARCH__NO_KEY;
	apmu_uarch__pass_window(u, before, b, NULL);
}

/* What the branch costs beyond its issue; without a jump, see apmu_uarch__foreseen(). */
static inline int apmu_uarch__coming_cost(const struct apmu_uarch *u, const struct apmu_uarch__coming *from)
{
	int right = from->before->cost[from->taken];

	return right ^ ((right ^ u->p.mispredict) & -(int)from->wrong);
}

/*
 * A branch whose direction a table of counters has: it learns. Whether a branch was foreseen is what the
 * host's own predictor foresees least, so no jump depends on it where being wrong is but a count and a cost
 * (`soft`).
 */
static inline __attribute__((always_inline)) bool
apmu_uarch__foreseen_table(struct apmu_uarch *u, struct apmu_uarch__coming *from, enum apmu_uarch__way way)
{
	struct apmu_uarch__direction *d = &u->direction;
	const struct apmu_block *before = from->before;
	bool unknown = u->btb.entry[before->entry].tag != before->branch, taken = from->taken;
	uint8_t *counter = &d->counter[((before->branch >> 1) ^ (d->history & d->seen)) & d->counter_mask];
	unsigned next = apmu_uarch__two_bits(*counter, taken);
	bool wrong = next >> 2;

	if (((way == APMU_UARCH__WAY_ANY) & wrong & !u->soft) | ((taken | wrong) & unknown))
		return false;
	d->history = d->history << 1 | taken;
	*counter = next & 3;
	u->n[APMU_SIG_BR_MIS_PRED] += wrong;
	from->wrong = wrong;
	return true;
}

/* The branch that ended the block before, where the tables know it. */
static inline __attribute__((always_inline)) bool
apmu_uarch__foreseen(struct apmu_uarch *u, struct apmu_uarch__coming *from, enum apmu_uarch__way way)
{
	const struct apmu_block *before = from->before;
	struct apmu_uarch__btb_entry *e = &u->btb.entry[before->entry];

	if (way != APMU_UARCH__WAY_BUFFER && before->ending == APMU_UARCH__END_LEARN)
		return apmu_uarch__foreseen_table(u, from, way);
	if ((before->ending != APMU_UARCH__END_BTB) | (e->tag != before->branch) |
	    ((e->counter >= 2) != from->taken))
		return false;
	e->counter = from->taken ? 3 : 0; /* from 2 or 3, from 1 or 0 */
	return true;
}

/* Have all its lines and pages been there when it was fetched last, and has nothing been brought in since? */
static inline bool apmu_uarch__span_known(struct apmu_uarch *u, const struct apmu_block *b)
{
	const struct apmu_uarch__span *s = &u->span[apmu_uarch__span_place(b->line, b->lines)];

	if ((s->line != b->line) | (s->lines != b->lines) | (s->epoch != u->epoch) | b->rare)
		return false;
	u->ipage = s->page;
	return true;
}

/* Are the block's lines known to be there, and its page? */
static inline __attribute__((always_inline)) bool
apmu_uarch__lines_known(struct apmu_uarch *u, const struct apmu_block *b, enum apmu_uarch__way way)
{
	if (b->only_line == u->iline)
		return true;
	if (b->page == u->ipage) {
		if (!b->pair && apmu_uarch__cache_knows(&u->l1i, b->only_line))
			return true;
		if (b->pair && apmu_uarch__cache_knows(&u->l1i, b->line) &&
		    apmu_uarch__cache_knows(&u->l1i, b->last_line))
			return true;
	}
	return way == APMU_UARCH__WAY_ANY && apmu_uarch__span_known(u, b);
}

/* Nothing has come that has not landed. */
static inline __attribute__((always_inline)) bool apmu_uarch__landed(struct apmu_uarch *u,
								     enum apmu_uarch__way way)
{
	if (way == APMU_UARCH__WAY_ANY && u->memory.lands <= u->clock)
		apmu_uarch__arrive(u, u->clock);
	return u->memory.lands > u->clock;
}

/* Does everything but count what apmu_uarch__enter_more() does. */
static inline __attribute__((always_inline)) void apmu_uarch__set_out(struct apmu_uarch *u,
								      const struct apmu_block *b)
{
	u->block = b;
	u->iline = b->last_line;
	u->last.key = APMU_UARCH__NO_KEY;
	u->n[APMU_SIG_INST] += b->n;
}

/* Where lines and pages are all that matters. */
static inline __attribute__((always_inline)) enum apmu_uarch__entered
apmu_uarch__enter_lines(struct apmu_uarch *u, const struct apmu_block *b, enum apmu_uarch__way way)
{
	if (!u->no_fetch && !apmu_uarch__lines_known(u, b, way))
		return way == APMU_UARCH__WAY_ANY ? APMU_UARCH__ENTERED_ANY : APMU_UARCH__ENTERED_FAR;
	apmu_uarch__set_out(u, b);
	return u->more ? APMU_UARCH__ENTERED_MORE : APMU_UARCH__ENTERED;
}

/* A block that the block before leads to by itself or by its branch to a constant target; of known lines and
 * pages. `way` is a constant where this is inlined. */
static inline __attribute__((always_inline)) enum apmu_uarch__entered
apmu_uarch__enter_quick(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_uarch__coming *from,
			enum apmu_uarch__way way)
{
	const struct apmu_block *before = u->block;
	bool away = b->addr != before->end;

	*from = (struct apmu_uarch__coming){before, away | before->always, false};
	/* out of order one jump is quicker, which the host foresees; in order the shorter way is */
	if (way == APMU_UARCH__WAY_WINDOW ? away & (b->addr != before->target)
					  : away && b->addr != before->target)
		return APMU_UARCH__ENTERED_FAR;
	if (way == APMU_UARCH__WAY_WINDOW || (way == APMU_UARCH__WAY_ANY && !u->brisk && !u->only_lines))
		return APMU_UARCH__ENTERED_ANY;
	if (way == APMU_UARCH__WAY_LINES || (way == APMU_UARCH__WAY_ANY && u->only_lines))
		return apmu_uarch__enter_lines(u, b, way);
	if (way != APMU_UARCH__WAY_UNTIMED && u->memory.pendings) /* somebody may wait */
		return APMU_UARCH__ENTERED_ANY;
	if ((way != APMU_UARCH__WAY_UNTIMED && !apmu_uarch__landed(u, way)) ||
	    !apmu_uarch__lines_known(u, b, way))
		return APMU_UARCH__ENTERED_FAR;
	if (before->ending != APMU_UARCH__END_NONE && !apmu_uarch__foreseen(u, from, way))
		return APMU_UARCH__ENTERED_ANY;
	apmu_uarch__set_out(u, b);
	if (way == APMU_UARCH__WAY_BUFFER || (way == APMU_UARCH__WAY_ANY && u->more))
		return APMU_UARCH__ENTERED_MORE;
	if (way == APMU_UARCH__WAY_TIMED || (way == APMU_UARCH__WAY_ANY && (u->parts & APMU_UARCH__TIME))) {
		if (before->late_any & b->early_any)
			return APMU_UARCH__ENTERED_MORE;
		uint64_t cycles = b->cycles + (uint64_t)(int64_t)apmu_uarch__coming_cost(u, from);
		u->n[APMU_SIG_CYCLES] += cycles;
		u->clock += cycles;
	}
	return APMU_UARCH__ENTERED;
}

#endif
