/* SPDX-License-Identifier: MIT */
/* apmu_dev_tick(), for a timer of the caller's: resumes throttled samples, looks for overflows, changes
 * turns. */
#include "driver/device.h"

/* Resumes the samples of a slot from here on. If a wrap still waits for the handler, the counter is not
 * written: the handler will do that. */
static void unthrottle(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	apmu_counters counters = apmu_driver__counters_of(slot);
	bool active = apmu_driver__active(dev, slot), writes = false;

	slot->flags = (uint8_t)(slot->flags & ~APMU_DRIVER__THROTTLED);
	if (active) {
		dev->family->hold(dev, counters);
		writes = !apmu_driver__flagged(slot, dev->family->flags(dev));
	}
	if (writes)
		apmu_driver__slot_count(dev, slot, 0);
	slot->left = apmu_driver__slot_period(dev, slot);
	if (writes && !dev->bad)
		apmu_driver__slot_reload(dev, slot);
	dev->changes++;
	if (active)
		dev->family->go(dev, counters);
}

static void tick(struct apmu_dev *dev)
{
	/* Samples that are due are taken before the next turn. */
	if (!dev->config->interrupt || dev->rounds > 1)
		apmu_driver__service(dev, NULL);
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];

		slot->burst = 0;
		if (slot->flags & APMU_DRIVER__THROTTLED)
			unthrottle(dev, slot);
	}
	if (!dev->bad && dev->rounds > 1)
		dev->config->turns->rotate(dev);
}

int apmu_dev_tick(struct apmu_dev *dev)
{
	return dev->loaded ? apmu_driver__locked(dev, tick) : APMU_EINVAL;
}
