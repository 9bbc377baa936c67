/* SPDX-License-Identifier: MIT */
/**
 * Writes results to standard error, to standard output (-o -) or to a file (-o) that is replaced as a whole
 * or not at all.
 *
 * The new file has no name (O_TMPFILE) until the end; then it is linked beside the old one and renamed. If
 * the file system has no nameless files, the results are collected in memory first. Results for anything but
 * a regular file (/dev/null, a pipe) are collected, then written to it.
 */
#ifndef APMU_CLI_COMMON_OUTPUT_H
#define APMU_CLI_COMMON_OUTPUT_H

#include "cli/cli.h"

struct cli__output {
	const char *path; /* NULL: the error stream; "-": standard output */
	FILE *stream;     /* write here */
	char *text;       /* results collected in memory, if they are */
	size_t size;
	int fd; /* nameless file; -1: none */
};

/* Checks that results can be written, before a program runs for minutes. 0, or 1 after a complaint. */
int cli__output_check(const struct cli__cli *cli, const char *path);

/* Refuses results that would replace a file that is read: `input`, which is a WHAT ("recording"). Either path
 * may be NULL. 0, or CLI__EXIT_USAGE after a complaint. */
int cli__output_apart(const struct cli__cli *cli, const char *path, const char *input, const char *what);

/* Begins the results for `path`. 0, or 1 after a complaint. */
int cli__output_open(const struct cli__cli *cli, struct cli__output *out, const char *path);

/* Writes the results if `keep`; else drops them. 0, or 1 after a complaint. */
int cli__output_close(const struct cli__cli *cli, struct cli__output *out, bool keep);

/* Writes all bytes to a descriptor, however little each write takes. False: errno says why; where the room
 * ends in the middle, only the write behind that does. */
bool cli__write_all(int fd, const char *bytes, size_t n);

/* Columns of the terminal that a stream goes to; $COLUMNS if it is none; else 0: no limit. */
unsigned cli__width(FILE *stream);

/* Prints text, escaped for the content of an XML element. */
void cli__put_xml(const char *text, FILE *out);

#endif
