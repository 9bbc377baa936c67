/* SPDX-License-Identifier: MIT */
/* Periods that follow an event's rate (-F). */
#include "qemu/plugin_record.h"

#define MILLION 1000000u

/* The n-th sample's distance to the one before, and where it is due. */
static void fall(uint64_t n, uint64_t *want, uint64_t *due)
{
	uint64_t stage = n / APMU_QEMU__RUN_STAGE < 40 ? n / APMU_QEMU__RUN_STAGE : 40,
		 done = stage * APMU_QEMU__RUN_STAGE;

	*want = (uint64_t)APMU_QEMU__RUN_FIRST << stage;
	*due = APMU_QEMU__RUN_STAGE * (*want - APMU_QEMU__RUN_FIRST) + (n - done) * *want;
}

/* Instructions until the next sample is due, that so many come per million: sooner when they are late, but
 * never by more than half. */
static uint64_t pace(const struct apmu_qemu__course *c, uint64_t frequency, uint64_t now)
{
	uint64_t want = frequency < MILLION ? MILLION / frequency : 1, due = (c->samples + 1) * want;

	if (frequency == APMU_QEMU__RUN_FALLS)
		fall(c->samples + 1, &want, &due);
	uint64_t left = due > now ? due - now : 0;

	return left < want / 2 + 1 ? want / 2 + 1 : left > 2 * want ? 2 * want : left;
}

uint64_t apmu_qemu__course_next(struct apmu_qemu__course *c, uint64_t frequency, uint64_t instructions)
{
	uint64_t gone = instructions - c->instructions, want = pace(c, frequency, instructions);
	uint64_t most = c->period > UINT64_MAX / 8 ? UINT64_MAX : c->period * 8;

	if (gone == 0 || c->period / gone > most / want)
		return most;
	uint64_t period =
		c->period / gone * want + c->period % gone * want / gone; /* 10^13 before it wraps */
	return period > most ? most : period ? period : 1;
}
