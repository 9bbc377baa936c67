/* SPDX-License-Identifier: MIT */
/**
 * The order in which up to sixteen things were last used, in one word: four bits each, the oldest lowest.
 * Neither finding the oldest nor recording a use needs a branch or a loop.
 */
#ifndef APMU_UARCH_LRU16_H
#define APMU_UARCH_LRU16_H

#include <stdint.h>

#define APMU_UARCH__ORDER_MOST 16u

/* The order before any use of the `n` things: thing 0 is the oldest. n: 1 to APMU_UARCH__ORDER_MOST. */
static inline uint64_t apmu_uarch__order_new(unsigned n)
{
	return 0xFEDCBA9876543210u & UINT64_MAX >> 4 * (APMU_UARCH__ORDER_MOST - n);
}

static inline unsigned apmu_uarch__order_oldest(uint64_t order)
{
	return (unsigned)(order & 15);
}

/* Makes the oldest of n the newest. */
static inline uint64_t apmu_uarch__order_use_oldest(uint64_t order, unsigned n)
{
	return order >> 4 | (order & 15) << 4 * (n - 1);
}

/* Makes thing k of n the newest. */
static inline uint64_t apmu_uarch__order_use(uint64_t order, unsigned k, unsigned n)
{
	const uint64_t ones = 0x1111111111111111u;
	uint64_t other = order ^ k * ones;
	uint64_t found = (other - ones) & ~other & 8 * ones; /* only the lowest set bit is reliable */
	uint64_t older = ((found & -found) >> 3) - 1;
	return (order & older) | (order >> 4 & ~older) | (uint64_t)k << 4 * (n - 1);
}

#endif
