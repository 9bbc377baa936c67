/* SPDX-License-Identifier: MIT */
/* Wants that take turns: rotation, the cycle counter as a clock, totals scaled by time. A turn lasts from one
 * rotation to the next. Linked only if a configuration names apmu_turns. */
#include "driver/device.h"

/* Returns the slot on the cycle counter by which time is measured. */
static const struct apmu_dev_slot *cycles(const struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++) {
		const struct apmu_dev_slot *slot = apmu_driver__slot(dev, i);

		if (slot->counter == APMU_CYCLE_COUNTER && apmu_driver__active(dev, slot))
			return slot;
	}
	return &dev->own;
}

static uint64_t cycles_now(struct apmu_dev *dev)
{
	const struct apmu_dev_slot *slot = cycles(dev);
	uint64_t now = apmu_driver__slot_get(dev, slot);

	now = apmu_driver__slot_total(dev, slot, now, slot->bits == 32 ? dev->family->flags(dev) : 0);
	return now - dev->since;
}

static bool cycles_wanted(const struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++)
		if (dev->config->slots[i].counter == APMU_CYCLE_COUNTER)
			return true;
	return false;
}

static void begin(struct apmu_dev *dev, struct apmu_dev_slot *cycle)
{
	if (dev->config->turn_cycles) {
		cycle->flags |= APMU_DRIVER__TURNS;
		cycle->left = dev->config->turn_cycles;
	}
	if (!dev->config->clock && (cycle != &dev->own || !cycles_wanted(dev)))
		dev->time = APMU_DRIVER__TIME_CYCLES;
}

static void turn_begin(struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++)
		dev->config->slots[i].turn = dev->config->slots[i].base;
	apmu_driver__time_restart(dev);
}

static void turn_end(struct apmu_dev *dev)
{
	uint64_t elapsed = apmu_driver__time(dev), rate;

	if (dev->bad || !elapsed)
		return;
	dev->enabled += elapsed;
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];

		if (!apmu_driver__active(dev, slot))
			continue;
		slot->running += elapsed;
		rate = apmu_driver__divide((slot->base - slot->turn) << 16, elapsed, &rate);
		if (rate < slot->slow)
			slot->slow = rate;
		if (rate > slot->fast)
			slot->fast = rate;
	}
}

/* Ends this round's counts and puts the next round on the counters; all counters are stopped. */
static void change(struct apmu_dev *dev)
{
	apmu_counters flags = dev->family->flags(dev) & dev->watched;
	struct apmu_dev_slot *slot;

	for (unsigned i = 0; (slot = apmu_driver__next(dev, &i));)
		apmu_driver__slot_count(dev, slot, flags);
	dev->changes++;
	if (flags)
		dev->family->ack(dev, flags);
	turn_end(dev);
	dev->round = (uint8_t)(dev->round + 1u == dev->rounds ? 0 : dev->round + 1u);
	apmu_driver__round_begin(dev);
	turn_begin(dev);
	dev->changes++;
}

static void rotate(struct apmu_dev *dev)
{
	bool ran = dev->running;

	dev->turn_due = false;
	if (dev->rounds < 2)
		return;
	apmu_driver__dev_stop(dev);
	change(dev);
	if (!dev->bad && ran)
		apmu_driver__dev_start(dev);
	if (dev->bad) { /* a partly programmed round is useless */
		apmu_driver__dev_halt(dev);
		dev->loaded = false;
	}
}

/* Returns the events in `time` at a rate. */
static uint64_t events(uint64_t rate, uint64_t time)
{
	return (rate >> 16) * time + ((rate & 0xFFFF) * time >> 16);
}

/* Returns the error bound: the time not counted may have been as slow or as fast as any turn that was
 * counted. */
static uint64_t bound(const struct apmu_dev_slot *slot, const struct apmu_count *count)
{
	uint64_t unseen = count->enabled - count->running, low, high;

	if (slot->slow > slot->fast)
		return UINT64_MAX;
	low = count->value + events(slot->slow, unseen);
	high = count->value + events(slot->fast, unseen);
	low = low < count->scaled ? count->scaled - low : 0;
	high = high > count->scaled ? high - count->scaled : 0;
	return low > high ? low : high;
}

static void scale(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
		  struct apmu_count *out)
{
	out->running = slot->running + (apmu_driver__active(dev, slot) ? elapsed : 0);
	if (out->running == out->enabled)
		return;
	if (out->running)
		out->scaled = apmu_driver__scale(out->value, out->enabled, out->running);
	out->error = bound(slot, out);
}

const struct apmu_turns apmu_turns = {.begin = begin, .rotate = rotate, .time = cycles_now, .scale = scale};

/* Calls back samples that are due, then rotates. */
static void serve_and_rotate(struct apmu_dev *dev)
{
	apmu_driver__service(dev, NULL);
	if (!dev->bad)
		rotate(dev);
}

int apmu_dev_rotate(struct apmu_dev *dev)
{
	return dev->loaded ? apmu_driver__locked(dev, serve_and_rotate) : APMU_EINVAL;
}
