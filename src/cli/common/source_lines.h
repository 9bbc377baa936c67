/* SPDX-License-Identifier: MIT */
/**
 * Lines of source files; each file is read once. A file that cannot be read, is not regular or has more than
 * 16 MiB has no lines.
 */
#ifndef APMU_CLI_COMMON_SOURCE_LINES_H
#define APMU_CLI_COMMON_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

struct cli__source_file {
	char *path;
	char *text;  /* lines, each ended by a NUL; NULL: unreadable */
	char **line; /* line[0] is line 1 */
	uint32_t lines;
};

struct cli__sources {
	struct cli__source_file *file;
	size_t files;
};

/* Returns the file, with 0 lines if it cannot be read. Valid until the next call. */
const struct cli__source_file *cli__source_open(struct cli__sources *sources, const char *path);

/* A line without its end, or NULL. */
const char *cli__source_line(struct cli__sources *sources, const char *path, uint32_t line);

void cli__sources_free(struct cli__sources *sources);

#endif
