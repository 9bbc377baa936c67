/* SPDX-License-Identifier: MIT */
/**
 * Reads in flight, inline for whoever makes an access: when a line arrives, and who waits for it. Used only
 * with the clock on. What is marked "in order" is not called with a window.
 */
#ifndef APMU_UARCH_MEMORY_H
#define APMU_UARCH_MEMORY_H

#include "uarch/machine.h"
#include "uarch/window.h"

/* memory.c, in order: in_flight() handles a load that hits a line whose data may not have arrived yet.
 * unhint_in_flight() removes the hint of such a line. */
void apmu_uarch__in_flight(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line);
void apmu_uarch__unhint_in_flight(const struct apmu_uarch *u, struct apmu_uarch__cache *c, uint64_t line,
				  uint64_t now);

/* memory.c: the load/store unit accepts no request for `cycles`. */
void apmu_uarch__full(struct apmu_uarch *u, uint64_t from, uint64_t cycles);

/* memory.c, in order: await_mshr() waits for an MSHR if all are taken, and returns the cycle in which the
 * miss goes on. make_room() frees an element of pending[]. */
uint64_t apmu_uarch__await_mshr(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i, uint64_t now);
void apmu_uarch__make_room(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i);

/* memory.c, in order: instruction `user` stalls for `late`, from cycle `first_use` of the block on. */
void apmu_uarch__data_stall(struct apmu_uarch *u, const struct apmu_block *b,
			    const struct apmu_uarch__pending *late, uint32_t user, uint32_t first_use);

/* Out of order: records that the result of load i of the current block comes `cycles` late. */
static inline void apmu_uarch__record_cycles(struct apmu_uarch *u, unsigned i, uint64_t cycles,
					     enum apmu_uarch__late_reason why)
{
	u->result.cycles += (uint32_t)cycles;
	u->n[APMU_SIG_MEM_RD_CYCLES] += cycles;
	if (cycles)
		apmu_uarch__record_late(u->window, i, APMU_UARCH__LATE_CYCLES, why, cycles);
}

/* Out of order: records that instruction i misses `line`, which comes from `at`. */
static inline void apmu_uarch__record_miss(struct apmu_uarch *u, unsigned i, uint64_t line,
					   enum apmu_uarch__at at, bool store)
{
	u->result.cycles += u->latency[at];
	u->n[APMU_SIG_MEM_RD_CYCLES] += store ? 0 : u->latency[at];
	u->memory.pendings += u->window->late_accesses < APMU_UARCH__LATE_ACCESSES;
	apmu_uarch__record_late(u->window, i, APMU_UARCH__LATE_MISS, at, line);
}

/* Out of order: true if a read in flight, or a miss recorded in this block, brings the line. Only then can a
 * hit on it be late. */
static inline bool apmu_uarch__on_its_way(const struct apmu_uarch *u, uint64_t line)
{
	const struct apmu_uarch__window *w = u->window;
	for (unsigned k = 0; k < u->memory.mshrs; k++)
		if (u->memory.mshr[k].line == line)
			return true;
	for (unsigned k = 0; u->memory.pendings && k < w->late_accesses; k++)
		if (w->late_access[k].kind == APMU_UARCH__LATE_MISS && w->late_access[k].value == line)
			return true;
	return false;
}

/* Victims on their way to a level occupy its bus after the read that evicted them. */
static inline void apmu_uarch__follow(struct apmu_uarch__memory *m, uint64_t now)
{
	for (unsigned at = 0; at < APMU_UARCH__AT_MEMORY; at++) {
		if (m->owed[at] == 0)
			continue;
		m->free[at] = (now > m->free[at] ? now : m->free[at]) + m->owed[at];
		m->owed[at] = 0;
	}
}

/* Victims for memory are written when memory has nothing to read. */
static inline void apmu_uarch__write_back(struct apmu_uarch__memory *m, uint64_t now)
{
	uint64_t *free = &m->free[APMU_UARCH__AT_MEMORY], *owed = &m->owed[APMU_UARCH__AT_MEMORY];
	if (*owed == 0)
		return;
	uint64_t start = now > *free ? now : *free;
	m->written = (m->written > start ? m->written : start) + *owed;
	*owed = 0;
}

/* Returns the cycle in which memory begins a read: before the victims that wait to be written, as long as the
 * write buffer has room for those. */
static inline uint64_t apmu_uarch__begin(struct apmu_uarch *u, uint64_t start)
{
	struct apmu_uarch__memory *m = &u->memory;
	if (m->written > start + m->written_ahead)
		start = m->written - m->written_ahead;
	if (m->written > start)
		m->written += u->line_fill[APMU_UARCH__AT_MEMORY];
	return start;
}

/* prefetch.c: a line would arrive in `cycles` if it waited for all prefetches; instead it overtakes those
 * that have not begun. Returns the cycles to its data. */
uint64_t apmu_uarch__overtake(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at, uint64_t cycles);

/* prefetch.c: an access wants a line that the prefetcher has requested; the line no longer waits for
 * prefetches that nobody wants. */
void apmu_uarch__promote_prefetch(struct apmu_uarch *u, uint32_t slot, uint64_t now);

/* Queues a read behind all earlier requests. Without levels between L1 and memory there are no victims for a
 * level to account for. */
static inline __attribute__((always_inline)) uint64_t
apmu_uarch__read_behind(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at, bool levels)
{
	uint64_t *free = &u->memory.free[at];
	uint64_t start = now > *free ? now : *free;
	if (at == APMU_UARCH__AT_MEMORY)
		start = apmu_uarch__begin(u, start);
	*free = start + u->line_fill[at];
	if (levels)
		apmu_uarch__follow(&u->memory, now);
	apmu_uarch__write_back(&u->memory, now);
	return start + u->latency[at] - now;
}

/* apmu_uarch__read_bus(), in order. */
static inline __attribute__((always_inline)) uint64_t apmu_uarch__read(struct apmu_uarch *u, uint64_t now,
								       enum apmu_uarch__at at, bool levels)
{
	uint64_t cycles = apmu_uarch__read_behind(u, now, at, levels);
	if (__builtin_expect((cycles > u->latency[at]) & (u->memory.prefetches.last > now + u->latency[at]),
			     0))
		return apmu_uarch__overtake(u, now, at, cycles);
	return cycles;
}

/* Adds a miss whose line arrives at `ready`; `slot` as in struct apmu_uarch__mshr. */
static inline void apmu_uarch__take_mshr(struct apmu_uarch__memory *m, uint64_t line, uint32_t slot,
					 uint64_t ready)
{
	unsigned k = m->mshrs++;
	for (; k > 0 && m->mshr[k - 1].ready > ready; k--)
		m->mshr[k] = m->mshr[k - 1];
	m->mshr[k] = (struct apmu_uarch__mshr){line, ready, 0, slot, 0};
	m->next_fill = m->mshr[0].ready;
}

/* Out of order: the first time, from `now` on, at which a miss has an MSHR until its line arrives. */
uint64_t apmu_uarch__mshr_from(const struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at);

/* Out of order: a miss is issued in cycle `issued`, when it has an MSHR, for a line at `at`. Returns the
 * cycles until the line arrives. */
uint64_t apmu_uarch__issue_miss_at(struct apmu_uarch *u, uint64_t line, uint64_t issued,
				   enum apmu_uarch__at at);

/* Out of order: a miss at or after `now` may have to wait behind a line from L2 (`l2_chain`). */
bool apmu_uarch__chained(const struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at);

/* Out of order: cycles from `now` until the line arrives; 0: it is not in flight. If `now` is before the
 * miss is issued, it is moved forward if the line then arrives earlier. */
uint64_t apmu_uarch__await_fill(struct apmu_uarch *u, uint64_t line, uint64_t now);

/* In order: drops the reads that have arrived by `now`. */
static inline void apmu_uarch__arrive_by(struct apmu_uarch *u, uint64_t now)
{
	if (u->memory.next_fill <= now)
		apmu_uarch__arrive(u, now);
}

/* In order: issues a miss of L1. Returns the cycles until its data arrive. */
static inline __attribute__((always_inline)) uint64_t
apmu_uarch__issue_miss(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i, uint64_t line,
		       enum apmu_uarch__at at, bool levels)
{
	struct apmu_uarch__memory *m = &u->memory;
	uint32_t slot = u->l1d.slot;
	uint64_t now = apmu_uarch__position(u, b, i);
	apmu_uarch__arrive_by(u, now);
	uint64_t issued = now;
	if (m->mshrs >= u->p.misses) {
		issued = now = apmu_uarch__await_mshr(u, b, i, now);
		if (m->mshrs >= u->p.misses) /* a store waits in the store buffer until an MSHR is free */
			issued = m->mshr[m->mshrs - u->p.misses].ready;
	}
	uint64_t ready = issued + apmu_uarch__read(u, issued, at, levels);
	apmu_uarch__take_mshr(m, line, u->l1d.tag[slot] == line ? slot : APMU_UARCH__NOWHERE, ready);
	if (m->mshrs == u->p.bus_queue)
		u->n[APMU_SIG_BCU_FULL] += m->next_fill - now;
	return ready - now;
}

/* In order: a miss is issued while no other read is in flight, and none will be. Returns the cycles until its
 * data arrive. */
static inline __attribute__((always_inline)) uint64_t
apmu_uarch__read_alone(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at, bool levels)
{
	uint64_t cycles = apmu_uarch__read(u, now, at, levels);
	u->n[APMU_SIG_BCU_FULL] += u->p.bus_queue == 1 ? cycles : 0;
	return cycles;
}

/* In order: what instruction i loads comes `cycles` late. */
static inline void apmu_uarch__wait_for(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i,
					uint64_t cycles, enum apmu_uarch__late_reason why)
{
	struct apmu_uarch__memory *m = &u->memory;
	u->result.cycles += (uint32_t)cycles;
	u->n[APMU_SIG_MEM_RD_CYCLES] += cycles;
	if (cycles == 0 || !b->schedule)
		return;
	const struct apmu_uarch__schedule *t = &b->schedule[i];
	uint64_t loads = apmu_uarch__loads_of(&b->step[i]);
	if (loads == 0 && t->user == APMU_UARCH__NO_USE)
		return;
	if (m->pendings == APMU_UARCH__PENDING)
		apmu_uarch__make_room(u, b, i);
	m->pending[m->pendings++] =
		(struct apmu_uarch__pending){.ready = apmu_uarch__position(u, b, i) + cycles,
					     .regs = loads,
					     .user = t->user,
					     .first_use = t->first_use,
					     .why = (uint8_t)why,
					     .forwards = t->forwards,
					     .by = (uint16_t)(t->user < b->n ? t->user : i)};
	m->user = t->user < m->user ? t->user : m->user;
}

/* In order: an instruction of the block stalls for a load, its translation or its line, which arrives at
 * `ready`; arguments as of apmu_uarch__data_stall(). */
static inline __attribute__((always_inline)) void
apmu_uarch__load_stall(struct apmu_uarch *u, const struct apmu_block *b, uint64_t ready,
		       enum apmu_uarch__late_reason why, uint32_t user, uint32_t first_use)
{
	static const uint8_t signal[APMU_UARCH__FOR_RESULT] = {
		[APMU_UARCH__FOR_CACHE] = APMU_SIG_STALL_BACK_L2,
		[APMU_UARCH__FOR_L3] = APMU_SIG_STALL_BACK_L3,
		[APMU_UARCH__FOR_MEMORY] = APMU_SIG_STALL_BACK_MEM,
		[APMU_UARCH__FOR_TABLES] = APMU_SIG_STALL_BACK_TLB,
		[APMU_UARCH__FOR_MAIN] = APMU_SIG_STALL_BACK_TLB,
		[APMU_UARCH__FOR_ALIGNMENT] = APMU_SIG_STALL_BACK_L2,
	};
	uint64_t now = u->clock - b->cycles + first_use, cycles = ready - now, *n = u->n;

	if (ready <= now)
		return;
	if (b->longs)
		apmu_uarch__hold(&u->memory, b, user, cycles);
	n[APMU_SIG_STALL_LD] += cycles;
	n[APMU_SIG_STALL_BACK_BOUND] += cycles;
	n[signal[why]] += cycles;
	n[APMU_SIG_STALL_BACK_MAIN] += why == APMU_UARCH__FOR_MAIN ? cycles : 0;
	n[APMU_SIG_DATA_STALL] += cycles;
	apmu_uarch__wait(u, cycles);
}

/* The reason of a wait for a line from `at`. */
static inline enum apmu_uarch__late_reason apmu_uarch__late_reason_of(enum apmu_uarch__at at)
{
	static const uint8_t why[APMU_UARCH__PLACES] = {APMU_UARCH__FOR_CACHE, APMU_UARCH__FOR_L3,
							APMU_UARCH__FOR_MEMORY, APMU_UARCH__FOR_L3};
	return (enum apmu_uarch__late_reason)why[at];
}

/* In order: the line that instruction i missed arrives in `cycles`, from `at`. Nothing waits for the line
 * of a store. */
static inline void apmu_uarch__wait_for_line(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i,
					     uint64_t cycles, enum apmu_uarch__at at)
{
	if (b->step[i].cls == APMU_CLASS_STORE)
		u->n[APMU_SIG_MEM_RD_CYCLES] -= cycles;
	apmu_uarch__wait_for(u, b, i, cycles, apmu_uarch__late_reason_of(at));
}

#endif
