/* SPDX-License-Identifier: MIT */
/** The fast model and the reference side by side. */
#ifndef APMU_TEST_COMPARE_H
#define APMU_TEST_COMPARE_H

#include "clocks.h"
#include "kinds.h"

struct seen {
	uint64_t cycles, misses, aheads, wrong, refills;
};

/* What the fast model makes of a program, by its public calls. */
struct seen fast_run(const struct apmu_uarch_params *p, const struct program *program);
/* What the reference does. */
struct seen slow_run(const struct apmu_uarch_params *p, const struct program *program);

#endif
