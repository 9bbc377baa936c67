/* SPDX-License-Identifier: MIT */
#include "cli/common/format_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void group(char out[CLI__NUMBER], bool negative, const char *digits)
{
	size_t n = strlen(digits), k = 0;

	if (negative)
		out[k++] = '-';
	for (size_t i = 0; i < n && k + 2 < CLI__NUMBER; i++) {
		out[k++] = digits[i];
		if (i + 1 < n && (n - i - 1) % 3 == 0)
			out[k++] = ',';
	}
	out[k] = '\0';
}

void cli__format_count(char out[CLI__NUMBER], double value)
{
	char digits[32];

	snprintf(digits, sizeof digits, "%.0f", fabs(value));
	group(out, value < 0, digits);
}

void cli__format_whole(char out[CLI__NUMBER], uint64_t value)
{
	char digits[32];

	snprintf(digits, sizeof digits, "%" PRIu64, value);
	group(out, false, digits);
}

double cli__growth_percent(uint64_t before, uint64_t after)
{
	double sign = after < before ? -100.0 : 100.0;
	uint64_t difference = after < before ? before - after : after - before;

	return sign * (double)difference / (double)before;
}

void cli__format_metric(char out[CLI__NUMBER], const struct apmu_metric *metric, double value)
{
	if (strcmp(metric->unit, "%") == 0)
		snprintf(out, CLI__NUMBER, "%.2f%%", value * 100);
	else if (fabs(value) >= 1000)
		cli__format_count(out, value);
	else
		snprintf(out, CLI__NUMBER, "%.3f%s%s", value, metric->unit[0] != '\0' ? " " : "",
			 metric->unit);
}

void cli__format_short(char out[CLI__NUMBER], double value)
{
	static const char *const unit[] = {"", " k", " M", " G", " T", " P", " E"};
	unsigned u = 0;

	for (; value >= 999.5 && u + 1 < sizeof unit / sizeof unit[0]; u++)
		value /= 1000;
	snprintf(out, CLI__NUMBER, "%.3g%s", value, unit[u]);
}

double cli__tick_step(double most, unsigned parts)
{
	double step = 1;

	while (step * parts * 10 < most)
		step *= 10;
	return step * parts >= most       ? step
	       : step * 2 * parts >= most ? step * 2
	       : step * 5 * parts >= most ? step * 5
					  : step * 10;
}
