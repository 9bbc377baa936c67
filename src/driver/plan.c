/* SPDX-License-Identifier: MIT */
/* Fitting wants to counters: what must have a certain counter first, then pairs, then the rest; group by
 * group into the first round that has room. */
#include "device.h"

#define CYCLES       APMU_CYCLE_COUNTER
#define INSTRUCTIONS APMU_INSTR_COUNTER
#define INST_RETIRED 0x08
#define EVENT_CYCLES 0x11 /* Armv7 and PMUv3 */

struct planner {
	const struct apmu_dev *dev;
	const struct apmu_want *want;
	struct apmu_plan *plan;
	struct apmu_refusal refusal;
	size_t n;
	apmu_counters always; /* counters that are taken in every round */
};

static int refuse(struct planner *p, unsigned w, enum apmu_why why, int code)
{
	p->refusal = (struct apmu_refusal){(uint8_t)w, (uint8_t)why};
	return code;
}

static bool has(const struct planner *p, unsigned counter)
{
	return apmu__in(p->dev->has.counters, counter);
}

/* Which event of this core counts cycles? The number is the architecture's, or the row's "cycles". */
static bool cycle_event(const struct apmu_dev *dev, uint16_t *event)
{
	const struct apmu_core *core = dev->has.known ? dev->config->core : NULL;

	if (dev->family == &apmu_family_ranged) {
		*event = EVENT_CYCLES;
		return true;
	}
	for (unsigned i = 0; core && i < core->events; i++) {
		const struct apmu_event *row = apmu_event_at(core, i);

		*event = row->number;
		if (row->signals == 1 && row->signal[0] == APMU_SIG_CYCLES)
			return true;
	}
	return false;
}

/* Does the PMU or the core's row say that the event is there? What neither can know is let pass. */
static bool event_exists(const struct apmu_dev *dev, unsigned number)
{
	unsigned low = number & 0x3F, high = number >= 0x4000 ? 32 : 0;

	if (dev->has.known && apmu_event_find(dev->config->core, number))
		return true;
	if (dev->has.ceid[0] && (number < 0x40 || (number >= 0x4000 && number < 0x4040)))
		return dev->has.ceid[low >> 5] >> ((low & 31) + high) & 1;
	return !dev->has.known;
}

static int check_event(struct planner *p, unsigned w)
{
	const struct apmu_want *want = &p->want[w];

	p->plan->event[w] = want->event;
	if (want->flags & APMU_WANT_CYCLES)
		return APMU_OK;
	if (want->event & ~p->dev->has.event_mask)
		return refuse(p, w, APMU_WHY_EVENT_RANGE, APMU_EINVAL);
	if (!(want->flags & APMU_WANT_RAW) && !event_exists(p->dev, want->event))
		return refuse(p, w, APMU_WHY_NO_EVENT, APMU_ENOENT);
	return APMU_OK;
}

static bool filter_fits(const struct planner *p, unsigned w, unsigned counter)
{
	uint32_t bits;

	return apmu__filter(counter == CYCLES ? p->dev->has.cycle_filters : p->dev->has.filters, &p->want[w],
			    &bits) == APMU_WHY_NOT;
}

/* The driver keeps the cycle counter to itself if turns are taken by it. */
static bool cycles_kept(const struct planner *p, unsigned w)
{
	const struct apmu_want *want = &p->want[w];

	return p->dev->config->turn_cycles && (want->period || want->levels || want->worlds || want->group);
}

/* May the want go on this counter at all? */
static bool can_count(const struct planner *p, unsigned w, unsigned counter)
{
	const struct apmu_want *want = &p->want[w];

	if (!has(p, counter) || !filter_fits(p, w, counter))
		return false;
	if (counter == CYCLES)
		return (want->flags & APMU_WANT_CYCLES) && !cycles_kept(p, w);
	if (counter == INSTRUCTIONS)
		return !(want->flags & APMU_WANT_CYCLES) && want->event == INST_RETIRED &&
		       p->dev->family == &apmu_family_ranged;
	return true;
}

static bool pair_fits(const struct planner *p, unsigned c, apmu_counters taken)
{
	return p->dev->has.chain && !(c & 1) && has(p, c + 1) && !(taken >> c & 3);
}

static unsigned width_on(const struct planner *p, unsigned w, unsigned counter)
{
	return p->plan->chained[w] || apmu__in(p->dev->has.wide, counter) ? 64 : 32;
}

static int check_sampling(struct planner *p, unsigned w, unsigned counter)
{
	const struct apmu_want *want = &p->want[w];

	if (!want->period)
		return want->jitter ? refuse(p, w, APMU_WHY_PERIOD, APMU_ERANGE) : APMU_OK;
	if (!p->dev->config->interrupt)
		return refuse(p, w, APMU_WHY_NO_INTERRUPT, APMU_EOPNOTSUPP);
	if (want->period > apmu__most(width_on(p, w, counter)) - want->period / 256 * want->jitter)
		return refuse(p, w, APMU_WHY_PERIOD, APMU_ERANGE);
	return APMU_OK;
}

static int give(struct planner *p, unsigned w, unsigned counter, apmu_counters *taken, bool chain)
{
	*taken |= (apmu_counters)(chain ? 3u : 1u) << counter;
	p->plan->counter[w] = (uint8_t)counter;
	p->plan->chained[w] = chain;
	if (counter < CYCLES && (p->want[w].flags & APMU_WANT_CYCLES) &&
	    !cycle_event(p->dev, &p->plan->event[w]))
		return refuse(p, w, APMU_WHY_NO_COUNTER, APMU_EOPNOTSUPP);
	return check_sampling(p, w, counter);
}

/* Why no counter would do, with all of them free. */
static int impossible(struct planner *p, unsigned w)
{
	const struct apmu_want *want = &p->want[w];
	uint32_t bits;
	enum apmu_why why = apmu__filter(p->dev->has.filters, want, &bits);

	if (want->counter != APMU_ANY_COUNTER)
		return refuse(p, w, APMU_WHY_NO_COUNTER, APMU_EINVAL);
	if (why != APMU_WHY_NOT)
		return refuse(p, w, why, APMU_EOPNOTSUPP);
	if ((want->flags & APMU_WANT_CYCLES) && cycles_kept(p, w))
		return refuse(p, w, APMU_WHY_CYCLES_TAKEN, APMU_EBUSY);
	if (want->flags & APMU_WANT_LONG)
		return refuse(p, w, APMU_WHY_NO_LONG, APMU_EOPNOTSUPP);
	return refuse(p, w,
		      p->dev->has.counters & (apmu__one(31) - 1) ? APMU_WHY_TOO_MANY : APMU_WHY_NO_COUNTERS,
		      APMU_ENOSPC);
}

/* The counter made for what the want asks: the cycle counter; PMICNTR only if named, since EL3 may trap it
 * and EL1 cannot know. */
static bool place_fixed(struct planner *p, unsigned w, apmu_counters *taken, int *bad)
{
	const struct apmu_want *want = &p->want[w];
	unsigned c = want->flags & APMU_WANT_CYCLES ? CYCLES : INSTRUCTIONS;

	if (want->counter != c && (c == INSTRUCTIONS || want->counter != APMU_ANY_COUNTER))
		return false;
	if (apmu__in(*taken, c) || !can_count(p, w, c))
		return false;
	if ((want->flags & APMU_WANT_LONG) && !apmu__in(p->dev->has.wide, c))
		return false;
	*bad = give(p, w, c, taken, false);
	return true;
}

static bool place(struct planner *p, unsigned w, apmu_counters *taken, int *bad)
{
	const struct apmu_want *want = &p->want[w];
	bool lasting = want->flags & APMU_WANT_LONG;

	if (place_fixed(p, w, taken, bad))
		return true;
	for (unsigned c = 0; c < CYCLES; c++) {
		bool wide = apmu__in(p->dev->has.wide, c);

		if ((want->counter != APMU_ANY_COUNTER && want->counter != c) || apmu__in(*taken, c) ||
		    !can_count(p, w, c))
			continue;
		if (lasting && !wide && !pair_fits(p, c, *taken))
			continue;
		*bad = give(p, w, c, taken, lasting && !wide);
		return true;
	}
	return false;
}

#define RANKS 4
/* What may go on the fewest counters goes first. */
static unsigned rank(const struct apmu_want *want)
{
	return want->counter != APMU_ANY_COUNTER ? 0
	       : want->flags & APMU_WANT_LONG    ? 1
	       : want->flags & APMU_WANT_CYCLES  ? 2
						 : 3;
}

static bool in_group(const struct planner *p, unsigned w, unsigned leader)
{
	return w == leader || (p->want[leader].group && p->want[w].group == p->want[leader].group);
}

/* Puts a whole group into what is free of *taken. False if it does not fit; *misfit is then the one. */
static bool place_group(struct planner *p, unsigned leader, apmu_counters *taken, unsigned *misfit, int *bad)
{
	apmu_counters now = *taken;

	for (unsigned r = 0; r < RANKS; r++)
		for (unsigned w = leader; w < p->n; w++) {
			if (!in_group(p, w, leader) || rank(&p->want[w]) != r)
				continue;
			p->plan->chained[w] = false;
			*misfit = w;
			if (!place(p, w, &now, bad))
				return false;
			if (*bad)
				return true;
		}
	*taken = now;
	return true;
}

static bool leads(const struct planner *p, unsigned w)
{
	for (unsigned v = 0; v < w; v++)
		if (in_group(p, w, v))
			return false;
	return true;
}

static unsigned group_rank(const struct planner *p, unsigned leader)
{
	unsigned least = RANKS;

	for (unsigned w = leader; w < p->n; w++)
		if (in_group(p, w, leader) && rank(&p->want[w]) < least)
			least = rank(&p->want[w]);
	return least;
}

/* The group did not fit beside others. Would it by itself, and each want of it? */
static int no_room(struct planner *p, unsigned leader, unsigned misfit)
{
	apmu_counters none = 0;
	int bad = APMU_OK;

	if (!place(p, misfit, &none, &bad))
		return impossible(p, misfit);
	none = 0;
	if (!place_group(p, leader, &none, &misfit, &bad))
		return refuse(p, misfit,
			      p->want[misfit].counter != APMU_ANY_COUNTER ? APMU_WHY_COUNTER_TWICE
									  : APMU_WHY_GROUP,
			      APMU_ENOSPC);
	return refuse(p, misfit,
		      p->want[misfit].counter != APMU_ANY_COUNTER ? APMU_WHY_COUNTER_TWICE
								  : APMU_WHY_TOO_MANY,
		      APMU_ENOSPC);
}

/* Counters that the group's round has given away: those of the wants placed in it. */
static apmu_counters taken_in(const struct planner *p, unsigned round)
{
	apmu_counters taken = p->always;

	for (unsigned w = 0; w < p->n; w++)
		if (p->plan->round[w] == round)
			taken |= (apmu_counters)(p->plan->chained[w] ? 3u : 1u) << p->plan->counter[w];
	return taken;
}

static int seat(struct planner *p, unsigned leader, bool turns)
{
	unsigned misfit = leader, rounds = turns ? p->plan->rounds + 1u : 1u;
	int bad = APMU_OK;

	for (unsigned r = 0; r < rounds; r++) {
		apmu_counters taken = taken_in(p, r);

		if (!place_group(p, leader, &taken, &misfit, &bad))
			continue;
		for (unsigned w = leader; w < p->n && !bad; w++)
			if (in_group(p, w, leader))
				p->plan->round[w] = (uint8_t)r;
		if (r >= p->plan->rounds)
			p->plan->rounds = (uint8_t)(r + 1);
		return bad;
	}
	return no_room(p, leader, misfit);
}

/* Cycles and instructions by themselves need not take turns. */
static int seat_always(struct planner *p)
{
	int bad = APMU_OK;

	for (unsigned w = 0; w < p->n && !bad; w++)
		if (!p->want[w].group && place_fixed(p, w, &p->always, &bad))
			p->plan->round[w] = APMU__ALWAYS;
	return bad;
}

static int seat_all(struct planner *p, unsigned options)
{
	int bad = seat_always(p);

	for (unsigned r = 0; r < RANKS; r++)
		for (unsigned w = 0; w < p->n && !bad; w++)
			if (p->plan->round[w] == APMU__NO_ROUND && leads(p, w) && group_rank(p, w) == r)
				bad = seat(p, w, options & APMU_MULTIPLEX);
	return bad;
}

int apmu_dev_plan(const struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		  struct apmu_plan *plan, struct apmu_refusal *refusal)
{
	struct planner p = {.dev = dev, .want = want, .plan = plan, .n = n};
	int bad = APMU_OK;

	*plan = (struct apmu_plan){.rounds = 1};
	if (n > dev->config->slots_n || n > APMU_WANTS_MAX) {
		p.n = 0;
		bad = refuse(&p, dev->config->slots_n, APMU_WHY_SLOTS, APMU_E2BIG);
	}
	plan->n = (uint8_t)p.n;
	for (unsigned w = 0; w < p.n && !bad; w++) {
		plan->round[w] = APMU__NO_ROUND;
		bad = check_event(&p, w);
	}
	if (!bad)
		bad = seat_all(&p, options);
	if (refusal)
		*refusal = p.refusal;
	return bad;
}
