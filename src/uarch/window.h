/* SPDX-License-Identifier: MIT */
/**
 * The out-of-order model: an interval model of the reorder buffer with data-flow timing.
 *
 * Micro-operations are dispatched in order, `width` per cycle, into a reorder buffer (window) of `rob`
 * entries, from which they retire in order. An instruction starts when its operands are ready and a pipe
 * of its group is free (pipes.h). The dispatch time is the core's clock. The clock stands still while the
 * window, the load queue, the store queue or a scheduler is full (backend), from a mispredicted branch until
 * the branch has executed and the pipeline is refilled, and while the fetch side delivers nothing (frontend).
 * Misses overlap as far as the window and the number of outstanding misses (MSHRs) allow.
 *
 * A block is timed when the next one starts: by then its late accesses are recorded (struct
 * apmu_uarch__late_access). Instructions start and finish in whole cycles. Dispatch goes on in ticks,
 * APMU_UARCH__TICKS per slot; cycle n begins at tick n * `cycle`.
 *
 * Not modelled: schedulers of more than APMU_UARCH__SCHEDULER entries, replays, skipped conditional
 * instructions, and dependences on flags between different blocks.
 */
#ifndef APMU_UARCH_WINDOW_H
#define APMU_UARCH_WINDOW_H

#include "uarch/block.h"
#include "uarch/forward.h"
#include "uarch/pipes.h"
#include "uarch/run_ahead.h"

#define APMU_UARCH__TICKS           12u
#define APMU_UARCH__SCHEDULER       64u /* entries of a scheduler, at most */
#define APMU_UARCH__LATE_ACCESSES   256u
#define APMU_UARCH__FORWARDED_LOADS 256u /* store-to-load forwarded loads of a block */

struct apmu_uarch;

/* The in-order queues: the window (reorder buffer), the load queue, the store queue, and the renamed flag
 * registers of instructions that set the condition flags. Their entries leave in chunks. */
enum apmu_uarch__queues {
	APMU_UARCH__OPS,
	APMU_UARCH__LOADS,
	APMU_UARCH__STORES,
	APMU_UARCH__SETTERS,
	APMU_UARCH__QUEUES
};
struct apmu_uarch__leave {
	uint64_t due;   /* running number of dispatched entries by which the chunk must have left */
	uint64_t until; /* cycle in which it leaves */
};
struct apmu_uarch__queue {
	uint32_t size;        /* entries; 0: no limit, and no chunks are kept */
	uint32_t mask;        /* of chunk[] */
	uint32_t first, last; /* oldest chunk still in; next free element, whose `due` is UINT64_MAX */
	uint64_t count;       /* entries dispatched so far */
	uint64_t newest;      /* `until` of the chunk put in last; 0: none */
	struct apmu_uarch__leave *chunk; /* [mask + 1], more chunks than the queue can hold */
};

/* A scheduler holds micro-operations that wait for operands or a pipe. They leave in any order. */
struct apmu_uarch__scheduler {
	uint32_t size;         /* entries; 0: no limit */
	uint32_t next;         /* the entry that is likely to be free */
	uint64_t latest;       /* from this cycle on all entries are free; OCCUPIED: not known */
	uint8_t first, second; /* the two that feed a group, if it is one of them; else 0 */
	bool turn; /* in the first of them: the next goes into the second, unless both are empty by then */
	uint64_t leaves[APMU_UARCH__SCHEDULER]; /* cycle in which each entry becomes free, or OCCUPIED */
};
#define APMU_UARCH__OCCUPIED UINT64_MAX /* until the instruction being timed has started */

/* The schedulers that feed a group of pipes: indices of scheduler[], equal if only one does. If two do, they
 * are chosen in turn; what goes into one takes a pipe of the group whose number that scheduler has, except
 * the vector part of a load or store, which takes whichever pipe of the whole group is free first. */
struct apmu_uarch__schedulers {
	uint8_t in, or_in;
};
/* The group, or the smallest larger one around it, that has a scheduler of its own; 0: none. */
unsigned apmu_uarch__scheduled_group(const struct apmu_uarch_params *p, unsigned unit);
struct apmu_uarch__schedulers apmu_uarch__schedulers_of(const struct apmu_uarch_params *p, unsigned unit);

/* Dispatch stalls, by cause. */
enum apmu_uarch__stall_kind {
	APMU_UARCH__STALL_WINDOW,
	APMU_UARCH__STALL_QUEUE,
	APMU_UARCH__STALL_MEMORY, /* from here on: causes, among which the two above are divided; up to MAIN:
				     late loads, by where their line or translation came from */
	APMU_UARCH__STALL_L3,
	APMU_UARCH__STALL_L2,
	APMU_UARCH__STALL_TABLES,
	APMU_UARCH__STALL_MAIN,
	APMU_UARCH__STALL_STORE, /* the store queue is full, without a late load */
	APMU_UARCH__STALL_LOADS, /* the load queue is full, without a late load */
	APMU_UARCH__STALL_BARRIER,
	APMU_UARCH__STALL_KINDS
};
#define APMU_UARCH__CAUSES (APMU_UARCH__STALL_STORE - APMU_UARCH__STALL_MEMORY) /* of late loads */

/* Why a result is late. */
enum apmu_uarch__late_reason {
	APMU_UARCH__FOR_ALIGNMENT, /* a second look-up, of an unaligned access */
	APMU_UARCH__FOR_CACHE,     /* L2, or a line in flight */
	APMU_UARCH__FOR_MAIN,      /* the main TLB */
	APMU_UARCH__FOR_TABLES,    /* a table walk */
	APMU_UARCH__FOR_L3,
	APMU_UARCH__FOR_MEMORY,
	APMU_UARCH__FOR_RESULT, /* a long operation of an earlier block */
	APMU_UARCH__FOR_UNIT,   /* a busy pipe */
	APMU_UARCH__LATE_REASONS
};

/* A late access. */
enum apmu_uarch__late_kind {
	APMU_UARCH__LATE_MISS,
	APMU_UARCH__LATE_CYCLES,
	APMU_UARCH__LATE_IN_FLIGHT,
	APMU_UARCH__LATE_PREFETCHED, /* hit on a prefetched line that is in flight */
	APMU_UARCH__LATE_TRIGGER     /* not late: its start triggers a prefetch */
};
struct apmu_uarch__late_access {
	uint64_t value; /* LATE_MISS, LATE_IN_FLIGHT: line; LATE_CYCLES: cycles; else slot in the L1 data
			   cache */
	uint16_t step;
	uint8_t kind; /* enum apmu_uarch__late_kind */
	uint8_t at;   /* enum apmu_uarch__at; for LATE_CYCLES enum apmu_uarch__late_reason */
};

struct apmu_uarch__memo;
struct apmu_uarch__memo_set;
struct apmu_uarch__retire;

/* How a block ended: the cycles that its branch cost, and flags. fast/memo.c adds further bits. */
#define APMU_UARCH__END_CYCLES  0xFFu
#define APMU_UARCH__END_FLUSHED 0x100u /* the branch was mispredicted */
#define APMU_UARCH__END_TAKEN   0x200u /* taken, not mispredicted; set only with a limit `dispatch.taken` */

struct apmu_uarch__window {
	uint64_t now;     /* tick of the next dispatch */
	uint64_t follows; /* earliest tick at which the target of the next taken branch is dispatched, its
			     bubbles not included */
	uint32_t gap;     /* fewest ticks between the targets of two taken branches; 0: no limit */
	uint32_t bubbles; /* ticks of a taken branch's bubbles, if they overlap with dispatch; 0: they begin
			     when the branch has been dispatched */
	bool breaks;      /* the target of a taken branch is dispatched in a new cycle */
	uint32_t past;    /* ticks by which `follows` may be before `now` and still matter */
	uint64_t counted; /* ticks added to CYCLES so far */
	uint64_t cycles;  /* `counted` in cycles */
	uint32_t cycle;   /* ticks per cycle */
	uint32_t inverse; /* reciprocal of `cycle`, for apmu_uarch__whole_cycles() */
	struct apmu_uarch__memo *memo;    /* memo.h; NULL: every block is run */
	struct apmu_uarch__memo_set *set; /* if `state` is not 0: the memo's, for it and the current block */
	uint32_t state; /* not 0: registers, pipes and queues are packed into this state of the memo */
	unsigned late_accesses, forwarded_loads; /* used elements of late_access[], of forwarded_load[] */
	uint32_t stored;                         /* stores so far */
	uint32_t late_stores; /* number of the youngest stores before the current block whose data may still
				 be late */
	uint32_t decoded;     /* instructions of the current block that missed in the MOP cache */
	uint64_t followed;    /* blocks found in the memo */
	uint64_t stalled[APMU_UARCH__STALL_KINDS]; /* stall ticks not yet added to the stall signals */
	uint64_t idle;    /* ticks of empty backend slots not yet added to SLOT_BACK */
	uint32_t unfed;   /* ticks of empty frontend slots not yet added to SLOT_FRONT */
	uint64_t retired; /* cycle in which everything dispatched so far has retired */
	uint64_t drained; /* cycle in which all stores dispatched so far have left the store queue */
	uint64_t from[APMU_UARCH__CAUSES]; /* by cause: cycle in which the last load that is late for it
					      arrives */
	bool counts;                       /* stalls are counted now */
	bool causes;                       /* stalls are counted by cause now, not only those of memory */
	uint32_t scale;                    /* cycles added to the stall signals per cycle that is counted */
	uint32_t off;    /* length of the last period without counting of stalls, in stretches (window.c) */
	uint64_t turn;   /* tick at which counting of stalls is turned on or off; UINT64_MAX: never */
	uint64_t parted; /* stall cycles not yet attributed to a cause */
	uint64_t branch; /* cycle in which the last instruction run finishes */
	uint64_t issued; /* cycle in which the last access started that misses or triggers a prefetch */
	struct apmu_uarch__queue queue[APMU_UARCH__QUEUES];
	uint64_t ready[APMU_UARCH__REGISTERS + 1]; /* cycle in which each register is ready */
	struct apmu_uarch__all_pipes pipes;
	bool scheduling;           /* some scheduler has a limited size */
	bool by_room;              /* of two schedulers the one with more room is chosen, not each by turns */
	bool bound;                /* scheduler_bound */
	uint32_t scheduler_cycles; /* from the start of an instruction until its entry is free */
	struct apmu_uarch__schedulers schedulers_of[APMU_UNITS];
	struct apmu_uarch__scheduler scheduler[APMU_UNITS]; /* by group of pipes; [0]: no limit */
	unsigned ordered;       /* group of pipes whose instructions start in program order; 0: none */
	uint64_t started;       /* cycle in which the last instruction of that group started */
	uint32_t factor;        /* extra cycles from an ALU result to a multiplication */
	uint32_t mulh_flags;    /* extra cycles for condition flags that pass a multiplication */
	uint32_t flag_cycles;   /* cycles from retirement until a renamed flag register is free */
	bool forwards;          /* loads take data from stores */
	uint32_t forward, fail; /* cycles from a store's start to that of a load of its data; the same if
				   forwarding fails */
	uint64_t data[APMU_UARCH__DATA]; /* by number of the store: cycle of its start, plus those by which
					    its data come later than a general register's, plus `fail`, which
					    is at least `forward` */
	bool fails_late;                 /* forward_retired */
	uint64_t retired_by[APMU_UARCH__DATA]; /* with fails_late, of the stores of the current block: cycle
						  in which all before the store have retired, plus `fail` */
	struct apmu_uarch__forwarded_load
		forwarded_load[APMU_UARCH__FORWARDED_LOADS]; /* of the current block, in program order */
	uint64_t forward_fingerprint;                        /* hash of forwarded_load[]; 0: it is empty */
	unsigned next_late_access, next_forwarded_load; /* next elements to use, while a block is timed */
	struct apmu_uarch__run_ahead run_ahead;
	struct apmu_uarch__retire *retire;           /* attribution of time (retire.h); NULL: not wanted */
	void *memo_memory;                           /* the allocation that holds the memo */
	const struct apmu_uarch__op *next_irregular; /* next instruction of that block with a late access or a
							forwarded load; the block's end if there is none */
	struct apmu_uarch__late_access late_access[APMU_UARCH__LATE_ACCESSES];
	struct apmu_uarch__leave chunk[]; /* the chunks of all queues */
};

static inline unsigned apmu_uarch__ticks_per_cycle(const struct apmu_uarch_params *p)
{
	return APMU_UARCH__TICKS * p->width;
}

/* Ticks in whole cycles, by a multiplication, which is faster than a division. The inverse is too large by at
 * most 1, so the quotient is too large by at most ticks / 2^INVERSE cycles. That is less than one tick, so
 * the whole cycles are right. */
#define APMU_UARCH__INVERSE 35         /* bits */
#define APMU_UARCH__FEW     (1u << 27) /* ticks; a cycle has at most 192 */
static inline uint64_t apmu_uarch__whole_cycles(const struct apmu_uarch__window *w, uint64_t ticks)
{
	return ticks < APMU_UARCH__FEW ? ticks * w->inverse >> APMU_UARCH__INVERSE : ticks / w->cycle;
}

/* Ticks of the current dispatch cycle that have passed. */
static inline uint32_t apmu_uarch__phase(const struct apmu_uarch__window *w)
{
	uint64_t ticks = w->now - w->counted;
	return (uint32_t)(ticks - apmu_uarch__whole_cycles(w, ticks) * w->cycle);
}

/* The cycle of a tick, which must not be before `counted`. */
static inline uint64_t apmu_uarch__cycle_of(const struct apmu_uarch__window *w, uint64_t ticks)
{
	return w->cycles + apmu_uarch__whole_cycles(w, ticks - w->counted);
}

/* The cycle of the next dispatch. */
static inline uint64_t apmu_uarch__dispatching(const struct apmu_uarch__window *w)
{
	return apmu_uarch__cycle_of(w, w->now);
}

struct apmu_uarch__window *apmu_uarch__window_new(const struct apmu_uarch_params *p);
void apmu_uarch__window_free(struct apmu_uarch__window *w);

/* Times the first `n` instructions of the block, all of whose late accesses are recorded. */
void apmu_uarch__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n);

/* Stalls dispatch until the cycle `until`, for the reason `where`. */
void apmu_uarch__window_wait(struct apmu_uarch *u, uint64_t until, enum apmu_uarch__stall_kind where);

/* Times the block, which ended as `end` says (APMU_UARCH__END_...). */
void apmu_uarch__window_pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end);

/* apmu_uarch__window_pass() without the memo. */
void apmu_uarch__window_step(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end);

/* Nothing is dispatched for `cycles` cycles, because the fetch side delivers nothing (`why`: SLOT_FRONT) or a
 * Strongly Ordered access waits (SLOT_BACK). */
void apmu_uarch__window_starve(struct apmu_uarch *u, uint64_t cycles, enum apmu_signal why);

/* The load/store unit accepts nothing for `cycles` cycles. */
void apmu_uarch__window_hold(struct apmu_uarch *u, uint64_t cycles);

/* Adds stalls of a whole cycle or more to the stall signals. */
void apmu_uarch__window_count_stalls(struct apmu_uarch *u);

/* Turns counting of stalls on or off (apmu_uarch_estimate_stalls()). */
void apmu_uarch__window_turn(struct apmu_uarch *u);

/* late_ops.c: why the access is late, an index of from[]; APMU_UARCH__CAUSES: for nothing that is counted. */
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

static inline uint64_t apmu_uarch__later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif
