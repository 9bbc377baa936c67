/* SPDX-License-Identifier: MIT */
/**
 * Expected error of modelled cycles: the errors of free figures (docs/accuracy-tables.md), weighted by where
 * the program's cycles went.
 */
#ifndef APMU_CLI_STAT_STAT_BAND_H
#define APMU_CLI_STAT_STAT_BAND_H

#include "qemu/run.h"

/* What a cycle was spent on; each cycle is in one class. */
enum cli__band_class {
	CLI__BAND_INSTRUCTIONS, /* issue, operands and units: cycles of no other class */
	CLI__BAND_BRANCHES,     /* mispredictions */
	CLI__BAND_FETCH,        /* misses of the instruction cache and its TLB */
	CLI__BAND_L2,
	CLI__BAND_L3,
	CLI__BAND_MEMORY,
	CLI__BAND_TABLES, /* address translation of data */
	CLI__BAND_STORES, /* waits for room for stores and misses */
	CLI__BAND_CLASSES
};
extern const char *const cli__band_name[CLI__BAND_CLASSES];

/* Errors of one core, in thousandths. tests/accuracy/band.py writes the table from the accuracy page. */
struct cli__band_row {
	const char *core; /* NULL: cores without free figures; [0] with parameters of their own, [1] with
			     borrowed ones */
	uint16_t error[CLI__BAND_CLASSES];
	uint8_t figures[CLI__BAND_CLASSES]; /* number of free figures of this core and class */
};
extern const struct cli__band_row cli__band_rows[];
extern const size_t cli__band_rows_n;

struct cli__band {
	bool known;    /* cycles were counted and are not 0 */
	double within; /* 0.06: the core's cycles may be cycles / 1.06 to cycles * 1.06 */
	double share[CLI__BAND_CLASSES], error[CLI__BAND_CLASSES];
	bool has[CLI__BAND_CLASSES]; /* the core has a free figure of this class */
	double untold;               /* share of cycles in classes without a free figure */
};

/* band->within in whole percent, at least 1. */
double cli__band_percent(const struct cli__band *band);

/* Adds the signals that the band needs besides cycles. True if nothing else needs stalls, so that estimates
 * suffice. */
bool cli__band_signals(uint64_t wanted[APMU_SIGNAL_WORDS]);

/* The band of cycles that are divided into classes. */
struct cli__band cli__band_of_cycles(const struct apmu_core *core, const double cycles[CLI__BAND_CLASSES]);

/* The band of a run that counted cycles. `uarch`: the parameters that it ran with. */
struct cli__band cli__band_of(const struct apmu_core *core, const struct apmu_uarch_params *uarch,
			      const struct apmu_qemu__run_result *run);

#endif
