/* SPDX-License-Identifier: MIT */
/*
 * Below the first-level TLBs: the unified main TLB, or the tables themselves where there is none (XScale).
 */
#include "uarch/tlb.h"

/* Assumed place of the page tables: where no program is, each level in cache sets of its own. */
#define TABLES ((uint64_t)1 << 63)
#define APART  0x2B40u

static void fill_walks(struct apmu_uarch *u, uint64_t region)
{
	apmu_uarch__cache_fill(&u->walks, region);
	if (u->spaces)
		apmu_uarch__own(u, &u->walks, region);
}

/* Reads the descriptors through L2; returns the cycles until the last arrives. A hit in the walk cache leaves
 * only the last to read. */
static uint64_t descriptors(struct apmu_uarch *u, uint64_t page, bool code)
{
	uint64_t cycles = 0, region = page << u->dtlb.shift >> u->p.walk_reach;
	unsigned reads = u->p.walk_reads, bits = u->p.walk_short ? 8 : 9, bytes = u->p.walk_short ? 4 : 8;
	bool known = u->p.walk_cache && apmu_uarch__cache_hit(&u->walks, region);
	if (known)
		reads = 1;
	else if (u->p.walk_cache)
		fill_walks(u, region);
	u->n[APMU_SIG_WALK_MISS] += !known;
	for (unsigned r = reads; r-- > 0;) {
		uint64_t table = (TABLES | (uint64_t)r << 56) + (uint64_t)(r + 1) * APART;
		enum apmu_uarch__at at = apmu_uarch__lower_read(u, table + (page >> bits * r) * bytes,
								APMU_UARCH__REQUEST_WALK);
		cycles += u->latency[at];
	}
	u->n[APMU_SIG_WALK_RD] += reads;
	u->n[APMU_SIG_WALK_RD_CODE] += code ? reads : 0;
	return cycles;
}

enum apmu_uarch__refill apmu_uarch__tables_walk(struct apmu_uarch *u, uint64_t page,
						enum apmu_uarch__request request)
{
	u->n[APMU_SIG_TLB_WALK]++;
	bool code = request == APMU_UARCH__REQUEST_CODE;
	u->n[code ? APMU_SIG_ITLB_WALK : APMU_SIG_DTLB_WALK]++;
	u->n[code ? APMU_SIG_ITLB_WALK_LARGE : APMU_SIG_DTLB_WALK_LARGE] += u->large;
	u->n[APMU_SIG_BCU_REQUEST] += u->p.walk_requests;
	u->walk_cycles = u->p.walk;
	if (u->p.walk_reads && (u->units & APMU_UARCH__LOWER))
		u->walk_cycles += descriptors(u, page, code);
	u->n[code ? APMU_SIG_ITLB_WALK_CYCLES : APMU_SIG_DTLB_WALK_CYCLES] += u->walk_cycles;
	return APMU_UARCH__REFILL_WALK;
}

enum apmu_uarch__refill apmu_uarch__tlb_walk(struct apmu_uarch *u, uint64_t page,
					     const struct apmu_uarch__place *at,
					     enum apmu_uarch__request request)
{
	static const uint8_t miss[] = {APMU_SIG_L2_TLB_REFILL_RD, APMU_SIG_L2_TLB_REFILL_WR,
				       APMU_SIG_L2_TLB_REFILL_FETCH};
	u->n[miss[request]]++;
	struct apmu_uarch__put put = apmu_uarch__packed_put(&u->tlb, at, 0);
	if (u->spaces)
		apmu_uarch__own_main(u, put.slot, page);
	return apmu_uarch__tables_walk(u, page, request);
}

void apmu_uarch__walk_stall(struct apmu_uarch *u, bool store)
{
	uint64_t cycles = apmu_uarch__refill_cycles(u, APMU_UARCH__REFILL_WALK);
	uint64_t shown = apmu_uarch__refill_stall(u, APMU_UARCH__REFILL_WALK);
	u->n[APMU_SIG_DATA_STALL] += shown;
	u->n[APMU_SIG_STALL_BACK_TLB] += shown;
	u->n[APMU_SIG_STALL_BACK_BOUND] += shown;
	u->n[store ? APMU_SIG_STALL_WALK_ST : APMU_SIG_STALL_WALK_LD] += shown;
	u->result.cycles += (uint32_t)cycles;
	apmu_uarch__wait(u, cycles);
}
