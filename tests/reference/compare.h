/* SPDX-License-Identifier: MIT */
/** The fast model and the reference side by side. */
#ifndef APMU_TEST_COMPARE_H
#define APMU_TEST_COMPARE_H

#include "clocks.h"
#include "kinds.h"

struct seen {
	uint64_t cycles, misses, aheads, wrong, refills;
	uint64_t most; /* cycles, by apmu_uarch_most_cycles(); of the fast model alone, as is ... */
	bool breach;   /* ... that it reported one */
};

/* What the fast model makes of a program, by its public calls. */
struct seen fast_run(const struct apmu_uarch_params *p, const struct program *program);
/* What the reference does. */
struct seen slow_run(const struct apmu_uarch_params *p, const struct program *program);
/* Its cycles when it goes through each of them, also those in which nothing moves. */
uint64_t slow_cycles(const struct apmu_uarch_params *p, const struct program *program);

#endif
