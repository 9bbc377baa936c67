/* SPDX-License-Identifier: MIT */
/**
 * Runs a job in a forked child, so that a crash of libunicorn under a hostile guest cannot take the command
 * down.
 */
#ifndef APMU_CLI_RUN_SANDBOX_H
#define APMU_CLI_RUN_SANDBOX_H

#include "cli/cli.h"

#include <apmu/machine.h>

/* Runs `work` in a child and returns its exit code. `progress` (shared memory, cli__fence_progress()) says
 * how far the guest is: if a signal kills the child, or the child uses 20 s of processor time without an
 * instruction, the user is told where. If there can be no child, or the streams are no files, runs `work` in
 * this process. Signals that ask to end (INT, QUIT, TERM, HUP) end both: the child is asked to end
 * (cli__fence_asked()), and killed by a later signal or if it has not ended three seconds later. */
int cli__fence(struct cli__cli *cli, int (*work)(struct cli__cli *cli, void *ctx), void *ctx,
	       const struct apmu_progress *progress);

/* To be called after the child has printed to cli->out or flushed it, so that the rest of its output is
 * written even if the child dies or a signal ends the command. */
void cli__fence_printed(const struct cli__cli *cli);

/* In the child: true once a signal asked to end. `work` then finishes its output and returns. */
bool cli__fence_asked(void);

/* Memory that parent and child share; NULL if there is none. */
struct apmu_progress *cli__fence_progress(void);

#endif
