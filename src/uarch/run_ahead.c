/* SPDX-License-Identifier: MIT */
#include "uarch/run_ahead.h"

#include "uarch/pass.h"

/* The tick by which an entry had left the queue. What stalled dispatch after `begin` is taken to have stalled
 * the last one. */
static uint64_t left_by(const struct apmu_uarch__point *p, uint32_t entry)
{
	uint64_t tick =
		p->begin + (uint64_t)(entry + 1 - p->first) * APMU_UARCH__MOP_PIECE * APMU_UARCH__TICKS;
	return entry + 1 == p->entries || tick > p->end ? p->end : tick;
}

/* The tick from which the fetch queue had room for the entry: that by which the one that left it for this one
 * had been dispatched. `otherwise`, if no point shows that. */
static uint64_t room_from(const struct apmu_uarch__run_ahead *a, uint32_t entry, uint64_t otherwise)
{
	uint32_t left = entry - a->queue;
	for (uint32_t k = a->points; a->points - k < APMU_UARCH__POINTS; k--) {
		const struct apmu_uarch__point *p = &a->point[(k - 1) % APMU_UARCH__POINTS];
		if ((int32_t)(p->entries - left) <= 0)
			break;
		otherwise = left_by(p, left);
	}
	return otherwise;
}

/* The cycle of a tick, which may be before those counted so far. */
static uint64_t clock_at(const struct apmu_uarch *u, uint64_t tick)
{
	const struct apmu_uarch__window *w = u->window;
	if (tick >= w->counted)
		return apmu_uarch__clock_in(u, apmu_uarch__cycle_of(w, tick));
	return u->clock - (w->counted - tick + w->cycle - 1) / w->cycle;
}

uint64_t apmu_uarch__requested_ahead(const struct apmu_uarch *u, uint32_t entry, uint64_t tick)
{
	const struct apmu_uarch__window *w = u->window;
	const struct apmu_uarch__run_ahead *a = &w->run_ahead;
	const struct apmu_run_ahead_params *p = &u->p.run_ahead;
	uint64_t predicted = a->anew + (uint64_t)(entry - a->anew_entry) * w->cycle / p->rate;
	uint64_t from = apmu_uarch__later(room_from(a, entry, tick), predicted);
	uint64_t refill = a->arrives[(a->refills - p->refills) % APMU_UARCH__REFILLS];
	return apmu_uarch__later(clock_at(u, from < tick ? from : tick), refill);
}

uint64_t apmu_uarch__refilled(struct apmu_uarch *u, uint64_t cycle)
{
	struct apmu_uarch__run_ahead *a = &u->window->run_ahead;
	uint64_t last = a->arrives[(a->refills - 1) % APMU_UARCH__REFILLS];
	if (a->refills && cycle < last + u->p.run_ahead.fill)
		cycle = last + u->p.run_ahead.fill;
	a->arrives[a->refills++ % APMU_UARCH__REFILLS] = cycle;
	return cycle;
}
