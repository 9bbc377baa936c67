/* SPDX-License-Identifier: MIT */
/* May counters count where the core is now: Debug state, debug authentication, prohibition, freezing. */
#include "model/model.h"

enum { SPME = 17, SCCD = 23, MCCD = 34, MPMX = 35 };     /* MDCR_EL3 */
enum { HPMD = 17, HCCD = 23, HPMFZO = 29, HPMFZS = 36 }; /* MDCR_EL2 */

static bool secure_watching(const struct apmu_state *s)
{
	return (s->in.dbgen || s->in.niden) && (s->in.spiden || s->in.spniden);
}

/* armv7-pmuv2.md 4: SUIDEN needs DBGEN; Monitor mode is Secure. */
static bool watched_v7(const struct apmu_state *s)
{
	return apmu__non_invasive_debug(s, s->mode.security == APMU_SECURE || s->mode.el == 3,
					s->word[APMU_WORD_SUNIDEN] ||
						(s->word[APMU_WORD_SUIDEN] && s->in.dbgen));
}

/* ARMv7 table C7-3: the cycle counter stops only if DP says so. */
static uint64_t permitted_v7(const struct apmu *pmu)
{
	uint64_t all = apmu__counters(pmu->core);

	if (watched_v7(&pmu->s))
		return all;
	return pmu->s.word[APMU_WORD_DP] ? 0 : all & APMU__C;
}

/* pmuv3.md 4.4, Secure state and EL3. */
static bool secure_prohibits(const struct apmu *pmu, bool a64)
{
	const struct apmu_core *core = pmu->core;
	bool prohibited = !apmu__word_bit(pmu, APMU_WORD_MDCR_EL3, SPME);

	if (a64 && apmu__model_has(core, APMU_FEATURE_P7) && apmu__word_bit(pmu, APMU_WORD_MDCR_EL3, MPMX))
		prohibited = false;
	if (prohibited && pmu->s.mode.el == 0 && (!a64 || apmu__a32(pmu, 1)))
		prohibited = !pmu->s.word[APMU_WORD_SUNIDEN];
	return prohibited;
}

static bool monitor_prohibits(const struct apmu *pmu, enum apmu__range range)
{
	return apmu__word_bit(pmu, APMU_WORD_MDCR_EL3, MPMX) &&
	       (!apmu__word_bit(pmu, APMU_WORD_MDCR_EL3, SPME) || range == APMU__R1);
}

static bool prohibited(const struct apmu *pmu, enum apmu__range range)
{
	const struct apmu_core *core = pmu->core;
	struct apmu_mode in = pmu->s.mode;
	bool a64 = apmu__model_has(core, APMU_FEATURE_EL3_A64) && !apmu__a32(pmu, 3), no = false;

	if (apmu__model_has(core, APMU_FEATURE_EL3) && (in.security == APMU_SECURE || in.el == 3) &&
	    range != APMU__R3)
		no = secure_prohibits(pmu, a64);
	if (!no && apmu__model_has(core, APMU_FEATURE_P7) && in.el == 3 && a64 && range != APMU__R3)
		no = monitor_prohibits(pmu, range);
	if (!no && apmu__model_has(core, APMU_FEATURE_P1) && in.el == 2 && range == APMU__R1)
		no = apmu__word_bit(pmu, APMU_WORD_MDCR_EL2, HPMD);
	return no && (apmu__model_has(core, APMU_FEATURE_DEBUGV8P2) || !secure_watching(&pmu->s));
}

/* Flags that freeze a range: of event counters and the instruction counter, synchronous ones and C apart. */
static uint64_t freezing_flags(const struct apmu *pmu, enum apmu__range range)
{
	return apmu__asynchronous(pmu, pmu->s.overflow & apmu__range(pmu, range) & ~APMU__C);
}

static bool frozen_by_overflow(const struct apmu *pmu, enum apmu__range range)
{
	bool on = range == APMU__R1   ? pmu->s.word[APMU_WORD_FZO] != 0
		  : range == APMU__R2 ? apmu__word_bit(pmu, APMU_WORD_MDCR_EL2, HPMFZO)
				      : false;

	return on && apmu__model_has(pmu->core, APMU_FEATURE_P7) && freezing_flags(pmu, range);
}

static bool frozen_by_spe(const struct apmu *pmu, enum apmu__range range)
{
	if (!pmu->s.spe_stopped || !apmu__model_has(pmu->core, APMU_FEATURE_SPE12))
		return false;
	return range == APMU__R1   ? pmu->s.word[APMU_WORD_FZS] != 0
	       : range == APMU__R2 ? apmu__word_bit(pmu, APMU_WORD_MDCR_EL2, HPMFZS)
				   : false;
}

/* pmuv3.md 4.5: prohibition and freezing reach the cycle counter through DP only; xCCD past it. */
static bool cycle_runs(const struct apmu *pmu)
{
	const struct apmu_core *core = pmu->core;
	struct apmu_mode in = pmu->s.mode;
	bool p5 = apmu__model_has(core, APMU_FEATURE_P5), el3 = apmu__model_has(core, APMU_FEATURE_EL3);
	bool stopped = prohibited(pmu, APMU__R1) || frozen_by_overflow(pmu, APMU__R1) ||
		       (frozen_by_spe(pmu, APMU__R1) && apmu__model_has(core, APMU_FEATURE_DPFZS));

	if (stopped && pmu->s.word[APMU_WORD_DP])
		return false;
	if (p5 && el3 && (in.security == APMU_SECURE || in.el == 3) &&
	    apmu__word_bit(pmu, APMU_WORD_MDCR_EL3, SCCD))
		return false;
	if (p5 && in.el == 2 && apmu__word_bit(pmu, APMU_WORD_MDCR_EL2, HCCD))
		return false;
	return !(apmu__model_has(core, APMU_FEATURE_P7) && in.el == 3 &&
		 apmu__model_has(core, APMU_FEATURE_EL3_A64) && !apmu__a32(pmu, 3) &&
		 apmu__word_bit(pmu, APMU_WORD_MDCR_EL3, MCCD));
}

static uint64_t permitted_v8(const struct apmu *pmu)
{
	uint64_t on = cycle_runs(pmu) ? APMU__C : 0;

	for (unsigned range = 0; range < APMU__RANGES; range++) {
		enum apmu__range r = (enum apmu__range)range;

		if (!prohibited(pmu, r) && !frozen_by_overflow(pmu, r) && !frozen_by_spe(pmu, r))
			on |= apmu__range(pmu, r) & ~APMU__C;
	}
	return on;
}

uint64_t apmu__permitted(const struct apmu *pmu)
{
	if (pmu->s.mode.debug_halted)
		return 0;
	return pmu->core->permit_rule == APMU_PERMIT_V7 ? permitted_v7(pmu) : permitted_v8(pmu);
}

/* Events are exported where event counters may count (ARMv7 table C7-3; pmuv3.md 2.1, X). */
bool apmu__exports(const struct apmu *pmu)
{
	return (apmu__permitted(pmu) & ~APMU__C) != 0;
}
