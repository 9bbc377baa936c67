/* SPDX-License-Identifier: MIT */
/* Programming a plan, and undoing that if an access fails on the way. */
#include "driver/device.h"

#define EVENT_CHAIN 0x1E
#define EVERYWHERE  0

/* Returns the value for a counter's type register. */
static uint32_t type_of(const struct apmu_dev *dev, const struct apmu_want *want, unsigned counter)
{
	bool cycles = counter == APMU_CYCLE_COUNTER;
	uint32_t filter;

	apmu_driver__filter(cycles ? dev->has.cycle_filters : dev->has.filters, want, &filter);
	return filter | (cycles ? 0u : want->event);
}

static void put_slot(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	static const struct apmu_want chain = {.event = EVENT_CHAIN};

	dev->family->type_put(dev, slot->counter, type_of(dev, &slot->want, slot->counter));
	if (slot->flags & APMU_DRIVER__CHAINED)
		dev->family->type_put(dev, slot->counter + 1u, type_of(dev, &chain, slot->counter));
	apmu_driver__slot_reload(dev, slot);
}

/* Chooses the counters of the round. The driver's own slot comes last and is inactive if a want has the cycle
 * counter. */
static void choose(struct apmu_dev *dev)
{
	struct apmu_dev_slot *slot;

	dev->on = dev->watched = 0;
	if (dev->own.counter == APMU_CYCLE_COUNTER)
		dev->own.round = APMU_DRIVER__ALWAYS;
	for (unsigned i = 0; (slot = apmu_driver__next(dev, &i));) {
		if (slot == &dev->own && apmu_driver__in(dev->on, APMU_CYCLE_COUNTER)) {
			slot->round = APMU_DRIVER__NO_ROUND;
			continue;
		}
		dev->on |= apmu_driver__counters_of(slot);
		if (slot->bits == 32 || slot->left != APMU_DRIVER__NEVER)
			dev->watched |= apmu_driver__one(apmu_driver__flag_of(slot));
	}
}

void apmu_driver__round_begin(struct apmu_dev *dev)
{
	struct apmu_dev_slot *slot;

	choose(dev);
	for (unsigned i = 0; (slot = apmu_driver__next(dev, &i));)
		put_slot(dev, slot);
	dev->family->arm(dev, dev->on, dev->config->interrupt ? dev->watched : 0);
}

static void fresh(struct apmu_dev *dev, struct apmu_dev_slot *slot, unsigned counter, unsigned round,
		  bool chained)
{
	*slot = (struct apmu_dev_slot){.slow = UINT64_MAX, .left = APMU_DRIVER__NEVER};
	slot->counter = (uint8_t)counter;
	slot->round = (uint8_t)round;
	slot->flags = chained ? APMU_DRIVER__CHAINED : 0;
	slot->bits = chained || apmu_driver__in(dev->has.wide, counter) ? 64 : 32;
}

static void fill(struct apmu_dev *dev, const struct apmu_want *want, const struct apmu_plan *plan)
{
	for (unsigned w = 0; w < plan->n; w++) {
		struct apmu_dev_slot *slot = &dev->config->slots[w];

		fresh(dev, slot, plan->counter[w], plan->round[w], plan->chained[w]);
		slot->want = want[w];
		slot->want.event = plan->event[w];
		slot->left = apmu_driver__slot_period(dev, slot);
	}
	dev->n = plan->n;
	dev->rounds = plan->rounds;
	dev->round = 0;
}

/* Returns a want's slot that always counts cycles everywhere, which the driver can use too; NULL if there is
 * none. */
static struct apmu_dev_slot *cycles_of_want(const struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];

		if (slot->counter == APMU_CYCLE_COUNTER && slot->round == APMU_DRIVER__ALWAYS &&
		    !slot->want.period && slot->want.levels == EVERYWHERE && slot->want.worlds == EVERYWHERE)
			return slot;
	}
	return NULL;
}

/* Takes the cycle counter for the driver if it needs one: for turns by cycles, for time, or for frequent
 * looks where flags get lost. */
static void choose_own(struct apmu_dev *dev)
{
	bool turns = dev->rounds > 1;
	struct apmu_dev_slot *cycles = cycles_of_want(dev);

	fresh(dev, &dev->own, APMU_CYCLE_COUNTER, APMU_DRIVER__ALWAYS, false);
	dev->time = dev->config->clock ? APMU_DRIVER__TIME_CLOCK : APMU_DRIVER__TIME_TURNS;
	if (!cycles && apmu_driver__in(dev->has.counters, APMU_CYCLE_COUNTER) && (dev->has.vague || turns))
		cycles = &dev->own;
	else
		dev->own.counter = APMU_DRIVER__NO_COUNTER;
	if (turns && cycles)
		dev->config->turns->begin(dev, cycles);
}

struct saved {
	uint64_t type, count;
};

/* Best effort: what fails here stays as it is. */
static void undo(struct apmu_dev *dev, const struct apmu_was *was, apmu_counters counters,
		 const struct saved *saved)
{
	int bad = apmu_driver__dev_end(dev);

	for (; counters; counters &= counters - 1, saved++) {
		unsigned i = apmu_driver__first(counters);

		/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): load() has saved it */
		dev->family->type_put(dev, i, saved->type);
		apmu_driver__dev_end(dev);
		dev->family->put(dev, i, saved->count);
		apmu_driver__dev_end(dev);
	}
	dev->bad = bad;
	apmu_driver__restore_failed(dev, was);
}

static void load(struct apmu_dev *dev)
{
	struct saved saved[APMU_COUNTERS], *next = saved;
	struct apmu_was was = {0};

	dev->family->save(dev, &was);
	if (dev->bad)
		return;
	dev->family->quiet(dev);
	choose(dev);
	for (apmu_counters rest = dev->on; rest; rest &= rest - 1, next++) {
		next->type = dev->family->type_get(dev, apmu_driver__first(rest));
		next->count = dev->family->get(dev, apmu_driver__first(rest));
	}
	if (dev->bad) { /* no counter has been written */
		undo(dev, &was, 0, saved);
		return;
	}
	dev->family->ack(dev, dev->has.counters);
	apmu_driver__round_begin(dev);
	if (dev->bad)
		undo(dev, &was, dev->on, saved);
}

int apmu_dev_load(struct apmu_dev *dev, const struct apmu_want *want, const struct apmu_plan *plan)
{
	unsigned state;
	int bad;

	if (plan->n > dev->config->slots_n)
		return APMU_E2BIG;
	if (plan->rounds > 1 && !dev->config->turns)
		return APMU_EOPNOTSUPP;
	state = apmu_driver__lock(dev);
	apmu_driver__dev_stop(dev);
	if (dev->bad)
		apmu_driver__dev_halt(dev); /* tries to stop once more */
	apmu_driver__dev_end(dev);
	dev->loaded = dev->running = dev->turn_due = dev->begun = dev->late = false;
	dev->since = dev->enabled = dev->held = 0;
	fill(dev, want, plan);
	choose_own(dev);
	load(dev);
	bad = apmu_driver__dev_end(dev);
	dev->loaded = !bad;
	if (bad)
		dev->n = 0;
	apmu_driver__unlock(dev, state);
	return bad;
}

int apmu_dev_use(struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		 struct apmu_refusal *refusal)
{
	struct apmu_plan plan;
	int bad = apmu_dev_plan(dev, want, n, options, &plan, refusal);

	if (bad)
		return bad;
	bad = apmu_dev_load(dev, want, &plan);
	if (bad && refusal)
		*refusal = (struct apmu_refusal){.why = APMU_WHY_LOAD};
	return bad;
}
