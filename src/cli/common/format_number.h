/* SPDX-License-Identifier: MIT */
/**
 * Formats numbers for people: 1,234,567 and 97.12%.
 */
#ifndef APMU_CLI_COMMON_FORMAT_NUMBER_H
#define APMU_CLI_COMMON_FORMAT_NUMBER_H

#include <apmu/metric.h>
#include <stdint.h>

enum { CLI__NUMBER = 48 }; /* bytes of the longest text, with its NUL */

/* Formats as 1,234,567. A double is exact up to 2^53. */
void cli__format_count(char out[CLI__NUMBER], double value);
void cli__format_whole(char out[CLI__NUMBER], uint64_t value);

/* Formats as 1.2 M: three significant digits and a power of a thousand. */
void cli__format_short(char out[CLI__NUMBER], double value);

/* The round step (1, 2 or 5 times a power of ten) that divides 0..most into at most `parts` parts. */
double cli__tick_step(double most, unsigned parts);

/* Growth in percent of `before`, which is not 0. The difference is taken as a whole number: a double rounds
 * above 2^53, and so does a quotient such as 1.1. */
double cli__growth_percent(uint64_t before, uint64_t after);

/* Formats a metric's value with its unit. */
void cli__format_metric(char out[CLI__NUMBER], const struct apmu_metric *metric, double value);

#endif
