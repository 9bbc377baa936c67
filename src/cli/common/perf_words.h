/* SPDX-License-Identifier: MIT */
/**
 * What someone who knows perf types by habit: its options and commands that are none of ours, each with what
 * it is here. A command's own options come first: this is asked about the unknown ones alone.
 */
#ifndef APMU_CLI_COMMON_PERF_WORDS_H
#define APMU_CLI_COMMON_PERF_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct cli__perf_option {
	const char *command; /* ours, of the same name as perf's */
	char brief;          /* 0: none */
	const char *name;    /* "all-cpus" for --all-cpus */
	bool value;          /* perf's takes one */
	const char *same;    /* our option that is the same, by its long name; NULL */
	const char *why; /* what to do instead; NULL (and no `same`): it is so anyway, the option is taken */
};

/* perf's option of a command, by its letter or, with brief 0, by its long name of so many bytes; NULL: perf
 * has none, or none that we know. */
const struct cli__perf_option *cli__perf_option(const char *command, char brief, const char *name,
						size_t length);

/* What to do instead of one of perf's commands; NULL: it has none of that name, or none that we know. */
const char *cli__perf_command(const char *name);

/* Is it one of the events that Linux counts itself ("page-faults")? */
bool cli__perf_software(const char *event);

#endif
