/* SPDX-License-Identifier: MIT */
/**
 * A recording that only the command itself reads. Its file has no name, so it is gone however the command
 * ends; it is opened by its descriptor, through /proc.
 */
#ifndef APMU_CLI_COMMON_TEMPORARY_H
#define APMU_CLI_COMMON_TEMPORARY_H

#include "cli/cli.h"

struct cli__temporary {
	char path[32]; /* "/proc/self/fd/N"; empty: there is no file */
	int fd;
	const char *folder; /* it is in: TMPDIR or /tmp */
};

/* Opens the file, empty. 0, or 1 after a complaint. */
int cli__temporary_open(const struct cli__cli *cli, struct cli__temporary *file);

/* Also of a file that is all zeros, or that was not opened. */
void cli__temporary_close(struct cli__temporary *file);

#endif
