/* SPDX-License-Identifier: MIT */
/**
 * How far modelled cycles may be off: the errors of free figures (docs/accuracy-tables.md), weighted by where
 * the program's cycles went.
 */
#ifndef APMU_CLI_STAT_STAT_BAND_H
#define APMU_CLI_STAT_STAT_BAND_H

#include "qemu/run.h"

/* What a cycle was spent on, each on one. */
enum cli__band_class {
	CLI__BAND_INSTRUCTIONS, /* issue, operands and units: what is no stall of the others */
	CLI__BAND_BRANCHES,     /* mispredictions */
	CLI__BAND_FETCH,        /* misses of the instruction cache and its TLB */
	CLI__BAND_L2,
	CLI__BAND_L3,
	CLI__BAND_MEMORY,
	CLI__BAND_TABLES, /* translation of data */
	CLI__BAND_STORES, /* room for stores and misses */
	CLI__BAND_CLASSES
};
extern const char *const cli__band_name[CLI__BAND_CLASSES];

/* Errors of one core, in thousandths. tests/accuracy/band.py writes the table from the accuracy page. */
struct cli__band_row {
	const char *
		core; /* NULL: a core without free figures: [0] on figures of its own, [1] on borrowed ones */
	uint16_t error[CLI__BAND_CLASSES];
	uint8_t figures[CLI__BAND_CLASSES]; /* free ones, of this core and class */
};
extern const struct cli__band_row cli__band_rows[];
extern const size_t cli__band_rows_n;

struct cli__band {
	bool known;    /* cycles were counted, and there were some */
	double within; /* 0.06: the core's may be cycles / 1.06 to cycles * 1.06 */
	double share[CLI__BAND_CLASSES], error[CLI__BAND_CLASSES];
	bool has[CLI__BAND_CLASSES]; /* a free figure of this core and class */
	double untold;               /* the share of cycles in classes without one */
};

/* In whole percent, at least 1. */
double cli__band_percent(const struct cli__band *band);

/* What has to be produced besides cycles; true: for the band alone, so that estimates will do. */
bool cli__band_signals(uint64_t wanted[APMU_SIGNAL_WORDS]);

/* The band of cycles that were spent so. */
struct cli__band cli__band_of_cycles(const struct apmu_core *core, const double cycles[CLI__BAND_CLASSES]);

/* The band of a run with cycles. `uarch` is what it ran with. */
struct cli__band cli__band_of(const struct apmu_core *core, const struct apmu_uarch_params *uarch,
			      const struct apmu_qemu__run_result *run);

#endif
