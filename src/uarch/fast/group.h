/* SPDX-License-Identifier: MIT */
/** The fast path of a group of accesses (access_group.h) that all hit one line, which takes one comparison of
 * its tag. */
#ifndef APMU_UARCH_FAST_GROUP_H
#define APMU_UARCH_FAST_GROUP_H

#include "uarch/access_group.h"
#include "uarch/fast/access.h"

/* group.c: makes the accesses of a group that do not all hit one line. */
void apmu_uarch__group_rest(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor);

/* Sets the dirty bits of the group's stores, all in one line. A line has two halves, so the lowest and the
 * highest byte stored tell which are dirty. */
static inline void apmu_uarch__group_mark(struct apmu_uarch *u, const struct apmu_uarch__group *g,
					  const struct apmu_uarch__hint *line, uint64_t anchor)
{
	const struct apmu_uarch__fast_access *t = &u->unconditional_access;
	uint64_t first = anchor + (uint64_t)(int64_t)g->stored[0],
		 last = anchor + (uint64_t)(int64_t)g->stored[1];

	t->dirty[line->slot] |= t->whole | (first & t->half ? 2 : 1) | (last & t->half ? 2 : 1);
}

/* Counts the members, all in one line, that are not counted at block entry. */
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

/* Makes the accesses of a group. `hit`: the machine's, a compile-time constant. */
static inline __attribute__((always_inline)) void apmu_uarch__fast_group(struct apmu_uarch *u,
									 const struct apmu_uarch__group *g,
									 uint64_t anchor,
									 enum apmu_uarch__hit hit)
{
	const struct apmu_uarch__fast_access *t = &u->unconditional_access;
	uint64_t first = anchor + (uint64_t)(int64_t)g->low, last = anchor + (uint64_t)(int64_t)g->high;
	const struct apmu_uarch__hint *line = apmu_uarch__hint_at(&t->line, first);
	uint64_t other = (line->line ^ first >> t->line.shift) | (first ^ last) >> t->line.shift |
			 ((anchor ^ g->phase) & g->align);

	if (hit != APMU_UARCH__HIT_TAG)
		other |= apmu_uarch__hint_at(&t->page, first)->line ^ first >> t->page.shift;
	bool forwards = hit == APMU_UARCH__HIT_ALL && u->recent;

	if (other || forwards || !apmu_uarch__fast_unhindered(u, g->last, hit)) {
		apmu_uarch__group_rest(u, g, anchor);
		return;
	}
	if (hit == APMU_UARCH__HIT_ALL && t->ordered)
		apmu_uarch__fast_use(u, line, first);
	if (!g->unconditional && u->unconditional)
		apmu_uarch__group_count(u, g);
	if (g->stores)
		apmu_uarch__group_mark(u, g, line, anchor);
}

#endif
