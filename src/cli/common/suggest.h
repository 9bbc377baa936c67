/* SPDX-License-Identifier: MIT */
/**
 * Finds the name nearest to a mistyped one: offer each candidate, then ask.
 *
 * The distance is the number of letters to insert, delete or change; case does not count and '_' equals '-'.
 * `name.part.0` is at distance 1 from `name`.
 */
#ifndef APMU_CLI_COMMON_SUGGEST_H
#define APMU_CLI_COMMON_SUGGEST_H

struct cli__nearest {
	const char *want;
	const char *best;  /* nearest so far; NULL: none */
	unsigned distance; /* of `best` */
};

void cli__nearest_offer(struct cli__nearest *near, const char *candidate);

/* The nearest, or NULL when nothing is near enough to have been meant. */
const char *cli__nearest(const struct cli__nearest *near);

#endif
