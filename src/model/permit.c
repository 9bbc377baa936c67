/* SPDX-License-Identifier: MIT */
/* May events be counted where the core is now? */
#include "model.h"

/* DDI0301H 3-137: not where non-invasive debug is not permitted. User follows SDER in the Secure world. */
static bool non_invasive_debug(const struct apmu_state *s)
{
	if (!s->in.dbgen && !s->in.niden)
		return false;
	if (s->mode.security != APMU_SECURE || s->in.spiden || s->in.spniden)
		return true;
	return s->mode.el == 0 && (s->word[APMU_WORD_SUIDEN] || s->word[APMU_WORD_SUNIDEN]);
}

bool apmu__permitted(const struct apmu *pmu)
{
	switch ((enum apmu_permit_rule)pmu->core->permit_rule) {
	case APMU_PERMIT_ALWAYS: return true;
	case APMU_PERMIT_HALT: return !pmu->s.mode.debug_halted;
	case APMU_PERMIT_SECURE: return !pmu->s.mode.debug_halted && non_invasive_debug(&pmu->s);
	}
	return false;
}
