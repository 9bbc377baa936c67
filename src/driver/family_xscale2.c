/* SPDX-License-Identifier: MIT */
/* XScale with four counters: EVTSEL, INTEN and FLAG are registers besides PMNC (IXP42X 3.7). EVTSEL
 * changes only while PMNC.E is clear. Bit 0 of INTEN and FLAG is the cycle counter, bits 4:1 are the event
 * counters. */
#include "driver/device.h"

#define E      0x1u
#define D      0x8u
#define ALL    0x1Fu
#define EVENTS 4

static uint64_t packed(apmu_counters counters)
{
	return (counters & apmu_base__ones(EVENTS)) << 1 | (counters >> APMU_CYCLE_COUNTER & 1);
}

static apmu_counters unpacked(uint64_t bits)
{
	return (apmu_counters)(bits >> 1 & apmu_base__ones(EVENTS)) | (apmu_counters)(bits & 1)
									      << APMU_CYCLE_COUNTER;
}

/* C, P and the ID are not saved: they must not be written back. */
static void save(struct apmu_dev *dev, struct apmu_was *was)
{
	was->control = apmu_driver__dev_get(dev, APMU_DEV_CONTROL) & D;
	was->inten = apmu_driver__dev_get(dev, APMU_DEV_INTEN_SET) & ALL;
	dev->types = was->select = apmu_driver__dev_get(dev, APMU_DEV_TYPE);
}

static void stop(struct apmu_dev *dev)
{
	apmu_driver__dev_set_sync(dev, APMU_DEV_CONTROL, 0);
}

static void quiet(struct apmu_dev *dev)
{
	stop(dev);
	apmu_driver__dev_set(dev, APMU_DEV_INTEN_SET, 0);
}

static void restore(struct apmu_dev *dev, const struct apmu_was *was)
{
	apmu_driver__dev_set_sync(dev, APMU_DEV_CONTROL, was->control);
	apmu_driver__dev_set(dev, APMU_DEV_TYPE, was->select);
	apmu_driver__dev_set(dev, APMU_DEV_INTEN_SET, was->inten);
}

static void arm(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	apmu_driver__selectors_park(dev, on);
	apmu_driver__dev_set(dev, APMU_DEV_TYPE, dev->types);
	apmu_driver__dev_set(dev, APMU_DEV_FLAGS, ALL);
	apmu_driver__dev_set(dev, APMU_DEV_INTEN_SET, packed(inten));
}

static void start(struct apmu_dev *dev)
{
	apmu_driver__dev_set_sync(dev, APMU_DEV_CONTROL, E);
}

static apmu_counters flags(struct apmu_dev *dev)
{
	return unpacked(apmu_driver__dev_get(dev, APMU_DEV_FLAGS) & ALL);
}

static void ack(struct apmu_dev *dev, apmu_counters which)
{
	apmu_driver__dev_set(dev, APMU_DEV_FLAGS, packed(which));
}

const struct apmu_family apmu_family_xscale2 = {
	.name = "xscale2",
	.events = EVENTS,
	.select = {0, 8, 16, 24},
	.off = 0xFF,
	.probe = apmu_driver__probe_packed,
	.save = save,
	.quiet = quiet,
	.restore = restore,
	.type_get = apmu_driver__selector_get,
	.type_put = apmu_driver__selector_put,
	.get = apmu_driver__counter_get,
	.put = apmu_driver__counter_put,
	.arm = arm,
	.start = start,
	.stop = stop,
	.flags = flags,
	.ack = ack,
	.hold = apmu_driver__hold_all,
	.go = apmu_driver__go_all,
	.cycle_event = apmu_driver__cycle_event,
};
