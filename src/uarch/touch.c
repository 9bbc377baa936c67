/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores that make one access whenever they run: counted when their block is entered, so that a hit
 * of cache and micro-TLB has nothing to count. All else goes the way of any access, which counts, after what
 * was counted ahead is taken back.
 */
#include "machine.h"

#include <limits.h>

/* Where a look-up finds nothing, and where it finds everything. */
static const struct apmu__hint none = {APMU__NO_LINE, 0}, all = {0, 0};
#define TOP 63 /* the only bit of an address that is left: none has it */

static struct apmu__probe probe(const struct apmu__cache *c)
{
	return (struct apmu__probe){(const char *)c->hint, c->hint_mask * sizeof(*c->hint), c->shift,
				    (uint8_t)(c->shift - APMU__HINT_SHIFT)};
}

/* The page translated last: that it is used again changes no order. */
static struct apmu__probe one(const struct apmu__hint *hint, const struct apmu__cache *c)
{
	return (struct apmu__probe){(const char *)hint, 0, c->shift, (uint8_t)(c->shift - APMU__HINT_SHIFT)};
}

void apmu__touch_init(struct apmu_uarch *u)
{
	struct apmu__touch *t = &u->touch;

	*t = (struct apmu__touch){.line = {(const char *)&none, 0, TOP, TOP}};
	t->page = (struct apmu__probe){(const char *)&all, 0, TOP, TOP};
	t->whole = u->data.whole;
	t->half = u->data.half;
	t->dirty = u->l1d.dirty;
	t->flights = u->window ? UINT_MAX : 0;
	if (!u->ahead || !u->data.plain || u->data.half < 8)
		return;
	t->line = probe(&u->l1d);
	t->ordered = u->l1d.ordered;
	if (!u->data.no_dtlb)
		t->page = u->dtlb.ordered ? one(&u->dpage, &u->dtlb) : probe(&u->dtlb);
}

void apmu_uarch_promise(struct apmu_uarch *u)
{
	u->ahead = (u->parts & APMU__ACCESS) != 0;
	u->more |= u->ahead && u->sure ? APMU__MORE_ACCESSES : 0;
	apmu__touch_init(u);
}

void apmu_block_spot(const struct apmu_block *b, unsigned i, unsigned size, struct apmu_spot *spot)
{
	*spot = (struct apmu_spot){.block = b, .index = i, .size = (uint8_t)size, .low = (uint8_t)(size - 1)};
	spot->sure = i < b->n && b->step[i].sure && size == b->step[i].width;
}

void apmu__sure_take_back(struct apmu_uarch *u, const struct apmu__step *s)
{
	if (s->sure)
		apmu__sure_add(u, 0 - (uint64_t)(s->cls == APMU_CLASS_LOAD),
			       0 - (uint64_t)(s->cls == APMU_CLASS_STORE));
}

static __attribute__((noinline)) void any(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr,
					  bool store)
{
	if (u->ahead)
		apmu__sure_add(u, 0 - (uint64_t)!store, 0 - (uint64_t)store);
	apmu_uarch_access(u, s->block, s->index, addr, s->size, store);
}

static inline const struct apmu__hint *at(const struct apmu__probe *p, uint64_t addr)
{
	return (const struct apmu__hint *)(const void *)(p->hint + (addr >> p->scaled & p->mask));
}

/* The line's hint, if line and page are known to be there, the access is aligned, and nothing is waited for.
 */
static inline const struct apmu__hint *hit(const struct apmu_uarch *u, const struct apmu_spot *s,
					   uint64_t addr)
{
	const struct apmu__touch *t = &u->touch;
	const struct apmu__hint *line = at(&t->line, addr), *page = at(&t->page, addr);
	uint64_t other = (line->line ^ addr >> t->line.shift) | (page->line ^ addr >> t->page.shift) |
			 (addr & s->low) | u->memory.pendings | (u->memory.flights & t->flights);

	return other ? NULL : line;
}

static inline void use(struct apmu_uarch *u, const struct apmu__hint *h)
{
	u->l1d.slot = h->slot;
	apmu__cache_touch(&u->l1d, h->line);
}

void apmu_uarch_load(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr)
{
	const struct apmu__hint *h = hit(u, s, addr);

	if (!h)
		any(u, s, addr, false);
	else if (u->touch.ordered)
		use(u, h);
}

void apmu_uarch_store(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr)
{
	const struct apmu__hint *h = hit(u, s, addr);

	if (!h) {
		any(u, s, addr, true);
		return;
	}
	u->touch.dirty[h->slot] |= u->touch.whole | (addr & u->touch.half ? 2 : 1);
	if (u->touch.ordered)
		use(u, h);
}
