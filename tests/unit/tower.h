/* SPDX-License-Identifier: MIT */
/**
 * A second model of the cache hierarchy ("tower"), slow and obvious, written from include/apmu/uarch.h
 * (apmu_level_params) and not from src/uarch: L1 data, L2, L3 and memory, data only. Tests compare src/uarch
 * with it.
 */
#ifndef APMU_TEST_TOWER_H
#define APMU_TEST_TOWER_H

#include <apmu/uarch.h>

struct tower_way {
	bool valid, dirty;
	uint64_t line, filled, used;
};

/* One cache. `below` NULL: memory is below. */
struct tower_level {
	struct tower_level *above, *below;
	unsigned sets, ways, bytes; /* `bytes` per line */
	unsigned replace, inclusion;
	bool leaves; /* a store that bypasses L1 and misses here goes on to the level below */
	uint32_t random;
	struct tower_way *way; /* [sets][ways] */
	unsigned *pointer;     /* [sets]: round-robin */
	bool *right;           /* [sets][64]: PLRU tree */
	uint64_t looked, missed, filled, written_back, taken_dirty, taken, allocated;
};

struct tower {
	struct tower_level level[3]; /* L1 data, L2, L3; unused ones have no sets */
	bool through;                /* L1 writes through */
	bool passes;                 /* a store that misses L1 bypasses it */
	uint64_t outside; /* 1 + the line of the level below L1 that the last bypassing store went to; 0: none
			   */
	uint64_t now, memory_reads, memory_writes;
};

/* Adds a level below the existing ones. */
void tower_add(struct tower *t, unsigned size, unsigned ways, unsigned bytes, unsigned replace,
	       unsigned inclusion, uint32_t seed);
void tower_close(struct tower *t);
void tower_access(struct tower *t, uint64_t address, bool store);
/* Reads a line into the level below L1, not into L1. */
void tower_read_ahead(struct tower *t, uint64_t address);

#endif
