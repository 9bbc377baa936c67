/* SPDX-License-Identifier: MIT */
/* Which counters are on, and what the rising edge of E does. */
#include "model.h"

/* ARM11 and XScale have one enable for all (AN195 2; XSCALE 8.2.4). */
uint64_t apmu__enabled(const struct apmu *pmu)
{
	return pmu->s.word[APMU_WORD_ENABLE] ? apmu__counters(pmu->core) : 0;
}

/* AN195 2 says nothing of it, DDI0301H 3-137 does: three cycles pass between E 0->1 and the first count. */
void apmu__enable_changed(struct apmu *pmu, bool was)
{
	bool is = pmu->s.word[APMU_WORD_ENABLE] != 0;

	if (is && !was) {
		pmu->s.holdoff = pmu->core->holdoff;
		pmu->hold_base = pmu->tally->n[APMU_SIG_CYCLES];
	} else if (!is) {
		pmu->s.holdoff = 0;
	}
}
