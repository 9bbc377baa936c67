/* SPDX-License-Identifier: MIT */
#include "uarch/late_ops.h"

#include "uarch/memory.h"
#include "uarch/pass.h"

/* Cycles from `start` to the data of a load, or of the line that a store fetches, that missed. The miss takes
 * an MSHR, then the bus to the line. */
static uint64_t miss(struct apmu_uarch *u, uint64_t line, enum apmu_uarch__at at, uint64_t start)
{
	struct apmu_uarch__memory *m = &u->memory;
	uint64_t now = apmu_uarch__clock_in(u, start);
	apmu_uarch__free_mshrs(m, apmu_uarch__clock_now(u));
	uint64_t issued = apmu_uarch__mshr_from(u, now, at);
	u->window->issued = start;
	return issued + apmu_uarch__issue_miss_at(u, line, issued, at) - now;
}

/* Cycles from `start` to the data of a prefetched line. If the line was requested later than this access
 * starts, or never, this access requests it. */
static uint64_t prefetched(struct apmu_uarch *u, const struct apmu_uarch__late_access *late, uint64_t start)
{
	struct apmu_uarch__arrival *a = &u->arrive[late->value];
	uint64_t now = apmu_uarch__clock_in(u, start), alone = now + u->latency[a->at];
	if (a->when == APMU_UARCH__NEVER)
		a->when = now + miss(u, u->l1d.tag[late->value], (enum apmu_uarch__at)a->at, start);
	else if (a->when - a->took > now)
		a->when = a->when < alone ? a->when : alone;
	else if (a->when > alone)
		apmu_uarch__promote_prefetch(u, (uint32_t)late->value, now);
	return a->when > now ? a->when - now : 0;
}

/* Starts a prefetch together with the instruction that triggered it. */
static void trigger_prefetch(struct apmu_uarch *u, const struct apmu_uarch__late_access *late, uint64_t start)
{
	u->window->issued = start;
	apmu_uarch__request_prefetch(u, (uint32_t)late->value, (enum apmu_uarch__at)late->at,
				     apmu_uarch__clock_in(u, start));
}

/* Cycles that a late access adds, from `start` on. */
static uint64_t lateness_of(struct apmu_uarch *u, const struct apmu_uarch__late_access *n, uint64_t start)
{
	switch (n->kind) {
	case APMU_UARCH__LATE_MISS: return miss(u, n->value, (enum apmu_uarch__at)n->at, start);
	case APMU_UARCH__LATE_PREFETCHED: return prefetched(u, n, start);
	case APMU_UARCH__LATE_TRIGGER: trigger_prefetch(u, n, start); return 0;
	default: return apmu_uarch__await_fill(u, n->value, apmu_uarch__clock_in(u, start));
	}
}

unsigned apmu_uarch__cause(const struct apmu_uarch__late_access *n)
{
	static const uint8_t of_miss[APMU_UARCH__PLACES] = {APMU_UARCH__STALL_L2, APMU_UARCH__STALL_L3,
							    APMU_UARCH__STALL_MEMORY, APMU_UARCH__STALL_L3};
	unsigned stall = APMU_UARCH__STALL_L2;

	if (n->kind == APMU_UARCH__LATE_TRIGGER ||
	    (n->kind == APMU_UARCH__LATE_CYCLES && n->at == APMU_UARCH__FOR_ALIGNMENT))
		return APMU_UARCH__CAUSES;
	if (n->kind == APMU_UARCH__LATE_MISS)
		stall = of_miss[n->at];
	else if (n->kind == APMU_UARCH__LATE_CYCLES && n->at == APMU_UARCH__FOR_MAIN)
		stall = APMU_UARCH__STALL_MAIN;
	else if (n->kind == APMU_UARCH__LATE_CYCLES && n->at == APMU_UARCH__FOR_TABLES)
		stall = APMU_UARCH__STALL_TABLES;
	return stall - APMU_UARCH__STALL_MEMORY;
}

/* Records why a load is late: a dispatch stall until its arrival has this cause. */
static void blame(struct apmu_uarch__window *w, unsigned cause, uint64_t arrives)
{
	if (cause == 0 || (w->causes && cause < APMU_UARCH__CAUSES))
		w->from[cause] = apmu_uarch__later(w->from[cause], arrives);
}

/* Cycles that the late accesses of one instruction add to its latency. `taken`: all data are forwarded from a
 * store, so the load waits for no line. */
static uint64_t lateness(struct apmu_uarch *u, const struct apmu_uarch__op *op, uint64_t start, bool taken)
{
	struct apmu_uarch__window *w = u->window;
	const struct apmu_uarch__late_access *n = &w->late_access[w->next_late_access],
					     *end = &w->late_access[w->late_accesses];
	unsigned step = n->step, cause = APMU_UARCH__CAUSES;
	uint64_t translation = 0, worst = 0;
	for (; n != end && n->step == step; n++) {
		uint64_t from = start + translation, cycles = 0;
		if (n->kind == APMU_UARCH__LATE_CYCLES)
			translation += n->value;
		else if (!taken || n->kind != APMU_UARCH__LATE_IN_FLIGHT)
			cycles = lateness_of(u, n, from);
		cycles = taken ? 0 : cycles;
		worst = apmu_uarch__later(worst, translation + cycles);
		unsigned other = apmu_uarch__cause(n);
		cause = other < cause && (cycles || n->kind == APMU_UARCH__LATE_CYCLES) ? other : cause;
	}
	w->next_late_access = (unsigned)(n - w->late_access);
	if (u->stalls && op->load)
		blame(w, cause, start + op->latency + worst);
	return worst;
}

/* The cycle in which a forwarded load would have to start if it were a hit: not before the store has its
 * data. A load whose forwarding fails still requests its line as soon as its address is known. `stores`:
 * those of the block before the load; of stores of earlier blocks it is not remembered when they retired. */
static uint64_t from_store(const struct apmu_uarch__window *w, const struct apmu_uarch__forwarded_load *t,
			   unsigned stores)
{
	unsigned at = (w->stored - t->age) % APMU_UARCH__DATA;
	uint64_t passed = w->data[at];
	if (t->fails && w->fails_late && t->age <= stores)
		return apmu_uarch__later(passed, w->retired_by[at]);
	uint64_t less = t->fails ? 0 : w->fail - w->forward;
	return passed > less ? passed - less : 0;
}

struct apmu_uarch__times apmu_uarch__late_op_times(struct apmu_uarch *u, const struct apmu_block *b,
						   const struct apmu_uarch__op *op, uint64_t start)
{
	struct apmu_uarch__window *w = u->window;
	uint32_t i = (uint32_t)(op - b->op);
	uint64_t late = 0, given = start;
	bool taken = false;
	if (w->next_forwarded_load < w->forwarded_loads &&
	    w->forwarded_load[w->next_forwarded_load].step == i) {
		const struct apmu_uarch__forwarded_load *t = &w->forwarded_load[w->next_forwarded_load++];
		given = apmu_uarch__later(start, from_store(w, t, b->step[i].stores));
		taken = !t->fails && !t->half;
	}
	if (w->next_late_access < w->late_accesses && w->late_access[w->next_late_access].step == i)
		late = lateness(u, op, start, taken);
	return apmu_uarch__timed(w, op, start, apmu_uarch__later(late, given - start));
}
