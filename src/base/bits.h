/* SPDX-License-Identifier: MIT */
/**
 * Bit operations on 64-bit words. Knows no chip.
 */
#ifndef APMU_BASE_BITS_H
#define APMU_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* n ones from bit 0 up; n is 0 to 64. */
static inline uint64_t apmu_base__ones(unsigned n)
{
	return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

/* Bit i alone; i is 0 to 63. */
static inline uint64_t apmu_base__bit(unsigned i)
{
	return (uint64_t)1 << i;
}

static inline bool apmu_base__is_set(uint64_t word, unsigned i)
{
	return (word >> i & 1) != 0;
}

/* `word` with bit i set to `on`. */
static inline uint64_t apmu_base__with(uint64_t word, unsigned i, bool on)
{
	return on ? word | apmu_base__bit(i) : word & ~apmu_base__bit(i);
}

/* Bits hi:lo of `word`, moved down. */
static inline uint64_t apmu_base__get(uint64_t word, unsigned hi, unsigned lo)
{
	return word >> lo & apmu_base__ones(hi - lo + 1);
}

/* `word` with bits hi:lo replaced by `value`. */
static inline uint64_t apmu_base__put(uint64_t word, unsigned hi, unsigned lo, uint64_t value)
{
	uint64_t mask = apmu_base__ones(hi - lo + 1);

	return (word & ~(mask << lo)) | (value & mask) << lo;
}

/* `word` rotated left by n, -63 to 63. */
static inline uint64_t apmu_base__turn(uint64_t word, int n)
{
	unsigned left = (unsigned)n & 63;

	return word << left | word >> ((64 - left) & 63);
}

/* Index of the lowest bit set; `word` is not 0. */
static inline unsigned apmu_base__lowest(uint64_t word)
{
	return (unsigned)__builtin_ctzll(word);
}

#endif
