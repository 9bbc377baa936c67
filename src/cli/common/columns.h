/* SPDX-License-Identifier: MIT */
/**
 * How wide text is on a terminal: UTF-8, whatever the locale says, so that output is the same everywhere.
 */
#ifndef APMU_CLI_COMMON_COLUMNS_H
#define APMU_CLI_COMMON_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

/* Columns that a text takes. A byte that is not UTF-8 takes one. */
size_t cli__columns(const char *text);

/* How many bytes at the beginning of a text fit in so many columns. */
size_t cli__columns_reach(const char *text, size_t columns);

/* Prints the text with spaces before it, or after it, to be at least so wide. */
void cli__put_right(const char *text, size_t columns, FILE *out);
void cli__put_left(const char *text, size_t columns, FILE *out);

#endif
