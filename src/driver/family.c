/* SPDX-License-Identifier: MIT */
/* What families have in common. */
#include "driver/device.h"

uint64_t apmu__counter_get(struct apmu_dev *dev, unsigned i)
{
	return apmu__dev_get(dev, APMU__REG(APMU_DEV_COUNTER, i));
}

void apmu__counter_put(struct apmu_dev *dev, unsigned i, uint64_t value)
{
	apmu__dev_set(dev, APMU__REG(APMU_DEV_COUNTER, i), value);
}
