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
 * Left out: the scheduler's size, forwarding from stores to loads, replays, conditional instructions that are
 * skipped, and dependences on flags between blocks.
 */
#ifndef APMU_UARCH_WINDOW_H
#define APMU_UARCH_WINDOW_H

#include "block.h"

#define APMU__TICKS 12u
#define APMU__CHUNK 8u /* instructions dispatched between two looks at the window's end */
#define APMU__NOTES 256u

struct apmu_uarch;

/* A chunk of the window: how many had been dispatched at its end, when it left. */
struct apmu__chunk {
	uint64_t ops, loads, stores; /* running numbers */
	uint64_t retired, drained;   /* ticks; stores leave their queue at `drained` */
};

/* An access that was late. */
enum apmu__late { APMU__LATE_MISS, APMU__LATE_CYCLES, APMU__LATE_IN_FLIGHT };
struct apmu__note {
	uint64_t line; /* or cycles */
	uint16_t step;
	uint8_t kind; /* enum apmu__late */
	uint8_t at;   /* enum apmu__at */
};

struct apmu__window {
	uint64_t now;                       /* ticks: the next dispatch */
	uint64_t retired, drained;          /* what has been dispatched so far will have left by then */
	uint64_t from_memory;               /* the last load from beyond the last level arrives */
	uint64_t branch;                    /* the last instruction run finishes */
	uint64_t ops, loads, stores;        /* dispatched */
	uint64_t told;                      /* cycles that CYCLES has had */
	uint32_t front, back, full, memory; /* ticks of stall that have not made a cycle yet */
	uint32_t cycle;                     /* ticks */
	unsigned first_op, first_load, first_store, last; /* of the ring: oldest still in, next free */
	uint64_t limit_op, limit_load, limit_store;       /* when what has left the ring made room */
	uint64_t ready[APMU__REGISTERS + 1];
	uint64_t pipe[APMU_UNITS];
	unsigned notes;
	struct apmu__note note[APMU__NOTES];
	unsigned ring_mask;
	struct apmu__chunk ring[]; /* [ring_mask + 1], more than the window can have */
};

static inline unsigned apmu__ticks_per_cycle(const struct apmu_uarch_params *p)
{
	return APMU__TICKS * p->width;
}

struct apmu__window *apmu__window_new(const struct apmu_uarch_params *p);

/* Runs the first `n` instructions of the block, whose notes are complete. */
void apmu__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n);

/* The branch at its end cost `cycles`; `flushed` if it was mispredicted. */
void apmu__window_branch(struct apmu_uarch *u, unsigned cycles, bool flushed);

/* Nothing comes from the fetch side for a while. */
void apmu__window_starve(struct apmu_uarch *u, uint64_t cycles);

/* The load/store unit takes nothing for a while. */
void apmu__window_hold(struct apmu_uarch *u, uint64_t cycles);

/* Brings CYCLES and the machine's clock up to the dispatch time. */
void apmu__window_tell(struct apmu_uarch *u);

/* The access of step i of the current block is late. */
void apmu__window_note(struct apmu_uarch *u, unsigned i, enum apmu__late kind, unsigned at, uint64_t value);

#endif
