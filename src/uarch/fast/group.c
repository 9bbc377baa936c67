/* SPDX-License-Identifier: MIT */
#include "uarch/fast/group.h"

/* Sets the dirty bits of the group's stores, each in one line that is known to be present. */
static void mark_stores(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor)
{
	for (unsigned i = 0; g->stores && i < g->members; i++) {
		const struct apmu_uarch__group_member *m = &g->member[i];
		uint64_t addr = anchor + (uint64_t)(int64_t)m->offset;
		for (unsigned k = 0; m->store && k < m->accesses; k++, addr += m->site.size) {
			const struct apmu_uarch__hint *h =
				apmu_uarch__hint_at(&u->unconditional_access.line, addr);
			apmu_uarch__fast_mark(u, h, addr);
			apmu_uarch__fast_mark(u, h, addr + m->site.size - 1); /* maybe in the other half */
		}
	}
}

static bool knows_all(const struct apmu_uarch__probe *p, uint64_t first, uint64_t last)
{
	for (uint64_t line = first >> p->shift; line <= last >> p->shift; line++)
		if (apmu_uarch__hint_at(p, line << p->shift)->line != line)
			return false;
	return true;
}

/* True if an access lies in two lines. */
static bool splits(const struct apmu_uarch__group *g, uint64_t anchor, unsigned shift)
{
	for (unsigned i = 0; i < g->members; i++) {
		const struct apmu_uarch__group_member *m = &g->member[i];
		uint64_t addr = anchor + (uint64_t)(int64_t)m->offset;
		for (unsigned k = 0; k < m->accesses; k++, addr += m->site.size)
			if ((addr ^ (addr + m->site.size - 1)) >> shift)
				return true;
	}
	return false;
}

/* Makes the group's accesses, if all of them hit, each within a line. False: nothing was done. */
static bool several_lines(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor)
{
	const struct apmu_uarch__fast_access *t = &u->unconditional_access;
	uint64_t first = anchor + (uint64_t)(int64_t)g->low, last = anchor + (uint64_t)(int64_t)g->high;

	if (t->hit == APMU_UARCH__HIT_ALL || (!g->unconditional && u->unconditional) ||
	    ((anchor ^ g->phase) & g->align) || u->memory.user <= g->last)
		return false;
	if (!knows_all(&t->line, first, last) || !knows_all(&t->page, first, last) ||
	    (g->splits && splits(g, anchor, t->line.shift)))
		return false;
	mark_stores(u, g, anchor);
	return true;
}

void apmu_uarch__group_rest(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor)
{
	if (!several_lines(u, g, anchor))
		apmu_uarch__group_each(u, g, anchor);
}
