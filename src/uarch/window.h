/* SPDX-License-Identifier: MIT */
/**
 * The out-of-order model: an interval model of the reorder buffer with data-flow timing.
 *
 * Micro-operations are dispatched in order, `width` per cycle, into a reorder buffer (window) of `rob`
 * of them, from which they retire in order. An instruction starts when its operands are ready and a pipe
 * of its group is free (pipes.h). The dispatch time is the core's clock. It stands still while the window,
 * the load queue, the store queue or a scheduler is full (backend), from a mispredicted branch until that has
 * executed and the pipeline is refilled, and while the fetch side delivers nothing (frontend). Misses overlap
 * as far as the window and the number of outstanding misses (MSHRs) allow.
 *
 * A block is timed when the next one starts: by then its late accesses are recorded (struct
 * apmu_uarch__late_access). Instructions start and finish in whole cycles. Dispatch goes on in ticks,
 * APMU_UARCH__TICKS per slot; cycle n begins at tick n * `cycle`.
 *
 * Not modelled: schedulers of more than APMU_UARCH__SCHEDULER entries, replays, skipped conditional
 * instructions, and dependences on flags between blocks.
 */
#ifndef APMU_UARCH_WINDOW_H
#define APMU_UARCH_WINDOW_H

#include "uarch/block.h"
#include "uarch/forward.h"
#include "uarch/pipes.h"

#define APMU_UARCH__TICKS           12u
#define APMU_UARCH__SCHEDULER       64u /* entries of a scheduler, at most */
#define APMU_UARCH__LATE_ACCESSES   256u
#define APMU_UARCH__FORWARDED_LOADS 256u /* store-to-load forwarded loads of a block */

struct apmu_uarch;

/* The window (reorder buffer), the load queue, the store queue: entries retire in order, in chunks. */
enum apmu_uarch__queues { APMU_UARCH__OPS, APMU_UARCH__LOADS, APMU_UARCH__STORES, APMU_UARCH__QUEUES };
struct apmu_uarch__leave {
	uint64_t due;   /* running number of dispatched entries by which the chunk must have left */
	uint64_t until; /* cycle in which it leaves */
};
struct apmu_uarch__queue {
	uint32_t size;        /* entries; 0: no limit, and no chunks are kept */
	uint32_t mask;        /* of chunk[] */
	uint32_t first, last; /* oldest chunk still in; next free one, whose `due` is never reached */
	uint64_t count;       /* dispatched */
	uint64_t newest;      /* `until` of the chunk put in last; 0: all have left */
	struct apmu_uarch__leave *chunk; /* [mask + 1], more than it can hold */
};

/* Instructions that wait for operands or a pipe. They leave in any order. */
struct apmu_uarch__scheduler {
	uint32_t size;                          /* entries; 0: no limit */
	uint32_t next;                          /* the one that is likely to be free */
	uint64_t leaves[APMU_UARCH__SCHEDULER]; /* cycle in which each makes room */
};

/* The schedulers before a group of pipes: elements of scheduler[], the second the same as the first where
 * there is one. */
struct apmu_uarch__waits {
	uint8_t in, or_in;
};
struct apmu_uarch__waits apmu_uarch__waits_in(const struct apmu_uarch_params *p, unsigned unit);

/* Dispatch stalls, by cause. */
enum apmu_uarch__waited {
	APMU_UARCH__WAIT_WINDOW,
	APMU_UARCH__WAIT_QUEUE,
	APMU_UARCH__WAIT_MEMORY, /* a part of those two, as are the next; up to MAIN: a late load's */
	APMU_UARCH__WAIT_L3,
	APMU_UARCH__WAIT_L2,
	APMU_UARCH__WAIT_TABLES,
	APMU_UARCH__WAIT_MAIN,
	APMU_UARCH__WAIT_STORE, /* the store queue is full */
	APMU_UARCH__WAIT_LOADS, /* the load queue is full, without a late load */
	APMU_UARCH__WAIT_BARRIER,
	APMU_UARCH__WAITS
};
#define APMU_UARCH__CAUSES (APMU_UARCH__WAIT_STORE - APMU_UARCH__WAIT_MEMORY) /* of late loads */

/* Why a result is late. */
enum apmu_uarch__waiting {
	APMU_UARCH__FOR_ALIGNMENT, /* a second look-up, of an unaligned access */
	APMU_UARCH__FOR_CACHE,     /* L2, or a line in flight */
	APMU_UARCH__FOR_MAIN,      /* the main TLB */
	APMU_UARCH__FOR_TABLES,    /* a table walk */
	APMU_UARCH__FOR_L3,
	APMU_UARCH__FOR_MEMORY,
	APMU_UARCH__FOR_RESULT, /* a long operation of an earlier block */
	APMU_UARCH__FOR_UNIT,   /* a busy pipe */
	APMU_UARCH__WAITINGS
};

/* A late access. */
enum apmu_uarch__late_kind {
	APMU_UARCH__LATE_MISS,
	APMU_UARCH__LATE_CYCLES,
	APMU_UARCH__LATE_IN_FLIGHT,
	APMU_UARCH__LATE_COMING, /* hit on a prefetched line that is in flight */
	APMU_UARCH__LATE_AHEAD   /* not late: its start triggers a prefetch */
};
struct apmu_uarch__late_access {
	uint64_t line; /* by kind also: cycles, or the slot in L1 data */
	uint16_t step;
	uint8_t kind; /* enum apmu_uarch__late_kind */
	uint8_t at;   /* enum apmu_uarch__at; for LATE_CYCLES enum apmu_uarch__waiting */
};

struct apmu_uarch__memo;
struct apmu_uarch__memo_set;
struct apmu_uarch__retire;

/* How a block ended: the cycles that its branch cost, and bits; more of them are fast/memo.c's. */
#define APMU_UARCH__END_CYCLES  0xFFu
#define APMU_UARCH__END_FLUSHED 0x100u /* it was mispredicted */
#define APMU_UARCH__END_TAKEN   0x200u /* predicted, and it went; said where the row has `dispatch.taken` */

struct apmu_uarch__window {
	uint64_t now;     /* ticks: the next dispatch */
	uint64_t follows; /* ticks: not before, what follows the next taken branch; its bubbles apart */
	uint32_t gap;     /* ticks from what follows a taken branch to what follows the next */
	uint32_t bubbles; /* ticks of its bubbles that pass in that time, at most; 0: they pass after it */
	bool breaks;      /* what follows a taken branch begins a cycle */
	uint32_t past;    /* ticks by which `follows` may lie behind dispatch and still matter */
	uint64_t counted; /* ticks added to CYCLES so far */
	uint64_t cycles;  /* ... which are so many cycles */
	uint32_t cycle;   /* ticks per cycle */
	uint32_t inverse; /* of `cycle`, for apmu_uarch__whole_cycles() */
	struct apmu_uarch__memo *memo;    /* memo.h; NULL: every block is run */
	struct apmu_uarch__memo_set *set; /* with a state: the memo's transitions by the current block */
	uint32_t state;                   /* not 0: registers, pipes and queues are this state of the memo */
	unsigned late_accesses, forwarded_loads; /* used elements of late_access[], of forwarded_load[] */
	uint32_t stored;                         /* running number of stores */
	uint32_t late_stores; /* so many of the stores before the current block may still be late, the last
				 ones */
	uint32_t decoded;     /* instructions of the current block that the MOP cache had not */
	uint64_t followed;    /* blocks found in the memo */
	uint64_t waited[APMU_UARCH__WAITS]; /* stall ticks not yet added to the stall signals */
	uint64_t idle;                      /* ticks of empty backend slots not yet added to SLOT_BACK */
	uint32_t unfed;                     /* ticks of empty frontend slots not yet added to SLOT_FRONT */
	uint64_t retired;                   /* cycle in which all dispatched so far has retired */
	uint64_t drained;                   /* ... in which its stores have left the store queue */
	uint64_t from[APMU_UARCH__CAUSES];  /* ... of the arrival of the last load that this makes late */
	bool causes;                        /* causes other than memory are wanted */
	uint32_t scale;                     /* cycles of the stall signals per cycle that is counted */
	uint32_t off;                       /* stretches of which the last ones that do not count were made */
	uint64_t turn;     /* ticks: when counting them is turned on or off; UINT64_MAX: never */
	uint64_t parted;   /* stall cycles not yet attributed to a cause */
	uint64_t branch;   /* cycle in which the last instruction run finishes */
	uint64_t departed; /* ... in which the last miss left for the next level */
	struct apmu_uarch__queue queue[APMU_UARCH__QUEUES];
	uint64_t ready[APMU_UARCH__REGISTERS + 1]; /* cycle */
	struct apmu_uarch__all_pipes pipes;
	bool scheduling;           /* a scheduler has a size */
	uint32_t scheduler_cycles; /* from the start of an instruction until its entry is free */
	struct apmu_uarch__waits waits_in[APMU_UNITS];
	struct apmu_uarch__scheduler scheduler[APMU_UNITS]; /* [0]: without limit */
	unsigned ordered;       /* group of pipes whose instructions start in their order; 0: none */
	uint64_t started;       /* cycle: the last of them */
	uint32_t factor;        /* cycles by which what an ALU computes reaches a multiplication later */
	uint32_t forward, fail; /* cycles from a store's start to a forwarded load's; if forwarding fails */
	uint64_t data[APMU_UARCH__DATA]; /* of the last of them: cycle in which the later of the two has
					    passed */
	struct apmu_uarch__forwarded_load
		forwarded_load[APMU_UARCH__FORWARDED_LOADS]; /* of the current block, in its order */
	uint64_t forward_fingerprint;                        /* hash of all of them; 0: none */
	unsigned next_late_access, next_forwarded_load;      /* of the block that is timed */
	struct apmu_uarch__retire *retire; /* attribution of time (retire.h); NULL: not wanted */
	const struct apmu_uarch__op
		*next_irregular; /* its next instruction with either; its end if there is none */
	struct apmu_uarch__late_access late_access[APMU_UARCH__LATE_ACCESSES];
	struct apmu_uarch__leave chunk[]; /* of all queues */
};

static inline unsigned apmu_uarch__ticks_per_cycle(const struct apmu_uarch_params *p)
{
	return APMU_UARCH__TICKS * p->width;
}

/* A division is dear. The inverse is too large by at most 1, so the quotient by at most ticks / 2^INVERSE:
 * less than one tick's share of a cycle, which is what could make it wrong. */
#define APMU_UARCH__INVERSE 35         /* bits */
#define APMU_UARCH__FEW     (1u << 27) /* ticks; a cycle has at most 192 */
static inline uint64_t apmu_uarch__whole_cycles(const struct apmu_uarch__window *w, uint64_t ticks)
{
	return ticks < APMU_UARCH__FEW ? ticks * w->inverse >> APMU_UARCH__INVERSE : ticks / w->cycle;
}

/* Ticks of dispatch's cycle that have passed. */
static inline uint32_t apmu_uarch__phase(const struct apmu_uarch__window *w)
{
	uint64_t ticks = w->now - w->counted;
	return (uint32_t)(ticks - apmu_uarch__whole_cycles(w, ticks) * w->cycle);
}

/* The cycle of a tick, which is not before those that CYCLES has. */
static inline uint64_t apmu_uarch__cycle_of(const struct apmu_uarch__window *w, uint64_t ticks)
{
	return w->cycles + apmu_uarch__whole_cycles(w, ticks - w->counted);
}

/* That of the next dispatch. */
static inline uint64_t apmu_uarch__dispatching(const struct apmu_uarch__window *w)
{
	return apmu_uarch__cycle_of(w, w->now);
}

struct apmu_uarch__window *apmu_uarch__window_new(const struct apmu_uarch_params *p);
void apmu_uarch__window_free(struct apmu_uarch__window *w);

/* Times the first `n` instructions of the block, all of whose late accesses are recorded. */
void apmu_uarch__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n);

/* Dispatch stalls until `until`: window or queue full. */
void apmu_uarch__window_wait(struct apmu_uarch *u, uint64_t until, enum apmu_uarch__waited where);

/* Times the block to its end, which is `end`: APMU_UARCH__END_... */
void apmu_uarch__window_pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end);

/* apmu_uarch__window_pass() without the memo. */
void apmu_uarch__window_step(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end);

/* The fetch side delivers nothing for `cycles`. */
void apmu_uarch__window_starve(struct apmu_uarch *u, uint64_t cycles);

/* The load/store unit accepts nothing for `cycles`. */
void apmu_uarch__window_hold(struct apmu_uarch *u, uint64_t cycles);

/* Advances CYCLES, the stall signals and the machine's clock to the dispatch time. */
void apmu_uarch__window_count(struct apmu_uarch *u);

/* Adds stalls of a whole cycle or more to the stall signals. */
void apmu_uarch__window_count_waits(struct apmu_uarch *u);

/* Turns counting of stalls on or off (apmu_uarch_estimate_stalls()). */
void apmu_uarch__window_turn(struct apmu_uarch *u);

/* Why the access is late: an element of from[]; APMU_UARCH__CAUSES: for nothing that is counted. */
unsigned apmu_uarch__cause(const struct apmu_uarch__late_access *n);

/* Records that the access of step i of the current block is late. */
static inline void apmu_uarch__record_late(struct apmu_uarch__window *w, unsigned i,
					   enum apmu_uarch__late_kind kind, unsigned at, uint64_t value)
{
	if (w->late_accesses == APMU_UARCH__LATE_ACCESSES)
		return;
	w->late_access[w->late_accesses++] =
		(struct apmu_uarch__late_access){value, (uint16_t)i, (uint8_t)kind, (uint8_t)at};
}

#endif
