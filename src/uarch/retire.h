/* SPDX-License-Identifier: MIT */
/**
 * Out of order: attribution of time to instructions. Only with apmu_uarch_watch_time().
 *
 * A cycle is that of the oldest instruction that has not finished: the head of the reorder buffer. So each
 * instruction that is run says until when it keeps those behind it from retiring, and the time that CYCLES
 * counts is divided along these. A stall of dispatch falls into somebody's time like any other cycle.
 */
#ifndef APMU_UARCH_RETIRE_H
#define APMU_UARCH_RETIRE_H

#include "uarch/window.h"

#define APMU_UARCH__RETIRING   4096u /* a power of two, more than are in any window */
#define APMU_UARCH__SPANS_KEPT 512u

/* From when the one before it is done, time until then is this one's. */
struct apmu_uarch__retiring {
	uint64_t until; /* ticks */
	uint64_t addr;
	uint64_t number; /* it was the n-th to run */
	uint32_t mark;   /* struct apmu_watch\'s of its block */
	bool early;      /* which has not been left yet */
};

/* Dispatch waited, for one reason or several. */
struct apmu_uarch__stall {
	uint64_t from, until; /* ticks */
	uint32_t why; /* bit k: enum apmu_uarch__waited k; bit APMU_UARCH__WAITS: slots stayed empty */
};

struct apmu_uarch__retire {
	bool on;        /* the blocks that are run now say so */
	uint64_t insts; /* INST when it was on last */
	uint64_t at;    /* ticks: shared out until then */
	uint64_t run;   /* instructions run */
	uint32_t mark;  /* of the block that is run */
	uint32_t oldest, next;
	unsigned stalls;
	struct apmu_uarch__retiring retiring[APMU_UARCH__RETIRING];
	struct apmu_uarch__stall stall[APMU_UARCH__SPANS_KEPT];
};

static inline bool apmu_uarch__retiring(const struct apmu_uarch__window *w)
{
	return w->retire && w->retire->on;
}

/* Time until then is that instruction's, as far as it is nobody's yet. `early`: it is of the block that is
 * entered. */
void apmu_uarch__retire_put(struct apmu_uarch__retire *r, uint64_t until, uint64_t addr, uint64_t number,
			    bool early);

/* Dispatch waits. */
void apmu_uarch__retire_stall(struct apmu_uarch__retire *r, uint64_t from, uint64_t until, uint32_t why);

/* From here on blocks that are run are looked at; until here. What is in the window by now is nobody's. */
void apmu_uarch__retire_begin(struct apmu_uarch *u);
void apmu_uarch__retire_end(struct apmu_uarch *u);

/* apmu_uarch__window_count() piece by piece, each for its instruction; the rest is the time of the next one,
 * at `next`. */
void apmu_uarch__retire_count(struct apmu_uarch *u, uint64_t next);

#endif
