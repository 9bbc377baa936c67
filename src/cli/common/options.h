/* SPDX-License-Identifier: MIT */
/**
 * A command's options as a table: the parser and the help text read the same rows.
 *
 * Understood: -c VALUE, -cVALUE, -jv, --core VALUE, --core=VALUE, -- for "the rest are words".
 */
#ifndef APMU_CLI_COMMON_OPTIONS_H
#define APMU_CLI_COMMON_OPTIONS_H

#include "cli/cli.h"

struct apmu__option {
	char brief;       /* 'c' for -c; 0: none */
	const char *name; /* "core" for --core; NULL ends the table */
	const char *arg;  /* what the help calls its value; NULL: takes none; "[=N]": may be left out */
	const char *text; /* one or more lines */
	int id;           /* what apmu__option_next() returns */
};

struct apmu__args {
	const struct apmu__cli *cli;
	const struct apmu__option *option;
	int argc;
	char **argv;
	int at;              /* next to look at */
	const char *cluster; /* rest of "-jv" */
	const char *value;   /* of the option just returned; NULL: none */
	bool done;           /* "--" was seen */
};

enum { APMU__OPTION_WORD = -1, APMU__OPTION_BAD = -2 };

/* The id of the next option; APMU__OPTION_WORD at a word or the end; APMU__OPTION_BAD after a complaint. */
int apmu__option_next(struct apmu__args *args);

/* Hands each option to `take` until one is refused or a word comes; what take() returned last,
 * APMU__EXIT_USAGE for an option that the table lacks. */
int apmu__options_each(struct apmu__args *args, int (*take)(void *ctx, int id, const char *value), void *ctx);

/* "5", "0.5" or "5%"; 0, or APMU__EXIT_USAGE after a complaint. */
int apmu__option_percent(const struct apmu__cli *cli, const char *option, const char *value, double *out);

/* An option's value as a whole number; 0, or APMU__EXIT_USAGE after a complaint. */
int apmu__option_number(const struct apmu__cli *cli, const char *option, const char *value, uint64_t most,
			uint64_t *out);

/* 0, or APMU__EXIT_USAGE after a complaint if no name is there. */
int apmu__option_file(const struct apmu__cli *cli, const char *option, const char *value);

/* "-c 'x' is not a number of samples": APMU__EXIT_USAGE. */
int apmu__option_bad(const struct apmu__cli *cli, const char *option, const char *value, const char *want);

/* Prints the table for --help. */
void apmu__options_help(const struct apmu__option *option, FILE *out);

#endif
