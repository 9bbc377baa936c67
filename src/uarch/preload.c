/* SPDX-License-Identifier: MIT */
/*
 * Preloads of data (PLD, PLDW, PRFM) whose address is known: the line is fetched as for a miss, and nothing
 * waits for it. The manuals say little about them: a preload is a hint, which a core may drop. This model
 * drops those into windows of memory that L1 data does not hold.
 */
#include "uarch/line.h"
#include "uarch/pass.h"

/* Cycles until the translation is known. A table walk does not stall the core. */
static uint64_t translate(const struct apmu_uarch__access *a)
{
	struct apmu_uarch *u = a->u;
	uint64_t page = a->addr >> u->dtlb.shift;
	if (page == u->dpage.line)
		return 0;
	u->dpage.line = page;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_DTLB) || apmu_uarch__cache_hit(&u->dtlb, page))
		return 0;
	u->n[APMU_SIG_PLD_TLB_REFILL]++;
	enum apmu_uarch__refill r = apmu_uarch__tlb_refill(u, &u->dtlb, page, APMU_UARCH__REQUEST_READ);
	if (r == APMU_UARCH__REFILL_WALK) {
		u->n[APMU_SIG_PLD_WALK]++;
		u->n[APMU_SIG_PLD_WALK_CYCLES] += u->walk_cycles;
	}
	return apmu_uarch__refill_cycles(u, r);
}

/* In order: the read leaves `late` cycles after the instruction issued; the instruction waits until an MSHR
 * is free. */
static void issue(const struct apmu_uarch__access *a, uint64_t line, enum apmu_uarch__at at, uint64_t late)
{
	struct apmu_uarch *u = a->u;
	struct apmu_uarch__memory *m = &u->memory;
	uint32_t slot = u->l1d.slot;
	uint64_t now = apmu_uarch__position(u, a->b, a->i);
	apmu_uarch__arrive_by(u, now);
	if (m->mshrs >= u->p.misses)
		now = apmu_uarch__await_mshr(u, a->b, a->i, now);
	apmu_uarch__take_mshr(m, line, slot, now + late + apmu_uarch__read_bus(u, now + late, at));
	if (m->mshrs == u->p.bus_queue)
		u->n[APMU_SIG_BCU_FULL] += m->next_fill > now ? m->next_fill - now : 0;
	apmu_uarch__cache_forget(&u->l1d, line);
}

/* Cycles until a prefetched line arrives; no more than a miss takes. */
static uint64_t rest_of(const struct apmu_uarch *u, const struct apmu_uarch__arrival *a)
{
	uint64_t left = a->when > u->clock ? a->when - u->clock : 0, whole = u->latency[a->at];
	return left < whole ? left : whole;
}

/* Cycles until a line arrives that an access of the current block missed or found in flight. */
static uint64_t wait_of(const struct apmu_uarch *u, const struct apmu_uarch__late_access *n)
{
	uint64_t least = 0;
	if (n->kind == APMU_UARCH__LATE_TRIGGER)
		return 0;
	if (n->kind == APMU_UARCH__LATE_PREFETCHED)
		return rest_of(u, &u->arrive[n->value]);
	if (n->kind == APMU_UARCH__LATE_CYCLES)
		return n->value;
	if (n->kind == APMU_UARCH__LATE_MISS)
		return u->latency[n->at];
	for (unsigned k = 0; k < u->memory.mshrs; k++)
		if (u->memory.mshr[k].line == n->value && u->memory.mshr[k].ready > u->clock + least)
			least = u->memory.mshr[k].ready - u->clock;
	return least;
}

/* The last instruction before the i-th of the block that writes the register; `i`: none. */
static unsigned writer(const struct apmu_block *b, unsigned i, unsigned reg)
{
	for (unsigned k = i; k-- > 0;)
		if (b->step[k].writes >> reg & 1)
			return k;
	return i;
}

/* Cycles until the register is available. For one that the block itself computes, only late loads count: the
 * block has not been timed. */
static uint64_t lateness_of(const struct apmu_uarch__access *a, unsigned reg)
{
	const struct apmu_uarch *u = a->u;
	const struct apmu_uarch__window *w = u->window;
	unsigned from = writer(a->b, a->i, reg);
	uint64_t late = 0;
	if (from == a->i)
		return w->ready[reg] > apmu_uarch__dispatching(w) ? w->ready[reg] - w->cycles : 0;
	for (unsigned k = 0; k < w->late_accesses; k++)
		late += w->late_access[k].step == from ? wait_of(u, &w->late_access[k]) : 0;
	return late;
}

/* Out of order: the cycle in which the address is known. */
static uint64_t address_known(const struct apmu_uarch__access *a)
{
	struct apmu_uarch *u = a->u;
	uint64_t late = 0;
	if (u->window->state)
		apmu_uarch__memo_unpack(u->window);
	for (uint64_t regs = a->b->step[a->i].reads; regs; regs &= regs - 1) {
		uint64_t this = lateness_of(a, (unsigned)__builtin_ctzll(regs));
		late = this > late ? this : late;
	}
	return u->clock + late;
}

/* Out of order: the read leaves when an MSHR is free; dispatch does not wait for that. */
static void issue_beside(const struct apmu_uarch__access *a, uint64_t line, enum apmu_uarch__at at,
			 uint64_t late)
{
	struct apmu_uarch *u = a->u;
	struct apmu_uarch__memory *m = &u->memory;
	uint64_t now = address_known(a) + late;
	apmu_uarch__free_mshrs(m, u->clock);
	now = apmu_uarch__mshr_from(u, now, at);
	apmu_uarch__issue_miss_at(u, line, now, at);
}

/* Prefetch counts of the levels below. What is added to them during a preload is moved to the preload's
 * signals. */
struct below {
	uint64_t l2, l2_fill, l3, l3_fill;
};

static struct below counts(const uint64_t *n)
{
	return (struct below){n[APMU_SIG_L2_AHEAD], n[APMU_SIG_L2_FILL_AHEAD], n[APMU_SIG_L3_AHEAD],
			      n[APMU_SIG_L3_FILL_AHEAD]};
}

/* What lower levels counted for a prefetch since `before` was for a preload. */
static void count_as_preload(struct apmu_uarch *u, const struct below *before)
{
	uint64_t *n = u->n;
	struct below d = counts(n);
	d = (struct below){d.l2 - before->l2, d.l2_fill - before->l2_fill, d.l3 - before->l3,
			   d.l3_fill - before->l3_fill};
	n[APMU_SIG_L2_AHEAD] -= d.l2;
	n[APMU_SIG_L2_FILL_AHEAD] -= d.l2_fill;
	n[APMU_SIG_L3_AHEAD] -= d.l3;
	n[APMU_SIG_L3_FILL_AHEAD] -= d.l3_fill;
	n[APMU_SIG_L2_PLD] += d.l2;
	n[APMU_SIG_L2_FILL_PLD] += d.l2_fill;
	n[APMU_SIG_L3_PLD] += d.l3;
	n[APMU_SIG_L3_FILL_PLD] += d.l3_fill;
	bool two = u->levels > 1; /* one level counts as L2 or as L3 */
	uint64_t last = two ? d.l3 : d.l2 + d.l3, last_fill = two ? d.l3_fill : d.l2_fill + d.l3_fill;
	n[APMU_SIG_LL_AHEAD] -= last;
	n[APMU_SIG_LL_MISS_AHEAD] -= last_fill;
	n[APMU_SIG_LL_PLD] += last;
	n[APMU_SIG_LL_MISS_PLD] += last_fill;
}

static void bring(const struct apmu_uarch__access *a, uint64_t line, uint64_t late)
{
	struct apmu_uarch *u = a->u;
	struct below before = counts(u->n);
	u->n[APMU_SIG_PLD_L1D_FILL]++;
	u->n[APMU_SIG_EXT_ACCESS]++;
	u->n[APMU_SIG_BCU_REQUEST]++;
	enum apmu_uarch__at at = apmu_uarch__lower_fill(u, &u->l1d, line, APMU_UARCH__REQUEST_PREFETCH);
	count_as_preload(u, &before);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW))
		issue_beside(a, line, at, late);
	else if (apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME))
		issue(a, line, at, late);
}

/* A hit: the look-up gave the line a hint, which a line in flight must not have. */
static void found(const struct apmu_uarch__access *a, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	u->n[APMU_SIG_PLD_L1D_HIT]++;
	if (u->l1d.dirty[u->l1d.slot] & APMU_UARCH__AWAITED)
		apmu_uarch__cache_unhint(&u->l1d, line);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME) && !apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW))
		apmu_uarch__unhint_in_flight(u, &u->l1d, line, apmu_uarch__now(a));
}

void apmu_uarch_preload(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			bool store)
{
	if (!(u->units & APMU_UARCH__ACCESS) || i >= b->n)
		return;
	const struct apmu_uarch__access a = {u, b, addr, &b->step[i], i, 1, store, u->variant, NULL};
	bool in_order = apmu_uarch__has(&a, APMU_UARCH__VARIANT_TIME) &&
			!apmu_uarch__has(&a, APMU_UARCH__VARIANT_WINDOW);
	bool beside = apmu_uarch__beside_l1d(u, addr);
	if (in_order && !beside && u->memory.user <= i)
		apmu_uarch__settle_waits(u, b, i); /* before anything of the preload is counted */
	u->n[APMU_SIG_PLD_TOLD]++;
	if (beside)
		return;
	uint64_t late = translate(&a), line = addr >> u->l1d.shift;
	if (!(u->units & APMU_UARCH__L1D))
		return;
	if (apmu_uarch__cache_hit(&u->l1d, line))
		found(&a, line);
	else
		bring(&a, line, late);
}
