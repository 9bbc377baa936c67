/* SPDX-License-Identifier: MIT */
/* Everything derived: which counters run, which lines are up. The only caller of the line callback. */
#include "model.h"

static bool up(const struct apmu *pmu, unsigned line, bool pending)
{
	switch ((enum apmu_line_rule)pmu->core->line_rule) {
	case APMU_LINE_PLAIN: return pending;
	case APMU_LINE_LATCHED: /* AN195 2: E must be set to clear the request */
		return pending || (apmu__is_set(pmu->s.latch, line) && !pmu->s.word[APMU_WORD_ENABLE]);
	}
	return false;
}

static void derive_line(struct apmu *pmu, enum apmu_line line, uint64_t enables)
{
	bool now = up(pmu, line, (pmu->s.overflow & enables) != 0);

	pmu->s.latch = (uint8_t)apmu__with(pmu->s.latch, line, now);
}

void apmu__announce(struct apmu *pmu, uint8_t was)
{
	for (uint64_t changed = pmu->s.latch ^ was; changed && pmu->lines.line; changed &= changed - 1) {
		unsigned line = apmu__lowest(changed);

		pmu->lines.line(pmu->lines.ctx, (enum apmu_line)line, apmu__is_set(pmu->s.latch, line));
	}
}

/* A counter that starts counts from here. */
static void start(struct apmu *pmu)
{
	uint64_t running = apmu__permitted(pmu) ? apmu__enabled(pmu) : 0;

	for (uint64_t fresh = running & ~pmu->running; fresh; fresh &= fresh - 1)
		apmu__rebase(pmu, apmu__lowest(fresh));
	pmu->running = running;
}

void apmu__derive(struct apmu *pmu)
{
	start(pmu);
	derive_line(pmu, APMU_LINE_IRQ, pmu->s.inten);
	derive_line(pmu, APMU_LINE_FIQ, pmu->s.fiqen);
}

void apmu__settle(struct apmu *pmu)
{
	uint8_t was = pmu->s.latch;

	apmu__derive(pmu);
	apmu__announce(pmu, was);
}

bool apmu_line_up(const struct apmu *pmu, enum apmu_line line)
{
	return line < APMU_LINES && apmu__is_set(pmu->s.latch, line);
}
