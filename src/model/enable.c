/* SPDX-License-Identifier: MIT */
/* Decides which ranges of counters are enabled. */
#include "model/model.h"

#define HPME 7
#define EPME 7

/* Returns the counters whose range is enabled. PMUV3SHEET 4.1: E, HPME, EPME. */
uint64_t apmu_model__ranges_enabled(const struct apmu *pmu, bool e)
{
	uint64_t on = e ? apmu_model__range(pmu, APMU_MODEL__R1) : 0;

	if (apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, HPME))
		on |= apmu_model__range(pmu, APMU_MODEL__R2);
	if (apmu_model__word_bit(pmu, APMU_WORD_PMCCR, EPME))
		on |= apmu_model__range(pmu, APMU_MODEL__R3);
	return on;
}
