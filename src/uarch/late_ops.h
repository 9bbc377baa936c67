/* SPDX-License-Identifier: MIT */
/** Instructions whose times differ from those at translation: they have a late access or a forwarded load. */
#ifndef APMU_UARCH_LATE_OPS_H
#define APMU_UARCH_LATE_OPS_H

#include "uarch/window.h"

/* The cycles in which an instruction starts and finishes. */
struct apmu_uarch__times {
	uint64_t start, finish;
};

/* A store retires before its line has arrived: it waits in the store queue, not in the window. */
static inline struct apmu_uarch__times apmu_uarch__timed(struct apmu_uarch__window *w,
							 const struct apmu_uarch__op *op, uint64_t start,
							 uint64_t late)
{
	uint64_t finish = start + op->latency, arrives = finish + late;
	w->drained = w->drained > arrives ? w->drained : arrives;
	return (struct apmu_uarch__times){start, op->load ? arrives : finish};
}

/* Times an instruction with a forwarded load, a late access, or both. */
struct apmu_uarch__times apmu_uarch__late_op_times(struct apmu_uarch *u, const struct apmu_block *b,
						   const struct apmu_uarch__op *op, uint64_t start);

#endif
