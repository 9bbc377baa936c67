/* SPDX-License-Identifier: MIT */
/* XScale with four counters: EVTSEL, INTEN and FLAG stand beside PMNC (xscale.md 3.1). EVTSEL changes only
 * while PMNC.E is clear. Bit 0 of INTEN and FLAG is the cycle counter, bits 4:1 are the event counters. */
#include "device.h"

#define E      0x1u
#define ALL    0x1Fu
#define CYCLES 31
#define EVENTS 4

static uint64_t packed(apmu_counters counters)
{
	return (counters & apmu__ones(EVENTS)) << 1 | (counters >> CYCLES & 1);
}

static apmu_counters unpacked(uint64_t bits)
{
	return (apmu_counters)(bits >> 1 & apmu__ones(EVENTS)) | (apmu_counters)(bits & 1) << CYCLES;
}

static int write_control(struct apmu_dev *dev, uint64_t value)
{
	return apmu__dev_put(dev, APMU_DEV_CONTROL, value);
}

static int probe(struct apmu_dev *dev)
{
	uint64_t control;

	dev->has.counters = apmu__one(CYCLES) | ((1u << EVENTS) - 1);
	dev->has.event_mask = 0xFF;
	return apmu__dev_read(dev, APMU_DEV_CONTROL, 0, &control);
}

static int restore(struct apmu_dev *dev, const struct apmu_was *was)
{
	int bad = write_control(dev, was->control);

	if (!bad)
		bad = apmu__dev_write(dev, APMU_DEV_TYPE, 0, was->select);
	return bad ? bad : apmu__dev_write(dev, APMU_DEV_INTEN_SET, 0, was->inten);
}

static int quiet(struct apmu_dev *dev, struct apmu_was *was)
{
	int bad = apmu__dev_read(dev, APMU_DEV_CONTROL, 0, &was->control);

	if (!bad)
		bad = apmu__dev_read(dev, APMU_DEV_INTEN_SET, 0, &was->inten);
	if (!bad)
		bad = apmu__dev_read(dev, APMU_DEV_TYPE, 0, &was->select);
	if (bad)
		return bad;
	was->control &= 0x8; /* D; C, P and the ID are not for writing back */
	was->inten &= ALL;
	dev->types = was->select;
	bad = write_control(dev, 0);
	if (!bad)
		bad = apmu__dev_write(dev, APMU_DEV_INTEN_SET, 0, 0);
	if (bad)
		restore(dev, was);
	return bad;
}

static int type_get(struct apmu_dev *dev, unsigned i, uint64_t *type)
{
	*type = i < EVENTS ? dev->types >> 8 * i & 0xFF : 0;
	return APMU_OK;
}

static int type_put(struct apmu_dev *dev, unsigned i, uint64_t type)
{
	if (i < EVENTS)
		dev->types = apmu__put(dev->types, 8 * i + 7, 8 * i, type);
	return APMU_OK;
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
	int bad;

	for (unsigned i = 0; i < EVENTS; i++)
		if (!apmu__in(on, i))
			type_put(dev, i, dev->family->off);
	bad = apmu__dev_write(dev, APMU_DEV_TYPE, 0, dev->types);
	if (!bad)
		bad = apmu__dev_write(dev, APMU_DEV_FLAGS, 0, ALL);
	return bad ? bad : apmu__dev_write(dev, APMU_DEV_INTEN_SET, 0, packed(inten));
}

static int start(struct apmu_dev *dev)
{
	return write_control(dev, E);
}

static int stop(struct apmu_dev *dev)
{
	return write_control(dev, 0);
}

static int flags(struct apmu_dev *dev, apmu_counters *out)
{
	uint64_t bits;
	int bad = apmu__dev_read(dev, APMU_DEV_FLAGS, 0, &bits);

	*out = bad ? 0 : unpacked(bits & ALL);
	return bad;
}

static int ack(struct apmu_dev *dev, apmu_counters which)
{
	return apmu__dev_write(dev, APMU_DEV_FLAGS, 0, packed(which));
}

static int hold(struct apmu_dev *dev, apmu_counters counters)
{
	(void)counters;
	return write_control(dev, 0);
}

static int go(struct apmu_dev *dev, apmu_counters counters)
{
	(void)counters;
	return dev->running ? write_control(dev, E) : APMU_OK;
}

const struct apmu_family apmu_family_xscale2 = {
	.name = "xscale2",
	.off = 0xFF,
	.probe = probe,
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
