/* SPDX-License-Identifier: MIT */
/**
 * Which events to count: what `-e` says, and what that means on a given core.
 *
 * list     = item { "," item }
 *     item     = event | "{" event { "," event } "}" [ modifier ]
 *     event    = ( NAME | 0xHEX | rHEX ) [ modifier ]
 *              | PMU "/" ( NAME | "event=" 0xHEX | "config=" 0xHEX ) "/" [ modifier ]
 *     modifier = ":u" | ":p" | ":S"; after a PMU's last slash without colon too
 *
 * Rows are independent of a core; cli__wanted_of() finds each row's event on one core. `:p` changes nothing,
 * `:u` nothing where user space alone runs; `:k` and `:h` are refused.
 */
#ifndef APMU_CLI_COMMON_EVENTS_H
#define APMU_CLI_COMMON_EVENTS_H

#include "cli/cli.h"

#include <apmu/metric.h>

/* Why ':u' and --all-user (struct cli__rows, user) are refused with --system. */
#define CLI__WHOLE_SYSTEM                                                                      \
	"--system cannot tell user space from the kernel and counts both: leave out ':u' and " \
	"--all-user, or count the program by itself, without --system"

/* The text of --all-user. */
#define CLI__ALL_USER_TEXT "all events in user space alone, where a program by itself always is"

/* One line of the result. */
struct cli__row {
	char *label;    /* as the user wrote it, without modifier */
	unsigned group; /* rows of one {group} share a number */
	bool asked;     /* by the user; a core may silently lack rows that a metric or the default added */
};

struct cli__rows {
	struct cli__row *row;
	size_t n;
	unsigned groups;
	bool user;     /* user space alone is asked for, by ':u' or --all-user */
	bool first;    /* ':S': samples of a group's first event alone are asked for */
	bool firmware; /* the guest may be an operating system: what only that can cause needs no warning */
};

/* A row, resolved on one core. */
struct cli__wanted {
	const char *label;              /* the row's */
	const struct apmu_event *event; /* NULL: cycle counter, or a reserved number */
	unsigned number;                /* what goes into the selector */
	unsigned group;
	bool cycles;  /* the cycle counter itself */
	bool raw;     /* given as a number */
	bool absent;  /* this core lacks the event */
	bool outside; /* an event of a cache controller (l2c.h), not of the core's PMU */
};

/* Adds the rows of one -e list. 0, or an exit code after a complaint. */
int cli__rows_parse(const struct cli__cli *cli, struct cli__rows *rows, const char *list);

/* Adds a row in a group of its own. */
void cli__rows_add(struct cli__rows *rows, const char *label, bool asked);

/* Adds perf's usual events, as not asked for: a core may lack some of them. */
void cli__rows_usual(struct cli__rows *rows);

/* Adds what perf's -d, -dd and -ddd add (level 1 to 3), likewise. */
void cli__rows_detailed(struct cli__rows *rows, unsigned level);

/* Adds all events of a level-2 cache controller. */
void cli__rows_l2c(struct cli__rows *rows);

void cli__rows_free(struct cli__rows *rows);

/* Resolves all rows on `core` and returns rows->n wanted events, to be freed. A name that `core` lacks is
 * marked absent if one of `cores` has it or the user did not ask for it. A name that none has is an error,
 * whose message lists other cores with it or the nearest name; then returns NULL. Warns of events that count
 * nothing. */
struct cli__wanted *cli__wanted_of(const struct cli__cli *cli, const struct cli__rows *rows,
				   const struct apmu_core *core, const struct apmu_core *const *cores,
				   size_t n);

/* True if `core` lacks the event of this name and one of `cores` has it: cli__wanted_of() marks it absent. */
bool cli__label_absent(const struct apmu_core *core, const char *label, const struct apmu_core *const *cores,
		       size_t n);

/* Complains about the first wanted event that is outside the core's PMU and returns an exit code; 0 if there
 * is none. `why` ends the sentence: "needs --l2c l210". */
int cli__wanted_refuse_outside(const struct cli__cli *cli, const struct cli__wanted *wanted, size_t n,
			       const char *why);

/* What stands between a PMU's slashes, `length` bytes: a name, or N of event=N and config=N, which becomes
 * hexadecimal if it is decimal. The caller frees it. */
char *cli__pmu_label(const char *text, size_t length);

/* True if `label` names this event number (APMU_METRIC_CYCLES: the cycle counter) on `core`. */
bool cli__label_means(const struct apmu_core *core, const char *label, unsigned number);

/* The other number under which the same is counted: CPU_CYCLES for the cycle counter, and the reverse;
 * `number` itself for any other event. */
unsigned cli__event_twin(const struct apmu_core *core, unsigned number);

/* Index of the wanted event with this number (APMU_METRIC_CYCLES: the cycle counter); n if there is none. */
size_t cli__wanted_find(const struct cli__wanted *wanted, size_t n, unsigned number);

/* Adds the signals that the event sums on this core. */
void cli__wanted_signals(const struct apmu_core *core, const struct cli__wanted *wanted,
			 uint64_t set[APMU_SIGNAL_WORDS]);

/* True if an erratum of the core, on by default, adds the event's `extra` to it.
 * requires: an event */
bool cli__wanted_over_counts(const struct apmu_core *core, const struct cli__wanted *wanted);

/* The manual's name: "INSTR_EXEC", "CYCLES" for the cycle counter, "RESERVED". */
const char *cli__wanted_name(const struct cli__wanted *wanted);

#endif
