/* SPDX-License-Identifier: MIT */
/**
 * `apmu bench`: declarations that its files share. bench_options.c: the command line. bench_run.c: the runs
 * and their rows. bench_file.c: rows as JSON, kept and read back. bench_print.c: tables.
 */
#ifndef APMU_CLI_BENCH_BENCH_H
#define APMU_CLI_BENCH_BENCH_H

#include "cli/common/events.h"

#include <apmu/uarch.h>

#define CLI__BENCH_NONE UINT64_MAX /* the core lacks the event, or the row was made without it */

/* What one benchmark counted on one core. */
struct cli__bench_row {
	char *name, *core, *program; /* owned */
	uint64_t *count;             /* per event of the list; CLI__BENCH_NONE: not counted */
};

/* Rows, and the events that each has. */
struct cli__bench {
	char **event; /* owned labels */
	size_t events;
	struct cli__bench_row *row;
	size_t rows;
};

/* Limit for the growth of an event, in percent. */
struct cli__bench_limit {
	char *event; /* NULL: all of them */
	double percent;
};

enum cli__bench_format { CLI__BENCH_TEXT, CLI__BENCH_JSON, CLI__BENCH_GITHUB };

struct cli__bench_options {
	const struct apmu_core **core;
	struct apmu_uarch_params *uarch; /* per core */
	struct cli__wanted **wanted;     /* per core: rows.n */
	size_t cores;
	struct cli__rows rows;
	char **argv; /* the program, NULL-terminated */
	const char *sysroot, *cpu, *qemu, *output, *save, *baseline, *name;
	struct cli__bench_limit *limit;
	size_t limits;
	enum cli__bench_format format;
	bool fixed, quiet;
	uint64_t from_start; /* as `begin` of APMU_QEMU__REGION_REQUESTS */
};

enum { CLI__BENCH_NO_MORE = -2, CLI__BENCH_HELP = -1, CLI__BENCH_GREW = 3 };
int cli__bench_options(struct cli__cli *cli, int argc, char **argv, struct cli__bench_options *options);
void cli__bench_options_free(struct cli__bench_options *options);

/* Runs the program on each core and adds rows. 0, with the program's exit status in *exits (that of a signal
 * that kept it from running on the last cores, as a message then says), or an exit code after a complaint. */
int cli__bench_run(struct cli__cli *cli, const struct cli__bench_options *options, struct cli__bench *bench,
		   int *exits);

/* Adds a row whose counts are 0. */
struct cli__bench_row *cli__bench_add(struct cli__bench *bench, const char *name, const char *core,
				      const char *program);
/* Finds the row with the benchmark, core and program of `like`, which is a row of `of`; of several such rows
 * the one at the same position among them. NULL: none. */
const struct cli__bench_row *cli__bench_find(const struct cli__bench *bench, const struct cli__bench *of,
					     const struct cli__bench_row *like);
/* True if there is a row of the program and core of `row`. */
bool cli__bench_covers(const struct cli__bench *bench, const struct cli__bench_row *row);
/* Index of the event; `events` if it is not in the list. */
size_t cli__bench_event(const struct cli__bench *bench, const char *label);
void cli__bench_free(struct cli__bench *bench);

/* Reads a file of rows. 0, or an exit code after a complaint. */
int cli__bench_read(const struct cli__cli *cli, const char *path, struct cli__bench *bench);
/* Writes rows as JSON. Rows of `old` (may be NULL) stay if `bench` has none of their program and core. 0 or
 * 1. */
int cli__bench_write(const struct cli__bench *bench, const struct cli__bench *old, FILE *out);

/* Prints the rows; `base`: what to compare with, or NULL. */
void cli__bench_print(const struct cli__bench_options *options, const struct cli__bench *bench,
		      const struct cli__bench *base, unsigned width, FILE *out);
/* Complains about each count that grew beyond its limit; returns their number. */
size_t cli__bench_check(const struct cli__cli *cli, const struct cli__bench_options *options,
			const struct cli__bench *bench, const struct cli__bench *base);

#endif
