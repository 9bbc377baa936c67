/* SPDX-License-Identifier: MIT */
/**
 * `apmu bench`: what its files share. bench_options.c the command line, bench_run.c the runs and their rows,
 * bench_file.c rows as JSON, kept and read back, bench_print.c tables.
 */
#ifndef APMU_CLI_BENCH_BENCH_H
#define APMU_CLI_BENCH_BENCH_H

#include "cli/common/events.h"

#include <apmu/uarch.h>

/* What one benchmark counted on one core. */
struct apmu__bench_row {
	char *name, *core, *program; /* owned */
	uint64_t *count;             /* per event of the list */
};

/* Rows, and the events that each has. */
struct apmu__bench {
	char **event; /* owned labels */
	size_t events;
	struct apmu__bench_row *row;
	size_t rows;
};

/* An event may grow by so many percent. */
struct apmu__bench_limit {
	char *event; /* NULL: all of them */
	double percent;
};

enum apmu__bench_format { APMU__BENCH_TEXT, APMU__BENCH_JSON, APMU__BENCH_GITHUB };

struct apmu__bench_options {
	const struct apmu_core **core;
	struct apmu_uarch_params *uarch; /* per core */
	struct apmu__wanted **wanted;    /* per core: rows.n */
	size_t cores;
	struct apmu__rows rows;
	char **argv; /* the program, NULL-terminated */
	const char *sysroot, *cpu, *qemu, *output, *save, *baseline, *name;
	struct apmu__bench_limit *limit;
	size_t limits;
	enum apmu__bench_format format;
	bool fixed, quiet;
	uint64_t from_start; /* as `begin` of APMU__REGION_REQUESTS */
};

enum { APMU__BENCH_HELP = -1, APMU__BENCH_GREW = 3 };
int apmu__bench_options(struct apmu__cli *cli, int argc, char **argv, struct apmu__bench_options *options);
void apmu__bench_options_free(struct apmu__bench_options *options);

/* Runs the program on each core and adds rows. 0 and how the program ended, or an exit code after a
 * complaint. */
int apmu__bench_run(struct apmu__cli *cli, const struct apmu__bench_options *options,
		    struct apmu__bench *bench, int *exits);

/* Adds a row that takes the counts; they may be NULL: none yet. */
struct apmu__bench_row *apmu__bench_add(struct apmu__bench *bench, const char *name, const char *core,
					const char *program);
/* The row of the same benchmark, core and program as `like`, which is of `of`; of several the one that stands
 * at the same turn. NULL: none. */
const struct apmu__bench_row *apmu__bench_find(const struct apmu__bench *bench, const struct apmu__bench *of,
					       const struct apmu__bench_row *like);
/* The event's place in the list; `events` if it is not there. */
size_t apmu__bench_event(const struct apmu__bench *bench, const char *label);
void apmu__bench_free(struct apmu__bench *bench);

/* Reads a file of rows. 0, or an exit code after a complaint. */
int apmu__bench_read(const struct apmu__cli *cli, const char *path, struct apmu__bench *bench);
/* Writes rows as JSON; those of `old` that `bench` has not stay. 0 or 1. */
int apmu__bench_write(const struct apmu__bench *bench, const struct apmu__bench *old, FILE *out);

/* Prints; `base`: what to compare with, or NULL. */
void apmu__bench_print(const struct apmu__bench_options *options, const struct apmu__bench *bench,
		       const struct apmu__bench *base, unsigned width, FILE *out);
/* How many counts grew beyond their limits; says each. */
size_t apmu__bench_check(const struct apmu__cli *cli, const struct apmu__bench_options *options,
			 const struct apmu__bench *bench, const struct apmu__bench *base);

#endif
