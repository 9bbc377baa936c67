/* SPDX-License-Identifier: MIT */
/**
 * `apmu compare`: what its files share. A board's counts (cmd_compare.c) beside ours, or with --fit several
 * programs': fit.c asks which parameters explain the difference, fit_run.c runs the programs with other
 * parameters, fit_solve.c has the least squares, fit_print.c the table and the file.
 */
#ifndef APMU_CLI_COMPARE_COMPARE_H
#define APMU_CLI_COMPARE_COMPARE_H

#include "cli/cli.h"

#include <apmu/uarch.h>

/* An event that the board counted. */
struct cli__measured_event {
	char *label;    /* as perf has it, without modifier and PMU */
	double value;   /* NaN: perf could not count it */
	double running; /* percent of the time that it was counted; below 100 the value is scaled up */
	bool kernel;    /* not limited to user space */
};

struct cli__board {
	struct cli__measured_event *event;
	size_t n;
};

/* Reads what `perf stat -j` wrote. 0, or an exit code after a complaint. */
int cli__board_read(const struct cli__cli *cli, const char *path, struct cli__board *board);
void cli__board_free(struct cli__board *board);

struct cli__fit_request {
	char **path; /* BOARD OURS, by turns */
	size_t paths;
	const char *output; /* the .uarch file to write */
	const char *params; /* KEY,... to try; NULL: all */
	const char *sysroot;
	char *sets; /* --set and --uarch: where to begin */
};
int cli__fit(struct cli__cli *cli, const struct cli__fit_request *request);

/* One event of one program. */
struct cli__fit_count {
	const struct apmu_event *event; /* NULL: cycles */
	size_t program;
	double board, weight; /* weight: 1 / what the logarithm of it is uncertain by */
};

/* A parameter that may be another. */
struct cli__fit_param {
	const char *key;
	double begin, now;    /* its value before, and as fitted */
	double step;          /* that it was tried with */
	double *slope;        /* per count: weighted logarithm of ours per unit of the parameter */
	double strength;      /* how far a step moves the counts, in what they are uncertain by */
	double explains;      /* share of the squared difference that went as it was taken in */
	bool active, refused; /* taken in; tried and of no use */
};

struct cli__fit {
	struct cli__cli *cli;
	const struct cli__fit_request *request;
	const struct apmu_core *core;
	struct apmu_uarch_params begin;
	char ***argv; /* per program */
	size_t programs;
	struct cli__fit_count *count;
	size_t counts;
	struct cli__fit_param *param;
	size_t params;
	double *rest;      /* per count: weighted logarithm of board / ours */
	double first, sum; /* squared, of all counts: at the beginning, now */
};

/* Runs all programs with each of `n` sets of parameters; ours[i * counts + c]. 0, or 1 after a complaint. */
int cli__fit_run(const struct cli__fit *fit, const struct apmu_uarch_params *params, size_t n, double *ours);

/* The changes of the `n` parameters `which` that leave least of the rest; what is left is returned. */
double cli__fit_solve(const struct cli__fit *fit, const size_t *which, size_t n, double *change);

void cli__fit_table(const struct cli__fit *fit, FILE *out);
int cli__fit_write(const struct cli__fit *fit, const struct apmu_uarch_params *fitted);

#endif
