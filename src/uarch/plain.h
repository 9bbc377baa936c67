/* SPDX-License-Identifier: MIT */
/**
 * Replaces src/uarch/fast where that is left out (fast.h): each block is entered by
 * apmu_uarch__enter_any(), each access is made by apmu_uarch_access(), each block is run by the window. Files
 * that include fast.h or pass.h call the same names in both builds.
 */
#ifndef APMU_UARCH_PLAIN_H
#define APMU_UARCH_PLAIN_H

#include "uarch/access_group.h"
#include "uarch/machine.h"

/* Block entry. */
static inline enum apmu_uarch__entered
apmu_uarch__enter_fast(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_uarch__entry_edge *from,
		       enum apmu_uarch__fast_path path, enum apmu_uarch__entering how)
{
	(void)u, (void)b, (void)from, (void)path, (void)how;
	return APMU_UARCH__ENTERED_ANY;
}

static inline bool apmu_uarch__enter_try(struct apmu_uarch *u, const struct apmu_block *b)
{
	(void)u, (void)b;
	return false;
}

static inline void apmu_uarch__enter_count(struct apmu_uarch *u, const struct apmu_block *b,
					   struct apmu_uarch__entry_edge from)
{
	(void)u, (void)b, (void)from; /* no entry is APMU_UARCH__ENTERED_UNCOUNTED */
}

static inline void apmu_uarch__enter_window(struct apmu_uarch *u, const struct apmu_block *b)
{
	apmu_uarch__enter_any(u, b);
}

static inline void apmu_uarch__enter_ordered(struct apmu_uarch *u, const struct apmu_block *b)
{
	apmu_uarch__enter_any(u, b);
}

/* Accesses. */
static inline bool apmu_uarch__fast_near(struct apmu_uarch *u, const struct apmu_access_site *s,
					 uint64_t addr, bool store, enum apmu_uarch__hit hit)
{
	(void)u, (void)s, (void)addr, (void)store, (void)hit;
	return false;
}

static inline bool apmu_uarch__quick_access(struct apmu_uarch *u, uint32_t key, uint64_t addr, unsigned size,
					    bool lean)
{
	(void)u, (void)key, (void)addr, (void)size, (void)lean;
	return false;
}

static inline bool apmu_uarch__is_lean(const struct apmu_uarch *u)
{
	(void)u;
	return false;
}

static inline void apmu_uarch__fast_some(struct apmu_uarch *u, const struct apmu_access_site *s,
					 uint64_t addr, unsigned size, bool store, bool lean)
{
	(void)lean;
	apmu_uarch_access(u, s->block, s->index, addr, size, store);
}

static inline void apmu_uarch__fast_some_forward(struct apmu_uarch *u, const struct apmu_access_site *s,
						 uint64_t addr, unsigned size, bool store)
{
	apmu_uarch_access(u, s->block, s->index, addr, size, store);
}

static inline void apmu_uarch__fast_any(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr,
					bool store)
{
	apmu_uarch_access(u, s->block, s->index, addr, s->size, store);
}

static inline void apmu_uarch__fast_beyond(struct apmu_uarch *u, const struct apmu_access_site *s,
					   uint64_t addr, bool store)
{
	apmu_uarch__fast_any(u, s, addr, store);
}

static inline void apmu_uarch__fast_one(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr,
					bool store, bool each)
{
	(void)each;
	apmu_uarch__fast_any(u, s, addr, store);
}

static inline void apmu_uarch__fast_load_forward(struct apmu_uarch *u, const struct apmu_access_site *s,
						 uint64_t addr)
{
	apmu_uarch__fast_any(u, s, addr, false);
}

static inline void apmu_uarch__fast_store_forward(struct apmu_uarch *u, const struct apmu_access_site *s,
						  uint64_t addr)
{
	apmu_uarch__fast_any(u, s, addr, true);
}

/* Groups of accesses. */
static inline void apmu_uarch__fast_group(struct apmu_uarch *u, const struct apmu_uarch__group *g,
					  uint64_t anchor, enum apmu_uarch__hit hit)
{
	(void)hit;
	apmu_uarch__group_each(u, g, anchor);
}

/* The window's memo. */
static inline bool apmu_uarch__memo_init(struct apmu_uarch__window *w)
{
	(void)w;
	return true;
}

static inline bool apmu_uarch__memo_backs_off(const struct apmu_uarch__memo *m)
{
	(void)m;
	return true;
}

static inline void apmu_uarch__memo_pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	(void)u, (void)b, (void)end; /* not called: the memo always backs off */
}

static inline bool apmu_uarch__memo_knows(const struct apmu_uarch *u, const struct apmu_block *b,
					  uint32_t end)
{
	(void)u, (void)b, (void)end;
	return false;
}

static inline void apmu_uarch__memo_unpack(struct apmu_uarch__window *w)
{
	(void)w;
}

static inline void apmu_uarch__memo_turn(struct apmu_uarch__window *w)
{
	(void)w;
}

static inline void apmu_uarch__memo_expect(struct apmu_uarch__window *w, const struct apmu_block *b)
{
	(void)w, (void)b;
}

static inline uint32_t apmu_uarch__memo_late(const struct apmu_uarch__window *w)
{
	(void)w;
	return 0; /* not called: memo_knows() is always false */
}

static inline uint64_t apmu_uarch__window_holds(const struct apmu_uarch__window *w)
{
	uint64_t now = apmu_uarch__dispatching(w);
	return 1 + (w->retired > now ? w->retired - now : 0);
}

#endif
