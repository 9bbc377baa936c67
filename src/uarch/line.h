/* SPDX-License-Identifier: MIT */
/**
 * An access to one line: translation, look-up, fill, and what passes L1. The code is inline and serves all
 * machines: a file that includes it with a constant variant (fast/access_variants.c) compiles without the
 * units that the variant lacks; data.c tests the machine's variant at run time.
 */
#ifndef APMU_UARCH_LINE_H
#define APMU_UARCH_LINE_H

#include "uarch/lower_levels.h"
#include "uarch/memory.h"
#include "uarch/tlb.h"

/* For paths of which each variant of machine has a copy. A build with sanitizers has one copy of them all: it
 * shows the same faults, and the copies take it minutes. */
#ifndef APMU_UARCH__INLINE
#define APMU_UARCH__INLINE static inline __attribute__((always_inline))
#endif

/* True if no first-level cache that loads use holds the address: one that is switched off takes no new line.
 */
static inline bool apmu_uarch__beside_l1d(const struct apmu_uarch *u, uint64_t addr)
{
	return u->windows &&
	       (!(u->controls.on & APMU_ON_DCACHE) || apmu_uarch__inside(&u->p.dtcm, addr) ||
		apmu_uarch__inside(&u->p.itcm, addr) || apmu_uarch__inside(&u->p.uncached, addr) ||
		apmu_uarch__inside(&u->p.mini_window, addr));
}

/* In order: a miss that is the only one in flight and is used before the next access. It takes no MSHR: the
 * arrival of its translation and its line is kept here (0: not late), and the stalls are counted at the end
 * of the access. */
struct apmu_uarch__immediate {
	bool on;
	struct apmu_uarch__late {
		uint64_t ready;
		enum apmu_uarch__late_reason why;
	} page, line;
};

struct apmu_uarch__access {
	struct apmu_uarch *u;
	const struct apmu_block *b;
	uint64_t addr;
	const struct apmu_uarch__step *step;
	unsigned i, size; /* i: number of the instruction in the block */
	bool store;
	uint32_t variant; /* bits of enum apmu_uarch__variant */
	struct apmu_uarch__immediate *immediate;
};

/* The cache of the access and its parameters. */
struct apmu_uarch__side {
	struct apmu_uarch__cache *c;
	const struct apmu_cache_params *p;
	bool mini;
};

APMU_UARCH__INLINE bool apmu_uarch__has(const struct apmu_uarch__access *a, enum apmu_uarch__variant what)
{
	return (a->variant & what) != 0;
}

/* The cycle of the access; 0 without a clock. */
APMU_UARCH__INLINE uint64_t apmu_uarch__now(const struct apmu_uarch__access *a)
{
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME))
		return 0;
	return apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW) ? a->u->clock
							      : apmu_uarch__position(a->u, a->b, a->i);
}

APMU_UARCH__INLINE void apmu_uarch__wait_immediate(const struct apmu_uarch__access *a, uint64_t cycles,
						   enum apmu_uarch__late_reason why,
						   struct apmu_uarch__late *late)
{
	a->u->result.cycles += (uint32_t)cycles;
	a->u->n[APMU_SIG_MEM_RD_CYCLES] += cycles;
	*late = (struct apmu_uarch__late){apmu_uarch__now(a) + cycles, why};
}

/* What the instruction loads comes `cycles` late; `page`: because of its translation. */
APMU_UARCH__INLINE void apmu_uarch__late_kind(const struct apmu_uarch__access *a, uint64_t cycles,
					      enum apmu_uarch__late_reason why, bool page)
{
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW))
		apmu_uarch__record_cycles(a->u, a->i, cycles, why);
	else if (a->immediate && a->immediate->on)
		apmu_uarch__wait_immediate(a, cycles, why, page ? &a->immediate->page : &a->immediate->line);
	else
		apmu_uarch__wait_for(a->u, a->b, a->i, cycles, why);
}

/* The dirty bits of the part of `line` that the access covers; where a line has one bit, both halves become
 * dirty at once. */
APMU_UARCH__INLINE unsigned apmu_uarch__halves(const struct apmu_uarch__access *a,
					       const struct apmu_uarch__cache *c, uint64_t line,
					       unsigned dirty_bits)
{
	uint64_t first = line << c->shift, half = (uint64_t)1 << (c->shift - 1);
	bool starts_before = a->addr - first >= 2 * half; /* the access began in the previous line */
	uint64_t from = starts_before ? 0 : a->addr - first;
	uint64_t to = a->addr + a->size - 1 - first;
	if (dirty_bits == 1)
		return 3;
	return (from < half ? 1u : 0u) | (to >= half ? 2u : 0u);
}

APMU_UARCH__INLINE void apmu_uarch__outside(const struct apmu_uarch__access *a, uint64_t line)
{
	a->u->n[APMU_SIG_EXT_ACCESS]++;
	a->u->last.external_store = true;
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME))
		apmu_uarch__write_out(a->u, a->b, a->i, line);
}

/* The last byte of the access in a line of L1 data. */
APMU_UARCH__INLINE uint64_t apmu_uarch__last_in(const struct apmu_uarch__access *a, uint64_t line)
{
	uint64_t last = a->addr + a->size - 1, end = ((line + 1) << a->u->l1d.shift) - 1;

	return last < end ? last : end;
}

/* Writes a store that L1 does not take. */
APMU_UARCH__INLINE void apmu_uarch__write_outside(const struct apmu_uarch__access *a, uint64_t line,
						  enum apmu_uarch__stored how)
{
	struct apmu_uarch *u = a->u;
	uint64_t first = line << u->l1d.shift, from = a->addr > first ? a->addr : first;
	uint64_t last = apmu_uarch__last_in(a, line);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_LEVELS))
		apmu_uarch__lower_store(u, from, last, how);
	else if (apmu_uarch__has(a, APMU_UARCH__VARIANT_PEERS))
		apmu_uarch__store_past(u, from, last);
	else if (apmu_uarch__has(a, APMU_UARCH__VARIANT_LOWER))
		apmu_uarch__memory_store(u, from, last);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_LOWER) && u->result.at)
		u->result.at = (u->outside.to_memory ? APMU_UARCH__AT_MEMORY : APMU_UARCH__AT_L2) + 1;
	apmu_uarch__outside(a, line);
}

/* Advances the run of store misses by a store to `line`. As many consecutive lines as the core wants, each
 * written from its first byte on, begin read-allocate mode, which a line that turns out not to be written
 * whole ends. Prefetched lines count too: the store buffer had them whole. */
APMU_UARCH__INLINE void apmu_uarch__advance_run(const struct apmu_uarch__access *a, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	struct apmu_uarch__run *r = &u->run;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_RUNS) || line == r->line)
		return;
	bool next = line == r->line + 1 && a->addr <= line << u->l1d.shift;
	r->gaps = next && (r->gaps || r->bytes < 1u << u->l1d.shift);
	r->line = line;
	r->length = (uint8_t)(next && !r->gaps ? r->length + (r->length < UINT8_MAX) : 0);
	u->n[APMU_SIG_RA_ENTER] += !r->on && r->length >= u->p.read_allocate;
	r->on = r->length >= u->p.read_allocate;
	r->bytes = r->on ? 0 : UINT16_MAX;
}

/* In read-allocate mode: adds what the access stores in a line past L1. */
APMU_UARCH__INLINE void apmu_uarch__lengthen_run(const struct apmu_uarch__access *a, uint64_t line)
{
	struct apmu_uarch__run *r = &a->u->run;
	uint64_t first = line << a->u->l1d.shift, from = a->addr > first ? a->addr : first;
	uint64_t bytes = r->bytes + apmu_uarch__last_in(a, line) - from + 1;
	r->bytes = bytes < UINT16_MAX ? (uint16_t)bytes : UINT16_MAX;
}

/* A hit on a line that may be in flight. In order such a line has no hint, so this is not called for a line
 * found by its hint. */
APMU_UARCH__INLINE void apmu_uarch__hit_in_flight(const struct apmu_uarch__access *a,
						  struct apmu_uarch__cache *c, uint64_t line)
{
	const struct apmu_uarch__memory *m = &a->u->memory;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME) || !(m->mshrs | m->pendings))
		return;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW))
		apmu_uarch__unhint_in_flight(a->u, c, line, apmu_uarch__now(a));
	if (a->store)
		return;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW))
		apmu_uarch__in_flight(a->u, a->b, a->i, line);
	else if (apmu_uarch__on_its_way(a->u, line))
		apmu_uarch__record_late(a->u->window, a->i, APMU_UARCH__LATE_IN_FLIGHT, 0, line);
}

/* A miss leaves for the next level; out of order it is only recorded. In order the line has no hint until it
 * arrives. */
APMU_UARCH__INLINE void apmu_uarch__leave_for(const struct apmu_uarch__access *a, struct apmu_uarch__cache *c,
					      uint64_t line, enum apmu_uarch__at at)
{
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW)) {
		apmu_uarch__record_miss(a->u, a->i, line, at, a->step->cls == APMU_CLASS_STORE);
		return;
	}
	if (a->immediate && a->immediate->on) {
		apmu_uarch__wait_immediate(
			a,
			apmu_uarch__read_alone(a->u, apmu_uarch__now(a), at,
					       apmu_uarch__has(a, APMU_UARCH__VARIANT_LEVELS)),
			apmu_uarch__late_reason_of(at), &a->immediate->line);
		return;
	}
	uint64_t cycles = apmu_uarch__issue_miss(a->u, a->b, a->i, line, at,
						 apmu_uarch__has(a, APMU_UARCH__VARIANT_LEVELS));
	apmu_uarch__cache_forget(c, line);
	apmu_uarch__wait_for_line(a->u, a->b, a->i, cycles, at);
}

/* Out of order: records that the access hits a prefetched line in flight; from its start it waits for the
 * line. */
APMU_UARCH__INLINE void apmu_uarch__record_prefetched(const struct apmu_uarch__access *a, uint32_t slot,
						      uint64_t cycles)
{
	struct apmu_uarch *u = a->u;
	u->result.cycles += (uint32_t)cycles;
	u->n[APMU_SIG_MEM_RD_CYCLES] += a->store ? 0 : cycles;
	apmu_uarch__record_late(u->window, a->i, APMU_UARCH__LATE_PREFETCHED, u->arrive[slot].at, slot);
}

/* A hit on a prefetched line; returns true if the line is still in flight. Until it arrives it has no hint,
 * so that each access comes here. A store waits only if the line was never requested. */
APMU_UARCH__INLINE bool apmu_uarch__hit_prefetched(const struct apmu_uarch__access *a,
						   struct apmu_uarch__cache *c, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	struct apmu_uarch__arrival *arrival = &u->arrive[c->slot];
	uint64_t now = apmu_uarch__now(a);
	c->dirty[c->slot] &= (uint8_t)~APMU_UARCH__COMING;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME) || arrival->when <= now)
		return false;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW) && arrival->when == APMU_UARCH__NEVER) {
		arrival->when = 0;
		apmu_uarch__leave_for(a, c, line, (enum apmu_uarch__at)arrival->at);
		return true;
	}
	uint64_t whole = u->latency[arrival->at];
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW) && arrival->when > now + whole)
		apmu_uarch__promote_prefetch(u, c->slot, now);
	uint64_t left = arrival->when - now;
	c->dirty[c->slot] |= APMU_UARCH__COMING;
	apmu_uarch__cache_unhint(c, line);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW))
		apmu_uarch__record_prefetched(a, c->slot, left < whole ? left : whole);
	else if (!a->store)
		apmu_uarch__late_kind(a, left, apmu_uarch__late_reason_of((enum apmu_uarch__at)arrival->at),
				      false);
	return true;
}

/* The first use of a prefetched line advances the stream, except by stores that need no line. Returns true if
 * the line is still in flight. */
APMU_UARCH__INLINE bool apmu_uarch__use_first(const struct apmu_uarch__access *a, struct apmu_uarch__cache *c,
					      uint64_t line)
{
	struct apmu_uarch *u = a->u;
	u->n[APMU_SIG_PREFETCH_HIT]++;
	c->dirty[c->slot] &= (uint8_t)~APMU_UARCH__PREFETCHED;
	if (a->store) {
		apmu_uarch__advance_run(a, line);
		u->run.bytes = UINT16_MAX;
	}
	if (a->store && u->run.on)
		return false;
	bool coming = apmu_uarch__hit_prefetched(a, c, line);
	apmu_uarch__prefetch(u, a->i, line, apmu_uarch__now(a));
	return coming;
}

/* Returns true if the line was prefetched and is still in flight. */
APMU_UARCH__INLINE bool apmu_uarch__use_prefetched(const struct apmu_uarch__access *a,
						   struct apmu_uarch__cache *c, uint64_t line)
{
	unsigned awaited = c->dirty[c->slot] & APMU_UARCH__AWAITED;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_STREAMS) || !awaited)
		return false;
	return awaited & APMU_UARCH__PREFETCHED ? apmu_uarch__use_first(a, c, line)
						: apmu_uarch__hit_prefetched(a, c, line);
}

/* An access to the line in c->slot. `hinted`: the line was found by its hint, or has just been filled. */
APMU_UARCH__INLINE void apmu_uarch__use_line(const struct apmu_uarch__access *a, struct apmu_uarch__side s,
					     uint64_t line, bool hinted)
{
	struct apmu_uarch__cache *c = s.c;
	bool marks = a->store && s.p->write == APMU_WRITE_BACK;
	if (marks) /* before the prefetcher, which may evict the line */
		c->dirty[c->slot] |= (uint8_t)apmu_uarch__halves(a, c, line, s.p->dirty_per_line);
	bool coming = apmu_uarch__use_prefetched(a, c, line);
	if (!coming && (!hinted || apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW)))
		apmu_uarch__hit_in_flight(a, c, line);
	if (a->store && !marks)
		apmu_uarch__write_outside(a, line, APMU_UARCH__STORE_PART);
}

APMU_UARCH__INLINE enum apmu_uarch__at apmu_uarch__l1_fill(const struct apmu_uarch__access *a,
							   struct apmu_uarch__cache *c, uint64_t line)
{
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_LEVELS) || apmu_uarch__has(a, APMU_UARCH__VARIANT_PEERS))
		return apmu_uarch__lower_fill(
			a->u, c, line, a->store ? APMU_UARCH__REQUEST_WRITE : APMU_UARCH__REQUEST_READ);
	bool full = apmu_uarch__has(a, APMU_UARCH__VARIANT_FULL);
	unsigned dirty = full ? apmu_uarch__cache_put_4(c, line) : apmu_uarch__cache_put(c, line);
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_FILLS_ONLY))
		apmu_uarch__count_victim(a->u, dirty);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_LOWER)) {
		apmu_uarch__to_memory(a->u, 1u << c->shift, dirty);
		apmu_uarch__from_memory(a->u,
					a->store ? APMU_UARCH__REQUEST_WRITE : APMU_UARCH__REQUEST_READ);
	}
	return APMU_UARCH__AT_MEMORY;
}

APMU_UARCH__INLINE void apmu_uarch__count_fill(const struct apmu_uarch__access *a, enum apmu_uarch__at at)
{
	struct apmu_uarch *u = a->u;
	u->n[APMU_SIG_EXT_ACCESS]++;
	u->n[a->store ? APMU_SIG_L1D_FILL_WR : APMU_SIG_L1D_FILL_RD]++;
	u->n[APMU_SIG_BCU_REQUEST]++;
	bool outside = at == APMU_UARCH__AT_MEMORY || (at == APMU_UARCH__AT_L3 && u->p.l3_outside);
	u->n[outside ? APMU_SIG_L1D_FILL_OUTER : APMU_SIG_L1D_FILL_INNER]++;
}

APMU_UARCH__INLINE void apmu_uarch__fill(const struct apmu_uarch__access *a, struct apmu_uarch__side s,
					 uint64_t line)
{
	struct apmu_uarch *u = a->u;
	enum apmu_uarch__at at = apmu_uarch__l1_fill(a, s.c, line);
	u->n[APMU_SIG_L1D_MISS]++;
	u->n[APMU_SIG_L1D_FILL]++;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_FILLS_ONLY))
		apmu_uarch__count_fill(a, at);
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_FULL)) /* accesses of this variant are never reported */
		u->result.at = (uint8_t)(at + 1);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME))
		apmu_uarch__leave_for(a, s.c, line, at);
	if (a->store) /* before the prefetcher, which may evict the line */
		apmu_uarch__use_line(a, s, line, true);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_STREAMS) && !s.mini)
		apmu_uarch__prefetch(u, a->i, line, apmu_uarch__now(a));
}

/* How a store that misses is written: APMU_UARCH__STORE_PART unless read-allocate mode is on. */
APMU_UARCH__INLINE enum apmu_uarch__stored apmu_uarch__past_l1(const struct apmu_uarch__access *a,
							       uint64_t line)
{
	struct apmu_uarch *u = a->u;
	apmu_uarch__advance_run(a, line);
	u->n[APMU_SIG_RA_STORE] += u->run.on;
	if (!u->run.on)
		return APMU_UARCH__STORE_PART;
	apmu_uarch__lengthen_run(a, line);
	bool streams = u->p.read_allocate_l2 && u->run.length >= u->p.read_allocate_l2;
	return streams ? APMU_UARCH__STORE_STREAM : APMU_UARCH__STORE_WHOLE;
}

APMU_UARCH__INLINE void apmu_uarch__miss(const struct apmu_uarch__access *a, struct apmu_uarch__side s,
					 uint64_t line)
{
	enum apmu_uarch__stored how = APMU_UARCH__STORE_PART;
	if (a->store && apmu_uarch__has(a, APMU_UARCH__VARIANT_RUNS))
		how = apmu_uarch__past_l1(a, line);
	if (!a->store || (s.p->write_allocate && how == APMU_UARCH__STORE_PART)) {
		apmu_uarch__fill(a, s, line);
		return;
	}
	a->u->n[APMU_SIG_L1D_MISS]++;
	a->u->result.at = APMU_UARCH__AT_MEMORY + 1;
	apmu_uarch__write_outside(a, line, how);
}

APMU_UARCH__INLINE void apmu_uarch__look_up(const struct apmu_uarch__access *a, struct apmu_uarch__side s,
					    uint64_t line)
{
	bool hinted = apmu_uarch__cache_knows(s.c, line);
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_FULL) ? apmu_uarch__cache_hit_4(s.c, line)
							 : apmu_uarch__cache_hit(s.c, line))
		apmu_uarch__use_line(a, s, line, hinted);
	else
		apmu_uarch__miss(a, s, line);
}

/* Refills a first-level TLB miss and accounts for its stall or wait. */
APMU_UARCH__INLINE void apmu_uarch__retranslate(const struct apmu_uarch__access *a, uint64_t page)
{
	struct apmu_uarch *u = a->u;
	u->n[APMU_SIG_L1D_TLB_REFILL]++;
	u->n[a->store ? APMU_SIG_L1D_TLB_REFILL_WR : APMU_SIG_L1D_TLB_REFILL_RD]++;
	enum apmu_uarch__refill r = apmu_uarch__tlb_refill(
		u, &u->dtlb, page, a->store ? APMU_UARCH__REQUEST_WRITE : APMU_UARCH__REQUEST_READ);
	u->result.refill = (uint8_t)(r + 1);
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME))
		return;
	if (r == APMU_UARCH__REFILL_WALK && !apmu_uarch__has(a, APMU_UARCH__VARIANT_WINDOW)) {
		apmu_uarch__walk_stall(u, a->store); /* nothing issues while the tables are walked */
	} else if (!a->store) {
		apmu_uarch__late_kind(
			a, apmu_uarch__refill_cycles(u, r),
			r == APMU_UARCH__REFILL_MAIN ? APMU_UARCH__FOR_MAIN : APMU_UARCH__FOR_TABLES, true);
	}
}

APMU_UARCH__INLINE void apmu_uarch__translate(const struct apmu_uarch__access *a, uint64_t page)
{
	struct apmu_uarch *u = a->u;
	if (!apmu_uarch__has(a, APMU_UARCH__VARIANT_DTLB) || page == u->dpage.line)
		return;
	u->dpage.line = page;
	if (!apmu_uarch__cache_hit(&u->dtlb, page))
		apmu_uarch__retranslate(a, page);
}

#endif
