/* SPDX-License-Identifier: MIT */
/**
 * The internal interface of the driver's files: register access, the slots of the present round, and helpers
 * that more than one file uses.
 */
#ifndef APMU_DRIVER_DEVICE_H
#define APMU_DRIVER_DEVICE_H

#include <apmu/driver.h>

#include "base/bits.h"

#define APMU_DRIVER__NO_COUNTER 0xFE /* apmu_dev_slot.counter of the driver's own slot while not in use */
#define APMU_DRIVER__ALWAYS     0xFF /* apmu_dev_slot.round of a slot that counts in every round */
#define APMU_DRIVER__NO_ROUND   0xFE /* .round of the driver's own slot: a want has the cycle counter */
#define APMU_DRIVER__NEVER      UINT64_MAX /* apmu_dev_slot.left: no sample */

/* Bits of apmu_dev_slot.flags. */
#define APMU_DRIVER__CHAINED   0x01 /* the next counter is the upper half; value 1, for adding */
#define APMU_DRIVER__THROTTLED 0x02
#define APMU_DRIVER__OMITTED   0x04 /* samples were left out since the last clear */
#define APMU_DRIVER__TURNS     0x08 /* the end of its period ends a turn */

static inline apmu_counters apmu_driver__one(unsigned counter)
{
	return (apmu_counters)1 << counter;
}

static inline unsigned apmu_driver__first(apmu_counters set)
{
	return sizeof(set) > sizeof(unsigned) ? apmu_base__lowest(set)
					      : (unsigned)__builtin_ctz((unsigned)set);
}

static inline bool apmu_driver__in(apmu_counters set, unsigned counter)
{
	return counter < 8 * sizeof(set) && (set >> counter & 1);
}

/* Returns the largest value of a counter with `bits` bits, 32 or 64. */
static inline uint64_t apmu_driver__most(unsigned bits)
{
	return bits == 32 ? UINT32_MAX : UINT64_MAX;
}

/* Values of apmu_dev.time: the unit of `enabled` and `running`. */
#define APMU_DRIVER__TIME_TURNS  0
#define APMU_DRIVER__TIME_CLOCK  1
#define APMU_DRIVER__TIME_CYCLES 2

/* Where flags can get lost: the most events between two overflows, and the most cycles between two looks, so
 * that no counter can pass half its range in between (two events per cycle: Cortex-A9). */
#define APMU_DRIVER__HALF  ((uint64_t)1 << 31)
#define APMU_DRIVER__WATCH ((uint64_t)1 << 30)

/* A register and its index, as the functions of register_io.c take them. */
#define APMU_DRIVER__REG(reg, n) ((unsigned)(reg) | (unsigned)(n) << 8)

/* register_io.c: register access. The first failure stays in dev->bad; from then on no register is accessed
 * and reads give 0. */
uint64_t apmu_driver__dev_get(struct apmu_dev *dev, unsigned what);
void apmu_driver__dev_set(struct apmu_dev *dev, unsigned what, uint64_t value);
/* apmu_driver__dev_set(), then waits until it has taken effect. */
void apmu_driver__dev_set_sync(struct apmu_dev *dev, unsigned what, uint64_t value);
/* Reads a register that may not exist: returns the backend's code, which dev->bad does not keep. */
int apmu_driver__dev_ask(const struct apmu_dev *dev, unsigned what, uint64_t *value);
/* Stores a failure in dev->bad, unless there is one already. 0: nothing. */
void apmu_driver__dev_fail(struct apmu_dev *dev, int bad);
/* Returns the first failure since the last call, and clears it. */
int apmu_driver__dev_end(struct apmu_dev *dev);
/* Calls the family's restore() after a failure, which dev->bad keeps. */
void apmu_driver__restore_failed(struct apmu_dev *dev, const struct apmu_was *was);
/* Calls `work` with interrupts masked; returns its failure or 0. */
int apmu_driver__locked(struct apmu_dev *dev, void (*work)(struct apmu_dev *dev));
unsigned apmu_driver__lock(const struct apmu_dev *dev);
void apmu_driver__unlock(const struct apmu_dev *dev, unsigned state);

/* Returns slot i, 0 to dev->n: the wants' first, then the driver's own. */
struct apmu_dev_slot *apmu_driver__slot(const struct apmu_dev *dev, unsigned i);
/* Returns the next slot from *i on that is on its counter in this round, and moves *i past it; NULL if there
 * is none. */
struct apmu_dev_slot *apmu_driver__next(const struct apmu_dev *dev, unsigned *i);
/* True if the slot is on its counter in this round. */
bool apmu_driver__active(const struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* Returns the counter whose flag says that the slot has wrapped: of a chained pair the upper one. */
static inline unsigned apmu_driver__flag_of(const struct apmu_dev_slot *slot)
{
	return slot->counter + (slot->flags & APMU_DRIVER__CHAINED);
}

/* Returns the counters that the slot has: one, or a chained pair. */
apmu_counters apmu_driver__counters_of(const struct apmu_dev_slot *slot);
/* True if the slot's flag is in `flags`. */
bool apmu_driver__flagged(const struct apmu_dev_slot *slot, apmu_counters flags);

/* filter.c: encodes a want's filter in the bits `exists` of a type register; APMU_WHY_NOT or the reason why
 * that is impossible. */
enum apmu_why apmu_driver__filter(uint32_t exists, const struct apmu_want *want, uint32_t *bits);

/* count.c: start and stop if not done yet; dev_halt() stops after a failure, ignoring further ones. */
void apmu_driver__dev_start(struct apmu_dev *dev);
void apmu_driver__dev_stop(struct apmu_dev *dev);
void apmu_driver__dev_halt(struct apmu_dev *dev);

/* slot.c */
uint64_t apmu_driver__slot_get(struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* Returns the events since the slot's `last`, for the counter value `now` and flags that were read no later
 * than it. */
uint64_t apmu_driver__slot_gain(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
				apmu_counters flags);
/* Returns the slot's total, for the counter value `now` and flags that were read after it. */
uint64_t apmu_driver__slot_total(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
				 apmu_counters flags);
/* True if the slot's counter must be written after a wrap. */
bool apmu_driver__slot_reloads(const struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* Writes the counter so that it overflows when the slot's sample is due. The counter is stopped. */
void apmu_driver__slot_reload(struct apmu_dev *dev, struct apmu_dev_slot *slot);
/* Returns the most by which a want's period varies. */
uint32_t apmu_driver__spread(const struct apmu_want *want);
/* Returns the slot's next period, jitter included; APMU_DRIVER__NEVER if it takes no samples. */
uint64_t apmu_driver__slot_period(struct apmu_dev *dev, const struct apmu_dev_slot *slot);

/* load.c: puts the slots of dev->round on their counters; all counters are stopped. */
void apmu_driver__round_begin(struct apmu_dev *dev);

/* interrupt.c: handles the overflows that are there and returns how many. */
int apmu_driver__service(struct apmu_dev *dev, void *state);
/* Counts one slot up to now; `flags` are about to be cleared. */
void apmu_driver__slot_count(struct apmu_dev *dev, struct apmu_dev_slot *slot, apmu_counters flags);

/* Counts one more sample of a slot, and throttles the slot if it was the last one until the next tick. */
void apmu_driver__slot_throttle(struct apmu_dev *dev, struct apmu_dev_slot *slot);

/* time.c: returns the time since the turn began. */
uint64_t apmu_driver__time(struct apmu_dev *dev);
/* Begins a turn: its time starts from 0. */
void apmu_driver__time_restart(struct apmu_dev *dev);
/* Starts or stops the turn's time, at a start or stop of the counters. */
void apmu_driver__time_toggle(struct apmu_dev *dev);
/* Without an interrupt and with a clock: sets dev->late if this look is so late that a wrap may have been
 * missed. `taken`: the wraps are being counted now. */
void apmu_driver__look_at_clock(struct apmu_dev *dev, bool taken);
/* Fills the other members of *out from its `value`; `elapsed` is from apmu_driver__time(). */
void apmu_driver__fill_count(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
			     struct apmu_count *out);

/* multiplex.c, called only through dev->config->turns, so that it is not linked unless named. */
struct apmu_turns {
	/* A plan of several rounds has been loaded; the slot `cycles` counts cycles in every round. */
	void (*begin)(struct apmu_dev *dev, struct apmu_dev_slot *cycles);
	void (*rotate)(struct apmu_dev *dev); /* begins the next round; interrupts are masked */
	uint64_t (*time)(struct apmu_dev *dev);
	void (*scale)(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
		      struct apmu_count *out);
};

/* divide.c: returns a / b, with the remainder in *rest. */
uint64_t apmu_driver__divide(uint64_t a, uint64_t b, uint64_t *rest);
/* Returns a * b / c. `b` and `c` are times: both are shifted right until they fit 32 bits. */
uint64_t apmu_driver__scale(uint64_t a, uint64_t b, uint64_t c);

/* probe_ranged.c */
void apmu_driver__probe_ranged(struct apmu_dev *dev);

/* family.c, family_packed.c: functions that families share. Counters are registers; selectors are in
 * dev->types; all counters are paused and resumed together. */
uint64_t apmu_driver__counter_get(struct apmu_dev *dev, unsigned i);
void apmu_driver__counter_put(struct apmu_dev *dev, unsigned i, uint64_t value);
uint64_t apmu_driver__selector_get(struct apmu_dev *dev, unsigned i);
void apmu_driver__selector_put(struct apmu_dev *dev, unsigned i, uint64_t type);
void apmu_driver__selectors_park(struct apmu_dev *dev, apmu_counters on);
int apmu_driver__cycle_event(const struct apmu_dev *dev);
void apmu_driver__probe_packed(struct apmu_dev *dev);
void apmu_driver__hold_all(struct apmu_dev *dev, apmu_counters counters);
void apmu_driver__go_all(struct apmu_dev *dev, apmu_counters counters);

#endif
