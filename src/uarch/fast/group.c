/* SPDX-License-Identifier: MIT */
#include "uarch/fast/group.h"

static bool knows_all(const struct apmu_uarch__probe *p, uint64_t first, uint64_t last)
{
	for (uint64_t line = first >> p->shift; line <= last >> p->shift; line++)
		if (apmu_uarch__hint_at(p, line << p->shift)->line != line)
			return false;
	return true;
}

bool apmu_uarch__group_lines(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor)
{
	const struct apmu_uarch__probe *p = &u->unconditional_access.line;
	uint64_t first = anchor + (uint64_t)(int64_t)g->low, last = anchor + (uint64_t)(int64_t)g->high;

	if (((anchor ^ g->phase) & g->align) || !knows_all(p, first, last))
		return false;
	for (unsigned i = 0; g->stores && i < g->members; i++) {
		const struct apmu_uarch__group_member *m = &g->member[i];
		uint64_t addr = anchor + (uint64_t)(int64_t)m->offset;
		for (unsigned k = 0; m->store && k < m->accesses; k++, addr += m->site.size)
			apmu_uarch__fast_mark(u, apmu_uarch__hint_at(p, addr), addr);
	}
	return true;
}
