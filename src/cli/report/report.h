/* SPDX-License-Identifier: MIT */
/**
 * `apmu report`: declarations that its files share. cmd_report.c: the command line. report_sum.c: samples to
 * rows. report_rows.c: what a row is. report_tree.c: counts with callees. report_text.c: rows to text.
 * report_graph.c: the tree of calls. report_parts.c: what cycles are lost to. report_calls.c: exact calls.
 */
#ifndef APMU_CLI_REPORT_REPORT_H
#define APMU_CLI_REPORT_REPORT_H

#include "cli/common/colour.h"
#include "cli/common/open_profile.h"

/* Keys that tell rows apart. */
enum cli__report_key {
	CLI__KEY_FUNCTION,
	CLI__KEY_OBJECT,
	CLI__KEY_FILE,
	CLI__KEY_LINE,
	CLI__KEY_ADDRESS,
	CLI__KEY_THREAD,
	CLI__KEY_LEVEL,
	CLI__KEYS
};
extern const char *const cli__report_key_name[CLI__KEYS];

struct cli__report_options {
	struct cli__load_options load;
	uint8_t key[CLI__KEYS]; /* enum cli__report_key, in order of columns */
	size_t keys;
	const char *function, *object, *file; /* patterns; NULL: all */
	bool by_thread;
	uint64_t thread;          /* with by_thread: number from 1, or index of a virtual CPU */
	double limit;             /* percent: rows below are left out */
	uint64_t most;            /* rows; 0: all */
	bool no_children, sorted; /* sorted: --sort was given */
	bool calls;               /* --calls: how often each function called each other one */
	bool coloured;
	bool limited;       /* --percent-limit was given */
	bool graph;         /* -g: the tree of calls */
	bool callees_first; /* -G: the tree from the counts up to the callers */
	bool stack;         /* --cpi-stack: what the cycles of each row are lost to */
	const char *html;   /* write a page there instead; NULL: no */
};

/* A row of one event. */
struct cli__report_row {
	char *text[CLI__KEYS]; /* per key */
	uint64_t self, children, samples;
	uint64_t latency, loads; /* sum of latencies in cycles, and the number of samples that have one */
	uint64_t seen;           /* while summing: number of the last stack whose leaf has this row */
	uint32_t on_path;        /* while summing: how often the row is on the current chain */
};
struct cli__report {
	struct cli__report_row *row;
	size_t rows;
	uint64_t weight, samples; /* of all samples of the event */
	uint64_t shown;           /* weight that the filters let pass */
	bool children;            /* rows have `children` */
};

/* Sums the samples of an event into sorted rows. 0, or a negative errno value. */
int cli__report_sum(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		    uint32_t event, struct cli__report *report);
void cli__report_free(struct cli__report *report);

/* Leaves the folders out of objects and lines, where no other file is called the same. Before rows are
 * printed.
 */
void cli__report_shorten(const struct cli__report_options *options, struct cli__report *report);

/* Prints the tree of calls; `loaded` must have its summary. */
void cli__report_graph(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		       uint32_t event, FILE *out);

/* Prints what the cycles of each row are lost to. 0, or an exit code after a complaint. */
int cli__report_parts(struct cli__cli *cli, const struct cli__report_options *options,
		      const struct cli__open_profile *loaded, FILE *out);

/* Prints how often each function called each other one. 0, or an exit code after a complaint. */
int cli__report_calls(struct cli__cli *cli, const struct cli__report_options *options,
		      const struct cli__open_profile *loaded, FILE *out);

/* How often one function called another, by their names. */
struct cli__call_pair {
	const char *caller, *callee;
	uint64_t calls;
};

/* Finds the call pairs of a recording with branches, in order of names; the caller frees them. 0, or a
 * negative errno value. */
int cli__report_call_pairs(const struct cli__open_profile *loaded, struct cli__call_pair **pair, size_t *n);

/* How often `caller` called `callee`; 0: no call was counted. */
uint64_t cli__report_call_count(const struct cli__call_pair *pair, size_t n, const char *caller,
				const char *callee);

/* Opens a recording of --cpi-stack and prints what the cycles of each row are lost to, for `apmu top-down
 * --by KEYS`. */
int cli__report_parts_of(struct cli__cli *cli, const char *path, const char *sysroot, const char *keys,
			 bool coloured, FILE *out);

/* Checks a list of keys for --sort. 0, or an exit code after a complaint. */
int cli__report_keys_check(const struct cli__cli *cli, const char *keys);

/* Prints what was recorded and how much of it, as lines that begin with #. */
void cli__report_head(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		      uint32_t event, uint64_t weight, uint64_t samples, FILE *out);

void cli__report_text(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		      uint32_t event, const struct cli__report *report, FILE *out);

#endif
