/* SPDX-License-Identifier: MIT */
/* Armv7 and PMUv3: PMCR, and per counter an enable, a flag and an interrupt enable, each set and cleared by
 * writing a 1. If some counters belong to another user, E stays as it is, and the enables start and stop the
 * driver's counters. */
#include "driver/device.h"

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

/* Clears the enables of all counters but those in `on`, and the interrupt enables of all but those in
 * `inten`. */
static void clear_enables(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	apmu_driver__dev_set_sync(dev, APMU_DEV_ENABLE_CLEAR, dev->has.counters & ~on);
	if (reaches_inten(dev))
		apmu_driver__dev_set(dev, APMU_DEV_INTEN_CLEAR, dev->has.counters & ~inten);
}

static void save(struct apmu_dev *dev, struct apmu_was *was)
{
	was->control = apmu_driver__dev_get(dev, APMU_DEV_CONTROL) & ~(uint64_t)P_C;
	was->enable = apmu_driver__dev_get(dev, APMU_DEV_ENABLE_SET) & dev->has.counters;
	if (reaches_inten(dev))
		was->inten = apmu_driver__dev_get(dev, APMU_DEV_INTEN_SET) & dev->has.counters;
}

static void restore(struct apmu_dev *dev, const struct apmu_was *was)
{
	clear_enables(dev, (apmu_counters)was->enable, (apmu_counters)was->inten);
	if (!shared(dev))
		apmu_driver__dev_set(dev, APMU_DEV_CONTROL, was->control & ~(uint64_t)E);
	apmu_driver__dev_set(dev, APMU_DEV_ENABLE_SET, was->enable);
	if (reaches_inten(dev))
		apmu_driver__dev_set(dev, APMU_DEV_INTEN_SET, was->inten);
}

static void quiet(struct apmu_dev *dev)
{
	/* D, DP and X are 0: every cycle counts, everywhere, and nothing is exported. */
	dev->control = (apmu_driver__in(dev->has.wide, 31) ? LC : 0u) |
		       (apmu_driver__in(dev->has.wide, 0) ? LP : 0u);
	if (!shared(dev))
		apmu_driver__dev_set_sync(dev, APMU_DEV_CONTROL, dev->control);
	clear_enables(dev, 0, 0);
}

/* True if the counter has a type register that may be read. The cycle counter has one only with filters. */
static bool typed(const struct apmu_dev *dev, unsigned i)
{
	return i < 31 || dev->has.cycle_filters;
}

static uint64_t type_get(struct apmu_dev *dev, unsigned i)
{
	return typed(dev, i) ? apmu_driver__dev_get(dev, APMU_DRIVER__REG(APMU_DEV_TYPE, i)) : 0;
}

static void type_put(struct apmu_dev *dev, unsigned i, uint64_t type)
{
	if (typed(dev, i))
		apmu_driver__dev_set(dev, APMU_DRIVER__REG(APMU_DEV_TYPE, i), type);
}

static void arm(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	clear_enables(dev, on, inten);
	if (!shared(dev))
		apmu_driver__dev_set(dev, APMU_DEV_ENABLE_SET, on);
	apmu_driver__dev_set(dev, APMU_DEV_FLAGS, dev->has.counters);
	if (reaches_inten(dev))
		apmu_driver__dev_set(dev, APMU_DEV_INTEN_SET, inten);
}

static void start(struct apmu_dev *dev)
{
	if (shared(dev))
		apmu_driver__dev_set_sync(dev, APMU_DEV_ENABLE_SET, dev->on);
	else
		apmu_driver__dev_set_sync(dev, APMU_DEV_CONTROL, dev->control | E);
}

static void stop(struct apmu_dev *dev)
{
	if (shared(dev))
		apmu_driver__dev_set_sync(dev, APMU_DEV_ENABLE_CLEAR, dev->on);
	else
		apmu_driver__dev_set_sync(dev, APMU_DEV_CONTROL, dev->control);
}

static apmu_counters flags(struct apmu_dev *dev)
{
	return (apmu_counters)apmu_driver__dev_get(dev, APMU_DEV_FLAGS);
}

static void ack(struct apmu_dev *dev, apmu_counters which)
{
	apmu_driver__dev_set(dev, APMU_DEV_FLAGS, which & dev->has.counters);
}

static void hold(struct apmu_dev *dev, apmu_counters counters)
{
	apmu_driver__dev_set_sync(dev, APMU_DEV_ENABLE_CLEAR, counters);
}

static void go(struct apmu_dev *dev, apmu_counters counters)
{
	if (!shared(dev) || dev->running)
		apmu_driver__dev_set_sync(dev, APMU_DEV_ENABLE_SET, counters);
}

const struct apmu_family apmu_family_ranged = {
	.name = "ranged",
	.architected = true,
	.probe = apmu_driver__probe_ranged,
	.save = save,
	.quiet = quiet,
	.restore = restore,
	.type_get = type_get,
	.type_put = type_put,
	.get = apmu_driver__counter_get,
	.put = apmu_driver__counter_put,
	.arm = arm,
	.start = start,
	.stop = stop,
	.flags = flags,
	.ack = ack,
	.hold = hold,
	.go = go,
};
