/* SPDX-License-Identifier: MIT */
/** Four 32-bit words at once, where the host can: what gcc and clang make of vectors for any host. */
#ifndef APMU_UARCH_FOUR_H
#define APMU_UARCH_FOUR_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef uint32_t apmu__four __attribute__((vector_size(16)));
typedef uint64_t apmu__two __attribute__((vector_size(16)));

static inline apmu__four apmu__four_load(const uint32_t *from)
{
	apmu__four v;
	memcpy(&v, from, sizeof(v));
	return v;
}

static inline apmu__four apmu__four_of(uint32_t word)
{
	return (apmu__four){word, word, word, word};
}

/* A bit for each of them, from `first` on. */
static inline apmu__four apmu__four_bits(uint32_t first)
{
	return (apmu__four){first, first << 1, first << 2, first << 3};
}

/* All four, ored. */
static inline uint32_t apmu__four_or(apmu__four v)
{
	apmu__two halves = (apmu__two)v;
	uint64_t both = halves[0] | halves[1];
	return (uint32_t)(both | both >> 32);
}

/* Of words that are all ones or 0, a bit each: four, sixteen. */
#ifdef __SSE2__
static inline uint32_t apmu__four_which(apmu__four v)
{
	return (uint32_t)_mm_movemask_ps((__m128)v);
}

static inline uint32_t apmu__sixteen_which(apmu__four a, apmu__four b, apmu__four c, apmu__four d)
{
	__m128i low = _mm_packs_epi32((__m128i)a, (__m128i)b), high = _mm_packs_epi32((__m128i)c, (__m128i)d);
	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#else
static inline uint32_t apmu__four_which(apmu__four v)
{
	return apmu__four_or(v & apmu__four_bits(1));
}

static inline uint32_t apmu__sixteen_which(apmu__four a, apmu__four b, apmu__four c, apmu__four d)
{
	return apmu__four_or(((a & apmu__four_bits(1)) | (b & apmu__four_bits(1u << 4))) |
			     ((c & apmu__four_bits(1u << 8)) | (d & apmu__four_bits(1u << 12))));
}
#endif

#endif
