/* SPDX-License-Identifier: MIT */
/*
 * A sure access that is not just a hit of cache and micro-TLB: it is one aligned access to one line, counted
 * when its block was entered, so what is left is what it meets with. Compiled apart for the forms of machine
 * that most cores have, so that each does what that form needs and no more.
 */
#include "line.h"
#include "touch.h"

/* With all events: in order and without levels below L1 (ARM11, XScale); with such, and a prefetcher; the
 * same out of order. Lines alone, with a prefetcher; and pages. */
#define FLAT   (APMU__FORM_TIME | APMU__FORM_DTLB | APMU__FORM_BELOW)
#define LEVELS (FLAT | APMU__FORM_LEVELS | APMU__FORM_STREAMS | APMU__FORM_RUNS)
#define WINDOW (LEVELS | APMU__FORM_WINDOW)
#define LINES  (APMU__FORM_STREAMS | APMU__FORM_RUNS)
#define PAGES  (LINES | APMU__FORM_DTLB)

/* What a miss will look at in the next level is fetched from the host's memory while the page is looked up.
 */
APMU__INLINE void foresee(const struct apmu_uarch *u, uint64_t addr)
{
	const struct apmu__sets *s = &u->level[0]->sets, *last = &u->level[u->levels - 1]->sets;

	apmu__sets_ask(s, addr >> s->shift);
	if (last != s)
		apmu__sets_ask(last, addr >> last->shift);
}

/* Is it a load that is waited for before there is another access, with nothing on its way? */
APMU__INLINE bool alone(const struct apmu_uarch *u, const struct apmu_spot *s, const struct apmu__step *step,
			bool store)
{
	return !store && ((u->memory.pendings | u->memory.flights) == 0) & (step->need <= s->quiet);
}

/* In order: what can be waited for now is. */
APMU__INLINE void settle(struct apmu_uarch *u, const struct apmu_spot *s, const struct apmu__access *a)
{
	for (unsigned k = 0; k < a->soon->n; k++)
		apmu__data_stall(u, &a->soon->late[k], u->clock - a->b->cycles + a->step->need);
	if (u->memory.need <= s->quiet)
		apmu__settle_ahead(u, s->block, s->quiet);
}

APMU__INLINE void sure_as(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr, bool store,
			  uint32_t form)
{
	bool in_order = (form & APMU__FORM_TIME) && !(form & APMU__FORM_WINDOW);
	struct apmu__soon soon = {.on = false};
	const struct apmu__access a = {.u = u,
				       .b = s->block,
				       .addr = addr,
				       .step = &s->block->step[s->index],
				       .i = s->index,
				       .size = s->size,
				       .store = store,
				       .form = form,
				       .soon = in_order ? &soon : NULL};
	struct apmu__side side = {&u->l1d, &u->p.l1d, false};

	if ((form & APMU__FORM_LEVELS) && !apmu__cache_knows(&u->l1d, addr >> u->l1d.shift))
		foresee(u, addr);
	if (in_order) {
		if (u->memory.need <= s->issue)
			apmu__settle_waits(u, s->block, s->issue);
		apmu__arrive_by(u, apmu__now(&a));
		soon.on = alone(u, s, a.step, store);
	}
	apmu__translate(&a, addr >> u->dtlb.shift);
	apmu__look_up(&a, side, addr >> u->l1d.shift);
	if (in_order)
		settle(u, s, &a);
}

static void sure_any(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr, bool store)
{
	sure_as(u, s, addr, store, u->form);
}

#define SURE(name, form)                                                                             \
	static void name(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr, bool store) \
	{                                                                                            \
		if (store)                                                                           \
			sure_as(u, s, addr, true, form);                                             \
		else                                                                                 \
			sure_as(u, s, addr, false, form);                                            \
	}

SURE(sure_flat, FLAT)
SURE(sure_levels, LEVELS)
SURE(sure_window, WINDOW)
SURE(sure_lines, LINES)
SURE(sure_pages, PAGES)

apmu__sure *apmu__sure_of(const struct apmu_uarch *u)
{
	static const struct {
		uint32_t form;
		apmu__sure *sure;
	} by_form[] = {{FLAT, sure_flat},
		       {LEVELS, sure_levels},
		       {WINDOW, sure_window},
		       {LINES, sure_lines},
		       {PAGES, sure_pages}};

	if (!(u->form & APMU__FORM_SURE) || (u->recent && !u->window))
		return NULL;
	for (size_t k = 0; k < sizeof(by_form) / sizeof(by_form[0]); k++)
		if (u->form == (by_form[k].form | APMU__FORM_SURE))
			return by_form[k].sure;
	return sure_any;
}
