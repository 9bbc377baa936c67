/* SPDX-License-Identifier: MIT */
/* ARM11 and XScale with two counters: one control register, PMNC, holds selectors, flags, interrupt enables
 * and E. Every write of it is also an acknowledgement of the flags written as 1 (arm11.md 3.2,
 * xscale.md 2.3), so a value that was read never goes back: writes are made from dev->control, whose flag
 * bits are 0. */
#include "device.h"

#define E      0x001u
#define P_C    0x006u
#define INTEN  0x070u
#define FLAGS  0x700u
#define CYCLES 31
#define EVENTS 2

/* Counter masks (bits 0, 1, 31) as three bits of PMNC, and back. */
static uint32_t packed(apmu_counters counters)
{
	return (uint32_t)(counters & 3) | (uint32_t)(counters >> 29 & 4);
}

static apmu_counters unpacked(uint64_t bits)
{
	return (apmu_counters)(bits & 3) | (apmu_counters)(bits & 4) << 29;
}

static int write_control(struct apmu_dev *dev, uint64_t extra)
{
	return apmu__dev_put(dev, APMU_DEV_CONTROL, dev->control | extra);
}

static int probe(struct apmu_dev *dev)
{
	uint64_t control;
	int bad = apmu__dev_read(dev, APMU_DEV_CONTROL, 0, &control);

	dev->has.counters = apmu__one(CYCLES) | ((1u << EVENTS) - 1);
	dev->has.event_mask = 0xFF;
	dev->has.holdoff = dev->family->holdoff;
	if (dev->has.known && (dev->config->core->features >> APMU_FEATURE_TRUSTZONE & 1))
		dev->has.user = APMU_USER_ALL;
	return bad;
}

static int restore(struct apmu_dev *dev, const struct apmu_was *was)
{
	return apmu__dev_write(dev, APMU_DEV_CONTROL, 0, was->control & ~(uint64_t)E);
}

static int quiet(struct apmu_dev *dev, struct apmu_was *was)
{
	int bad = apmu__dev_read(dev, APMU_DEV_CONTROL, 0, &was->control);

	if (bad)
		return bad;
	was->control &= ~(uint64_t)(FLAGS | P_C);
	dev->control = was->control & (0xFFull << dev->family->select[0] | 0xFFull << dev->family->select[1]);
	bad = write_control(dev, 0);
	if (bad)
		restore(dev, was);
	return bad;
}

static int type_get(struct apmu_dev *dev, unsigned i, uint64_t *type)
{
	*type = i < EVENTS ? dev->control >> dev->family->select[i] & 0xFF : 0;
	return APMU_OK;
}

static int type_put(struct apmu_dev *dev, unsigned i, uint64_t type)
{
	if (i < EVENTS)
		dev->control =
			apmu__put(dev->control, dev->family->select[i] + 7u, dev->family->select[i], type);
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

/* There is no enable for each: a counter that is not wanted counts the event that never happens. */
static int arm(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	for (unsigned i = 0; i < EVENTS; i++)
		if (!apmu__in(on, i))
			type_put(dev, i, dev->family->off);
	dev->control = (dev->control & ~(uint64_t)INTEN) | packed(inten) << 4;
	return write_control(dev, FLAGS);
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
	uint64_t control;
	int bad = apmu__dev_read(dev, APMU_DEV_CONTROL, 0, &control);

	*out = bad ? 0 : unpacked(control >> 8 & 7);
	return bad;
}

static const uint8_t all[] = {0, 1, CYCLES};

static int get_all(struct apmu_dev *dev, uint64_t value[3])
{
	int bad = APMU_OK;

	for (unsigned k = 0; k < 3 && !bad; k++)
		bad = get(dev, all[k], &value[k]);
	return bad;
}

static int put_all(struct apmu_dev *dev, const uint64_t value[3])
{
	int bad = APMU_OK;

	for (unsigned k = 0; k < 3 && !bad; k++)
		bad = put(dev, all[k], value[k]);
	return bad;
}

/* With E clear an acknowledgement leaves ARM11's request up (arm11.md 3.3). So: a moment with E set and the
 * interrupt enables clear, after which the counters get back what they read before and flags of that moment
 * go; a flag that came since `which` was read stays. The first write is for a handler that comes between a
 * stop's decision and its write. */
static int pulse(struct apmu_dev *dev, apmu_counters which)
{
	uint64_t value[3];
	apmu_counters before = 0;
	int bad = write_control(dev, 0);

	if (!bad)
		bad = flags(dev, &before);
	if (!bad)
		bad = get_all(dev, value);
	if (!bad)
		bad = apmu__dev_write(dev, APMU_DEV_CONTROL, 0,
				      (dev->control & ~(uint64_t)INTEN) | packed(which) << 8 | E);
	if (!bad)
		bad = write_control(dev, FLAGS & ~(packed(before & ~which) << 8));
	return bad ? bad : put_all(dev, value);
}

static int ack(struct apmu_dev *dev, apmu_counters which)
{
	if (dev->running)
		return write_control(dev, packed(which) << 8 | E);
	return dev->family->latched && dev->config->interrupt ? pulse(dev, which)
							      : write_control(dev, packed(which) << 8);
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

#define OPERATIONS                                                                                      \
	.probe = probe, .quiet = quiet, .restore = restore, .type_get = type_get, .type_put = type_put, \
	.get = get, .put = put, .arm = arm, .start = start, .stop = stop, .flags = flags, .ack = ack,   \
	.hold = hold, .go = go

const struct apmu_family apmu_family_arm11 = {
	.name = "arm11", .select = {20, 12}, .off = 0x20, .holdoff = 3, .latched = true, OPERATIONS};

const struct apmu_family apmu_family_xscale1 = {
	.name = "xscale1", .select = {12, 20}, .off = 0xFF, OPERATIONS};
