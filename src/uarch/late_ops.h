/* SPDX-License-Identifier: MIT */
/** Instructions of a run whose times are not as the block says: their access was late, or a store has their
 * data. */
#ifndef APMU_UARCH_LATE_OPS_H
#define APMU_UARCH_LATE_OPS_H

#include "uarch/window.h"

/* When an instruction starts and finishes. */
struct apmu_uarch__times {
	uint64_t start, finish;
};

/* The line of a store comes in later than it is finished: it waits in its queue and not in the window. */
static inline struct apmu_uarch__times apmu_uarch__timed(struct apmu_uarch__window *w,
							 const struct apmu_uarch__op *op, uint64_t start,
							 uint64_t ticks)
{
	uint64_t finish = start + op->latency, arrives = finish + ticks;
	w->drained = w->drained > arrives ? w->drained : arrives;
	return (struct apmu_uarch__times){start, op->load ? arrives : finish};
}

/* The one in hand takes its data from a store, or is late, or both. */
struct apmu_uarch__times apmu_uarch__late_op_times(struct apmu_uarch *u, const struct apmu_block *b,
						   const struct apmu_uarch__op *op, uint64_t start);

#endif
