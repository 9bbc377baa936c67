/* SPDX-License-Identifier: MIT */
/**
 * Strings, each kept once: equal texts have equal addresses until symbol__pool_free().
 */
#ifndef APMU_SYMBOL_POOL_H
#define APMU_SYMBOL_POOL_H

#include <stddef.h>

struct symbol__pool {
	char **slot;
	size_t slots, used; /* slots: a power of two, or 0 */
};

/* The kept copy; NULL without memory. */
const char *symbol__pool_add(struct symbol__pool *pool, const char *text);
void symbol__pool_free(struct symbol__pool *pool);

#endif
