/* SPDX-License-Identifier: MIT */
/** The fast path of an unconditional load or store, inline for callers that run it once per access
 * (access.c). */
#ifndef APMU_UARCH_ACCESS_H
#define APMU_UARCH_ACCESS_H

#include "uarch/machine.h"

/* access.c: subtracts what was counted at block entry and takes the general path. */
void apmu_uarch__fast_any(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr, bool store);

/* access_variants.c: the slow path of the machine's variant; NULL if unconditional accesses take the general
 * path. */
apmu_uarch__access_unconditional *apmu_uarch__unconditional_of(const struct apmu_uarch *u, bool store);

static inline const struct apmu_uarch__hint *apmu_uarch__hint_at(const struct apmu_uarch__probe *p,
								 uint64_t addr)
{
	return (const struct apmu_uarch__hint *)(const void *)(p->hint +
							       (addr >> p->shift << APMU_UARCH__HINT_SHIFT &
								p->mask));
}

/* True if nothing that the access would have to wait for is pending. `number`: its instruction. `hit`, here
 * and below: the machine's, a compile-time constant. */
static inline __attribute__((always_inline)) bool
apmu_uarch__fast_unhindered(const struct apmu_uarch *u, uint32_t number, enum apmu_uarch__hit hit)
{
	if (hit == APMU_UARCH__HIT_ALL)
		return apmu_uarch__unhindered(&u->memory, u->unconditional_access.busy, number);
	return hit != APMU_UARCH__HIT_USER || u->memory.user > number;
}

/* The line's hint, if line and page are known to be present, the access is aligned, and nothing is pending.
 */
static inline __attribute__((always_inline)) const struct apmu_uarch__hint *
apmu_uarch__fast_hit(const struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr,
		     enum apmu_uarch__hit hit)
{
	const struct apmu_uarch__fast_access *t = &u->unconditional_access;
	const struct apmu_uarch__hint *line = apmu_uarch__hint_at(&t->line, addr);
	uint64_t other = (line->line ^ addr >> t->line.shift) | (addr & s->low);

	if (hit != APMU_UARCH__HIT_TAG)
		other |= apmu_uarch__hint_at(&t->page, addr)->line ^ addr >> t->page.shift;
	return other || !apmu_uarch__fast_unhindered(u, s->index, hit) ? NULL : line;
}

/* Makes the micro-TLB entry of a page that is known to be present the newest. */
static inline void apmu_uarch__fast_use_page(struct apmu_uarch *u, uint64_t page)
{
	if (page == u->dpage.line)
		return;
	u->dpage.line = page;
	u->dtlb.slot = u->dtlb.hint[page & u->dtlb.hint_mask].slot;
	apmu_uarch__cache_touch(&u->dtlb, page);
}

/* Makes the line and its page the newest in their LRU orders. */
static inline __attribute__((always_inline)) void
apmu_uarch__fast_use(struct apmu_uarch *u, const struct apmu_uarch__hint *h, uint64_t addr)
{
	u->l1d.slot = h->slot;
	apmu_uarch__cache_touch(&u->l1d, h->line);
	if (u->data.orders_pages)
		apmu_uarch__fast_use_page(u, addr >> u->dtlb.shift);
}

static inline __attribute__((always_inline)) void
apmu_uarch__fast_mark(struct apmu_uarch *u, const struct apmu_uarch__hint *h, uint64_t addr)
{
	u->unconditional_access.dirty[h->slot] |=
		u->unconditional_access.whole | (addr & u->unconditional_access.half ? 2 : 1);
}

/* Makes an access that hits, which counts nothing. False: nothing was done; the access needs
 * apmu_uarch__fast_beyond(). */
static inline __attribute__((always_inline)) bool apmu_uarch__fast_near(struct apmu_uarch *u,
									const struct apmu_access_site *s,
									uint64_t addr, bool store,
									enum apmu_uarch__hit hit)
{
	const struct apmu_uarch__hint *h = apmu_uarch__fast_hit(u, s, addr, hit);

	if (!h)
		return false;
	if (store)
		apmu_uarch__fast_mark(u, h, addr);
	if (hit == APMU_UARCH__HIT_ALL && u->unconditional_access.ordered)
		apmu_uarch__fast_use(u, h, addr);
	return true;
}

/* Makes an access that apmu_uarch__fast_near() refused. */
static inline __attribute__((always_inline)) void
apmu_uarch__fast_beyond(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr, bool store)
{
	apmu_uarch__access_unconditional *beyond = u->unconditional_access.beyond[store];

	if (!beyond || (addr & s->low))
		apmu_uarch__fast_any(u, s, addr, store);
	else
		beyond(u, s, addr);
}

/* Counts unconditional accesses. Signals that are not wanted may have any value. */
static inline void apmu_uarch__unconditional_add(struct apmu_uarch *u, uint64_t loads, uint64_t stores)
{
	uint64_t *n = u->n;

	n[APMU_SIG_LD_RETIRED] += loads;
	n[APMU_SIG_MEM_RD] += loads;
	n[APMU_SIG_ST_RETIRED] += stores;
	n[APMU_SIG_MEM_WR] += stores;
	n[APMU_SIG_L1D_ACCESS] += loads + stores;
	n[APMU_SIG_L1D_ACCESS_CACHEABLE] += loads + stores;
}

/* Makes an unconditional access. `each`: such accesses are not counted at block entry, so a hit is counted
 * here if that is wanted. */
static inline __attribute__((always_inline)) void apmu_uarch__fast_one(struct apmu_uarch *u,
								       const struct apmu_access_site *s,
								       uint64_t addr, bool store, bool each)
{
	if (!apmu_uarch__fast_near(u, s, addr, store, APMU_UARCH__HIT_ALL))
		apmu_uarch__fast_beyond(u, s, addr, store);
	else if (each && u->unconditional)
		apmu_uarch__unconditional_add(u, !store, store);
}

static inline void apmu_uarch__fast_load(struct apmu_uarch *u, const struct apmu_access_site *s,
					 uint64_t addr)
{
	apmu_uarch__fast_one(u, s, addr, false, false);
}

static inline void apmu_uarch__fast_store(struct apmu_uarch *u, const struct apmu_access_site *s,
					  uint64_t addr)
{
	apmu_uarch__fast_one(u, s, addr, true, false);
}

/* True if a hit changes nothing but dirty bits, and counts nothing. */
static inline bool apmu_uarch__is_lean(const struct apmu_uarch *u)
{
	return u->unconditional_access.hit == APMU_UARCH__HIT_TAG && !u->unconditional && !u->untimed.samples;
}

/* Counts an access of apmu_uarch__quick_access(), before u->last is set to it. */
static inline void apmu_uarch__quick_count(struct apmu_uarch *u, uint32_t key, uint64_t line)
{
	bool again = key == u->last.key;
	unsigned count = !again | (line != u->last.line) | u->data.per_register;

	u->n[key & 1 ? APMU_SIG_ST_RETIRED : APMU_SIG_LD_RETIRED] += !again;
	u->n[key & 1 ? APMU_SIG_MEM_WR : APMU_SIG_MEM_RD] += count;
	u->n[APMU_SIG_L1D_ACCESS] += count;
	u->n[APMU_SIG_L1D_ACCESS_CACHEABLE] += count;
}

/* The common case of any access: it is aligned, cache and micro-TLB hit, and nothing that it would have to
 * wait for is pending. `size` is at most the instruction's `most`. True: the access is done; false: nothing
 * has been done. `lean`, a compile-time constant: apmu_uarch__is_lean(), so tags alone are compared. */
static inline __attribute__((always_inline)) bool
apmu_uarch__quick_access(struct apmu_uarch *u, uint32_t key, uint64_t addr, unsigned size, bool lean)
{
	const struct apmu_uarch__fast_inputs *d = &u->data;
	uint64_t line = addr >> d->line_shift, page = addr >> d->page_shift;
	const struct apmu_uarch__hint *h = &d->line[line & d->line_mask];
	bool idle = lean || apmu_uarch__unhindered(&u->memory, u->unconditional_access.busy, key >> 1);
	bool translated = lean || d->no_dtlb | (d->page[page & d->page_mask].line == page);
	bool aligned = (size - 1 < d->widest) & !((addr | size) & (size - 1));
	if (!(d->plain & aligned & idle & translated & (h->line == line)))
		return false;
	if (!lean && u->unconditional)
		apmu_uarch__quick_count(u, key, line);
	bool used =
		(key == u->last.key) & (line == u->last.line) & !d->per_register; /* data.c, sequential() */
	u->last = (struct apmu_uarch__last){line, key, false, 0};
	u->l1d.slot = h->slot;
	if (!lean && d->ordered && !used)
		apmu_uarch__cache_touch(&u->l1d, line);
	if (!lean && d->orders_pages)
		apmu_uarch__fast_use_page(u, page);
	if (key & 1)
		u->l1d.dirty[h->slot] |= (uint8_t)(d->whole | (addr & d->half ? 2 : 1));
	return true;
}

/* Makes any access that the instruction can make by itself: apmu_block_takes() is true for its size. */
static inline __attribute__((always_inline)) void apmu_uarch__fast_some(struct apmu_uarch *u,
									const struct apmu_access_site *s,
									uint64_t addr, unsigned size,
									bool store, bool lean)
{
	if (!apmu_uarch__quick_access(u, s->index * 2 + store, addr, size, lean))
		apmu_uarch_access(u, s->block, s->index, addr, size, store);
}

/* True if a load may wait for the data of a store: one of its own block, or of an earlier one, if it may be
 * late. */
static inline bool apmu_uarch__may_forward(const struct apmu_uarch *u, const struct apmu_access_site *s,
					   uint64_t addr, unsigned size)
{
	uint32_t stores = s->stores + u->window->late_stores;
	if (stores > APMU_UARCH__AGES)
		stores = APMU_UARCH__AGES;
	return apmu_uarch__recent_has(u->recent, addr, size, u->window->stored + s->stores, stores);
}

/* apmu_uarch__fast_load() out of order with store-to-load forwarding: looks for a forwarding store first. The
 * machine has no window while its clock stands (time_samples.c). */
static inline void apmu_uarch__fast_load_forward(struct apmu_uarch *u, const struct apmu_access_site *s,
						 uint64_t addr)
{
	if (u->window && apmu_uarch__may_forward(u, s, addr, s->size))
		apmu_uarch__forward(u, s->block, s->index, addr, s->size, false);
	apmu_uarch__fast_load(u, s, addr);
}

static inline void apmu_uarch__fast_store_forward(struct apmu_uarch *u, const struct apmu_access_site *s,
						  uint64_t addr)
{
	if (u->window)
		apmu_uarch__recent_put(u->recent, addr, s->size, u->window->stored + s->stores);
	apmu_uarch__fast_store(u, s, addr);
}

/* True if a vector of 128 bits may take data from a store: most often no data of stores may be late. */
static inline bool apmu_uarch__vector_may_forward(struct apmu_uarch *u, const struct apmu_access_site *s,
						  uint64_t addr)
{
	return s->stores + u->window->late_stores &&
	       (apmu_uarch__may_forward(u, s, addr, 8) || apmu_uarch__may_forward(u, s, addr + 8, 8));
}

/* True for the second half of a vector that is loaded, out of order, if it is aligned and in the line of the
 * first half: it changes nothing. */
static inline bool apmu_uarch__fast_goes_on(const struct apmu_uarch *u, uint64_t addr, bool store)
{
	const struct apmu_uarch__fast_inputs *d = &u->data;

	return !store && u->window && addr >> d->line_shift == u->last.line && (addr & 7) == 0 && d->plain &&
	       !d->per_register;
}

/* An access of a vector of 128 bits, or of a half of one. A vector is forwarded, or recorded for loads to
 * come, as a whole: at its first half. */
static inline __attribute__((always_inline)) void
apmu_uarch__fast_vector_forward(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr,
				unsigned size, bool store)
{
	bool second = size == 8 && apmu_uarch__note_half(u, s->index, addr, store);

	if (second && apmu_uarch__fast_goes_on(u, addr, store))
		return;
	if (store && u->window && !second)
		apmu_uarch__recent_put(u->recent, addr, 16, u->window->stored + s->stores);
	else if (u->window && !second && apmu_uarch__vector_may_forward(u, s, addr))
		apmu_uarch__forward(u, s->block, s->index, addr, size, false);
	apmu_uarch__fast_some(u, s, addr, size, store, false);
}

static inline __attribute__((always_inline)) void
apmu_uarch__fast_some_forward(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr,
			      unsigned size, bool store)
{
	const struct apmu_uarch__step *step = &s->block->step[s->index];
	bool one = size <= 8 && size == step->width;
	if (!one && step->quads && (size == 8 || size == 16)) {
		apmu_uarch__fast_vector_forward(u, s, addr, size, store);
		return;
	}
	/* a pair: each register's data are forwarded by themselves */
	if (!one && (size > 8 || (step->width && step->width < size))) {
		apmu_uarch_access(u, s->block, s->index, addr, size, store);
		return;
	}
	if (store && u->window)
		apmu_uarch__recent_put(u->recent, addr, size, u->window->stored + s->stores);
	else if (u->window && apmu_uarch__may_forward(u, s, addr, size))
		apmu_uarch__forward(u, s->block, s->index, addr, size, false);
	apmu_uarch__fast_some(u, s, addr, size, store, false);
}

#endif
