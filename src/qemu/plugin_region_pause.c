/* SPDX-License-Identifier: MIT */
/* Sampling and exact counting at the boundaries of a region. */
#include "qemu/plugin_record.h"

static const struct apmu_qemu__share_record *settings(void)
{
	return &apmu_qemu__plugin.record;
}

static uint64_t rest_of(uint32_t event, const struct apmu_tally *rest)
{
	return apmu_qemu__run_event_sum(&settings()->event[event], rest);
}

void apmu_qemu__sampler_pause(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *b, uint32_t i,
			      const struct apmu_tally *rest)
{
	struct apmu_qemu__sampler *s = t->sampler;

	if (settings()->exact)
		apmu_qemu__cells_shift(s, b, i, false);
	for (uint32_t e = 0; e < s->watch.gauges; e++) {
		struct apmu_gauge *g = &s->gauge[e];
		s->event[e].left = g->due - (apmu_gauge_value(g) - rest_of(e, rest));
		g->due = UINT64_MAX;
	}
	apmu_qemu__sampler_alarm(s);
}

void apmu_qemu__sampler_resume(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *b, uint32_t i,
			       const struct apmu_tally *rest)
{
	struct apmu_qemu__sampler *s = t->sampler;

	s->outside = t->slot->entered.n[APMU_SIG_INST] - t->slot->counted.n[APMU_SIG_INST];
	for (uint32_t e = 0; e < s->watch.gauges; e++) {
		struct apmu_gauge *g = &s->gauge[e];
		g->due = settings()->exact ? 0 : apmu_gauge_value(g) - rest_of(e, rest) + s->event[e].left;
	}
	apmu_qemu__sampler_alarm(s);
	s->before = s->tb = b;
	t->near = true;
	if (settings()->exact)
		apmu_qemu__cells_shift(s, b, i, true);
	else
		apmu_watch_look(&s->watch, APMU_WATCH_BLOCK, b->addr);
}
