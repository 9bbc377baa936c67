/* SPDX-License-Identifier: MIT */
/** A miss of a first-level TLB, inline up to the main TLB; tlb.c walks the tables. */
#ifndef APMU_UARCH_TLB_H
#define APMU_UARCH_TLB_H

#include "uarch/spaces.h"

/* tlb.c: tables_walk() walks the tables. tlb_walk() also fills the page into the main TLB, which missed it.
 */
enum apmu_uarch__refill apmu_uarch__tables_walk(struct apmu_uarch *u, uint64_t page,
						enum apmu_uarch__request request);
enum apmu_uarch__refill apmu_uarch__tlb_walk(struct apmu_uarch *u, uint64_t page,
					     const struct apmu_uarch__place *at,
					     enum apmu_uarch__request request);

/* tlb.c, data side, in order: nothing issues until the walk is done. */
void apmu_uarch__walk_stall(struct apmu_uarch *u, bool store);

/* Fills a page that `first` missed, from the main TLB or the tables; if no main TLB runs, from neither. */
static inline __attribute__((always_inline)) enum apmu_uarch__refill
apmu_uarch__tlb_refill(struct apmu_uarch *u, struct apmu_uarch__cache *first, uint64_t page,
		       enum apmu_uarch__request request)
{
	static const uint8_t look_up[] = {APMU_SIG_L2_TLB_RD, APMU_SIG_L2_TLB_WR, APMU_SIG_L2_TLB_FETCH};

	apmu_uarch__cache_put(first, page);
	if (__builtin_expect(u->spaces != NULL, 0))
		apmu_uarch__own(u, first, page);
	if (!(u->units & APMU_UARCH__MAIN))
		return APMU_UARCH__REFILL_ONLY;
	if (!u->p.tlb.entries)
		return apmu_uarch__tables_walk(u, page, request);
	u->n[look_up[request]]++;
	struct apmu_uarch__place at = apmu_uarch__packed_hit(&u->tlb, page);
	return at.slot != APMU_UARCH__NOWHERE ? APMU_UARCH__REFILL_MAIN
					      : apmu_uarch__tlb_walk(u, page, &at, request);
}

#endif
