/* SPDX-License-Identifier: MIT */
/**
 * Results to standard error or to a file (-o) that is replaced whole or not at all.
 *
 * The file is written without a name, gets one beside the old one at the end, and is renamed; where the file
 * system has no nameless files everything is collected in memory first. What is no regular file (/dev/null, a
 * pipe) is collected, opened and written.
 */
#ifndef APMU_CLI_COMMON_OUTPUT_H
#define APMU_CLI_COMMON_OUTPUT_H

#include "cli/cli.h"

struct cli__output {
	const char *path; /* NULL: the error stream */
	FILE *stream;     /* write here */
	char *text;       /* what was collected, if it was */
	size_t size;
	int fd; /* of the file that has no name yet; -1: none */
};

/* 0, or 1 after a complaint: before a program runs for minutes, can its results be written at all? */
int cli__output_check(const struct cli__cli *cli, const char *path);

/* 0, or 1 after a complaint. */
int cli__output_open(const struct cli__cli *cli, struct cli__output *out, const char *path);

/* Writes what was collected if `keep`; else drops it. 0, or 1 after a complaint. */
int cli__output_close(const struct cli__cli *cli, struct cli__output *out, bool keep);

/* Columns of the terminal that a stream goes to; $COLUMNS if it is none; else 0: no limit. */
unsigned cli__width(FILE *stream);

/* Text as an XML element's content has it. */
void cli__put_xml(const char *text, FILE *out);

#endif
