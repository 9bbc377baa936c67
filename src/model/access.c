/* SPDX-License-Identifier: MIT */
/* Register accesses, from the look-up to their effects. */
#include "model/model.h"

bool apmu_model__look_up(const struct apmu *pmu, struct apmu_access at, bool write,
			 struct apmu_model__access *access)
{
	if (!apmu_spec__locate(pmu->core, at.view, at.encoding, &access->hit))
		return false;
	access->from = at.from;
	access->from.el &= 3;
	access->write = write;
	access->a32 = at.view == APMU_VIEW_CP || at.view == APMU_VIEW_CP64;
	access->external = at.view == APMU_VIEW_MMIO;
	return true;
}

enum apmu_outcome apmu_read(const struct apmu *pmu, struct apmu_access at, uint64_t *value)
{
	struct apmu_model__access access;
	int verdict;

	if (!apmu_model__look_up(pmu, at, false, &access))
		return APMU_UNDEFINED;
	verdict = pmu->core->rules->judge(pmu, &access);
	if (verdict == APMU_DONE)
		*value = apmu_model__fields_read(pmu, &access);
	else if (verdict == APMU_MODEL__RAZ_WI)
		*value = 0;
	return verdict == APMU_MODEL__RAZ_WI ? APMU_DONE : (enum apmu_outcome)verdict;
}

enum apmu_outcome apmu_may(const struct apmu *pmu, struct apmu_access at, bool write)
{
	struct apmu_model__access access;
	int verdict = APMU_UNDEFINED;

	if (apmu_model__look_up(pmu, at, write, &access))
		verdict = pmu->core->rules->judge(pmu, &access);
	return verdict == APMU_MODEL__RAZ_WI ? APMU_DONE : (enum apmu_outcome)verdict;
}

/* True if the level may write the register without further checks. Rows of Armv7 and PMUv3 never say so. */
static inline bool freely(const struct apmu_model__access *access)
{
	return !SMALL && access->hit.reg->right[access->from.el] == APMU_RIGHT_RW;
}

/* Three cycles pass between E 0->1 and the first count: DDI0301H 3-137; AN195 2 does not mention them. */
static void enable_changed(struct apmu *pmu, bool was)
{
	bool is = pmu->s.word[APMU_WORD_ENABLE] != 0;

	if (is && !was) {
		pmu->s.holdoff = pmu->core->holdoff;
		pmu->hold_base = pmu->tally->n[APMU_SIG_CYCLES];
	} else if (!is) {
		pmu->s.holdoff = 0;
	}
}

enum apmu_outcome apmu_write(struct apmu *pmu, struct apmu_access at, uint64_t value)
{
	bool was = pmu->s.word[APMU_WORD_ENABLE] != 0;
	struct apmu_model__access access;
	enum apmu_model__work work;
	int verdict;

	apmu_advance(pmu);
	if (!apmu_model__look_up(pmu, at, true, &access))
		return APMU_UNDEFINED;
	verdict = freely(&access) ? APMU_DONE : pmu->core->rules->judge(pmu, &access);
	if (verdict != APMU_DONE && verdict != APMU_MODEL__RAZ_WI)
		return (enum apmu_outcome)verdict;
	if (pmu->lines.note)
		apmu_model__lint(pmu, &access, value);
	if (verdict == APMU_MODEL__RAZ_WI)
		return APMU_DONE;
	work = apmu_model__fields_write(pmu, &access, value);
	if (work < APMU_MODEL__SWITCHED)
		return APMU_DONE;
	enable_changed(pmu, was);
	if (!SMALL && work == APMU_MODEL__SWITCHED)
		apmu_model__switch(pmu);
	else
		apmu_model__settle(pmu);
	return APMU_DONE;
}
