/* SPDX-License-Identifier: MIT */
/**
 * --set KEY=VALUE,...: changes parameters of a core's caches and pipeline.
 */
#ifndef APMU_CLI_COMMON_UARCH_OPTIONS_H
#define APMU_CLI_COMMON_UARCH_OPTIONS_H

#include "cli/cli.h"

#include <apmu/uarch.h>

/* The core's parameters as its row has them; false after a complaint: they are not there. */
bool cli__params_of(const struct cli__cli *cli, const struct apmu_core *core, struct apmu_uarch_params *out);

/* Has the core parameters of its own, under its name or another of its names? Else its row is the nearest
 * core's. */
bool cli__has_own_params(const struct apmu_core *core);

/* Lists of what the command line gives: --set KEY=VALUE,..., --uarch FILE, --l2 512K,8,64 and kin. Begun as
 * NULL, to be freed. 0, or an exit code after a complaint. */
void cli__sets_add(char **list, const char *words);
int cli__sets_add_file(char **list, const char *path);
int cli__sets_add_cache(const struct cli__cli *cli, char **list, const char *unit, const char *value);

/* Sets all of such a list: files, then words that begin with '~', then the rest, each in its order. `core`
 * stands in the complaint if the result does not fit together. 0, or an exit code after a complaint. */
int cli__set_all(const struct cli__cli *cli, struct apmu_uarch_params *params, const char *list,
		 const struct apmu_core *core);

#endif
