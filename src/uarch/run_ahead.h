/* SPDX-License-Identifier: MIT */
/**
 * Branch prediction that runs ahead of fetch, out of order (struct apmu_run_ahead_params): when the fetch
 * queue had room for a piece of code, and so when its line was requested.
 *
 * Prediction is at least as fast as dispatch, so that it is always as far ahead as the queue allows, unless
 * it began anew. It suffices to know when the last pieces of code were dispatched, and since when it runs.
 */
#ifndef APMU_UARCH_RUN_AHEAD_H
#define APMU_UARCH_RUN_AHEAD_H

#include "uarch/block.h"

#define APMU_UARCH__POINTS  64u /* at least as many as the fetch queue has entries; a power of two */
#define APMU_UARCH__REFILLS 64u /* at least as many as there are code lines in flight */

struct apmu_uarch__run_ahead {
	uint32_t queue;   /* entries; 0: prediction does not run ahead */
	uint32_t entries; /* dispatched so far; the number of the current block's first. Numbers wrap. */
	uint32_t points;  /* set so far */
	struct apmu_uarch__point {   /* the code of a block, or the part before a line of it that missed */
		uint64_t begin, end; /* ticks of the window between which it was dispatched */
		uint32_t first, entries; /* its first entry; number of those dispatched by `end` */
	} point[APMU_UARCH__POINTS];
	uint64_t anew;                         /* tick at which prediction began anew */
	uint32_t anew_entry;                   /* with this entry */
	uint32_t refills;                      /* code lines requested so far */
	uint64_t arrives[APMU_UARCH__REFILLS]; /* cycles in which the last lines arrive */
};

/* Entries of the fetch queue for the code from an address on, up to `end`. */
static inline uint32_t apmu_uarch__entries_of(uint64_t addr, uint64_t end)
{
	return (uint32_t)(((end - 1) >> APMU_UARCH__MOP_SHIFT) - (addr >> APMU_UARCH__MOP_SHIFT) + 1);
}

/* Records that the block's code up to the entry before `entries` is dispatched between two ticks. */
static inline void apmu_uarch__reach_point(struct apmu_uarch__run_ahead *a, uint64_t begin, uint64_t end,
					   uint32_t entries)
{
	a->point[a->points++ % APMU_UARCH__POINTS] =
		(struct apmu_uarch__point){begin, end, a->entries, entries};
}

/* Prediction begins anew with an entry, which can be dispatched at a tick. */
static inline void apmu_uarch__predict_anew(struct apmu_uarch__run_ahead *a, uint64_t tick, uint32_t entry)
{
	a->anew = tick;
	a->anew_entry = entry;
}

struct apmu_uarch;

/* The cycle in which the line of an entry was requested, which can be dispatched at a tick. */
uint64_t apmu_uarch__requested_ahead(const struct apmu_uarch *u, uint32_t entry, uint64_t tick);

/* Records that a line arrives, at the earliest in a cycle; returns the cycle in which it does. */
uint64_t apmu_uarch__refilled(struct apmu_uarch *u, uint64_t cycle);

#endif
