/* SPDX-License-Identifier: MIT */
/* Measures what start and stop add to a count. A region of n reads costs n * r + c; two lengths give c, which
 * may be negative: on ARM11 the three cycles before the first count (DDI0301H 3-137) are missing from it. */
#include "driver/device.h"

#define SHORT 4 /* reads, which take longer than any hold-off */
#define TRIES 3

/* Returns the count of one region with `reads` reads in it. */
static uint64_t measure(struct apmu_dev *dev, unsigned w, unsigned reads)
{
	struct apmu_count count = {0};

	apmu_driver__dev_fail(dev, apmu_dev_clear(dev));
	apmu_driver__dev_start(dev);
	for (unsigned i = 0; i < reads; i++)
		apmu_driver__slot_get(dev, &dev->config->slots[w]);
	apmu_driver__dev_stop(dev);
	if (!dev->bad)
		apmu_driver__dev_fail(dev, apmu_dev_read_one(dev, w, &count));
	return count.value;
}

/* Returns the least of some tries: disturbances only make a count larger. */
static uint64_t least(struct apmu_dev *dev, unsigned w, unsigned reads)
{
	uint64_t out = UINT64_MAX;

	for (unsigned i = 0; i < TRIES && !dev->bad; i++) {
		uint64_t one = measure(dev, w, reads);

		if (one < out)
			out = one;
	}
	return out;
}

static void calibrate(struct apmu_dev *dev)
{
	for (unsigned w = 0; w < dev->n && !dev->bad; w++) {
		uint64_t one = least(dev, w, SHORT), two = least(dev, w, 2 * SHORT);

		if (!dev->bad)
			dev->config->slots[w].cost = (int32_t)(2 * one - two);
	}
	if (dev->bad)
		apmu_driver__dev_halt(dev);
	else
		apmu_driver__dev_fail(dev, apmu_dev_clear(dev));
}

int apmu_dev_calibrate(struct apmu_dev *dev)
{
	if (!dev->loaded || dev->running || dev->rounds > 1)
		return dev->loaded ? APMU_EBUSY : APMU_EINVAL;
	return apmu_driver__locked(dev, calibrate);
}
