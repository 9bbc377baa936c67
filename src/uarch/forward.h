/* SPDX-License-Identifier: MIT */
/**
 * Store-to-load forwarding: which loads take their data from a store that is not in the cache yet.
 *
 * A direct-mapped table remembers the youngest stores by the four-byte granules that they wrote. A load whose
 * granules are in the table is examined (forward.c). The table exists only if the core's row has the
 * parameter `forward` and time is wanted.
 */
#ifndef APMU_UARCH_FORWARD_H
#define APMU_UARCH_FORWARD_H

#include <stdbool.h>
#include <stdint.h>

#define APMU_UARCH__GRANULE 2u  /* log2 of a granule's bytes */
#define APMU_UARCH__RECENT  64u /* granules that are remembered, a power of two */
/* Out of order: elements of window.data[], a power of two. One of them is that of the next store. */
#define APMU_UARCH__DATA 16u
#define APMU_UARCH__AGES 15u /* the other elements: stores that a load can take its data from */

#define APMU_UARCH__ELEMENT 64u  /* elements of this many bytes or more are not examined one by one */
#define APMU_UARCH__MOST    256u /* most bytes of an access that are examined */

struct apmu_block;
struct apmu_uarch;

/* forward.c: makes the table; after the units are known. 0 or APMU_ENOMEM. */
int apmu_uarch__forward_init(struct apmu_uarch *u);

/* forward.c: an access, where there is a table. Out of order, reporting one twice changes nothing. */
void apmu_uarch__forward(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			 unsigned size, bool store);

/* The last store to a granule. */
struct apmu_uarch__recent {
	uint64_t granule;
	uint32_t when; /* out of order the number of the store, in order the cycle of its issue */
	uint16_t low;  /* the low part of the store's address */
	uint16_t size; /* bytes */
};

/* A load of the current block that takes its data from a store. */
struct apmu_uarch__forwarded_load {
	uint16_t step;
	uint8_t age; /* 1: the last store before the load */
	bool fails;  /* forwarding fails: the load waits until the cache has the data */
};

static inline void apmu_uarch__recent_put(struct apmu_uarch__recent *table, uint64_t addr, unsigned size,
					  uint32_t when)
{
	uint64_t granule = addr >> APMU_UARCH__GRANULE;
	unsigned more = (unsigned)(addr % (1u << APMU_UARCH__GRANULE) + size - 1) >> APMU_UARCH__GRANULE;
	do
		table[granule % APMU_UARCH__RECENT] =
			(struct apmu_uarch__recent){granule, when, (uint16_t)addr, (uint16_t)size};
	while (granule++, more-- != 0);
}

/* apmu_uarch__recent_put() of 16 bytes, as a loop of constant length. */
static inline void apmu_uarch__recent_put_vector(struct apmu_uarch__recent *table, uint64_t addr,
						 uint32_t when)
{
	uint64_t granule = addr >> APMU_UARCH__GRANULE;
	const unsigned all = 16u >> APMU_UARCH__GRANULE;

	for (unsigned k = 0; k < all; k++)
		table[(granule + k) % APMU_UARCH__RECENT] =
			(struct apmu_uarch__recent){granule + k, when, (uint16_t)addr, 16};
	if (addr % (1u << APMU_UARCH__GRANULE))
		table[(granule + all) % APMU_UARCH__RECENT] =
			(struct apmu_uarch__recent){granule + all, when, (uint16_t)addr, 16};
}

/* Out of order: true if the first or the last granule of an access is in the table, written by one of the
 * last `stores` stores. `now`: number of the next store. */
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
