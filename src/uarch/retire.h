/* SPDX-License-Identifier: MIT */
/**
 * Out of order: attribution of time to instructions. Only with apmu_uarch_watch_time().
 *
 * A cycle is attributed to the oldest instruction that has not retired, the head of the reorder buffer. Each
 * instruction that is run therefore records when it retires: when it and all before it have finished, and no
 * earlier than as many ticks after its predecessor as it took of dispatch, since no more instructions retire
 * per cycle than are dispatched. The time that CYCLES counts is divided at these points. A stall of dispatch
 * is part of the time of some instruction, like any other cycle.
 */
#ifndef APMU_UARCH_RETIRE_H
#define APMU_UARCH_RETIRE_H

#include "uarch/window.h"

#define APMU_UARCH__RETIRING    4096u /* a power of two, more than are in any window */
#define APMU_UARCH__STALLS_KEPT 512u

/* An instruction in the reorder buffer. The time from its predecessor's `until` to its own is attributed to
 * it. */
struct apmu_uarch__retiring {
	uint64_t until; /* ticks */
	uint64_t addr;
	uint64_t number; /* running number of the instruction */
	uint32_t mark;   /* struct apmu_watch.mark of its block */
	bool early;      /* its block has not been left yet, so `mark` is not known */
};

/* A stall of dispatch, for one reason or several. */
struct apmu_uarch__stall {
	uint64_t from, until; /* ticks */
	uint32_t why; /* bit k: enum apmu_uarch__stall_kind k; bit APMU_UARCH__STALL_KINDS: slots stayed empty
		       */
};

struct apmu_uarch__retire {
	bool on;        /* time is being attributed to the blocks that are run */
	uint64_t insts; /* INST when `on` was cleared last */
	uint64_t at;    /* tick up to which time has been attributed */
	uint64_t last;  /* tick in which the youngest instruction that has run retires */
	uint64_t run;   /* instructions run */
	uint32_t mark;  /* of the block that is run */
	uint32_t oldest, next;
	unsigned stalls;
	struct apmu_uarch__retiring retiring[APMU_UARCH__RETIRING];
	struct apmu_uarch__stall stall[APMU_UARCH__STALLS_KEPT];
};

static inline bool apmu_uarch__retiring(const struct apmu_uarch__window *w)
{
	return w->retire && w->retire->on;
}

/* Attributes time up to the tick `until` to an instruction, as far as it is not attributed yet. `early`: the
 * instruction is in the block that is being entered. */
void apmu_uarch__retire_put(struct apmu_uarch__retire *r, uint64_t until, uint64_t addr, uint64_t number,
			    bool early);

/* The same for an instruction that has run and took `ticks` of dispatch; it and all before it have finished
 * by the tick `until`. */
static inline void apmu_uarch__retire_run(struct apmu_uarch__retire *r, uint64_t until, uint64_t ticks,
					  uint64_t addr, uint64_t number)
{
	r->last = until > r->last + ticks ? until : r->last + ticks;
	apmu_uarch__retire_put(r, r->last, addr, number, false);
}

/* Records a stall of dispatch, between two ticks. */
void apmu_uarch__retire_stall(struct apmu_uarch__retire *r, uint64_t from, uint64_t until, uint32_t why);

/* Turns attribution on and off for the blocks that are run in between. What is in the window at the begin is
 * attributed to no instruction. */
void apmu_uarch__retire_begin(struct apmu_uarch *u);
void apmu_uarch__retire_end(struct apmu_uarch *u);

/* apmu_uarch__count_time() in pieces, each attributed to an instruction. Time after the last recorded
 * instruction is attributed to the next one, at the address `next`. */
void apmu_uarch__retire_count(struct apmu_uarch *u, uint64_t next);

#endif
