/* SPDX-License-Identifier: MIT */
/**
 * `apmu sweep`: what its files share. A plan (sweep_plan.c) is a list of runs, each an ordinary `apmu stat
 * -j`; they are done here (sweep_local.c) or by Slurm (sweep_slurm.c), and each leaves a line in the results
 * (sweep_results.c), which sweep_print.c shows.
 *
 * In the folder of the sweep: run-N.json is what run N's stat wrote, run-N.out and run-N.err what the program
 * and stat said; commands is the list of command lines.
 */
#ifndef APMU_CLI_SWEEP_SWEEP_H
#define APMU_CLI_SWEEP_SWEEP_H

#include "cli/cli.h"

#include <jansson.h>

enum { APMU__SWEEP_RUNS = 100000 }; /* most of a plan */

/* Words, and where there are several sets of them. */
struct apmu__words {
	char **word; /* owned; NULL-terminated */
	size_t n;
};
void apmu__words_add(struct apmu__words *words, const char *word);
void apmu__words_free(struct apmu__words *words);
/* For a shell. To be freed. */
char *apmu__words_quoted(const struct apmu__words *words);

/* A parameter of the plan and the values that it takes. */
struct apmu__sweep_set {
	char *key;
	struct apmu__words values;
};

struct apmu__sweep_run {
	size_t program, core;
	size_t *value;           /* by set: index of the value */
	struct apmu__words stat; /* "stat", "-c" ... without -j -o */
	char *command;           /* "apmu stat -c ...": how people would write it, and the run's name */
	json_t *result;          /* its line of the results; NULL: not done */
};

struct apmu__sweep {
	struct apmu__words *program; /* a command line each */
	size_t programs;
	struct apmu__words cores, events, options;
	struct apmu__sweep_set *set;
	size_t sets;
	struct apmu__sweep_run *run;
	size_t runs;
	char *folder, *results; /* paths */
	unsigned jobs;
	struct apmu__words sbatch; /* more options for it */
};

/* Reads a plan and makes its runs. 0, or an exit code after a complaint with the line's number. */
int apmu__sweep_plan(const struct apmu__cli *cli, const char *path, struct apmu__sweep *sweep);
void apmu__sweep_free(struct apmu__sweep *sweep);

/* What is done already: fills `result` of runs whose line stands in the results and was no failure. 0 or 1.
 */
int apmu__sweep_resume(const struct apmu__cli *cli, struct apmu__sweep *sweep);

/* Takes run i's files and appends its line. 0 or 1 after a complaint; a run that failed is no complaint here.
 */
int apmu__sweep_collect(const struct apmu__cli *cli, struct apmu__sweep *sweep, size_t i);

/* "FOLDER/run-N.SUFFIX", to be freed. */
char *apmu__sweep_path(const struct apmu__sweep *sweep, size_t i, const char *suffix);

/* The words that do run i: SELF stat -j -o FILE .... */
void apmu__sweep_words(const struct apmu__sweep *sweep, size_t i, struct apmu__words *out);

/* Do what is not done. 0, or an exit code after a complaint. */
int apmu__sweep_local(struct apmu__cli *cli, struct apmu__sweep *sweep);
int apmu__sweep_slurm(struct apmu__cli *cli, struct apmu__sweep *sweep);

/* Can the run's program run on its core at all? */
bool apmu__sweep_possible(const struct apmu__sweep *sweep, const struct apmu__sweep_run *run);

void apmu__sweep_table(const struct apmu__sweep *sweep, FILE *out);
/* Bars of the first event. */
void apmu__sweep_plot(const struct apmu__sweep *sweep, FILE *out);

#endif
