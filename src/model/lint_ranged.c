/* SPDX-License-Identifier: MIT */
/* Reports writes that the manuals of Armv7 and PMUv3 forbid. */
#include "model/model.h"

/* The HPMN field is the last one in MDCR_EL2 and HDCR. */
static void lint_hpmn(const struct apmu *pmu, const struct apmu_reg *reg, uint64_t value)
{
	const struct apmu_field *last = &reg->field[reg->fields - 1];
	uint64_t hpmn = apmu_base__get(value, 4, 0);

	if (last->place.kind != APMU_PLACE_HPMN)
		return;
	if (hpmn > pmu->core->counters || (hpmn == 0 && !apmu_model__has(pmu->core, APMU_FEATURE_HPMN0)))
		apmu_model__note(pmu, APMU_NOTE_HPMN_RANGE, hpmn);
}

static void lint_absent(const struct apmu *pmu, const struct apmu_model__access *access)
{
	unsigned sel = (unsigned)pmu->s.word[APMU_WORD_SEL];

	if (access->hit.reg->trap.indexed >= APMU_INDEXED_SELECTED &&
	    sel >= apmu_model__accessible(pmu, access->from) && sel != APMU_CYCLE_COUNTER)
		apmu_model__note(pmu, APMU_NOTE_ABSENT_COUNTER, sel);
}

void apmu_model__lint_ranged(const struct apmu *pmu, const struct apmu_model__access *access, uint64_t value)
{
	lint_hpmn(pmu, access->hit.reg, value);
	lint_absent(pmu, access);
}
