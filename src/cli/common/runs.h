/* SPDX-License-Identifier: MIT */
/**
 * The runs of one command: a single one in the command's own process, several in processes of their own
 * (side_runs.h). From cli__runs_begin() to cli__runs_end() signals are for the programs (interrupt.h).
 */
#ifndef APMU_CLI_COMMON_RUNS_H
#define APMU_CLI_COMMON_RUNS_H

#include "cli/cli.h"
#include "qemu/run.h"

struct cli__side;

struct cli__runs {
	const struct apmu_qemu__run_options *option; /* of each run; NULL: none was begun */
	struct cli__side *side;                      /* NULL: there is one run */
	int told;                                    /* the last signal that a run itself received, or 0 */
};

/* Begins `total` runs, `jobs` at a time; run i uses option[i], which must live until cli__runs_end(). 0, or
 * an exit code after a complaint. */
int cli__runs_begin(const struct cli__cli *cli, struct cli__runs *runs,
		    const struct apmu_qemu__run_options *option, size_t total, unsigned jobs);

/* Waits for run i and returns what apmu_qemu__run() returned, with its line in `error`. Each run is taken
 * once, in order. -ECANCELED: a signal ended the runs before this one began. */
int cli__runs_take(struct cli__runs *runs, size_t i, struct apmu_qemu__run_result *result, char *error,
		   size_t size);

/* True if cli__runs_take() returned `bad` because a signal ended the runs. */
bool cli__runs_stopped(int bad);

/* Says on which cores the program did not run, because a signal came: those of `total` options, in which one
 * core's stand together. */
void cli__runs_say_not_run(const struct cli__cli *cli, const struct apmu_qemu__run_options *option,
			   size_t total);

/* True after a complaint if the output of run i, which was taken, could not all be written. */
bool cli__runs_unwritten(const struct cli__cli *cli, const struct cli__runs *runs, size_t i);

/* Says why run i, for which cli__runs_take() returned `bad`, has no result. `lost`: what there is not if it
 * never began, such as "nothing is printed". Returns the exit code. */
int cli__runs_failed(const struct cli__cli *cli, const struct cli__runs *runs, size_t i, int bad,
		     const char *error, const char *lost);

/* Ends the runs that are still running. Nothing happens if none were begun. */
void cli__runs_end(struct cli__runs *runs);

#endif
