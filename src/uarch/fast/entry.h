/* SPDX-License-Identifier: MIT */
/**
 * The fast path of block entry, inline for callers that run it once per block. It applies when no stall is
 * pending and the block's lines and pages are known to be present. All conditions are checked before any
 * state changes; then the whole entry is committed. Conditions that depend only on the previous block and
 * this one are computed when the blocks are made (block.c).
 */
#ifndef APMU_UARCH_ENTRY_H
#define APMU_UARCH_ENTRY_H

#include "uarch/pass.h"

/* entry.c: counts the rest of an entry: its time, and the signals of apmu_uarch.entry_counts. */
void apmu_uarch__enter_count(struct apmu_uarch *u, const struct apmu_block *b,
			     struct apmu_uarch__entry_edge from);

/* entry.c: tries the machine's fast path; false: it does not apply, and nothing was done. */
bool apmu_uarch__enter_try(struct apmu_uarch *u, const struct apmu_block *b);

/* entry.c: resolves the previous block's branch, of any kind; its cost in cycles. */
int apmu_uarch__resolve_any(struct apmu_uarch *u, const struct apmu_block *before, uint64_t next);

/* Block entry out of order: all cases. */
static inline __attribute__((always_inline)) void apmu_uarch__enter_window(struct apmu_uarch *u,
									   const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;

	u->block = b;
	apmu_uarch__count_ahead(u, b);
	u->n[APMU_SIG_CYCLES_ALONE] += b->alone;
	u->last.key = APMU_UARCH__NO_KEY;
	apmu_uarch__pass_window(u, before, b, NULL);
}

/* Block entry without time: all cases, as apmu_uarch__enter_any(). */
static inline __attribute__((always_inline)) void apmu_uarch__enter_ordered(struct apmu_uarch *u,
									    const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;

	u->block = b;
	apmu_uarch__count_ahead(u, b);
	u->last.key = APMU_UARCH__NO_KEY;
	apmu_uarch__pass_untimed(u, before, b, NULL);
}

/* True if the BTB does not hold the branch at the end of `before`, and that matters. */
static inline __attribute__((always_inline)) bool apmu_uarch__misses_buffer(const struct apmu_uarch *u,
									    const struct apmu_block *before)
{
	return u->buffer_shows && u->btb.entry[before->entry].tag != before->branch;
}

/* Adds what a conditional branch counts and costs, after its direction predictor was updated. Branchless on
 * the outcome, which the host's own predictor predicts badly: a misprediction is a count and a cost. */
static inline __attribute__((always_inline)) void
apmu_uarch__learnt(struct apmu_uarch *u, struct apmu_uarch__entry_edge *from, bool wrong, bool timed)
{
	u->direction.history = u->direction.history << 1 | from->taken;
	u->n[APMU_SIG_BR_MIS_PRED] += wrong;
	from->flushed = wrong;
	if (timed) {
		int right = from->before->cost[from->taken];
		from->cost = right ^ ((right ^ u->p.mispredict) & -(int)wrong);
	}
}

/* Predicts a branch by a table of two-bit counters, and updates the table. False, here and below: nothing was
 * done. */
static inline __attribute__((always_inline)) bool
apmu_uarch__predict_table(struct apmu_uarch *u, struct apmu_uarch__entry_edge *from, bool timed)
{
	struct apmu_uarch__direction *d = &u->direction;
	const struct apmu_block *before = from->before;
	bool unknown = apmu_uarch__misses_buffer(u, before), taken = from->taken;
	uint8_t *counter = &d->counter[((before->branch >> 1) ^ (d->history & d->seen)) & d->counter_mask];
	unsigned next = apmu_uarch__two_bits(*counter, taken);
	bool wrong = next >> 2;

	if ((taken | wrong) & unknown)
		return false;
	*counter = next & 3;
	apmu_uarch__learnt(u, from, wrong, timed);
	return true;
}

/* Predicts a branch by a hybrid predictor, and updates it. */
static inline __attribute__((always_inline)) bool
apmu_uarch__predict_hybrid(struct apmu_uarch *u, struct apmu_uarch__entry_edge *from, bool timed)
{
	const struct apmu_block *before = from->before;

	if (apmu_uarch__misses_buffer(u, before))
		return false;
	bool taken = apmu_uarch__hybrid(&u->direction, before->branch >> 2, from->taken);
	apmu_uarch__learnt(u, from, taken ^ from->taken, timed);
	return true;
}

/* Predicts a branch by TAGE without time, and updates it; for samples of time also the BTB. */
static inline __attribute__((always_inline)) bool
apmu_uarch__predict_tage(struct apmu_uarch *u, struct apmu_uarch__entry_edge *from)
{
	const struct apmu_block *before = from->before;
	struct apmu_uarch__tage *t = &u->direction.tage;
	bool taken = from->taken, wrong = apmu_uarch__tage_usual(t, before->branch >> 1, taken) != taken;

	t->history = t->history << 1 | taken;
	if ((taken | wrong) & apmu_uarch__misses_buffer(u, before)) {
		apmu_uarch__branch_learnt(u, before, taken, taken ^ wrong);
		from->counted = true;
		return true;
	}
	if (u->btb.near && (taken & !wrong))
		apmu_uarch__taken_cost(u, before);
	u->n[APMU_SIG_BR_MIS_PRED] += wrong;
	return true;
}

/* Predicts a branch by the BTB, and updates the BTB's counter if its content matters. */
static inline __attribute__((always_inline)) bool apmu_uarch__predict_btb(struct apmu_uarch *u,
									  struct apmu_uarch__entry_edge *from,
									  enum apmu_uarch__fast_path path)
{
	struct apmu_uarch__btb_entry *e = &u->btb.entry[from->before->entry];

	if (path == APMU_UARCH__FAST_BUFFER || u->buffer_shows) {
		if ((e->tag != from->before->branch) | ((e->counter >= 2) != from->taken))
			return false;
		e->counter = from->taken ? 3 : 0; /* taken: from 2 or 3; not taken: from 1 or 0 */
	}
	if (path == APMU_UARCH__FAST_TAGE && u->btb.near && from->taken)
		apmu_uarch__taken_cost(u, from->before);
	from->cost = from->before->cost[from->taken];
	return true;
}

/* Predicts a call by the BTB, and pushes its return address onto the return stack. */
static inline __attribute__((always_inline)) bool
apmu_uarch__predict_call(struct apmu_uarch *u, struct apmu_uarch__entry_edge *from,
			 enum apmu_uarch__fast_path path)
{
	if (u->stack.entries == 0 || !apmu_uarch__predict_btb(u, from, path))
		return false;
	apmu_uarch__return_push(&u->stack, from->before->end);
	u->n[APMU_SIG_CALL]++;
	return true;
}

/* Predicts a return to the address on top of the return stack. */
static inline __attribute__((always_inline)) bool
apmu_uarch__predict_return(struct apmu_uarch *u, struct apmu_uarch__entry_edge *from, uint64_t next)
{
	struct apmu_uarch__return_stack *r = &u->stack;

	if (r->depth == 0 || r->address[apmu_uarch__return_last(r)] != next || u->shadows)
		return false;
	apmu_uarch__return_pop(r, &next);
	u->n[APMU_SIG_RETURN_INST]++;
	u->n[APMU_SIG_RETURN]++;
	u->n[APMU_SIG_RETURN_PRED]++;
	from->cost = u->p.return_predicted;
	return true;
}

static inline bool apmu_uarch__path_is_hybrid(enum apmu_uarch__fast_path path)
{
	return path == APMU_UARCH__FAST_HYBRID || path == APMU_UARCH__FAST_HYBRID_TIMED;
}

static inline bool apmu_uarch__path_is_table(enum apmu_uarch__fast_path path)
{
	return path == APMU_UARCH__FAST_UNTIMED || path == APMU_UARCH__FAST_TIMED;
}

/* Resolves the branch at the end of the previous block, if the path predicts such branches inline. */
static inline __attribute__((always_inline)) bool
apmu_uarch__predict_known(struct apmu_uarch *u, const struct apmu_block *b,
			  struct apmu_uarch__entry_edge *from, enum apmu_uarch__fast_path path)
{
	bool timed = path != APMU_UARCH__FAST_HYBRID && path != APMU_UARCH__FAST_UNTIMED;

	if (from->before->ending == APMU_UARCH__END_LEARN) /* most blocks end so: tested first */
		return path == APMU_UARCH__FAST_TAGE      ? apmu_uarch__predict_tage(u, from)
		       : apmu_uarch__path_is_table(path)  ? apmu_uarch__predict_table(u, from, timed)
		       : apmu_uarch__path_is_hybrid(path) ? apmu_uarch__predict_hybrid(u, from, timed)
							  : false;
	switch (from->before->ending) {
	case APMU_UARCH__END_BTB: return apmu_uarch__predict_btb(u, from, path);
	case APMU_UARCH__END_CALL: return apmu_uarch__predict_call(u, from, path);
	case APMU_UARCH__END_RETURN: return apmu_uarch__predict_return(u, from, b->addr);
	default: return false;
	}
}

/* Resolves the previous block's branch: inline if the tables hold it, else by a call if `whole`. */
static inline __attribute__((always_inline)) bool
apmu_uarch__predict_inline(struct apmu_uarch *u, const struct apmu_block *b,
			   struct apmu_uarch__entry_edge *from, enum apmu_uarch__fast_path path, bool whole)
{
	if (apmu_uarch__predict_known(u, b, from, path))
		return true;
	if (!whole)
		return false;
	uint64_t flushes = u->n[APMU_SIG_BR_MIS_PRED];
	from->cost = apmu_uarch__resolve_any(u, from->before, b->addr);
	from->flushed = u->n[APMU_SIG_BR_MIS_PRED] != flushes;
	from->counted = true;
	return true;
}

/* True if all lines and pages of the block were present at its last fetch, and none was filled since.
 * `orders`, here and below: a hit of the micro-TLB changes its LRU order. */
static inline __attribute__((always_inline)) bool
apmu_uarch__span_known(struct apmu_uarch *u, const struct apmu_block *b, bool orders)
{
	const struct apmu_uarch__span *s = &u->span[apmu_uarch__span_place(b->line, b->lines)];

	if ((s->line != b->line) | (s->lines != b->lines) | (s->epoch != u->epoch) | b->rare)
		return false;
	if (orders)
		return apmu_uarch__page_fetched(u, s->page);
	u->ipage = s->page;
	return true;
}

/* True if the page is known to be present, or pages are not modelled. */
static inline __attribute__((always_inline)) bool apmu_uarch__page_known(struct apmu_uarch *u, uint64_t page,
									 bool orders)
{
	if (orders)
		return apmu_uarch__page_fetched(u, page);
	return (page == u->ipage) || u->no_itlb || apmu_uarch__cache_knows(&u->itlb, page);
}

/* apmu_uarch__lines_known() for a block of several lines, or if lines are not modelled. */
static inline __attribute__((always_inline)) bool
apmu_uarch__several_known(struct apmu_uarch *u, const struct apmu_block *b, bool orders)
{
	uint64_t line = b->line, page = line >> u->page_lines;

	if (b->extent == APMU_UARCH__EXTENT_PAIR && apmu_uarch__page_known(u, page, orders) &&
	    apmu_uarch__cache_knows(&u->l1i, line) && apmu_uarch__cache_knows(&u->l1i, line + 1)) {
		u->ipage = page;
		return true;
	}
	return (u->no_fetch & !b->rare) || apmu_uarch__span_known(u, b, orders);
}

/* True if the block's lines and pages are known to be present. */
static inline __attribute__((always_inline)) bool
apmu_uarch__lines_known(struct apmu_uarch *u, const struct apmu_block *b, bool orders)
{
	uint64_t line = b->line, page = line >> u->page_lines;

	if (b->extent != APMU_UARCH__EXTENT_ONE)
		return apmu_uarch__several_known(u, b, orders);
	if (line == u->iline)
		return true;
	if (!apmu_uarch__page_known(u, page, orders) || !apmu_uarch__cache_knows(&u->l1i, line))
		return apmu_uarch__several_known(u, b, orders);
	u->ipage = page;
	return true;
}

/* Commits the entry; apmu_uarch__enter_count() adds the remaining counts. */
static inline __attribute__((always_inline)) void apmu_uarch__commit_entry(struct apmu_uarch *u,
									   const struct apmu_block *b)
{
	u->block = b;
	u->last.key = APMU_UARCH__NO_KEY;
	u->n[APMU_SIG_INST] += b->n;
}

static inline __attribute__((always_inline)) void apmu_uarch__commit_lines(struct apmu_uarch *u,
									   const struct apmu_block *b)
{
	u->iline = b->extent == APMU_UARCH__EXTENT_ONE ? b->line : b->last_line;
}

/* Block entry where only instructions and fills of the cache are counted. */
static inline __attribute__((always_inline)) enum apmu_uarch__entered
apmu_uarch__enter_cache(struct apmu_uarch *u, const struct apmu_block *b)
{
	bool one = b->extent == APMU_UARCH__EXTENT_ONE;

	if (!(one && apmu_uarch__cache_knows(&u->l1i, b->line)) && !apmu_uarch__lines_known(u, b, false))
		return APMU_UARCH__ENTERED_ANY;
	apmu_uarch__commit_entry(u, b);
	apmu_uarch__commit_lines(u, b);
	return APMU_UARCH__ENTERED;
}

/* Counts what an entry adds beyond instructions and time, if that needs no call. False: nothing was done. */
static inline __attribute__((always_inline)) bool apmu_uarch__count_simply(struct apmu_uarch *u,
									   const struct apmu_block *b)
{
	const uint32_t simple = APMU_UARCH__ENTRY_PC_CHANGE | APMU_UARCH__ENTRY_COUNTS;

	if (u->entry_counts & ~simple)
		return false;
	if (u->entry_counts & APMU_UARCH__ENTRY_COUNTS) /* INST, count[0], is counted already */
		apmu_uarch__counts_add(u->n, b, 1, apmu_uarch__counts_of(u, b));
	return true;
}

/* Block entry without predictors and time. */
static inline __attribute__((always_inline)) enum apmu_uarch__entered
apmu_uarch__enter_simply(struct apmu_uarch *u, const struct apmu_block *b,
			 struct apmu_uarch__entry_edge *from, enum apmu_uarch__fast_path path)
{
	const struct apmu_block *before = from->before;
	bool lines = path == APMU_UARCH__FAST_LINES;

	if (lines ? !apmu_uarch__lines_known(u, b, false) : b->ending == APMU_UARCH__END_RARE)
		return APMU_UARCH__ENTERED_ANY;
	apmu_uarch__commit_entry(u, b);
	if (lines)
		apmu_uarch__commit_lines(u, b);
	if (!lines || (u->units & APMU_UARCH__TAKEN)) {
		u->n[APMU_SIG_RETURN_INST] += from->taken & (before->kind == APMU_BRANCH_RETURN);
		u->n[APMU_SIG_PC_CHANGE] += from->taken & (before->kind != APMU_BRANCH_NONE);
	}
	return apmu_uarch__count_simply(u, b) ? APMU_UARCH__ENTERED : APMU_UARCH__ENTERED_UNCOUNTED;
}

/* Counts the cycles of a block, and moves the clock. */
static inline __attribute__((always_inline)) void apmu_uarch__pass_block(struct apmu_uarch *u,
									 const struct apmu_block *b, int cost)
{
	uint64_t cycles = b->cycles + (uint64_t)(int64_t)cost;

	u->n[APMU_SIG_CYCLES] += cycles;
	u->n[APMU_SIG_CYCLES_ALONE] += b->alone;
	u->clock += cycles;
}

/* Enters a block by the machine's fast path `path`. `path` and `how` are constants in each inlined copy. */
static inline __attribute__((always_inline)) enum apmu_uarch__entered
apmu_uarch__enter_fast(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_uarch__entry_edge *from,
		       enum apmu_uarch__fast_path path, enum apmu_uarch__entering how)
{
	const struct apmu_block *before = u->block;
	bool whole = how != APMU_UARCH__INLINE_ONLY;

	if (path == APMU_UARCH__FAST_CACHE)
		return apmu_uarch__enter_cache(u, b);
	bool some = path == APMU_UARCH__FAST_PREDICTED || path == APMU_UARCH__FAST_BUFFER ||
		    path == APMU_UARCH__FAST_TAGE;
	bool timed = path == APMU_UARCH__FAST_TIMED || path == APMU_UARCH__FAST_HYBRID_TIMED ||
		     (some && path != APMU_UARCH__FAST_TAGE && (u->units & APMU_UARCH__TIME));

	*from = (struct apmu_uarch__entry_edge){before, 0, (b->addr != before->end) | before->always, false,
						false};
	if (path == APMU_UARCH__FAST_LINES || path == APMU_UARCH__FAST_BARE)
		return apmu_uarch__enter_simply(u, b, from, path);
	if (before->ending >= (whole ? APMU_UARCH__END_RARE : APMU_UARCH__END_OTHER))
		return APMU_UARCH__ENTERED_ANY;
	if (timed && how == APMU_UARCH__SETTLING && u->memory.pendings)
		apmu_uarch__settle_waits(u, before, APMU_UARCH__NO_USE - 1);
	if (timed &&
	    (u->memory.pendings || (!whole && u->memory.next_fill <= u->clock))) /* a load may stall */
		return APMU_UARCH__ENTERED_ANY;
	if (!apmu_uarch__lines_known(u, b, path == APMU_UARCH__FAST_TAGE))
		return APMU_UARCH__ENTERED_ANY;
	if (timed && whole && u->memory.next_fill <= u->clock)
		apmu_uarch__arrive(u, u->clock);
	if (before->ending != APMU_UARCH__END_NONE && !apmu_uarch__predict_inline(u, b, from, path, whole))
		return APMU_UARCH__ENTERED_ANY;
	if (timed && u->queue_cycles)
		from->cost = apmu_uarch__fetch_ahead(u, before, from->cost, from->flushed);
	apmu_uarch__commit_entry(u, b);
	apmu_uarch__commit_lines(u, b);
	if ((timed && (before->late_any & b->early_any)) ||
	    !(some ? apmu_uarch__count_simply(u, b) : !u->entry_counts))
		return APMU_UARCH__ENTERED_UNCOUNTED;
	if (some && u->entry_counts)
		u->n[APMU_SIG_PC_CHANGE] += !from->counted & from->taken & (before->kind != APMU_BRANCH_NONE);
	if (timed)
		apmu_uarch__pass_block(u, b, from->cost);
	return APMU_UARCH__ENTERED;
}

#endif
