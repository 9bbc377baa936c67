/* SPDX-License-Identifier: MIT */
/* What start and stop add to a count, measured. A region of n reads costs n * r + c; two lengths give c,
 * which may be negative: on ARM11 the three cycles before the first count (arm11.md 3.1) are missing from it.
 */
#include "device.h"

#define SHORT 4 /* reads; longer than any hold-off */
#define TRIES 3

/* The counts of one region with `reads` in it. */
static int measure(struct apmu_dev *dev, unsigned reads, struct apmu_dev_slot *slot, unsigned w,
		   uint64_t *out)
{
	struct apmu_count count;
	uint64_t scratch;
	int bad = apmu_dev_clear(dev);

	if (!bad)
		bad = apmu_dev_start(dev);
	for (unsigned i = 0; i < reads && !bad; i++)
		bad = apmu__slot_get(dev, slot, &scratch);
	if (!bad)
		bad = apmu_dev_stop(dev);
	if (!bad)
		bad = apmu_dev_read_one(dev, w, &count);
	*out = bad ? 0 : count.value;
	return bad;
}

/* The least of some tries: nothing makes a count too low. */
static int least(struct apmu_dev *dev, unsigned reads, struct apmu_dev_slot *slot, unsigned w, uint64_t *out)
{
	int bad = APMU_OK;

	*out = UINT64_MAX;
	for (unsigned i = 0; i < TRIES && !bad; i++) {
		uint64_t one;

		bad = measure(dev, reads, slot, w, &one);
		if (one < *out)
			*out = one;
	}
	return bad;
}

int apmu_dev_calibrate(struct apmu_dev *dev)
{
	unsigned state;
	int bad = APMU_OK;

	if (!dev->loaded || dev->running || dev->rounds > 1)
		return dev->loaded ? APMU_EBUSY : APMU_EINVAL;
	state = apmu__lock(dev);
	for (unsigned w = 0; w < dev->n && !bad; w++) {
		struct apmu_dev_slot *slot = &dev->config->slots[w];
		uint64_t one, two;

		bad = least(dev, SHORT, slot, w, &one);
		if (!bad)
			bad = least(dev, 2 * SHORT, slot, w, &two);
		if (!bad)
			slot->cost = (int32_t)(2 * one - two);
	}
	if (!bad)
		bad = apmu_dev_clear(dev);
	apmu__unlock(dev, state);
	return bad;
}
