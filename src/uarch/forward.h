/* SPDX-License-Identifier: MIT */
/**
 * Store-to-load forwarding: which loads take their data from a store that is not in the cache yet.
 *
 * The youngest stores are remembered by the four-byte granules that they wrote, in a table that forgets a
 * granule when another falls on its place. A load whose granules are there is looked at (forward.c). Only
 * where a row has a parameter for it (`forward`) and time is wanted: elsewhere there is no table.
 */
#ifndef APMU_UARCH_FORWARD_H
#define APMU_UARCH_FORWARD_H

#include <stdbool.h>
#include <stdint.h>

#define APMU_UARCH__GRANULE 2u  /* log2 of its bytes */
#define APMU_UARCH__RECENT  64u /* granules that are remembered, a power of two */
/* Out of order, stores whose data are kept, a power of two; one is the next. */
#define APMU_UARCH__DATA 16u
#define APMU_UARCH__AGES 15u /* ... the others: those that a load can take its data from */

#define APMU_UARCH__ELEMENT 64u  /* bytes of an access beyond which its elements do not matter */
#define APMU_UARCH__MOST    256u /* bytes of an access that are looked at */

struct apmu_block;
struct apmu_uarch;

/* forward.c: after the units are known. 0 or APMU_ENOMEM. Then each access where there is a table of stores;
 * saying one twice changes nothing. */
int apmu_uarch__forward_init(struct apmu_uarch *u);
void apmu_uarch__forward(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			 unsigned size, bool store);

/* The last store to a granule. */
struct apmu_uarch__recent {
	uint64_t granule;
	uint32_t when; /* out of order its number among the stores, else the cycle of its issue */
	uint8_t low;   /* of the address where it began */
	uint8_t size;  /* bytes */
};

/* A load of the current block that takes its data from a store. */
struct apmu_uarch__forwarded_load {
	uint16_t step;
	uint8_t age; /* 1: the last store before it */
	bool fails;  /* not by forwarding: it waits for the cache to have the data */
};

static inline void apmu_uarch__recent_put(struct apmu_uarch__recent *table, uint64_t addr, unsigned size,
					  uint32_t when)
{
	uint64_t granule = addr >> APMU_UARCH__GRANULE;
	unsigned more = (unsigned)(addr % (1u << APMU_UARCH__GRANULE) + size - 1) >> APMU_UARCH__GRANULE;
	do
		table[granule % APMU_UARCH__RECENT] =
			(struct apmu_uarch__recent){granule, when, (uint8_t)addr, (uint8_t)size};
	while (granule++, more-- != 0);
}

/* Out of order: is the first or the last granule there, from one of the last `stores`? `now`: the number of
 * the next store. */
static inline bool apmu_uarch__recent_has(const struct apmu_uarch__recent *table, uint64_t addr,
					  unsigned size, uint32_t now, uint32_t stores)
{
	uint64_t first = addr >> APMU_UARCH__GRANULE, last = (addr + size - 1) >> APMU_UARCH__GRANULE;
	const struct apmu_uarch__recent *a = &table[first % APMU_UARCH__RECENT],
					*b = &table[last % APMU_UARCH__RECENT];

	return ((a->granule == first) & (now - a->when <= stores)) |
	       ((b->granule == last) & (now - b->when <= stores));
}

#endif
