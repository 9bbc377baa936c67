/* SPDX-License-Identifier: MIT */
/**
 * How numbers look to a person: 1,234,567 and 97.12%.
 */
#ifndef APMU_CLI_COMMON_FORMAT_NUMBER_H
#define APMU_CLI_COMMON_FORMAT_NUMBER_H

#include <apmu/metric.h>

enum { APMU__FIGURE = 48 }; /* longest text, with its end */

/* 1,234,567 */
void apmu__figure_count(char out[APMU__FIGURE], double value);

/* A metric's value in its unit. */
void apmu__figure_metric(char out[APMU__FIGURE], const struct apmu_metric *metric, double value);

#endif
