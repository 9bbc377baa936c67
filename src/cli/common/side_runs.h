/* SPDX-License-Identifier: MIT */
/**
 * Runs of one program in parallel, each in a process of its own.
 *
 * Each run reads the whole of standard input: a file from the offset that it had at first, a pipe as if a
 * copy had been sent to each run. With more than one run at a time, a run's output is held back until the
 * runs before it have ended, so that output comes in the order of the runs; devices such as /dev/null are
 * left to the program.
 *
 * errors: negative errno values, and a line in `error` as apmu_qemu__run() leaves it.
 */
#ifndef APMU_CLI_COMMON_SIDE_RUNS_H
#define APMU_CLI_COMMON_SIDE_RUNS_H

#include "qemu/run.h"

struct cli__side;

/* Processors that this process may use (taskset, a container's set), 1 to 1024. */
unsigned cli__processors(void);

/* Default number of parallel runs: cli__processors(); 1 if standard input is a terminal, which is for one
 * program at a time. */
unsigned cli__side_jobs(void);

/* Prepares `total` runs, `jobs` at a time. Run i uses option[i], which must live until cli__side_end(). NULL:
 * errno says why. */
struct cli__side *cli__side_begin(const struct apmu_qemu__run_options *option, size_t total, unsigned jobs);

/* Waits for run i, prints its output and returns what apmu_qemu__run() returned. Each run is taken once, in
 * order. -ECANCELED: a signal ended the runs before this one began. */
int cli__side_take(struct cli__side *side, size_t i, struct apmu_qemu__run_result *result, char *error,
		   size_t size);

/* Why the output of run i, which was taken, could not all be written: an errno value, such as ENOSPC. 0: it
 * was, or nobody reads it any more. */
int cli__side_unwritten(const struct cli__side *side, size_t i);

/* Ends the runs that are still running and frees `side`, which may be NULL. */
void cli__side_end(struct cli__side *side);

#endif
