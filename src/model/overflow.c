/* SPDX-License-Identifier: MIT */
/* Adding to a counter, and what a wrap does. */
#include "model.h"

/* XSUPDATE, A stepping of XSC1: a new flag takes the others away. */
static void flag(struct apmu *pmu, unsigned i)
{
	if (apmu__is_set(pmu->s.errata, APMU_ERRATUM_FLAG_LOSS))
		pmu->s.overflow = 0;
	pmu->s.overflow |= apmu__bit(i);
}

void apmu__count(struct apmu *pmu, unsigned i, uint64_t n)
{
	uint64_t mask = apmu__counter_mask(pmu->core, i), old = pmu->s.counter[i];

	pmu->s.counter[i] = (old + n) & mask;
	if (n > mask - old)
		flag(pmu, i);
}
