/* SPDX-License-Identifier: MIT */
#ifndef APMU_BASE_LOG2_H
#define APMU_BASE_LOG2_H

#include <stdint.h>

/* Base-2 logarithm, rounded down; 0 for 0. */
static inline unsigned apmu_base__log2(uint64_t n)
{
	return n ? 63 - (unsigned)__builtin_clzll(n) : 0;
}

#endif
