/* SPDX-License-Identifier: MIT */
/**
 * Translates a core's event into the signals that the engine sums.
 */
#ifndef APMU_CLI_COMMON_RUN_EVENT_H
#define APMU_CLI_COMMON_RUN_EVENT_H

#include "cli/common/events.h"
#include "qemu/run.h"

/* Fills the signals of `to` and leaves the rest. False if nothing that a program does makes the event
 * count. */
bool cli__wanted_run_event(const struct apmu_core *core, const struct cli__wanted *from,
			   struct apmu_qemu__run_event *to);

/* The event's count in a tally, over-counts of errata included that are on by default; 0 if nothing that
 * a program does makes it count. */
uint64_t cli__wanted_sum(const struct apmu_core *core, const struct cli__wanted *wanted,
			 const struct apmu_tally *tally);

#endif
