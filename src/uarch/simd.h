/* SPDX-License-Identifier: MIT */
/** Four 32-bit words at once, by the vector extension of gcc and clang, which any host can run. Code for x86
 * alone is left out with the fast paths, so that the tests of `plain` run what other hosts run. */
#ifndef APMU_UARCH_SIMD_H
#define APMU_UARCH_SIMD_H

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__) && !defined(APMU_UARCH_PLAIN)
#define APMU_UARCH__SSE2
#include <emmintrin.h>
#endif

typedef uint32_t apmu_uarch__four __attribute__((vector_size(16)));
typedef uint64_t apmu_uarch__two __attribute__((vector_size(16)));

static inline apmu_uarch__four apmu_uarch__four_load(const uint32_t *from)
{
	apmu_uarch__four v;
	memcpy(&v, from, sizeof(v));
	return v;
}

static inline apmu_uarch__four apmu_uarch__four_of(uint32_t word)
{
	return (apmu_uarch__four){word, word, word, word};
}

/* One bit per word, from `first` on. */
static inline apmu_uarch__four apmu_uarch__four_bits(uint32_t first)
{
	return (apmu_uarch__four){first, first << 1, first << 2, first << 3};
}

/* The OR of all four words. */
static inline uint32_t apmu_uarch__four_or(apmu_uarch__four v)
{
	apmu_uarch__two halves = (apmu_uarch__two)v;
	uint64_t both = halves[0] | halves[1];
	return (uint32_t)(both | both >> 32);
}

/* One bit per word, of words that are all ones or 0: four words, sixteen words. */
#ifdef APMU_UARCH__SSE2
static inline uint32_t apmu_uarch__four_which(apmu_uarch__four v)
{
	return (uint32_t)_mm_movemask_ps((__m128)v);
}

static inline uint32_t apmu_uarch__sixteen_which(apmu_uarch__four a, apmu_uarch__four b, apmu_uarch__four c,
						 apmu_uarch__four d)
{
	__m128i low = _mm_packs_epi32((__m128i)a, (__m128i)b), high = _mm_packs_epi32((__m128i)c, (__m128i)d);
	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#else
static inline uint32_t apmu_uarch__four_which(apmu_uarch__four v)
{
	return apmu_uarch__four_or(v & apmu_uarch__four_bits(1));
}

static inline uint32_t apmu_uarch__sixteen_which(apmu_uarch__four a, apmu_uarch__four b, apmu_uarch__four c,
						 apmu_uarch__four d)
{
	return apmu_uarch__four_or(
		((a & apmu_uarch__four_bits(1)) | (b & apmu_uarch__four_bits(1u << 4))) |
		((c & apmu_uarch__four_bits(1u << 8)) | (d & apmu_uarch__four_bits(1u << 12))));
}
#endif

#endif
