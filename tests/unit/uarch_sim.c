/* SPDX-License-Identifier: MIT */
#include "uarch_sim.h"

#include <stdlib.h>

#define NODES 64 /* of one set's tree, for up to 64 ways */

void sim_open(struct sim *s, unsigned sets, unsigned ways, unsigned replace, bool allocate_on_store,
	      uint32_t seed)
{
	*s = (struct sim){.sets = sets, .ways = ways, .replace = replace, .random = seed};
	s->allocate_on_store = allocate_on_store;
	s->way = calloc((size_t)sets * ways, sizeof(*s->way));
	s->pointer = calloc(sets, sizeof(*s->pointer));
	s->points_right = calloc((size_t)sets * NODES, 1);
	if (!s->way || !s->pointer || !s->points_right)
		abort();
}

void sim_close(struct sim *s)
{
	free(s->way);
	free(s->pointer);
	free(s->points_right);
}

/* Walks the PLRU tree from the whole set down to one way. On a use, each range points to the other half. */
static void tree_use(uint8_t *tree, unsigned low, unsigned high, unsigned node, unsigned way)
{
	if (high - low == 1)
		return;
	unsigned middle = (low + high) / 2;
	bool right = way >= middle;
	tree[node] = !right;
	tree_use(tree, right ? middle : low, right ? high : middle, right ? 2 * node + 2 : 2 * node + 1, way);
}

static unsigned tree_victim(const uint8_t *tree, unsigned low, unsigned high, unsigned node)
{
	if (high - low == 1)
		return low;
	unsigned middle = (low + high) / 2;
	return tree[node] ? tree_victim(tree, middle, high, 2 * node + 2)
			  : tree_victim(tree, low, middle, 2 * node + 1);
}

static unsigned random_way(struct sim *s)
{
	uint32_t x = s->random;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	s->random = x;
	return (unsigned)(((uint64_t)x * s->ways) / 4294967296u);
}

static unsigned choose(struct sim *s, unsigned set)
{
	struct sim_way *way = &s->way[set * s->ways];
	unsigned best = 0;
	for (unsigned w = 0; w < s->ways; w++)
		if (!way[w].valid)
			return w;
	if (s->replace == APMU_REPLACE_RANDOM)
		return random_way(s);
	if (s->replace == APMU_REPLACE_ROUND_ROBIN)
		return s->pointer[set]++ % s->ways;
	if (s->replace == APMU_REPLACE_PLRU)
		return tree_victim(&s->points_right[set * NODES], 0, s->ways, 0);
	for (unsigned w = 1; w < s->ways; w++) {
		bool fifo = s->replace == APMU_REPLACE_FIFO;
		if (fifo ? way[w].filled < way[best].filled : way[w].used < way[best].used)
			best = w;
	}
	return best;
}

static void use(struct sim *s, unsigned set, unsigned w, bool store, bool lower, bool upper)
{
	struct sim_way *way = &s->way[set * s->ways + w];
	way->used = s->now;
	way->dirty[0] |= store && lower;
	way->dirty[1] |= store && upper;
	tree_use(&s->points_right[set * NODES], 0, s->ways, 0, w);
}

void sim_access(struct sim *s, uint64_t line, bool store, bool lower, bool upper)
{
	unsigned set = (unsigned)(line % s->sets);
	s->now++;
	for (unsigned w = 0; w < s->ways; w++) {
		struct sim_way *way = &s->way[set * s->ways + w];
		if (!way->valid || way->line != line)
			continue;
		s->hits++;
		use(s, set, w, store, lower, upper);
		return;
	}
	s->misses++;
	if (store && !s->allocate_on_store)
		return;
	unsigned w = choose(s, set);
	struct sim_way *way = &s->way[set * s->ways + w];
	s->halves_out += way->dirty[0] + way->dirty[1];
	*way = (struct sim_way){.valid = true, .line = line, .filled = s->now};
	s->fills++;
	use(s, set, w, store, lower, upper);
}
