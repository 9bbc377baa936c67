/* SPDX-License-Identifier: MIT */
/**
 * A profile as one HTML page that needs nothing else: src/cli/export/page.html with the figures as JSON in
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
	APMU__HTML_BINS = 500,       /* steps of a curve */
	APMU__HTML_THREADS = 64,     /* curves */
	APMU__HTML_BODIES = 200,     /* functions with their instructions */
	APMU__HTML_INSTRUCTIONS = 12000,
	APMU__HTML_LINES = 12000, /* of source */
	APMU__HTML_DATA = 4000,   /* lines with their data's level, of all events together */
	APMU__HTML_AROUND = 6,    /* lines shown round one with a count */
};

/* Prints the page. */
void apmu__html(const struct apmu__loaded *loaded, FILE *out);

/* Opens a profile and writes its page to a file (NULL: to the output stream). 0, or an exit code after a
 * complaint. */
int apmu__report_html(struct apmu__cli *cli, const struct apmu__load_options *load, const char *output);

/* Parts of its JSON: `functions` maps a function of the summary to its row, NONE if it was left out. */
void apmu__html_nodes(const struct apmu__summary *summary, const uint32_t *functions, FILE *out);
void apmu__html_timeline(const struct apmu__summary *summary, FILE *out);
/* "access": nothing without `record -d`. */
void apmu__html_data(const struct apmu__loaded *loaded, FILE *out);
/* "files", "code" and "sources". */
void apmu__html_code(const struct apmu__loaded *loaded, FILE *out);

/* [1,2,3] */
void apmu__html_weights(const uint64_t *weight, size_t n, FILE *out);

#endif
