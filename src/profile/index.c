/* SPDX-License-Identifier: MIT */
#include "profile/index.h"

#include <stdlib.h>
#include <string.h>

static size_t home(const struct profile__key *key, size_t slots)
{
	uint64_t hash = key->word[0];

	hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u + key->word[1];
	hash = (hash ^ hash >> 31) * 0xbf58476d1ce4e5b9u + key->word[2];
	hash = (hash ^ hash >> 30) * 0x94d049bb133111ebu;
	return (size_t)(hash ^ hash >> 32) & (slots - 1);
}

static uint32_t *find(const struct profile__index *index, const struct profile__key *key)
{
	size_t i = home(key, index->slots);

	while (index->slot[i] && memcmp(&index->key[index->slot[i] - 1], key, sizeof *key) != 0)
		i = (i + 1) & (index->slots - 1);
	return &index->slot[i];
}

/* Doubles the table; at most half of the slots are used. */
static bool widen(struct profile__index *index)
{
	size_t slots = index->slots ? 2 * index->slots : 256;
	struct profile__key *key = realloc(index->key, slots / 2 * sizeof *key);

	if (key)
		index->key = key;
	uint32_t *slot = key ? calloc(slots, sizeof *slot) : NULL;
	if (slot == NULL)
		return false;
	free(index->slot);
	index->slot = slot;
	index->slots = slots;
	for (uint32_t i = 0; i < index->n; i++)
		*find(index, &index->key[i]) = i + 1;
	return true;
}

uint32_t profile__index_add(struct profile__index *index, struct profile__key key, bool *fresh)
{
	if (fresh)
		*fresh = false;
	if (2 * (size_t)index->n >= index->slots && (index->n >= INT32_MAX || !widen(index)))
		return UINT32_MAX;
	uint32_t *slot = find(index, &key);
	if (*slot == 0) {
		index->key[index->n] = key;
		*slot = ++index->n;
		if (fresh)
			*fresh = true;
	}
	return *slot - 1;
}

uint32_t profile__index_find(const struct profile__index *index, struct profile__key key)
{
	return index->slots ? *find(index, &key) - 1 : UINT32_MAX;
}

void profile__index_free(struct profile__index *index)
{
	free(index->key);
	free(index->slot);
	*index = (struct profile__index){0};
}
