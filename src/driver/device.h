/* SPDX-License-Identifier: MIT */
/**
 * What the driver's files share: register access, the slots of the present round, and the questions
 * that more than one file asks.
 */
#ifndef APMU_DRIVER_DEVICE_H
#define APMU_DRIVER_DEVICE_H

#include <apmu/driver.h>

#include "base/bits.h"

#define APMU_DRIVER__NO_COUNTER \
	0xFE                       /* apmu_dev_slot.counter of the driver's own slot while it is not in use */
#define APMU_DRIVER__ALWAYS   0xFF /* apmu_dev_slot.round of what counts in every round */
#define APMU_DRIVER__NO_ROUND 0xFE /* of the driver's own slot while a want has the cycle counter */
#define APMU_DRIVER__NEVER    UINT64_MAX /* apmu_dev_slot.left: no sample */

/* Bits of apmu_dev_slot.flags. */
#define APMU_DRIVER__CHAINED   0x01 /* the upper half is the next counter: 1 is added for that */
#define APMU_DRIVER__THROTTLED 0x02
#define APMU_DRIVER__OMITTED   0x04 /* samples were left out since the last clear */
#define APMU_DRIVER__TURNS     0x08 /* its period ends a turn */

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

/* What a counter of so many bits holds at most. */
static inline uint64_t apmu_driver__most(unsigned bits)
{
	return bits == 32 ? UINT32_MAX : UINT64_MAX;
}

/* Values of apmu_dev.time: what enabled and running are measured in. */
#define APMU_DRIVER__TIME_TURNS  0
#define APMU_DRIVER__TIME_CLOCK  1
#define APMU_DRIVER__TIME_CYCLES 2

/* An overflow at the latest after so many events where flags can get lost; and so many cycles between two
 * looks there, so that no counter can pass half its range in between (two events a cycle: Cortex-A9). */
#define APMU_DRIVER__HALF  ((uint64_t)1 << 31)
#define APMU_DRIVER__WATCH ((uint64_t)1 << 30)

/* A register and which one of its kind. */
#define APMU_DRIVER__REG(reg, n) ((unsigned)(reg) | (unsigned)(n) << 8)

/* register_io.c: registers. The first failure stays in dev->bad; from then on nothing is reached and reads
 * are 0. */
uint64_t apmu_driver__dev_get(struct apmu_dev *dev, unsigned what);
void apmu_driver__dev_set(struct apmu_dev *dev, unsigned what, uint64_t value);
/* The same, then waits until it has taken effect. */
void apmu_driver__dev_put(struct apmu_dev *dev, unsigned what, uint64_t value);
/* A register that may not be there: what the backend says, which dev->bad does not remember. */
int apmu_driver__dev_ask(const struct apmu_dev *dev, unsigned what, uint64_t *value);
void apmu_driver__dev_fail(struct apmu_dev *dev, int bad);
/* The code of what went wrong since the last time; nothing has, from here on. */
int apmu_driver__dev_end(struct apmu_dev *dev);
/* restore() after a failure, which is kept. */
void apmu_driver__give_back(struct apmu_dev *dev, const struct apmu_was *was);
/* Calls `work` with interrupts off; its code. */
int apmu_driver__locked(struct apmu_dev *dev, void (*work)(struct apmu_dev *dev));
unsigned apmu_driver__lock(const struct apmu_dev *dev);
void apmu_driver__unlock(const struct apmu_dev *dev, unsigned state);

/* The slots: the wants' first, then the driver's own. i is 0 .. dev->n. */
struct apmu_dev_slot *apmu_driver__slot(const struct apmu_dev *dev, unsigned i);
/* From *i on, the next that is on its counter in this round; NULL if there is none. Moves *i past it. */
struct apmu_dev_slot *apmu_driver__next(const struct apmu_dev *dev, unsigned *i);
/* Is the slot on its counter in this round? */
bool apmu_driver__active(const struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* The counter whose flag tells that the slot has wrapped; the counters that it has, that one among them; is
 * that flag among these? */
static inline unsigned apmu_driver__flag_of(const struct apmu_dev_slot *slot)
{
	return slot->counter + (slot->flags & APMU_DRIVER__CHAINED);
}

apmu_counters apmu_driver__counters_of(const struct apmu_dev_slot *slot);
bool apmu_driver__flagged(const struct apmu_dev_slot *slot, apmu_counters flags);

/* filter.c: a want's filter as bits of a type register that has `exists`; 0 or an enum apmu_why. */
enum apmu_why apmu_driver__filter(uint32_t exists, const struct apmu_want *want, uint32_t *bits);

/* count.c: starts and stops what is not so yet; and stops after a failure, whatever that says. */
void apmu_driver__dev_start(struct apmu_dev *dev);
void apmu_driver__dev_stop(struct apmu_dev *dev);
void apmu_driver__dev_halt(struct apmu_dev *dev);

/* slot.c */
uint64_t apmu_driver__slot_get(struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* Events since the slot's `last`, with its counter at `now` and its flag looked at not later. */
uint64_t apmu_driver__slot_gain(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
				apmu_counters flags);
/* The slot's total, with its counter seen at `now` and the flags read after that. */
uint64_t apmu_driver__slot_total(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t now,
				 apmu_counters flags);
/* Must its counter be written after a wrap? */
bool apmu_driver__slot_reloads(const struct apmu_dev *dev, const struct apmu_dev_slot *slot);
/* Writes the counter so that it overflows when the slot's time has come. The counter stands still. */
void apmu_driver__slot_reload(struct apmu_dev *dev, struct apmu_dev_slot *slot);
/* By how much a want's period varies at most. */
uint32_t apmu_driver__spread(const struct apmu_want *want);
/* The slot's next period, jitter included; APMU_DRIVER__NEVER if it takes no samples. */
uint64_t apmu_driver__slot_period(struct apmu_dev *dev, const struct apmu_dev_slot *slot);

/* load.c: puts the slots of dev->round on their counters; everything is stopped. */
void apmu_driver__round_begin(struct apmu_dev *dev);

/* interrupt.c: takes the overflows there are. Returns how many. */
int apmu_driver__service(struct apmu_dev *dev, void *state);
/* Counts one slot up to now, with these flags about to be cleared. */
void apmu_driver__slot_count(struct apmu_dev *dev, struct apmu_dev_slot *slot, apmu_counters flags);

/* One more sample of a slot: was it the last for now? */
void apmu_driver__slot_throttle(struct apmu_dev *dev, struct apmu_dev_slot *slot);

/* time.c: time since the turn began; from here on; the clock's share in start and stop. */
uint64_t apmu_driver__time(struct apmu_dev *dev);
void apmu_driver__time_restart(struct apmu_dev *dev);
void apmu_driver__time_flip(struct apmu_dev *dev);
/* Without an interrupt and with a clock: is this look too late, so that a wrap may have gone unseen? `taken`:
 * the wraps are being counted now. */
void apmu_driver__look_at_clock(struct apmu_dev *dev, bool taken);
/* Fills all of *out but `value`, from it; `elapsed` as apmu_driver__time() gives it. */
void apmu_driver__tell(struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
		       struct apmu_count *out);

/* multiplex.c, reached through dev->config->turns alone, so that what is not named is not linked. */
struct apmu_turns {
	/* A plan of several rounds has been loaded; `cycles` counts them in every round. */
	void (*begin)(struct apmu_dev *dev, struct apmu_dev_slot *cycles);
	void (*rotate)(struct apmu_dev *dev); /* the next round; interrupts are masked */
	uint64_t (*time)(struct apmu_dev *dev);
	void (*scale)(const struct apmu_dev *dev, const struct apmu_dev_slot *slot, uint64_t elapsed,
		      struct apmu_count *out);
};

/* divide.c: a / b, and what is left; a * b / c, where of b and c, which are times, 32 bits count. */
uint64_t apmu_driver__divide(uint64_t a, uint64_t b, uint64_t *rest);
uint64_t apmu_driver__share(uint64_t a, uint64_t b, uint64_t c);

/* probe_ranged.c */
void apmu_driver__probe_ranged(struct apmu_dev *dev);

/* family.c: what families have in common. Counters are registers; selectors lie in dev->types; all counters
 * stand still and go on together. */
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
