/* SPDX-License-Identifier: MIT */
/* Initialisation and reset of a PMU, and changes of its inputs by the host. */
#include "model/model.h"

#include "base/memory.h"

/* Recomputes everything that is derived from the state; `was` is the state of the lines that the host
 * knows. */
void apmu_model__begin(struct apmu *pmu, uint8_t was)
{
	pmu->running = 0;
	for (unsigned i = 0; i < APMU_COUNTERS; i++)
		apmu_model__select(pmu, i);
	pmu->met_base = pmu->tally->n[APMU_SIG_CYCLES];
	pmu->image_of = NULL;
	pmu->hold_base = pmu->tally->n[APMU_SIG_CYCLES];
	apmu_model__derive(pmu);
	apmu_model__announce(pmu, was);
}

void apmu_init(struct apmu *pmu, const struct apmu_core *core, const struct apmu_tally *tally,
	       struct apmu_lines lines)
{
	memset(pmu, 0, sizeof *pmu);
	pmu->core = core;
	pmu->tally = tally;
	pmu->lines = lines;
	pmu->exists = apmu_model__counters(core);
	pmu->type_mask[0] = core->event_mask;
	pmu->s.errata = core->errata_on;
	pmu->s.in = (struct apmu_inputs){.dbgen = true, .niden = true, .spiden = true, .spniden = true};
	pmu->s.mode = (struct apmu_mode){.el = 1, .security = APMU_SECURE};
	if (core->rules->reset)
		core->rules->reset(pmu);
	apmu_model__begin(pmu, 0);
}

/* XScale leaves counters and selectors unpredictable, PMUv3 most of its state UNKNOWN; this model sets them
 * to 0 (accuracy.md, reset). */
void apmu_reset(struct apmu *pmu)
{
	struct apmu_state s = pmu->s;
	uint8_t was = s.latch;

	memset(&pmu->s, 0, sizeof pmu->s);
	pmu->s.errata = s.errata;
	pmu->s.mode = s.mode;
	pmu->s.in = s.in;
	pmu->s.aarch32 = s.aarch32;
	pmu->s.word[APMU_WORD_MPIDR] = s.word[APMU_WORD_MPIDR];
	if (pmu->core->rules->reset)
		pmu->core->rules->reset(pmu);
	apmu_model__begin(pmu, was);
}

void apmu_model__change(struct apmu *pmu)
{
	if (pmu->core->rules->refilter)
		pmu->core->rules->refilter(pmu);
	apmu_model__settle(pmu);
}

void apmu_enter(struct apmu *pmu, struct apmu_mode mode)
{
	apmu_advance(pmu);
	pmu->s.mode = mode;
	pmu->s.mode.el = mode.el & 3;
	pmu->s.mode.security = mode.security & 3;
	apmu_model__change(pmu);
}

void apmu_input(struct apmu *pmu, struct apmu_inputs in)
{
	apmu_advance(pmu);
	pmu->s.in = in;
	apmu_model__change(pmu);
}

void apmu_errata(struct apmu *pmu, uint32_t errata)
{
	apmu_advance(pmu);
	pmu->s.errata = errata & pmu->core->errata;
	for (unsigned i = 0; i < pmu->core->counters; i++)
		apmu_model__resolve(pmu, i);
}
