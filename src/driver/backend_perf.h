/* SPDX-License-Identifier: MIT */
/**
 * Shared by the files of the Linux backend: finding a counter's event and its page.
 */
#ifndef APMU_DRIVER_BACKEND_PERF_H
#define APMU_DRIVER_BACKEND_PERF_H

#include "driver/device.h"

struct apmu_driver__reading {
	uint64_t value, enabled, running;
};

/* Returns the slot that has counter i in this round; NULL if none has. */
struct apmu_dev_slot *apmu_driver__perf_slot(const struct apmu_dev *dev, unsigned i);
struct apmu_perf_event *apmu_driver__perf_event(const struct apmu_dev *dev, unsigned i);
/* Makes the next sample come after `period` events. */
void apmu_driver__perf_period(struct apmu_dev *dev, const struct apmu_perf_event *event, uint64_t period);

/* backend_perf_page.c: reads a counter in user space; false: that needs a system call. */
bool apmu_driver__perf_here(const void *page, struct apmu_driver__reading *out);

/* backend_perf_ring.c: hands over the samples in the rings. Returns how many. */
int apmu_driver__perf_serve(struct apmu_dev *dev);

#endif
