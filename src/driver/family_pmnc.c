/* SPDX-License-Identifier: MIT */
/* ARM11 and XScale with two counters: one control register, PMNC, holds selectors, flags, interrupt enables
 * and E. Every write of PMNC also acknowledges the flags written as 1 (DDI0211K table 3.138, XSCALE 8.2.4),
 * so a value that was read is never written back: writes are made from dev->control and dev->types, whose
 * flag bits are 0. */
#include "driver/device.h"

#define E      0x001u
#define P_C    0x006u
#define INTEN  0x070u
#define FLAGS  0x700u
#define EVENTS 2

/* Converts counter masks (bits 0, 1, 31) to three bits of PMNC, and back. */
static uint32_t packed(apmu_counters counters)
{
	return (uint32_t)(counters & 3) | (uint32_t)(counters >> 29 & 4);
}

static apmu_counters unpacked(uint64_t bits)
{
	return (apmu_counters)(bits & 3) | (apmu_counters)(bits & 4) << 29;
}

static void write_control(struct apmu_dev *dev, uint64_t extra)
{
	apmu_driver__dev_set_sync(dev, APMU_DEV_CONTROL, dev->control | dev->types | extra);
}

static void save(struct apmu_dev *dev, struct apmu_was *was)
{
	was->control = apmu_driver__dev_get(dev, APMU_DEV_CONTROL) & ~(uint64_t)(FLAGS | P_C);
	dev->types = was->control & (0xFFull << dev->family->select[0] | 0xFFull << dev->family->select[1]);
}

static void restore(struct apmu_dev *dev, const struct apmu_was *was)
{
	apmu_driver__dev_set(dev, APMU_DEV_CONTROL, was->control & ~(uint64_t)E);
}

static void arm(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	apmu_driver__selectors_park(dev, on);
	dev->control = packed(inten) << 4;
	write_control(dev, FLAGS);
}

static void start(struct apmu_dev *dev)
{
	write_control(dev, E);
}

static void stop(struct apmu_dev *dev)
{
	write_control(dev, 0);
}

static apmu_counters flags(struct apmu_dev *dev)
{
	return unpacked(apmu_driver__dev_get(dev, APMU_DEV_CONTROL) >> 8 & 7);
}

/* A write that must not be omitted: tried a second time if it fails. */
static void insist(struct apmu_dev *dev, unsigned what, uint64_t value)
{
	int bad = apmu_driver__dev_end(dev), again;

	apmu_driver__dev_set_sync(dev, what, value);
	again = apmu_driver__dev_end(dev);
	if (again)
		apmu_driver__dev_set_sync(dev, what, value);
	dev->bad = bad ? bad : again;
}

/* While E is clear an acknowledgement does not clear ARM11's request (AN195 2). So E is set for a moment
 * with the interrupt enables clear; then the counters are restored to what they read before, and flags of
 * that moment are cleared. A flag that was set after `which` was read stays. The first write is needed if a
 * handler comes between the decision to stop and its write. */
static void pulse(struct apmu_dev *dev, apmu_counters which)
{
	static const uint8_t all[] = {0, 1, APMU_CYCLE_COUNTER};
	uint64_t value[sizeof(all)];
	apmu_counters before;

	write_control(dev, 0);
	before = flags(dev);
	for (unsigned k = 0; k < sizeof(all); k++)
		value[k] = apmu_driver__counter_get(dev, all[k]);
	if (dev->bad)
		return;
	apmu_driver__dev_set(dev, APMU_DEV_CONTROL, dev->types | packed(which) << 8 | E);
	insist(dev, APMU_DEV_CONTROL, dev->control | dev->types | (FLAGS & ~(packed(before & ~which) << 8)));
	for (unsigned k = 0; k < sizeof(all); k++)
		insist(dev, APMU_DRIVER__REG(APMU_DEV_COUNTER, all[k]), value[k]);
}

static bool pulses(const struct apmu_dev *dev)
{
	return dev->family->latched && dev->config->interrupt;
}

/* A request from before stays up on ARM11 if E is cleared alone. */
static void quiet(struct apmu_dev *dev)
{
	dev->control = 0;
	if (pulses(dev))
		pulse(dev, 0);
	else
		write_control(dev, 0);
}

static void ack(struct apmu_dev *dev, apmu_counters which)
{
	if (!dev->running && pulses(dev))
		pulse(dev, which);
	else
		write_control(dev, packed(which) << 8 | (dev->running ? E : 0u));
}

#define OPERATIONS                                                                                          \
	.events = EVENTS, .probe = apmu_driver__probe_packed, .save = save, .quiet = quiet,                 \
	.restore = restore, .type_get = apmu_driver__selector_get, .type_put = apmu_driver__selector_put,   \
	.get = apmu_driver__counter_get, .put = apmu_driver__counter_put, .arm = arm, .start = start,       \
	.stop = stop, .flags = flags, .ack = ack, .hold = apmu_driver__hold_all, .go = apmu_driver__go_all, \
	.cycle_event = apmu_driver__cycle_event

const struct apmu_family apmu_family_arm11 = {
	.name = "arm11", .select = {20, 12}, .off = 0x20, .holdoff = 3, .latched = true, OPERATIONS};

const struct apmu_family apmu_family_xscale1 = {
	.name = "xscale1", .select = {12, 20}, .off = 0xFF, OPERATIONS};
