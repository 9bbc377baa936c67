/* SPDX-License-Identifier: MIT */
/* The time in which `enabled` and `running` are measured, and counts of plans without turns. */
#include "driver/device.h"

uint64_t apmu_driver__time(struct apmu_dev *dev)
{
	if (dev->time == APMU_DRIVER__TIME_CYCLES)
		return dev->config->turns->time(dev);
	if (dev->time == APMU_DRIVER__TIME_TURNS)
		return dev->begun;
	return dev->running ? dev->config->clock(dev->config->user) - dev->since : dev->since;
}

/* While running, `since` is the start of the turn; while stopped, its length so far. This converts one to the
 * other. Time in cycles needs no conversion: the cycle counter stops by itself. */
void apmu_driver__time_toggle(struct apmu_dev *dev)
{
	if (!dev->config->clock)
		return;
	dev->looked = dev->config->clock(dev->config->user);
	dev->since = dev->looked - dev->since;
}

void apmu_driver__look_at_clock(struct apmu_dev *dev, bool taken)
{
	const struct apmu_dev_config *config = dev->config;
	uint64_t now;

	if (!dev->running || config->interrupt || !config->clock || !config->clock_limit)
		return;
	now = config->clock(config->user);
	dev->late = dev->late || now - dev->looked > config->clock_limit;
	if (taken)
		dev->looked = now;
}

void apmu_driver__time_restart(struct apmu_dev *dev)
{
	dev->begun = dev->running;
	dev->since = 0;
	if (dev->time != APMU_DRIVER__TIME_TURNS)
		dev->since = apmu_driver__time(dev);
}

void apmu_driver__fill_count(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
			     struct apmu_count *out)
{
	out->enabled = out->running = dev->enabled + elapsed;
	out->scaled = out->value;
	out->error = 0;
	out->cost = slot->cost;
	out->lost = dev->late && slot->bits == 32;
	out->throttled = slot->flags & APMU_DRIVER__OMITTED;
	if (dev->rounds > 1)
		dev->config->turns->scale(dev, slot, elapsed, out);
	else if (dev->family->times)
		dev->family->times(dev, slot->counter, out);
}
