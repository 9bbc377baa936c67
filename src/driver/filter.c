/* SPDX-License-Identifier: MIT */
/* Filter bits of a type register for a want's levels and worlds (ARMV7SHEET 2, PMUV3SHEET 4.3). */
#include "driver/device.h"

#define P   31
#define U   30
#define NSK 29
#define NSU 28
#define NSH 27
#define M   26
#define SH  24
#define RLK 22
#define RLU 21
#define RLH 20

#define TWO_WORLDS (1u << NSK | 1u << NSU) /* needed where the two worlds differ */
#define LEVELS     (APMU_AT_USER | APMU_AT_KERNEL | APMU_AT_HYP | APMU_AT_MONITOR)
#define WORLDS     (APMU_WORLD_SECURE | APMU_WORLD_NONSECURE | APMU_WORLD_REALM)

/* Encodes a set of three worlds as the bits of a type register: the first bit as it is, each other bit as its
 * difference from the first. */
static uint32_t encoded(unsigned set, unsigned first, unsigned second, unsigned third)
{
	if (set & 1)
		set ^= 6;
	return (set & 1) << first | (set >> 1 & 1) << second | (set >> 2) << third;
}

/* For EL1 and EL0 the bits name the worlds that do not count, starting from the Secure (or only) world; for
 * EL2 the worlds that count, starting from the Non-secure world; EL3 counts if M equals P. */
static uint32_t bits_for(unsigned levels, unsigned worlds)
{
	unsigned hyp = levels & APMU_AT_HYP ? worlds : 0;
	uint32_t bits = encoded((hyp & 4) | (hyp << 1 & 2) | (hyp >> 1 & 1), NSH, SH, RLH);

	bits |= encoded(WORLDS & ~(levels & APMU_AT_KERNEL ? worlds : 0u), P, NSK, RLK);
	bits |= encoded(WORLDS & ~(levels & APMU_AT_USER ? worlds : 0u), U, NSU, RLU);
	if (((levels & APMU_AT_MONITOR) && (worlds & APMU_WORLD_SECURE)) == (bits >> P & 1))
		bits |= 1u << M;
	return bits;
}

/* The reason why the PMU's bits cannot express the want. */
static enum apmu_why missing(uint32_t exists, const struct apmu_want *want)
{
	if (!exists)
		return APMU_WHY_NO_FILTER;
	if ((want->worlds & APMU_WORLD_REALM) && !(exists >> RLK & 1))
		return APMU_WHY_NO_WORLD;
	if ((want->levels & APMU_AT_HYP) && !(exists >> NSH & 1))
		return APMU_WHY_NO_LEVEL;
	if ((want->levels & (APMU_AT_MONITOR | APMU_AT_KERNEL)) == APMU_AT_MONITOR && !(exists >> M & 1))
		return APMU_WHY_NO_LEVEL; /* without a bit of its own EL3 follows P */
	return APMU_WHY_NOT;
}

enum apmu_why apmu_driver__filter(uint32_t exists, const struct apmu_want *want, uint32_t *bits)
{
	unsigned levels = want->levels ? want->levels & LEVELS : LEVELS;
	unsigned worlds = want->worlds ? want->worlds & WORLDS : WORLDS;
	uint32_t all = bits_for(levels, worlds);
	enum apmu_why why;

	*bits = all & exists;
	if (levels == LEVELS && worlds == WORLDS)
		return APMU_WHY_NOT;
	why = missing(exists, want);
	if (why == APMU_WHY_NOT && (all & ~exists & TWO_WORLDS))
		return APMU_WHY_NO_WORLD;
	return why;
}
