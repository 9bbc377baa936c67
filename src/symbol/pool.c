/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strdup */
#include "symbol/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t hash(const char *text)
{
	uint64_t value = 0xcbf29ce484222325;

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 0x100000001b3;
	return value;
}

static char **find(char **slot, size_t slots, const char *text)
{
	size_t i = (size_t)hash(text) & (slots - 1);

	while (slot[i] && strcmp(slot[i], text) != 0)
		i = (i + 1) & (slots - 1);
	return &slot[i];
}

static int widen(struct symbol__pool *pool)
{
	size_t slots = pool->slots ? 2 * pool->slots : 256;
	char **slot = calloc(slots, sizeof *slot);

	if (slot == NULL)
		return -1;
	for (size_t i = 0; i < pool->slots; i++)
		if (pool->slot[i])
			*find(slot, slots, pool->slot[i]) = pool->slot[i];
	free(pool->slot);
	pool->slot = slot;
	pool->slots = slots;
	return 0;
}

const char *symbol__pool_add(struct symbol__pool *pool, const char *text)
{
	if (2 * pool->used >= pool->slots && widen(pool) != 0)
		return NULL;
	char **slot = find(pool->slot, pool->slots, text);
	if (*slot == NULL) {
		*slot = strdup(text);
		pool->used += *slot != NULL;
	}
	return *slot;
}

void symbol__pool_free(struct symbol__pool *pool)
{
	for (size_t i = 0; i < pool->slots; i++)
		free(pool->slot[i]);
	free(pool->slot);
	*pool = (struct symbol__pool){0};
}
