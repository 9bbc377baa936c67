/* SPDX-License-Identifier: MIT */
#include "cli/common/virtual_pmus.h"

#include <stdlib.h>

#define MOST_STEPS 64     /* steps; totals farther away are added in one jump */
#define CHAIN      0x001E /* event CHAIN: counts the wraps of the counter below */

size_t cli__session_pmus(const struct apmu_core *core, const struct cli__wanted *wanted, size_t n)
{
	size_t events = 0;

	for (size_t i = 0; i < n; i++)
		events += !wanted[i].absent && !wanted[i].outside && !wanted[i].cycles;
	return events <= core->counters || core->counters == 0
		       ? 1
		       : (events + core->counters - 1) / core->counters;
}

struct cli__session *cli__session_new(const struct apmu_core *core, const struct cli__wanted *wanted,
				      size_t n, size_t pmus)
{
	struct cli__session *s = cli__zalloc(1, sizeof *s);

	if (cli__pmu_fields_find(&s->fields, core) != 0) {
		free(s);
		return NULL;
	}
	s->core = core;
	s->wanted = wanted;
	s->n = n;
	s->pmus = pmus;
	s->pmu = cli__zalloc(pmus, sizeof *s->pmu);
	s->high = cli__zalloc(pmus, sizeof *s->high);
	s->seat = cli__zalloc(n, sizeof *s->seat);
	s->banked = cli__zalloc(n, sizeof *s->banked);
	for (size_t p = 0; p < pmus; p++) {
		apmu_init(&s->pmu[p], core, &s->tally, (struct apmu_lines){0});
		apmu_enter(&s->pmu[p], (struct apmu_mode){.el = 0, .security = APMU_NONSECURE});
	}
	return s;
}

void cli__session_free(struct cli__session *s)
{
	if (s == NULL)
		return;
	free(s->pmu);
	free(s->high);
	free(s->seat);
	free(s->banked);
	free(s);
}

static unsigned width_of(const struct apmu_core *core, unsigned i)
{
	return i == APMU_CYCLE_COUNTER ? core->cycle_width : core->width;
}

/* Acknowledges a counter's overflow flag and adds the 2^width counts that the counter no longer holds. E
 * stays set, because an ARM11 drops its interrupt line only on a write that has E (AN195 2). */
static void harvest_counter(struct cli__session *s, size_t p, unsigned i)
{
	struct apmu *pmu = &s->pmu[p];

	if (cli__pmu_field_read(pmu, &s->fields, &s->fields.overflow[i]) == 0)
		return;
	cli__pmu_field_write(pmu, &s->fields, &s->fields.overflow[i], 1);
	if (width_of(s->core, i) < 64)
		s->high[p][i] += (uint64_t)1 << width_of(s->core, i);
}

static void harvest(struct cli__session *s)
{
	for (size_t p = 0; p < s->pmus; p++) {
		apmu_advance(&s->pmu[p]);
		harvest_counter(s, p, APMU_CYCLE_COUNTER);
		for (unsigned i = 0; i < s->core->counters; i++)
			harvest_counter(s, p, i);
	}
}

/* The most that a signal may gain between two looks at the flags. An event sums up to APMU_EVENT_SIGNALS
 * signals and an erratum's, so no counter gains more than half its range (2^31 of 32 bits). A flag is one
 * bit: a counter that wrapped twice between two looks would lose 2^width counts (the XScale manual's own
 * method and limit, XSCALE 8.2.3). */
static uint64_t largest_step(const struct apmu_core *core)
{
	unsigned width = core->width < core->cycle_width ? core->width : core->cycle_width;

	return width > 4 ? (uint64_t)1 << (width - 4) : 1;
}

/* Sets `gap` to what each signal has gained beyond what the PMUs have seen; returns the largest gain. */
static uint64_t gaps(const struct cli__session *s, const struct apmu_tally *totals, struct apmu_tally *gap)
{
	uint64_t largest = 0;

	for (unsigned i = 0; i < APMU_SIGNALS; i++) {
		uint64_t n =
			totals->n[i] + (i == APMU_SIG_CYCLES ? s->idle : 0) - s->jumped.n[i] - s->tally.n[i];
		gap->n[i] = n > INT64_MAX ? 0 : n; /* a signal that nobody wanted may hold anything */
		largest = gap->n[i] > largest ? gap->n[i] : largest;
	}
	return largest;
}

/* Moves every signal of the tally to its total in steps, each by the same share of its gap per step, because
 * an event may be a difference of signals. */
static void walk(struct cli__session *s, const struct apmu_tally *totals)
{
	struct apmu_tally gap;
	uint64_t steps;

	do {
		steps = gaps(s, totals, &gap) / largest_step(s->core) + 1;
		for (unsigned i = 0; i < APMU_SIGNALS; i++)
			s->tally.n[i] += gap.n[i] / steps;
		harvest(s);
	} while (steps > 1);
}

/* Adds n to counter i, so that its register holds what it would after walk(). Returns how often the counter
 * wrapped. */
static uint64_t add(struct cli__session *s, size_t p, unsigned i, uint64_t n)
{
	uint64_t old = cli__pmu_field_read(&s->pmu[p], &s->fields, &s->fields.counter[i]);
	unsigned width = width_of(s->core, i);
	uint64_t now = old + n, wraps = width < 64 ? now >> width : now < old;

	cli__pmu_field_write(&s->pmu[p], &s->fields, &s->fields.counter[i],
			     width < 64 ? now - (wraps << width) : now);
	s->high[p][i] += width < 64 ? wraps << width : 0;
	return wraps;
}

static uint64_t gained(const struct cli__session *s, size_t i, const struct apmu_tally *gap)
{
	const struct apmu_event *event = s->wanted[i].event;

	if (s->wanted[i].cycles || event == NULL)
		return s->wanted[i].cycles ? gap->n[APMU_SIG_CYCLES] : 0;
	bool more = event->erratum != 0xFF && s->pmu->s.errata >> event->erratum & 1;
	uint64_t n = apmu_event_sum(event, gap) + (more ? gap->n[event->extra] : 0);
	return n > INT64_MAX ? 0 : n; /* a difference of signals that fell back */
}

/* Index of the wanted CHAIN event on the counter above, which counts this counter's wraps; n if there is
 * none. */
static size_t chained(const struct cli__session *s, const struct cli__seat *below)
{
	bool chains = s->core->constant[APMU_CORE_PMCEID0] >> CHAIN & 1;

	for (size_t i = 0; chains && below->counter < s->core->counters && i < s->n; i++)
		if (s->seat[i].on && s->seat[i].pmu == below->pmu &&
		    s->seat[i].counter == below->counter + 1 && below->counter % 2 == 0 &&
		    s->wanted[i].number == CHAIN)
			return i;
	return s->n;
}

/* Adds the signals' gains to every counter in one step. The PMUs do not see these gains. */
static void jump(struct cli__session *s, const struct apmu_tally *gap)
{
	bool cycles = false; /* all rows of cycles share one counter */

	for (size_t i = 0; i < s->n; i++) {
		const struct cli__seat *place = &s->seat[i];
		if (!place->on || (s->wanted[i].cycles && cycles))
			continue;
		cycles |= s->wanted[i].cycles;
		uint64_t wraps = add(s, place->pmu, place->counter, gained(s, i, gap));
		size_t next = chained(s, place);
		if (next < s->n)
			add(s, place->pmu, s->seat[next].counter, wraps);
	}
	for (unsigned i = 0; i < APMU_SIGNALS; i++)
		s->jumped.n[i] += gap->n[i];
}

void cli__session_feed(struct cli__session *s, const struct apmu_tally *totals)
{
	struct apmu_tally gap;

	if (gaps(s, totals, &gap) / largest_step(s->core) >= MOST_STEPS)
		jump(s, &gap);
	else
		walk(s, totals);
}

static uint64_t in_seat(const struct cli__session *s, const struct cli__seat *seat)
{
	return s->high[seat->pmu][seat->counter] +
	       cli__pmu_field_read(&s->pmu[seat->pmu], &s->fields, &s->fields.counter[seat->counter]);
}

uint64_t cli__session_count(const struct cli__session *s, size_t i)
{
	return s->banked[i] + (s->seat[i].on ? in_seat(s, &s->seat[i]) : 0);
}

static void stop(struct cli__session *s)
{
	for (size_t p = 0; p < s->pmus; p++)
		cli__pmu_field_write(&s->pmu[p], &s->fields, &s->fields.enable, 0);
	for (size_t i = 0; i < s->n; i++) {
		s->banked[i] = cli__session_count(s, i);
		s->seat[i].on = false;
	}
}

/* Zeroes counters by writing 0, because a core need not have the reset strobes, and gives each an event that
 * counts nothing. */
static void clear(struct cli__session *s, size_t p)
{
	struct apmu *pmu = &s->pmu[p];

	cli__pmu_field_write(pmu, &s->fields, &s->fields.counter[APMU_CYCLE_COUNTER], 0);
	s->high[p][APMU_CYCLE_COUNTER] = 0;
	for (unsigned i = 0; i < s->core->counters; i++) {
		cli__pmu_field_write(pmu, &s->fields, &s->fields.type[i], s->core->off_event);
		cli__pmu_field_write(pmu, &s->fields, &s->fields.counter[i], 0);
		s->high[p][i] = 0;
	}
}

static void enable_counter(struct cli__session *s, size_t p, unsigned i)
{
	if (s->fields.cnten[i].reg != NULL)
		cli__pmu_field_write(&s->pmu[p], &s->fields, &s->fields.cnten[i], 1);
}

/* Assigns an event to a counter: cycles to the cycle counter, which any number of events may share; each
 * other event to a free counter. */
static void seat(struct cli__session *s, size_t i, size_t *taken)
{
	struct cli__seat *place = &s->seat[i];

	if (s->wanted[i].cycles) {
		*place = (struct cli__seat){.on = true, .counter = APMU_CYCLE_COUNTER, .pmu = 0};
	} else {
		*place = (struct cli__seat){.on = true,
					    .counter = (uint8_t)(*taken % s->core->counters),
					    .pmu = *taken / s->core->counters};
		(*taken)++;
		cli__pmu_field_write(&s->pmu[place->pmu], &s->fields, &s->fields.type[place->counter],
				     s->wanted[i].number);
	}
	enable_counter(s, place->pmu, place->counter);
}

/* Sets E last (XScale: events change only with E clear). An ARM11 counts nothing for its first cycles after E
 * rises (AN195 2: three). On hardware these cycles pass in the kernel, long before the program goes on. So
 * they pass here as idle cycles, which belong to no thread, and the program's first event counts. */
static void start(struct cli__session *s)
{
	for (size_t p = 0; p < s->pmus; p++)
		cli__pmu_field_write(&s->pmu[p], &s->fields, &s->fields.enable, 1);
	s->tally.n[APMU_SIG_CYCLES] += s->core->holdoff;
	s->idle += s->core->holdoff;
	for (size_t p = 0; p < s->pmus; p++)
		apmu_advance(&s->pmu[p]);
}

void cli__session_load(struct cli__session *s, const size_t *which, size_t n)
{
	size_t taken = 0;

	stop(s);
	for (size_t p = 0; p < s->pmus; p++)
		clear(s, p);
	for (size_t k = 0; k < n; k++)
		if (!s->wanted[which[k]].absent && !s->wanted[which[k]].outside)
			seat(s, which[k], &taken);
	start(s);
}
