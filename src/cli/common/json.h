/* SPDX-License-Identifier: MIT */
/**
 * JSON by jansson, with members in the order in which they were added. docs/json.md specifies it.
 */
#ifndef APMU_CLI_COMMON_JSON_H
#define APMU_CLI_COMMON_JSON_H

#include "cli/cli.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* A count; above jansson's largest integer (2^63 - 1) a real number. */
json_t *cli__json_count(uint64_t value);

/* A register's value: a number, or above jansson's largest integer (2^63 - 1) its hexadecimal digits as a
 * string, such as "0xffffffffffffffff". */
json_t *cli__json_bits(uint64_t value);

/* A string; bytes that are not UTF-8 become '?'. NULL becomes null. */
json_t *cli__json_text(const char *text);

/* The value of a counter of apmu-stat/1. NULL if it has none that 64 bits can hold, or if the event's turn
 * never came (as-hardware): its 0 is no count. */
const json_t *cli__json_counted(const json_t *counter);

#define CLI__STAT_SCHEMA "apmu-stat/1"

/* True after a complaint if `schema` is that of `apmu stat -j` with another number: from a newer apmu. */
bool cli__json_newer(const struct cli__cli *cli, const char *path, const char *schema);

/* Adds `value` and takes over its reference. Ends the process if memory is exhausted. */
void cli__json_add(json_t *object, const char *name, json_t *value);
void cli__json_append(json_t *array, json_t *value);

/* Prints and frees. 0, or 1 if it could not be written. */
int cli__json_print(json_t *value, FILE *out);

#endif
