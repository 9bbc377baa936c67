/* SPDX-License-Identifier: MIT */
/** The fast model and the reference side by side. */
#ifndef APMU_TEST_COMPARE_H
#define APMU_TEST_COMPARE_H

#include "clocks.h"
#include "kinds.h"

struct seen {
	uint64_t cycles, misses, prefetches, wrong, refills;
	uint64_t most;  /* fast model only: apmu_uarch_most_cycles() */
	bool violation; /* fast model only: it reported a violation of its bound while it ran */
};

/* Runs a program on the fast model, through its public calls. */
struct seen fast_run(const struct apmu_uarch_params *p, const struct program *program);
/* Runs a program on the reference. */
struct seen slow_run(const struct apmu_uarch_params *p, const struct program *program);
/* Cycles of the reference when it steps through all of them, also those in which nothing moves. */
uint64_t slow_cycles(const struct apmu_uarch_params *p, const struct program *program);

#endif
