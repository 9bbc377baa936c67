/* SPDX-License-Identifier: MIT */
/* The cache of decoded instructions (MOP cache): which instructions of a block come from it. */
#include "uarch/machine.h"

static uint32_t instructions_in(const struct apmu_block *b, uint64_t piece)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < b->n; i++)
		n += apmu_uarch__address_of(b, i) >> APMU_UARCH__MOP_SHIFT == piece;
	return n;
}

uint32_t apmu_uarch__decode_some(struct apmu_uarch *u, const struct apmu_block *b)
{
	uint64_t piece = b->addr >> APMU_UARCH__MOP_SHIFT, last = (b->end - 1) >> APMU_UARCH__MOP_SHIFT;
	uint32_t n = 0;

	if (last - piece > b->n) /* the addresses are not consecutive, or there is no block */
		return 0;
	for (; piece <= last; piece++) {
		if (apmu_uarch__cache_hit(&u->mop, piece))
			continue;
		apmu_uarch__cache_put(&u->mop, piece);
		n += instructions_in(b, piece);
	}
	return n;
}
