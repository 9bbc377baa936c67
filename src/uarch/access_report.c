/* SPDX-License-Identifier: MIT */
/* Reports the outcome of an access; counts accesses by SIMD registers in the VEC_* signals too. */
#include "uarch/fast.h"

static uint64_t l2_look_ups(const uint64_t *n)
{
	return n[APMU_SIG_L2_RD] + n[APMU_SIG_L2_WR];
}

static uint64_t l2_misses(const uint64_t *n)
{
	return n[APMU_SIG_L2_FILL_RD] + n[APMU_SIG_L2_FILL_WR];
}

void apmu_uarch__access_vector(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			       unsigned size, bool store)
{
	uint64_t *n = u->n, accesses = n[APMU_SIG_L1D_ACCESS], misses = n[APMU_SIG_L1D_MISS];
	uint64_t below = l2_look_ups(n), below_misses = l2_misses(n);

	apmu_uarch__access_any(u, b, i, addr, size, store);
	n[APMU_SIG_VEC_ACCESS] += n[APMU_SIG_L1D_ACCESS] - accesses;
	n[APMU_SIG_VEC_MISS] += n[APMU_SIG_L1D_MISS] - misses;
	n[APMU_SIG_VEC_L2] += l2_look_ups(n) - below;
	n[APMU_SIG_VEC_L2_MISS] += l2_misses(n) - below_misses;
}

void apmu_uarch_access_report(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			      unsigned size, bool store, struct apmu_access_report *report)
{
	static const uint8_t level[] = {1, [APMU_UARCH__AT_L2 + 1] = 2, [APMU_UARCH__AT_L3 + 1] = 3,
					[APMU_UARCH__AT_MEMORY + 1] = 4, [APMU_UARCH__AT_PEER + 1] = 5};
	bool known = (u->units & APMU_UARCH__ACCESS) && i < b->n;

	u->result = (struct apmu_uarch__access_result){0};
	apmu_uarch_access(u, b, i, addr, size, store);
	*report = (struct apmu_access_report){
		.level = known && (u->units & APMU_UARCH__L1D) ? level[u->result.at] : 0,
		.refill = u->result.refill ? (uint8_t)(u->result.refill - 1) : 0};
	if (report->level == 5 && u->result.modified)
		report->level = 6;
	if (known && (u->units & APMU_UARCH__TIME) && !store)
		report->cycles = u->result.cycles + u->p.result[APMU_CLASS_LOAD];
}
