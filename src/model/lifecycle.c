/* SPDX-License-Identifier: MIT */
/* Birth, reset, and what the host tells a PMU. */
#include "model.h"

#include "../base/memory.h"

/* Recomputes everything derived from the state, from scratch, as of now; `was` is what the lines told the
 * host. */
void apmu__begin(struct apmu *pmu, uint8_t was)
{
	for (unsigned i = 0; i < pmu->core->counters; i++)
		apmu__select(pmu, i);
	pmu->running = 0;
	pmu->hold_base = pmu->tally->n[APMU_SIG_CYCLES];
	apmu__derive(pmu);
	apmu__announce(pmu, was);
}

void apmu_init(struct apmu *pmu, const struct apmu_core *core, const struct apmu_tally *tally,
	       struct apmu_lines lines)
{
	memset(pmu, 0, sizeof *pmu);
	pmu->core = core;
	pmu->tally = tally;
	pmu->lines = lines;
	pmu->s.errata = core->errata_on;
	pmu->s.in = (struct apmu_inputs){.dbgen = true, .niden = true, .spiden = true, .spniden = true};
	pmu->s.mode = (struct apmu_mode){.el = 1, .security = APMU_SECURE};
	apmu__begin(pmu, 0);
}

/* XScale leaves counters and selectors unpredictable; this model: 0 (accuracy.md, reset). */
void apmu_reset(struct apmu *pmu)
{
	uint8_t was = pmu->s.latch;

	pmu->s = (struct apmu_state){.errata = pmu->s.errata, .mode = pmu->s.mode, .in = pmu->s.in};
	apmu__begin(pmu, was);
}

void apmu_enter(struct apmu *pmu, struct apmu_mode mode)
{
	apmu_advance(pmu);
	pmu->s.mode = mode;
	pmu->s.mode.el = mode.el & 3;
	pmu->s.mode.security = mode.security & 3;
	apmu__settle(pmu);
}

void apmu_input(struct apmu *pmu, struct apmu_inputs in)
{
	apmu_advance(pmu);
	pmu->s.in = in;
	apmu__settle(pmu);
}

void apmu_errata(struct apmu *pmu, uint32_t errata)
{
	apmu_advance(pmu);
	pmu->s.errata = errata & pmu->core->errata;
	for (unsigned i = 0; i < pmu->core->counters; i++)
		apmu__rebase(pmu, i);
}
