/* SPDX-License-Identifier: MIT */
/* Overflows: acknowledged, counted, reloaded, called back. */
#include "device.h"

/* Where flags can get lost, any overflow is a reason to look at every counter. */
static bool concerns(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, apmu_counters flags)
{
	if (!apmu__active(dev, slot))
		return false;
	return apmu__flagged(slot, flags) || (dev->has.vague && slot->bits == 32);
}

/* `gain` events came, `left` of them up to the sample: how many periods passed, and what is left now. */
static void due(struct apmu_dev *dev, struct apmu_dev_slot *slot, uint64_t gain)
{
	uint64_t over = gain - slot->left, period = apmu__slot_period(dev, slot);

	slot->periods += 1 + (uint32_t)(over / period);
	slot->left = period - over % period;
	if (slot->flags & APMU__TURNS)
		dev->turn_due = true;
}

static int count(struct apmu_dev *dev, struct apmu_dev_slot *slot, apmu_counters flags)
{
	bool flag = apmu__flagged(slot, flags);
	uint64_t now, gain;
	int bad = apmu__slot_get(dev, slot, &now);

	if (bad)
		return bad;
	gain = apmu__slot_gain(dev, slot, now, flag);
	slot->base += gain;
	slot->last = now;
	if (slot->left == APMU__NEVER)
		return APMU_OK;
	if (gain < slot->left)
		slot->left -= gain;
	else
		due(dev, slot, gain);
	return APMU_OK;
}

/* The counters stand still where they are written. */
static int take(struct apmu_dev *dev, apmu_counters flags)
{
	apmu_counters held = 0;
	int bad = APMU_OK;

	for (unsigned i = 0; i <= dev->n; i++)
		if (concerns(dev, apmu__slot(dev, i), flags) && apmu__slot_reloads(dev, apmu__slot(dev, i)))
			held |= apmu__counters_of(apmu__slot(dev, i));
	if (held)
		bad = dev->family->hold(dev, held);
	dev->held = held;
	for (unsigned i = 0; i <= dev->n && !bad; i++) {
		struct apmu_dev_slot *slot = apmu__slot(dev, i);

		if (!concerns(dev, slot, flags))
			continue;
		bad = count(dev, slot, flags);
		if (!bad && apmu__slot_reloads(dev, slot))
			bad = apmu__slot_reload(dev, slot);
	}
	return bad;
}

/* A slot with too many samples since the last tick goes on counting without. */
static void throttle(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	if (dev->config->throttle && ++slot->burst >= dev->config->throttle) {
		slot->flags |= APMU__THROTTLED | APMU__OMITTED;
		slot->left = APMU__NEVER;
	}
}

static void call_back(struct apmu_dev *dev, void *state)
{
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];
		struct apmu_sample sample = {
			.slot = (uint8_t)i, .periods = slot->periods, .value = slot->base, .state = state};

		if (!slot->periods || (slot->flags & APMU__TURNS))
			continue;
		slot->periods = 0;
		throttle(dev, slot);
		sample.throttled = slot->flags & APMU__THROTTLED;
		if (dev->config->sample)
			dev->config->sample(dev->config->user, &sample);
	}
}

/* With a clock: did so much time pass since the last look that a counter could wrap twice? */
static void look_at_clock(struct apmu_dev *dev)
{
	const struct apmu_dev_config *config = dev->config;
	uint64_t now;

	if (!config->clock || !config->clock_limit)
		return;
	now = config->clock(config->user);
	if (dev->running && now - dev->looked > config->clock_limit)
		for (unsigned i = 0; i <= dev->n; i++)
			if (apmu__flagged(apmu__slot(dev, i), dev->watched))
				apmu__slot(dev, i)->flags |= APMU__LOST;
	dev->looked = now;
}

int apmu__service(struct apmu_dev *dev, void *state)
{
	apmu_counters flags = 0;
	int served = 0, bad = dev->family->flags(dev, &flags);

	flags &= dev->watched;
	look_at_clock(dev);
	if (!bad && flags)
		bad = dev->family->ack(dev, flags);
	if (bad || !(flags || dev->has.vague))
		return bad;
	bad = take(dev, flags);
	dev->changes++;
	call_back(dev, state);
	if (dev->held && !bad)
		bad = dev->family->go(dev, dev->held);
	dev->held = 0;
	for (; flags; flags &= flags - 1)
		served++;
	if (!bad && dev->turn_due)
		bad = apmu__rotate(dev);
	return bad ? bad : served;
}

int apmu__settle_counts(struct apmu_dev *dev)
{
	apmu_counters flags = 0;
	int bad = dev->family->flags(dev, &flags);

	flags &= dev->watched;
	for (unsigned i = 0; i <= dev->n && !bad; i++)
		if (apmu__active(dev, apmu__slot(dev, i)))
			bad = count(dev, apmu__slot(dev, i), flags);
	dev->changes++;
	return bad || !flags ? bad : dev->family->ack(dev, flags);
}

int apmu_dev_interrupt(struct apmu_dev *dev, void *state)
{
	bool selects = dev->backend->traits & APMU_TRAIT_SELECT;
	uint64_t select = 0;
	int served, bad = APMU_OK;

	if (!dev->loaded)
		return 0;
	/* The thread may stand between a write of PMSELR and the access that it is for. */
	if (selects)
		bad = apmu__dev_read(dev, APMU_DEV_SELECT, 0, &select);
	if (bad)
		return bad;
	served = apmu__service(dev, state);
	if (selects)
		bad = apmu__dev_write(dev, APMU_DEV_SELECT, 0, select);
	return bad ? bad : served;
}

int apmu_dev_poll(struct apmu_dev *dev)
{
	unsigned state = apmu__lock(dev);
	int served = dev->loaded ? apmu__service(dev, NULL) : 0;

	apmu__unlock(dev, state);
	return served < 0 ? served : APMU_OK;
}
