/* SPDX-License-Identifier: MIT */
/* Capturing every counter at once (FEAT_PMUv3_SS). PMUV3SHEET 2.18. */
#include "model/model.h"

#include "base/memory.h"

#define PMU_SNAPSHOT 0x8127

enum sse { DISABLED, NEXT, PROHIBITED, ALLOWED };

/* The first of MDCR_EL3.PMSSE, MDCR_EL2.PMSSE and PMECR.SSE that does not delegate decides. */
static unsigned enabled(const struct apmu *pmu)
{
	unsigned says = NEXT;

	if (apmu_model__has(pmu->core, APMU_FEATURE_EL3))
		says = (unsigned)apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL3], 31, 30);
	if (says == NEXT && apmu_model__has(pmu->core, APMU_FEATURE_EL2))
		says = (unsigned)apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL2], 31, 30);
	if (says == NEXT)
		says = (unsigned)apmu_base__get(pmu->s.word[APMU_WORD_PMECR], 4, 3);
	return says == NEXT ? (unsigned)DISABLED : says;
}

bool apmu_capture(struct apmu *pmu)
{
	unsigned says = enabled(pmu);

	if (!apmu_model__has(pmu->core, APMU_FEATURE_SS) || says == DISABLED)
		return false;
	apmu_advance(pmu);
	if (says == PROHIBITED || pmu->s.os_lock || pmu->s.mode.debug_halted) {
		pmu->s.word[APMU_WORD_NOCAPTURE] = 1;
		return false;
	}
	memcpy(pmu->s.saved, pmu->s.counter, sizeof pmu->s.saved);
	pmu->s.word[APMU_WORD_NOCAPTURE] = 0;
	apmu_model__occur(pmu, PMU_SNAPSHOT, ~(uint64_t)0);
	apmu_model__settle(pmu);
	return true;
}
