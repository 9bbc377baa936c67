/* SPDX-License-Identifier: MIT */
/**
 * Strings, each kept once: equal texts have equal addresses until apmu__pool_free().
 */
#ifndef APMU_SYMBOL_POOL_H
#define APMU_SYMBOL_POOL_H

#include <stddef.h>

struct apmu__pool {
	char **slot;
	size_t slots, used; /* slots: a power of two, or 0 */
};

/* The kept copy; NULL without memory. */
const char *apmu__pool_add(struct apmu__pool *pool, const char *text);
void apmu__pool_free(struct apmu__pool *pool);

#endif
