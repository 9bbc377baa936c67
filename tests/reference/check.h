/* SPDX-License-Identifier: MIT */
/**
 * Compares the fast model with the reference for random programs on the rows of spec/uarch.
 *
 * Environment: APMU_SEED (default 1), APMU_STEPS (blocks per row; each test has its own default).
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

/* Makes the program of a trial and the parameters that it runs with. */
void check_make(const struct trial *t, struct apmu_uarch_params *p, struct program *program);

/* Error of the fast model in percent of the reference's cycles; negative if it has fewer cycles. */
double check_error(struct seen fast, struct seen slow);

/* True if the error is within bounds.h. Differences of a few hundred cycles always are: the ends differ. */
bool check_allowed(const struct trial *t, struct seen fast, struct seen slow);

/* Cycles for which the paths move code lines that L2 reads ahead. */
uint64_t check_read_ahead(const struct apmu_uarch_params *p, const struct program *program);

/* Runs programs of every kind on every row until the rows have run `blocks` blocks each on average, and
 * prints the worst errors by kind. Reduces and prints each program that breaks a bound; returns their number.
 */
unsigned check_rows(unsigned long blocks);

#endif
