/* SPDX-License-Identifier: MIT */
/**
 * A command's options as a table: the parser and the help text read the same rows.
 *
 * Understood: -c VALUE, -cVALUE, -jv, --core VALUE, --core=VALUE, -- for "the rest are words".
 */
#ifndef APMU_CLI_COMMON_OPTIONS_H
#define APMU_CLI_COMMON_OPTIONS_H

#include "cli/cli.h"

struct cli__option {
	char brief;       /* 'c' for -c; 0: none */
	const char *name; /* "core" for --core; NULL ends the table */
	const char *arg;  /* what the help calls its value; NULL: takes none; "[=N]": may be left out */
	const char *text; /* one or more lines */
	int id;           /* what cli__option_next() returns */
};

/* The text of --qemu. */
#define CLI__QEMU_TEXT                                                     \
	"the QEMU to use (default: the one in the folder that APMU_QEMU\n" \
	"names in the environment, without it apmu's own, else in PATH)"

struct cli__args {
	const struct cli__cli *cli;
	const struct cli__option *option;
	int argc;
	char **argv;
	int at;              /* index of the next word */
	const char *cluster; /* rest of "-jv" */
	const char *value;   /* value of the option just returned; NULL: none */
	bool done;           /* "--" was seen */
};

enum { CLI__OPTION_WORD = -1, CLI__OPTION_BAD = -2 };

/* The id of the next option; CLI__OPTION_WORD at a word or the end; CLI__OPTION_BAD after a complaint. */
int cli__option_next(struct cli__args *args);

/* Passes each option to `take` until one is refused or a word comes. Returns what take() returned last, or
 * CLI__EXIT_USAGE for an option that is not in the table. */
int cli__options_each(struct cli__args *args, int (*take)(void *ctx, int id, const char *value), void *ctx);

/* Parses a percentage: "5", "0.5" or "5%". `most` is 100 for a share, INFINITY for a change. 0, or
 * CLI__EXIT_USAGE after a complaint. */
int cli__option_percent(const struct cli__cli *cli, const char *option, const char *value, double most,
			double *out);

/* Parses an option's value as a whole number up to `most`. 0, or CLI__EXIT_USAGE after a complaint. */
int cli__option_number(const struct cli__cli *cli, const char *option, const char *value, uint64_t most,
		       uint64_t *out);

/* Checks that an option's file name is not empty. 0, or CLI__EXIT_USAGE after a complaint. */
int cli__option_file(const struct cli__cli *cli, const char *option, const char *value);

/* The same for the name of something else. */
int cli__option_name(const struct cli__cli *cli, const char *option, const char *value);

/* Prints "-c 'x' is not a number of samples", of which `want` is the end, and returns CLI__EXIT_USAGE. */
int cli__option_bad(const struct cli__cli *cli, const char *option, const char *value, const char *want);

/* Calls `use` on each word of a comma-separated list, whose commas are overwritten. Stops at the first word
 * that `use` refuses and returns what it returned last. */
int cli__list_each(char *list, int (*use)(void *ctx, const char *word), void *ctx);

/* Prints the table for --help. */
void cli__options_help(const struct cli__option *option, FILE *out);

#endif
