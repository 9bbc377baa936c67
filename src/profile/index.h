/* SPDX-License-Identifier: MIT */
/**
 * A hash table from three numbers to the small number that stands for them: 0, 1, 2 ... in order of arrival.
 */
#ifndef APMU_PROFILE_INDEX_H
#define APMU_PROFILE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile__key {
	uint64_t word[3];
};

struct profile__index {
	struct profile__key *key; /* by number */
	uint32_t n;
	uint32_t *slot; /* number + 1; 0: free */
	size_t slots;   /* a power of two, or 0 */
};

/* The number of a key, a new one if it is new (*fresh, which may be NULL, says so); UINT32_MAX without memory
 * or past 2^31 of them. */
uint32_t profile__index_add(struct profile__index *index, struct profile__key key, bool *fresh);
/* The number of a key; UINT32_MAX: not there. */
uint32_t profile__index_find(const struct profile__index *index, struct profile__key key);
void profile__index_free(struct profile__index *index);

#endif
