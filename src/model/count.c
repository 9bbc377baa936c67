/* SPDX-License-Identifier: MIT */
/* Counting: from the tally's signals to events and counters. */
#include "model/model.h"

#define FEW     4  /* with fewer counters than this, taking them one by one is faster */
#define DIVIDER 64 /* AN195 2, XSCALE 8.2.4, PMUV3SHEET 2.1: D counts every 64th cycle */

static bool over_counts(const struct apmu *pmu, const struct apmu_event *event)
{
	return event->erratum != 0xFF && apmu_base__is_set(pmu->s.errata, event->erratum);
}

static uint64_t sum(const struct apmu *pmu, const struct apmu_event *event, const struct apmu_tally *tally)
{
	uint64_t n = apmu_event_sum(event, tally);

	return over_counts(pmu, event) ? n + tally->n[event->extra] : n;
}

/* The present total, in a tally, of what counter i counts. */
uint64_t apmu_model__total(const struct apmu *pmu, const struct apmu_tally *tally, unsigned i)
{
	if (i == APMU_CYCLE_COUNTER)
		return tally->n[APMU_SIG_CYCLES];
	if (i == APMU_INSTR_COUNTER)
		return tally->n[APMU_SIG_INST];
	return pmu->event[i] ? sum(pmu, pmu->event[i], tally) : 0;
}

static uint64_t total(const struct apmu *pmu, unsigned i)
{
	return apmu_model__total(pmu, apmu_base__is_set(pmu->wide, i) ? pmu->core_wide : pmu->tally, i);
}

/* The present total for counter i, read directly if it is one signal. */
static inline uint64_t now(const struct apmu *pmu, unsigned i)
{
	return apmu_base__is_set(pmu->sums, i) ? total(pmu, i) : pmu->tally->n[pmu->signal[i]];
}

/* A difference of signals may have fallen: then nothing is gained until it is back at its old value. */
uint64_t apmu_model__gained(const struct apmu *pmu, unsigned i)
{
	uint64_t n = total(pmu, i) - pmu->base[i];

	return (int64_t)n < 0 && apmu_base__is_set(pmu->sums, i) && pmu->event[i] && pmu->event[i]->minus ? 0
													  : n;
}

/* The one signal that counter i counts; APMU_SIGNALS if it counts several signals, or none. */
static unsigned signal_of(const struct apmu *pmu, unsigned i)
{
	const struct apmu_event *event = pmu->event[i];

	if (i == APMU_CYCLE_COUNTER)
		return APMU_SIG_CYCLES;
	if (i == APMU_INSTR_COUNTER)
		return APMU_SIG_INST;
	if (!event || event->signals != 1 || over_counts(pmu, event) || apmu_base__is_set(pmu->wide, i))
		return APMU_SIGNALS;
	return event->signal[0];
}

/* How many event counters from 0 on are in the set without a gap; 0 if too few for take_row() to pay off. */
static inline unsigned row(uint64_t counters)
{
	unsigned n = apmu_base__lowest((counters & apmu_base__ones(APMU_MAX_EVENT_COUNTERS)) + 1);

	return SMALL || n < FEW ? 0 : n;
}

void apmu_model__rebase(struct apmu *pmu, uint64_t counters)
{
	const uint64_t *totals = pmu->tally->n;
	unsigned first = row(counters);

	for (unsigned i = 0; i < first; i++)
		pmu->base[i] = totals[pmu->signal[i]];
	if (first)
		counters &= pmu->sums | ~apmu_base__ones(first);
	for (; counters; counters &= counters - 1)
		pmu->base[apmu_base__lowest(counters)] = now(pmu, apmu_base__lowest(counters));
}

/* Updates signal[] and `sums` after a change of counter i's event, or of an erratum that adds to it. */
void apmu_model__resolve(struct apmu *pmu, unsigned i)
{
	unsigned signal = signal_of(pmu, i);

	pmu->sums = apmu_base__with(pmu->sums, i, signal == APMU_SIGNALS);
	pmu->signal[i] = signal == APMU_SIGNALS ? 0 : (uint16_t)signal;
	if (apmu_base__is_set(pmu->running, i))
		apmu_model__rebase(pmu, apmu_base__bit(i));
}

/* Updates what depends on the selector and filter of counter i. */
void apmu_model__select(struct apmu *pmu, unsigned i)
{
	const struct apmu_model__rules *rules = pmu->core->rules;

	if (i < APMU_CYCLE_COUNTER)
		pmu->event[i] = apmu_event_find(pmu->core, (unsigned)pmu->s.type[i] & pmu->core->event_mask);
	if (rules->filters)
		pmu->filtered = apmu_base__with(pmu->filtered, i, rules->filters(pmu, i));
	if (rules->thresholds)
		pmu->by_cycle = rules->thresholds(pmu);
	pmu->cycle_base = pmu->tally->n[APMU_SIG_CYCLES];
	pmu->stale |= apmu_base__bit(i);
	pmu->chained &= ~apmu_base__bit(i);
	apmu_model__resolve(pmu, i);
}

static bool counts(const struct apmu *pmu, unsigned i, enum apmu_signal signal)
{
	const struct apmu_event *event = pmu->event[i];

	if (i >= APMU_CYCLE_COUNTER)
		return signal == (i == APMU_CYCLE_COUNTER ? APMU_SIG_CYCLES : APMU_SIG_INST);
	if (!event)
		return false;
	for (unsigned k = 0; k < event->signals; k++)
		if (event->signal[k] == signal)
			return true;
	return over_counts(pmu, event) && event->extra == signal;
}

static bool divides(const struct apmu *pmu)
{
	const struct apmu_model__rules *rules = pmu->core->rules;

	return pmu->s.word[APMU_WORD_DIVIDE] && !(rules->long_cycle && rules->long_cycle(pmu));
}

/* The divider runs while the cycle counter counts, with D set or clear (accuracy.md, divide by 64). */
static uint64_t divided(struct apmu *pmu, uint64_t cycles)
{
	uint64_t ticks = cycles / DIVIDER, phase = pmu->s.phase + cycles % DIVIDER;

	pmu->s.phase = (uint8_t)(phase % DIVIDER);
	return divides(pmu) ? ticks + phase / DIVIDER : cycles;
}

/* Adds n to counter i. Without a carry out of bit 31 nothing else can happen. An n of almost 2^64 carries,
 * and may leave the bits above as they are. */
static void add(struct apmu *pmu, unsigned i, uint64_t n)
{
	uint64_t old = pmu->s.counter[i];

	if ((((old + n) ^ old) | n) >> 32 || pmu->core->width < 32)
		apmu_model__count(pmu, i, n);
	else
		pmu->s.counter[i] = old + n;
}

static inline void take(struct apmu *pmu, unsigned i)
{
	uint64_t n = apmu_base__is_set(pmu->sums, i) ? apmu_model__gained(pmu, i)
						     : pmu->tally->n[pmu->signal[i]] - pmu->base[i];

	if (n == 0)
		return;
	pmu->base[i] += n;
	add(pmu, i, i == APMU_CYCLE_COUNTER ? divided(pmu, n) : n);
}

void apmu_model__take(struct apmu *pmu, unsigned i)
{
	take(pmu, i);
}

/* Takes what the event counters 0 to n-1, which all run, have gained: all at once, as long as none carries
 * out of bit 31. */
static APMU_MODEL__APART void take_row(struct apmu *pmu, unsigned n)
{
	const uint64_t *totals = pmu->tally->n;
	uint64_t gained[APMU_MAX_EVENT_COUNTERS], any = 0, carried = 0;

	for (unsigned i = 0; i < n; i++)
		any |= gained[i] = totals[pmu->signal[i]] - pmu->base[i];
	for (uint64_t left = pmu->sums & apmu_base__ones(n); left; left &= left - 1)
		any |= gained[apmu_base__lowest(left)] = apmu_model__gained(pmu, apmu_base__lowest(left));
	if (!any)
		return;
	for (unsigned i = 0; i < n; i++) {
		pmu->base[i] += gained[i];
		carried |= ((pmu->s.counter[i] + gained[i]) ^ pmu->s.counter[i]) | gained[i];
	}
	if (carried >> 32 || pmu->core->width < 32) {
		for (unsigned i = 0; i < n; i++)
			add(pmu, i, gained[i]);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		pmu->s.counter[i] += gained[i];
}

/* Takes what each counter has gained, the lowest first. */
static void take_all(struct apmu *pmu)
{
	unsigned first = row(pmu->running);

	if (first)
		take_row(pmu, first);
	for (uint64_t left = pmu->running >> first << first; left; left &= left - 1)
		take(pmu, apmu_base__lowest(left));
}

/* Lets cycles of the hold-off pass: their events are dropped. If a tally has more cycles than are left, its
 * events count as having come after them. True: no cycles have passed beyond the hold-off, so there is
 * nothing to take. */
static APMU_MODEL__APART bool hold(struct apmu *pmu)
{
	uint64_t now = pmu->tally->n[APMU_SIG_CYCLES], passed = now - pmu->hold_base, left = pmu->s.holdoff;

	if (passed <= left)
		apmu_model__rebase(pmu, pmu->running);
	for (uint64_t run = passed <= left ? 0 : pmu->running; run; run &= run - 1)
		if (counts(pmu, apmu_base__lowest(run), APMU_SIG_CYCLES))
			pmu->base[apmu_base__lowest(run)] += left;
	pmu->s.holdoff = passed < left ? (uint8_t)(left - passed) : 0;
	pmu->hold_base = now;
	return passed <= left;
}

/* PMUV3SHEET 4.8: a cycle in which a counter does not count ends what its threshold remembers. */
static APMU_MODEL__APART void forget(struct apmu *pmu)
{
	uint64_t now = pmu->tally->n[APMU_SIG_CYCLES];

	if (now != pmu->met_base)
		pmu->s.met &= pmu->running;
	pmu->met_base = now;
}

void apmu_advance(struct apmu *pmu)
{
	uint64_t flags = pmu->s.overflow;

	if (pmu->s.met)
		forget(pmu);
	if (pmu->s.holdoff && hold(pmu))
		return;
	if (pmu->running & pmu->by_cycle)
		pmu->core->rules->take_by_cycle(pmu);
	else
		take_all(pmu);
	if (pmu->mt)
		pmu->core->rules->take_threads(pmu);
	if (pmu->s.overflow != flags)
		apmu_model__settle(pmu);
}

bool apmu_wants(const struct apmu *pmu, enum apmu_signal signal)
{
	for (uint64_t run = pmu->running; run; run &= run - 1)
		if (counts(pmu, apmu_base__lowest(run), signal))
			return true;
	return false;
}

bool apmu_wants_cycles(const struct apmu *pmu)
{
	return pmu->s.holdoff || (pmu->running & pmu->by_cycle) ||
	       (pmu->s.word[APMU_WORD_EXPORT] && pmu->s.in.export_heard);
}

/* How many more of its own steps counter i can take before it wraps; at least 1. */
static uint64_t room(const struct apmu *pmu, unsigned i)
{
	unsigned width = pmu->core->rules->overflow_bit(pmu, i);
	uint64_t top = apmu_base__ones(width), left = top - (pmu->s.counter[i] & top),
		 pending = apmu_model__gained(pmu, i);

	if (pmu->mt)
		pending += pmu->core->rules->threads_gained(pmu, i);
	if (left < UINT64_MAX)
		left++;
	if (i == APMU_CYCLE_COUNTER && divides(pmu))
		left = left * DIVIDER - pmu->s.phase;
	if (pmu->s.holdoff && counts(pmu, i, APMU_SIG_CYCLES) && left < UINT64_MAX - pmu->s.holdoff)
		left += pmu->s.holdoff;
	return pending < left ? left - pending : 1;
}

uint64_t apmu_until_overflow(const struct apmu *pmu, enum apmu_signal signal)
{
	uint64_t least = UINT64_MAX;

	for (uint64_t run = pmu->running; run; run &= run - 1) {
		unsigned i = apmu_base__lowest(run);
		uint64_t left = counts(pmu, i, signal) ? room(pmu, i) : UINT64_MAX;

		least = left < least ? left : least;
	}
	return least;
}

/* Fills in the signals that counter i counts. */
static void name_signals(const struct apmu *pmu, unsigned i, struct apmu_limit *out)
{
	const struct apmu_event *event = pmu->event[i];

	out->signals = 1;
	out->signal[0] = APMU_SIG_CYCLES;
	if (i == APMU_INSTR_COUNTER)
		out->signal[0] = APMU_SIG_INST;
	if (i >= APMU_CYCLE_COUNTER)
		return;
	out->signals = 0;
	for (unsigned k = 0; event && k < event->signals; k++)
		out->signal[out->signals++] = event->signal[k];
	if (event && over_counts(pmu, event))
		out->signal[out->signals++] = event->extra;
}

unsigned apmu_limits(const struct apmu *pmu, struct apmu_limit out[APMU_COUNTERS])
{
	unsigned n = 0;

	for (uint64_t run = pmu->running; run; run &= run - 1) {
		unsigned i = apmu_base__lowest(run);

		name_signals(pmu, i, &out[n]);
		out[n++].left = room(pmu, i);
	}
	return n;
}

/* AN195 table 2: with X set every event is driven, selected or not; DDI0301H 3-139: not in Debug state. */
uint64_t apmu_export(const struct apmu *pmu, const struct apmu_tally *cycle)
{
	uint64_t bus = 0;

	if (!pmu->s.word[APMU_WORD_EXPORT] || pmu->s.mode.debug_halted)
		return 0;
	if (pmu->core->rules->exports && !pmu->core->rules->exports(pmu))
		return 0;
	for (unsigned i = 0; i < pmu->core->events; i++) {
		const struct apmu_event *event = apmu_event_at(pmu->core, i);
		uint64_t n, most;

		if (event->bus == APMU_NO_BUS)
			continue;
		n = sum(pmu, event, cycle);
		most = apmu_base__ones(event->bus_bits);
		bus |= (n < most ? n : most) << event->bus;
	}
	return bus;
}
