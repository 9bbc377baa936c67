/* SPDX-License-Identifier: MIT */
/* Decides which counters an access may read and change. PMUV3SHEET 3.3, 3.5. */
#include "model/model.h"

#define NPMICNTR   2
#define NPMICFILTR 3

enum { EN, SW, CR, ER, UEN, IR };

/* True for a most-secure access: Root with RME, else Secure if there is EL3, else any. */
bool apmu_model__most_secure(const struct apmu *pmu, struct apmu_mode from)
{
	if (apmu_model__has(pmu->core, APMU_FEATURE_RME))
		return from.security == APMU_ROOT;
	return !apmu_model__has(pmu->core, APMU_FEATURE_EL3) || from.security == APMU_SECURE;
}

/* True if PMUACR_EL1 applies to this access. UEN has no effect where EL1 is AArch32. */
bool apmu_model__user_per_counter(const struct apmu *pmu, const struct apmu_model__access *access)
{
	return access->from.el == 0 && apmu_model__word_bit(pmu, APMU_WORD_USEREN, UEN) &&
	       !apmu_model__a32(pmu, 1);
}

static uint64_t external_mask(const struct apmu *pmu, const struct apmu_model__access *access)
{
	uint64_t all = apmu_model__counters(pmu->core);

	return apmu_model__most_secure(pmu, access->from) ? all
							  : all & ~apmu_model__range(pmu, APMU_MODEL__R3);
}

/* True for PMUACR_EL1 itself: what hides F0 of the enables and flags traps it or has no effect on it
 * (PMUV3SHEET 3.5; DDI0487 D24.2, HDFGRTR2_EL2). */
static bool permits_user(const struct apmu_model__access *access)
{
	return access->hit.reg->field[access->hit.reg->fields - 1].place.kind == APMU_PLACE_UACR;
}

/* True if F0 is hidden: by EnPM2 from below EL3, or by the fine-grained trap of PMICFILTR (for PMZR: of
 * PMICNTR). */
static bool instr_hidden(const struct apmu *pmu, const struct apmu_model__access *access, bool zeroing)
{
	const struct apmu_core *core = pmu->core;
	bool el3 = apmu_model__has(core, APMU_FEATURE_EL3);
	uint64_t traps = pmu->s.word[access->write ? APMU_WORD_HDFGWTR2 : APMU_WORD_HDFGRTR2];

	if (permits_user(access))
		return false;
	if (el3 && access->from.el < 3 &&
	    !apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, APMU_MODEL__MDCR_ENPM2))
		return true;
	if (access->from.el > 1 || !apmu_model__el2_enabled(pmu, access->from) ||
	    apmu_model__in_host(pmu, access->from))
		return false;
	if (el3 && !apmu_base__is_set(pmu->s.scr_el3, APMU_MODEL__SCR_FGTEN2))
		return true;
	return !apmu_base__is_set(traps, zeroing ? NPMICNTR : NPMICFILTR);
}

/* True if a write of the register does `what`. */
static bool acts(const struct apmu_model__access *access, enum apmu_do what)
{
	const struct apmu_reg *reg = access->hit.reg;
	const struct apmu_place *last = &reg->field[reg->fields - 1].place;

	return last->kind == APMU_PLACE_DO && last->index == what;
}

/* EL0 while UEN is 1: a write does not change read-only counters. */
static uint64_t user_writes(const struct apmu *pmu)
{
	uint64_t mask = ~(uint64_t)0;

	if (apmu_model__word_bit(pmu, APMU_WORD_USEREN, IR))
		mask &= ~APMU_MODEL__I;
	if (apmu_model__word_bit(pmu, APMU_WORD_USEREN, CR))
		mask &= ~APMU_MODEL__C;
	if (apmu_model__word_bit(pmu, APMU_WORD_USEREN, ER))
		mask &= ~apmu_base__ones(APMU_MAX_EVENT_COUNTERS);
	return mask;
}

static uint64_t user_mask(const struct apmu *pmu, const struct apmu_model__access *access)
{
	if (acts(access, APMU_DO_SOFTWARE_INCREMENT))
		return apmu_model__word_bit(pmu, APMU_WORD_USEREN, SW) ? ~(uint64_t)0 : pmu->s.uacr;
	return access->write ? pmu->s.uacr & user_writes(pmu) : pmu->s.uacr;
}

uint64_t apmu_model__mask(const struct apmu *pmu, const struct apmu_model__access *access)
{
	bool per_counter = apmu_model__user_per_counter(pmu, access),
	     zeroing = acts(access, APMU_DO_ZERO_EVENTS);
	uint64_t mask;

	if (access->external)
		return external_mask(pmu, access);
	mask = apmu_base__ones(apmu_model__accessible(pmu, access->from)) | APMU_MODEL__C;
	if (apmu_model__has(pmu->core, APMU_FEATURE_ICNTR) && !access->a32 &&
	    (access->from.el != 0 || per_counter) && !instr_hidden(pmu, access, zeroing))
		mask |= APMU_MODEL__I;
	return per_counter ? mask & user_mask(pmu, access) : mask;
}
