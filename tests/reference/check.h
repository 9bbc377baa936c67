/* SPDX-License-Identifier: MIT */
/**
 * Random programs on a row of spec/uarch, the fast model against the reference.
 *
 * Environment: APMU_SEED (default 1), APMU_STEPS (blocks a row, default what the test says).
 */
#ifndef APMU_TEST_CHECK_H
#define APMU_TEST_CHECK_H

#include "bounds.h"
#include "compare.h"

/* One comparison. */
struct trial {
	const struct apmu_uarch_params *row; /* of the table */
	const struct kind *kind;
	uint64_t seed;
	unsigned runs;
};

unsigned long check_steps(unsigned long otherwise);
unsigned long check_seed(void);

/* The program of a trial, and the parameters that it runs with. */
void check_make(const struct trial *t, struct apmu_uarch_params *p, struct program *program);

/* What the fast model has more than the reference, percent of the reference's cycles; less: negative. */
double check_error(struct seen fast, struct seen slow);

/* Is it within what bounds.h allows? Differences of a few hundred cycles at the ends always are. */
bool check_allowed(const struct trial *t, struct seen fast, struct seen slow);

/* Runs programs of every kind on every row until each row has run so many blocks; the worst by kind is
 * printed. The number of programs that break a bound: each is made smaller and printed. */
unsigned check_rows(unsigned long blocks);

#endif
