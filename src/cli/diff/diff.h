/* SPDX-License-Identifier: MIT */
/**
 * `apmu diff`: declarations that its files share. diff_read.c: reads a run. cmd_diff.c: compares and judges.
 * diff_print.c: prints.
 */
#ifndef APMU_CLI_DIFF_DIFF_H
#define APMU_CLI_DIFF_DIFF_H

#include "cli/common/open_profile.h"

enum { CLI__NUMBER_CYCLES = -1, CLI__NUMBER_NONE = -2 }; /* the cycle counter; not known */

/* An event's count on a core. A profile's counts are in the order of its events. */
struct cli__event_count {
	char *core, *event;
	int64_t number; /* of the event's selector, or one of CLI__NUMBER_... */
	uint64_t value;
	bool unknown; /* the recording was cut off before its totals were written; `value` is 0 */
};

/* A run: the JSON of `apmu stat -j`, or a profile, which has functions too. */
struct cli__measured {
	const char *path;
	struct cli__event_count *count;
	size_t counts;
	bool profile;
	struct cli__open_profile loaded; /* if `profile` */
	int exit; /* the program's exit status, 128 + the signal that ended it; -1: not known */
	bool cut; /* the recording was cut off: its totals are unknown */
};

/* Reads a run from a file; "-" is standard input. 0, or an exit code after a complaint. Free in any case. */
int cli__measured_read(const struct cli__cli *cli, const char *path, const struct cli__load_options *load,
		       struct cli__measured *out);
void cli__measured_free(struct cli__measured *measured);

/* Which runs lack a count or function: bits. Its value there is 0. */
enum cli__missing { CLI__IN_BOTH, CLI__NEW_ONLY, CLI__OLD_ONLY, CLI__IN_NEITHER };

struct cli__change {
	const char *core, *event; /* of a count */
	const char *core_after; /* the second run's, if each run is of one core and they differ; else NULL */
	const char *function, *object; /* of a function; else NULL */
	const char *own;               /* what `object` is called in the run that the function was found in */
	uint64_t before, after;
	enum cli__missing missing;
	bool above; /* grew by more than --fail-above */
};

struct cli__changes {
	struct cli__change *count, *function; /* functions: the largest change first */
	size_t counts, functions;
};

/* The change in percent; HUGE_VAL from 0 to more. */
double cli__change_percent(const struct cli__change *change);

void cli__diff_text(const struct cli__changes *changes, size_t limit, FILE *out);
int cli__diff_json(const struct cli__changes *changes, size_t limit, FILE *out);
void cli__diff_markdown(const struct cli__changes *changes, size_t limit, FILE *out);

#endif
