/* SPDX-License-Identifier: MIT */
/* Register access through the backend's functions, with the first failure kept in dev->bad. */
#include "driver/device.h"

void apmu_driver__dev_fail(struct apmu_dev *dev, int bad)
{
	if (!dev->bad)
		dev->bad = bad;
}

int apmu_driver__dev_end(struct apmu_dev *dev)
{
	int bad = dev->bad;

	dev->bad = APMU_OK;
	return bad;
}

int apmu_driver__dev_ask(const struct apmu_dev *dev, unsigned what, uint64_t *value)
{
	*value = 0;
	return dev->backend->read(dev->ctx, (enum apmu_dev_reg)(what & 0xFF), what >> 8, value);
}

uint64_t apmu_driver__dev_get(struct apmu_dev *dev, unsigned what)
{
	uint64_t value = 0;

	if (!dev->bad)
		dev->bad = apmu_driver__dev_ask(dev, what, &value);
	return dev->bad ? 0 : value;
}

void apmu_driver__dev_set(struct apmu_dev *dev, unsigned what, uint64_t value)
{
	if (!dev->bad)
		dev->bad = dev->backend->write(dev->ctx, (enum apmu_dev_reg)(what & 0xFF), what >> 8, value);
}

void apmu_driver__dev_set_sync(struct apmu_dev *dev, unsigned what, uint64_t value)
{
	apmu_driver__dev_set(dev, what, value);
	if (dev->backend->sync)
		dev->backend->sync(dev->ctx);
}

void apmu_driver__restore_failed(struct apmu_dev *dev, const struct apmu_was *was)
{
	int bad = apmu_driver__dev_end(dev);

	dev->family->restore(dev, was);
	dev->bad = bad;
}

unsigned apmu_driver__lock(const struct apmu_dev *dev)
{
	return dev->backend->lock && dev->config->el ? dev->backend->lock(dev->ctx) : 0;
}

void apmu_driver__unlock(const struct apmu_dev *dev, unsigned state)
{
	if (dev->backend->unlock && dev->config->el)
		dev->backend->unlock(dev->ctx, state);
}

int apmu_driver__locked(struct apmu_dev *dev, void (*work)(struct apmu_dev *dev))
{
	unsigned state = apmu_driver__lock(dev);
	int bad;

	work(dev);
	bad = apmu_driver__dev_end(dev);
	apmu_driver__unlock(dev, state);
	return bad;
}
