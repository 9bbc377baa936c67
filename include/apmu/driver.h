/* SPDX-License-Identifier: MIT */
/**
 * The driver: one way to program any Arm PMU, real or modelled.
 *
 * What it is: events by name on counters, 64-bit totals on 32-bit counters, sampling, taking turns,
 * regions of code, in a few hundred bytes that the caller owns. Freestanding; callable from an interrupt
 * handler where it says so. What it is not: a driver of an interrupt controller. The caller routes the PMU's
 * interrupt to apmu_dev_interrupt().
 *
 * Use:
 *     struct apmu_dev dev;
 *     struct apmu_dev_slot slots[4];
 *     struct apmu_want want[2];
 *     uint8_t why;
 *     apmu_dev_open(&dev, &(struct apmu_dev_config){.backend = &apmu_backend_cp15_arm11,
 *                   .core = &apmu_core_arm1136jf_s, .slots = slots, .slots_n = 4, .el = 1}, &why);
 *     apmu_want_parse(&dev, "cycles", &want[0]);
 *     apmu_want_parse(&dev, "DCACHE_MISS", &want[1]);
 *     apmu_dev_use(&dev, want, 2, 0, NULL);    plans and programs; nothing counts yet
 *     apmu_dev_start(&dev);                    one register write
 *     ...
 *     apmu_dev_stop(&dev);                     one register write
 *     struct apmu_count count[2];
 *     apmu_dev_read(&dev, count, 2);
 *     apmu_dev_close(&dev);                    puts back what was programmed before
 *
 * One struct apmu_dev belongs to one core. Its calls come from that core only: from one thread at a time and
 * from the PMU's interrupt handler, which may come between any two accesses of the thread's. Calls marked
 * [lock] mask interrupts for their duration by the backend's lock().
 *
 * How counters become 64 bits: a 32-bit counter runs free; the handler counts each wrap (the XScale manual's
 * method). A reader takes the counter first and the flags second: no flag, no wrap; a flag, then a second
 * look at that counter decides. Cores whose flags can get lost (a rule of the core's row) keep their counters
 * in the upper half of the range, so that a wrap shows in the value. See docs/driver.md.
 */
#ifndef APMU_DRIVER_H
#define APMU_DRIVER_H

#include <apmu/backend.h>
#include <apmu/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a counter counts. 0 in either means everywhere. */
#define APMU_AT_USER         0x01 /* EL0, PL0 */
#define APMU_AT_KERNEL       0x02 /* EL1, privileged modes */
#define APMU_AT_HYP          0x04 /* EL2 */
#define APMU_AT_MONITOR      0x08 /* EL3 */
#define APMU_WORLD_SECURE    0x01
#define APMU_WORLD_NONSECURE 0x02
#define APMU_WORLD_REALM     0x04

/* Bits of apmu_want.flags. */
#define APMU_WANT_CYCLES 0x01 /* the cycle counter; an event that counts cycles where it cannot serve */
#define APMU_WANT_LONG   0x02 /* 64 bits in hardware: a long counter or a chained pair, or refuse */
#define APMU_WANT_RAW    0x04 /* program the number even if this core is not known to have the event */

#define APMU_ANY_COUNTER 0xFF

/* One thing to count. All zero but `counter` is "event 0 everywhere". */
struct apmu_want {
	uint16_t event;  /* number; unused with APMU_WANT_CYCLES */
	uint8_t levels;  /* APMU_AT_... */
	uint8_t worlds;  /* APMU_WORLD_... */
	uint8_t group;   /* wants of one group count at the same time; 0: a group of its own */
	uint8_t counter; /* this counter and no other (31: cycles, 32: PMICNTR), or APMU_ANY_COUNTER */
	uint8_t flags;   /* APMU_WANT_... */
	uint8_t jitter;  /* sampling: the period varies by up to +-jitter/256 of itself (of 2^31, if it is
			    longer) */
	uint64_t period; /* a sample after so many events; 0: count only */
};

/* Bits of apmu_dev_use()'s options. */
#define APMU_MULTIPLEX \
	0x01 /* let groups take turns if they do not fit (apmu_dev_config.turns); else: APMU_ENOSPC */

/* Why something is refused; apmu_why_text() says it in words. */
enum apmu_why {
	APMU_WHY_NOT,           /* it is not */
	APMU_WHY_NO_PMU,        /* the ID register says: no PMU, or none of these families */
	APMU_WHY_UNDEFINED,     /* registers are Undefined at this level */
	APMU_WHY_USER_CLOSED,   /* EL0 may not use the PMU: PMUSERENR.EN is 0 */
	APMU_WHY_TRAPPED,       /* a higher level traps the access */
	APMU_WHY_BUS,           /* bus error: core off, OS Lock locked, or external access not allowed */
	APMU_WHY_NOT_A_PMU,     /* the frame's ID registers are not a PMU's */
	APMU_WHY_NO_COUNTERS,   /* only the cycle counter is there, or nothing */
	APMU_WHY_TOO_MANY,      /* more than fit at once */
	APMU_WHY_GROUP,         /* the group needs more counters than there are */
	APMU_WHY_NO_EVENT,      /* this core does not have the event */
	APMU_WHY_EVENT_RANGE,   /* the number does not fit the event selector */
	APMU_WHY_NO_COUNTER,    /* the counter asked for does not exist, is reserved or cannot count this */
	APMU_WHY_COUNTER_TWICE, /* two wants ask for one counter */
	APMU_WHY_NO_FILTER,     /* this PMU has no filters */
	APMU_WHY_NO_WORLD,      /* its filters do not tell these worlds apart */
	APMU_WHY_NO_LEVEL,      /* its filters do not tell these levels apart */
	APMU_WHY_NO_LONG,       /* no 64-bit counter and no pair to chain */
	APMU_WHY_NO_INTERRUPT,  /* sampling needs the interrupt */
	APMU_WHY_PERIOD,        /* period 0 for a sample, or beyond the counter */
	APMU_WHY_SLOTS,         /* more wants than slots */
	APMU_WHY_CYCLES_TAKEN,  /* the driver needs the cycle counter itself (turns by cycles, lost flags) */
	APMU_WHY_NO_CYCLES,     /* cycles by an event: this core has none that counts them */
	APMU_WHY_NO_TURNS,      /* too many, and apmu_dev_config.turns is NULL */
	APMU_WHYS
};
const char *apmu_why_text(unsigned why);

struct apmu_refusal {
	uint8_t want; /* index of the request that cannot be met */
	uint8_t why;  /* enum apmu_why */
};

/* Which counter each want gets, and in which round. A value; plan as often as you like. */
#define APMU_WANTS_MAX 64
struct apmu_plan {
	uint8_t n, rounds;
	uint8_t counter[APMU_WANTS_MAX]; /* the low one of a chained pair */
	uint8_t round[APMU_WANTS_MAX];
	uint16_t event[APMU_WANTS_MAX]; /* cycles may be counted by an event */
	bool chained[APMU_WANTS_MAX];   /* it has the next counter too */
};

/* A sample, given to the callback. Sampled counters stand still while it runs. */
struct apmu_sample {
	uint8_t slot;     /* index of the want */
	bool throttled;   /* the last one until apmu_dev_tick() */
	uint32_t periods; /* that passed since the last one; more than 1 when the interrupt came late */
	uint64_t value;   /* the slot's total so far */
	void *state;      /* what apmu_dev_interrupt() was given: the interrupted registers */
};

/* One want at work. Caller-owned memory; contents are the driver's. */
struct apmu_dev_slot {
	uint8_t counter, round, bits, flags;
	uint16_t burst;   /* samples since the last tick */
	uint32_t periods; /* of the sample to be called back */
	int32_t cost;     /* apmu_dev_calibrate() */
	struct apmu_want want;
	uint64_t base;       /* counted up to when the counter read `last` */
	uint64_t last;       /* what the counter read then */
	uint64_t left;       /* events from there to the next sample */
	uint64_t running;    /* time on a counter in earlier turns */
	uint64_t slow, fast; /* lowest and highest rate of a turn, events in 2^16 units of time */
	uint64_t turn;       /* its total when the turn began */
};

/* Lets wants take turns: for apmu_dev_config.turns. */
struct apmu_turns;
extern const struct apmu_turns apmu_turns;

struct apmu_dev_config {
	const struct apmu_backend *backend;
	void *ctx;                    /* the backend's */
	const struct apmu_core *core; /* names events and quirks; NULL: numbers only */
	bool exact_core;              /* the core is this one: do not look at MIDR */
	struct apmu_dev_slot *slots;
	uint8_t slots_n;
	uint8_t el;             /* where the driver runs: 0 to 3 */
	bool interrupt;         /* the PMU's interrupt reaches apmu_dev_interrupt(); else: apmu_dev_poll() */
	uint16_t throttle;      /* samples of one slot between two ticks; 0: no limit */
	apmu_counters reserved; /* bit i: counter i belongs to somebody else */
	/* &apmu_turns: wants may take turns; NULL: never, and none of it is linked. */
	const struct apmu_turns *turns;
	/* A turn lasts so many cycles, by the cycle counter's interrupt; 0: until the next tick. */
	uint64_t turn_cycles;
	/* The time for enabled and running, and its ticks in which 2^32 events cannot yet pass: without the
	 * interrupt a look that comes later says `lost` (0: not checked). NULL: cycles in a plan that takes
	 * turns and can have the cycle counter, else turns. */
	uint64_t (*clock)(void *ctx);
	uint64_t clock_limit;
	void (*sample)(void *ctx, const struct apmu_sample *sample);
	void *user; /* ctx of clock and sample */
};

/* What probing found. */
struct apmu_dev_has {
	apmu_counters counters; /* bit i: counter i may be used; 31 the cycle counter, 32 PMICNTR */
	apmu_counters wide;     /* bit i: it overflows at bit 63 */
	bool known;             /* config.core is this core */
	bool vague;             /* flags can be lost: a quirk of the core's row */
	bool chain;
	uint8_t version;     /* as APMU_DEV_VERSION; 0: not told */
	uint8_t holdoff;     /* cycles between start and the first count */
	uint8_t user;        /* APMU_USER_... that it can allow */
	uint16_t event_mask; /* bits of an event number */
	uint32_t midr;       /* 0: not readable */
	uint32_t filters;    /* bits of a type register that select levels and worlds */
	uint32_t cycle_filters;
	uint64_t ceid[2]; /* PMCEID; 0: the PMU does not say */
};

struct apmu_task;
struct apmu_region;

/* A PMU in use. Caller-owned memory; members other than `has` are the driver's. */
struct apmu_dev { /* what is used most stands first: short offsets make short instructions */
	const struct apmu_dev_config *config;
	const struct apmu_backend *backend;
	const struct apmu_family *family;
	void *ctx;
	uint8_t n, rounds, round, time;
	bool loaded, running, turn_due, begun, late, locked;
	int bad;                   /* the first thing that went wrong in the call under way */
	volatile uint32_t changes; /* by the handler: readers start over when it moves */
	uint32_t random;
	apmu_counters on, watched; /* counters of this round that count, and whose flags matter */
	apmu_counters held;        /* stand still while the handler writes them */
	struct apmu_dev_has has;
	uint64_t control,
		types; /* what the control register and selectors in one word hold, but flags and E */
	uint64_t since, enabled;    /* time: start of the turn (or, stopped, how long it is), sum of turns */
	uint64_t looked;            /* clock when flags were last looked at */
	struct apmu_dev_slot own;   /* the cycle counter where the driver itself needs it */
	struct apmu_was was;        /* before open */
	struct apmu_task *task;     /* region.h */
	struct apmu_region *region; /* innermost open one where there are no tasks */
};

/* What a slot counted. */
struct apmu_count {
	uint64_t value;  /* counted */
	uint64_t scaled; /* value * enabled / running; `value` where the want never waited for a turn */
	uint64_t error; /* the true total is within scaled +- error if no turn was slower or faster than those
			 * seen; 0 without turns, UINT64_MAX if it never ran */
	uint64_t enabled; /* time from start to stop; unit: see apmu_dev_config.clock */
	uint64_t running; /* of it, on a counter */
	int32_t cost;     /* what start and stop themselves add to `value`, if calibrated */
	bool lost;        /* an overflow may have gone unseen: value may be a multiple of 2^32 short */
	bool throttled;   /* samples were left out */
};

/* --- opening ---------------------------------------------------------------------------------------- */

/**
 * Finds out what is there, by the architecture's ID registers first; the core's row only adds names and
 * quirks. Stops the PMU and remembers how it was.
 *
 * 0, or APMU_ENODEV, APMU_EPERM, APMU_EACCES, APMU_EIO, APMU_EINVAL with *why (may be NULL). With 0, *why is
 * APMU_WHY_NOT or APMU_WHY_NO_COUNTERS (the cycle counter alone). *config must stay valid.
 */
int apmu_dev_open(struct apmu_dev *dev, const struct apmu_dev_config *config, uint8_t *why);

/* Stops and puts control, enables and interrupt enables back as they were before open. [lock] */
int apmu_dev_close(struct apmu_dev *dev);

/* The row among `cores` that a MIDR names; NULL if none. */
const struct apmu_core *apmu_core_identify(const struct apmu_core *const *cores, size_t n, uint32_t midr);

/* --- planning --------------------------------------------------------------------------------------- */

/* Reads "INST_RETIRED", "cycles:u", "0x1B:k", "r1b:uks": an event by any of its names or by number, then
 * where: u EL0, k EL1, h EL2, m EL3; s Secure, n Non-secure, r Realm; l: 64 bits in hardware;
 * f: the fixed counter for it (cycles, or PMICNTR for INST_RETIRED: used only if asked for).
 * 0; APMU_ENOENT: no such event; APMU_EINVAL: a letter that is none of these. */
int apmu_want_parse(const struct apmu_dev *dev, const char *text, struct apmu_want *want);

/* Fits wants to counters. Pure. 0, or APMU_ENOSPC, APMU_ENOENT, APMU_EINVAL, APMU_ERANGE, APMU_EOPNOTSUPP
 * with *refusal (may be NULL) saying which request and why. */
int apmu_dev_plan(const struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		  struct apmu_plan *plan, struct apmu_refusal *refusal);

/* Programs a plan; nothing counts yet. If an access fails the PMU is stopped and as it was before the call,
 * and no plan is loaded. [lock] */
int apmu_dev_load(struct apmu_dev *dev, const struct apmu_want *want, const struct apmu_plan *plan);

/* Plan and load. */
int apmu_dev_use(struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		 struct apmu_refusal *refusal);

/* --- counting --------------------------------------------------------------------------------------- */

/* One register write each. APMU_EINVAL with nothing loaded; starting what runs and stopping what stands is
 * no error. */
int apmu_dev_start(struct apmu_dev *dev);
int apmu_dev_stop(struct apmu_dev *dev);

/* Counts of the first n wants, at any time. One access a counter, one for the flags (none if all are 64 bits
 * wide), and one more for each counter that has wrapped and not been handled yet. */
int apmu_dev_read(struct apmu_dev *dev, struct apmu_count *out, size_t n);

/* The same for one want. */
int apmu_dev_read_one(struct apmu_dev *dev, unsigned want, struct apmu_count *out);

/* Totals become 0; turns go on. */
int apmu_dev_clear(struct apmu_dev *dev);

/* For the PMU's interrupt handler. Takes the overflows that are there, acknowledges exactly those, counts
 * wraps, reloads and calls back samples. `state` goes to the callback.
 * Returns how many overflows it served (0: not the PMU's interrupt), or a negative code. */
int apmu_dev_interrupt(struct apmu_dev *dev, void *state);

/* Looks for overflows without an interrupt. Must come at least every apmu_dev_poll_limit() cycles. [lock] */
int apmu_dev_poll(struct apmu_dev *dev);

/* Cycles in which no counter in use can wrap twice unseen: 2^32 - 1 over the largest step of its event, half
 * of that where flags can be lost; UINT64_MAX if all are 64 bits wide. */
uint64_t apmu_dev_poll_limit(const struct apmu_dev *dev);

/* The next round of wants takes the counters. [lock] */
int apmu_dev_rotate(struct apmu_dev *dev);

/* For a timer of the caller's: lets throttled samples go on, polls without an interrupt, rotates. [lock] */
int apmu_dev_tick(struct apmu_dev *dev);

/* Measures what start and stop themselves add to each want, ARM11's hold-off included, by regions of two
 * lengths. The loaded plan must be stopped and have one round; totals are 0 afterwards. [lock] */
int apmu_dev_calibrate(struct apmu_dev *dev);

/* `value` less the cost of `pairs` starts and stops. */
static inline uint64_t apmu_count_net(const struct apmu_count *count, uint32_t pairs)
{
	return count->value - (uint64_t)((int64_t)count->cost * (int64_t)pairs);
}

/* --- user access ------------------------------------------------------------------------------------ */

#define APMU_USER_ALL      0x1 /* everything but interrupt enables (PMUSERENR.EN, SUNAVCR.V) */
#define APMU_USER_SWINC    0x2 /* software increments (SW) */
#define APMU_USER_CYCLES   0x4 /* read the cycle counter (CR) */
#define APMU_USER_COUNTERS 0x8 /* read event counters (ER) */

/* What EL0 may do from now on; APMU_EOPNOTSUPP if this PMU cannot allow that. */
int apmu_dev_user(struct apmu_dev *dev, unsigned allow);
/* What EL0 may do now: APMU_USER_... bits, or a negative code. */
int apmu_dev_user_now(struct apmu_dev *dev);

#ifdef __cplusplus
}
#endif

#endif
