/* SPDX-License-Identifier: MIT */
/**
 * Level-2 cache controllers with events of their own: `--l2c l210`, events `l210/...`.
 *
 * These events are not the core's PMU's: they use none of its counters, and the count is the signal's own
 * total.
 */
#ifndef APMU_CLI_COMMON_L2C_H
#define APMU_CLI_COMMON_L2C_H

#include "cli/cli.h"

/* The event of this name ("l210/ir-req", "l220/ir-req": both are one model); NULL if there is none. */
const struct apmu_event *cli__l2c_event(const char *label);

/* The i-th event; NULL past the last. */
const struct apmu_event *cli__l2c_event_at(size_t i);

/* True if the label has a controller's prefix. */
bool cli__l2c_named(const char *label);

/* "l210/ir-req l210/ir-hit ...", for a message; to be freed. */
char *cli__l2c_names(void);

/* Adds the parameters of a controller to a list of KEY=VALUE. 0, or an exit code after a complaint. */
int cli__l2c_add(const struct cli__cli *cli, char **list, const char *name);

#endif
