/* SPDX-License-Identifier: MIT */
/* Starting, stopping and reading. */
#include "device.h"

int apmu_dev_start(struct apmu_dev *dev)
{
	if (!dev->loaded)
		return APMU_EINVAL;
	if (dev->running)
		return APMU_OK;
	apmu__time_start(dev);
	dev->running = true;
	if (dev->family->start(dev)) {
		dev->family->stop(dev);
		dev->running = false;
		return APMU_EIO;
	}
	return APMU_OK;
}

int apmu_dev_stop(struct apmu_dev *dev)
{
	if (!dev->loaded)
		return APMU_EINVAL;
	if (!dev->running)
		return APMU_OK;
	dev->running = false;
	apmu__time_stop(dev);
	return dev->family->stop(dev);
}

static bool flags_matter(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	return apmu__active(dev, slot) && slot->bits == 32 && !dev->has.vague;
}

/* Counters first, flags second: slot.c says why. `first` is the want of out[0]. */
static int read_all(struct apmu_dev *dev, unsigned first, struct apmu_count *out, size_t n,
		    apmu_counters *flags)
{
	bool matter = false;
	int bad = APMU_OK;

	for (size_t k = 0; k < n && !bad; k++) {
		const struct apmu_dev_slot *slot = &dev->config->slots[first + k];

		matter = matter || flags_matter(dev, slot);
		if (apmu__active(dev, slot))
			bad = apmu__slot_get(dev, slot, &out[k].value);
	}
	if (!bad && matter)
		bad = dev->family->flags(dev, flags);
	for (size_t k = 0; k < n && !bad; k++) {
		const struct apmu_dev_slot *slot = &dev->config->slots[first + k];

		if (apmu__active(dev, slot))
			bad = apmu__slot_total(dev, slot, out[k].value, *flags, &out[k].value);
		else
			out[k].value = slot->base;
	}
	return bad;
}

/* One look; false if a handler came in between. */
static bool look(struct apmu_dev *dev, unsigned first, struct apmu_count *out, size_t n, int *bad)
{
	uint32_t changes = dev->changes;
	apmu_counters flags = 0;
	uint64_t elapsed = 0;

	*bad = apmu__time(dev, &elapsed);
	if (!*bad)
		*bad = read_all(dev, first, out, n, &flags);
	for (size_t k = 0; k < n && !*bad; k++)
		apmu__scale(dev, &dev->config->slots[first + k], elapsed, &out[k]);
	for (size_t k = 0; k < n && !*bad && dev->family->times; k++)
		*bad = apmu__scale_by_kernel(dev, &dev->config->slots[first + k], &out[k]);
	if (changes != dev->changes && !*bad)
		return false;
	/* Without a handler a reader that saw a wrap counts it. */
	if (!*bad && !dev->config->interrupt && (flags & dev->watched))
		*bad = apmu_dev_poll(dev);
	return true;
}

/* Reads what no handler has changed meanwhile. Samples may come faster than a look takes: then without them.
 */
static int read_undisturbed(struct apmu_dev *dev, unsigned first, struct apmu_count *out, size_t n)
{
	unsigned state;
	int bad;

	for (unsigned tries = 0; tries < 3; tries++)
		if (look(dev, first, out, n, &bad))
			return bad;
	state = apmu__lock(dev);
	look(dev, first, out, n, &bad);
	apmu__unlock(dev, state);
	return bad;
}

int apmu_dev_read(struct apmu_dev *dev, struct apmu_count *out, size_t n)
{
	if (!dev->loaded || n > dev->n)
		return APMU_EINVAL;
	return read_undisturbed(dev, 0, out, n);
}

int apmu_dev_read_one(struct apmu_dev *dev, unsigned want, struct apmu_count *out)
{
	if (!dev->loaded || want >= dev->n)
		return APMU_EINVAL;
	return read_undisturbed(dev, want, out, 1);
}

static int clear(struct apmu_dev *dev)
{
	for (unsigned i = 0; i < dev->n; i++) {
		struct apmu_dev_slot *slot = &dev->config->slots[i];
		struct apmu_count count;
		int bad = apmu_dev_read_one(dev, i, &count);

		if (bad)
			return bad;
		slot->base -= count.value;
		slot->turn = slot->running = slot->fast = 0;
		slot->slow = UINT64_MAX;
		slot->flags = (uint8_t)(slot->flags & ~(APMU__LOST | APMU__OMITTED));
	}
	dev->enabled = 0;
	return apmu__turn_restart(dev);
}

int apmu_dev_clear(struct apmu_dev *dev)
{
	unsigned state;
	int bad;

	if (!dev->loaded)
		return APMU_EINVAL;
	state = apmu__lock(dev);
	bad = clear(dev);
	dev->changes++;
	apmu__unlock(dev, state);
	return bad;
}
