/* SPDX-License-Identifier: MIT */
/* How often somebody must look where no interrupt tells of a wrap. */
#include "device.h"

#define UNKNOWN_STEP 16 /* events a cycle that no row tells of: more than any counter's row here says */

static unsigned step_of(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	const struct apmu_event *event = NULL;

	if (slot->counter == APMU_CYCLE_COUNTER)
		return 1;
	if (dev->has.known)
		event = apmu_event_find(dev->config->core, slot->want.event);
	return !event ? UNKNOWN_STEP : event->step ? event->step : 1;
}

uint64_t apmu_dev_poll_limit(const struct apmu_dev *dev)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i <= dev->n; i++) {
		const struct apmu_dev_slot *slot = apmu__slot(dev, i);
		uint64_t range = dev->has.vague ? APMU__HALF - 1 : UINT32_MAX, cycles;

		if (slot->counter == APMU__NO_COUNTER || slot->bits != 32)
			continue;
		cycles = range / step_of(dev, slot);
		if (cycles < least)
			least = cycles;
	}
	return least;
}
