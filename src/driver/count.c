/* SPDX-License-Identifier: MIT */
/* Starting, stopping and reading. */
#include "driver/device.h"

void apmu_driver__dev_start(struct apmu_dev *dev)
{
	if (dev->running)
		return;
	dev->begun = dev->running = true;
	apmu_driver__time_toggle(dev);
	dev->family->start(dev);
}

void apmu_driver__dev_stop(struct apmu_dev *dev)
{
	if (!dev->running)
		return;
	apmu_driver__look_at_clock(dev, false);
	dev->running = false;
	apmu_driver__time_toggle(dev);
	dev->family->stop(dev);
}

void apmu_driver__dev_halt(struct apmu_dev *dev)
{
	int bad = apmu_driver__dev_end(dev);

	dev->running = false;
	dev->family->stop(dev);
	dev->bad = bad;
}

int apmu_dev_start(struct apmu_dev *dev)
{
	if (!dev->loaded)
		return APMU_EINVAL;
	apmu_driver__dev_start(dev);
	if (dev->bad)
		apmu_driver__dev_halt(dev);
	return apmu_driver__dev_end(dev);
}

int apmu_dev_stop(struct apmu_dev *dev)
{
	if (!dev->loaded)
		return APMU_EINVAL;
	apmu_driver__dev_stop(dev);
	return apmu_driver__dev_end(dev);
}

/* Reads once; false if a handler ran meanwhile. Counters are read first, flags second: slot.c says why. */
static bool look(struct apmu_dev *dev, unsigned first, struct apmu_count *out, size_t n)
{
	const struct apmu_dev_slot *slot = &dev->config->slots[first];
	uint32_t changes = dev->changes;
	uint64_t elapsed = apmu_driver__time(dev);
	apmu_counters flags = 0;
	bool narrow = false;

	apmu_driver__look_at_clock(dev, false);
	if (dev->family->look)
		dev->family->look(dev);
	for (size_t k = 0; k < n; k++) {
		if (!apmu_driver__active(dev, &slot[k]))
			continue;
		narrow |= slot[k].bits == 32;
		out[k].value = apmu_driver__slot_get(dev, &slot[k]);
	}
	if (narrow && !dev->has.vague)
		flags = dev->family->flags(dev);
	for (size_t k = 0; k < n; k++) {
		if (apmu_driver__active(dev, &slot[k]))
			/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): was read above */
			out[k].value = apmu_driver__slot_total(dev, &slot[k], out[k].value, flags);
		else
			out[k].value = slot[k].base;
		apmu_driver__fill_count(dev, &slot[k], elapsed, &out[k]);
	}
	if (changes != dev->changes && !dev->bad)
		return false;
	/* Without a handler the reader that saw a wrap counts it. */
	if (!dev->bad && !dev->config->interrupt && (flags & dev->watched))
		apmu_driver__dev_fail(dev, apmu_dev_poll(dev));
	return true;
}

/* Repeats a read until no handler ran during it. If samples come faster than a read takes, the last try masks
 * interrupts. */
static int read_undisturbed(struct apmu_dev *dev, unsigned first, struct apmu_count *out, size_t n)
{
	unsigned state;

	if (!dev->loaded || n > dev->n || first > dev->n - n)
		return APMU_EINVAL;
	for (unsigned tries = 0; tries < 3; tries++)
		if (look(dev, first, out, n))
			return apmu_driver__dev_end(dev);
	state = apmu_driver__lock(dev);
	look(dev, first, out, n);
	apmu_driver__unlock(dev, state);
	return apmu_driver__dev_end(dev);
}

int apmu_dev_read(struct apmu_dev *dev, struct apmu_count *out, size_t n)
{
	return read_undisturbed(dev, 0, out, n);
}

int apmu_dev_read_one(struct apmu_dev *dev, unsigned want, struct apmu_count *out)
{
	return read_undisturbed(dev, want, out, 1);
}

static void clear(struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];
		struct apmu_count count;

		apmu_driver__dev_fail(dev, apmu_dev_read_one(dev, i, &count));
		if (dev->bad)
			return;
		/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): the read has not failed */
		slot->base -= count.value;
		if (dev->family->times)
			dev->family->times(dev, slot->counter, NULL);
		slot->turn = slot->running = slot->fast = 0;
		slot->slow = UINT64_MAX;
		slot->flags = (uint8_t)(slot->flags & ~APMU_DRIVER__OMITTED);
	}
	dev->enabled = 0;
	dev->late = false;
	apmu_driver__time_restart(dev);
	dev->changes++;
}

int apmu_dev_clear(struct apmu_dev *dev)
{
	return dev->loaded ? apmu_driver__locked(dev, clear) : APMU_EINVAL;
}
