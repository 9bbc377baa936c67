/* SPDX-License-Identifier: MIT */
/* Periods that follow an event's rate (-F, or a falling frequency). */
#include "qemu/plugin_record.h"

#define MILLION 1000000u

/* Falling frequency: the n-th sample's distance from the one before, and where it is due, in instructions. */
static void fall(uint64_t n, uint64_t *want, uint64_t *due)
{
	uint64_t stage = n / APMU_QEMU__RUN_STAGE < 40 ? n / APMU_QEMU__RUN_STAGE : 40,
		 done = stage * APMU_QEMU__RUN_STAGE;

	*want = (uint64_t)APMU_QEMU__RUN_FIRST << stage;
	*due = APMU_QEMU__RUN_STAGE * (*want - APMU_QEMU__RUN_FIRST) + (n - done) * *want;
}

/* Returns the instructions until the next sample is due at this frequency: fewer when samples are late, but
 * never less than half the regular distance, nor more than twice. */
static uint64_t pace(const struct apmu_qemu__event_state *c, uint64_t frequency, uint64_t now)
{
	uint64_t want = frequency < MILLION ? MILLION / frequency : 1, due = (c->samples + 1) * want;

	if (frequency == APMU_QEMU__RUN_FALLS)
		fall(c->samples + 1, &want, &due);
	uint64_t left = due > now ? due - now : 0;

	return left < want / 2 + 1 ? want / 2 + 1 : left > 2 * want ? 2 * want : left;
}

uint64_t apmu_qemu__next_period(struct apmu_qemu__event_state *c, uint64_t frequency, uint64_t instructions)
{
	uint64_t gone = instructions > c->instructions ? instructions - c->instructions : 0,
		 want = pace(c, frequency, instructions);
	uint64_t most = c->period > UINT64_MAX / 8 ? UINT64_MAX : c->period * 8;

	if (gone == 0 || c->period / gone > most / want)
		return most;
	/* A product wraps after 10^13 instructions. */
	uint64_t period = c->period / gone * want + c->period % gone * want / gone;
	return period > most ? most : period ? period : 1;
}
