/* SPDX-License-Identifier: MIT */
/* Adding to a counter, and what a wrap does. */
#include "model/model.h"

/* XSUPDATE, A stepping of XSC1: setting a flag clears the other flags. */
static void flag(struct apmu *pmu, unsigned i)
{
	if (apmu_base__is_set(pmu->s.errata, APMU_ERRATUM_FLAG_LOSS))
		pmu->s.overflow = 0;
	pmu->s.overflow |= apmu_base__bit(i);
}

/* How often adding `n` to `old` carries out of bit `width` - 1. */
static uint64_t carries(uint64_t old, uint64_t n, unsigned width)
{
	uint64_t low = apmu_base__ones(width);

	if (width >= 64)
		return old + n < old;
	return (n >> width) + ((old & low) + (n & low) > low);
}

void apmu_model__count(struct apmu *pmu, unsigned i, uint64_t n)
{
	const struct apmu_model__rules *rules = pmu->core->rules;
	uint64_t old = pmu->s.counter[i], wraps = carries(old, n, rules->overflow_bit(pmu, i));

	pmu->s.counter[i] = (old + n) & apmu_model__counter_mask(pmu->core, i);
	if (!wraps || (rules->unseen && rules->unseen(pmu, i, n)))
		return;
	flag(pmu, i);
	if (rules->wrapped)
		rules->wrapped(pmu, i, wraps);
}
