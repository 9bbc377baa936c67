/* SPDX-License-Identifier: MIT */
/* Decides between the interrupt and the PMU Profiling exception (FEAT_EBEP). PMUV3SHEET 5.2, 5.3. */
#include "model/model.h"

#include "base/memory.h"

#define KPME      2
#define TYPE_SYNC 58

enum pmee { INTERRUPT, NEXT, NEITHER, EXCEPTION };

/* The first level that does not delegate decides; `*target` is that level. */
static unsigned pmee_of(const struct apmu *pmu, unsigned *target)
{
	bool el2 = apmu_model__el2_enabled(pmu, pmu->s.mode);
	unsigned says;

	if (apmu_model__has(pmu->core, APMU_FEATURE_EL3)) {
		says = (unsigned)apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL3], 41, 40);
		*target = 3;
		if (says != NEXT)
			return says;
	}
	if (el2) {
		says = (unsigned)apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL2], 41, 40);
		*target = 2;
		if (says != NEXT)
			return says;
	}
	*target = el2 && apmu_base__is_set(pmu->s.hcr_el2, APMU_MODEL__HCR_TGE) ? 2 : 1;
	says = (unsigned)apmu_base__get(pmu->s.word[APMU_WORD_PMECR], 1, 0);
	return says == NEXT ? (unsigned)NEITHER : says;
}

bool apmu_model__interrupts(const struct apmu *pmu)
{
	unsigned target;

	return !apmu_model__has(pmu->core, APMU_FEATURE_EBEP) || pmee_of(pmu, &target) == INTERRUPT;
}

bool apmu_model__excepts(const struct apmu *pmu)
{
	unsigned target;

	return apmu_model__has(pmu->core, APMU_FEATURE_EBEP) && pmee_of(pmu, &target) == EXCEPTION;
}

/* The flags of `flags` that do not belong to a synchronous counter. */
uint64_t apmu_model__asynchronous(const struct apmu *pmu, uint64_t flags)
{
	uint64_t out = flags;

	for (uint64_t left = flags; left; left &= left - 1)
		if (apmu_base__is_set(pmu->s.type[apmu_base__lowest(left)], TYPE_SYNC))
			out &= ~apmu_base__bit(apmu_base__lowest(left));
	return out;
}

/* PMUV3SHEET 5.4: flags of EL1's range freeze by BRBCR_EL1.FZP, those of EL2's by BRBCR_EL2.FZP; PMINTEN has
 * no effect. */
static bool freezes_branches(const struct apmu *pmu)
{
	uint64_t from = 0;

	if (pmu->s.brbe_fzp1)
		from |= apmu_model__range(pmu, APMU_MODEL__R1);
	if (pmu->s.brbe_fzp2)
		from |= apmu_model__range(pmu, APMU_MODEL__R2);
	return apmu_model__asynchronous(pmu, pmu->s.overflow & from & ~APMU_MODEL__C) != 0;
}

/* PMUV3SHEET 5.2, 5.4 */
uint8_t apmu_model__other_lines(const struct apmu *pmu, bool pending)
{
	bool request = pmu->s.edecr_pme && apmu_model__has(pmu->core, APMU_FEATURE_P9);

	return (uint8_t)((pending ? 1u << APMU_LINE_TRIGGER : 0) |
			 (pending && request ? 1u << APMU_LINE_DEBUG : 0) |
			 (freezes_branches(pmu) ? 1u << APMU_LINE_BRBE : 0));
}

/* True if the exception is masked in `mode` with PSTATE.PM = `pm`. */
static bool masked(const struct apmu *pmu, unsigned target, struct apmu_mode mode, bool pm)
{
	if (mode.debug_halted || mode.el > target)
		return true;
	if (target == 2 && mode.el == 2 &&
	    apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL2], 41, 40) != EXCEPTION)
		return true;
	return mode.el == target && (!apmu_model__word_bit(pmu, APMU_WORD_PMECR, KPME) || pm);
}

/* The level to which an exception would be taken now; 0 if the exception is not enabled, or masked. */
static unsigned unmasked_target(const struct apmu *pmu)
{
	unsigned target = 0;

	if (!apmu_model__has(pmu->core, APMU_FEATURE_EBEP) || pmee_of(pmu, &target) != EXCEPTION)
		return 0;
	return masked(pmu, target, pmu->s.mode, pmu->s.profiling_masked) ? 0 : target;
}

unsigned apmu_profiling(const struct apmu *pmu)
{
	unsigned target = unmasked_target(pmu);

	if (!target)
		return 0;
	return pmu->s.profiling_pending || apmu_model__asynchronous(pmu, apmu_model__pending(pmu)) ? target
												   : 0;
}

/* Returns the flags of synchronous counters whose interrupt enable is set. */
static uint64_t synchronous_requests(const struct apmu *pmu)
{
	uint64_t flags = pmu->s.overflow & pmu->s.inten & ~APMU_MODEL__C;

	return flags & ~apmu_model__asynchronous(pmu, flags);
}

/* PMUV3SHEET 5.3. The instruction whose event makes the counter overflow sees the flag itself. */
bool apmu_retired(struct apmu *pmu, uint64_t address)
{
	uint64_t old[APMU_COUNTERS];
	bool pends = false;

	if (!apmu_model__has(pmu->core, APMU_FEATURE_SEBEP)) {
		apmu_advance(pmu);
		return false;
	}
	memcpy(old, pmu->s.counter, sizeof old);
	apmu_advance(pmu);
	for (uint64_t left = synchronous_requests(pmu); left; left &= left - 1)
		pends |= pmu->s.counter[apmu_base__lowest(left)] != old[apmu_base__lowest(left)];
	pends = pends && unmasked_target(pmu);
	if (pends) {
		pmu->s.word[APMU_WORD_PMIAR] = address;
		pmu->image_of = NULL; /* PMIAR may be the register last written */
	}
	if (pends != pmu->s.profiling_pending) {
		pmu->s.profiling_pending = pends;
		apmu_model__settle(pmu);
	}
	return pends;
}

bool apmu_pends_on_return(const struct apmu *pmu, struct apmu_mode to, bool pm)
{
	unsigned target = 0;

	if (!apmu_model__has(pmu->core, APMU_FEATURE_SEBEP) || pmee_of(pmu, &target) != EXCEPTION)
		return false;
	return masked(pmu, target, pmu->s.mode, pmu->s.profiling_masked) && !masked(pmu, target, to, pm);
}
