/* SPDX-License-Identifier: MIT */
/* Overflows: acknowledging, counting, reloading, calling back. */
#include "driver/device.h"

/* True if an overflow concerns the slot. Where flags can get lost, any overflow is a reason to look at every
 * counter. */
static bool concerns(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, apmu_counters flags)
{
	return apmu_driver__flagged(slot, flags) || (dev->has.vague && slot->bits == 32);
}

/* Handles a sample that is due: `gain` events came, `slot->left` of them up to the sample. Counts the periods
 * that passed and sets what is left of the present one. */
static void due(struct apmu_dev *dev, struct apmu_dev_slot *slot, uint64_t gain)
{
	uint64_t over = gain - slot->left, period = apmu_driver__slot_period(dev, slot);

	slot->periods++;
	if (over >= period) /* late by more than a period */
		slot->periods += (uint32_t)apmu_driver__divide(over, period, &over);
	slot->left = period - over;
	if (slot->flags & APMU_DRIVER__TURNS)
		dev->turn_due = true;
}

void apmu_driver__slot_count(struct apmu_dev *dev, struct apmu_dev_slot *slot, apmu_counters flags)
{
	uint64_t now = apmu_driver__slot_get(dev, slot), gain = apmu_driver__slot_gain(dev, slot, now, flags);

	if (dev->bad)
		return;
	slot->base += gain;
	slot->last = now;
	if (slot->left == APMU_DRIVER__NEVER)
		return;
	if (gain < slot->left)
		slot->left -= gain;
	else
		due(dev, slot, gain);
}

/* Takes the overflows. Counters that are written are stopped. */
static void take(struct apmu_dev *dev, apmu_counters flags)
{
	struct apmu_dev_slot *slot;

	for (unsigned i = 0; (slot = apmu_driver__next(dev, &i));)
		if (concerns(dev, slot, flags) && apmu_driver__slot_reloads(dev, slot))
			dev->held |= apmu_driver__counters_of(slot);
	if (dev->held)
		dev->family->hold(dev, dev->held);
	for (unsigned i = 0; (slot = apmu_driver__next(dev, &i));) {
		if (!concerns(dev, slot, flags))
			continue;
		apmu_driver__slot_count(dev, slot, flags);
		if (!dev->bad && apmu_driver__in(dev->held, slot->counter))
			apmu_driver__slot_reload(dev, slot);
	}
}

/* Counts one sample; a slot with too many since the last tick goes on counting without samples. */
void apmu_driver__slot_throttle(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	if (dev->config->throttle && ++slot->burst >= dev->config->throttle) {
		slot->flags |= APMU_DRIVER__THROTTLED | APMU_DRIVER__OMITTED;
		slot->left = APMU_DRIVER__NEVER;
	}
}

static void call_back(struct apmu_dev *dev, void *state)
{
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];
		struct apmu_sample sample;

		sample.periods = slot->periods;
		if (!sample.periods || (slot->flags & APMU_DRIVER__TURNS))
			continue;
		slot->periods = 0;
		apmu_driver__slot_throttle(dev, slot);
		sample.slot = (uint8_t)i;
		sample.throttled = slot->flags & APMU_DRIVER__THROTTLED;
		sample.value = slot->base;
		sample.state = state;
		if (dev->config->sample)
			dev->config->sample(dev->config->user, &sample);
	}
}

int apmu_driver__service(struct apmu_dev *dev, void *state)
{
	apmu_counters flags;
	int served = 0;

	if (dev->family->serve)
		return dev->family->serve(dev);
	flags = dev->family->flags(dev) & dev->watched;
	apmu_driver__look_at_clock(dev, true);
	if (flags)
		dev->family->ack(dev, flags);
	if (dev->bad || !(flags || dev->has.vague))
		return 0;
	take(dev, flags);
	dev->changes++;
	if (!dev->bad)
		call_back(dev, state);
	if (dev->held)
		dev->family->go(dev, dev->held);
	dev->held = 0;
	for (; flags; flags &= flags - 1)
		served++;
	if (!dev->bad && dev->turn_due)
		dev->config->turns->rotate(dev);
	return served;
}

/* The interrupted thread may be between a write of PMSELR and the access that it is for, or may have a
 * failure of its own in dev->bad. */
int apmu_dev_interrupt(struct apmu_dev *dev, void *state)
{
	bool selects = dev->backend->traits & APMU_DEV_TRAIT_SELECT;
	int served = 0, bad, outer = dev->bad;
	uint64_t select = 0;

	if (!dev->loaded)
		return 0;
	dev->bad = APMU_OK;
	if (selects)
		select = apmu_driver__dev_get(dev, APMU_DEV_SELECT);
	if (!dev->bad) {
		served = apmu_driver__service(dev, state);
		bad = apmu_driver__dev_end(dev);
		if (selects)
			apmu_driver__dev_set(dev, APMU_DEV_SELECT, select);
		if (bad)
			dev->bad = bad;
	}
	bad = dev->bad;
	dev->bad = outer;
	return bad ? bad : served;
}

static void poll(struct apmu_dev *dev)
{
	if (dev->loaded)
		apmu_driver__service(dev, NULL);
}

int apmu_dev_poll(struct apmu_dev *dev)
{
	return apmu_driver__locked(dev, poll);
}
