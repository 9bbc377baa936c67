/* SPDX-License-Identifier: MIT */
/**
 * The register fields through which the command programs a PMU.
 *
 * The command programs a PMU as a driver would, by reading and writing registers. The registers and bits come
 * from the core's register rows, so no code here depends on a family. apmu/place.h lists the parts of the
 * state.
 */
#ifndef APMU_CLI_COMMON_PMU_FIELDS_H
#define APMU_CLI_COMMON_PMU_FIELDS_H

#include <apmu/model.h>

struct cli__pmu_field {
	const struct apmu_reg *reg; /* NULL: this core has no such field */
	struct apmu_access at;
	uint8_t lo, bits; /* lowest bit in the register, and width */
	uint8_t select;   /* what PMSELR must hold first, or APMU_EACH: nothing */
};

/* The fields that a counting session needs. Arrays are indexed by counter; APMU_CYCLE_COUNTER is the cycle
 * counter. */
struct cli__pmu_fields {
	struct cli__pmu_field enable; /* E: the global enable */
	struct cli__pmu_field select; /* PMSELR.SEL, where counters are reached through it */
	struct cli__pmu_field reset_cycle, reset_events;     /* C and P: strobes */
	struct cli__pmu_field type[APMU_MAX_EVENT_COUNTERS]; /* event selectors */
	struct cli__pmu_field counter[APMU_COUNTERS];
	struct cli__pmu_field overflow[APMU_COUNTERS]; /* write 1 to clear */
	struct cli__pmu_field cnten[APMU_COUNTERS];    /* only where counters have an enable each */
};

/* 0, or APMU_ENOENT if the core lacks a field that counting needs. */
int cli__pmu_fields_find(struct cli__pmu_fields *fields, const struct apmu_core *core);

uint64_t cli__pmu_field_read(struct apmu *pmu, const struct cli__pmu_fields *fields,
			     const struct cli__pmu_field *field);

/* Writes the field's bits and preserves the rest of its register; flags that a write of 1 would clear are
 * written 0. */
void cli__pmu_field_write(struct apmu *pmu, const struct cli__pmu_fields *fields,
			  const struct cli__pmu_field *field, uint64_t value);

#endif
