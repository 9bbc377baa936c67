/* SPDX-License-Identifier: MIT */
/**
 * A profile as one HTML page that needs nothing else: src/cli/export/page with the counts as JSON in
 * it.
 *
 * Its size has a bound, whatever the profile: what is small is left out, see the numbers below.
 */
#ifndef APMU_CLI_EXPORT_HTML_H
#define APMU_CLI_EXPORT_HTML_H

#include "cli/annotate/annotate.h"

enum {
	CLI__HTML_FUNCTIONS = 5000, /* those with the largest self count of any event */
	CLI__HTML_NODES = 15000,    /* boxes of the flame graph */
	CLI__HTML_BINS = 240,       /* steps of a lane */
	CLI__HTML_THREADS = 64,     /* with lanes */
	CLI__HTML_BODIES = 200,     /* functions with their instructions */
	CLI__HTML_INSTRUCTIONS = 12000,
	CLI__HTML_SPOTS = 24000, /* instructions with a count */
	CLI__HTML_LINES = 12000, /* of source */
	CLI__HTML_WHOLE = 500,   /* a file of so many lines is shown whole */
	CLI__HTML_DATA = 4000,   /* lines with their data's level, of all events together */
	CLI__HTML_AROUND = 12,   /* lines shown round one with a count */
	CLI__HTML_STEPS = 96,    /* steps that a range of time may begin and end at */
	CLI__HTML_CELLS = 40000, /* counts by step, of each of functions, boxes and instructions */
};

/* What the page has rows for: by index of the summary, PROFILE__NONE if it was left out. */
struct cli__html_rows {
	uint32_t *function, *node, *spot;
};

/* Prints the page. `before` (NULL: none) is an older profile to compare with. */
void cli__html(const struct cli__open_profile *loaded, const struct cli__open_profile *before, FILE *out);

/* Opens a profile and writes its page to a file (NULL: to the output stream). 0, or an exit code after a
 * complaint. */
int cli__report_html(struct cli__cli *cli, const struct cli__load_options *load, const char *output);

/* Parts of its JSON: boxes of the flame graph, [parent, function, weights]; */
void cli__html_nodes(const struct profile__summary *summary, struct cli__html_rows *rows, FILE *out);
/* lanes, and counts by step of time: null without an order; */
void cli__html_time(const struct profile__summary *summary, const struct cli__html_rows *rows, FILE *out);
/* data accesses: empty without `record -d`; */
void cli__html_data(const struct cli__open_profile *loaded, FILE *out);
/* {"code", "spots", "sources", "files"}. */
void cli__html_code(const struct cli__open_profile *loaded, struct cli__html_rows *rows, FILE *out);

/* [1,2,3] */
void cli__html_weights(const uint64_t *weight, size_t n, FILE *out);

/* The largest share of any event that a row of `events` counts is of the whole. */
double cli__html_worth(const struct profile__summary *summary, const uint64_t *weight);

#endif
