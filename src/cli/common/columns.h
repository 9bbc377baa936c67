/* SPDX-License-Identifier: MIT */
/**
 * Width of text on a terminal. Text is taken as UTF-8 whatever the locale says, so that output is the same
 * everywhere.
 */
#ifndef APMU_CLI_COMMON_COLUMNS_H
#define APMU_CLI_COMMON_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

/* Columns that a text takes. A byte that is not UTF-8 takes one. */
size_t cli__columns(const char *text);

/* Bytes from the beginning of `text` that fit in `columns` columns. */
size_t cli__columns_reach(const char *text, size_t columns);

/* Prints the text padded with spaces to at least `columns`, aligned right or left. */
void cli__put_right(const char *text, size_t columns, FILE *out);
void cli__put_left(const char *text, size_t columns, FILE *out);

#endif
