/* SPDX-License-Identifier: MIT */
/*
 * The fast path of unconditional loads and stores, which make one access whenever they run. They are counted
 * at block entry, so that a hit of cache and micro-TLB has nothing to count. Any other case takes the general
 * path, which counts, after the count at block entry is subtracted.
 */
#include "uarch/fast/access.h"

#include <limits.h>

/* Hint tables of one element: every look-up in `none` misses, every look-up in `all` hits. */
static const struct apmu_uarch__hint none = {.line = APMU_UARCH__NO_LINE}, all = {.line = 0};
#define TOP 63 /* shift that leaves only the top bit of an address, assumed to be 0 */

static struct apmu_uarch__probe probe(const struct apmu_uarch__cache *c)
{
	return (struct apmu_uarch__probe){(const char *)c->hint, c->hint_mask * sizeof(*c->hint), c->shift};
}

/* The page translated last, as a table: using it again changes no LRU order. */
static struct apmu_uarch__probe probe_last(const struct apmu_uarch__hint *hint,
					   const struct apmu_uarch__cache *c)
{
	return (struct apmu_uarch__probe){(const char *)hint, 0, c->shift};
}

void apmu_uarch__fast_access_init(struct apmu_uarch *u)
{
	struct apmu_uarch__fast_access *t = &u->unconditional_access;

	*t = (struct apmu_uarch__fast_access){.line = {(const char *)&none, 0, TOP},
					      .hit = APMU_UARCH__HIT_ALL};
	t->page = (struct apmu_uarch__probe){(const char *)&all, 0, TOP};
	t->whole = u->data.whole;
	t->half = u->data.half;
	t->dirty = u->l1d.dirty;
	t->busy = u->window ? UINT_MAX : 0;
	for (unsigned store = 0; store < 2; store++) {
		t->unconditional[store] = apmu_uarch__unconditional_of(u, store);
		t->beyond[store] = u->ahead ? t->unconditional[store] : NULL;
	}
	if (!u->fast_access || u->data.half < 8 || (u->recent && !u->window))
		return;
	if (u->data.unconditional)
		t->line = probe(&u->l1d);
	else if (!(u->units & APMU_UARCH__L1D) && !u->windows) /* without a cache every look-up hits */
		t->line = t->page;
	else
		return;
	t->ordered = u->l1d.ordered && u->data.unconditional;
	if (!t->ordered && !u->window && !u->untimed.samples) /* else it changes as the clock stops */
		t->hit = u->units & APMU_UARCH__TIME ? APMU_UARCH__HIT_USER
			 : u->data.no_dtlb           ? APMU_UARCH__HIT_TAG
						     : APMU_UARCH__HIT_PAGE;
	if (!u->data.no_dtlb)
		t->page = u->data.page == &u->dpage ? probe_last(&u->dpage, &u->dtlb) : probe(&u->dtlb);
}

void apmu_uarch_precount(struct apmu_uarch *u)
{
	u->fast_access = u->ahead = (u->units & APMU_UARCH__ACCESS) != 0;
	if (u->ahead && u->unconditional) {
		u->entry_counts |= APMU_UARCH__ENTRY_COUNTS;
		u->controls.entry_counts |= APMU_UARCH__ENTRY_COUNTS;
	}
	u->fast_path = apmu_uarch__fast_path_of(u);
	apmu_uarch__fast_access_init(u);
}

void apmu_uarch_count_each(struct apmu_uarch *u)
{
	u->fast_access = (u->units & APMU_UARCH__ACCESS) != 0;
	apmu_uarch__fast_access_init(u);
}

void apmu_uarch__fast_any(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr, bool store)
{
	if (u->unconditional_access.unconditional[store] && !(addr & s->low)) {
		if (!u->ahead)
			apmu_uarch__unconditional_add(u, !store, store);
		u->unconditional_access.unconditional[store](u, s, addr);
		return;
	}
	if (u->ahead)
		apmu_uarch__unconditional_add(u, 0 - (uint64_t)!store, 0 - (uint64_t)store);
	apmu_uarch_access(u, s->block, s->index, addr, s->size, store);
}

/* Out of order: looks for stores that forward, or records one. In order, apmu_uarch_access() does this. */
static void forward_first(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr, bool store)
{
	if (u->recent && u->window)
		apmu_uarch__forward(u, s->block, s->index, addr, s->size, store);
}

void apmu_uarch_load(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	forward_first(u, s, addr, false);
	apmu_uarch__fast_load(u, s, addr);
}

void apmu_uarch_load_each(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	forward_first(u, s, addr, false);
	apmu_uarch__fast_one(u, s, addr, false, true);
}

void apmu_uarch_store_each(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	forward_first(u, s, addr, true);
	apmu_uarch__fast_one(u, s, addr, true, true);
}

void apmu_uarch_store(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	forward_first(u, s, addr, true);
	apmu_uarch__fast_store(u, s, addr);
}
