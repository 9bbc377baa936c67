/* SPDX-License-Identifier: MIT */
/**
 * The nearest of a list of names to one that was mistyped: offer each, then ask.
 *
 * Distance is the number of letters to insert, delete or change; case does not count and '_' is '-'.
 * `name.part.0` is next to `name`.
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
