/* SPDX-License-Identifier: MIT */
/* Thresholds, edges and links (FEAT_PMUv3_TH, _EDGE, _TH2). PMUV3SHEET 4.8. */
#include "model/model.h"

enum { TE = 60 };

static unsigned tc(uint64_t type)
{
	return (unsigned)apmu_base__get(type, 63, 61);
}

static unsigned tlc(uint64_t type)
{
	return (unsigned)apmu_base__get(type, 55, 54);
}

static bool in_use(uint64_t type)
{
	return tc(type) || tlc(type) || apmu_base__is_set(type, TE) || apmu_base__get(type, 43, 32);
}

uint64_t apmu_model__thresholds(const struct apmu *pmu)
{
	uint64_t out = 0;

	for (unsigned i = 0; i < pmu->core->counters; i++)
		if (in_use(pmu->s.type[i]))
			out |= apmu_base__bit(i);
	return out;
}

static bool condition(uint64_t type, uint64_t n)
{
	uint64_t th = apmu_base__get(type, 43, 32);

	switch (tc(type) >> 1) {
	case 0: return n != th;
	case 1: return n == th;
	case 2: return n >= th;
	default: return n < th;
	}
}

/* Reserved combinations act as if thresholds were off (PMUV3SHEET 9.2). */
static bool reserved(uint64_t type)
{
	if (tlc(type) == 3)
		return true;
	if (apmu_base__is_set(type, TE))
		return (tc(type) & 3) == 0 || tlc(type) == 1;
	return tlc(type) == 2 && (tc(type) & 1);
}

static uint64_t level_result(uint64_t type, bool met, uint64_t n, uint64_t linked)
{
	uint64_t hit = tc(type) & 1 ? 1 : n;

	switch (tlc(type)) {
	case 0: return met ? hit : 0;
	case 1: return met ? hit : linked;
	default: return met ? linked : 0;
	}
}

static uint64_t edge_result(uint64_t type, bool met, bool before, uint64_t linked)
{
	bool edge = tc(type) & 1 ? !before && met : before != met;

	if (!edge)
		return 0;
	return tlc(type) == 2 ? linked : 1;
}

/* Returns what counter i adds in a cycle in which its event occurred n times and the counter below added
 * `linked`. */
uint64_t apmu_model__threshold(struct apmu *pmu, unsigned i, uint64_t n, uint64_t linked)
{
	uint64_t type = pmu->s.type[i];
	bool before = apmu_base__is_set(pmu->s.met, i), met;

	if (!in_use(type) || reserved(type))
		return n;
	met = condition(type, n);
	pmu->s.met = apmu_base__with(pmu->s.met, i, met);
	pmu->met_base = pmu->tally->n[APMU_SIG_CYCLES];
	return apmu_base__is_set(type, TE) ? edge_result(type, met, before, linked)
					   : level_result(type, met, n, linked);
}

/* Counts `cycles` cycles of one counter, whose n events are all in the first. Returns what it added in that
 * first cycle. From the second cycle on all cycles add the same. */
static uint64_t add_cycles(struct apmu *pmu, unsigned i, uint64_t cycles, uint64_t n, uint64_t linked)
{
	uint64_t first = apmu_model__threshold(pmu, i, n, linked), rest = 0;

	if (cycles > 1)
		rest = apmu_model__threshold(pmu, i, 0, 0);
	if (cycles > 2)
		rest += (cycles - 2) * apmu_model__threshold(pmu, i, 0, 0);
	apmu_model__count(pmu, i, first + rest);
	return first;
}

/* Counts the events of a counter with a threshold since it was last taken, and a pending CHAIN. Returns what
 * it added in the first cycle. */
static uint64_t take_one(struct apmu *pmu, unsigned i, uint64_t cycles, uint64_t linked)
{
	uint64_t n = apmu_model__gained(pmu, i);

	pmu->base[i] += n;
	n += apmu_base__is_set(pmu->chained, i);
	pmu->chained &= ~apmu_base__bit(i);
	return add_cycles(pmu, i, cycles, n, linked);
}

/* Takes all counters in ascending order, so that a link sees what the counter below added and a CHAIN comes
 * in time. Counters with a threshold wait if no cycle has passed. */
void apmu_model__take_by_cycle(struct apmu *pmu)
{
	uint64_t now = pmu->tally->n[APMU_SIG_CYCLES], cycles = now - pmu->cycle_base, added = 0;
	unsigned below = APMU_COUNTERS;

	pmu->cycle_base = now;
	for (uint64_t run = pmu->running; run; run &= run - 1) {
		unsigned i = apmu_base__lowest(run);
		uint64_t linked = i & 1 && below == i - 1 ? added : 0;

		below = i;
		if (!apmu_base__is_set(pmu->by_cycle, i)) {
			added = apmu_model__gained(pmu, i);
			apmu_model__take(pmu, i);
		} else if (cycles) {
			added = take_one(pmu, i, cycles, linked);
		}
	}
}
