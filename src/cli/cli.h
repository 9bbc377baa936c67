/* SPDX-License-Identifier: MIT */
/**
 * The `apmu` command: what its files share.
 *
 * What it is: a table of subcommands, each one function in one file (`cmd_stat.c`, `cmd_list.c`,
 * `cmd_decode.c`), and the few helpers that they all need. What it is not: a place for facts about a core;
 * those are rows of the description.
 *
 * Messages: one line, "apmu stat: what is wrong; what would be right". Exit codes: 2 for a command line that
 * cannot be meant, 1 for a failure on the way, else the program's own.
 */
#ifndef APMU_CLI_CLI_H
#define APMU_CLI_CLI_H

#include <apmu/core.h>
#include <stdarg.h>
#include <stdio.h>

enum { CLI__EXIT_FAILURE = 1, CLI__EXIT_USAGE = 2 };

struct cli__cli {
	FILE *out, *err;
	const char *command; /* "stat": stands in every message */
	bool parse_only;     /* stop before anything is run or written */
};

/* The command with its streams. Returns the exit code. Does not touch the process's own stdout and stderr
 * unless they are what is handed in; a program that it starts does. */
int cli__cli(int argc, char **argv, FILE *out, FILE *err);

/* A full disk or a closed pipe must not look like success: says so, and changes exit code 0. */
int cli__flushed(struct cli__cli *cli, int code);

/* The same as cli__cli(), but stops where a program would be started or a file written: for the fuzzer. */
int cli__parse_only(int argc, char **argv, FILE *out, FILE *err);

/* Subcommands: argv[0] is the subcommand's name. */
int cli__cmd_report(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_run(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_bench(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_stat(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_record(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_list(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_export(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_annotate(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_diff(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_topdown(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_c2c(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_sweep(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_compare(struct cli__cli *cli, int argc, char **argv);
int cli__cmd_decode(struct cli__cli *cli, int argc, char **argv);

/* "apmu stat: ...", one line, on the error stream. */
void cli__message(const struct cli__cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Names that come from files, for people: what a terminal would obey becomes '?', but not `keep`. */
char *cli__plain(char *text, char keep);
void cli__put_plain(const char *text, FILE *out);

/* The core with this name or alias; NULL after a complaint that names the nearest. */
const struct apmu_core *cli__core(const struct cli__cli *cli, const char *name);

/* The core for a program (with `system`: a QEMU) when no --core was given. Never NULL: what is no program
 * that can run is told by running it. */
const struct apmu_core *cli__default(const char *program, bool system);

/* Memory for `n` things of `size` bytes, zeroed. Ends the process with a message where there is none. */
void *cli__zalloc(size_t n, size_t size);

/* Room for one more in an array that holds `n`: doubles it when n is 0 or a power of two. New memory is zero.
 */
void *cli__grow(void *array, size_t n, size_t size);

/* strdup, asprintf and vasprintf that do not return without memory. */
char *cli__copy(const char *text);
char *cli__format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *cli__vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Names for a message, "a, b, c": the first few, then how many more. */
struct cli__names {
	char *text; /* owned; NULL: none yet */
	size_t n;
};
void cli__names_add(struct cli__names *names, const char *name);
/* The text, owned by the caller, "" for none; empties `names`. */
char *cli__names_take(struct cli__names *names);

/* A whole number, decimal or 0x; false if the text is anything else or more than `max`. */
bool cli__number(const char *text, uint64_t max, uint64_t *out);

#endif
