/* SPDX-License-Identifier: MIT */
/* Ranges: the counters that belong to EL1 (R1), EL2 (R2) and an external agent (R3). PMUV3SHEET 2.15, 4.1;
 * ARMV7SHEET 3. */
#include "model/model.h"

#define SCR_EEL2 18
#define HCR_E2H  34

unsigned apmu_model__epmn(const struct apmu *pmu)
{
	uint64_t epmn = apmu_base__get(pmu->s.word[APMU_WORD_PMCCR], 4, 0);

	if (!apmu_model__has(pmu->core, APMU_FEATURE_EXTPMN) || epmn > pmu->core->counters)
		return pmu->core->counters;
	return (unsigned)epmn;
}

/* Returns the size of R1 if HPMN is 0 without FEAT_HPMN0, by the rule of the core's row. */
static unsigned size_for_hpmn0(const struct apmu *pmu, unsigned limit)
{
	switch ((enum apmu_hpmn0_rule)pmu->core->hpmn0_rule) {
	case APMU_HPMN0_FULL: return limit;
	case APMU_HPMN0_ONE: return limit ? 1 : 0;
	case APMU_HPMN0_NONE: break;
	}
	return 0;
}

unsigned apmu_model__hpmn(const struct apmu *pmu)
{
	unsigned limit = apmu_model__epmn(pmu),
		 hpmn = (unsigned)apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL2], 4, 0);

	if (!apmu_model__has(pmu->core, APMU_FEATURE_EL2) || hpmn > limit)
		return limit;
	if (hpmn == 0 && !apmu_model__has(pmu->core, APMU_FEATURE_HPMN0))
		return size_for_hpmn0(pmu, limit);
	return hpmn;
}

void apmu_model__split(struct apmu *pmu)
{
	uint64_t first = apmu_base__ones(apmu_model__hpmn(pmu)),
		 both = apmu_base__ones(apmu_model__epmn(pmu));

	pmu->range[APMU_MODEL__R1] = first | (pmu->exists & (APMU_MODEL__C | APMU_MODEL__I));
	pmu->range[APMU_MODEL__R2] = both & ~first;
	pmu->range[APMU_MODEL__R3] = apmu_base__ones(pmu->core->counters) & ~both;
}

enum apmu_model__range apmu_model__range_of(const struct apmu *pmu, unsigned i)
{
	if (i >= APMU_CYCLE_COUNTER || i < apmu_model__hpmn(pmu))
		return APMU_MODEL__R1;
	return i < apmu_model__epmn(pmu) ? APMU_MODEL__R2 : APMU_MODEL__R3;
}

/* True if EL2 exists and is enabled in the Security state of `in`; at EL3, in that of the levels below
 * (DDI0487 J1, EL2Enabled). */
bool apmu_model__el2_enabled(const struct apmu *pmu, struct apmu_mode in)
{
	const struct apmu_core *core = pmu->core;

	if (!apmu_model__has(core, APMU_FEATURE_EL2))
		return false;
	if (in.el == 3)
		in.security =
			apmu_base__is_set(pmu->s.scr_el3, APMU_MODEL__SCR_NS) ? APMU_NONSECURE : APMU_SECURE;
	if (!apmu_model__has(core, APMU_FEATURE_EL3) || in.security == APMU_NONSECURE ||
	    in.security == APMU_REALM)
		return true;
	return in.security == APMU_SECURE && apmu_model__has(core, APMU_FEATURE_SEL2) &&
	       apmu_base__is_set(pmu->s.scr_el3, SCR_EEL2);
}

/* True at EL0 under a host at EL2 (HCR_EL2.{E2H,TGE} = {1,1}). */
bool apmu_model__in_host(const struct apmu *pmu, struct apmu_mode in)
{
	return in.el == 0 && apmu_model__el2_enabled(pmu, in) &&
	       apmu_model__has(pmu->core, APMU_FEATURE_VHE) && apmu_base__is_set(pmu->s.hcr_el2, HCR_E2H) &&
	       apmu_base__is_set(pmu->s.hcr_el2, APMU_MODEL__HCR_TGE);
}

unsigned apmu_model__accessible(const struct apmu *pmu, struct apmu_mode from)
{
	return from.el <= 1 && apmu_model__el2_enabled(pmu, from) ? apmu_model__hpmn(pmu)
								  : apmu_model__epmn(pmu);
}

/* PMUV3SHEET 2.15: with FEAT_PMUv3_EXTPMN an HPMN larger than EPMN reads as EPMN; the field keeps what was
 * written. */
uint64_t apmu_model__hpmn_read(const struct apmu *pmu)
{
	uint64_t hpmn = apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL2], 4, 0), limit = apmu_model__epmn(pmu);

	return apmu_model__has(pmu->core, APMU_FEATURE_EXTPMN) && hpmn > limit ? limit : hpmn;
}
