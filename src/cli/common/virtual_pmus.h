/* SPDX-License-Identifier: MIT */
/**
 * A counting session: one thread's PMUs, programmed through their registers, counting to 64 bits.
 *
 * What it is: what a driver does. It selects events, resets and enables, watches overflow flags, and adds
 * 2^width for each. `pmus` PMUs of the same core watch one tally, so that more events than a core has
 * counters are counted at once; with one PMU it is the core's real self. What it is not: a source of counts.
 * cli__session_feed() is given a thread's running totals.
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

/* Where a wanted event counts at present. */
struct cli__seat {
	bool on;
	uint8_t counter;
	size_t pmu;
};

struct cli__session {
	const struct apmu_core *core;
	const struct cli__wanted *wanted;
	size_t n;
	struct cli__doors doors;
	struct apmu_tally tally;  /* what the PMUs watch: the thread's totals, and idle cycles, ... */
	struct apmu_tally jumped; /* ... less what went into the counters at once */
	uint64_t idle; /* cycles before the program went on, that the tally has and the thread has not */
	struct apmu *pmu;
	size_t pmus;
	uint64_t (*high)[APMU_COUNTERS]; /* per PMU: overflows seen since the counter was last reset, times
					    2^width */
	struct cli__seat *seat;          /* per wanted event */
	uint64_t *banked;                /* per wanted event: counts of earlier loads */
};

/* PMUs that counting all of `wanted` at once takes. */
size_t cli__session_pmus(const struct apmu_core *core, const struct cli__wanted *wanted, size_t n);

/* NULL if the core's registers lack what counting needs. */
struct cli__session *cli__session_new(const struct apmu_core *core, const struct cli__wanted *wanted,
				      size_t n, size_t pmus);
void cli__session_free(struct cli__session *s);

/* Stops what counts, keeps its counts, then selects the events which[0..n-1] and starts. They must fit. */
void cli__session_load(struct cli__session *s, const size_t *which, size_t n);

/* The thread ran until it had these running totals, however far away they are. */
void cli__session_feed(struct cli__session *s, const struct apmu_tally *totals);

/* The count of wanted[i] since the session began. */
uint64_t cli__session_count(const struct cli__session *s, size_t i);

#endif
