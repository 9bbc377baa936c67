/* SPDX-License-Identifier: MIT */
/* Which units run, given the signals that are wanted. */
#include "uarch/machine.h"

#include "uarch/gen/signals.inc"

uint32_t apmu_uarch__needs_of(unsigned signal)
{
	return signal < APMU_SIGNALS ? needs[signal] : 0;
}

uint32_t apmu_uarch__asked(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	uint32_t asked = 0;

	for (unsigned w = 0; w < APMU_SIGNAL_WORDS; w++)
		for (uint64_t set = wanted[w]; set; set &= set - 1)
			asked |= apmu_uarch__needs_of(w * 64 + (unsigned)__builtin_ctzll(set));
	return asked;
}

bool apmu_uarch_needs_accesses(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return apmu_uarch__asked(wanted) & APMU_UARCH__ACCESS;
}

bool apmu_uarch_needs_order(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return apmu_uarch__asked(wanted) & APMU_UARCH__UNITS;
}

bool apmu_uarch_needs_faults(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return apmu_uarch__asked(wanted) & APMU_UARCH__ENTRY_FAULTS;
}

bool apmu_uarch_needs_stalls(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return apmu_uarch__asked(wanted) & APMU_UARCH__ENTRY_WAITS;
}

bool apmu_uarch_needs_operations(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return apmu_uarch__asked(wanted) & APMU_UARCH__ENTRY_OPERATIONS;
}

bool apmu_uarch_waits_early(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return !params->rob && (apmu_uarch__units(params, apmu_uarch__asked(wanted)) & APMU_UARCH__TIME);
}

/* True if the level affects counts of L1. An inclusive level invalidates lines there; an exclusive level
 * hands dirty lines up, which shows only when L1 writes them back. */
static bool affects_l1(const struct apmu_level_params *v, bool writes_back)
{
	if (!v->size)
		return false;
	return v->inclusion == APMU_INCLUSIVE || (v->inclusion == APMU_EXCLUSIVE && writes_back);
}

/* Without units that the core does not have; with those that the wanted units depend on. */
uint32_t apmu_uarch__units(const struct apmu_uarch_params *p, uint32_t asked)
{
	uint32_t units = asked & APMU_UARCH__UNITS;
	bool wb = asked & APMU_UARCH__ENTRY_WRITEBACKS;
	if ((units & APMU_UARCH__L1D) && (affects_l1(&p->l2, wb) || affects_l1(&p->l3, wb)))
		units |= RUN_LOWER;
	if (p->itlb.entries == 0)
		units &= ~(uint32_t)APMU_UARCH__ITLB;
	if (p->dtlb.entries == 0)
		units &= ~(uint32_t)APMU_UARCH__DTLB;
	if (p->l1i.size == 0)
		units &= ~(uint32_t)APMU_UARCH__FETCH;
	if ((units & APMU_UARCH__ACCESS) && p->speculative_after_store && (p->dtcm.size || p->itcm.size))
		units |= APMU_UARCH__L1D; /* needed for apmu_uarch.last.external_store */
	return units;
}
