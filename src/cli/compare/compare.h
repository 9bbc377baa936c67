/* SPDX-License-Identifier: MIT */
/**
 * `apmu compare`: declarations that its files share. cmd_compare.c: a board's counts beside ours. With --fit:
 * fit.c finds the parameters that explain the differences of several programs, fit_run.c runs the programs
 * with other parameters, fit_solve.c has the least squares, fit_print.c the table and the file.
 */
#ifndef APMU_CLI_COMPARE_COMPARE_H
#define APMU_CLI_COMPARE_COMPARE_H

#include "cli/cli.h"

#include <apmu/uarch.h>

/* An event that the board counted. */
struct cli__measured_event {
	char *label;                 /* as perf has it, without modifier and PMU */
	char *name;                  /* as perf has it; NULL: as `label` */
	const struct apmu_core *pmu; /* the core that the name of the PMU names; NULL: none */
	double value;                /* NaN: perf could not count it */
	uint64_t whole;              /* the value, if `exact` */
	double running; /* percent of the time that it was counted; below 100 the value is scaled up */
	bool exact;     /* the value is a whole number, which a double rounds above 2^53 */
	bool kernel;    /* not limited to user space */
};

struct cli__board {
	struct cli__measured_event *event;
	size_t n;
	char *core; /* of a file of `apmu stat -j`, as it names it; else NULL */
};

/* Says that the file is no output of `apmu stat -j`: what it is instead, or the JSON reader's `error`. */
void cli__complain_no_json(const struct cli__cli *cli, const char *path, const char *error);

/* Reads what `perf stat -j` wrote. 0, or an exit code after a complaint. */
int cli__board_read(const struct cli__cli *cli, const char *path, struct cli__board *board);
void cli__board_free(struct cli__board *board);
/* Where a board with several kinds of cores counted on PMUs of `core` and of others, gives the events of the
 * others their full names, which are no events of `core`. */
void cli__board_choose(struct cli__board *board, const struct apmu_core *core);

/* Finds the core's event of this name or raw number; `cycles`: it is the cycle counter, and no event. False
 * if the core has none. */
bool cli__board_event(const struct apmu_core *core, const char *label, const struct apmu_event **event,
		      bool *cycles);

struct cli__fit_request {
	char **path; /* BOARD and OURS in turn */
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
	double board, weight; /* weight: 1 / uncertainty of the logarithm of `board` */
};

/* A parameter that may be fitted. */
struct cli__fit_param {
	const char *key;
	double begin, now; /* its value before, and as fitted */
	double step;       /* change that the parameter was tried with */
	double *slope;     /* per count: change of the weighted logarithm of ours per unit of the parameter */
	double strength;   /* how far a step moves the counts, in units of their uncertainty */
	double explains;   /* share of the squared difference that it explained when it was taken in */
	bool active, refused;               /* taken in; tried without gain */
	const struct cli__fit_param *rival; /* taken in where this one would have explained as much */
};

struct cli__fit {
	struct cli__cli *cli;
	const struct cli__fit_request *request;
	const struct apmu_core *core;
	struct apmu_uarch_params begin;
	char ***argv; /* per program */
	int *exit;    /* per program: its exit status in OURS; -1: not known */
	size_t programs;
	struct cli__fit_count *count;
	size_t counts;
	struct cli__fit_param *param;
	size_t params;
	double *rest;      /* per count: weighted logarithm of board / ours */
	double first, sum; /* sum of the squares of `rest`: at the beginning, now */
};

/* Runs all programs with each of `n` sets of parameters and fills ours[i * counts + c]. 0, or 1 after a
 * complaint. */
int cli__fit_run(const struct cli__fit *fit, const struct apmu_uarch_params *params, size_t n, double *ours);

/* Finds the changes of the `n` parameters `which` that leave least of the rest; returns the square that is
 * left. */
double cli__fit_solve(const struct cli__fit *fit, const size_t *which, size_t n, double *change);

void cli__fit_table(const struct cli__fit *fit, FILE *out);
int cli__fit_write(const struct cli__fit *fit, const struct apmu_uarch_params *fitted);

#endif
