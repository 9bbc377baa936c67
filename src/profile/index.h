/* SPDX-License-Identifier: MIT */
/**
 * A hash table that numbers keys of three words: 0, 1, 2 ... in order of first arrival.
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

/* Returns the number of a key, a new number if the key is new (then *fresh, which may be NULL, is true);
 * UINT32_MAX without memory or after 2^31 keys. */
uint32_t profile__index_add(struct profile__index *index, struct profile__key key, bool *fresh);
/* Returns the number of a key; UINT32_MAX if it is not there. */
uint32_t profile__index_find(const struct profile__index *index, struct profile__key key);
void profile__index_free(struct profile__index *index);

#endif
