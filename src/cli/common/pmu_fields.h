/* SPDX-License-Identifier: MIT */
/**
 * A *door* is a register and the bits of it through which one part of a PMU's state is reached.
 *
 * The command programs a PMU as a driver would, by reading and writing registers. The registers and bits come
 * from the core's register rows, so no code here depends on a family. apmu/place.h lists the parts of the
 * state.
 */
#ifndef APMU_CLI_COMMON_PMU_FIELDS_H
#define APMU_CLI_COMMON_PMU_FIELDS_H

#include <apmu/model.h>

struct cli__door {
	const struct apmu_reg *reg; /* NULL: this core has no such door */
	struct apmu_access at;
	uint8_t lo, bits;
	uint8_t select; /* what PMSELR must hold first, or APMU_EACH: nothing */
};

/* The doors that a counting session needs. Arrays are indexed by counter; APMU_CYCLE_COUNTER is the cycle
 * counter. */
struct cli__doors {
	struct cli__door enable;                    /* E: the global enable */
	struct cli__door select;                    /* PMSELR.SEL, where counters are reached through it */
	struct cli__door reset_cycle, reset_events; /* C and P: strobes */
	struct cli__door type[APMU_MAX_EVENT_COUNTERS]; /* event selectors */
	struct cli__door counter[APMU_COUNTERS];
	struct cli__door overflow[APMU_COUNTERS]; /* write 1 to clear */
	struct cli__door cnten[APMU_COUNTERS];    /* only where counters have an enable each */
};

/* 0, or APMU_ENOENT if the core lacks a door that counting needs. */
int cli__doors_find(struct cli__doors *doors, const struct apmu_core *core);

uint64_t cli__door_read(struct apmu *pmu, const struct cli__doors *doors, const struct cli__door *door);

/* Writes the door's bits and preserves the rest of its register; flags that a write of 1 would clear are
 * written 0. */
void cli__door_write(struct apmu *pmu, const struct cli__doors *doors, const struct cli__door *door,
		     uint64_t value);

#endif
