/* SPDX-License-Identifier: MIT */
/*
 * Outside the first-level caches: reads in flight, the write buffer, and who waits for them. Only with the
 * clock on.
 */
#include "machine.h"

/* Lines put out on the way to a level follow the read that put them out. */
static void follow(struct apmu__memory *m, uint64_t now)
{
	for (unsigned at = 0; at < APMU__AT_MEMORY; at++) {
		if (m->owed[at] == 0)
			continue;
		m->free[at] = (now > m->free[at] ? now : m->free[at]) + m->owed[at];
		m->owed[at] = 0;
	}
}

/* Lines put out to memory wait until it has nothing to read. */
static void write_back(struct apmu__memory *m, uint64_t now)
{
	uint64_t *free = &m->free[APMU__AT_MEMORY], *owed = &m->owed[APMU__AT_MEMORY];
	if (*owed == 0)
		return;
	uint64_t start = now > *free ? now : *free;
	m->written = (m->written > start ? m->written : start) + *owed;
	*owed = 0;
}

/* When memory begins a read: before the lines that wait to be written, as long as their buffer holds them. */
static uint64_t begin(struct apmu_uarch *u, uint64_t start)
{
	struct apmu__memory *m = &u->memory;
	if (m->written > start + m->written_ahead)
		start = m->written - m->written_ahead;
	if (m->written > start)
		m->written += u->line_fill[APMU__AT_MEMORY];
	return start;
}

uint64_t apmu__read_bus(struct apmu_uarch *u, uint64_t now, enum apmu__at at)
{
	uint64_t *free = &u->memory.free[at];
	uint64_t start = now > *free ? now : *free;
	if (at == APMU__AT_MEMORY)
		start = begin(u, start);
	*free = start + u->line_fill[at];
	follow(&u->memory, now);
	write_back(&u->memory, now);
	return start + u->latency[at] - now;
}

/* The load/store unit takes no request for a while. */
static void full(struct apmu_uarch *u, uint64_t from, uint64_t cycles)
{
	if (u->window) {
		apmu__window_hold(u, cycles);
		return;
	}
	u->n[APMU_SIG_LSU_FULL_STALL] += cycles;
	u->n[APMU_SIG_STALL_BACK_BOUND] += cycles;
	u->n[APMU_SIG_LSU_FULL_RUN] += from != u->memory.full_end;
	u->memory.full_end = from + cycles;
	apmu__wait(u, cycles);
}

void apmu__land(struct apmu__memory *m, uint64_t now)
{
	unsigned landed = 0;
	while (landed < m->flights && m->flight[landed].ready <= now)
		landed++;
	m->flights -= landed;
	for (unsigned k = 0; landed && k < m->flights; k++)
		m->flight[k] = m->flight[k + landed];
}

void apmu__take_off(struct apmu__memory *m, uint64_t line, uint64_t ready)
{
	unsigned k = m->flights++;
	for (; k > 0 && m->flight[k - 1].ready > ready; k--)
		m->flight[k] = m->flight[k - 1];
	m->flight[k] = (struct apmu__flight){line, ready};
}

static uint64_t depart(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line,
		       enum apmu__at at)
{
	struct apmu__memory *m = &u->memory;
	uint64_t now = apmu__position(u, b, i);
	apmu__land(m, now);
	if (m->flights == u->p.misses) {
		u->n[APMU_SIG_STALL_LD] += m->flight[0].ready - now;
		full(u, now, m->flight[0].ready - now);
		now = apmu__position(u, b, i);
		apmu__land(m, now);
	}
	uint64_t cycles = apmu__read_bus(u, now, at);
	apmu__take_off(m, line, now + cycles);
	if (m->flights == u->p.bus_queue)
		u->n[APMU_SIG_BCU_FULL] += m->flight[0].ready - now;
	return cycles;
}

static void data_stall(struct apmu_uarch *u, const struct apmu__pending *for_it, uint64_t now)
{
	static const uint8_t signal[APMU__WAITINGS] = {
		[APMU__FOR_CACHE] = APMU_SIG_STALL_BACK_L2,   [APMU__FOR_L3] = APMU_SIG_STALL_BACK_L3,
		[APMU__FOR_MEMORY] = APMU_SIG_STALL_BACK_MEM, [APMU__FOR_TABLES] = APMU_SIG_STALL_BACK_TLB,
		[APMU__FOR_MAIN] = APMU_SIG_STALL_BACK_TLB,   [APMU__FOR_ALIGNMENT] = APMU_SIG_STALL_BACK_L2,
	};
	uint64_t until = for_it->ready;
	if (until <= now)
		return;
	u->n[APMU_SIG_STALL_LD] += until - now;
	u->n[APMU_SIG_STALL_BACK_BOUND] += until - now;
	u->n[signal[for_it->why]] += until - now;
	u->n[APMU_SIG_STALL_BACK_MAIN] += for_it->why == APMU__FOR_MAIN ? until - now : 0;
	u->n[APMU_SIG_DATA_STALL] += until - now;
	apmu__wait(u, until - now);
}

static void forget(struct apmu__memory *m, unsigned k)
{
	m->pending[k] = m->pending[--m->pendings];
}

static uint32_t first_need(const struct apmu_block *b, unsigned i)
{
	const struct apmu__step *s = &b->step[i];
	uint32_t need = s->slack == APMU__NO_USE ? APMU__NO_NEED : s->issue + s->slack;
	if (b->loads_pc && i == b->n - 1 && b->cycles < need)
		need = b->cycles; /* the next fetch waits for the PC */
	return need;
}

void apmu__late_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t cycles,
		     enum apmu__waiting why)
{
	u->seen.cycles += (uint32_t)cycles;
	u->n[APMU_SIG_MEM_RD_CYCLES] += cycles;
	if (u->window) {
		apmu__window_note(u, i, APMU__LATE_CYCLES, why, cycles);
		return;
	}
	struct apmu__memory *m = &u->memory;
	uint32_t need = first_need(b, i);
	uint64_t regs = b->step[i].loads;
	if (cycles == 0 || (regs == 0 && need == APMU__NO_NEED))
		return;
	if (m->pendings == APMU__PENDING) {
		data_stall(u, &m->pending[0], apmu__position(u, b, i));
		forget(m, 0);
	}
	m->pending[m->pendings++] =
		(struct apmu__pending){apmu__position(u, b, i) + cycles, regs, need, (uint8_t)why};
}

void apmu__read_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line,
		     enum apmu__at at)
{
	static const uint8_t why[APMU__PLACES] = {APMU__FOR_CACHE, APMU__FOR_L3, APMU__FOR_MEMORY};
	if (u->window) {
		u->seen.cycles += u->latency[at];
		u->n[APMU_SIG_MEM_RD_CYCLES] += b->step[i].cls == APMU_CLASS_STORE ? 0 : u->latency[at];
		apmu__window_note(u, i, APMU__LATE_MISS, at, line);
		return;
	}
	uint64_t cycles = depart(u, b, i, line, at);
	if (b->step[i].cls == APMU_CLASS_STORE) /* nobody waits for it */
		u->n[APMU_SIG_MEM_RD_CYCLES] -= cycles;
	apmu__late_data(u, b, i, cycles, why[at]);
}

/* A hit on a line whose data have not come yet. */
void apmu__in_flight(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line)
{
	if (u->window) {
		apmu__window_note(u, i, APMU__LATE_IN_FLIGHT, 0, line);
		return;
	}
	uint64_t now = apmu__position(u, b, i);
	for (unsigned k = 0; k < u->memory.flights; k++)
		if (u->memory.flight[k].line == line && u->memory.flight[k].ready > now)
			apmu__late_data(u, b, i, u->memory.flight[k].ready - now, APMU__FOR_CACHE);
}

/* Waits in the order of need, for each wait moves the later ones. */
void apmu__settle_waits(struct apmu_uarch *u, const struct apmu_block *b, uint32_t position)
{
	struct apmu__memory *m = &u->memory;
	for (;;) {
		unsigned first = m->pendings;
		for (unsigned k = 0; k < m->pendings; k++)
			if (m->pending[k].need <= position &&
			    (first == m->pendings || m->pending[k].need < m->pending[first].need))
				first = k;
		if (first == m->pendings)
			return;
		data_stall(u, &m->pending[first], u->clock - b->cycles + m->pending[first].need);
		forget(m, first);
	}
}

static uint32_t user(const struct apmu_block *b, uint64_t regs)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (b->step[i].touches & regs)
			return b->step[i].issue;
	return APMU__NO_NEED;
}

void apmu__adopt(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu__memory *m = &u->memory;
	for (unsigned k = m->pendings; k-- > 0;) {
		if (m->pending[k].ready <= u->clock - b->cycles) {
			forget(m, k);
			continue;
		}
		m->pending[k].need = user(b, m->pending[k].regs);
		if (m->pending[k].need != APMU__NO_NEED)
			m->pending[k].ready += u->p.result[APMU_CLASS_LOAD];
	}
}

/* A store that goes outside. Stores that follow one another in a line share an entry while it is there. */
void apmu__write_out(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line)
{
	struct apmu__memory *m = &u->memory;
	uint64_t now = apmu__position(u, b, i);
	if (m->buffer_line == line && m->buffer_free > now)
		return;
	u->n[APMU_SIG_BCU_REQUEST]++;
	if (m->written > m->buffer_free + m->written_ahead) /* the level below takes no more */
		m->buffer_free = m->written - m->written_ahead;
	if (m->buffer_free > now + m->buffer_full) {
		uint64_t cycles = m->buffer_free - m->buffer_full - now;
		u->n[APMU_SIG_WBUF_FULL_STALL] += cycles;
		u->n[APMU_SIG_STALL_ST] += u->window ? 0 : cycles; /* else the window tells */
		full(u, now, cycles);
	}
	now = apmu__position(u, b, i);
	m->buffer_free = (m->buffer_free > now ? m->buffer_free : now) + u->p.write_drain;
	m->buffer_line = line;
	write_back(m, now);
}

void apmu__drain(struct apmu_uarch *u)
{
	if (u->memory.buffer_free <= u->clock)
		return;
	u->n[APMU_SIG_STALL_BARRIER] += u->memory.buffer_free - u->clock;
	apmu__wait(u, u->memory.buffer_free - u->clock);
}
