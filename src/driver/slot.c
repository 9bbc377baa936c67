/* SPDX-License-Identifier: MIT */
/* A want on its counter: what it has counted, and what the counter must be written with. */
#include "driver/device.h"

struct apmu_dev_slot *apmu_driver__slot(const struct apmu_dev *dev, unsigned i)
{
	return i < dev->n ? &dev->config->slots[i] : (struct apmu_dev_slot *)&dev->own;
}

bool apmu_driver__active(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	return slot->counter != APMU_DRIVER__NO_COUNTER &&
	       (slot->round == APMU_DRIVER__ALWAYS || slot->round == dev->round);
}

struct apmu_dev_slot *apmu_driver__next(const struct apmu_dev *dev, unsigned *i)
{
	while (*i <= dev->n) {
		struct apmu_dev_slot *slot = apmu_driver__slot(dev, (*i)++);

		if (apmu_driver__active(dev, slot))
			return slot;
	}
	return NULL;
}

apmu_counters apmu_driver__counters_of(const struct apmu_dev_slot *slot)
{
	return apmu_driver__one(slot->counter) | apmu_driver__one(apmu_driver__flag_of(slot));
}

bool apmu_driver__flagged(const struct apmu_dev_slot *slot, apmu_counters flags)
{
	return apmu_driver__in(flags, apmu_driver__flag_of(slot));
}

/* Bits that the counter does not have are masked, whatever they read. */
uint64_t apmu_driver__slot_get(struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	uint64_t low, high, again;

	if (!(slot->flags & APMU_DRIVER__CHAINED))
		return dev->family->get(dev, slot->counter) & apmu_driver__most(slot->bits);
	high = dev->family->get(dev, slot->counter + 1u);
	do {
		again = high;
		low = dev->family->get(dev, slot->counter);
		high = dev->family->get(dev, slot->counter + 1u);
	} while (high != again);
	return (uint32_t)low | high << 32;
}

/* Without a flag the counter has not reached its `last` again, so the difference is what it gained. With a
 * flag it wrapped once: if it is at `last` or above, it gained 2^32 more. Where flags can get lost a wrap
 * shows by itself, because the counter had less than half its range to go (apmu_driver__slot_reload). */
uint64_t apmu_driver__slot_gain(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
				apmu_counters flags)
{
	uint64_t gain = (now - slot->last) & apmu_driver__most(slot->bits);

	if (apmu_driver__flagged(slot, flags) && slot->bits == 32 && !dev->has.vague && now >= slot->last)
		gain += 1ull << 32;
	return gain;
}

/* `now` was read before the flags: without a flag the counter had not wrapped at `now`. With a flag and `now`
 * at `last` or above, the wrap may have come after `now`: a second read decides. */
uint64_t apmu_driver__slot_total(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
				 apmu_counters flags)
{
	if (apmu_driver__flagged(slot, flags) && now >= slot->last)
		now = apmu_driver__slot_get(dev, slot);
	return slot->base + apmu_driver__slot_gain(dev, slot, now, flags);
}

bool apmu_driver__slot_reloads(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	return slot->left != APMU_DRIVER__NEVER || (dev->has.vague && slot->bits == 32);
}

void apmu_driver__slot_reload(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	uint32_t most = !dev->has.vague                       ? UINT32_MAX
			: slot->counter == APMU_CYCLE_COUNTER ? (uint32_t)APMU_DRIVER__WATCH
							      : (uint32_t)APMU_DRIVER__HALF;
	uint64_t last = 0 - slot->left;

	if (!apmu_driver__slot_reloads(dev, slot))
		last = 0;
	else if (slot->bits == 32)
		last = (uint32_t)(slot->left < most ? last : 0 - most);
	slot->last = last;
	if (slot->flags & APMU_DRIVER__CHAINED) {
		dev->family->put(dev, slot->counter + 1u, last >> 32);
		last = (uint32_t)last;
	}
	dev->family->put(dev, slot->counter, last);
}

/* Marsaglia's xorshift, which is random enough for jitter. */
static uint32_t draw(struct apmu_dev *dev)
{
	dev->random ^= dev->random << 13;
	dev->random ^= dev->random >> 17;
	dev->random ^= dev->random << 5;
	return dev->random;
}

uint32_t apmu_driver__spread(const struct apmu_want *want)
{
	uint32_t period = want->period < INT32_MAX ? (uint32_t)want->period : INT32_MAX;

	return (uint32_t)((uint64_t)period * want->jitter >> 8);
}

uint64_t apmu_driver__slot_period(struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	uint32_t spread = apmu_driver__spread(&slot->want);

	if (slot->flags & APMU_DRIVER__TURNS)
		return dev->config->turn_cycles;
	if (!slot->want.period || (slot->flags & APMU_DRIVER__THROTTLED))
		return APMU_DRIVER__NEVER;
	return slot->want.period - spread + ((uint64_t)draw(dev) * (2 * spread + 1) >> 32);
}
