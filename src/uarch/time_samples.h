/* SPDX-License-Identifier: MIT */
/** Samples of time (apmu_uarch_sample_time()): the clock stops and starts between blocks. */
#ifndef APMU_UARCH_TIME_SAMPLES_H
#define APMU_UARCH_TIME_SAMPLES_H

#include "uarch/fast.h"

/* time_samples.c: stops or starts the clock. Called when a block has been entered. */
void apmu_uarch__turn_clock(struct apmu_uarch *u);

/* Enters a block of a machine that samples time. Without a clock, the cache of decoded instructions has to
 * see each block too, which with a clock the window's path does. */
static inline void apmu_uarch__enter_sampling(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (u->mop.tag && !u->window)
		apmu_uarch__decode(u, u->block);
	if (u->window)
		apmu_uarch__enter_window(u, b);
	else if (u->fast_path == APMU_UARCH__FAST_ORDERED)
		apmu_uarch__enter_ordered(u, b);
	else if (!apmu_uarch__enter_try(u, b))
		apmu_uarch__enter_any(u, b);
	if (u->n[APMU_SIG_INST] >= u->untimed.turn)
		apmu_uarch__turn_clock(u);
}

#endif
