/* SPDX-License-Identifier: MIT */
#include "base/log2.h"
#include "uarch/coherence.h"
#include "uarch/machine.h"
#include "uarch/pass.h"
#include "uarch/spaces.h"
#include "uarch/timing.h"

#include <stdlib.h>
#include <string.h>

#define LARGE_PAGE 65536u /* bytes; larger pages are apmu_uarch.large */

static int cache_init(struct apmu_uarch__cache *c, const struct apmu_cache_params *p, uint32_t seed)
{
	return apmu_uarch__cache_init(c, p->size / p->line, p->ways, apmu_base__log2(p->line), p->replace,
				      seed);
}

static int tlb_init(struct apmu_uarch__cache *c, const struct apmu_tlb_params *t,
		    const struct apmu_uarch_params *p)
{
	return apmu_uarch__cache_init(c, t->entries, t->ways, apmu_base__log2(p->page), t->replace, p->seed);
}

static int branches_init(struct apmu_uarch *u)
{
	const struct apmu_uarch_params *p = &u->p;
	int failed = apmu_uarch__btb_init(&u->btb, p) | apmu_uarch__direction_init(&u->direction, p);
	if (!(u->units & APMU_UARCH__TIME))
		u->btb.near = 0;
	if (p->targets == 0)
		return failed;
	u->targets_mask = p->targets - 1u;
	u->path_mask = ((uint64_t)1 << (5 * p->target_history)) - 1;
	u->targets = calloc(p->targets, sizeof(*u->targets));
	return failed | (u->targets ? APMU_OK : APMU_ENOMEM);
}

static int units_init(struct apmu_uarch *u)
{
	const struct apmu_uarch_params *p = &u->p;
	int failed = cache_init(&u->l1i, &p->l1i, p->seed) | cache_init(&u->l1d, &p->l1d, p->seed);
	failed |= cache_init(&u->mini, &p->mini, p->seed);
	failed |= tlb_init(&u->itlb, &p->itlb, p) | tlb_init(&u->dtlb, &p->dtlb, p);
	failed |= apmu_uarch__packed_init(&u->tlb, p->tlb.entries, p->tlb.ways, apmu_base__log2(p->page),
					  p->tlb.replace, p->seed);
	failed |= apmu_uarch__cache_init(&u->walks, p->walk_cache, p->walk_cache, p->walk_reach,
					 APMU_REPLACE_LRU, 1);
	failed |= branches_init(u) | apmu_uarch__levels_init(u) | apmu_uarch__forward_init(u);
	if (p->rob == 0 || !(u->units & APMU_UARCH__TIME))
		return failed;
	if (p->mop.entries)
		failed |= apmu_uarch__cache_init(&u->mop, p->mop.entries / APMU_UARCH__MOP_PIECE, p->mop.ways,
						 APMU_UARCH__MOP_SHIFT, APMU_REPLACE_ROUND_ROBIN, p->seed);
	u->window = apmu_uarch__window_new(p);
	if (u->window) {
		u->window->counts = u->stalls;
		u->window->causes = u->causes;
	}
	return failed | (u->window ? APMU_OK : APMU_ENOMEM);
}

static void start(struct apmu_uarch *u)
{
	u->next_check = u->untimed.turn = UINT64_MAX;
	u->iline = u->ipage = u->dpage.line = APMU_UARCH__NO_LINE;
	u->epoch = 1;
	u->run.line = u->outside.line = u->outside.beat = APMU_UARCH__NO_LINE;
	u->run.bytes = UINT16_MAX;
	u->last = (struct apmu_uarch__last){.line = APMU_UARCH__NO_LINE, .key = APMU_UARCH__NO_KEY};
	u->block = &apmu_uarch__nowhere;
	u->stack.entries = u->p.return_stack;
	u->memory.buffer_line = APMU_UARCH__NO_LINE;
	u->memory.full_end = u->memory.next_fill = UINT64_MAX;
	apmu_uarch__wait_no_more(&u->memory);
	u->memory.most_early = apmu_uarch__timing_most_early(&u->p);
	u->memory.buffer_full = (uint64_t)(u->p.write_buffer - 1) * u->p.write_drain;
	if (u->p.l1d.size == 0)
		u->p.uncached = (struct apmu_window){0, UINT64_MAX};
	u->fetch_mask = (u->p.fetch_bytes ? u->p.fetch_bytes : u->p.l1i.line) - 1u;
	u->queue_cycles = u->p.fetch_queue / u->p.width;
	u->windows = u->p.itcm.size || u->p.dtcm.size || u->p.uncached.size || u->p.mini_window.size;
	apmu_uarch__fast_init(u);
	apmu_uarch__controls_init(u);
}

struct apmu_uarch *apmu_uarch_new(const struct apmu_uarch_params *params, struct apmu_tally *tally,
				  const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return apmu_uarch_new_shared(params, tally, wanted, NULL);
}

struct apmu_uarch *apmu_uarch_new_shared(const struct apmu_uarch_params *params, struct apmu_tally *tally,
					 const uint64_t wanted[APMU_SIGNAL_WORDS], struct apmu_shared *shared)
{
	uint32_t asked = apmu_uarch__asked(wanted);

	if (apmu_uarch_check(params))
		return NULL;
	struct apmu_uarch *u = aligned_alloc(_Alignof(struct apmu_uarch), sizeof(*u));
	if (!u)
		return NULL;
	memset(u, 0, sizeof(*u));
	u->p = *params;
	u->n = tally->n;
	u->shared = shared;
	u->units = apmu_uarch__units(params, asked);
	u->exclusives =
		apmu_signal_in(wanted, APMU_SIG_STREX_PASS) || apmu_signal_in(wanted, APMU_SIG_STREX_FAIL);
	u->predicts = (u->units & APMU_UARCH__PREDICT) != 0;
	u->ops = asked & APMU_UARCH__ENTRY_OPS;
	u->causes = asked & APMU_UARCH__ENTRY_CAUSES;
	u->stalls = asked & APMU_UARCH__ENTRY_WAITS;
	u->fronts = asked & APMU_UARCH__ENTRY_FRONTS;
	u->vectors = asked & APMU_UARCH__ENTRY_VECTORS;
	u->large = params->page > LARGE_PAGE;
	u->entry_counts = asked & APMU_UARCH__MORE;
	if (!(u->units & APMU_UARCH__FETCH)) /* no cache to look into */
		u->entry_counts &= ~(uint32_t)APMU_UARCH__ENTRY_FETCHES;
	u->unconditional = asked & APMU_UARCH__ENTRY_UNCONDITIONAL;
	u->flush_is_plain = !(asked & APMU_UARCH__ENTRY_FLUSHES) &&
			    !(params->branch_shadow && (u->units & APMU_UARCH__FETCH));
	u->variant = asked & APMU_UARCH__ENTRY_FILLS ? 0 : APMU_UARCH__VARIANT_FILLS_ONLY;
	if (units_init(u) || apmu_uarch__peer_init(u)) {
		apmu_uarch_free(u);
		return NULL;
	}
	start(u);
	if (shared && u->joins && shared->coherent)
		apmu_uarch__join(u);
	return u;
}

void apmu_uarch_free(struct apmu_uarch *u)
{
	if (!u)
		return;
	apmu_uarch__peer_free(u);
	apmu_uarch__cache_free(&u->l1i);
	apmu_uarch__cache_free(&u->l1d);
	apmu_uarch__cache_free(&u->mini);
	apmu_uarch__cache_free(&u->itlb);
	apmu_uarch__cache_free(&u->dtlb);
	apmu_uarch__packed_free(&u->tlb);
	apmu_uarch__cache_free(&u->walks);
	apmu_uarch__cache_free(&u->mop);
	apmu_uarch__spaces_free(u);
	apmu_uarch__levels_free(u);
	apmu_uarch__btb_free(&u->btb);
	apmu_uarch__direction_free(&u->direction);
	free(u->targets);
	free(u->recent ? u->recent : u->untimed.recent);
	apmu_uarch__window_free(u->window ? u->window : u->untimed.window);
	free(u);
}

/* Settles stalls on the previous block's loads; a barrier also drains its stores. */
static void leave(struct apmu_uarch *u, const struct apmu_block *before)
{
	if (u->memory.pendings)
		apmu_uarch__settle_waits(u, before, APMU_UARCH__NO_USE - 1);
	if (!before->barriers)
		return;
	apmu_uarch__drain(u);
	if (u->watch)
		apmu_uarch__attribute_wait(u, before, apmu_uarch__barrier(before), 0);
}

/* Counts the stall for what the previous block left and attributes it to the waiting instruction. */
static __attribute__((noinline)) void report_carry(struct apmu_uarch *u, const struct apmu_block *before,
						   const struct apmu_block *b,
						   struct apmu_uarch__carried stall)
{
	uint32_t i = apmu_uarch__carrier(before, b);
	apmu_uarch__count_carried(u, b, stall);
	u->n[APMU_SIG_CYCLES] += stall.cycles;
	u->clock += stall.cycles;
	u->watch->behind = -(int64_t)i - 1; /* the block's instructions are not counted yet */
	u->watch->regs = 0;
	apmu_watch_look(u->watch, APMU_WATCH_WAIT, apmu_uarch__address_of(b, i));
}

/* In order: waits for what the previous block left, which ended at `end`. Returns the cycles of the wait that
 * are not in CYCLES and the clock yet. */
static inline __attribute__((always_inline)) uint32_t wait_for_carried(struct apmu_uarch *u,
								       const struct apmu_block *before,
								       const struct apmu_block *b,
								       uint64_t end, struct apmu_watch *watch)
{
	if (!(before->late_any & b->early_any))
		return 0;
	struct apmu_uarch__carried stall = apmu_uarch__carry(u, before, b, end, (int64_t)(u->clock - end));
	if (!stall.cycles)
		return 0;
	if (watch) {
		apmu_watch_look(watch, APMU_WATCH_FETCH, b->addr); /* counts of the fetch */
		report_carry(u, before, b, stall);
		return 0;
	}
	apmu_uarch__count_carried(u, b, stall);
	return stall.cycles;
}

/* pass() in order, with time. */
static inline __attribute__((always_inline)) void pass_in_order(struct apmu_uarch *u,
								const struct apmu_block *before,
								const struct apmu_block *b,
								struct apmu_watch *watch)
{
	uint64_t flushes = u->n[APMU_SIG_BR_MIS_PRED];
	int cost = before->resolves ? apmu_uarch__resolve(u, before, b->addr) : 0;
	if (watch)
		apmu_watch_look(watch, APMU_WATCH_BRANCH, before->branch);
	if (u->memory.pendings | before->barriers)
		leave(u, before);
	if (u->memory.next_fill <= u->clock)
		apmu_uarch__arrive(u, u->clock);
	uint64_t end = u->clock;
	if (before->synchronizes) {
		cost += (int)u->p.mispredict;
		apmu_uarch__count_refetch(u, u->p.mispredict);
	}
	if (u->queue_cycles)
		cost = apmu_uarch__fetch_ahead(
			u, before, cost, before->synchronizes | (u->n[APMU_SIG_BR_MIS_PRED] != flushes));
	u->clock += (uint64_t)cost;
	u->n[APMU_SIG_CYCLES] += (uint64_t)cost;
	apmu_uarch__idle(u, cost, APMU_SIG_SLOT_FRONT);
	if (watch)
		apmu_watch_look(watch, APMU_WATCH_BRANCH, before->branch);
	apmu_uarch__fetch(u, before, b, watch);
	if (u->clock != end + (uint64_t)cost) /* the fetch waited for a line */
		u->fetched = u->clock;
	uint32_t cycles = wait_for_carried(u, before, b, end, watch) + b->cycles;
	u->n[APMU_SIG_CYCLES] += cycles;
	u->clock += cycles;
	if (u->memory.pendings)
		apmu_uarch__adopt(u, b);
	if (u->clock >= u->next_check)
		apmu_uarch__check_cycles(u, before);
}

/* What the machine does between two blocks. With a watch, it looks wherever the counts of one thing are
 * complete. */
static inline __attribute__((always_inline)) void pass(struct apmu_uarch *u, const struct apmu_block *before,
						       const struct apmu_block *b, struct apmu_watch *watch)
{
	u->last.key = APMU_UARCH__NO_KEY;
	if (!(u->units & APMU_UARCH__TIME)) {
		apmu_uarch__pass_untimed(u, before, b, watch);
		return;
	}
	u->n[APMU_SIG_CYCLES_ALONE] += b->alone;
	if (u->window)
		apmu_uarch__pass_window(u, before, b, watch);
	else
		pass_in_order(u, before, b, watch);
}

void apmu_uarch__enter_any(struct apmu_uarch *u, const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;
	u->block = b;
	apmu_uarch__count_ahead(u, b);
	if (u->units)
		pass(u, before, b, NULL);
}

void apmu_uarch_enter_watched(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch)
{
	const struct apmu_block *before = u->block;
	bool attributes = u->window && u->window->retire;
	u->block = b;
	u->watch = watch;
	if (attributes)
		apmu_uarch__retire_begin(u);
	if (u->units)
		pass(u, before, b, watch);
	u->watch = NULL;
	apmu_uarch__count_ahead(u, b);
	if (attributes)
		apmu_uarch__retire_end(u);
	apmu_watch_look(watch, APMU_WATCH_BLOCK, b->addr);
}

void apmu_uarch_watch(struct apmu_uarch *u, struct apmu_watch *watch)
{
	u->watch = watch;
}

uint64_t apmu_block_loads(const struct apmu_block *b, unsigned i)
{
	return i < b->n ? apmu_uarch__loads_of(&b->step[i]) : 0;
}
