/* SPDX-License-Identifier: MIT */
/* Armv7 and PMUv3: the bit at which a counter overflows, wraps that raise no flag, chains. */
#include "model/model.h"

#define HLP   26
#define CHAIN 0x001E

/* True if the PMU exception is enabled, which makes every overflow a 64-bit one (PMUV3SHEET 5.3). */
static bool forced_long(const struct apmu *pmu)
{
	return apmu_model__has(pmu->core, APMU_FEATURE_EBEP) && apmu_model__excepts(pmu);
}

bool apmu_model__long_cycle(const struct apmu *pmu)
{
	return pmu->s.word[APMU_WORD_LC] || forced_long(pmu);
}

static bool long_event(const struct apmu *pmu, unsigned i)
{
	switch (apmu_model__range_of(pmu, i)) {
	case APMU_MODEL__R1: return pmu->s.word[APMU_WORD_LP] || forced_long(pmu);
	case APMU_MODEL__R2: return apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, HLP) || forced_long(pmu);
	case APMU_MODEL__R3:
	case APMU_MODEL__RANGES: break;
	}
	return true;
}

/* The width in bits whose carry sets the flag of counter i. */
unsigned apmu_model__overflow_bit(const struct apmu *pmu, unsigned i)
{
	if (i == APMU_INSTR_COUNTER)
		return 64;
	if (i == APMU_CYCLE_COUNTER)
		return pmu->core->cycle_width < 64   ? pmu->core->cycle_width
		       : apmu_model__long_cycle(pmu) ? 64
						     : 32;
	return pmu->core->width < 64 ? pmu->core->width : long_event(pmu, i) ? 64 : 32;
}

/* i.MX6 ERR003719, Cortex-A9: a step of two past the top raises no flag; one that ends at 0 does. */
bool apmu_model__unseen(const struct apmu *pmu, unsigned i, uint64_t n)
{
	return apmu_base__is_set(pmu->s.errata, APMU_ERRATUM_LOST_OVERFLOW) && i < APMU_CYCLE_COUNTER &&
	       n <= 2 && pmu->s.counter[i] != 0;
}

/* With a threshold, CHAIN counts as one of the events of the cycle. */
static void chain_to(struct apmu *pmu, unsigned next, uint64_t times)
{
	if (apmu_base__is_set(pmu->by_cycle, next))
		pmu->chained |= apmu_base__bit(next);
	else
		apmu_model__count(pmu, next, times);
}

/* PMUV3SHEET 4.9: a 32-bit overflow of an even counter is an event of its odd neighbour in the same range. */
void apmu_model__chain(struct apmu *pmu, unsigned i, uint64_t times)
{
	unsigned next = i + 1;

	if (!apmu_base__is_set(pmu->core->constant[APMU_CORE_PMCEID0], CHAIN) ||
	    apmu_model__overflow_bit(pmu, i) == 64)
		return;
	if (i & 1 || next >= pmu->core->counters ||
	    apmu_model__range_of(pmu, i) != apmu_model__range_of(pmu, next))
		return;
	if (pmu->event[next] && pmu->event[next]->number == CHAIN && apmu_base__is_set(pmu->running, next))
		chain_to(pmu, next, times);
}
