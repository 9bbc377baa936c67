/* SPDX-License-Identifier: MIT */
/* Derived state: which counters run, which lines are asserted. The only caller of the line callback. */
#include "model/model.h"

static bool enable(const struct apmu *pmu)
{
	return pmu->s.word[APMU_WORD_ENABLE] != 0;
}

/* Flags that request an interrupt: those whose interrupt enable is set and, where the rule is `gated`, whose
 * range is enabled. */
uint64_t apmu_model__pending(const struct apmu *pmu)
{
	uint64_t pending = pmu->s.overflow & pmu->s.inten;

	if (pmu->core->line_rule != APMU_LINE_GATED)
		return pending;
	return pending & pmu->core->rules->globally_enabled(pmu, enable(pmu));
}

static bool up(const struct apmu *pmu, unsigned line, bool pending)
{
	switch ((enum apmu_line_rule)pmu->core->line_rule) {
	case APMU_LINE_GATED:
	case APMU_LINE_PLAIN: return pending;
	case APMU_LINE_LATCHED: /* AN195 2: E must be set to clear the request */
		return pending || (apmu_base__is_set(pmu->s.latch, line) && !pmu->s.word[APMU_WORD_ENABLE]);
	}
	return false;
}

static void derive_line(struct apmu *pmu, enum apmu_line line, bool pending)
{
	pmu->s.latch = (uint8_t)apmu_base__with(pmu->s.latch, line, up(pmu, line, pending));
}

void apmu_model__announce(struct apmu *pmu, uint8_t was)
{
	for (uint64_t changed = pmu->s.latch ^ was; changed && pmu->lines.line; changed &= changed - 1) {
		unsigned line = apmu_base__lowest(changed);

		pmu->lines.line(pmu->lines.ctx, (enum apmu_line)line, apmu_base__is_set(pmu->s.latch, line));
	}
}

/* Derives which counters run; one that starts counts from here. ARM11 and XScale have one enable for all
 * (AN195 2; XSCALE 8.2.4), the others also have one per counter. */
static inline void start(struct apmu *pmu)
{
	uint64_t running = pmu->may[enable(pmu)];

	if (pmu->core->enable_rule == APMU_ENABLE_EACH)
		running &= pmu->s.cnten;
	if (running & ~pmu->running)
		apmu_model__rebase(pmu, running & ~pmu->running);
	if (!(pmu->running & pmu->by_cycle))
		pmu->cycle_base = pmu->tally->n[APMU_SIG_CYCLES];
	pmu->running = running;
}

static void derive_lines(struct apmu *pmu)
{
	const struct apmu_model__rules *rules = pmu->core->rules;
	uint64_t pending = apmu_model__pending(pmu);

	derive_line(pmu, APMU_LINE_IRQ, pending && (!rules->interrupts || rules->interrupts(pmu)));
	derive_line(pmu, APMU_LINE_FIQ, (pmu->s.overflow & pmu->s.fiqen) != 0);
	if (rules->profiling)
		derive_line(pmu, APMU_LINE_PROFILING, rules->profiling(pmu) != 0);
	if (rules->other_lines)
		pmu->s.latch = (uint8_t)((pmu->s.latch & apmu_base__ones(APMU_LINE_TRIGGER)) |
					 rules->other_lines(pmu, pending != 0));
}

/* Derives what depends on the enables and the flags only. */
static inline void derive_running(struct apmu *pmu)
{
	start(pmu);
	if (pmu->thread && pmu->core->rules->watch_threads)
		pmu->core->rules->watch_threads(pmu);
	if (pmu->s.overflow | pmu->s.latch |
	    pmu->s.profiling_pending) /* else no flag can assert a line, and none is asserted */
		derive_lines(pmu);
}

void apmu_model__derive(struct apmu *pmu)
{
	const struct apmu_model__rules *rules = pmu->core->rules;
	uint64_t may;

	if (rules->split)
		rules->split(pmu);
	if (rules->open)
		pmu->open = rules->open(pmu);
	may = rules->permitted(pmu) & ~pmu->filtered;
	pmu->may[false] = may & rules->globally_enabled(pmu, false);
	pmu->may[true] = may & rules->globally_enabled(pmu, true);
	derive_running(pmu);
}

void apmu_model__settle(struct apmu *pmu)
{
	uint8_t was = pmu->s.latch;

	apmu_model__derive(pmu);
	apmu_model__announce(pmu, was);
}

void apmu_model__switch(struct apmu *pmu)
{
	uint8_t was = pmu->s.latch;

	derive_running(pmu);
	apmu_model__announce(pmu, was);
}

bool apmu_line_up(const struct apmu *pmu, enum apmu_line line)
{
	return line < APMU_LINES && apmu_base__is_set(pmu->s.latch, line);
}
