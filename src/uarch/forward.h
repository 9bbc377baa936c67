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
	bool half;   /* the other half of a vector comes from the cache: the load waits for its line, too */
};

/* Records a store of `size` bytes. The registers of a pair are stores with the same `when`; a granule that
 * two of them wrote (`addr` is no multiple of its size) remembers them as one store, so that a load finds its
 * bytes. To record a store twice changes nothing. */
static inline void apmu_uarch__recent_put(struct apmu_uarch__recent *table, uint64_t addr, unsigned size,
					  uint32_t when)
{
	const unsigned granule_bytes = 1u << APMU_UARCH__GRANULE;
	const unsigned granules = (size + granule_bytes - 1) >> APMU_UARCH__GRANULE;
	uint64_t first = addr >> APMU_UARCH__GRANULE;
	struct apmu_uarch__recent now = {first, when, (uint16_t)addr, (uint16_t)size};
	struct apmu_uarch__recent *shared = &table[first % APMU_UARCH__RECENT], before = *shared;
	unsigned behind =
		(uint16_t)(addr - before.low); /* bytes, of the store that wrote the first granule */

	for (unsigned k = 0; k < granules; k++, now.granule++)
		table[now.granule % APMU_UARCH__RECENT] = now;
	if (addr % granule_bytes == 0)
		return;
	if ((unsigned)(addr % granule_bytes) + size > granules * granule_bytes)
		table[now.granule % APMU_UARCH__RECENT] = now;
	if (before.granule == first && before.when == when && behind && behind <= before.size) {
		shared->low = before.low;
		shared->size = (uint16_t)(behind + size);
	}
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
