/* SPDX-License-Identifier: MIT */
/**
 * Inline code that runs once per block: the step from one block to the next without time, and with time out
 * of order; window.c has the rest.
 */
#ifndef APMU_UARCH_PASS_H
#define APMU_UARCH_PASS_H

#include "uarch/machine.h"
#include "uarch/retire.h"

#ifdef APMU_UARCH_PLAIN
#include "uarch/plain.h"
#else
#include "uarch/fast/memo.h"
#endif

/* Counts what a block adds when it is entered: INST and, if wanted, its count[]. */
static inline void apmu_uarch__count_ahead(struct apmu_uarch *u, const struct apmu_block *b)
{
	u->n[APMU_SIG_INST] += b->n;
	if (u->entry_counts & APMU_UARCH__ENTRY_COUNTS)
		apmu_uarch__counts_add(u->n, b, 1, apmu_uarch__counts_of(u, b));
}

/* The step from one block to the next without time. */
static inline __attribute__((always_inline)) void apmu_uarch__pass_untimed(struct apmu_uarch *u,
									   const struct apmu_block *before,
									   const struct apmu_block *b,
									   struct apmu_watch *watch)
{
	if (before->resolves && (u->units & APMU_UARCH__TAKEN))
		apmu_uarch__resolve(u, before, b->addr);
	if (watch)
		apmu_watch_look(watch, APMU_WATCH_BRANCH, before->branch);
	if ((u->units & (APMU_UARCH__FETCH | APMU_UARCH__ITLB)) ||
	    (u->entry_counts & APMU_UARCH__ENTRY_UNCACHED_CODE))
		apmu_uarch__fetch(u, before, b, watch);
}

/* In order: fetch runs ahead of issue by as many instructions as the queue between them holds, so the cost of
 * a correctly predicted branch passes while queued instructions issue. A flush empties the queue. Returns the
 * cycles of `cost` that are left to wait for. The clock must be where the block before has issued its last
 * instruction. */
static inline __attribute__((always_inline)) int
apmu_uarch__fetch_ahead(struct apmu_uarch *u, const struct apmu_block *before, int cost, bool flushed)
{
	uint64_t now = u->clock, full = now - (now < u->queue_cycles ? now : u->queue_cycles);
	uint64_t next = u->fetched + before->supply;

	if (u->p.nano_btb && !flushed && cost) {
		bool near = before->branch == u->taken_last && before->kind <= APMU_BRANCH_IMMED_X;
		cost = near ? u->p.nano_taken : cost;
		u->taken_last = before->branch;
	}
	next = next < full ? full : next;
	next = flushed ? now : next;
	next += (uint64_t)(int64_t)cost;
	u->fetched = next;
	return next > now ? (int)(next - now) : 0;
}

/* The machine's clock in a cycle of the window. */
static inline uint64_t apmu_uarch__clock_in(const struct apmu_uarch *u, uint64_t cycle)
{
	return u->clock + cycle - u->window->cycles;
}

static inline uint64_t apmu_uarch__clock_now(const struct apmu_uarch *u)
{
	return apmu_uarch__clock_in(u, apmu_uarch__dispatching(u->window));
}

/* Out of order: advances CYCLES, the stall signals and the machine's clock to the dispatch time. */
static inline void apmu_uarch__count_time(struct apmu_uarch *u)
{
	struct apmu_uarch__window *w = u->window;
	uint64_t cycles = apmu_uarch__whole_cycles(w, w->now - w->counted);
	w->counted += cycles * w->cycle;
	w->cycles += cycles;
	u->clock += cycles;
	u->n[APMU_SIG_CYCLES] += cycles;
	if (u->stalls && (((w->stalled[APMU_UARCH__STALL_WINDOW] | w->stalled[APMU_UARCH__STALL_QUEUE] |
			    w->stalled[APMU_UARCH__STALL_MEMORY]) >= w->cycle) |
			  (w->idle >= APMU_UARCH__TICKS)))
		apmu_uarch__window_count_stalls(u);
	if (w->now >= w->turn)
		apmu_uarch__window_turn(u);
}

/* apmu_uarch__window_pass(), inline if the memo knows the block. */
static inline void apmu_uarch__pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	if (!apmu_uarch__memo_knows(u, b, end))
		apmu_uarch__window_pass(u, b, end);
}

/* The block before has been dispatched since the tick `begin`, and ended as `end` says: where prediction is
 * now. A branch that costs more than `taken` was found by decode. */
static inline void apmu_uarch__follow_path(struct apmu_uarch *u, const struct apmu_block *before,
					   uint64_t begin, uint32_t end)
{
	struct apmu_uarch__window *w = u->window;
	struct apmu_uarch__run_ahead *a = &w->run_ahead;
	if (!a->queue)
		return;
	uint32_t entries = a->entries + apmu_uarch__entries_of(before->addr, before->end);
	apmu_uarch__reach_point(a, begin, w->now, entries);
	a->entries = entries;
	if (((end & APMU_UARCH__END_FLUSHED) | before->synchronizes) ||
	    (end & APMU_UARCH__END_CYCLES) > u->p.taken)
		apmu_uarch__predict_anew(a, w->now, a->entries);
}

/* retire.c: apmu_uarch__pass() and the fetch after it, watched; time is counted in pieces, each attributed to
 * an instruction. */
void apmu_uarch__pass_watched(struct apmu_uarch *u, const struct apmu_block *before,
			      const struct apmu_block *b, struct apmu_watch *watch, uint32_t end);

/* Runs the block before, now that its late accesses are known, and fetches `b`. */
static inline __attribute__((always_inline)) void apmu_uarch__pass_window(struct apmu_uarch *u,
									  const struct apmu_block *before,
									  const struct apmu_block *b,
									  struct apmu_watch *watch)
{
	uint64_t flushes = u->n[APMU_SIG_BR_MIS_PRED];
	int cost = before->resolves ? apmu_uarch__resolve(u, before, b->addr) : 0;
	uint32_t end = cost > 0 ? (uint32_t)cost : 0;
	if (u->n[APMU_SIG_BR_MIS_PRED] != flushes)
		end |= APMU_UARCH__END_FLUSHED;
	else if (u->window->gap && before->kind != APMU_BRANCH_NONE && cost >= 0 &&
		 ((before->end != b->addr) | before->always))
		end |= APMU_UARCH__END_TAKEN;
	if (before->kind != APMU_BRANCH_NONE)
		u->btb.open = u->btb.pairs && (end & APMU_UARCH__END_TAKEN);
	if (u->mop.tag)
		u->window->decoded = apmu_uarch__decode(u, before);
	if (watch) {
		apmu_uarch__pass_watched(u, before, b, watch, end);
	} else {
		uint64_t begin = u->window->now;
		apmu_uarch__pass(u, before, end);
		apmu_uarch__follow_path(u, before, begin, end);
		apmu_uarch__fetch(u, before, b, NULL);
		apmu_uarch__count_time(u);
	}
	apmu_uarch__memo_expect(u->window, b);
}

#endif
