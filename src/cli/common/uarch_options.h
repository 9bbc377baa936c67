/* SPDX-License-Identifier: MIT */
/**
 * --set KEY=VALUE,...: changes parameters of a core's caches and pipeline.
 */
#ifndef APMU_CLI_COMMON_UARCH_OPTIONS_H
#define APMU_CLI_COMMON_UARCH_OPTIONS_H

#include "cli/cli.h"

#include <apmu/uarch.h>

/* Copies the parameters of the core's row; false after a complaint if there are none. */
bool cli__params_of(const struct cli__cli *cli, const struct apmu_core *core, struct apmu_uarch_params *out);

/* True if the core has parameters of its own, under its name or an alias; otherwise its row is that of the
 * nearest core. */
bool cli__has_own_params(const struct apmu_core *core);

/* Add an option to a list of changes: --set KEY=VALUE,..., --uarch FILE, or a cache such as --l2 512K,8,64. A
 * list begins as NULL; the caller frees it. 0, or an exit code after a complaint. */
void cli__sets_add(char **list, const char *words);
int cli__sets_add_file(char **list, const char *path);
int cli__sets_add_cache(const struct cli__cli *cli, char **list, const char *unit, const char *value);

/* Applies such a list: files, then words that begin with '~', then the rest, each group in its order. `core`
 * is named in the complaint if the result does not fit together. 0, or an exit code after a complaint. */
int cli__set_all(const struct cli__cli *cli, struct apmu_uarch_params *params, const char *list,
		 const struct apmu_core *core);

#endif
