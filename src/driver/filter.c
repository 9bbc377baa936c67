/* SPDX-License-Identifier: MIT */
/* Where a counter counts, as the filter bits of a type register (armv7-pmuv2.md 2, pmuv3.md 4.3). */
#include "device.h"

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

#define LEVELS (APMU_AT_USER | APMU_AT_KERNEL | APMU_AT_HYP | APMU_AT_MONITOR)
#define WORLDS (APMU_WORLD_SECURE | APMU_WORLD_NONSECURE | APMU_WORLD_REALM)

/* Is `level` of `world` wanted? */
static bool wanted(const struct apmu_want *want, uint8_t level, uint8_t world)
{
	return (!want->levels || (want->levels & level)) && (!want->worlds || (want->worlds & world));
}

/* One bit filters the Secure (or only) world; the others say whether theirs differs. Where such a bit is not
 * there, one bit stands for both worlds, and `*blind` is set if they should differ. */
static uint32_t pair(uint32_t exists, const struct apmu_want *want, uint8_t level, const unsigned bit[3],
		     bool *blind)
{
	bool off = !wanted(want, level, APMU_WORLD_SECURE),
	     nonsecure = !wanted(want, level, APMU_WORLD_NONSECURE),
	     realm = !wanted(want, level, APMU_WORLD_REALM);

	if (!apmu__is_set(exists, bit[1])) {
		*blind = *blind || off != nonsecure;
		return off ? 1u << bit[0] : 0;
	}
	if (!apmu__is_set(exists, bit[2]))
		realm = off;
	return (off ? 1u << bit[0] : 0) | (nonsecure != off ? 1u << bit[1] : 0) |
	       (realm != off ? 1u << bit[2] : 0);
}

/* EL2 counts where NSH says so, and SH and RLH say whether their worlds differ. */
static uint32_t hyp(const struct apmu_want *want)
{
	bool nonsecure = wanted(want, APMU_AT_HYP, APMU_WORLD_NONSECURE),
	     secure = wanted(want, APMU_AT_HYP, APMU_WORLD_SECURE),
	     realm = wanted(want, APMU_AT_HYP, APMU_WORLD_REALM);

	return (nonsecure ? 1u << NSH : 0) | (secure != nonsecure ? 1u << SH : 0) |
	       (realm != nonsecure ? 1u << RLH : 0);
}

/* What the request names and the PMU has no bit for. */
static enum apmu_why missing(uint32_t exists, const struct apmu_want *want)
{
	if (!exists)
		return APMU_WHY_NO_FILTER;
	if ((want->worlds & APMU_WORLD_REALM) && !apmu__is_set(exists, RLK))
		return APMU_WHY_NO_WORLD;
	if ((want->levels & APMU_AT_HYP) && !apmu__is_set(exists, NSH))
		return APMU_WHY_NO_LEVEL;
	if ((want->levels & (APMU_AT_MONITOR | APMU_AT_KERNEL)) == APMU_AT_MONITOR &&
	    !apmu__is_set(exists, M))
		return APMU_WHY_NO_LEVEL; /* EL3 without a bit of its own follows P */
	return APMU_WHY_NOT;
}

enum apmu_why apmu__filter(uint32_t exists, const struct apmu_want *want, uint32_t *bits)
{
	static const unsigned kernel[] = {P, NSK, RLK}, user[] = {U, NSU, RLU};
	bool everywhere = (!want->levels || (want->levels & LEVELS) == LEVELS) &&
			  (!want->worlds || (want->worlds & WORLDS) == WORLDS);
	bool blind = false;
	enum apmu_why why;

	*bits = hyp(want);
	*bits |= pair(exists, want, APMU_AT_KERNEL, kernel, &blind);
	*bits |= pair(exists, want, APMU_AT_USER, user, &blind);
	/* EL3 counts where M equals P. */
	if (wanted(want, APMU_AT_MONITOR, APMU_WORLD_SECURE) == apmu__is_set(*bits, P))
		*bits |= 1u << M;
	*bits &= exists;
	if (everywhere)
		return APMU_WHY_NOT;
	why = missing(exists, want);
	return why != APMU_WHY_NOT ? why : blind ? APMU_WHY_NO_WORLD : APMU_WHY_NOT;
}
