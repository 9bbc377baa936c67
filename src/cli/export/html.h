/* SPDX-License-Identifier: MIT */
/**
 * A profile as one self-contained HTML page: src/cli/export/page with the counts as JSON in it.
 *
 * The page's size is bounded, whatever the profile: beyond the numbers below, small things are left out.
 */
#ifndef APMU_CLI_EXPORT_HTML_H
#define APMU_CLI_EXPORT_HTML_H

#include "cli/annotate/annotate.h"

enum {
	CLI__HTML_FUNCTIONS = 5000, /* those of the highest rank, see worth() */
	CLI__HTML_NODES = 15000,    /* boxes of the flame graph */
	CLI__HTML_BINS = 240,       /* steps of a lane, at most */
	CLI__HTML_THREADS = 64,     /* threads with lanes */
	CLI__HTML_BODIES = 200,     /* functions with their instructions */
	CLI__HTML_INSTRUCTIONS = 12000,
	CLI__HTML_SPOTS = 24000, /* instructions with a count */
	CLI__HTML_LINES = 12000, /* source lines */
	CLI__HTML_WHOLE = 500,   /* lines of a file that is shown whole, at most */
	CLI__HTML_DATA = 4000,   /* lines with their data's level, of all events together */
	CLI__HTML_AROUND = 12,   /* lines shown round one with a count */
	CLI__HTML_STEPS = 96,    /* steps that a range of time may begin and end at */
	CLI__HTML_CELLS = 40000, /* counts by step, for functions, boxes and instructions each */
};

/* Rows of the page by index of the summary; PROFILE__NONE: left out. */
struct cli__html_rows {
	uint32_t *function, *node, *spot;
};

/* Prints the page. `before` (NULL: none) is an older profile to compare with. 0, or what profile__each()
 * returns if the file cannot be read again. */
int cli__html(const struct cli__open_profile *loaded, const struct cli__open_profile *before, FILE *out);

/* Opens a profile and writes its page to a file (NULL: to the output stream). 0, or an exit code after a
 * complaint. */
int cli__report_html(struct cli__cli *cli, const struct cli__load_options *load, const char *output);

/* Writes the boxes of the flame graph: [parent, function, weights]. What is too small for a box of its own is
 * part of a box without a function. */
void cli__html_nodes(const struct profile__summary *summary, struct cli__html_rows *rows, FILE *out);
/* Writes lanes, and counts by step of time; null if the recording has no order of time (--exact).
 * Returns as cli__html(). */
int cli__html_time(const struct profile__summary *summary, const struct cli__html_rows *rows, FILE *out);
/* Writes data accesses; empty without `record -d`. */
void cli__html_data(const struct cli__open_profile *loaded, FILE *out);
/* Writes {"code", "spots", "sources", "files"}. */
void cli__html_code(const struct cli__open_profile *loaded, struct cli__html_rows *rows, FILE *out);

/* Writes [1,2,3]. */
void cli__html_weights(const uint64_t *weight, size_t n, FILE *out);

/* The largest share of its event that any count of a row has. */
double cli__html_worth(const struct profile__summary *summary, const uint64_t *weight);

#endif
