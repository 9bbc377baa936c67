/* SPDX-License-Identifier: MIT */
/** Can a run have taken the cycles that its marks say? */
#ifndef APMU_CLI_COMMON_LAWS_H
#define APMU_CLI_COMMON_LAWS_H

#include "cli/cli.h"
#include "qemu/run.h"

/* False, after a complaint with the counts: some thread's cycles at some mark cannot be; they are not to be
 * trusted. True where no cycles were counted. */
bool cli__lawful(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
		 const struct apmu_qemu__run_result *run);

#endif
