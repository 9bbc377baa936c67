/* SPDX-License-Identifier: MIT */
/**
 * Several runs of one program side by side: each in a process of its own, as many at a time as asked for.
 *
 * Each run reads the whole of standard input: a file from where it stood at first, a pipe as if it had been
 * sent to each. With more than one at a time what a run prints is kept until those before it have ended, so
 * that output comes in the order of the runs; /dev/null and the like are left to the program.
 *
 * errors: negative errno values, and a line in `error` as apmu__run() leaves it.
 */
#ifndef APMU_CLI_STAT_STAT_SIDE_H
#define APMU_CLI_STAT_STAT_SIDE_H

#include "qemu/run.h"

struct apmu__stat_side;

/* `total` runs, `jobs` at a time; run i is done with option[i], which must live as long. NULL: they cannot
 * begin (errno). */
struct apmu__stat_side *apmu__side_begin(const struct apmu__run_options *option, size_t total, unsigned jobs);

/* Waits for run i, of which each is taken once and in order, and prints what it printed; what apmu__run()
 * returned. -ECANCELED: a signal ended the runs before this one began. */
int apmu__side_take(struct apmu__stat_side *side, size_t i, struct apmu__run_result *result, char *error,
		    size_t size);

/* Ends what is still running. NULL is allowed. */
void apmu__side_end(struct apmu__stat_side *side);

#endif
