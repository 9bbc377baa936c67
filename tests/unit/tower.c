/* SPDX-License-Identifier: MIT */
#include "tower.h"

#include <stdlib.h>

#define NODES 64

static struct tower *whole; /* the tower of the current access: the levels use its clock and memory */

void tower_add(struct tower *t, unsigned size, unsigned ways, unsigned bytes, unsigned replace,
	       unsigned inclusion, uint32_t seed)
{
	unsigned n = 0;
	while (t->level[n].sets)
		n++;
	struct tower_level *v = &t->level[n];
	*v = (struct tower_level){.sets = size / ways / bytes, .ways = ways, .bytes = bytes};
	v->replace = replace;
	v->inclusion = inclusion;
	v->random = seed;
	v->way = calloc((size_t)v->sets * ways, sizeof(*v->way));
	v->pointer = calloc(v->sets, sizeof(*v->pointer));
	v->right = calloc((size_t)v->sets * NODES, sizeof(*v->right));
	if (!v->way || !v->pointer || !v->right)
		abort();
	if (n) {
		v->above = &t->level[n - 1];
		v->above->below = v;
	}
}

void tower_close(struct tower *t)
{
	for (unsigned n = 0; n < 3; n++) {
		free(t->level[n].way);
		free(t->level[n].pointer);
		free(t->level[n].right);
	}
}

/* Node k has the halves 2k and 2k+1; a node points to the half to evict from. */
static void arrows_away(bool *right, unsigned ways, unsigned way)
{
	unsigned node = 1;
	for (unsigned half = ways / 2; half; half /= 2) {
		bool upper = way & half;
		right[node] = !upper;
		node = 2 * node + upper;
	}
}

static unsigned follow_arrows(const bool *right, unsigned ways)
{
	unsigned node = 1, way = 0;
	for (unsigned half = ways / 2; half; half /= 2) {
		way += right[node] ? half : 0;
		node = 2 * node + right[node];
	}
	return way;
}

static unsigned xorshift(struct tower_level *v)
{
	v->random ^= v->random << 13;
	v->random ^= v->random >> 17;
	v->random ^= v->random << 5;
	return (unsigned)((uint64_t)v->random * v->ways >> 32);
}

static unsigned set_of(const struct tower_level *v, uint64_t address)
{
	return (unsigned)(address / v->bytes % v->sets);
}

static void touch(struct tower_level *v, uint64_t address, unsigned w)
{
	unsigned set = set_of(v, address);
	v->way[set * v->ways + w].used = ++whole->now;
	arrows_away(&v->right[set * NODES], v->ways, w);
}

static struct tower_way *look(struct tower_level *v, uint64_t address)
{
	struct tower_way *way = &v->way[set_of(v, address) * v->ways];
	for (unsigned w = 0; w < v->ways; w++)
		if (way[w].valid && way[w].line == address / v->bytes) {
			touch(v, address, w);
			return &way[w];
		}
	return NULL;
}

static unsigned choose(struct tower_level *v, unsigned set)
{
	struct tower_way *way = &v->way[set * v->ways];
	unsigned oldest = 0;
	for (unsigned w = 0; w < v->ways; w++)
		if (!way[w].valid)
			return w;
	if (v->replace == APMU_REPLACE_RANDOM)
		return xorshift(v);
	if (v->replace == APMU_REPLACE_ROUND_ROBIN)
		return v->pointer[set]++ % v->ways;
	if (v->replace == APMU_REPLACE_PLRU)
		return follow_arrows(&v->right[set * NODES], v->ways);
	for (unsigned w = 1; w < v->ways; w++) {
		bool fifo = v->replace == APMU_REPLACE_FIFO;
		if (fifo ? way[w].filled < way[oldest].filled : way[w].used < way[oldest].used)
			oldest = w;
	}
	return oldest;
}

static bool take_lines(struct tower_level *a, uint64_t first, unsigned bytes)
{
	bool dirty = false;
	for (uint64_t at = first; at < first + bytes; at += a->bytes) {
		struct tower_way *way = &a->way[set_of(a, at) * a->ways];
		for (unsigned w = 0; w < a->ways; w++) {
			if (!way[w].valid || way[w].line != at / a->bytes)
				continue;
			a->taken++;
			a->taken_dirty += way[w].dirty;
			dirty |= way[w].dirty;
			way[w].valid = false;
		}
	}
	return dirty;
}

/* Inclusive level: evicts the line from the caches above too. True if one of them had it dirty. */
static bool take_from_above(struct tower_level *v, uint64_t first)
{
	bool dirty = false;
	for (struct tower_level *a = v->above; a; a = a->above)
		dirty |= take_lines(a, first, v->bytes);
	return dirty;
}

static void write_into(struct tower_level *v, uint64_t address, bool dirty);

static void put_out(struct tower_level *v, uint64_t address, bool dirty)
{
	v->written_back += dirty;
	if (v->below) {
		if (dirty || v->below->inclusion == APMU_EXCLUSIVE)
			write_into(v->below, address, dirty);
	} else {
		whole->memory_writes += dirty;
	}
}

/* Allocates a line; the victim goes to the level below first. */
static struct tower_way *take(struct tower_level *v, uint64_t address, bool dirty)
{
	unsigned set = set_of(v, address), w = choose(v, set);
	struct tower_way *way = &v->way[set * v->ways + w], victim = *way;

	*way = (struct tower_way){.valid = true, .dirty = dirty, .line = address / v->bytes};
	way->filled = ++whole->now;
	touch(v, address, w);
	if (victim.valid) {
		uint64_t first = victim.line * v->bytes;
		if (v->inclusion == APMU_INCLUSIVE)
			victim.dirty |= take_from_above(v, first);
		put_out(v, first, victim.dirty);
	}
	return way;
}

static void write_into(struct tower_level *v, uint64_t address, bool dirty)
{
	struct tower_way *way = look(v, address);
	v->looked++;
	if (way) {
		way->dirty |= dirty;
		return;
	}
	v->allocated++;
	take(v, address, dirty);
}

/* True if the line came dirty: an exclusive level gave it away. */
static bool read_from(struct tower_level *v, uint64_t address)
{
	if (!v) {
		whole->memory_reads++;
		return false;
	}
	struct tower_way *way = look(v, address);
	v->looked++;
	if (way && v->inclusion == APMU_EXCLUSIVE) {
		way->valid = false;
		return way->dirty;
	}
	if (way)
		return false;
	v->missed++;
	if (v->inclusion == APMU_EXCLUSIVE)
		return read_from(v->below, address);
	v->filled++;
	way = take(v, address, false);
	way->dirty |= read_from(v->below, address);
	return false;
}

/* A store that bypasses L1; successive ones to the same line are one write. */
static void store_outside(struct tower *t, uint64_t address)
{
	struct tower_level *v = t->level[0].below;
	uint64_t line = address / (v ? v->bytes : t->level[0].bytes) + 1;
	if (line == t->outside)
		return;
	t->outside = line;
	for (; v; v = v->below) {
		struct tower_way *way = look(v, address);
		v->looked++;
		if (!way && v->leaves)
			continue;
		if (!way) {
			v->missed++;
			v->filled++;
			way = take(v, address, false);
			read_from(v->below, address);
		}
		way->dirty = true;
		return;
	}
	t->memory_writes++;
}

void tower_access(struct tower *t, uint64_t address, bool store)
{
	struct tower_level *l1 = &t->level[0];
	whole = t;
	l1->looked++;
	struct tower_way *way = look(l1, address);
	if (!way) {
		l1->missed++;
		if (!store || !t->passes) {
			l1->filled++;
			way = take(l1, address, false);
			way->dirty |= read_from(l1->below, address);
		}
	}
	if (store && (t->through || !way))
		store_outside(t, address);
	else
		way->dirty |= store;
}

void tower_read_ahead(struct tower *t, uint64_t address)
{
	whole = t;
	read_from(&t->level[1], address);
}
