/* SPDX-License-Identifier: MIT */
/**
 * What the driver's files share: the door to registers, the slots of the present round, and the questions
 * that more than one file asks.
 */
#ifndef APMU_DRIVER_DEVICE_H
#define APMU_DRIVER_DEVICE_H

#include <apmu/driver.h>

#include "../base/bits.h"

#define APMU__NO_COUNTER 0xFE /* apmu_dev_slot.counter of the driver's own slot while it is not in use */
#define APMU__ALWAYS     0xFF /* apmu_dev_slot.round of what counts in every round */
#define APMU__NO_ROUND   0xFE /* of the driver's own slot while a want has the cycle counter */
#define APMU__NEVER      UINT64_MAX /* apmu_dev_slot.left: no sample */

/* Bits of apmu_dev_slot.flags. */
#define APMU__CHAINED   0x01 /* the upper half is the next counter */
#define APMU__THROTTLED 0x02
#define APMU__OMITTED   0x04 /* samples were left out since the last clear */
#define APMU__LOST      0x08
#define APMU__TURNS     0x10 /* its period ends a turn */

static inline apmu_counters apmu__one(unsigned counter)
{
	return (apmu_counters)1 << counter;
}

static inline bool apmu__in(apmu_counters set, unsigned counter)
{
	return counter < 8 * sizeof(set) && (set >> counter & 1);
}

/* What a counter of so many bits holds at most. */
static inline uint64_t apmu__most(unsigned bits)
{
	return bits == 32 ? UINT32_MAX : UINT64_MAX;
}

/* Values of apmu_dev.time: what enabled and running are measured in. */
#define APMU__TIME_TURNS  0
#define APMU__TIME_CLOCK  1
#define APMU__TIME_CYCLES 2

/* An overflow at the latest after so many events where flags can get lost; and so many cycles between two
 * looks there, so that no counter can pass half its range in between (two events a cycle: Cortex-A9). */
#define APMU__HALF  ((uint64_t)1 << 31)
#define APMU__WATCH ((uint64_t)1 << 30)

/* door.c: registers, the barrier, interrupts off and back. */
int apmu__dev_read(const struct apmu_dev *dev, enum apmu_dev_reg reg, unsigned n, uint64_t *value);
int apmu__dev_write(const struct apmu_dev *dev, enum apmu_dev_reg reg, unsigned n, uint64_t value);
/* Writes register 0 of a kind, then waits until it has taken effect. */
int apmu__dev_put(const struct apmu_dev *dev, enum apmu_dev_reg reg, uint64_t value);
unsigned apmu__lock(const struct apmu_dev *dev);
void apmu__unlock(const struct apmu_dev *dev, unsigned state);

/* The slots: the wants' first, then the driver's own. i is 0 .. dev->n. */
struct apmu_dev_slot *apmu__slot(const struct apmu_dev *dev, unsigned i);
/* Is the slot on its counter in this round? */
bool apmu__active(const struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* The counter whose flag tells that the slot has wrapped; and the counters that it has, that one among them.
 */
unsigned apmu__flag_of(const struct apmu_dev_slot *slot);
apmu_counters apmu__counters_of(const struct apmu_dev_slot *slot);
/* Is that flag among these? */
bool apmu__flagged(const struct apmu_dev_slot *slot, apmu_counters flags);

/* filter.c: a want's filter as bits of a type register that has `exists`; 0 or an enum apmu_why. */
enum apmu_why apmu__filter(uint32_t exists, const struct apmu_want *want, uint32_t *bits);

/* slot.c */
int apmu__slot_get(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t *value);
/* Events since the slot's `last`, with its counter at `now` and its flag looked at not later. */
uint64_t apmu__slot_gain(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
			 bool flag);
/* The slot's total, with its counter seen at `now` and the flags read after that. */
int apmu__slot_total(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
		     apmu_counters flags, uint64_t *total);
/* Must its counter be written after a wrap? */
bool apmu__slot_reloads(const struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* Writes the counter so that it overflows when the slot's time has come. The counter stands still. */
int apmu__slot_reload(struct apmu_dev *dev, struct apmu_dev_slot *slot);
/* The slot's next period, jitter included; APMU__NEVER if it takes no samples. */
uint64_t apmu__slot_period(struct apmu_dev *dev, const struct apmu_dev_slot *slot);

/* load.c: puts the slots of dev->round on their counters; everything is stopped. */
int apmu__round_begin(struct apmu_dev *dev);

/* interrupt.c: takes the overflows there are. Returns how many, or a negative code. */
int apmu__service(struct apmu_dev *dev, void *state);
/* Counts everything up to now and clears the flags; everything is stopped. */
int apmu__settle_counts(struct apmu_dev *dev);

/* time.c: time since the turn began; its start and end; the clock's share in start and stop. */
int apmu__time(struct apmu_dev *dev, uint64_t *elapsed);
int apmu__turn_begin(struct apmu_dev *dev);
int apmu__turn_restart(struct apmu_dev *dev); /* the same without the slots */
int apmu__turn_end(struct apmu_dev *dev);     /* the counts are settled */
void apmu__time_start(struct apmu_dev *dev);
void apmu__time_stop(struct apmu_dev *dev);
/* Fills all of *out but `value`, from it; `elapsed` as apmu__time() gives it. */
void apmu__scale(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
		 struct apmu_count *out);

/* The same by the family's own times: the kernel may take turns of its own. */
int apmu__scale_by_kernel(struct apmu_dev *dev, const struct apmu_dev_slot *slot, struct apmu_count *out);

/* probe_ranged.c */
int apmu__probe_ranged(struct apmu_dev *dev);

/* rotate.c: the next round, interrupts already masked. */
int apmu__rotate(struct apmu_dev *dev);

#endif
