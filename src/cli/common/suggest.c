/* SPDX-License-Identifier: MIT */
#include "cli/common/suggest.h"

#include "base/names.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 64 }; /* bytes; longer names are not compared */

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein's distance, one row of the table at a time. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[LONGEST + 1];
	unsigned columns = (unsigned)strlen(b);

	for (unsigned j = 0; j <= columns; j++)
		row[j] = j;
	for (unsigned i = 1; a[i - 1] != '\0'; i++) {
		unsigned corner = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= columns; j++) {
			unsigned change = corner + (apmu_base__fold(a[i - 1]) != apmu_base__fold(b[j - 1]));

			corner = row[j];
			row[j] = least(row[j] + 1, row[j - 1] + 1, change);
		}
	}
	return row[columns];
}

/* True if `candidate` is a compiler's clone of `want`, such as `sum.constprop.0`. */
static bool copy_of(const char *want, const char *candidate)
{
	size_t n = strlen(want);

	return n > 0 && strncmp(want, candidate, n) == 0 && candidate[n] == '.';
}

void cli__nearest_offer(struct cli__nearest *near, const char *candidate)
{
	unsigned d;

	if (strlen(candidate) > LONGEST || strlen(near->want) > LONGEST)
		return;
	d = copy_of(near->want, candidate) ? 1 : distance(near->want, candidate);
	if (near->best == NULL || d < near->distance) {
		near->best = candidate;
		near->distance = d;
	}
}

/* If half of the letters or more differ, the first letter must be the same. */
const char *cli__nearest(const struct cli__nearest *near)
{
	size_t n = strlen(near->want);

	if (near->best == NULL || near->distance > 1 + n / 3)
		return NULL;
	bool alike = apmu_base__fold(near->best[0]) == apmu_base__fold(near->want[0]);
	return alike || (size_t)2 * near->distance < n ? near->best : NULL;
}
