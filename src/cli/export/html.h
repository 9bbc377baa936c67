/* SPDX-License-Identifier: MIT */
/**
 * A profile as one HTML page that needs nothing else: src/cli/export/page with the figures as JSON in
 * it.
 *
 * Its size has a bound, whatever the profile: what is small is left out, see the numbers below.
 */
#ifndef APMU_CLI_EXPORT_HTML_H
#define APMU_CLI_EXPORT_HTML_H

#include "cli/annotate/annotate.h"

enum {
	APMU__HTML_FUNCTIONS = 5000, /* those with the largest self count of any event */
	APMU__HTML_NODES = 15000,    /* boxes of the flame graph */
	APMU__HTML_BINS = 240,       /* steps of a lane */
	APMU__HTML_THREADS = 64,     /* with lanes */
	APMU__HTML_BODIES = 200,     /* functions with their instructions */
	APMU__HTML_INSTRUCTIONS = 12000,
	APMU__HTML_SPOTS = 24000, /* instructions with a count */
	APMU__HTML_LINES = 12000, /* of source */
	APMU__HTML_WHOLE = 500,   /* a file of so many lines is shown whole */
	APMU__HTML_DATA = 4000,   /* lines with their data's level, of all events together */
	APMU__HTML_AROUND = 12,   /* lines shown round one with a count */
	APMU__HTML_STEPS = 96,    /* steps that a range of time may begin and end at */
	APMU__HTML_CELLS = 40000, /* counts by step, of each of functions, boxes and instructions */
};

/* What the page has rows for: by index of the summary, APMU__PROFILE_NONE if it was left out. */
struct apmu__html_rows {
	uint32_t *function, *node, *spot;
};

/* Prints the page. `before` (NULL: none) is an older profile to compare with. */
void apmu__html(const struct apmu__open_profile *loaded, const struct apmu__open_profile *before, FILE *out);

/* Opens a profile and writes its page to a file (NULL: to the output stream). 0, or an exit code after a
 * complaint. */
int apmu__report_html(struct apmu__cli *cli, const struct apmu__load_options *load, const char *output);

/* Parts of its JSON. */
void apmu__html_nodes(const struct apmu__summary *summary, struct apmu__html_rows *rows, FILE *out);
void apmu__html_time(const struct apmu__summary *summary, const struct apmu__html_rows *rows, FILE *out);
/* "access": nothing without `record -d`. */
void apmu__html_data(const struct apmu__open_profile *loaded, FILE *out);
/* "files", "spots", "code" and "sources". */
void apmu__html_code(const struct apmu__open_profile *loaded, struct apmu__html_rows *rows, FILE *out);

/* [1,2,3] */
void apmu__html_weights(const uint64_t *weight, size_t n, FILE *out);

/* The largest share of any event that a row of `events` counts is of the whole. */
double apmu__html_worth(const struct apmu__summary *summary, const uint64_t *weight);

#endif
