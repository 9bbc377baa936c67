/* SPDX-License-Identifier: MIT */
/**
 * A second cache model, slow and obvious, written from include/apmu/uarch.h and not from src/uarch: a set is
 * a list of ways, each with the times at which it was filled and last used. Tests compare src/uarch with it.
 */
#ifndef APMU_TEST_UARCH_SIM_H
#define APMU_TEST_UARCH_SIM_H

#include <apmu/uarch.h>

struct sim_way {
	bool valid;
	uint64_t line, filled, used;
	bool dirty[2]; /* lower half, upper half */
};

struct sim {
	unsigned sets, ways, replace;
	bool allocate_on_store;
	uint64_t now;
	uint32_t random;
	struct sim_way *way;   /* [sets][ways] */
	unsigned *pointer;     /* [sets] round-robin */
	uint8_t *points_right; /* [sets][64] tree-PLRU: which half of a range to evict from next */
	uint64_t hits, misses, fills, halves_out;
};

void sim_open(struct sim *s, unsigned sets, unsigned ways, unsigned replace, bool allocate_on_store,
	      uint32_t seed);
void sim_close(struct sim *s);
void sim_access(struct sim *s, uint64_t line, bool store, bool lower, bool upper);

#endif
