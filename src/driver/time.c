/* SPDX-License-Identifier: MIT */
/* Time of wants that take turns, and totals scaled by it. A turn lasts from one rotation to the next. */
#include "device.h"

/* The slot on the cycle counter that stands for time. */
static const struct apmu_dev_slot *cycles(const struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++) {
		const struct apmu_dev_slot *slot = apmu__slot(dev, i);

		if (slot->counter == APMU_CYCLE_COUNTER && apmu__active(dev, slot))
			return slot;
	}
	return &dev->own;
}

static int cycles_now(struct apmu_dev *dev, uint64_t *now)
{
	const struct apmu_dev_slot *slot = cycles(dev);
	apmu_counters flags = 0;
	int bad = apmu__slot_get(dev, slot, now);

	if (!bad && slot->bits == 32)
		bad = dev->family->flags(dev, &flags);
	return bad ? bad : apmu__slot_total(dev, slot, *now, flags, now);
}

int apmu__time(struct apmu_dev *dev, uint64_t *elapsed)
{
	int bad = APMU_OK;

	*elapsed = dev->begun ? 1 : 0;
	if (dev->time == APMU__TIME_CLOCK)
		*elapsed = dev->running ? dev->config->clock(dev->config->user) - dev->since : dev->since;
	if (dev->time != APMU__TIME_CYCLES)
		return APMU_OK;
	bad = cycles_now(dev, elapsed);
	*elapsed -= dev->since;
	return bad;
}

/* Stopped, `since` holds how long the turn has lasted. Cycles stand still by themselves. */
void apmu__time_start(struct apmu_dev *dev)
{
	dev->begun = true;
	if (!dev->config->clock)
		return;
	dev->looked = dev->config->clock(dev->config->user);
	dev->since = dev->looked - dev->since;
}

void apmu__time_stop(struct apmu_dev *dev)
{
	if (dev->config->clock)
		dev->since = dev->config->clock(dev->config->user) - dev->since;
}

int apmu__turn_restart(struct apmu_dev *dev)
{
	uint64_t now;
	int bad;

	dev->begun = dev->running;
	dev->since = 0;
	bad = apmu__time(dev, &now);
	if (dev->time != APMU__TIME_TURNS)
		dev->since = now;
	return bad;
}

int apmu__turn_begin(struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++)
		dev->config->slots[i].turn = dev->config->slots[i].base;
	return apmu__turn_restart(dev);
}

int apmu__turn_end(struct apmu_dev *dev)
{
	uint64_t elapsed, rate;
	int bad = apmu__time(dev, &elapsed);

	if (bad || !elapsed)
		return bad;
	dev->enabled += elapsed;
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];

		if (!apmu__active(dev, slot))
			continue;
		slot->running += elapsed;
		rate = ((slot->base - slot->turn) << 16) / elapsed;
		if (rate < slot->slow)
			slot->slow = rate;
		if (rate > slot->fast)
			slot->fast = rate;
	}
	return APMU_OK;
}

/* a * b / c; of b and c, which are times, 32 bits count. */
static uint64_t share(uint64_t a, uint64_t b, uint64_t c)
{
	while ((b | c) >> 32) {
		b >>= 1;
		c >>= 1;
	}
	if (!c)
		c = 1;
	return a / c * b + a % c * b / c;
}

/* Events in `time` at a rate. */
static uint64_t events(uint64_t rate, uint64_t time)
{
	return (rate >> 16) * time + ((rate & 0xFFFF) * time >> 16);
}

/* The part of the time that went unseen may have been as slow or as fast as any turn that was seen. */
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

void apmu__scale(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
		 struct apmu_count *out)
{
	out->enabled = dev->enabled + elapsed;
	out->running = slot->running + (apmu__active(dev, slot) ? elapsed : 0);
	out->scaled = out->value;
	out->error = 0;
	out->cost = slot->cost;
	out->lost = slot->flags & APMU__LOST;
	out->throttled = slot->flags & APMU__OMITTED;
	if (out->running == out->enabled)
		return;
	if (out->running)
		out->scaled = share(out->value, out->enabled, out->running);
	out->error = bound(slot, out);
}

int apmu__scale_by_kernel(struct apmu_dev *dev, const struct apmu_dev_slot *slot, struct apmu_count *out)
{
	int bad = dev->family->times(dev, slot->counter, &out->enabled, &out->running);

	if (bad || out->running == out->enabled)
		return bad;
	out->scaled = out->running ? share(out->value, out->enabled, out->running) : 0;
	out->error = out->running ? out->scaled - out->value : UINT64_MAX;
	return APMU_OK;
}
