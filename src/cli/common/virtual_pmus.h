/* SPDX-License-Identifier: MIT */
/**
 * A counting session: one thread's PMUs, programmed through their registers, counting to 64 bits.
 *
 * A session does what a driver does: it selects events, resets and enables counters, watches overflow flags,
 * and adds 2^width for each. `pmus` PMUs of the same core watch one tally, so that more events than the core
 * has counters are counted at once; with one PMU it counts as the core itself would. A session produces no
 * counts: cli__session_feed() is given a thread's running totals.
 *
 * Use:
 *     s = cli__session_new(core, wanted, n, 1);
 *     cli__session_load(s, which, 2);       select and start these
 *     cli__session_feed(s, &totals);        the thread ran until these totals
 *     cli__session_count(s, i);             64-bit count of wanted[i] so far
 */
#ifndef APMU_CLI_COMMON_VIRTUAL_PMUS_H
#define APMU_CLI_COMMON_VIRTUAL_PMUS_H

#include "cli/common/events.h"
#include "cli/common/pmu_fields.h"

/* The counter that a wanted event is on at present. */
struct cli__seat {
	bool on;
	uint8_t counter;
	size_t pmu;
};

struct cli__session {
	const struct apmu_core *core;
	const struct cli__wanted *wanted;
	size_t n;
	struct cli__pmu_fields fields;
	struct apmu_tally tally;  /* what the PMUs watch: totals and idle cycles, less `jumped` */
	struct apmu_tally jumped; /* gains that were added to the counters in one step */
	uint64_t idle;            /* cycles of the tally that belong to no thread, see start() */
	struct apmu *pmu;
	size_t pmus;
	uint64_t (*high)[APMU_COUNTERS]; /* per PMU: overflows seen since the counter was last reset, times
					    2^width */
	struct cli__seat *seat;          /* per wanted event */
	uint64_t *banked;                /* per wanted event: counts of earlier loads */
};

/* PMUs needed to count all of `wanted` at once. */
size_t cli__session_pmus(const struct apmu_core *core, const struct cli__wanted *wanted, size_t n);

/* NULL if the core's registers lack what counting needs. */
struct cli__session *cli__session_new(const struct apmu_core *core, const struct cli__wanted *wanted,
				      size_t n, size_t pmus);
void cli__session_free(struct cli__session *s);

/* Stops counting and keeps the counts, then selects the events which[0..n-1], which must fit, and starts. */
void cli__session_load(struct cli__session *s, const size_t *which, size_t n);

/* Advances the session to these running totals of the thread, however far away they are. */
void cli__session_feed(struct cli__session *s, const struct apmu_tally *totals);

/* The count of wanted[i] since the session began. */
uint64_t cli__session_count(const struct cli__session *s, size_t i);

#endif
