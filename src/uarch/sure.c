/* SPDX-License-Identifier: MIT */
/*
 * A sure access that is not just a hit of cache and micro-TLB: it is one aligned access to one line, counted
 * when its block was entered, so what is left is what it meets with. Compiled apart for the forms of machine
 * that most cores have, so that each does what that form needs and no more.
 */
#include "line.h"
#include "touch.h"

/* With all events: in order and without levels below L1 (ARM11, XScale); with such, and a prefetcher; the
 * same out of order. */
#define FLAT   (APMU__FORM_TIME | APMU__FORM_DTLB | APMU__FORM_BELOW)
#define LEVELS (FLAT | APMU__FORM_LEVELS | APMU__FORM_STREAMS | APMU__FORM_RUNS)
#define WINDOW (LEVELS | APMU__FORM_WINDOW)

/* What a miss will look at in the next level is fetched from the host's memory while the page is looked up.
 */
APMU__INLINE void foresee(const struct apmu_uarch *u, uint64_t addr)
{
	const struct apmu__sets *s = &u->level[0]->sets, *last = &u->level[u->levels - 1]->sets;

	apmu__sets_ask(s, addr >> s->shift);
	if (last != s)
		apmu__sets_ask(last, addr >> last->shift);
}

APMU__INLINE void sure_as(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr, bool store,
			  uint32_t form)
{
	const struct apmu__access a = {u, s->block, addr, s->index, s->size, store, form};
	struct apmu__side side = {&u->l1d, &u->p.l1d, false};

	if ((form & APMU__FORM_LEVELS) && !apmu__cache_knows(&u->l1d, addr >> u->l1d.shift))
		foresee(u, addr);
	if ((form & APMU__FORM_TIME) && !(form & APMU__FORM_WINDOW)) {
		if (u->memory.need <= s->issue)
			apmu__settle_waits(u, s->block, s->issue);
		apmu__arrive_by(u, apmu__position(u, s->block, s->index));
	}
	apmu__translate(&a, addr >> u->dtlb.shift);
	apmu__look_up(&a, side, addr >> u->l1d.shift);
}

static __attribute__((noinline)) void sure_any(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr,
					       bool store)
{
	sure_as(u, s, addr, store, u->form);
}

static __attribute__((noinline)) void sure_levels(struct apmu_uarch *u, const struct apmu_spot *s,
						  uint64_t addr, bool store)
{
	if (store)
		sure_as(u, s, addr, true, LEVELS);
	else
		sure_as(u, s, addr, false, LEVELS);
}

static __attribute__((noinline)) void sure_window(struct apmu_uarch *u, const struct apmu_spot *s,
						  uint64_t addr, bool store)
{
	if (store)
		sure_as(u, s, addr, true, WINDOW);
	else
		sure_as(u, s, addr, false, WINDOW);
}

void apmu__sure(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr, bool store)
{
	if (u->form == (LEVELS | APMU__FORM_SURE))
		sure_levels(u, s, addr, store);
	else if (u->form == (WINDOW | APMU__FORM_SURE))
		sure_window(u, s, addr, store);
	else if (u->form != (FLAT | APMU__FORM_SURE))
		sure_any(u, s, addr, store);
	else if (store)
		sure_as(u, s, addr, true, FLAT);
	else
		sure_as(u, s, addr, false, FLAT);
}
