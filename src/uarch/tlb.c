/* SPDX-License-Identifier: MIT */
/*
 * Below the first-level TLBs: the unified main TLB, or straight to the tables where there is none (XScale).
 */
#include "machine.h"

static enum apmu__refill walk(struct apmu_uarch *u)
{
	u->n[APMU_SIG_TLB_WALK]++;
	u->n[APMU_SIG_BCU_REQUEST] += u->p.walk_requests;
	return APMU__REFILL_WALK;
}

enum apmu__refill apmu__tlb_refill(struct apmu_uarch *u, struct apmu__cache *first, uint64_t page)
{
	apmu__cache_fill(first, page);
	if (!(u->parts & APMU__MAIN))
		return APMU__REFILL_ONLY;
	if (u->p.tlb.entries == 0)
		return walk(u);
	if (apmu__cache_hit(&u->tlb, page))
		return APMU__REFILL_MAIN;
	apmu__cache_fill(&u->tlb, page);
	return walk(u);
}
