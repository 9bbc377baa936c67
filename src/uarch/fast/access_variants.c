/* SPDX-License-Identifier: MIT */
/* The slow path of an unconditional access that does not hit in both cache and micro-TLB. Such an access is
 * aligned, in one line, and counted at block entry, so only the misses and stalls that it causes are left to
 * count. The path is compiled once for each variant of machine that most cores have, without the code that
 * the variant does not need. */
#include "uarch/fast/access.h"
#include "uarch/line.h"

/* FLAT: all events, in order, no cache below L1 (ARM11, XScale). LEVELS: FLAT with caches below L1 and a
 * prefetcher. WINDOW: LEVELS out of order. UNTIMED: LEVELS without time. LINES: lines alone, with a
 * prefetcher. PAGES: LINES and translation. FILLS: LINES, of which only the number of fills is wanted. */
#define FLAT    (APMU_UARCH__VARIANT_TIME | APMU_UARCH__VARIANT_DTLB | APMU_UARCH__VARIANT_LOWER)
#define LEVELS  (FLAT | APMU_UARCH__VARIANT_LEVELS | APMU_UARCH__VARIANT_STREAMS | APMU_UARCH__VARIANT_RUNS)
#define WINDOW  (LEVELS | APMU_UARCH__VARIANT_WINDOW)
#define UNTIMED (LEVELS & ~(uint32_t)APMU_UARCH__VARIANT_TIME)
#define LINES   (APMU_UARCH__VARIANT_STREAMS | APMU_UARCH__VARIANT_RUNS)
#define PAGES   (LINES | APMU_UARCH__VARIANT_DTLB)
#define FILLS   (LINES | APMU_UARCH__VARIANT_FILLS_ONLY)

/* Prefetches into the host's cache what a miss will read of the levels below, while the page is looked up. */
APMU_UARCH__INLINE void prefetch_host(const struct apmu_uarch *u, uint64_t addr)
{
	const struct apmu_uarch__packed *s = &u->level[0]->sets, *last = &u->level[u->levels - 1]->sets;

	apmu_uarch__packed_ask(s, addr >> s->shift);
	if (last != s)
		apmu_uarch__packed_ask(last, addr >> last->shift);
}

/* True for a load that is used before the next access, while no other miss is in flight. */
APMU_UARCH__INLINE bool alone(const struct apmu_uarch *u, const struct apmu_access_site *s,
			      const struct apmu_uarch__schedule *times, bool store)
{
	return !store && ((u->memory.pendings | u->memory.mshrs) == 0) & (times->user <= s->next_access);
}

/* In order: counts the stalls that are known already. */
APMU_UARCH__INLINE void settle(struct apmu_uarch *u, const struct apmu_access_site *s,
			       const struct apmu_uarch__access *a)
{
	const struct apmu_uarch__immediate *m = a->immediate;
	const struct apmu_uarch__schedule *t = &a->b->schedule[a->i];

	apmu_uarch__load_stall(u, a->b, m->page.ready, m->page.why, t->user, t->first_use);
	apmu_uarch__load_stall(u, a->b, m->line.ready, m->line.why, t->user, t->first_use);
	if (u->memory.user <= s->next_access)
		apmu_uarch__settle_ahead(u, s->block, s->next_access);
}

APMU_UARCH__INLINE void unconditional_as(struct apmu_uarch *u, const struct apmu_access_site *s,
					 uint64_t addr, bool store, uint32_t variant)
{
	bool in_order = (variant & APMU_UARCH__VARIANT_TIME) && !(variant & APMU_UARCH__VARIANT_WINDOW);
	struct apmu_uarch__immediate immediate = {.on = false};
	const struct apmu_uarch__access a = {.u = u,
					     .b = s->block,
					     .addr = addr,
					     .step = &s->block->step[s->index],
					     .i = s->index,
					     .size = s->size,
					     .store = store,
					     .variant = variant,
					     .immediate = in_order ? &immediate : NULL};
	struct apmu_uarch__side side = {&u->l1d, &u->p.l1d, false};

	if ((variant & APMU_UARCH__VARIANT_LEVELS) && !apmu_uarch__cache_knows(&u->l1d, addr >> u->l1d.shift))
		prefetch_host(u, addr);
	if (in_order) {
		if (u->memory.user <= s->index)
			apmu_uarch__settle_waits(u, s->block, s->index);
		apmu_uarch__arrive_by(u, apmu_uarch__now(&a));
		immediate.on = alone(u, s, &a.b->schedule[a.i], store);
	}
	apmu_uarch__translate(&a, addr >> u->dtlb.shift);
	apmu_uarch__look_up(&a, side, addr >> u->l1d.shift);
	if (in_order)
		settle(u, s, &a);
}

static void unconditional_any_load(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	unconditional_as(u, s, addr, false, u->variant);
}

static void unconditional_any_store(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	unconditional_as(u, s, addr, true, u->variant);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): attributes are no expression */
#define SURE(name, attributes, form)                                                                \
	static attributes void name##_load(struct apmu_uarch *u, const struct apmu_access_site *s,  \
					   uint64_t addr)                                           \
	{                                                                                           \
		unconditional_as(u, s, addr, false, form);                                          \
	}                                                                                           \
	static attributes void name##_store(struct apmu_uarch *u, const struct apmu_access_site *s, \
					    uint64_t addr)                                          \
	{                                                                                           \
		unconditional_as(u, s, addr, true, form);                                           \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

SURE(flat, , FLAT)
SURE(levels, , LEVELS)
SURE(window, , WINDOW)
SURE(untimed, , UNTIMED)
SURE(pages, , PAGES)
SURE(some_lines, __attribute__((noinline)), LINES)
SURE(some_bare, __attribute__((noinline)), FILLS)

/* For caches with `fours`, whose sets are full as a rule. `rare`, for other sets, is a function of its own,
 * because its code in line would cost the common case stack accesses. */
#define SURE_FULL(name, rare, form)                                                                     \
	static void name##_load(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)  \
	{                                                                                               \
		if (apmu_uarch__cache_full(&u->l1d, addr >> u->l1d.shift))                              \
			unconditional_as(u, s, addr, false, (form) | APMU_UARCH__VARIANT_FULL);         \
		else                                                                                    \
			rare##_load(u, s, addr);                                                        \
	}                                                                                               \
	static void name##_store(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr) \
	{                                                                                               \
		if (apmu_uarch__cache_full(&u->l1d, addr >> u->l1d.shift))                              \
			unconditional_as(u, s, addr, true, (form) | APMU_UARCH__VARIANT_FULL);          \
		else                                                                                    \
			rare##_store(u, s, addr);                                                       \
	}

SURE_FULL(lines, some_lines, LINES)
SURE_FULL(bare, some_bare, FILLS)

apmu_uarch__access_unconditional *apmu_uarch__unconditional_of(const struct apmu_uarch *u, bool store)
{
	static const struct {
		uint32_t form;
		apmu_uarch__access_unconditional *unconditional[2];
	} by_form[] = {{FLAT, {flat_load, flat_store}},
		       {LEVELS, {levels_load, levels_store}},
		       {WINDOW, {window_load, window_store}},
		       {UNTIMED, {untimed_load, untimed_store}},
		       {LINES | APMU_UARCH__VARIANT_FULL, {lines_load, lines_store}},
		       {LINES, {some_lines_load, some_lines_store}},
		       {FILLS | APMU_UARCH__VARIANT_FULL, {bare_load, bare_store}},
		       {FILLS, {some_bare_load, some_bare_store}},
		       {PAGES, {pages_load, pages_store}}};

	uint32_t variant = u->variant & ~(uint32_t)APMU_UARCH__VARIANT_UNCONDITIONAL;

	if (variant & APMU_UARCH__VARIANT_LEVELS) /* apmu_uarch__lower_fill() asks the peers itself */
		variant &= ~(uint32_t)APMU_UARCH__VARIANT_PEERS;
	if (variant != FILLS)
		variant &= ~(uint32_t)APMU_UARCH__VARIANT_FILLS_ONLY;
	if ((variant == LINES || variant == FILLS) && u->l1d.fours)
		variant |= APMU_UARCH__VARIANT_FULL;
	if (!(u->variant & APMU_UARCH__VARIANT_UNCONDITIONAL) || (u->recent && !u->window))
		return NULL;
	for (size_t k = 0; k < sizeof(by_form) / sizeof(by_form[0]); k++)
		if (variant == by_form[k].form)
			return by_form[k].unconditional[store];
	return store ? unconditional_any_store : unconditional_any_load;
}
