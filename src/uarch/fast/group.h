/* SPDX-License-Identifier: MIT */
/** The fast path of a group of accesses (access_group.h): all hit one line, told by one look at its tag. */
#ifndef APMU_UARCH_FAST_GROUP_H
#define APMU_UARCH_FAST_GROUP_H

#include "uarch/access_group.h"
#include "uarch/fast/access.h"

/* group.c: it lies in several lines; false: nothing was done. */
bool apmu_uarch__group_lines(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor);

static inline __attribute__((always_inline)) void apmu_uarch__group_mark(struct apmu_uarch *u,
									 const struct apmu_uarch__group *g,
									 uint32_t slot, uint64_t anchor)
{
	const struct apmu_uarch__fast_access *t = &u->unconditional_access;
	unsigned marks = t->whole;

	for (unsigned i = 0; !t->whole && i < g->members; i++)
		if (g->member[i].store)
			for (unsigned k = 0; k < g->member[i].accesses; k++)
				marks |= (anchor + (uint64_t)(int64_t)g->member[i].offset +
					  k * g->member[i].site.size) &
							 t->half
						 ? 2u
						 : 1u;
	t->dirty[slot] |= (uint8_t)marks;
}

/* What members count that are not counted at block entry, all in one line. */
static inline void apmu_uarch__group_count(struct apmu_uarch *u, const struct apmu_uarch__group *g)
{
	const uint16_t *count = u->data.per_register ? g->registers : g->instructions;
	uint64_t *n = u->n;

	n[APMU_SIG_LD_RETIRED] += g->instructions[0];
	n[APMU_SIG_ST_RETIRED] += g->instructions[1];
	n[APMU_SIG_MEM_RD] += count[0];
	n[APMU_SIG_MEM_WR] += count[1];
	n[APMU_SIG_L1D_ACCESS] += count[0] + (uint64_t)count[1];
	n[APMU_SIG_L1D_ACCESS_CACHEABLE] += count[0] + (uint64_t)count[1];
}

/* Of a lean machine (apmu_uarch__is_lean()): a hit changes dirty bits alone. */
static inline __attribute__((always_inline)) void
apmu_uarch__fast_group_lean(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor)
{
	const struct apmu_uarch__probe *p = &u->unconditional_access.line;
	uint64_t first = anchor + (uint64_t)(int64_t)g->low, last = anchor + (uint64_t)(int64_t)g->high;
	const struct apmu_uarch__hint *h = apmu_uarch__hint_at(p, first);

	if ((h->line ^ first >> p->shift) | (first ^ last) >> p->shift | ((anchor ^ g->phase) & g->align)) {
		if (!apmu_uarch__group_lines(u, g, anchor))
			apmu_uarch__group_each(u, g, anchor);
	} else if (g->stores) {
		apmu_uarch__group_mark(u, g, h->slot, anchor);
	}
}

/* Of any other. */
static inline __attribute__((always_inline)) void
apmu_uarch__fast_group(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor)
{
	const struct apmu_uarch__fast_access *t = &u->unconditional_access;
	uint64_t first = anchor + (uint64_t)(int64_t)g->low, last = anchor + (uint64_t)(int64_t)g->high;
	const struct apmu_uarch__hint *line = apmu_uarch__hint_at(&t->line, first),
				      *page = apmu_uarch__hint_at(&t->page, first);
	uint64_t other = (line->line ^ first >> t->line.shift) | (page->line ^ first >> t->page.shift) |
			 (first ^ last) >> t->line.shift | ((anchor ^ g->phase) & g->align);

	if (other || !apmu_uarch__unhindered(&u->memory, t->busy, g->last)) {
		apmu_uarch__group_each(u, g, anchor);
		return;
	}
	if (g->stores)
		apmu_uarch__group_mark(u, g, line->slot, anchor);
	if (t->ordered)
		apmu_uarch__fast_use(u, line);
	if (!g->unconditional && u->unconditional)
		apmu_uarch__group_count(u, g);
}

#endif
