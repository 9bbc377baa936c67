/* SPDX-License-Identifier: MIT */
/* Putting a plan on the counters, and undoing it if an access fails on the way. */
#include "device.h"

#define EVENT_CHAIN 0x1E
#define EVERYWHERE  0

/* What the type register of the slot's counter must hold. */
static uint64_t type_of(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	bool cycles = slot->counter == APMU_CYCLE_COUNTER;
	uint32_t filter = 0;

	apmu__filter(cycles ? dev->has.cycle_filters : dev->has.filters, &slot->want, &filter);
	return filter | (cycles ? 0u : slot->want.event);
}

static int put_chain(struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	struct apmu_want everywhere = {.event = EVENT_CHAIN};
	uint32_t filter = 0;

	apmu__filter(dev->has.filters, &everywhere, &filter);
	return dev->family->type_put(dev, slot->counter + 1u, filter | EVENT_CHAIN);
}

static int put_slot(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	int bad = dev->family->type_put(dev, slot->counter, type_of(dev, slot));

	if (!bad && (slot->flags & APMU__CHAINED))
		bad = put_chain(dev, slot);
	return bad ? bad : apmu__slot_reload(dev, slot);
}

/* The counters of the round. The driver's own slot steps back where a want has the cycle counter. */
static void choose(struct apmu_dev *dev)
{
	dev->on = dev->watched = 0;
	if (dev->own.counter == APMU_CYCLE_COUNTER)
		dev->own.round = APMU__ALWAYS;
	for (unsigned i = 0; i <= dev->n; i++) {
		struct apmu_dev_slot *slot = apmu__slot(dev, i);

		if (!apmu__active(dev, slot))
			continue;
		if (i == dev->n && apmu__in(dev->on, APMU_CYCLE_COUNTER)) {
			slot->round = APMU__NO_ROUND;
			continue;
		}
		dev->on |= apmu__counters_of(slot);
		if (slot->bits == 32 || slot->left != APMU__NEVER)
			dev->watched |= apmu__one(apmu__flag_of(slot));
	}
}

int apmu__round_begin(struct apmu_dev *dev)
{
	int bad = APMU_OK;

	choose(dev);
	for (unsigned i = 0; i <= dev->n && !bad; i++)
		if (apmu__active(dev, apmu__slot(dev, i)))
			bad = put_slot(dev, apmu__slot(dev, i));
	return bad ? bad : dev->family->arm(dev, dev->on, dev->config->interrupt ? dev->watched : 0);
}

static void fill(struct apmu_dev *dev, const struct apmu_want *want, const struct apmu_plan *plan)
{
	for (unsigned w = 0; w < plan->n; w++) {
		struct apmu_dev_slot *slot = &dev->config->slots[w];

		*slot = (struct apmu_dev_slot){.want = want[w],
					       .counter = plan->counter[w],
					       .round = plan->round[w],
					       .slow = UINT64_MAX};
		slot->bits = 32;
		if (plan->chained[w])
			slot->flags |= APMU__CHAINED;
		if (plan->chained[w] || apmu__in(dev->has.wide, slot->counter))
			slot->bits = 64;
		slot->want.event = plan->event[w];
		slot->left = apmu__slot_period(dev, slot);
	}
	dev->n = plan->n;
	dev->rounds = plan->rounds;
	dev->round = 0;
}

/* A want that counts cycles everywhere and always can serve the driver too. */
static struct apmu_dev_slot *cycles_of_want(const struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];

		if (slot->counter == APMU_CYCLE_COUNTER && slot->round == APMU__ALWAYS &&
		    !slot->want.period && slot->want.levels == EVERYWHERE && slot->want.worlds == EVERYWHERE)
			return slot;
	}
	return NULL;
}

static bool cycles_wanted(const struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++)
		if (dev->config->slots[i].counter == APMU_CYCLE_COUNTER)
			return true;
	return false;
}

/* What the driver needs the cycle counter for: turns by cycles, time, a look in time where flags get lost. */
static void choose_own(struct apmu_dev *dev)
{
	bool turns = dev->rounds > 1, can = apmu__in(dev->has.counters, APMU_CYCLE_COUNTER);
	struct apmu_dev_slot *cycles = cycles_of_want(dev);

	dev->own = (struct apmu_dev_slot){
		.counter = APMU__NO_COUNTER, .round = APMU__ALWAYS, .slow = UINT64_MAX};
	dev->own.bits = apmu__in(dev->has.wide, APMU_CYCLE_COUNTER) ? 64 : 32;
	dev->own.left = APMU__NEVER;
	dev->time = dev->config->clock ? APMU__TIME_CLOCK : APMU__TIME_TURNS;
	if (!cycles && can && (dev->has.vague || turns)) {
		dev->own.counter = APMU_CYCLE_COUNTER;
		cycles = &dev->own;
	}
	if (!turns || !cycles)
		return;
	if (dev->config->turn_cycles) {
		cycles->flags |= APMU__TURNS;
		cycles->left = dev->config->turn_cycles;
	}
	if (!dev->config->clock && (cycles != &dev->own || !cycles_wanted(dev)))
		dev->time = APMU__TIME_CYCLES;
}

struct saved {
	uint64_t type, count;
};

static int save(struct apmu_dev *dev, apmu_counters counters, struct saved *saved)
{
	int bad = APMU_OK;

	for (; counters && !bad; counters &= counters - 1) {
		unsigned i = apmu__lowest(counters);

		bad = dev->family->type_get(dev, i, &saved[i].type);
		if (!bad)
			bad = dev->family->get(dev, i, &saved[i].count);
	}
	return bad;
}

/* Best effort: what fails a second time stays as it is. */
static void undo(struct apmu_dev *dev, const struct apmu_was *was, apmu_counters counters,
		 const struct saved *saved)
{
	for (; counters; counters &= counters - 1) {
		unsigned i = apmu__lowest(counters);

		dev->family->type_put(dev, i, saved[i].type);
		dev->family->put(dev, i, saved[i].count);
	}
	dev->family->restore(dev, was);
}

static int load(struct apmu_dev *dev)
{
	struct saved saved[APMU_COUNTERS];
	struct apmu_was was = {0};
	apmu_counters counters;
	int bad = dev->family->quiet(dev, &was);

	if (bad)
		return bad;
	choose(dev);
	counters = dev->on;
	bad = save(dev, counters, saved);
	if (bad)
		counters = 0;
	if (!bad)
		bad = dev->family->ack(dev, dev->has.counters);
	if (!bad)
		bad = apmu__round_begin(dev);
	if (bad)
		undo(dev, &was, counters, saved);
	return bad;
}

int apmu_dev_load(struct apmu_dev *dev, const struct apmu_want *want, const struct apmu_plan *plan)
{
	unsigned state;
	int bad;

	if (plan->n > dev->config->slots_n)
		return APMU_E2BIG;
	state = apmu__lock(dev);
	if (dev->running && apmu_dev_stop(dev))
		dev->family->stop(dev); /* a second try */
	dev->loaded = dev->running = dev->turn_due = dev->begun = false;
	dev->since = dev->enabled = dev->held = 0;
	fill(dev, want, plan);
	choose_own(dev);
	bad = load(dev);
	dev->loaded = !bad;
	if (bad)
		dev->n = 0;
	apmu__unlock(dev, state);
	return bad;
}

int apmu_dev_use(struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		 struct apmu_refusal *refusal)
{
	struct apmu_plan plan;
	int bad = apmu_dev_plan(dev, want, n, options, &plan, refusal);

	return bad ? bad : apmu_dev_load(dev, want, &plan);
}
