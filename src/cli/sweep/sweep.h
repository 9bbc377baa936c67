/* SPDX-License-Identifier: MIT */
/**
 * `apmu sweep`: declarations that its files share. A plan (sweep_plan.c) is a list of runs, each an ordinary
 * `apmu stat -j`. The runs are done here (sweep_local.c) or by Slurm (sweep_slurm.c), and each leaves a line
 * in the results (sweep_results.c), which sweep_print.c shows.
 *
 * In the folder of the sweep: run-N.json is what run N's stat wrote, run-N.out and run-N.err what the program
 * and stat said; commands is the list of command lines.
 */
#ifndef APMU_CLI_SWEEP_SWEEP_H
#define APMU_CLI_SWEEP_SWEEP_H

#include "cli/common/events.h"

#include <jansson.h>

enum { CLI__SWEEP_RUNS = 100000 }; /* runs of a plan, at most */

/* A list of words. */
struct cli__words {
	char **word; /* owned; NULL-terminated */
	size_t n;
};
void cli__words_add(struct cli__words *words, const char *word);
/* Adds a word that is not there yet. */
void cli__words_add_new(struct cli__words *words, const char *word);
void cli__words_free(struct cli__words *words);
/* The words quoted for a shell; to be freed. */
char *cli__words_quoted(const struct cli__words *words);

/* A parameter of the plan and the values that it takes. */
struct cli__sweep_set {
	char *key;
	struct cli__words values;
};

struct cli__sweep_run {
	size_t program, core;
	size_t *value;          /* by set: index of the value */
	struct cli__words stat; /* "stat", "-c" ... without -j -o */
	char *command;  /* "apmu stat -c ...", as people would write it; names the run in the results */
	json_t *result; /* its line of the results; NULL: not done */
};

struct cli__sweep {
	struct cli__words *program; /* each a command line */
	size_t programs;
	struct cli__words cores, events, options; /* events: as the plan has them */
	struct cli__rows rows;                    /* the events, by their names in results */
	bool *lacks; /* [core * rows.n + row]: this core lacks the event, another has it */
	struct cli__sweep_set *set;
	size_t sets;
	struct cli__sweep_run *run;
	size_t runs;
	char *folder, *results; /* paths */
	unsigned jobs;
	struct cli__words sbatch; /* more options for sbatch */
};

/* True if the run's core lacks event `row` of the plan and another core has it; false beyond the rows. */
bool cli__sweep_lacks(const struct cli__sweep *sweep, const struct cli__sweep_run *run, size_t row);

/* Reads a plan and makes its runs. 0, or an exit code after a complaint with the line's number. */
int cli__sweep_plan(const struct cli__cli *cli, const char *path, struct cli__sweep *sweep);
void cli__sweep_free(struct cli__sweep *sweep);

/* Refuses a plan if stat takes none of its runs, or none with a value that it names: no core has the
 * parameter, say. 0, or an exit code after a complaint. */
int cli__sweep_check(const struct cli__cli *cli, const char *path, const struct cli__sweep *sweep);

/* Fills `result` of runs that are done already, whose line in the results is no failure. 0, or 1 after a
 * complaint. */
int cli__sweep_resume(const struct cli__cli *cli, struct cli__sweep *sweep);

/* Appends the line of run i, made from its files, to the results. 0, or 1 after a complaint; a run that
 * failed is no complaint here. */
int cli__sweep_collect(const struct cli__cli *cli, struct cli__sweep *sweep, size_t i);

/* "FOLDER/run-N.SUFFIX", to be freed. */
char *cli__sweep_path(const struct cli__sweep *sweep, size_t i, const char *suffix);

/* Removes what an earlier try of run i left in the folder. */
void cli__sweep_forget(const struct cli__sweep *sweep, size_t i);

/* The command line of run i: SELF stat -j -o FILE .... */
void cli__sweep_words(const struct cli__sweep *sweep, size_t i, struct cli__words *out);

/* Run what is not done yet. 0, or an exit code after a complaint. */
int cli__sweep_local(struct cli__cli *cli, struct cli__sweep *sweep);
int cli__sweep_slurm(struct cli__cli *cli, struct cli__sweep *sweep);

/* False if the run's program cannot run on its core at all. */
bool cli__sweep_possible(const struct cli__sweep *sweep, const struct cli__sweep_run *run);

void cli__sweep_table(const struct cli__sweep *sweep, FILE *out);
/* Draws bars of the first event, as SVG. */
void cli__sweep_plot(const struct cli__sweep *sweep, FILE *out);

#endif
