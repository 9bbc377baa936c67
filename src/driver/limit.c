/* SPDX-License-Identifier: MIT */
/* How often a caller without an interrupt must poll to see every wrap. */
#include "driver/device.h"

#define UNKNOWN_STEP 255 /* events per cycle of an unknown event: no row says more */

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned step_of(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	const struct apmu_event *event =
		dev->has.known ? apmu_event_find(dev->config->core, slot->want.event) : NULL;

	return event ? event->step : UNKNOWN_STEP;
}

/* A row's step is that of a core that executes one instruction per cycle. Without the core's row, event
 * counters have the unknown step, and cycles step by one. */
uint64_t apmu_dev_poll_limit(const struct apmu_dev *dev)
{
	unsigned largest = 0;
	uint64_t rest;

	for (unsigned i = 0; i <= dev->n; i++) {
		const struct apmu_dev_slot *slot = apmu_driver__slot(dev, i);

		if (slot->counter == APMU_DRIVER__NO_COUNTER || slot->bits != 32)
			continue;
		if (dev->has.known)
			largest = larger(largest, dev->config->core->per_cycle);
		else
			largest |= 1; /* at least one per cycle */
		if (slot->counter != APMU_CYCLE_COUNTER)
			largest = larger(largest, step_of(dev, slot));
	}
	return largest ? apmu_driver__divide(UINT32_MAX >> dev->has.vague, largest, &rest) : UINT64_MAX;
}
