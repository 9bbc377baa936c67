/* SPDX-License-Identifier: MIT */
/* Counters that count every thread of a multithreaded core (PMEVTYPER.MT). PMUV3SHEET 4.10. */
#include "model/model.h"

enum { MT = 25, MTPME = 28 };

#define CHAIN 0x001E

/* True if MTPME lets MT count. MDCR_EL3 decides; without EL3, MDCR_EL2. */
static bool allowed(const struct apmu *pmu)
{
	const struct apmu_core *core = pmu->core;

	if (!apmu_model__has(core, APMU_FEATURE_MTPMU))
		return apmu_model__has(core, APMU_FEATURE_MT);
	if (apmu_model__has(core, APMU_FEATURE_EL3))
		return apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, MTPME);
	return !apmu_model__has(core, APMU_FEATURE_EL2) ||
	       apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, MTPME);
}

/* Counters with a threshold are left out: it looks at this thread alone (accuracy.md, multithreading). */
static uint64_t over_all_threads(const struct apmu *pmu)
{
	uint64_t out = 0;

	for (unsigned i = 0; allowed(pmu) && i < pmu->core->counters; i++)
		if (apmu_base__is_set(pmu->s.type[i], MT) && pmu->event[i] && pmu->event[i]->number != CHAIN)
			out |= apmu_base__bit(i);
	return out & ~pmu->by_cycle;
}

/* The counters of `counters` that would count here if the PMU's own thread were in `mode`. */
static uint64_t counting_in(struct apmu *pmu, struct apmu_mode mode, uint64_t counters)
{
	struct apmu_mode own = pmu->s.mode;
	bool e = pmu->s.word[APMU_WORD_ENABLE] != 0;
	uint64_t on = counters & pmu->s.cnten & pmu->core->rules->globally_enabled(pmu, e);

	pmu->s.mode = mode;
	for (uint64_t left = on; left; left &= left - 1)
		if (apmu_model__filters(pmu, apmu_base__lowest(left)))
			on &= ~apmu_base__bit(apmu_base__lowest(left));
	on &= on ? apmu_model__permitted(pmu) : 0;
	pmu->s.mode = own;
	return on;
}

static uint64_t gained(const struct apmu *pmu, const struct apmu_thread *t, unsigned i)
{
	uint64_t n = apmu_model__total(pmu, t->tally, i) - t->base[i];

	return (int64_t)n < 0 && pmu->event[i]->minus ? 0 : n; /* a difference that fell back */
}

void apmu_model__take_threads(struct apmu *pmu)
{
	for (struct apmu_thread *t = pmu->thread; t < pmu->thread + pmu->threads; t++)
		for (uint64_t run = t->runs; run; run &= run - 1) {
			unsigned i = apmu_base__lowest(run);
			uint64_t n = gained(pmu, t, i);

			t->base[i] += n;
			if (n)
				apmu_model__count(pmu, i, n);
		}
}

uint64_t apmu_model__threads_gained(const struct apmu *pmu, unsigned i)
{
	uint64_t n = 0;

	for (const struct apmu_thread *t = pmu->thread; t < pmu->thread + pmu->threads; t++)
		if (apmu_base__is_set(t->runs, i))
			n += gained(pmu, t, i);
	return n;
}

/* The counters whose events count cycles: those do not add up over threads, as occurrences do. */
static uint64_t of_cycles(const struct apmu *pmu)
{
	uint64_t out = 0;

	for (uint64_t left = pmu->mt; left; left &= left - 1)
		if (pmu->event[apmu_base__lowest(left)]->per_cycle)
			out |= apmu_base__bit(apmu_base__lowest(left));
	return out;
}

void apmu_model__watch_threads(struct apmu *pmu)
{
	uint64_t was = pmu->wide, stale = pmu->stale, cycles;

	pmu->stale = 0;
	pmu->mt = over_all_threads(pmu);
	cycles = of_cycles(pmu);
	pmu->wide = pmu->core_wide ? cycles : 0;
	for (uint64_t left = was ^ pmu->wide; left; left &= left - 1)
		apmu_model__resolve(pmu, apmu_base__lowest(left));
	for (struct apmu_thread *t = pmu->thread; t < pmu->thread + pmu->threads; t++) {
		uint64_t runs = counting_in(pmu, t->mode, pmu->mt & ~cycles);

		for (uint64_t fresh = runs & ~(t->runs & ~stale); fresh; fresh &= fresh - 1)
			t->base[apmu_base__lowest(fresh)] =
				apmu_model__total(pmu, t->tally, apmu_base__lowest(fresh));
		t->runs = runs;
	}
}

void apmu_threads(struct apmu *pmu, struct apmu_thread *thread, unsigned n,
		  const struct apmu_tally *core_wide)
{
	apmu_advance(pmu);
	pmu->thread = n ? thread : NULL;
	pmu->threads = n;
	pmu->core_wide = core_wide;
	pmu->mt = pmu->wide = 0;
	for (unsigned k = 0; k < n; k++)
		thread[k].runs = 0;
	for (unsigned i = 0; i < pmu->core->counters; i++)
		apmu_model__resolve(pmu, i);
	apmu_model__settle(pmu);
}

void apmu_thread_enter(struct apmu *pmu, unsigned k, struct apmu_mode mode)
{
	if (k >= pmu->threads)
		return;
	apmu_advance(pmu);
	pmu->thread[k].mode = mode;
	pmu->thread[k].mode.el = mode.el & 3;
	pmu->thread[k].mode.security = mode.security & 3;
	apmu_model__settle(pmu);
}
