/* SPDX-License-Identifier: MIT */
/* Periods that follow an event's rate (-F, or a falling frequency). A thread's occurrences are divided into
 * periods, each as long as the rate before it suggests, and each has one sample, at a random place. So every
 * occurrence is as likely to be sampled as its weight says, in a loop that repeats with the period and in a
 * thread that ends within its first one, too.
 */
#include "qemu/plugin_record.h"

#define MILLION 1000000u
#define LONGEST \
	((uint64_t)1 << 48) /* occurrences; the program can write to what it shares with the command */

/* A random number that begins with the thread's: a program with one thread repeats to the last byte. */
static uint64_t below(struct apmu_qemu__event_state *c, uint64_t n)
{
	c->random = apmu_qemu__random_after(c->random);
	return c->random % n;
}

/* The event's last period in any thread of the run; 0: it has none yet. */
static _Atomic uint64_t *period_of_run(uint32_t event)
{
	return &apmu_qemu__plugin.share->record.period[event];
}

/* Instructions between two samples at this frequency. A falling one depends on the samples of the whole run,
 * so that many threads together get as many samples as one. */
static uint64_t wanted(uint32_t event, uint64_t frequency)
{
	if (frequency != APMU_QEMU__RUN_FALLS)
		return frequency < MILLION ? MILLION / frequency : 1;
	uint64_t taken = atomic_load(&apmu_qemu__plugin.share->record.taken[event]),
		 stage = taken / APMU_QEMU__RUN_STAGE;
	return (uint64_t)APMU_QEMU__RUN_FIRST << (stage < 40 ? stage : 40);
}

/* Instructions that the next period should last: fewer when samples are late, but never less than half the
 * regular number, nor more than twice. */
static uint64_t pace(const struct apmu_qemu__event_state *c)
{
	int64_t want = (int64_t)c->want, next = want - c->behind;

	return (uint64_t)(next < want / 2 + 1 ? want / 2 + 1 : next > 2 * want ? 2 * want : next);
}

/* The period for `next` instructions, if the event keeps the rate that it had before: `gap` occurrences in
 * `gone` instructions. */
static uint64_t period_for(uint64_t before, uint64_t next, uint64_t gap, uint64_t gone)
{
	uint64_t most = before > LONGEST / 2 ? LONGEST : before * 2; /* a few events at once are no rate */

	if (gone == 0 || gap / gone > most / next)
		return most;
	/* A product wraps after 10^13 instructions. */
	uint64_t period = gap / gone * next + gap % gone * next / gone;
	return period > most ? most : period ? period : 1;
}

/* Places the sample of a period that begins `rest` occurrences after the last sample. */
static void place(struct apmu_qemu__event_state *c, uint64_t period, uint64_t rest)
{
	uint64_t at = 1 + below(c, period);

	c->period = period;
	c->gap = rest + at;
	c->rest = period - at;
}

void apmu_qemu__first_period(struct apmu_qemu__event_state *c, uint32_t event, uint64_t frequency,
			     uint64_t seed)
{
	uint64_t known = atomic_load(period_of_run(event));

	c->random = (seed + 1) * 0x9E3779B97F4A7C15u ^ (uint64_t)event << 32;
	c->random += c->random == 0;
	c->want = wanted(event, frequency);
	place(c, known == 0 ? 1 : known < LONGEST ? known : LONGEST, 0);
}

void apmu_qemu__next_period(struct apmu_qemu__event_state *c, uint32_t event, uint64_t frequency,
			    uint64_t instructions)
{
	uint64_t gone = instructions > c->instructions ? instructions - c->instructions : 0;

	c->behind += (int64_t)gone - (int64_t)c->want;
	c->want = wanted(event, frequency);
	/* A thread's first gap may be too short to know its rate by; two gaps are longer than a period. */
	uint64_t gap = c->gap + c->gap_before, period = c->period;
	if (gap >= period)
		period = period_for(period, pace(c), gap, gone + c->gone_before);
	c->gap_before = c->gap;
	c->gone_before = gone;
	place(c, period, c->rest);
	atomic_store(period_of_run(event), period);
	atomic_fetch_add(&apmu_qemu__plugin.share->record.taken[event], 1);
}
