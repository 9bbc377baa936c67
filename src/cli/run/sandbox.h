/* SPDX-License-Identifier: MIT */
/**
 * Runs a job in a forked child, so that a crash of libunicorn under a hostile guest cannot take the command
 * down.
 */
#ifndef APMU_CLI_RUN_SANDBOX_H
#define APMU_CLI_RUN_SANDBOX_H

#include "cli/cli.h"

#include <apmu/machine.h>

/* Does `work` in a child whose exit code it returns. `progress` (shared memory, cli__fence_progress()) says
 * how far the guest is: if the child dies by a signal, or burns 20 s of processor time without an
 * instruction, the user is told where. Without a process to spare, or when the streams are no files, it is
 * done here. Signals that ask to end (INT, QUIT, TERM, HUP) end both. */
int cli__fence(struct cli__cli *cli, int (*work)(struct cli__cli *cli, void *ctx), void *ctx,
	       const struct apmu_progress *progress);

/* To be called after the child has printed to cli->out or flushed it: then what is not yet written is written
 * also when the child dies, or a signal ends the command. */
void cli__fence_printed(const struct cli__cli *cli);

/* Memory that parent and child share; NULL if there is none. */
struct apmu_progress *cli__fence_progress(void);

#endif
