/* SPDX-License-Identifier: MIT */
/**
 * An access to one line: translation, look-up, fill, what passes L1. One text for all machines, in line: who
 * compiles it with a constant form (sure.c) has what that form lacks left out; data.c asks the machine.
 */
#ifndef APMU_UARCH_LINE_H
#define APMU_UARCH_LINE_H

#include "uarch/below.h"
#include "uarch/memory.h"
#include "uarch/tlb.h"

#define APMU__INLINE static inline __attribute__((always_inline))

/* In order: a load that is alone on its way, and waited for before anything else is accessed. It need not be
 * remembered as on its way; what it waited for is kept here, and waited for when the access is done. */
struct apmu__soon {
	bool on;
	unsigned n;
	struct apmu__pending late[2]; /* translation; line */
};

struct apmu__access {
	struct apmu_uarch *u;
	const struct apmu_block *b;
	uint64_t addr;
	const struct apmu__step *step;
	unsigned i, size; /* i: its number */
	bool store;
	uint32_t form; /* bits of enum apmu__form */
	struct apmu__soon *soon;
};

/* The lines that the access may be in, and their parameters. */
struct apmu__side {
	struct apmu__cache *c;
	const struct apmu_cache_params *p;
	bool mini;
};

APMU__INLINE bool apmu__has(const struct apmu__access *a, enum apmu__form what)
{
	return (a->form & what) != 0;
}

/* When it is made; 0 without a clock. */
APMU__INLINE uint64_t apmu__now(const struct apmu__access *a)
{
	if (!apmu__has(a, APMU__FORM_TIME))
		return 0;
	return apmu__has(a, APMU__FORM_WINDOW) ? a->u->clock : apmu__issues(a->u, a->b, a->step);
}

APMU__INLINE void apmu__wait_soon(const struct apmu__access *a, uint64_t cycles, enum apmu__waiting why)
{
	a->u->seen.cycles += (uint32_t)cycles;
	a->u->n[APMU_SIG_MEM_RD_CYCLES] += cycles;
	a->soon->late[a->soon->n++] =
		(struct apmu__pending){.ready = apmu__now(a) + cycles, .why = (uint8_t)why};
}

/* What instruction brings comes `cycles` late. */
APMU__INLINE void apmu__late(const struct apmu__access *a, uint64_t cycles, enum apmu__waiting why)
{
	if (apmu__has(a, APMU__FORM_WINDOW))
		apmu__note_cycles(a->u, a->i, cycles, why);
	else if (a->soon && a->soon->on)
		apmu__wait_soon(a, cycles, why);
	else
		apmu__wait_for(a->u, a->b, a->step, cycles, why);
}

/* Dirty bits of what the access covers of `line`; where a line has one bit, both halves are dirty at once. */
APMU__INLINE unsigned apmu__halves(const struct apmu__access *a, const struct apmu__cache *c, uint64_t line,
				   unsigned dirty_bits)
{
	uint64_t first = line << c->shift, half = (uint64_t)1 << (c->shift - 1);
	bool starts_before = a->addr - first >= 2 * half; /* the access began in the line below */
	uint64_t from = starts_before ? 0 : a->addr - first;
	uint64_t to = a->addr + a->size - 1 - first;
	if (dirty_bits == 1)
		return 3;
	return (from < half ? 1u : 0u) | (to >= half ? 2u : 0u);
}

APMU__INLINE void apmu__outside(const struct apmu__access *a, uint64_t line)
{
	a->u->n[APMU_SIG_EXT_ACCESS]++;
	a->u->last.external_store = true;
	if (apmu__has(a, APMU__FORM_TIME))
		apmu__write_out(a->u, a->b, a->i, line);
}

/* A store that L1 passes on. */
APMU__INLINE void apmu__write_outside(const struct apmu__access *a, uint64_t line, enum apmu__stored how)
{
	struct apmu_uarch *u = a->u;
	uint64_t first = line << u->l1d.shift, from = a->addr > first ? a->addr : first;
	if (apmu__has(a, APMU__FORM_LEVELS))
		apmu__below_store(u, from, how);
	else if (apmu__has(a, APMU__FORM_BELOW))
		apmu__memory_store(u, from);
	if (apmu__has(a, APMU__FORM_BELOW) && u->seen.at)
		u->seen.at = (u->outside.to_memory ? APMU__AT_MEMORY : APMU__AT_L2) + 1;
	apmu__outside(a, line);
}

/* A store's line, after the last one's: in read-allocate mode after as many as the core wants, each written
 * from its first byte on. Lines that the prefetcher brought count too: the store buffer had them whole. */
APMU__INLINE void apmu__advance_run(const struct apmu__access *a, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	struct apmu__uarch_run *r = &u->run;
	if (!apmu__has(a, APMU__FORM_RUNS) || line == r->line)
		return;
	bool next = line == r->line + 1 && a->addr <= line << u->l1d.shift;
	r->line = line;
	r->length = (uint8_t)(next ? r->length + (r->length < UINT8_MAX) : 0);
	u->n[APMU_SIG_RA_ENTER] += !r->on && r->length >= u->p.read_allocate;
	r->on = r->length >= u->p.read_allocate;
}

/* A line that may be on its way. In order such a line has no hint: who finds a hint need not look here. */
APMU__INLINE void apmu__meet(const struct apmu__access *a, struct apmu__cache *c, uint64_t line)
{
	const struct apmu__memory *m = &a->u->memory;
	if (!apmu__has(a, APMU__FORM_TIME) || !(m->flights | m->pendings))
		return;
	if (!apmu__has(a, APMU__FORM_WINDOW))
		apmu__unhint_in_flight(a->u, c, line, apmu__now(a));
	if (a->store)
		return;
	if (!apmu__has(a, APMU__FORM_WINDOW))
		apmu__in_flight(a->u, a->b, a->i, line);
	else if (apmu__on_its_way(a->u, line))
		apmu__window_note(a->u->window, a->i, APMU__LATE_IN_FLIGHT, 0, line);
}

/* A line that missed leaves for the level below; out of order that is noted. In order it has no hint until it
 * comes.
 */
APMU__INLINE void apmu__leave_for(const struct apmu__access *a, struct apmu__cache *c, uint64_t line,
				  enum apmu__at at)
{
	if (apmu__has(a, APMU__FORM_WINDOW)) {
		apmu__note_miss(a->u, a->i, line, at, a->step->cls == APMU_CLASS_STORE);
		return;
	}
	if (a->soon && a->soon->on) {
		apmu__wait_soon(a, apmu__read_alone(a->u, apmu__now(a), at, apmu__has(a, APMU__FORM_LEVELS)),
				apmu__waits_for(at));
		return;
	}
	uint64_t cycles = apmu__depart(a->u, a->b, a->step, line, at, apmu__has(a, APMU__FORM_LEVELS));
	apmu__cache_forget(c, line);
	apmu__wait_for_line(a->u, a->b, a->step, cycles, at);
}

/* Out of order: when the access starts, it waits for the rest of the line's way. */
APMU__INLINE void apmu__note_coming(const struct apmu__access *a, uint32_t slot, uint64_t cycles)
{
	struct apmu_uarch *u = a->u;
	u->seen.cycles += (uint32_t)cycles;
	u->n[APMU_SIG_MEM_RD_CYCLES] += a->store ? 0 : cycles;
	apmu__window_note(u->window, a->i, APMU__LATE_COMING, u->arrive[slot].at, slot);
}

/* A line that the prefetcher brought may still be on its way: true. Until it has come it has no hint, so that
 * each access asks. A store waits where no load does: for a line that was not asked for. */
APMU__INLINE bool apmu__meet_ahead(const struct apmu__access *a, struct apmu__cache *c, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	struct apmu__arrival *arrival = &u->arrive[c->slot];
	uint64_t now = apmu__now(a);
	c->dirty[c->slot] &= (uint8_t)~APMU__COMING;
	if (!apmu__has(a, APMU__FORM_TIME) || arrival->when <= now)
		return false;
	if (!apmu__has(a, APMU__FORM_WINDOW) && arrival->when == APMU__UARCH_NEVER) {
		arrival->when = 0;
		apmu__leave_for(a, c, line, (enum apmu__at)arrival->at);
		return true;
	}
	uint64_t left = arrival->when - now, whole = u->latency[arrival->at];
	c->dirty[c->slot] |= APMU__COMING;
	apmu__cache_unhint(c, line);
	if (apmu__has(a, APMU__FORM_WINDOW))
		apmu__note_coming(a, c->slot, left < whole ? left : whole);
	else if (!a->store)
		apmu__late(a, left, APMU__FOR_MEMORY);
	return true;
}

/* The first use of a line that the prefetcher brought: the stream goes on, but for stores that need no line.
 */
APMU__INLINE bool apmu__prefetched(const struct apmu__access *a, struct apmu__cache *c, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	u->n[APMU_SIG_PREFETCH_HIT]++;
	c->dirty[c->slot] &= (uint8_t)~APMU__PREFETCHED;
	if (a->store)
		apmu__advance_run(a, line);
	if (a->store && u->run.on)
		return false;
	bool coming = apmu__meet_ahead(a, c, line);
	apmu__prefetch(u, a->i, line, apmu__now(a));
	return coming;
}

/* Of a line that the prefetcher brought, and that was on its way when it was last met, if it was: is it
 * still?
 */
APMU__INLINE bool apmu__ahead(const struct apmu__access *a, struct apmu__cache *c, uint64_t line)
{
	unsigned awaited = c->dirty[c->slot] & APMU__AWAITED;
	if (!apmu__has(a, APMU__FORM_STREAMS) || !awaited)
		return false;
	return awaited & APMU__PREFETCHED ? apmu__prefetched(a, c, line) : apmu__meet_ahead(a, c, line);
}

/* The line is in c->slot. `hinted`: it was found by its hint, or has just been put in. */
APMU__INLINE void apmu__use_line(const struct apmu__access *a, struct apmu__side s, uint64_t line,
				 bool hinted)
{
	struct apmu__cache *c = s.c;
	bool coming = apmu__ahead(a, c, line);
	if (!coming && (!hinted || apmu__has(a, APMU__FORM_WINDOW)))
		apmu__meet(a, c, line);
	if (!a->store)
		return;
	if (s.p->write == APMU_WRITE_BACK)
		c->dirty[c->slot] |= (uint8_t)apmu__halves(a, c, line, s.p->dirty_per_line);
	else
		apmu__write_outside(a, line, APMU__STORE_PART);
}

APMU__INLINE enum apmu__at apmu__bring_as(const struct apmu__access *a, struct apmu__cache *c, uint64_t line)
{
	if (apmu__has(a, APMU__FORM_LEVELS))
		return apmu__bring(a->u, c, line, a->store ? APMU__WRITE : APMU__READ);
	bool full = apmu__has(a, APMU__FORM_FULL);
	unsigned dirty = full ? apmu__cache_put_4(c, line) : apmu__cache_put(c, line);
	if (!apmu__has(a, APMU__FORM_BARE))
		apmu__count_victim(a->u, dirty);
	if (apmu__has(a, APMU__FORM_BELOW)) {
		apmu__to_memory(a->u, 1u << c->shift, dirty);
		apmu__from_memory(a->u, a->store ? APMU__WRITE : APMU__READ);
	}
	return APMU__AT_MEMORY;
}

APMU__INLINE void apmu__count_fill(const struct apmu__access *a, enum apmu__at at)
{
	struct apmu_uarch *u = a->u;
	u->n[APMU_SIG_EXT_ACCESS]++;
	u->n[a->store ? APMU_SIG_L1D_FILL_WR : APMU_SIG_L1D_FILL_RD]++;
	u->n[APMU_SIG_BCU_REQUEST]++;
	u->n[at == APMU__AT_MEMORY ? APMU_SIG_L1D_FILL_OUTER : APMU_SIG_L1D_FILL_INNER]++;
}

APMU__INLINE void apmu__fill(const struct apmu__access *a, struct apmu__side s, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	enum apmu__at at = apmu__bring_as(a, s.c, line);
	u->n[APMU_SIG_L1D_MISS]++;
	u->n[APMU_SIG_L1D_FILL]++;
	if (!apmu__has(a, APMU__FORM_BARE))
		apmu__count_fill(a, at);
	if (!apmu__has(a, APMU__FORM_FULL)) /* nobody is told of those */
		u->seen.at = (uint8_t)(at + 1);
	if (apmu__has(a, APMU__FORM_TIME))
		apmu__leave_for(a, s.c, line, at);
	if (apmu__has(a, APMU__FORM_STREAMS) && !s.mini)
		apmu__prefetch(u, a->i, line, apmu__now(a));
	if (a->store) /* the prefetcher may have put out what has just come */
		apmu__use_line(a, s, line, !apmu__has(a, APMU__FORM_STREAMS));
}

/* How a store that misses goes past L1, if it does. */
APMU__INLINE enum apmu__stored apmu__past_l1(const struct apmu__access *a, uint64_t line)
{
	const struct apmu_uarch *u = a->u;
	apmu__advance_run(a, line);
	a->u->n[APMU_SIG_RA_STORE] += u->run.on;
	if (!u->run.on)
		return APMU__STORE_PART;
	bool streams = u->p.read_allocate_l2 && u->run.length >= u->p.read_allocate_l2;
	return streams ? APMU__STORE_STREAM : APMU__STORE_WHOLE;
}

APMU__INLINE void apmu__miss(const struct apmu__access *a, struct apmu__side s, uint64_t line)
{
	enum apmu__stored how = APMU__STORE_PART;
	if (a->store && apmu__has(a, APMU__FORM_RUNS))
		how = apmu__past_l1(a, line);
	if (!a->store || (s.p->write_allocate && how == APMU__STORE_PART)) {
		apmu__fill(a, s, line);
		return;
	}
	a->u->n[APMU_SIG_L1D_MISS]++;
	a->u->seen.at = APMU__AT_MEMORY + 1;
	apmu__write_outside(a, line, how);
}

APMU__INLINE void apmu__look_up(const struct apmu__access *a, struct apmu__side s, uint64_t line)
{
	bool hinted = apmu__cache_knows(s.c, line);
	if (apmu__has(a, APMU__FORM_FULL) ? apmu__cache_hit_4(s.c, line) : apmu__cache_hit(s.c, line))
		apmu__use_line(a, s, line, hinted);
	else
		apmu__miss(a, s, line);
}

/* A translation that the first level does not have; its stall, its wait. */
APMU__INLINE void apmu__retranslate(const struct apmu__access *a, uint64_t page)
{
	struct apmu_uarch *u = a->u;
	u->n[APMU_SIG_L1D_TLB_REFILL]++;
	u->n[a->store ? APMU_SIG_L1D_TLB_REFILL_WR : APMU_SIG_L1D_TLB_REFILL_RD]++;
	enum apmu__refill r = apmu__tlb_refill(u, &u->dtlb, page, a->store ? APMU__WRITE : APMU__READ);
	u->seen.refill = (uint8_t)(r + 1);
	if (!apmu__has(a, APMU__FORM_TIME))
		return;
	if (r == APMU__REFILL_WALK && !apmu__has(a, APMU__FORM_WINDOW)) {
		apmu__walk_stall(u); /* nothing issues while the tables are walked */
	} else if (!a->store) {
		apmu__late(a, apmu__refill_cycles(u, r),
			   r == APMU__REFILL_MAIN ? APMU__FOR_MAIN : APMU__FOR_TABLES);
	}
}

APMU__INLINE void apmu__translate(const struct apmu__access *a, uint64_t page)
{
	struct apmu_uarch *u = a->u;
	if (!apmu__has(a, APMU__FORM_DTLB) || page == u->dpage.line)
		return;
	u->dpage.line = page;
	if (!apmu__cache_hit(&u->dtlb, page))
		apmu__retranslate(a, page);
}

#endif
