/* SPDX-License-Identifier: MIT */
/**
 * The out-of-order model: an interval model with a data flow.
 *
 * Instructions are dispatched in order, `width` a cycle, into a window of `rob` instructions from which they
 * retire in order; each starts when its operands have come and a pipe of its group is free. The dispatch time
 * is the core's clock. It stands still while the window, or the load or store queue, is full (backend), after
 * a mispredicted branch until that has been executed and the pipeline refilled, and while the fetch side has
 * nothing (frontend). Misses overlap as far as the window and the outstanding misses allow.
 *
 * A block is run when the next one starts: by then its accesses have left notes on what was late. Time is
 * counted in ticks, APMU_UARCH__TICKS a slot of dispatch, so that a pipe of a group of up to four divides
 * evenly.
 *
 * Left out: how many instructions the queues of the pipes hold, replays, conditional instructions that are
 * skipped, and dependences on flags between blocks.
 */
#ifndef APMU_UARCH_WINDOW_H
#define APMU_UARCH_WINDOW_H

#include "uarch/block.h"
#include "uarch/forward.h"

#define APMU_UARCH__TICKS 12u
#define APMU_UARCH__NOTES 256u
#define APMU_UARCH__TAKES 64u /* loads of a block that take their data from stores */

struct apmu_uarch;

/* The window, the load queue, the store queue: what is in them leaves in order, a chunk at a time. */
enum apmu_uarch__queues { APMU_UARCH__OPS, APMU_UARCH__LOADS, APMU_UARCH__STORES, APMU_UARCH__QUEUES };
struct apmu_uarch__leave {
	uint64_t due;   /* when so many have been dispatched, it must have left; a running number */
	uint64_t until; /* ticks: when it has */
};
struct apmu_uarch__queue {
	uint32_t size;                   /* places; 0: no limit, and no chunks are kept */
	uint32_t mask;                   /* of chunk[] */
	uint32_t first, last;            /* oldest chunk still in, next free: due never */
	uint64_t count;                  /* dispatched */
	uint64_t newest;                 /* until of the chunk put in last; 0: all have left */
	struct apmu_uarch__leave *chunk; /* [mask + 1], more than it can have */
};

/* What dispatch waited for. */
enum apmu_uarch__waited {
	APMU_UARCH__WAIT_WINDOW,
	APMU_UARCH__WAIT_QUEUE,
	APMU_UARCH__WAIT_MEMORY, /* from here on, parts of those two: a late load explains it */
	APMU_UARCH__WAIT_L3,
	APMU_UARCH__WAIT_L2,
	APMU_UARCH__WAIT_TABLES,
	APMU_UARCH__WAIT_MAIN,
	APMU_UARCH__WAIT_STORE, /* the store queue is full */
	APMU_UARCH__WAIT_LOADS, /* the load queue is full, and no late load explains it */
	APMU_UARCH__WAIT_BARRIER,
	APMU_UARCH__WAITS
};
#define APMU_UARCH__CAUSES (APMU_UARCH__WAIT_STORE - APMU_UARCH__WAIT_MEMORY) /* what makes a load late */

/* What a load waits for. */
enum apmu_uarch__waiting {
	APMU_UARCH__FOR_ALIGNMENT, /* a second look-up */
	APMU_UARCH__FOR_CACHE,     /* L2, or a line on its way */
	APMU_UARCH__FOR_MAIN,      /* the main TLB */
	APMU_UARCH__FOR_TABLES,
	APMU_UARCH__FOR_L3,
	APMU_UARCH__FOR_MEMORY,
	APMU_UARCH__FOR_RESULT, /* of a long operation of a block before */
	APMU_UARCH__FOR_UNIT,   /* which is busy */
	APMU_UARCH__WAITINGS
};

/* An access that was late. */
enum apmu_uarch__late {
	APMU_UARCH__LATE_MISS,
	APMU_UARCH__LATE_CYCLES,
	APMU_UARCH__LATE_IN_FLIGHT,
	APMU_UARCH__LATE_COMING, /* the prefetcher's line in that slot is on its way */
	APMU_UARCH__LATE_AHEAD   /* not late: when it starts, the prefetcher asks for a line */
};
struct apmu_uarch__note {
	uint64_t line; /* or cycles; or the slot in L1 data */
	uint16_t step;
	uint8_t kind; /* enum apmu_uarch__late */
	uint8_t at;   /* enum apmu_uarch__at; of cycles enum apmu_uarch__waiting */
};

struct apmu_uarch__memo;
struct apmu_uarch__edge;
struct apmu_uarch__retire;

struct apmu_uarch__window {
	uint64_t now;                  /* ticks: the next dispatch */
	uint64_t told;                 /* of them, those that CYCLES has had */
	uint32_t cycle;                /* ticks */
	uint32_t inverse;              /* of it, for apmu_uarch__window_cycles() */
	struct apmu_uarch__memo *memo; /* memo.h; NULL: every block is run */
	const struct apmu_uarch__edge
		*edge;         /* where the memo has the current block, if nothing is late; never NULL */
	uint32_t shape;        /* not 0: registers, pipes, queues stand in the memo instead */
	unsigned notes, takes; /* elements of note[], taken[] in use */
	uint32_t stored;       /* stores run; a running number */
	uint64_t followed;     /* blocks that the memo knew */
	uint64_t waited[APMU_UARCH__WAITS]; /* ticks of stall that the stall events have not had */
	uint64_t idle;             /* ticks of slots left empty at the back that SLOT_BACK has not had */
	uint64_t retired, drained; /* what has been dispatched so far will have left by then */
	uint64_t from[APMU_UARCH__CAUSES]; /* the last load that was late for this cause arrives */
	bool causes;                       /* those beyond memory are wanted */
	uint64_t parted;                   /* cycles told as stalls and not yet as a part of them */
	uint64_t branch;                   /* the last instruction run finishes */
	uint64_t departed;                 /* the last miss left for the level below */
	struct apmu_uarch__queue queue[APMU_UARCH__QUEUES];
	uint64_t ready[APMU_UARCH__REGISTERS + 1];
	uint64_t pipe[APMU_UNITS];
	uint32_t forward, fail; /* ticks from a store's start to that of a load that takes its data */
	uint64_t data[APMU_UARCH__DATA]; /* of the last of them: when the later of the two has passed */
	struct apmu_uarch__taken taken[APMU_UARCH__TAKES]; /* of the current block, in its order */
	uint64_t taken_print;                              /* of all of them; 0: none */
	unsigned next_note, next_take;                     /* of the block that is run */
	struct apmu_uarch__retire *retire; /* who holds up whom (retire.h); NULL: nobody asks */
	const struct apmu_uarch__op *odd;  /* ... its next instruction that has one; none: its end */
	struct apmu_uarch__note note[APMU_UARCH__NOTES];
	struct apmu_uarch__leave chunk[]; /* of all queues */
};

static inline unsigned apmu_uarch__ticks_per_cycle(const struct apmu_uarch_params *p)
{
	return APMU_UARCH__TICKS * p->width;
}

struct apmu_uarch__window *apmu_uarch__window_new(const struct apmu_uarch_params *p);
void apmu_uarch__window_free(struct apmu_uarch__window *w);

/* Runs the first `n` instructions of the block, whose notes are complete. */
void apmu_uarch__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n);

/* Dispatch waits until `until`: window or queue full. */
void apmu_uarch__window_wait(struct apmu_uarch *u, uint64_t until, enum apmu_uarch__waited where);

/* Runs the block to its end, whose branch cost `cycles`; `flushed` if it was mispredicted. */
void apmu_uarch__window_pass(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed);

/* ... without looking into the memo. */
void apmu_uarch__window_step(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed);

/* Nothing comes from the fetch side for a while. */
void apmu_uarch__window_starve(struct apmu_uarch *u, uint64_t cycles);

/* The load/store unit takes nothing for a while. */
void apmu_uarch__window_hold(struct apmu_uarch *u, uint64_t cycles);

/* Brings CYCLES, the stall events and the machine's clock up to the dispatch time. */
void apmu_uarch__window_tell(struct apmu_uarch *u);

/* ... the stall events, where they have waited for a cycle or more. */
void apmu_uarch__window_tell_waits(struct apmu_uarch *u);

/* What makes a load late: an element of from[]; APMU_UARCH__CAUSES: nothing that is counted. */
unsigned apmu_uarch__cause(const struct apmu_uarch__note *n);

/* The access of step i of the current block is late. */
static inline void apmu_uarch__window_note(struct apmu_uarch__window *w, unsigned i,
					   enum apmu_uarch__late kind, unsigned at, uint64_t value)
{
	if (w->notes == APMU_UARCH__NOTES)
		return;
	w->note[w->notes++] = (struct apmu_uarch__note){value, (uint16_t)i, (uint8_t)kind, (uint8_t)at};
}

#endif
