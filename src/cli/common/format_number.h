/* SPDX-License-Identifier: MIT */
/**
 * How numbers look to a person: 1,234,567 and 97.12%.
 */
#ifndef APMU_CLI_COMMON_FORMAT_NUMBER_H
#define APMU_CLI_COMMON_FORMAT_NUMBER_H

#include <apmu/metric.h>

enum { CLI__NUMBER = 48 }; /* longest text, with its end */

/* 1,234,567 */
void cli__format_count(char out[CLI__NUMBER], double value);

/* 1.2 M: at most three digits and the power of a thousand. */
void cli__format_short(char out[CLI__NUMBER], double value);

/* The round step (1, 2 or 5 times a power of ten) that divides 0..most into at most so many parts. */
double cli__tick_step(double most, unsigned parts);

/* A metric's value in its unit. */
void cli__format_metric(char out[CLI__NUMBER], const struct apmu_metric *metric, double value);

#endif
