/* SPDX-License-Identifier: MIT */
/**
 * The driver: one way to program any Arm PMU, real or modelled.
 *
 * What it is: events by name on counters, 64-bit totals on 32-bit counters, sampling, multiplexing, regions
 * of code, in a few hundred bytes that the caller owns. Freestanding; callable from an interrupt handler
 * where it says so. What it is not: a driver of an interrupt controller. The caller routes the PMU's
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
 *     apmu_dev_close(&dev);                    stops, and restores control and enables
 *
 * One struct apmu_dev belongs to one core. Its calls come from that core only: from one thread at a time, and
 * from the PMU's interrupt handler, which may interrupt the thread between any two register accesses. Calls
 * marked [lock] mask interrupts for their duration by the backend's lock().
 *
 * How counters become 64 bits: a 32-bit counter runs free, and the handler counts each wrap (the XScale
 * manual's method). A reader reads the counter first and the flags second: without a flag the counter had not
 * wrapped; with a flag, a second read of the counter decides. Cores whose flags can get lost (a rule of the
 * core's row) keep their counters in the upper half of the range, so that a wrap shows in the value. See
 * docs/driver.md.
 */
#ifndef APMU_DRIVER_H
#define APMU_DRIVER_H

#include <apmu/backend.h>
#include <apmu/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of apmu_want.levels and .worlds: where a counter counts. 0 in either means everywhere. */
#define APMU_AT_USER         0x01 /* EL0, PL0 */
#define APMU_AT_KERNEL       0x02 /* EL1, privileged modes */
#define APMU_AT_HYP          0x04 /* EL2 */
#define APMU_AT_MONITOR      0x08 /* EL3 */
#define APMU_WORLD_SECURE    0x01
#define APMU_WORLD_NONSECURE 0x02
#define APMU_WORLD_REALM     0x04

/* Bits of apmu_want.flags. */
#define APMU_WANT_CYCLES 0x01 /* cycles, on the cycle counter or, where that cannot serve, by an event */
#define APMU_WANT_LONG   0x02 /* 64 bits in hardware, by a long counter or a chained pair; else refused */
#define APMU_WANT_RAW    0x04 /* program the event number even if the core is not known to have it */

#define APMU_ANY_COUNTER 0xFF

/* One thing to count. All zero but `counter`: event 0 everywhere. */
struct apmu_want {
	uint16_t event;  /* event number; unused with APMU_WANT_CYCLES */
	uint8_t levels;  /* APMU_AT_... */
	uint8_t worlds;  /* APMU_WORLD_... */
	uint8_t group;   /* wants of one group count at the same time; 0: a group of its own */
	uint8_t counter; /* this counter only (31: cycles, 32: PMICNTR), or APMU_ANY_COUNTER */
	uint8_t flags;   /* APMU_WANT_... */
	uint8_t jitter;  /* sampling: each period varies by up to +-jitter/256 of the period (of 2^31 if that
			    is less) */
	uint64_t period; /* events per sample; 0: count only */
};

/* Bits of apmu_dev_use()'s options. */
#define APMU_MULTIPLEX \
	0x01 /* let groups take turns if they do not fit (apmu_dev_config.turns); else: APMU_ENOSPC */

/* Reasons for a refusal; apmu_why_text() gives them in words. */
enum apmu_why {
	APMU_WHY_NOT,           /* not refused */
	APMU_WHY_NO_PMU,        /* the ID register says that there is no PMU of these families */
	APMU_WHY_UNDEFINED,     /* registers are Undefined at this level */
	APMU_WHY_USER_CLOSED,   /* EL0 may not use the PMU: PMUSERENR.EN is 0, or UEN is 1 */
	APMU_WHY_TRAPPED,       /* a higher level traps the access */
	APMU_WHY_BUS,           /* bus error: core off, OS Lock locked, or external access not allowed */
	APMU_WHY_NOT_A_PMU,     /* the frame's ID registers are not a PMU's */
	APMU_WHY_NO_COUNTERS,   /* there are no event counters, at most the cycle counter */
	APMU_WHY_TOO_MANY,      /* more wants than counters at once */
	APMU_WHY_GROUP,         /* the group needs more counters than there are */
	APMU_WHY_NO_EVENT,      /* this core does not have the event */
	APMU_WHY_EVENT_RANGE,   /* the event number does not fit the event selector */
	APMU_WHY_NO_COUNTER,    /* the named counter does not exist, is reserved or cannot count this */
	APMU_WHY_COUNTER_TWICE, /* two wants name one counter */
	APMU_WHY_NO_FILTER,     /* this PMU has no filters */
	APMU_WHY_NO_WORLD,      /* the PMU's filters cannot separate these worlds */
	APMU_WHY_NO_LEVEL,      /* the PMU's filters cannot separate these levels */
	APMU_WHY_NO_LONG,       /* no 64-bit counter and no pair to chain */
	APMU_WHY_NO_INTERRUPT,  /* sampling needs the interrupt */
	APMU_WHY_PERIOD,        /* jitter without a period, or a period beyond the counter */
	APMU_WHY_SLOTS,         /* more wants than slots */
	APMU_WHY_CYCLES_TAKEN,  /* the driver needs the cycle counter itself (turns by cycles, lost flags) */
	APMU_WHY_NO_CYCLES,     /* cycles would need an event, and this core has none that counts them */
	APMU_WHY_NO_TURNS,      /* more wants than counters, and apmu_dev_config.turns is NULL */
	APMU_WHY_CONFIG,        /* level above 3, interrupt at EL0, or slots NULL: APMU_EINVAL of open */
	APMU_WHY_LOAD,          /* an access, or the kernel, refused what the plan needs: see the code */
	APMU_WHYS
};
const char *apmu_why_text(unsigned why);

struct apmu_refusal {
	uint8_t want; /* index of the want that is refused */
	uint8_t why;  /* enum apmu_why */
};

/* The counter of each want, and the round in which it counts. Plain data: making a plan changes nothing. */
#define APMU_WANTS_MAX 64
struct apmu_plan {
	uint8_t n, rounds;
	uint8_t counter[APMU_WANTS_MAX]; /* of a chained pair: the low one */
	uint8_t round[APMU_WANTS_MAX];
	uint16_t event[APMU_WANTS_MAX]; /* the event to program, also for cycles that an event counts */
	bool chained[APMU_WANTS_MAX];   /* the want has the next counter too */
};

/* A sample, given to the callback. Sampled counters are stopped while it runs. */
struct apmu_sample {
	uint8_t slot;     /* index of the want */
	bool throttled;   /* the last one until apmu_dev_tick() */
	uint32_t periods; /* periods since the last sample; more than 1 if the interrupt came late */
	uint64_t value;   /* the slot's total so far */
	void *state;      /* the argument of apmu_dev_interrupt(): the interrupted registers */
};

/* A want on its counter. The caller owns the memory, the driver its contents. */
struct apmu_dev_slot {
	uint8_t counter, round, bits, flags;
	uint16_t burst;   /* samples since the last tick */
	uint32_t periods; /* periods of the sample that is to be called back */
	int32_t cost;     /* from apmu_dev_calibrate() */
	struct apmu_want want;
	uint64_t base;       /* events counted up to the point at which the counter read `last` */
	uint64_t last;       /* the counter's value at that point */
	uint64_t left;       /* events from `last` to the next sample */
	uint64_t running;    /* time on the counter in earlier turns */
	uint64_t slow, fast; /* lowest and highest rate of a turn, events per 2^16 units of time */
	uint64_t turn;       /* `base` when the turn began */
};

/* The code that lets wants take turns, for apmu_dev_config.turns. */
struct apmu_turns;
extern const struct apmu_turns apmu_turns;

struct apmu_dev_config {
	const struct apmu_backend *backend;
	void *ctx;                    /* the backend's */
	const struct apmu_core *core; /* event names and errata; NULL: numbers only */
	bool exact_core;              /* `core` is right: do not check MIDR */
	struct apmu_dev_slot *slots;
	uint8_t slots_n;
	uint8_t el;             /* where the driver runs: 0 to 3 */
	bool interrupt;         /* the PMU's interrupt calls apmu_dev_interrupt(); false: the caller uses
				   apmu_dev_poll() */
	uint16_t throttle;      /* most samples of one slot between two ticks; 0: no limit */
	apmu_counters reserved; /* bit i: counter i belongs to another user */
	/* &apmu_turns: wants may take turns; NULL: they may not, and that code is not linked. */
	const struct apmu_turns *turns;
	/* Length of a turn in core cycles, by the cycle counter's interrupt; 0: until the next tick. */
	uint64_t turn_cycles;
	/* `clock` is the time for `enabled` and `running`. NULL: core cycles, in a plan that takes turns and
	 * can have the cycle counter; else the number of turns. `clock_limit` is a number of its ticks in
	 * which fewer than 2^32 events occur: without the interrupt, a read that comes later sets `lost`. 0:
	 * not checked. */
	uint64_t (*clock)(void *ctx);
	uint64_t clock_limit;
	void (*sample)(void *ctx, const struct apmu_sample *sample);
	void *user; /* ctx of clock and sample */
};

/* The results of probing. */
struct apmu_dev_has {
	apmu_counters counters; /* bit i: counter i can be used; 31 is the cycle counter, 32 PMICNTR */
	apmu_counters wide;     /* bit i: counter i overflows at bit 63 */
	bool known;             /* config.core describes this core */
	bool vague;             /* flags can be lost: an erratum of the core's row */
	bool chain;
	uint8_t version;     /* as APMU_DEV_VERSION; 0: unknown */
	uint8_t holdoff;     /* cycles between start and the first count */
	uint8_t user;        /* APMU_USER_... bits that the PMU can allow */
	uint16_t event_mask; /* mask of the bits of an event number */
	uint32_t midr;       /* 0: not readable */
	uint32_t filters;    /* bits of a type register that select levels and worlds */
	uint32_t cycle_filters;
	uint64_t ceid[2]; /* PMCEID; 0: the PMU does not have it */
};

struct apmu_task;
struct apmu_region;

/* A PMU in use. The caller owns the memory; members other than `has` are the driver's. */
struct apmu_dev { /* most used members first: short offsets make short instructions */
	const struct apmu_dev_config *config;
	const struct apmu_backend *backend;
	const struct apmu_family *family;
	void *ctx;
	uint8_t n, rounds, round, time;
	bool loaded, running, turn_due, begun, late, locked;
	int bad;                   /* the first failure in the present call */
	volatile uint32_t changes; /* incremented by the handler: a reader starts over if it changed */
	uint32_t random;
	apmu_counters on, watched; /* counters of this round that count; those whose flags matter */
	apmu_counters held;        /* counters that are stopped while the handler writes them */
	struct apmu_dev_has has;
	uint64_t control, types;    /* the control register without flags and E; the word of selectors */
	uint64_t since, enabled;    /* time: start of the turn (while stopped: its length so far); sum of the
				       earlier turns */
	uint64_t looked;            /* clock when the flags were last read */
	struct apmu_dev_slot own;   /* the cycle counter, if the driver itself needs it */
	struct apmu_was was;        /* registers before open */
	struct apmu_task *task;     /* the running task (region.h) */
	struct apmu_region *region; /* the innermost open region, if there are no tasks */
};

/* What a slot counted. */
struct apmu_count {
	uint64_t value;  /* events counted */
	uint64_t scaled; /* value * enabled / running; `value` if the want never waited for a turn */
	uint64_t error; /* the true total is within scaled +- error if no turn was slower or faster than those
			 * seen; 0 without turns, UINT64_MAX if it never ran */
	uint64_t enabled; /* time from start to stop; unit: see apmu_dev_config.clock */
	uint64_t running; /* the part of `enabled` that the want was on a counter */
	int32_t cost;     /* events that one start and stop add to `value`, if calibrated */
	bool lost;        /* an overflow may have gone unseen: value may be a multiple of 2^32 short */
	bool throttled;   /* samples were omitted */
};

/* --- opening ---------------------------------------------------------------------------------------- */

/**
 * Probes the PMU by the architecture's ID registers; the core's row only adds names and errata. Saves the
 * PMU's registers and stops it.
 *
 * 0, or APMU_ENODEV, APMU_EPERM, APMU_EACCES, APMU_EIO, APMU_EINVAL with *why (may be NULL). With 0, *why is
 * APMU_WHY_NOT or APMU_WHY_NO_COUNTERS (the cycle counter alone). *config must stay valid.
 */
int apmu_dev_open(struct apmu_dev *dev, const struct apmu_dev_config *config, uint8_t *why);

/* Stops the PMU, clears its flags and restores control, enables and interrupt enables as they were before
 * open, on ARM11 and XScale also the event selectors. E stays 0, or with config.reserved as it is. Counters,
 * the selectors of other cores and user access keep what the driver wrote. Once, after an open that
 * returned 0. [lock] */
int apmu_dev_close(struct apmu_dev *dev);

/* Returns the row among `cores` that a MIDR identifies; NULL if none. */
const struct apmu_core *apmu_core_identify(const struct apmu_core *const *cores, size_t n, uint32_t midr);

/* --- planning --------------------------------------------------------------------------------------- */

/* Parses "INST_RETIRED", "cycles:u", "0x1B:k", "r1b:uks": an event by any of its names or by number, then
 * letters: u EL0, k EL1, h EL2, m EL3; s Secure, n Non-secure, r Realm; l: 64 bits in hardware; f: the fixed
 * counter for it (cycles, or PMICNTR for INST_RETIRED: used only if asked for). 0; APMU_ENOENT: no such
 * event; APMU_EINVAL: another letter. */
int apmu_want_parse(const struct apmu_dev *dev, const char *text, struct apmu_want *want);

/* Assigns wants to counters. Pure. 0, or APMU_ENOSPC, APMU_ENOENT, APMU_EINVAL, APMU_ERANGE, APMU_E2BIG,
 * APMU_EBUSY, APMU_EOPNOTSUPP, with *refusal (may be NULL) naming the want and the reason. */
int apmu_dev_plan(const struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		  struct apmu_plan *plan, struct apmu_refusal *refusal);

/* Programs a plan; nothing counts yet. If an access fails, the PMU is stopped, its registers are as before
 * the call, and no plan is loaded. [lock] */
int apmu_dev_load(struct apmu_dev *dev, const struct apmu_want *want, const struct apmu_plan *plan);

/* apmu_dev_plan(), then apmu_dev_load(). If the load fails, refusal->why is APMU_WHY_LOAD: apmu_strerror()
 * says what the code means. */
int apmu_dev_use(struct apmu_dev *dev, const struct apmu_want *want, size_t n, unsigned options,
		 struct apmu_refusal *refusal);

/* --- counting --------------------------------------------------------------------------------------- */

/* Start and stop counting, by one register write each. APMU_EINVAL if no plan is loaded; starting a PMU that
 * runs or stopping one that is stopped is no error. */
int apmu_dev_start(struct apmu_dev *dev);
int apmu_dev_stop(struct apmu_dev *dev);

/* Reads the counts of the first n wants, at any time. Costs one access per counter, one for the flags (none
 * if all counters are 64 bits wide), and one more for each counter that has wrapped and was not handled
 * yet. APMU_EINVAL if no plan is loaded or it has fewer wants. */
int apmu_dev_read(struct apmu_dev *dev, struct apmu_count *out, size_t n);

/* apmu_dev_read() for the want with this index. */
int apmu_dev_read_one(struct apmu_dev *dev, unsigned want, struct apmu_count *out);

/* Sets the totals to 0; turns continue. APMU_EINVAL if no plan is loaded. [lock] */
int apmu_dev_clear(struct apmu_dev *dev);

/* For the PMU's interrupt handler. Acknowledges exactly the overflows that it finds, counts the wraps,
 * reloads counters and calls back samples. `state` is passed to the callback. Returns how many overflows it
 * served (0: not the PMU's interrupt, or no plan is loaded), or a negative code. */
int apmu_dev_interrupt(struct apmu_dev *dev, void *state);

/* Looks for overflows without an interrupt. Must be called at least every apmu_dev_poll_limit() cycles. 0,
 * also if no plan is loaded, or a negative code. [lock] */
int apmu_dev_poll(struct apmu_dev *dev);

/* Returns the cycles in which no counter in use can wrap twice unseen: 2^32 - 1 over the core's instructions
 * per cycle or the largest step of an event in use, half of that where flags can be lost; UINT64_MAX if all
 * counters are 64 bits wide. If `config.core` does not describe this core, events are taken to step by up to
 * 255. */
uint64_t apmu_dev_poll_limit(const struct apmu_dev *dev);

/* Puts the next round of wants on the counters. APMU_EINVAL if no plan is loaded. [lock] */
int apmu_dev_rotate(struct apmu_dev *dev);

/* For a timer of the caller's: resumes throttled samples, polls if there is no interrupt, rotates.
 * APMU_EINVAL if no plan is loaded. [lock] */
int apmu_dev_tick(struct apmu_dev *dev);

/* Measures what start and stop themselves add to each want, ARM11's hold-off included, by regions of two
 * lengths; totals are 0 afterwards. APMU_EINVAL if no plan is loaded, APMU_EBUSY if it runs or has several
 * rounds. [lock] */
int apmu_dev_calibrate(struct apmu_dev *dev);

/* Returns `value` minus the cost of `pairs` starts and stops. */
static inline uint64_t apmu_count_net(const struct apmu_count *count, uint32_t pairs)
{
	return count->value - (uint64_t)((int64_t)count->cost * (int64_t)pairs);
}

/* --- user access ------------------------------------------------------------------------------------ */

#define APMU_USER_ALL      0x1 /* everything but interrupt enables (PMUSERENR.EN, SUNAVCR.V) */
#define APMU_USER_SWINC    0x2 /* software increments (SW) */
#define APMU_USER_CYCLES   0x4 /* read the cycle counter (CR) */
#define APMU_USER_COUNTERS 0x8 /* read event counters (ER) */

/* Sets what EL0 may do; APMU_EOPNOTSUPP if this PMU cannot allow that, APMU_EPERM at EL0. */
int apmu_dev_user(struct apmu_dev *dev, unsigned allow);
/* Returns what EL0 may do now: APMU_USER_... bits, or a negative code. With PMUSERENR.UEN set (PMUv3p9),
 * PMUACR decides which counters EL0 may access; it is not read, and APMU_USER_ALL is not returned. */
int apmu_dev_user_now(struct apmu_dev *dev);

#ifdef __cplusplus
}
#endif

#endif
