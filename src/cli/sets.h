/* SPDX-License-Identifier: MIT */
/**
 * --set KEY=VALUE,...: changes figures of a core's caches and pipeline.
 */
#ifndef APMU_CLI_SETS_H
#define APMU_CLI_SETS_H

#include "cli/cli.h"

#include <apmu/uarch.h>

/* Sets one "KEY=VALUE". 0, or an exit code after a complaint that names the nearest figure. */
int apmu__set_one(const struct apmu__cli *cli, struct apmu_uarch_params *params, const char *word);

/* The same for a list, separated by commas. `core` stands in the complaint if the result does not fit
 * together. */
int apmu__set_all(const struct apmu__cli *cli, struct apmu_uarch_params *params, const char *list,
		  const struct apmu_core *core);

#endif
