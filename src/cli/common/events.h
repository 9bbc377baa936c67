/* SPDX-License-Identifier: MIT */
/**
 * Which events to count: what `-e` says, and what that means on a given core.
 *
 *     list  = item { "," item }
 *     item  = ( event | "{" event { "," event } "}" ) [ ":u" ]
 *     event = NAME | 0xHEX | rHEX        each with [ ":u" ]
 *
 * A list of rows knows no core; cli__wanted_of() finds each row's event on one. Only user space runs, so
 * `:u` is what everything is, and `:k` is refused.
 */
#ifndef APMU_CLI_COMMON_EVENTS_H
#define APMU_CLI_COMMON_EVENTS_H

#include "cli/cli.h"

#include <apmu/metric.h>

/* One line of the result. */
struct cli__row {
	char *label;    /* as the user wrote it, without modifier */
	unsigned group; /* rows of one {group} share a number */
	bool asked;     /* by the user; else added by a metric or by default: a core may lack it silently */
};

struct cli__rows {
	struct cli__row *row;
	size_t n;
	unsigned groups;
	bool interrupts; /* the machine takes interrupts: their events need no warning */
};

/* A row on one core. */
struct cli__wanted {
	const char *label;              /* the row's */
	const struct apmu_event *event; /* NULL: cycle counter, or a reserved number */
	unsigned number;                /* what goes into the selector */
	unsigned group;
	bool cycles;  /* the cycle counter itself */
	bool raw;     /* given as a number */
	bool absent;  /* this core lacks the event */
	bool outside; /* no event of the core's PMU: a cache controller's (l2c.h) */
};

/* Adds what one -e says. 0, or an exit code after a complaint. */
int cli__rows_parse(const struct cli__cli *cli, struct cli__rows *rows, const char *list);

/* Adds a row of its own group. */
void cli__rows_add(struct cli__rows *rows, const char *label, bool asked);

/* Adds perf's own usual events, none of them asked for: a core has what it has of them. */
void cli__rows_usual(struct cli__rows *rows);

/* Adds all events of a level-2 cache controller. */
void cli__rows_l2c(struct cli__rows *rows);

void cli__rows_free(struct cli__rows *rows);

/* rows->n wanted events on `core`. A name that `core` lacks but one of the `cores` has is absent; one that
 * none has is complained about, with the cores that have it or the nearest name: then NULL. Warns of numbers
 * that count nothing. The caller frees. */
struct cli__wanted *cli__wanted_of(const struct cli__cli *cli, const struct cli__rows *rows,
				   const struct apmu_core *core, const struct apmu_core *const *cores,
				   size_t n);

/* Complains of the first wanted event that is outside the core's PMU and returns an exit code; 0 if there is
 * none. `why` ends the sentence: "needs --l2c l210". */
int cli__wanted_refuse_outside(const struct cli__cli *cli, const struct cli__wanted *wanted, size_t n,
			       const char *why);

/* Does `label` mean this event number (APMU_METRIC_CYCLES: the cycle counter) on `core`? */
bool cli__label_means(const struct apmu_core *core, const char *label, unsigned number);

/* The row that holds this event number (APMU_METRIC_CYCLES: the cycle counter); n if none. */
size_t cli__wanted_find(const struct cli__wanted *wanted, size_t n, unsigned number);

/* Adds the signals that the event sums on this core. */
void cli__wanted_signals(const struct apmu_core *core, const struct cli__wanted *wanted,
			 uint64_t set[APMU_SIGNAL_WORDS]);

/* The manual's name: "INSTR_EXEC", "CYCLES" for the cycle counter, "RESERVED". */
const char *cli__wanted_name(const struct cli__wanted *wanted);

#endif
