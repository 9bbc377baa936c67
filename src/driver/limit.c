/* SPDX-License-Identifier: MIT */
/* How often a caller without an interrupt must poll to see every wrap. */
#include "driver/device.h"

#define UNKNOWN_STEP 16 /* events per cycle of an unknown event: more than any row says */

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
	unsigned largest = 0;
	uint64_t rest;

	for (unsigned i = 0; i <= dev->n; i++) {
		const struct apmu_dev_slot *slot = apmu_driver__slot(dev, i);
		unsigned step =
			slot->counter == APMU_DRIVER__NO_COUNTER || slot->bits != 32 ? 0 : step_of(dev, slot);

		if (step > largest)
			largest = step;
	}
	if (!largest)
		return UINT64_MAX;
	return apmu_driver__divide(dev->has.vague ? APMU_DRIVER__HALF - 1 : UINT32_MAX, largest, &rest);
}
