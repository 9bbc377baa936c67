/* SPDX-License-Identifier: MIT */
/*
 * DC ZVA whose address is known: a store of whole lines that reads none of them. A line that L1 data holds is
 * modified there. Another goes past L1, to the level below (A76TRM A6.2.6: DC ZVA begins write streaming
 * mode) or, by the row, to memory (A53TRM 6.6.4). Whether other cores' L1 takes the line is not published.
 */
#include "uarch/line.h"

/* Memory that L1 data does not hold. */
static void past_caches(const struct apmu_uarch__access *a, uint64_t line)
{
	a->u->n[APMU_SIG_BUS_WR] += a->u->beats[APMU_UARCH__REQUEST_WRITE];
	apmu_uarch__outside(a, line);
}

/* True if L1 data lacks the line. */
static bool zero_line(const struct apmu_uarch__access *a, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	struct apmu_uarch__side s = {&u->l1d, &u->p.l1d, false};
	if (apmu_uarch__beside_l1d(u, a->addr)) {
		past_caches(a, line);
		return false;
	}
	if (!(u->units & APMU_UARCH__L1D))
		return false;
	bool hinted = apmu_uarch__cache_knows(s.c, line);
	if (apmu_uarch__cache_hit(s.c, line)) {
		apmu_uarch__use_line(a, s, line, hinted);
		return false;
	}
	apmu_uarch__write_outside(a, line,
				  u->p.zero_to_memory ? APMU_UARCH__STORE_STREAM : APMU_UARCH__STORE_WHOLE);
	return true;
}

void apmu_uarch_zero(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		     unsigned size)
{
	if (!(u->units & APMU_UARCH__ACCESS) || i >= b->n || size == 0)
		return;
	addr &= ~((uint64_t)size - 1);
	const struct apmu_uarch__access a = {u, b, addr, &b->step[i], i, size, true, u->variant, NULL};
	uint64_t first = addr >> u->l1d.shift, last = (addr + size - 1) >> u->l1d.shift;
	if (u->memory.user <= i) /* before anything of the access is counted */
		apmu_uarch__settle_waits(u, b, i);
	apmu_uarch_claim(u, b, i, addr, size);
	apmu_uarch__translate(&a, addr >> u->dtlb.shift);
	bool missed = false;
	for (uint64_t line = first; line <= last; line++)
		missed |= zero_line(&a, line);
	u->n[APMU_SIG_L1D_MISS] += missed; /* one access, as L1D_ACCESS has it */
}
