/* SPDX-License-Identifier: MIT */
/* The backend's functions, as the rest of the driver calls them. */
#include "device.h"

int apmu__dev_read(const struct apmu_dev *dev, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	return dev->backend->read(dev->ctx, reg, n, value);
}

int apmu__dev_write(const struct apmu_dev *dev, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	return dev->backend->write(dev->ctx, reg, n, value);
}

int apmu__dev_put(const struct apmu_dev *dev, enum apmu_dev_reg reg, uint64_t value)
{
	int bad = dev->backend->write(dev->ctx, reg, 0, value);

	if (dev->backend->sync)
		dev->backend->sync(dev->ctx);
	return bad;
}

unsigned apmu__lock(const struct apmu_dev *dev)
{
	return dev->backend->lock && dev->config->el ? dev->backend->lock(dev->ctx) : 0;
}

void apmu__unlock(const struct apmu_dev *dev, unsigned state)
{
	if (dev->backend->unlock && dev->config->el)
		dev->backend->unlock(dev->ctx, state);
}
