/* SPDX-License-Identifier: MIT */
/** Checks that the cycles of a run's marks are possible. */
#ifndef APMU_CLI_COMMON_LAWS_H
#define APMU_CLI_COMMON_LAWS_H

#include "cli/cli.h"
#include "qemu/run.h"

/* False, after a complaint with the counts, if some thread's cycles at some mark are impossible and not to be
 * trusted. True if no cycles were counted. */
bool cli__lawful(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
		 const struct apmu_qemu__run_result *run);

#endif
