/* SPDX-License-Identifier: MIT */
#include "uarch/cache.h"

#include <stdlib.h>
#include <string.h>

/* Number of hints. Lines that share a hint have to be searched for. The few entries of a TLB should not
 * share; for many lines, more hints would only fill the host's caches. */
#define LEAST_HINTS 256u
#define MOST_HINTS  16384u

#define NEVER_PINNED 4u /* ways of a set */

static size_t hints(uint32_t lines)
{
	size_t n = LEAST_HINTS;
	while (n < lines && n < MOST_HINTS)
		n *= 2;
	return n;
}

void apmu_uarch__plru_init(uint64_t *keep, uint32_t ways)
{
	for (uint32_t way = 0; way < ways; way++) {
		uint64_t on_path = 0, away = 0;
		for (uint32_t node = way + ways; node > 1; node /= 2) {
			on_path |= (uint64_t)1 << (node / 2);
			if (node % 2 == 0)
				away |= (uint64_t)1 << (node / 2);
		}
		keep[way] = ~on_path;
		keep[ways + way] = away;
	}
}

static bool allocate(struct apmu_uarch__cache *c, uint32_t lines, uint32_t sets)
{
	bool timed = c->replace == APMU_REPLACE_LRU || c->replace == APMU_REPLACE_FIFO;
	c->tag = malloc(lines * sizeof(*c->tag));
	c->stamp = calloc(timed ? lines : sets, sizeof(*c->stamp));
	c->keep = calloc(2 * (size_t)c->ways, sizeof(*c->keep));
	c->hint = malloc(hints(lines) * sizeof(*c->hint));
	c->next = calloc(sets, sizeof(*c->next));
	c->filled = calloc(sets, sizeof(*c->filled));
	c->pinned = calloc(sets, sizeof(*c->pinned));
	c->dirty = calloc(lines, sizeof(*c->dirty));
	if (c->ways >= APMU_UARCH__WIDE)
		c->wide = apmu_uarch__wide_new(lines);
	return (c->wide || c->ways < APMU_UARCH__WIDE) && c->tag && c->stamp && c->keep && c->hint &&
	       c->next && c->filled && c->pinned && c->dirty;
}

void apmu_uarch__cache_lock(struct apmu_uarch__cache *c, uint64_t ways)
{
	bool turns = c->replace == APMU_REPLACE_RANDOM || c->replace == APMU_REPLACE_ROUND_ROBIN;

	/* The last way stays unlocked. Only the cache of table walks can have more than 64 ways; it locks
	 * none. */
	c->locked = c->ways > 64 ? 0 : ways & (((uint64_t)1 << (c->ways - 1)) - 1);
	c->restricted = c->locked != 0;
	c->fours = c->ways == 4 && !c->locked && (turns || c->replace == APMU_REPLACE_LRU);
}

void apmu_uarch__cache_pin(struct apmu_uarch__cache *c, bool on)
{
	c->pins = on;
	c->restricted = true;
	c->fours = false;
}

void apmu_uarch__cache_unpin(struct apmu_uarch__cache *c)
{
	memset(c->pinned, 0, (size_t)c->set_mask + 1);
	apmu_uarch__cache_lock(c, c->locked);
	c->restricted |= c->pins;
	c->fours &= !c->pins;
}

int apmu_uarch__cache_init(struct apmu_uarch__cache *c, uint32_t lines, uint32_t ways, unsigned shift,
			   unsigned replace, uint32_t seed)
{
	uint32_t sets = lines ? lines / ways : 1;
	uint32_t slots = lines ? lines : 1;
	*c = (struct apmu_uarch__cache){.ways = lines ? ways : 1, .random = seed, .shift = (uint8_t)shift};
	c->replace = (uint8_t)replace;
	c->ordered = lines && (replace == APMU_REPLACE_LRU || replace == APMU_REPLACE_PLRU);
	apmu_uarch__cache_lock(c, 0);
	c->set_mask = sets - 1;
	c->hint_mask = hints(slots) - 1;
	if (!allocate(c, slots, sets)) {
		apmu_uarch__cache_free(c);
		return APMU_ENOMEM;
	}
	memset(c->tag, 0xFF, slots * sizeof(*c->tag));
	for (size_t h = 0; h <= c->hint_mask; h++)
		c->hint[h] = (struct apmu_uarch__hint){.line = APMU_UARCH__NO_LINE};
	if (replace == APMU_REPLACE_PLRU)
		apmu_uarch__plru_init(c->keep, c->ways);
	return APMU_OK;
}

void apmu_uarch__cache_free(struct apmu_uarch__cache *c)
{
	free(c->tag);
	free(c->stamp);
	free(c->keep);
	free(c->hint);
	free(c->next);
	free(c->filled);
	free(c->pinned);
	free(c->dirty);
	free(c->wide);
	*c = (struct apmu_uarch__cache){0};
}

bool apmu_uarch__cache_search(struct apmu_uarch__cache *c, uint64_t line)
{
	struct apmu_uarch__hint *h = &c->hint[line & c->hint_mask];
	uint32_t slot = apmu_uarch__cache_find(c, line);
	if (slot == APMU_UARCH__NOWHERE)
		return false;
	c->slot = slot;
	h->line = line;
	h->slot = slot;
	return true;
}

static uint32_t oldest(const struct apmu_uarch__cache *c, uint32_t first)
{
	const uint64_t *stamp = &c->stamp[first];
	uint64_t least = stamp[0];
	uint32_t victim = 0;
	for (uint32_t way = 1; way < c->ways; way++) {
		bool older = stamp[way] < least;
		least = older ? stamp[way] : least;
		victim = older ? way : victim;
	}
	return victim;
}

uint32_t apmu_uarch__cache_oldest(const struct apmu_uarch__cache *c, uint32_t set)
{
	if (c->replace == APMU_REPLACE_PLRU)
		return apmu_uarch__plru_victim(c->stamp[set], c->ways);
	return oldest(c, set * c->ways);
}

uint32_t apmu_uarch__cache_empty(struct apmu_uarch__cache *c, uint32_t set)
{
	const uint64_t *tag = &c->tag[(size_t)set * c->ways];
	uint32_t way = 0;
	c->filled[set]++;
	while (tag[way] != APMU_UARCH__NO_LINE)
		way++;
	return way;
}

/* True if the way may take a new line: it is neither locked nor pinned. */
static bool takes(const struct apmu_uarch__cache *c, uint32_t set, uint32_t way)
{
	return way >= c->pinned[set] && !(c->locked >> way & 1);
}

/* The way that the tree bits point to; where they point to a half that takes no line, the other half. */
static uint32_t plru_unlocked(const struct apmu_uarch__cache *c, uint32_t set)
{
	uint32_t node = 1;

	for (uint32_t half = c->ways / 2; node < c->ways; half /= 2) {
		node = node * 2 + (uint32_t)(c->stamp[set] >> node & 1);
		uint32_t way = node * half - c->ways, end = way + half;
		while (way < end && !takes(c, set, way))
			way++;
		node ^= way == end;
	}
	return node - c->ways;
}

/* The unlocked way of the lowest stamp: LRU or FIFO. */
static uint32_t oldest_unlocked(const struct apmu_uarch__cache *c, uint32_t set)
{
	uint32_t first = set * c->ways, victim = c->ways - 1;

	for (uint32_t way = 0; way < victim; way++)
		if (takes(c, set, way) && c->stamp[first + way] < c->stamp[first + victim])
			victim = way;
	return victim;
}

/* The core's policy, among the ways that take a line. The last way always does. */
static uint32_t victim_unlocked(struct apmu_uarch__cache *c, uint32_t set)
{
	uint32_t victim;

	if (c->replace == APMU_REPLACE_PLRU)
		return plru_unlocked(c, set);
	if (c->replace != APMU_REPLACE_RANDOM && c->replace != APMU_REPLACE_ROUND_ROBIN)
		return oldest_unlocked(c, set);
	do
		victim = apmu_uarch__cache_turn(c, set);
	while (!takes(c, set, victim));
	return victim;
}

uint32_t apmu_uarch__cache_unlocked(struct apmu_uarch__cache *c, uint32_t set)
{
	const uint64_t *tag = &c->tag[(size_t)set * c->ways];

	if (c->pins && c->pinned[set] + NEVER_PINNED < c->ways) {
		uint32_t way = c->pinned[set]++;
		if (tag[way] == APMU_UARCH__NO_LINE)
			c->filled[set]++;
		return way;
	}
	for (uint32_t way = c->pinned[set]; way < c->ways; way++)
		if (takes(c, set, way) && tag[way] == APMU_UARCH__NO_LINE) {
			c->filled[set]++;
			return way;
		}
	return victim_unlocked(c, set);
}

unsigned apmu_uarch__cache_fill(struct apmu_uarch__cache *c, uint64_t line)
{
	return apmu_uarch__cache_put(c, line);
}

bool apmu_uarch__cache_has(const struct apmu_uarch__cache *c, uint64_t line)
{
	return apmu_uarch__cache_find(c, line) != APMU_UARCH__NOWHERE;
}

void apmu_uarch__cache_unhint(struct apmu_uarch__cache *c, uint64_t line)
{
	apmu_uarch__cache_forget(c, line);
}

int apmu_uarch__cache_drop_slot(struct apmu_uarch__cache *c, uint32_t slot)
{
	uint64_t line = c->tag[slot];
	int dirty = c->dirty[slot] & APMU_UARCH__DIRTY;
	apmu_uarch__cache_left(c, line);
	if (c->wide)
		apmu_uarch__wide_replace(c->wide, slot, line, APMU_UARCH__NO_LINE);
	c->tag[slot] = APMU_UARCH__NO_LINE;
	c->dirty[slot] = 0;
	c->filled[line & c->set_mask]--;
	return dirty;
}

int apmu_uarch__cache_drop(struct apmu_uarch__cache *c, uint64_t line)
{
	uint32_t slot = apmu_uarch__cache_find(c, line);
	return slot == APMU_UARCH__NOWHERE ? APMU_UARCH__NOT_THERE : apmu_uarch__cache_drop_slot(c, slot);
}
