/* SPDX-License-Identifier: MIT */
/**
 * `apmu report`: what its files share. cmd_report.c the command line, report_sum.c samples to rows,
 * report_rows.c what a row is, report_tree.c what functions have with what they called, report_text.c rows to
 * text, report_parts.c what cycles are lost to.
 */
#ifndef APMU_CLI_REPORT_REPORT_H
#define APMU_CLI_REPORT_REPORT_H

#include "cli/common/colour.h"
#include "cli/common/open_profile.h"

/* What rows are told apart by. */
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
	bool calls;               /* --calls: who called whom how often */
	bool coloured;
	bool limited;       /* --percent-limit was given */
	bool graph;         /* -g: the tree of calls */
	bool callees_first; /* turned round */
	bool stack;         /* --cpi-stack: what the cycles of each row are lost to */
	const char *html;   /* write a page there instead; NULL: no */
};

/* Rows of one event. */
struct cli__report_row {
	char *text[CLI__KEYS]; /* per key */
	uint64_t self, children, samples;
	uint64_t latency, loads; /* cycles of so many samples that know theirs */
	uint64_t seen;           /* while it is summed: the last stack whose leaf it is in */
	uint32_t on_path;        /* while it is summed: how often it is on the chain in hand */
};
struct cli__report {
	struct cli__report_row *row;
	size_t rows;
	uint64_t weight, samples; /* of all samples of the event */
	uint64_t shown;           /* weight that the filters let pass */
	bool children;            /* rows have them */
};

/* Sums the samples of an event, in order. 0, or a negative errno value. */
int cli__report_sum(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		    uint32_t event, struct cli__report *report);
void cli__report_free(struct cli__report *report);

/* The tree of calls; `loaded` has its sums. */
void cli__report_graph(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		       uint32_t event, FILE *out);

/* report_parts.c: what the cycles of each row are lost to. 0, or an exit code after a complaint. */
int cli__report_parts(struct cli__cli *cli, const struct cli__report_options *options,
		      const struct cli__open_profile *loaded, FILE *out);

/* report_calls.c: who called whom how often. 0, or an exit code after a complaint. */
int cli__report_calls(struct cli__cli *cli, const struct cli__report_options *options,
		      const struct cli__open_profile *loaded, FILE *out);

/* How often one function called another, by their names. */
struct cli__call_pair {
	const char *caller, *callee;
	uint64_t calls;
};

/* Those of a recording with branches, in order of names; freed by the caller. 0, or a negative errno value.
 */
int cli__report_call_pairs(const struct cli__open_profile *loaded, struct cli__call_pair **pair, size_t *n);

/* How often; 0: no call was counted. */
uint64_t cli__report_call_count(const struct cli__call_pair *pair, size_t n, const char *caller,
				const char *callee);

/* Opens a recording that --cpi-stack made and does that, for `apmu top-down --by KEYS`. */
int cli__report_parts_of(struct cli__cli *cli, const char *path, const char *sysroot, const char *keys,
			 bool coloured, FILE *out);

/* Are these words of --sort? 0, or an exit code after a complaint. */
int cli__report_keys_check(const struct cli__cli *cli, const char *keys);

/* What was recorded and how much of it, as lines that begin with #. */
void cli__report_head(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		      uint32_t event, uint64_t weight, uint64_t samples, FILE *out);

void cli__report_text(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		      uint32_t event, const struct cli__report *report, FILE *out);

#endif
