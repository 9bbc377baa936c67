/* SPDX-License-Identifier: MIT */
/**
 * Lines of source files, each file read once. What cannot be read, or is no ordinary file of less than 16
 * MiB, has no lines.
 */
#ifndef APMU_CLI_COMMON_SOURCE_LINES_H
#define APMU_CLI_COMMON_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

struct cli__source_file {
	char *path;
	char *text;  /* cut into lines by zeros; NULL: unreadable */
	char **line; /* line[0] is line 1 */
	uint32_t lines;
};

struct cli__sources {
	struct cli__source_file *file;
	size_t files;
};

/* The file; its `lines` are 0 where it cannot be read. Valid until the next call. */
const struct cli__source_file *cli__source_open(struct cli__sources *sources, const char *path);

/* A line without its end, or NULL. */
const char *cli__source_line(struct cli__sources *sources, const char *path, uint32_t line);

void cli__sources_free(struct cli__sources *sources);

#endif
