/* SPDX-License-Identifier: MIT */
/**
 * The second half of a summary: from stacks to calls, functions and their tree.
 *
 * The work grows with the number of frames of the profile's chains and of stacks, not with the number of
 * stacks times the depth of their chains: a chain's functions are looked up once, and inclusive counts are
 * summed along the tree.
 */
#ifndef APMU_PROFILE_SUMMARY_TREE_H
#define APMU_PROFILE_SUMMARY_TREE_H

#include "profile/summary.h"

enum {
	PROFILE__STACKS,
	PROFILE__SPOTS,
	PROFILE__FUNCTIONS,
	PROFILE__NODES,
	PROFILE__CALLS
}; /* summary->index */

/* Makes room for row `n` of `size` bytes in an array that has rows 0 to n - 1, by doubling; new rows are
 * zero. */
bool profile__rows_grow(void **array, size_t n, size_t size);

/* profile__rows_grow() for rows of `events` numbers. */
bool profile__weights_grow(const struct profile__summary *summary, uint64_t **array, size_t n);

#define PROFILE__ROWS_GROW(array, n, ok)                                       \
	do {                                                                   \
		void *bytes = (array);                                         \
		(ok) = (ok) && profile__rows_grow(&bytes, n, sizeof *(array)); \
		(array) = bytes;                                               \
	} while (0)

/* to[0..n) += from[0..n) */
void profile__weights_add(uint64_t *to, const uint64_t *from, size_t n);

/* Makes the calls, nodes and functions of all stacks. 0, or -ENOMEM. */
int profile__summary_tree(struct profile__summary *summary);

#endif
