/* SPDX-License-Identifier: MIT */
/*
 * Samples of time: the clock runs for samples of the instructions only. Between two samples, the machine is
 * one without a clock, with that machine's fast paths; the clock then goes on as if nothing had been between
 * them, except that all lines have arrived. Caches, TLBs and predictors see every instruction, so all that
 * does not depend on time is counted exactly.
 *
 * A sample stands for what follows it up to the next one, corrected for the misses and mispredictions that
 * are known to be there: without that, rare code that runs cold, which may take a tenth of a short program's
 * time, would be either left out or multiplied.
 */
#include "uarch/time_samples.h"
#include "uarch/memory.h"
#include "uarch/pass.h"

#include <string.h>

#define EXACT  1000000u /* instructions at the beginning that are all timed */
#define SAMPLE 4000u    /* instructions */
#define WARM   500u     /* instructions before a sample that are timed, while the window fills */
_Static_assert((uint64_t)(WARM + SAMPLE) * (APMU_TIME_MOST_ONE_IN - 1) <= UINT32_MAX, "below()");

/* Instructions that have run, without those of the current block. */
static uint64_t position(const struct apmu_uarch *u)
{
	return u->n[APMU_SIG_INST] - u->block->n;
}

/* A random number from 0 to below `n`, which is below 2^32; the same sequence in each run. */
static uint64_t below(struct apmu_uarch_time_samples *s, uint64_t n)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return (s->random >> 32) * n >> 32;
}

struct costs {
	double x[2]; /* of data and branches; of code */
};

/* What misses and mispredictions, which are counted exactly, would cost one after the other. */
static struct costs costs_of(const struct apmu_uarch_time_samples *s, const uint64_t *n)
{
	struct costs c = {{0}};

	for (unsigned k = 0; k < APMU_TIME_COSTS; k++)
		if (s->cost[k].signal < APMU_SIGNALS)
			c.x[s->cost[k].code != 0] += (double)s->cost[k].cycles * (double)n[s->cost[k].signal];
	return c;
}

/* Adds the last sample to the sums of the regression. */
static void learn(struct apmu_uarch_time_samples *s, struct costs c)
{
	s->fitted++;
	for (unsigned i = 0; i < 2; i++) {
		s->x[i] = c.x[i];
		s->x_sum[i] += c.x[i];
		s->x_squares[i] += c.x[i] * c.x[i];
	}
	s->x_product += c.x[0] * c.x[1];
	for (unsigned k = 0; k < APMU_SIGNALS; k++) {
		double y = (double)s->sample[k];
		s->y_sum[k] += y;
		s->y_products[k][0] += y * c.x[0];
		s->y_products[k][1] += y * c.x[1];
	}
}

/* How much of each cost there is in a signal, by linear regression over all samples. */
static struct costs slopes_of(const struct apmu_uarch_time_samples *s, unsigned signal)
{
	double n = (double)s->fitted, a = n * s->x_squares[0] - s->x_sum[0] * s->x_sum[0];
	double b = n * s->x_squares[1] - s->x_sum[1] * s->x_sum[1];
	double ab = n * s->x_product - s->x_sum[0] * s->x_sum[1], both = a * b - ab * ab;
	double ya = n * s->y_products[signal][0] - s->y_sum[signal] * s->x_sum[0];
	double yb = n * s->y_products[signal][1] - s->y_sum[signal] * s->x_sum[1];

	if (both <= 0)
		return (struct costs){{0}};
	return (struct costs){{(ya * b - yb * ab) / both, (yb * a - ya * ab) / both}};
}

/* Estimates a signal in `instructions` after the last sample, in which there are the costs `c`. A count
 * cannot fall: what an estimate is below 0, and what rounding leaves, is in *rest, which the next one takes
 * in. */
static uint64_t estimate(const struct apmu_uarch_time_samples *s, unsigned signal, uint64_t instructions,
			 struct costs c, double *rest)
{
	double share = (double)instructions / (double)s->length, n = (double)s->sample[signal] * share;
	struct costs slopes = slopes_of(s, signal);

	for (unsigned i = 0; i < 2; i++)
		n += slopes.x[i] * (c.x[i] - s->x[i] * share);
	n += s->unpaid[signal];
	uint64_t counted = n > 0 && n < (double)INT64_MAX ? (uint64_t)n : 0;
	*rest = n > -(double)INT64_MAX && n < (double)INT64_MAX ? n - (double)counted : 0;
	return counted;
}

/* The last sample stands for `instructions` that were not timed. */
static void represent(struct apmu_uarch_time_samples *s, uint64_t instructions)
{
	struct costs slopes = slopes_of(s, APMU_SIG_CYCLES);
	double rest = (double)s->sample[APMU_SIG_CYCLES] - slopes.x[0] * s->x[0] - slopes.x[1] * s->x[1];
	double change = (rest - s->rest) * (double)instructions / (double)s->length;

	s->squares += s->samples++ ? change * change / 2 : 0;
	s->untimed += instructions;
	s->rest = rest;
}

/* Begins a sample, or what follows one. */
static void begin(struct apmu_uarch *u)
{
	struct apmu_uarch_time_samples *s = u->untimed.samples;
	struct costs c = costs_of(s, u->n);

	s->from = position(u);
	memcpy(s->x_from, c.x, sizeof(s->x_from));
	for (unsigned k = 0; k < APMU_SIGNALS; k++)
		s->before[k] = u->n[k];
}

/* The costs since the sample, or what follows one, began. */
static struct costs since(const struct apmu_uarch_time_samples *s, const uint64_t *n)
{
	struct costs c = costs_of(s, n);

	return (struct costs){{c.x[0] - s->x_from[0], c.x[1] - s->x_from[1]}};
}

/* Ends a sample; what follows is the next one, or runs without a clock. */
static void end_sample(struct apmu_uarch *u)
{
	struct apmu_uarch_time_samples *s = u->untimed.samples;

	s->length = position(u) - s->from;
	for (unsigned k = 0; k < APMU_SIGNALS; k++)
		s->sample[k] = u->n[k] - s->before[k];
	learn(s, since(s, u->n));
	begin(u);
}

/* Switches the clock and what only the clock needs. */
static void switch_clock(struct apmu_uarch *u, bool on)
{
	struct apmu_uarch__untimed *t = &u->untimed;
	struct apmu_uarch__window *window = u->window;
	struct apmu_uarch__recent *recent = u->recent;

	u->units ^= APMU_UARCH__TIME;
	u->controls.units ^= APMU_UARCH__TIME;
	u->window = t->window;
	u->recent = t->recent;
	t->window = window;
	t->recent = recent;
	t->samples->timed = on;
	apmu_uarch__fast_init(u);
}

static void stop_clock(struct apmu_uarch *u)
{
	struct apmu_uarch__memory *m = &u->memory;
	uint64_t mean = (uint64_t)(WARM + SAMPLE) * (u->untimed.samples->one_in - 1u);

	u->n[APMU_SIG_CYCLES_ALONE] -= u->block->alone;
	end_sample(u);
	apmu_uarch__free_mshrs(m, UINT64_MAX - 1);
	apmu_uarch__wait_no_more(m);
	m->prefetches.n = 0;
	m->prefetches.last = 0;
	switch_clock(u, false);
	u->untimed.turn = u->n[APMU_SIG_INST] + mean / 2 + below(u->untimed.samples, mean);
}

static void start_clock(struct apmu_uarch *u)
{
	struct apmu_uarch_time_samples *s = u->untimed.samples;
	uint64_t untimed = position(u) - s->from;
	struct costs c = since(s, u->n);

	represent(s, untimed);
	for (unsigned k = 0; k < APMU_SIGNALS; k++)
		if (apmu_signal_in(s->signals, (enum apmu_signal)k))
			u->n[k] = s->before[k] + estimate(s, k, untimed, c, &s->unpaid[k]);
	begin(u);
	switch_clock(u, true);
	memset(u->memory.owed, 0, sizeof(u->memory.owed)); /* victims of the time between */
	u->outside.read = 0;
	if (u->arrive)
		memset(u->arrive, 0, apmu_uarch__cache_slots(&u->l1d) * sizeof(*u->arrive));
	u->n[APMU_SIG_CYCLES_ALONE] += u->block->alone;
	u->window->late_accesses = u->window->forwarded_loads = 0;
	u->window->forward_fingerprint = 0;
	apmu_uarch__predict_anew(&u->window->run_ahead, u->window->now, u->window->run_ahead.entries);
	apmu_uarch__memo_expect(u->window, u->block);
	u->untimed.warming = true;
	u->untimed.turn = u->n[APMU_SIG_INST] + WARM;
}

void apmu_uarch__turn_clock(struct apmu_uarch *u)
{
	if (!u->untimed.samples->timed) {
		start_clock(u);
	} else if (u->untimed.warming) {
		begin(u);
		u->untimed.warming = false;
		u->untimed.turn = u->n[APMU_SIG_INST] + SAMPLE;
	} else if (u->n[APMU_SIG_INST] >= EXACT) {
		stop_clock(u);
	} else { /* all that is exact are samples too, one behind the other */
		end_sample(u);
		u->untimed.turn = u->n[APMU_SIG_INST] + SAMPLE;
	}
}

void apmu_uarch_sample_time(struct apmu_uarch *u, uint32_t one_in, struct apmu_uarch_time_samples *samples)
{
	if (!u->window || one_in < 2 || one_in > APMU_TIME_MOST_ONE_IN)
		return;
	*samples = (struct apmu_uarch_time_samples){.one_in = one_in, .timed = true, .random = one_in};
	for (unsigned k = 0; k < APMU_SIGNALS; k++)
		if (apmu_uarch__needs_of(k) & APMU_UARCH__TIME)
			apmu_signal_add(samples->signals, (enum apmu_signal)k);
	uint16_t l2 = u->latency[APMU_UARCH__AT_L2], l3 = u->latency[APMU_UARCH__AT_L3];
	uint16_t memory = u->latency[APMU_UARCH__AT_MEMORY], beyond = u->p.l3.size ? l3 : memory;
	const struct apmu_time_cost costs[APMU_TIME_COSTS] = {{APMU_SIG_MEMORY_RD, memory, 0},
							      {APMU_SIG_L1D_FILL, l2, 0},
							      {APMU_SIG_L1D_TLB_REFILL, u->p.walk, 0},
							      {APMU_SIG_BR_MIS_PRED, u->p.mispredict, 0},
							      {APMU_SIG_L1I_FILL, l2, 1},
							      {APMU_SIG_L2_FILL_FETCH, beyond, 1},
							      {APMU_SIG_L3_FILL_FETCH, memory, 1}};
	memcpy(samples->cost, costs, sizeof(costs));
	u->next_check = UINT64_MAX; /* an estimate may be beyond the bounds */
	u->untimed.samples = samples;
	u->untimed.turn = SAMPLE;
	apmu_uarch__fast_init(u);
}

void apmu_uarch_add_untimed(const struct apmu_uarch_time_samples *s, struct apmu_tally *t)
{
	if (!s->one_in || s->timed || !s->length)
		return;
	uint64_t untimed = t->n[APMU_SIG_INST] - s->from;
	struct costs c = since(s, t->n);
	double rest;
	for (unsigned k = 0; k < APMU_SIGNALS; k++)
		if (apmu_signal_in(s->signals, (enum apmu_signal)k))
			t->n[k] = s->before[k] + estimate(s, k, untimed, c, &rest);
}
