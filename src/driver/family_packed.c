/* SPDX-License-Identifier: MIT */
/* ARM11 and XScale: a few counters, selectors side by side in one word, no enables per counter. */
#include "driver/device.h"

void apmu_driver__probe_packed(struct apmu_dev *dev)
{
	dev->has.counters =
		apmu_driver__one(APMU_CYCLE_COUNTER) | (apmu_counters)((1u << dev->family->events) - 1);
	dev->has.event_mask = 0xFF;
	dev->has.holdoff = dev->family->holdoff;
	if (dev->has.known && (dev->config->core->features >> APMU_FEATURE_TRUSTZONE & 1))
		dev->has.user = APMU_USER_ALL;
}

uint64_t apmu_driver__selector_get(struct apmu_dev *dev, unsigned i)
{
	return i < dev->family->events ? dev->types >> dev->family->select[i] & 0xFF : 0;
}

void apmu_driver__selector_put(struct apmu_dev *dev, unsigned i, uint64_t type)
{
	unsigned lo = i < dev->family->events ? dev->family->select[i] : 0;

	if (i < dev->family->events)
		dev->types = apmu_base__put(dev->types, lo + 7, lo, type);
}

/* Makes counters that are not wanted count the event that never happens. */
void apmu_driver__selectors_park(struct apmu_dev *dev, apmu_counters on)
{
	for (unsigned i = 0; i < dev->family->events; i++)
		if (!apmu_driver__in(on, i))
			apmu_driver__selector_put(dev, i, dev->family->off);
}

/* Returns the event of the core's row that counts cycles and nothing else. */
int apmu_driver__cycle_event(const struct apmu_dev *dev)
{
	const struct apmu_core *core = dev->has.known ? dev->config->core : NULL;

	for (unsigned i = 0; core && i < core->events; i++) {
		const struct apmu_event *row = apmu_event_at(core, i);

		if (row->signals == 1 && row->signal[0] == APMU_SIG_CYCLES)
			return row->number;
	}
	return APMU_ENOENT;
}

void apmu_driver__hold_all(struct apmu_dev *dev, apmu_counters counters)
{
	(void)counters;
	dev->family->stop(dev);
}

void apmu_driver__go_all(struct apmu_dev *dev, apmu_counters counters)
{
	(void)counters;
	if (dev->running)
		dev->family->start(dev);
}
