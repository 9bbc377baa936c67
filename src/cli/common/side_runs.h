/* SPDX-License-Identifier: MIT */
/**
 * Several runs of one program side by side: each in a process of its own, as many at a time as asked for.
 *
 * Each run reads the whole of standard input: a file from where it stood at first, a pipe as if it had been
 * sent to each. With more than one at a time what a run prints is kept until those before it have ended, so
 * that output comes in the order of the runs; /dev/null and the like are left to the program.
 *
 * errors: negative errno values, and a line in `error` as apmu_qemu__run() leaves it.
 */
#ifndef APMU_CLI_COMMON_SIDE_RUNS_H
#define APMU_CLI_COMMON_SIDE_RUNS_H

#include "qemu/run.h"

struct cli__side;

/* How many at a time if nobody says: as many as the machine has processors, 1 to 1024; one where standard
 * input is a terminal, which is for one program at a time. */
unsigned cli__side_jobs(void);

/* `total` runs, `jobs` at a time; run i is done with option[i], which must live as long. NULL: they cannot
 * begin (errno). */
struct cli__side *cli__side_begin(const struct apmu_qemu__run_options *option, size_t total, unsigned jobs);

/* Waits for run i, of which each is taken once and in order, and prints what it printed; what
 * apmu_qemu__run() returned. -ECANCELED: a signal ended the runs before this one began. */
int cli__side_take(struct cli__side *side, size_t i, struct apmu_qemu__run_result *result, char *error,
		   size_t size);

/* Ends what is still running. NULL is allowed. */
void cli__side_end(struct cli__side *side);

#endif
