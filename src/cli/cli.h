/* SPDX-License-Identifier: MIT */
/**
 * The `apmu` command: declarations that its files share.
 *
 * Each subcommand is one function in one file (`cmd_stat.c`, `cmd_list.c`, `cmd_decode.c`). Helpers that
 * several subcommands need are declared here and in common/. Facts about a core do not belong here; they are
 * rows of the description.
 *
 * A message is one line: "apmu stat: what is wrong; what would be right". Exit codes: 2 for a wrong command
 * line, 1 for a failure, 3 for an exceeded limit (bench, compare, diff), else the program's own.
 */
#ifndef APMU_CLI_CLI_H
#define APMU_CLI_CLI_H

#include <apmu/core.h>
#include <stdarg.h>
#include <stdio.h>

#ifndef APMU_VERSION
#define APMU_VERSION "unknown" /* cmake/targets.cmake defines the version */
#endif

enum { CLI__EXIT_FAILURE = 1, CLI__EXIT_USAGE = 2 };

struct cli__cli {
	FILE *out, *err;
	const char *command; /* "stat": prefix of every message; NULL: none yet */
	bool parse_only;     /* stop before anything is run or written */
};

/* Runs the command with these output streams and returns the exit code. Touches the process's own stdout and
 * stderr only if they are passed in; a program that the command starts inherits them. */
int cli__cli(int argc, char **argv, FILE *out, FILE *err);

/* Flushes the output stream. A full disk or a closed pipe must not look like success: prints a message and
 * turns exit code 0 into 1. */
int cli__flushed(struct cli__cli *cli, int code);

/* Like cli__cli(), but stops before a program is started or a file written; used by the fuzzer. */
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

/* Prints one line to the error stream, with the prefix "apmu stat: ". */
void cli__message(const struct cli__cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text from files must not control the terminal: replaces, in place, what a terminal would obey by '?',
 * except `keep`, and returns `text`. cli__put_plain() prints text that way. */
char *cli__plain(char *text, char keep);
void cli__put_plain(const char *text, FILE *out);

/* The core with this name or alias; NULL after a complaint that names the nearest. */
const struct apmu_core *cli__core(const struct cli__cli *cli, const char *name);

/* The default core for a program, looked for below the sysroot first (NULL: there is none); with `system`:
 * for a QEMU. Never NULL: the run itself reports a program that cannot run. */
const struct apmu_core *cli__default(const char *program, const char *sysroot, bool system);

/* Allocates `n` zeroed elements of `size` bytes. Ends the process with a message if memory is exhausted. */
void *cli__zalloc(size_t n, size_t size);

/* Makes room for one more element in an array of `n`: allocates 4 elements if n is 0, doubles the array if n
 * is a power of two from 4 on. New memory is zero. */
void *cli__grow(void *array, size_t n, size_t size);

/* strdup(), asprintf() and vasprintf() that end the process if memory is exhausted. */
char *cli__copy(const char *text);
char *cli__format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *cli__vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Names for a message, "a, b, c": the first few, then how many more. */
struct cli__names {
	char *text; /* owned; NULL: none yet */
	size_t n;
};
void cli__names_add(struct cli__names *names, const char *name);
/* Returns the text, owned by the caller, "" for none; empties `names`. */
char *cli__names_take(struct cli__names *names);

/* Parses a whole number, decimal or 0x; false if the text is anything else or the number is above `max`. */
bool cli__number(const char *text, uint64_t max, uint64_t *out);

#endif
