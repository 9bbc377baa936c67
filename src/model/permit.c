/* SPDX-License-Identifier: MIT */
/* Decides which counters may count in the present state: Debug state, debug authentication, prohibition,
 * freezing. */
#include "model/model.h"

enum { SPME = 17, SCCD = 23, MCCD = 34, MPMX = 35 };     /* MDCR_EL3 */
enum { HPMD = 17, HCCD = 23, HPMFZO = 29, HPMFZS = 36 }; /* MDCR_EL2 */

static bool secure_watching(const struct apmu_state *s)
{
	return (s->in.dbgen || s->in.niden) && (s->in.spiden || s->in.spniden);
}

/* ARMV7SHEET 4: SUIDEN needs DBGEN; Monitor mode is Secure. */
static bool watched_v7(const struct apmu_state *s)
{
	return apmu_model__non_invasive_debug(s, apmu_model__is_secure(s->mode),
					      s->word[APMU_WORD_SUNIDEN] ||
						      (s->word[APMU_WORD_SUIDEN] && s->in.dbgen));
}

/* ARMv7 table C7-3: the cycle counter stops only if DP says so. */
static uint64_t permitted_v7(const struct apmu *pmu)
{
	uint64_t all = apmu_model__counters(pmu->core);

	if (watched_v7(&pmu->s))
		return all;
	return pmu->s.word[APMU_WORD_DP] ? 0 : all & APMU_MODEL__C;
}

/* Prohibition in Secure state and at EL3 (PMUV3SHEET 4.4). */
static bool secure_prohibits(const struct apmu *pmu, bool a64)
{
	const struct apmu_core *core = pmu->core;
	bool prohibited = !apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, SPME);

	if (a64 && apmu_model__has(core, APMU_FEATURE_P7) &&
	    apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, MPMX))
		prohibited = false;
	if (prohibited && pmu->s.mode.el == 0 && (!a64 || apmu_model__a32(pmu, 1)))
		prohibited = !pmu->s.word[APMU_WORD_SUNIDEN];
	return prohibited;
}

static bool monitor_prohibits(const struct apmu *pmu, enum apmu_model__range range)
{
	return apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, MPMX) &&
	       (!apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, SPME) || range == APMU_MODEL__R1);
}

static bool prohibited(const struct apmu *pmu, enum apmu_model__range range)
{
	const struct apmu_core *core = pmu->core;
	struct apmu_mode in = pmu->s.mode;
	bool a64 = apmu_model__has(core, APMU_FEATURE_EL3_A64) && !apmu_model__a32(pmu, 3), no = false;

	if (apmu_model__has(core, APMU_FEATURE_EL3) && apmu_model__is_secure(in) && range != APMU_MODEL__R3)
		no = secure_prohibits(pmu, a64);
	if (!no && apmu_model__has(core, APMU_FEATURE_P7) && in.el == 3 && a64 && range != APMU_MODEL__R3)
		no = monitor_prohibits(pmu, range);
	if (!no && apmu_model__has(core, APMU_FEATURE_P1) && in.el == 2 && range == APMU_MODEL__R1)
		no = apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, HPMD);
	return no && (apmu_model__has(core, APMU_FEATURE_DEBUGV8P2) || !secure_watching(&pmu->s));
}

/* The flags that freeze a range: those of event counters and the instruction counter, without synchronous
 * counters and C. */
static uint64_t freezing_flags(const struct apmu *pmu, enum apmu_model__range range)
{
	return apmu_model__asynchronous(pmu,
					pmu->s.overflow & apmu_model__range(pmu, range) & ~APMU_MODEL__C);
}

static bool frozen_by_overflow(const struct apmu *pmu, enum apmu_model__range range)
{
	bool on = range == APMU_MODEL__R1   ? pmu->s.word[APMU_WORD_FZO] != 0
		  : range == APMU_MODEL__R2 ? apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, HPMFZO)
					    : false;

	return on && apmu_model__has(pmu->core, APMU_FEATURE_P7) && freezing_flags(pmu, range);
}

static bool frozen_by_spe(const struct apmu *pmu, enum apmu_model__range range)
{
	if (!pmu->s.spe_stopped || !apmu_model__has(pmu->core, APMU_FEATURE_SPE12))
		return false;
	return range == APMU_MODEL__R1   ? pmu->s.word[APMU_WORD_FZS] != 0
	       : range == APMU_MODEL__R2 ? apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, HPMFZS)
					 : false;
}

/* PMUV3SHEET 4.5: prohibition and freezing stop the cycle counter only if DP is set; SCCD, HCCD and MCCD stop
 * it in any case. */
static bool cycle_runs(const struct apmu *pmu)
{
	const struct apmu_core *core = pmu->core;
	struct apmu_mode in = pmu->s.mode;
	bool p5 = apmu_model__has(core, APMU_FEATURE_P5), el3 = apmu_model__has(core, APMU_FEATURE_EL3);
	bool stopped = prohibited(pmu, APMU_MODEL__R1) || frozen_by_overflow(pmu, APMU_MODEL__R1) ||
		       (frozen_by_spe(pmu, APMU_MODEL__R1) && apmu_model__has(core, APMU_FEATURE_DPFZS));

	if (stopped && pmu->s.word[APMU_WORD_DP])
		return false;
	if (p5 && el3 && apmu_model__is_secure(in) && apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, SCCD))
		return false;
	if (p5 && in.el == 2 && apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, HCCD))
		return false;
	return !(apmu_model__has(core, APMU_FEATURE_P7) && in.el == 3 &&
		 apmu_model__has(core, APMU_FEATURE_EL3_A64) && !apmu_model__a32(pmu, 3) &&
		 apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, MCCD));
}

static uint64_t permitted_v8(const struct apmu *pmu)
{
	uint64_t on = cycle_runs(pmu) ? APMU_MODEL__C : 0;

	for (unsigned range = 0; range < APMU_MODEL__RANGES; range++) {
		enum apmu_model__range r = (enum apmu_model__range)range;

		if (!prohibited(pmu, r) && !frozen_by_overflow(pmu, r) && !frozen_by_spe(pmu, r))
			on |= apmu_model__range(pmu, r) & ~APMU_MODEL__C;
	}
	return on;
}

uint64_t apmu_model__permitted(const struct apmu *pmu)
{
	if (pmu->s.mode.debug_halted)
		return 0;
	return pmu->core->permit_rule == APMU_PERMIT_V7 ? permitted_v7(pmu) : permitted_v8(pmu);
}

/* Events are exported where event counters may count (ARMv7 table C7-3; PMUV3SHEET 2.1, X). */
bool apmu_model__exports(const struct apmu *pmu)
{
	return (apmu_model__permitted(pmu) & ~APMU_MODEL__C) != 0;
}
