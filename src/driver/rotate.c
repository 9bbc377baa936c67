/* SPDX-License-Identifier: MIT */
/* Wants that take turns. */
#include "device.h"

static int next_round(struct apmu_dev *dev)
{
	int bad = apmu__settle_counts(dev);

	if (!bad)
		bad = apmu__turn_end(dev);
	if (bad)
		return bad;
	dev->round = (uint8_t)((dev->round + 1u) % dev->rounds);
	bad = apmu__round_begin(dev);
	return bad ? bad : apmu__turn_begin(dev);
}

int apmu__rotate(struct apmu_dev *dev)
{
	bool ran = dev->running;
	int bad;

	dev->turn_due = false;
	if (dev->rounds < 2)
		return APMU_OK;
	bad = ran ? apmu_dev_stop(dev) : APMU_OK;
	if (!bad)
		bad = next_round(dev);
	dev->changes++;
	if (bad) { /* half a round on the counters is worth nothing */
		dev->family->stop(dev);
		dev->loaded = dev->running = false;
		return bad;
	}
	return ran ? apmu_dev_start(dev) : APMU_OK;
}

int apmu_dev_rotate(struct apmu_dev *dev)
{
	unsigned state = apmu__lock(dev);
	int bad = APMU_EINVAL;

	if (dev->loaded)
		bad = apmu__service(dev, NULL); /* samples that are due are called back first */
	if (bad >= 0)
		bad = apmu__rotate(dev);
	apmu__unlock(dev, state);
	return bad;
}

/* Samples again, from here on. */
static int unthrottle(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	apmu_counters counters = apmu__counters_of(slot), flags = 0;
	uint64_t now;
	int bad;

	slot->flags = (uint8_t)(slot->flags & ~APMU__THROTTLED);
	slot->left = apmu__slot_period(dev, slot);
	if (!apmu__active(dev, slot))
		return APMU_OK;
	bad = dev->family->hold(dev, counters);
	if (!bad)
		bad = apmu__slot_get(dev, slot, &now);
	if (!bad)
		bad = dev->family->flags(dev, &flags);
	/* A wrap that waits for the handler stays its business: the counter is not written. */
	if (!bad && !apmu__flagged(slot, flags)) {
		slot->base += apmu__slot_gain(dev, slot, now, false);
		bad = apmu__slot_reload(dev, slot);
	}
	dev->changes++;
	return bad ? bad : dev->family->go(dev, counters);
}

static int unthrottle_all(struct apmu_dev *dev)
{
	int bad = APMU_OK;

	for (unsigned i = 0; i < dev->n && !bad; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];

		slot->burst = 0;
		if (slot->flags & APMU__THROTTLED)
			bad = unthrottle(dev, slot);
	}
	return bad;
}

int apmu_dev_tick(struct apmu_dev *dev)
{
	unsigned state;
	int bad;

	if (!dev->loaded)
		return APMU_EINVAL;
	state = apmu__lock(dev);
	bad = dev->config->interrupt ? APMU_OK : apmu__service(dev, NULL);
	if (bad >= 0)
		bad = unthrottle_all(dev);
	apmu__unlock(dev, state);
	return bad || dev->rounds < 2 ? bad : apmu_dev_rotate(dev);
}
