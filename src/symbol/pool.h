/* SPDX-License-Identifier: MIT */
/**
 * A pool of strings in which equal strings have equal addresses, until symbol__pool_free().
 */
#ifndef APMU_SYMBOL_POOL_H
#define APMU_SYMBOL_POOL_H

#include <stddef.h>

struct symbol__pool {
	char **slot;
	size_t slots, used; /* slots: a power of two, or 0 */
};

/* Returns the pool's copy of `text`; NULL without memory. */
const char *symbol__pool_add(struct symbol__pool *pool, const char *text);
void symbol__pool_free(struct symbol__pool *pool);

#endif
