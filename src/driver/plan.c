/* SPDX-License-Identifier: MIT */
/* Assigning wants to counters: wants for a certain counter first, then pairs, then the rest; group by group
 * into the first round that has room. */
#include "driver/device.h"

#define CYCLES       APMU_CYCLE_COUNTER
#define INSTRUCTIONS APMU_INSTR_COUNTER
#define INST_RETIRED 0x08
#define EVENT_CYCLES 0x11 /* Armv7 and PMUv3 */

#define NO_ROOM APMU_WHYS /* not a refusal: there may be room in another round */
#define RANKS   4

struct planner {
	const struct apmu_dev *dev;
	const struct apmu_want *want;
	struct apmu_plan *plan;
	size_t n;
	unsigned misfit;             /* the want that was checked last */
	apmu_counters always, taken; /* counters taken in every round; and in the round being filled */
};

static bool has(const struct planner *p, unsigned counter)
{
	return apmu_driver__in(p->dev->has.counters, counter);
}

/* True if the PMU or the core's row has the event, or if neither can tell. */
static bool event_exists(const struct apmu_dev *dev, unsigned number)
{
	unsigned low = number & 0x3F, high = number >= 0x4000 ? 32 : 0;

	if (dev->has.known && apmu_event_find(dev->config->core, number))
		return true;
	if (dev->has.ceid[0] && (number < 0x40 || (number >= 0x4000 && number < 0x4040)))
		return dev->has.ceid[low >> 5] >> ((low & 31) + high) & 1;
	return !dev->has.known;
}

static unsigned check_event(struct planner *p, unsigned w)
{
	const struct apmu_want *want = &p->want[w];

	p->plan->event[w] = want->event;
	if (want->flags & APMU_WANT_CYCLES)
		return APMU_WHY_NOT;
	if (want->event & ~p->dev->has.event_mask)
		return APMU_WHY_EVENT_RANGE;
	if (!(want->flags & APMU_WANT_RAW) && !event_exists(p->dev, want->event))
		return APMU_WHY_NO_EVENT;
	return APMU_WHY_NOT;
}

/* The reason why this kind of counter cannot filter as wanted. */
static enum apmu_why unfit(const struct planner *p, const struct apmu_want *want, bool cycles)
{
	uint32_t bits;

	return apmu_driver__filter(cycles ? p->dev->has.cycle_filters : p->dev->has.filters, want, &bits);
}

/* True if the driver needs the cycle counter itself because turns are measured by it. */
static bool cycles_kept(const struct planner *p, const struct apmu_want *want)
{
	return p->dev->config->turn_cycles && (want->period || want->levels || want->worlds || want->group);
}

/* True if the want may go on this counter. */
static bool can_count(const struct planner *p, const struct apmu_want *want, unsigned counter)
{
	bool cycles = want->flags & APMU_WANT_CYCLES;

	if (!has(p, counter) || apmu_driver__in(p->taken, counter) || unfit(p, want, counter == CYCLES))
		return false;
	if (counter == CYCLES)
		return cycles && !cycles_kept(p, want);
	if (counter == INSTRUCTIONS)
		return !cycles && want->event == INST_RETIRED;
	return want->counter == APMU_ANY_COUNTER || want->counter == counter;
}

static bool pair_fits(const struct planner *p, unsigned c)
{
	return p->dev->has.chain && !(c & 1) && has(p, c + 1) && !apmu_driver__in(p->taken, c + 1);
}

static unsigned check_sampling(const struct planner *p, const struct apmu_want *want, bool wide)
{
	if (!want->period)
		return want->jitter ? APMU_WHY_PERIOD : APMU_WHY_NOT;
	if (!p->dev->config->interrupt)
		return APMU_WHY_NO_INTERRUPT;
	if (want->period > apmu_driver__most(wide ? 64 : 32) - apmu_driver__spread(want))
		return APMU_WHY_PERIOD;
	return APMU_WHY_NOT;
}

static unsigned give(struct planner *p, unsigned w, unsigned counter, bool chain)
{
	const struct apmu_want *want = &p->want[w];

	p->taken |= (apmu_counters)(chain ? 3u : 1u) << counter;
	p->plan->counter[w] = (uint8_t)counter;
	p->plan->chained[w] = chain;
	if (counter < CYCLES && (want->flags & APMU_WANT_CYCLES)) {
		int event = p->dev->family->cycle_event ? p->dev->family->cycle_event(p->dev) : EVENT_CYCLES;

		if (event < 0)
			return APMU_WHY_NO_CYCLES;
		p->plan->event[w] = (uint16_t)event;
	}
	return check_sampling(p, want, chain || apmu_driver__in(p->dev->has.wide, counter));
}

/* The reason why no counter would do even if all were free. */
static unsigned impossible(const struct planner *p, const struct apmu_want *want)
{
	enum apmu_why why = unfit(p, want, false);

	if (want->counter != APMU_ANY_COUNTER)
		return APMU_WHY_NO_COUNTER;
	if (why != APMU_WHY_NOT)
		return why;
	if ((want->flags & APMU_WANT_CYCLES) && cycles_kept(p, want))
		return APMU_WHY_CYCLES_TAKEN;
	if (want->flags & APMU_WANT_LONG)
		return APMU_WHY_NO_LONG;
	return p->dev->has.counters & (apmu_driver__one(31) - 1) ? APMU_WHY_TOO_MANY : APMU_WHY_NO_COUNTERS;
}

/* Places a want on its fixed counter: the cycle counter; PMICNTR only if named, since EL3 may trap it and EL1
 * cannot find out. */
static unsigned place_fixed(struct planner *p, unsigned w)
{
	const struct apmu_want *want = &p->want[w];
	unsigned c = want->flags & APMU_WANT_CYCLES ? CYCLES : INSTRUCTIONS;

	if (want->counter != c && (c == INSTRUCTIONS || want->counter != APMU_ANY_COUNTER))
		return NO_ROOM;
	if (!can_count(p, want, c) ||
	    ((want->flags & APMU_WANT_LONG) && !apmu_driver__in(p->dev->has.wide, c)))
		return NO_ROOM;
	return give(p, w, c, false);
}

static unsigned place(struct planner *p, unsigned w)
{
	const struct apmu_want *want = &p->want[w];
	unsigned why = place_fixed(p, w);

	for (unsigned c = 0; c < CYCLES && why == NO_ROOM; c++) {
		bool chain = (want->flags & APMU_WANT_LONG) && !apmu_driver__in(p->dev->has.wide, c);

		if (can_count(p, want, c) && (!chain || pair_fits(p, c)))
			why = give(p, w, c, chain);
	}
	return why;
}

/* The order of placement: wants that fit the fewest counters first. */
static unsigned rank(const struct apmu_want *want)
{
	return want->counter != APMU_ANY_COUNTER ? 0
	       : want->flags & APMU_WANT_LONG    ? 1
	       : want->flags & APMU_WANT_CYCLES  ? 2
						 : 3;
}

static bool in_group(const struct planner *p, unsigned w, unsigned of)
{
	return w == of || (p->want[of].group && p->want[w].group == p->want[of].group);
}

/* Places a whole group on the free counters. */
static unsigned place_group(struct planner *p, unsigned of)
{
	unsigned why = APMU_WHY_NOT;

	for (unsigned r = 0; r < RANKS; r++)
		for (unsigned w = 0; w < p->n && !why; w++) {
			if (!in_group(p, w, of) || rank(&p->want[w]) != r)
				continue;
			p->misfit = w;
			why = place(p, w);
		}
	return why;
}

/* The reason why a group did not fit: checks if it fits alone, and if each of its wants does. */
static unsigned no_room(struct planner *p, unsigned of)
{
	bool alone;

	p->taken = 0;
	if (place(p, p->misfit) == NO_ROOM)
		return impossible(p, &p->want[p->misfit]);
	p->taken = 0;
	alone = place_group(p, of) != NO_ROOM;
	if (p->want[p->misfit].counter != APMU_ANY_COUNTER)
		return APMU_WHY_COUNTER_TWICE;
	return alone ? APMU_WHY_TOO_MANY : APMU_WHY_GROUP;
}

/* The counters that are taken in a round by the wants placed in it. */
static apmu_counters taken_in(const struct planner *p, unsigned round)
{
	apmu_counters taken = p->always;

	for (unsigned w = 0; w < p->n; w++)
		if (p->plan->round[w] == round)
			taken |= (apmu_counters)(p->plan->chained[w] ? 3u : 1u) << p->plan->counter[w];
	return taken;
}

static unsigned seat(struct planner *p, unsigned of, bool turns)
{
	bool can = p->dev->config->turns;
	unsigned rounds = turns && can ? p->plan->rounds + 1u : 1u, refused;

	for (unsigned r = 0; r < rounds; r++) {
		unsigned why;

		p->taken = taken_in(p, r);
		why = place_group(p, of);
		if (why == NO_ROOM)
			continue;
		for (unsigned w = 0; w < p->n && !why; w++)
			if (in_group(p, w, of))
				p->plan->round[w] = (uint8_t)r;
		if (r >= p->plan->rounds)
			p->plan->rounds = (uint8_t)(r + 1);
		return why;
	}
	refused = no_room(p, of);
	return refused == APMU_WHY_TOO_MANY && turns && !can ? APMU_WHY_NO_TURNS : refused;
}

/* Checks one want, and places it if it has a fixed counter: cycles and instructions without a group need not
 * take turns. */
static unsigned admit(struct planner *p, unsigned w)
{
	unsigned why = check_event(p, w);

	p->plan->round[w] = APMU_DRIVER__NO_ROUND;
	if (why || p->want[w].group)
		return why;
	why = place_fixed(p, w);
	if (why == APMU_WHY_NOT)
		p->plan->round[w] = APMU_DRIVER__ALWAYS;
	return why == NO_ROOM ? APMU_WHY_NOT : why;
}

static unsigned plan_all(struct planner *p, unsigned options)
{
	unsigned why = APMU_WHY_NOT;

	p->misfit = p->dev->config->slots_n < APMU_WANTS_MAX ? p->dev->config->slots_n : APMU_WANTS_MAX;
	if (p->n > p->misfit) {
		p->n = 0;
		return APMU_WHY_SLOTS;
	}
	for (unsigned w = 0; w < p->n && !why; w++) {
		p->misfit = w;
		why = admit(p, w);
	}
	p->always = p->taken;
	for (unsigned r = 0; r < RANKS; r++)
		for (unsigned w = 0; w < p->n && !why; w++)
			if (p->plan->round[w] == APMU_DRIVER__NO_ROUND && rank(&p->want[w]) == r)
				why = seat(p, w, options & APMU_MULTIPLEX);
	return why;
}

/* Error codes; reasons that are not listed give APMU_EOPNOTSUPP. */
static const int8_t codes[APMU_WHYS] = {
	[APMU_WHY_NO_COUNTERS] = APMU_ENOSPC, [APMU_WHY_TOO_MANY] = APMU_ENOSPC,
	[APMU_WHY_GROUP] = APMU_ENOSPC,       [APMU_WHY_COUNTER_TWICE] = APMU_ENOSPC,
	[APMU_WHY_NO_EVENT] = APMU_ENOENT,    [APMU_WHY_EVENT_RANGE] = APMU_EINVAL,
	[APMU_WHY_NO_COUNTER] = APMU_EINVAL,  [APMU_WHY_PERIOD] = APMU_ERANGE,
	[APMU_WHY_SLOTS] = APMU_E2BIG,        [APMU_WHY_CYCLES_TAKEN] = APMU_EBUSY,
};

int apmu_dev_plan(const struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		  struct apmu_plan *plan, struct apmu_refusal *refusal)
{
	struct planner p = {.dev = dev, .want = want, .plan = plan, .n = n};
	unsigned why;

	*plan = (struct apmu_plan){.rounds = 1};
	why = plan_all(&p, options);
	plan->n = (uint8_t)p.n;
	if (refusal)
		*refusal = (struct apmu_refusal){why ? (uint8_t)p.misfit : 0, (uint8_t)why};
	if (!why)
		return APMU_OK;
	return codes[why] ? codes[why] : APMU_EOPNOTSUPP;
}
