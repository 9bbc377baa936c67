/* SPDX-License-Identifier: MIT */
/* Functions that all families share. */
#include "driver/device.h"

uint64_t apmu_driver__counter_get(struct apmu_dev *dev, unsigned i)
{
	return apmu_driver__dev_get(dev, APMU_DRIVER__REG(APMU_DEV_COUNTER, i));
}

void apmu_driver__counter_put(struct apmu_dev *dev, unsigned i, uint64_t value)
{
	apmu_driver__dev_set(dev, APMU_DRIVER__REG(APMU_DEV_COUNTER, i), value);
}
