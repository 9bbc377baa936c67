/* SPDX-License-Identifier: MIT */
/* One want on its counter: what it has counted, and what the counter must be written with. */
#include "device.h"

struct apmu_dev_slot *apmu__slot(const struct apmu_dev *dev, unsigned i)
{
	return i < dev->n ? &dev->config->slots[i] : (struct apmu_dev_slot *)&dev->own;
}

bool apmu__active(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	return slot->counter != APMU__NO_COUNTER &&
	       (slot->round == APMU__ALWAYS || slot->round == dev->round);
}

unsigned apmu__flag_of(const struct apmu_dev_slot *slot)
{
	return slot->counter + (slot->flags & APMU__CHAINED ? 1u : 0u);
}

apmu_counters apmu__counters_of(const struct apmu_dev_slot *slot)
{
	return apmu__one(slot->counter) | apmu__one(apmu__flag_of(slot));
}

bool apmu__flagged(const struct apmu_dev_slot *slot, apmu_counters flags)
{
	return apmu__in(flags, apmu__flag_of(slot));
}

/* Bits that a counter does not have are ignored, whatever they read. */
int apmu__slot_get(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t *value)
{
	uint64_t high, again;
	int bad;

	if (!(slot->flags & APMU__CHAINED)) {
		bad = dev->family->get(dev, slot->counter, value);
		*value &= apmu__most(slot->bits);
		return bad;
	}
	bad = dev->family->get(dev, slot->counter + 1u, &high);
	do {
		again = high;
		if (!bad)
			bad = dev->family->get(dev, slot->counter, value);
		if (!bad)
			bad = dev->family->get(dev, slot->counter + 1u, &high);
	} while (!bad && high != again);
	*value = (uint32_t)*value | high << 32;
	return bad;
}

/* Without a flag the counter has not passed its `last` again, so the difference is what it gained. With one
 * it wrapped once: if it stands at `last` or above, that is a whole turn more. Where flags can get lost a
 * wrap shows by itself: the counter had less than half its range to go (apmu__slot_reload). */
uint64_t apmu__slot_gain(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
			 bool flag)
{
	uint64_t gain = (now - slot->last) & apmu__most(slot->bits);

	if (flag && slot->bits == 32 && !dev->has.vague && now >= slot->last)
		gain += 1ull << 32;
	return gain;
}

/* The counter first, the flags second: no flag, no wrap before the look. With a flag a counter that stands at
 * `last` or above may have wrapped after it was looked at; a second look decides. */
int apmu__slot_total(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
		     apmu_counters flags, uint64_t *total)
{
	bool flag = apmu__flagged(slot, flags);
	int bad = APMU_OK;

	if (flag && now >= slot->last)
		bad = apmu__slot_get(dev, slot, &now);
	*total = slot->base + apmu__slot_gain(dev, slot, now, flag);
	return bad;
}

bool apmu__slot_reloads(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	return slot->left != APMU__NEVER || (dev->has.vague && slot->bits == 32);
}

/* The most events until the next overflow. */
static uint64_t reach(const struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	if (slot->bits != 32)
		return APMU__NEVER;
	if (!dev->has.vague)
		return UINT32_MAX;
	return slot->counter == APMU_CYCLE_COUNTER ? APMU__WATCH : APMU__HALF;
}

int apmu__slot_reload(struct apmu_dev *dev, struct apmu_dev_slot *slot)
{
	uint64_t most = reach(dev, slot), after = slot->left < most ? slot->left : most;
	int bad;

	slot->last = apmu__slot_reloads(dev, slot) ? (0 - after) & apmu__most(slot->bits) : 0;
	if (!(slot->flags & APMU__CHAINED))
		return dev->family->put(dev, slot->counter, slot->last);
	bad = dev->family->put(dev, slot->counter, (uint32_t)slot->last);
	return bad ? bad : dev->family->put(dev, slot->counter + 1u, slot->last >> 32);
}

/* Marsaglia's xorshift: a jitter need not be more random than that. */
static uint32_t draw(struct apmu_dev *dev)
{
	dev->random ^= dev->random << 13;
	dev->random ^= dev->random >> 17;
	dev->random ^= dev->random << 5;
	return dev->random;
}

uint64_t apmu__slot_period(struct apmu_dev *dev, const struct apmu_dev_slot *slot)
{
	uint64_t period = slot->want.period, spread;

	if (slot->flags & APMU__TURNS)
		return dev->config->turn_cycles;
	if (!period || (slot->flags & APMU__THROTTLED))
		return APMU__NEVER;
	spread = (period >> 8) * slot->want.jitter + ((period & 0xFF) * slot->want.jitter >> 8);
	if (!spread)
		return period;
	if (spread > INT32_MAX)
		spread = INT32_MAX;
	period += (draw(dev) * (2 * spread + 1) >> 32) - spread;
	return period;
}
