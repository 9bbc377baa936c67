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
 * counted in ticks, APMU__TICKS a slot of dispatch, so that a pipe of a group of up to four divides evenly.
 *
 * Left out: how many instructions the queues of the pipes hold, replays, conditional instructions that are
 * skipped, and dependences on flags between blocks.
 */
#ifndef APMU_UARCH_WINDOW_H
#define APMU_UARCH_WINDOW_H

#include "uarch/block.h"
#include "uarch/forward.h"

#define APMU__TICKS 12u
#define APMU__NOTES 256u
#define APMU__TAKES 64u /* loads of a block that take their data from stores */

struct apmu_uarch;

/* The window, the load queue, the store queue: what is in them leaves in order, a chunk at a time. */
enum apmu__queues { APMU__OPS, APMU__LOADS, APMU__STORES, APMU__QUEUES };
struct apmu__leave {
	uint64_t due;   /* when so many have been dispatched, it must have left; a running number */
	uint64_t until; /* ticks: when it has */
};
struct apmu__queue {
	uint32_t size;             /* places; 0: no limit, and no chunks are kept */
	uint32_t mask;             /* of chunk[] */
	uint32_t first, last;      /* oldest chunk still in, next free: due never */
	uint64_t count;            /* dispatched */
	uint64_t newest;           /* until of the chunk put in last; 0: all have left */
	struct apmu__leave *chunk; /* [mask + 1], more than it can have */
};

/* What dispatch waited for. */
enum apmu__waited {
	APMU__WAIT_WINDOW,
	APMU__WAIT_QUEUE,
	APMU__WAIT_MEMORY, /* from here on, parts of those two: a late load explains it */
	APMU__WAIT_L3,
	APMU__WAIT_L2,
	APMU__WAIT_TABLES,
	APMU__WAIT_MAIN,
	APMU__WAIT_STORE, /* the store queue is full */
	APMU__WAIT_LOADS, /* the load queue is full, and no late load explains it */
	APMU__WAIT_BARRIER,
	APMU__WAITS
};
#define APMU__CAUSES (APMU__WAIT_STORE - APMU__WAIT_MEMORY) /* what makes a load late */

/* What a load waits for. */
enum apmu__waiting {
	APMU__FOR_ALIGNMENT, /* a second look-up */
	APMU__FOR_CACHE,     /* L2, or a line on its way */
	APMU__FOR_MAIN,      /* the main TLB */
	APMU__FOR_TABLES,
	APMU__FOR_L3,
	APMU__FOR_MEMORY,
	APMU__WAITINGS
};

/* An access that was late. */
enum apmu__late {
	APMU__LATE_MISS,
	APMU__LATE_CYCLES,
	APMU__LATE_IN_FLIGHT,
	APMU__LATE_COMING, /* the prefetcher's line in that slot is on its way */
	APMU__LATE_AHEAD   /* not late: when it starts, the prefetcher asks for a line */
};
struct apmu__note {
	uint64_t line; /* or cycles; or the slot in L1 data */
	uint16_t step;
	uint8_t kind; /* enum apmu__late */
	uint8_t at;   /* enum apmu__at; of cycles enum apmu__waiting */
};

struct apmu__memo;
struct apmu__edge;
struct apmu__retire;

struct apmu__window {
	uint64_t now;            /* ticks: the next dispatch */
	uint64_t told;           /* of them, those that CYCLES has had */
	uint32_t cycle;          /* ticks */
	uint32_t inverse;        /* of it, for apmu__window_cycles() */
	struct apmu__memo *memo; /* memo.h; NULL: every block is run */
	const struct apmu__edge
		*edge;         /* where the memo has the current block, if nothing is late; never NULL */
	uint32_t shape;        /* not 0: registers, pipes, queues stand in the memo instead */
	unsigned notes, takes; /* elements of note[], taken[] in use */
	uint32_t stored;       /* stores run; a running number */
	uint64_t followed;     /* blocks that the memo knew */
	uint64_t waited[APMU__WAITS]; /* ticks of stall that the stall events have not had */
	uint64_t idle;                /* ticks of slots left empty at the back that SLOT_BACK has not had */
	uint64_t retired, drained;    /* what has been dispatched so far will have left by then */
	uint64_t from[APMU__CAUSES];  /* the last load that was late for this cause arrives */
	bool causes;                  /* those beyond memory are wanted */
	uint64_t parted;              /* cycles told as stalls and not yet as a part of them */
	uint64_t branch;              /* the last instruction run finishes */
	uint64_t departed;            /* the last miss left for the level below */
	struct apmu__queue queue[APMU__QUEUES];
	uint64_t ready[APMU__REGISTERS + 1];
	uint64_t pipe[APMU_UNITS];
	uint32_t forward, fail;    /* ticks from a store's start to that of a load that takes its data */
	uint64_t data[APMU__DATA]; /* of the last of them: when the later of the two has passed */
	struct apmu__taken taken[APMU__TAKES]; /* of the current block, in its order */
	uint64_t taken_print;                  /* of all of them; 0: none */
	unsigned next_note, next_take;         /* of the block that is run */
	struct apmu__retire *retire;           /* who holds up whom (retire.h); NULL: nobody asks */
	const struct apmu__op *odd;            /* ... its next instruction that has one; none: its end */
	struct apmu__note note[APMU__NOTES];
	struct apmu__leave chunk[]; /* of all queues */
};

static inline unsigned apmu__ticks_per_cycle(const struct apmu_uarch_params *p)
{
	return APMU__TICKS * p->width;
}

struct apmu__window *apmu__window_new(const struct apmu_uarch_params *p);
void apmu__window_free(struct apmu__window *w);

/* Runs the first `n` instructions of the block, whose notes are complete. */
void apmu__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n);

/* Dispatch waits until `until`: window or queue full. */
void apmu__window_wait(struct apmu_uarch *u, uint64_t until, enum apmu__waited where);

/* Runs the block to its end, whose branch cost `cycles`; `flushed` if it was mispredicted. */
void apmu__window_pass(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed);

/* ... without looking into the memo. */
void apmu__window_step(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed);

/* Nothing comes from the fetch side for a while. */
void apmu__window_starve(struct apmu_uarch *u, uint64_t cycles);

/* The load/store unit takes nothing for a while. */
void apmu__window_hold(struct apmu_uarch *u, uint64_t cycles);

/* Brings CYCLES, the stall events and the machine's clock up to the dispatch time. */
void apmu__window_tell(struct apmu_uarch *u);

/* ... the stall events, where they have waited for a cycle or more. */
void apmu__window_tell_waits(struct apmu_uarch *u);

/* What makes a load late: an element of from[]; APMU__CAUSES: nothing that is counted. */
unsigned apmu__cause(const struct apmu__note *n);

/* The access of step i of the current block is late. */
static inline void apmu__window_note(struct apmu__window *w, unsigned i, enum apmu__late kind, unsigned at,
				     uint64_t value)
{
	if (w->notes == APMU__NOTES)
		return;
	w->note[w->notes++] = (struct apmu__note){value, (uint16_t)i, (uint8_t)kind, (uint8_t)at};
}

#endif
