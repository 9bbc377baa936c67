/* SPDX-License-Identifier: MIT */
/**
 * Options and commands of perf that apmu lacks, each with what to use instead. They are looked up only after
 * a command's own options.
 */
#ifndef APMU_CLI_COMMON_PERF_WORDS_H
#define APMU_CLI_COMMON_PERF_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct cli__perf_option {
	const char *command; /* our command with the same name as perf's */
	char brief;          /* 0: none */
	const char *name;    /* "all-cpus" for --all-cpus */
	bool value;          /* perf's option takes a value */
	const char *same;    /* long name of our option with the same meaning; NULL: none */
	const char *why;     /* what to do instead; NULL without `same`: accepted and ignored */
};

/* Finds an option of perf by its letter or, if `brief` is 0, by its long name of `length` bytes; NULL if it
 * is unknown. */
const struct cli__perf_option *cli__perf_option(const char *command, char brief, const char *name,
						size_t length);

/* What to use instead of a command of perf; NULL if the name is unknown. */
const char *cli__perf_command(const char *name);

/* True for a software event of Linux, such as "page-faults". */
bool cli__perf_software(const char *event);

#endif
