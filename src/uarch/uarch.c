/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdlib.h>

#define EVERYTHING                                                                                        \
	(APMU__TAKEN | APMU__PREDICT | APMU__FETCH | APMU__ITLB | APMU__ACCESS | APMU__L1D | APMU__DTLB | \
	 APMU__MAIN | APMU__TIME)
#define BRANCHES (APMU__TAKEN | APMU__PREDICT)

/* Units that a signal needs. A count must not depend on what else is wanted: whatever can change it runs. */
static const uint16_t needs[APMU_SIGNALS] = {
	[APMU_SIG_CYCLES] = EVERYTHING,
	[APMU_SIG_LD_RETIRED] = APMU__ACCESS,
	[APMU_SIG_ST_RETIRED] = APMU__ACCESS,
	[APMU_SIG_BR_MIS_PRED] = BRANCHES,
	[APMU_SIG_BR_IMMED_MIS_PRED] = BRANCHES,
	[APMU_SIG_PC_CHANGE] = APMU__TAKEN,
	[APMU_SIG_CALL] = BRANCHES,
	[APMU_SIG_RETURN] = BRANCHES,
	[APMU_SIG_RETURN_PRED] = BRANCHES,
	[APMU_SIG_RETURN_MIS_PRED] = BRANCHES,
	[APMU_SIG_L1I_MISS] = APMU__FETCH | BRANCHES,
	[APMU_SIG_L1I_FILL] = APMU__FETCH,
	[APMU_SIG_FETCH_STALL] = EVERYTHING,
	[APMU_SIG_FETCH_STALL_EXTRA] = BRANCHES,
	[APMU_SIG_L1I_TLB_REFILL] = APMU__ITLB,
	[APMU_SIG_L1D_ACCESS] = APMU__ACCESS,
	[APMU_SIG_L1D_ACCESS_CACHEABLE] = APMU__ACCESS,
	[APMU_SIG_L1D_MISS] = APMU__ACCESS | APMU__L1D,
	[APMU_SIG_L1D_FILL] = APMU__ACCESS | APMU__L1D,
	[APMU_SIG_L1D_WB_HALF] = APMU__ACCESS | APMU__L1D,
	[APMU_SIG_L1D_TLB_REFILL] = APMU__ACCESS | APMU__DTLB,
	[APMU_SIG_TLB_WALK] = APMU__ACCESS | APMU__ITLB | APMU__DTLB | APMU__MAIN,
	[APMU_SIG_DATA_STALL] = EVERYTHING,
	[APMU_SIG_LSU_FULL_STALL] = EVERYTHING,
	[APMU_SIG_LSU_FULL_RUN] = EVERYTHING,
	[APMU_SIG_EXT_ACCESS] = APMU__ACCESS | APMU__L1D,
	[APMU_SIG_WBUF_DRAIN] = APMU__ACCESS,
	[APMU_SIG_BCU_REQUEST] = EVERYTHING, /* stores that share a buffer entry are one request */
	[APMU_SIG_BCU_FULL] = EVERYTHING,
	[APMU_SIG_BCU_DRAIN] = APMU__ACCESS,
	[APMU_SIG_UNALIGNED_LD] = APMU__ACCESS,
	[APMU_SIG_UNALIGNED_ST] = APMU__ACCESS,
	[APMU_SIG_STREX_PASS] = APMU__ACCESS,
	[APMU_SIG_STREX_FAIL] = APMU__ACCESS,
};

/* Where a machine is before its first block, and after a break. */
static const struct apmu_block nowhere;

static uint32_t parts_for(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	uint32_t parts = 0;
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (apmu_signal_in(wanted, s))
			parts |= needs[s];
	return parts;
}

bool apmu_uarch_needs_accesses(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return parts_for(wanted) & APMU__ACCESS;
}

bool apmu_uarch_needs_order(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return parts_for(wanted) != 0;
}

/* Units that the core has not, or that fine print ties together. */
static uint32_t fit(const struct apmu_uarch_params *p, uint32_t parts)
{
	if (p->itlb.entries == 0)
		parts &= ~(uint32_t)APMU__ITLB;
	if (p->dtlb.entries == 0)
		parts &= ~(uint32_t)APMU__DTLB;
	if (p->l1i.size == 0)
		parts &= ~(uint32_t)APMU__FETCH;
	if ((parts & APMU__ACCESS) && p->speculative_after_store && (p->dtcm.size || p->itcm.size))
		parts |= APMU__L1D; /* was the store before external? */
	return parts;
}

static unsigned log2_of(uint32_t n)
{
	unsigned shift = 0;
	while ((uint32_t)1 << shift < n)
		shift++;
	return shift;
}

static int cache_init(struct apmu__cache *c, const struct apmu_cache_params *p, uint32_t seed)
{
	return apmu__cache_init(c, p->size / p->line, p->ways, log2_of(p->line), p->replace, seed);
}

static int tlb_init(struct apmu__cache *c, const struct apmu_tlb_params *t, const struct apmu_uarch_params *p)
{
	return apmu__cache_init(c, t->entries, t->ways, log2_of(p->page), t->replace, p->seed);
}

static int units_init(struct apmu_uarch *u)
{
	const struct apmu_uarch_params *p = &u->p;
	int failed = cache_init(&u->l1i, &p->l1i, p->seed) | cache_init(&u->l1d, &p->l1d, p->seed);
	failed |= cache_init(&u->mini, &p->mini, p->seed);
	failed |= tlb_init(&u->itlb, &p->itlb, p) | tlb_init(&u->dtlb, &p->dtlb, p) |
		  tlb_init(&u->tlb, &p->tlb, p);
	return failed | apmu__btb_init(&u->btb, p);
}

/* What the short ways look at. */
static void shorten(struct apmu_uarch *u)
{
	struct apmu__short *d = &u->data;
	u->no_itlb = !(u->parts & APMU__ITLB);
	u->plain_fetch = !u->l1i.ordered && !u->itlb.ordered;
	*d = (struct apmu__short){.line = u->l1d.hint, .page = u->dtlb.hint};
	d->line_mask = u->l1d.hint_mask;
	d->page_mask = u->dtlb.hint_mask;
	d->line_shift = u->l1d.shift;
	d->page_shift = u->dtlb.shift;
	d->per_register = u->p.access_rule == APMU_ACCESS_PER_REGISTER;
	d->plain = (u->parts & APMU__L1D) && !u->windows && u->p.l1d.write == APMU_WRITE_BACK &&
		   !u->l1d.ordered && !u->dtlb.ordered;
	d->no_dtlb = !(u->parts & APMU__DTLB);
	d->whole = u->p.l1d.dirty_per_line == 1 ? 3 : 0;
	d->half = u->p.l1d.line / 2;
}

static void start(struct apmu_uarch *u)
{
	u->iline = u->ipage = u->dpage = APMU__NO_LINE;
	u->last = (struct apmu__last){.line = APMU__NO_LINE, .key = APMU__NO_KEY};
	u->block = &nowhere;
	u->stack.entries = u->p.return_stack;
	u->memory.buffer_line = APMU__NO_LINE;
	u->memory.full_end = UINT64_MAX;
	u->memory.buffer_full = (uint64_t)(u->p.write_buffer - 1) * u->p.write_drain;
	if (u->p.l1d.size == 0)
		u->p.uncached = (struct apmu_window){0, UINT64_MAX};
	u->windows = u->p.itcm.size || u->p.dtcm.size || u->p.uncached.size || u->p.mini_window.size;
	shorten(u);
}

struct apmu_uarch *apmu_uarch_new(const struct apmu_uarch_params *params, struct apmu_tally *tally,
				  const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	if (apmu_uarch_check(params))
		return NULL;
	struct apmu_uarch *u = calloc(1, sizeof(*u));
	if (!u)
		return NULL;
	u->p = *params;
	u->n = tally->n;
	u->parts = fit(params, parts_for(wanted));
	u->traits = apmu__traits_wanted(wanted);
	if (units_init(u)) {
		apmu_uarch_free(u);
		return NULL;
	}
	start(u);
	return u;
}

void apmu_uarch_free(struct apmu_uarch *u)
{
	if (!u)
		return;
	apmu__cache_free(&u->l1i);
	apmu__cache_free(&u->l1d);
	apmu__cache_free(&u->mini);
	apmu__cache_free(&u->itlb);
	apmu__cache_free(&u->dtlb);
	apmu__cache_free(&u->tlb);
	apmu__btb_free(&u->btb);
	free(u);
}

/* Operands that the block before leaves unfinished, less the `gap` cycles between the blocks. */
static uint64_t carried(const struct apmu_block *before, const struct apmu_block *b, int64_t gap)
{
	int64_t worst = 0;
	for (int d = 0; d < APMU__CARRY; d++)
		for (int c = 0; c <= d; c++)
			if ((before->late[d] & b->early[c]) && d + 1 - c - gap > worst)
				worst = d + 1 - c - gap;
	return (uint64_t)worst;
}

/* The block before ends: whoever waits for its loads waits, and a barrier for its stores. */
static void leave(struct apmu_uarch *u, const struct apmu_block *before)
{
	if (u->memory.pendings)
		apmu__settle_waits(u, before, APMU__NO_NEED - 1);
	if (before->barriers)
		apmu__drain(u);
}

static void count_ahead(struct apmu_uarch *u, const struct apmu_block *b)
{
	uint64_t *n = u->n;
	n[APMU_SIG_INST] += b->n;
	n[APMU_SIG_BR_EXEC] += b->branches;
	n[APMU_SIG_BR_IMMED] += b->immediates;
	n[APMU_SIG_BR_OTHER] += b->branches - b->immediates;
	if (b->barriers | b->spurious) {
		n[APMU_SIG_WBUF_DRAIN] += b->barriers;
		n[APMU_SIG_BCU_DRAIN] += b->barriers;
		n[APMU_SIG_FETCH_STALL_EXTRA] += b->spurious;
	}
	if (u->traits)
		apmu__traits_add(n, b);
}

void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b)
{
	const struct apmu_block *before = u->block;
	int cost = 0;
	u->block = b;
	count_ahead(u, b);
	if (u->parts == 0)
		return;
	u->last.key = APMU__NO_KEY;
	if (before->resolves && (u->parts & APMU__TAKEN))
		cost = apmu__resolve(u, before, b->addr);
	if (!(u->parts & APMU__TIME)) {
		if (u->parts & (APMU__FETCH | APMU__ITLB))
			apmu__fetch(u, b);
		return;
	}
	if (u->memory.pendings | before->barriers)
		leave(u, before);
	if (u->memory.flights)
		apmu__land(&u->memory, u->clock);
	uint64_t end = u->clock;
	u->clock += (uint64_t)cost;
	apmu__fetch(u, b);
	uint64_t stall = before->late_any & b->early_any ? carried(before, b, (int64_t)(u->clock - end)) : 0;
	u->n[APMU_SIG_DATA_STALL] += b->stalls + stall;
	u->n[APMU_SIG_CYCLES] += b->cycles + stall + (uint64_t)cost;
	u->clock += b->cycles + stall;
	if (u->memory.pendings)
		apmu__adopt(u, b);
}

/* Straight on if nobody says otherwise: an unconditional branch has gone where it says. */
static void resolve_now(struct apmu_uarch *u, const struct apmu_block *b)
{
	bool known = b->kind != APMU_BRANCH_NONE && !b->conditional;
	if (!known || !(u->parts & APMU__TAKEN))
		return;
	if (b->target == 0) {
		u->n[APMU_SIG_PC_CHANGE]++;
		return;
	}
	int cost = apmu__branch(u, b, b->target);
	if (u->parts & APMU__TIME)
		apmu__wait(u, (uint64_t)cost);
}

static void forget(struct apmu_uarch *u)
{
	u->block = &nowhere;
	u->iline = APMU__NO_LINE;
	u->last = (struct apmu__last){.line = APMU__NO_LINE, .key = APMU__NO_KEY};
	u->memory.pendings = 0;
}

void apmu_uarch_break(struct apmu_uarch *u)
{
	if (u->memory.pendings)
		apmu__settle_waits(u, u->block, APMU__NO_NEED - 1);
	resolve_now(u, u->block);
	forget(u);
}

static void take_back(struct apmu_uarch *u, const struct apmu__step *s)
{
	bool immediate = apmu__step_is_immediate(s);
	bool branch = s->branch != APMU_BRANCH_NONE;
	bool barrier = s->cls == APMU_CLASS_BARRIER;
	u->n[APMU_SIG_INST]--;
	u->n[APMU_SIG_BR_EXEC] -= branch;
	u->n[APMU_SIG_BR_IMMED] -= immediate;
	u->n[APMU_SIG_BR_OTHER] -= branch && !immediate;
	u->n[APMU_SIG_WBUF_DRAIN] -= barrier;
	u->n[APMU_SIG_BCU_DRAIN] -= barrier;
	u->n[APMU_SIG_FETCH_STALL_EXTRA] -= apmu__step_spurious(&u->p, s);
	if (u->traits)
		apmu__traits_take_back(u->n, s->traits);
}

void apmu_uarch_abandon(struct apmu_uarch *u, unsigned executed)
{
	const struct apmu_block *b = u->block;
	if (executed >= b->n) {
		apmu_uarch_break(u);
		return;
	}
	const struct apmu__step *s = &b->step[executed];
	if (u->parts & APMU__TIME) {
		apmu__settle_waits(u, b, s->issue);
		apmu__wait(u, (uint64_t)s->issue - b->cycles);
		u->n[APMU_SIG_DATA_STALL] -= b->stalls - s->stalls;
	}
	for (unsigned i = executed; i < b->n; i++)
		take_back(u, &b->step[i]);
	forget(u);
}
