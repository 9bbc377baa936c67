/* SPDX-License-Identifier: MIT */
/* Armv7 and PMUv3: PMCR, an enable, a flag and an interrupt enable a counter, each set and cleared by writing
 * 1. Where some counters belong to somebody else, E stays as it is and the enables start and stop ours. */
#include "device.h"

#define E   0x01u
#define P_C 0x06u
#define LC  0x40u
#define LP  0x80u

static bool shared(const struct apmu_dev *dev)
{
	return dev->config->reserved != 0;
}

/* Interrupt enables are Undefined at EL0. */
static bool reaches_inten(const struct apmu_dev *dev)
{
	return dev->config->el > 0;
}

static int clear_enables(struct apmu_dev *dev, apmu_counters which)
{
	int bad = apmu__dev_put(dev, APMU_DEV_ENABLE_CLEAR, which);

	return bad || !reaches_inten(dev) ? bad : apmu__dev_write(dev, APMU_DEV_INTEN_CLEAR, 0, which);
}

static int restore(struct apmu_dev *dev, const struct apmu_was *was)
{
	int bad = clear_enables(dev, dev->has.counters & ~(apmu_counters)was->enable);

	if (!bad && !shared(dev))
		bad = apmu__dev_write(dev, APMU_DEV_CONTROL, 0, was->control & ~(uint64_t)E);
	if (!bad)
		bad = apmu__dev_write(dev, APMU_DEV_ENABLE_SET, 0, was->enable);
	if (!bad && reaches_inten(dev))
		bad = apmu__dev_write(dev, APMU_DEV_INTEN_SET, 0, was->inten);
	return bad;
}

static int quiet(struct apmu_dev *dev, struct apmu_was *was)
{
	apmu_counters ours = dev->has.counters;
	int bad = apmu__dev_read(dev, APMU_DEV_CONTROL, 0, &was->control);

	if (!bad)
		bad = apmu__dev_read(dev, APMU_DEV_ENABLE_SET, 0, &was->enable);
	if (!bad && reaches_inten(dev))
		bad = apmu__dev_read(dev, APMU_DEV_INTEN_SET, 0, &was->inten);
	if (bad)
		return bad;
	was->control &= ~(uint64_t)P_C;
	was->enable &= ours;
	was->inten &= ours;
	/* D, DP and X are 0: every cycle counts, everywhere, and nothing is exported. */
	dev->control = (apmu__in(dev->has.wide, 31) ? LC : 0u) | (apmu__in(dev->has.wide, 0) ? LP : 0u);
	bad = shared(dev) ? APMU_OK : apmu__dev_put(dev, APMU_DEV_CONTROL, dev->control);
	if (!bad)
		bad = clear_enables(dev, ours);
	if (bad)
		restore(dev, was);
	return bad;
}

/* Has the counter a type register that we may look at? The cycle counter's is there only with filters. */
static bool typed(const struct apmu_dev *dev, unsigned i)
{
	return i < 31 || dev->has.cycle_filters;
}

static int type_get(struct apmu_dev *dev, unsigned i, uint64_t *type)
{
	*type = 0;
	return typed(dev, i) ? apmu__dev_read(dev, APMU_DEV_TYPE, i, type) : APMU_OK;
}

static int type_put(struct apmu_dev *dev, unsigned i, uint64_t type)
{
	return typed(dev, i) ? apmu__dev_write(dev, APMU_DEV_TYPE, i, type) : APMU_OK;
}

static int get(struct apmu_dev *dev, unsigned i, uint64_t *value)
{
	return apmu__dev_read(dev, APMU_DEV_COUNTER, i, value);
}

static int put(struct apmu_dev *dev, unsigned i, uint64_t value)
{
	return apmu__dev_write(dev, APMU_DEV_COUNTER, i, value);
}

static int arm(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	int bad = clear_enables(dev, dev->has.counters & ~on);

	if (!bad && !shared(dev))
		bad = apmu__dev_write(dev, APMU_DEV_ENABLE_SET, 0, on);
	if (!bad)
		bad = apmu__dev_write(dev, APMU_DEV_FLAGS, 0, dev->has.counters);
	if (!bad && reaches_inten(dev) && inten)
		bad = apmu__dev_write(dev, APMU_DEV_INTEN_SET, 0, inten);
	return bad;
}

static int start(struct apmu_dev *dev)
{
	return shared(dev) ? apmu__dev_put(dev, APMU_DEV_ENABLE_SET, dev->on)
			   : apmu__dev_put(dev, APMU_DEV_CONTROL, dev->control | E);
}

static int stop(struct apmu_dev *dev)
{
	return shared(dev) ? apmu__dev_put(dev, APMU_DEV_ENABLE_CLEAR, dev->on)
			   : apmu__dev_put(dev, APMU_DEV_CONTROL, dev->control);
}

static int flags(struct apmu_dev *dev, apmu_counters *out)
{
	uint64_t all = 0;
	int bad = apmu__dev_read(dev, APMU_DEV_FLAGS, 0, &all);

	*out = (apmu_counters)all;
	return bad;
}

static int ack(struct apmu_dev *dev, apmu_counters which)
{
	return apmu__dev_write(dev, APMU_DEV_FLAGS, 0, which & dev->has.counters);
}

static int hold(struct apmu_dev *dev, apmu_counters counters)
{
	return apmu__dev_put(dev, APMU_DEV_ENABLE_CLEAR, counters);
}

static int go(struct apmu_dev *dev, apmu_counters counters)
{
	if (shared(dev) && !dev->running)
		return APMU_OK;
	return apmu__dev_put(dev, APMU_DEV_ENABLE_SET, counters);
}

const struct apmu_family apmu_family_ranged = {
	.name = "ranged",
	.probe = apmu__probe_ranged,
	.quiet = quiet,
	.restore = restore,
	.type_get = type_get,
	.type_put = type_put,
	.get = get,
	.put = put,
	.arm = arm,
	.start = start,
	.stop = stop,
	.flags = flags,
	.ack = ack,
	.hold = hold,
	.go = go,
};
