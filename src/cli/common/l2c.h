/* SPDX-License-Identifier: MIT */
/**
 * Level-2 cache controllers with events of their own: `--l2c l210`, events `l210/...`.
 *
 * They are no events of the core's PMU: no counter of it is used, and the count is the signal's itself.
 */
#ifndef APMU_CLI_COMMON_L2C_H
#define APMU_CLI_COMMON_L2C_H

#include "cli/cli.h"

/* The event of this name ("l210/ir-req", "l220/ir-req": both are one model); NULL if there is none. */
const struct apmu_event *cli__l2c_event(const char *label);

/* The i-th event; NULL past the last. */
const struct apmu_event *cli__l2c_event_at(size_t i);

/* Is the label meant to be one of a controller? */
bool cli__l2c_named(const char *label);

/* "ir-req ir-hit ...", for a message; to be freed. */
char *cli__l2c_names(void);

/* Adds the parameters of a controller to a list of KEY=VALUE. 0, or an exit code after a complaint. */
int cli__l2c_add(const struct cli__cli *cli, char **list, const char *name);

#endif
