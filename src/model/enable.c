/* SPDX-License-Identifier: MIT */
/* Which ranges of counters are enabled. */
#include "model/model.h"

#define HPME 7
#define EPME 7

/* Counters whose range is enabled. pmuv3.md 4.1: E, HPME, EPME. */
uint64_t apmu__ranges_enabled(const struct apmu *pmu, bool e)
{
	uint64_t on = e ? apmu__range(pmu, APMU__R1) : 0;

	if (apmu__word_bit(pmu, APMU_WORD_MDCR_EL2, HPME))
		on |= apmu__range(pmu, APMU__R2);
	if (apmu__word_bit(pmu, APMU_WORD_PMCCR, EPME))
		on |= apmu__range(pmu, APMU__R3);
	return on;
}
