/* SPDX-License-Identifier: MIT */
/*
 * Traffic outside the first-level caches: misses in flight (MSHRs, the miss buffer), the write buffer, and
 * the stalls that they cause. Used only with the clock on.
 */
#include "uarch/memory.h"

#include "uarch/pass.h"
#include "uarch/timing.h"

#include <string.h>

#define PAST 2048 /* cycles before the clock in which gaps of a bus are remembered for code */

/* The earliest cycle in which something may still request a line: that of the clock, but code may have been
 * requested before. */
static uint64_t earliest(const struct apmu_uarch *u)
{
	uint64_t past = u->p.run_ahead.queue || u->p.code_next ? PAST : 0;
	return u->clock > past ? u->clock - past : 0;
}

static void drop_gaps(struct apmu_uarch__gaps *g, unsigned k, unsigned n)
{
	g->n -= n;
	memmove(&g->gap[k], &g->gap[k + n], (g->n - k) * sizeof(g->gap[0]));
}

/* Drops the gaps that end by the cycle `first`, and the earliest one if there is no place for another. */
static void drop_past(struct apmu_uarch__gaps *g, uint64_t first)
{
	unsigned n = 0;
	while (n < g->n && g->gap[n].to <= first)
		n++;
	if (n == 0 && g->n == APMU_UARCH__GAPS)
		n = 1;
	if (n)
		drop_gaps(g, 0, n);
}

/* A read takes `cycles` of the k-th gap from `start` on. What is left before and behind it remains a gap if
 * it is long enough for a read, and if there is a place. */
static void take_gap(struct apmu_uarch__gaps *g, unsigned k, uint64_t start, uint64_t cycles)
{
	uint64_t from = g->gap[k].from, to = g->gap[k].to;
	bool before = start >= from + cycles && g->n < APMU_UARCH__GAPS, behind = to >= start + 2 * cycles;
	g->gap[k].from = start + cycles;
	if (before && behind) {
		memmove(&g->gap[k + 1], &g->gap[k], (g->n++ - k) * sizeof(g->gap[0]));
		g->gap[k] = (struct apmu_uarch__gap){from, start};
	} else if (before) {
		g->gap[k] = (struct apmu_uarch__gap){from, start};
	} else if (!behind) {
		drop_gaps(g, k, 1);
	}
}

/* Out of order: fits a read into an idle gap of the bus before reads that were requested earlier. Returns the
 * cycles to its data; 0: no gap is long enough. */
static uint64_t read_between(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at)
{
	struct apmu_uarch__gaps *g = &u->memory.gaps[at];
	for (unsigned k = 0; k < g->n; k++) {
		uint64_t start = now > g->gap[k].from ? now : g->gap[k].from;
		if (start + u->line_fill[at] > g->gap[k].to)
			continue;
		take_gap(g, k, start, u->line_fill[at]);
		return start + u->latency[at] - now;
	}
	return 0;
}

/* Records that the bus is idle until a read at `now`. */
static void leave_gap(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at)
{
	struct apmu_uarch__gaps *g = &u->memory.gaps[at];
	uint64_t first = earliest(u), from = u->memory.free[at];
	drop_past(g, first);
	g->gap[g->n++] = (struct apmu_uarch__gap){from > first ? from : first, now};
}

uint64_t apmu_uarch__read_for_prefetch(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at)
{
	struct apmu_uarch__memory *m = &u->memory;
	if (!u->window)
		return apmu_uarch__read_behind(u, now, at, true);
	if (now < m->free[at]) {
		uint64_t cycles = read_between(u, now, at);
		if (cycles) {
			apmu_uarch__follow(m, now);
			apmu_uarch__write_back(m, now);
			return cycles;
		}
	} else if (now > m->free[at] + u->line_fill[at] && now > earliest(u)) {
		leave_gap(u, now, at);
	}
	return apmu_uarch__read_behind(u, now, at, true);
}

uint64_t apmu_uarch__read_bus(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at)
{
	uint64_t cycles = apmu_uarch__read_for_prefetch(u, now, at);
	return cycles > u->latency[at] && u->memory.prefetches.last > now + u->latency[at]
		       ? apmu_uarch__overtake(u, now, at, cycles)
		       : cycles;
}

static unsigned mshrs_taken(const struct apmu_uarch__memory *m, uint64_t now, uint64_t *next_fill)
{
	unsigned n = 0;
	*next_fill = UINT64_MAX;
	for (unsigned k = 0; k < m->mshrs; k++) {
		if (m->mshr[k].issued > now || m->mshr[k].ready <= now)
			continue;
		n++;
		*next_fill = m->mshr[k].ready < *next_fill ? m->mshr[k].ready : *next_fill;
	}
	return n;
}

/* True if one of the `misses` MSHRs is free all the time from `now` to `end`. If not, *next_fill is when the
 * next one becomes free. */
static bool has_mshr(const struct apmu_uarch__memory *m, unsigned misses, uint64_t now, uint64_t end,
		     uint64_t *next_fill)
{
	if (mshrs_taken(m, now, next_fill) >= misses)
		return false;
	for (unsigned k = 0; k < m->mshrs; k++)
		if (m->mshr[k].issued > now && m->mshr[k].issued < end &&
		    mshrs_taken(m, m->mshr[k].issued, next_fill) >= misses)
			return false;
	return true;
}

uint64_t apmu_uarch__mshr_from(const struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at)
{
	const struct apmu_uarch__memory *m = &u->memory;
	uint64_t next_fill;
	while (m->mshrs >= u->p.misses && !has_mshr(m, u->p.misses, now, now + u->latency[at], &next_fill))
		now = next_fill;
	return now;
}

/* Inserts a miss in the order of arrival. */
static void insert_mshr(struct apmu_uarch__memory *m, const struct apmu_uarch__mshr *f)
{
	apmu_uarch__take_mshr(m, f->line, APMU_UARCH__NOWHERE, f->ready);
	unsigned k = 0;
	while (m->mshr[k].line != f->line || m->mshr[k].ready != f->ready)
		k++;
	m->mshr[k] = *f;
}

/* The first cycle from which a miss that starts as soon as the last line from L2 can be used would not wait.
 */
static uint64_t behind_l2(const struct apmu_uarch *u)
{
	return u->memory.from_l2 + u->p.result[APMU_CLASS_LOAD] + u->p.l2_chain;
}

bool apmu_uarch__chained(const struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at)
{
	return at == APMU_UARCH__AT_L2 && u->p.l2_chain && now < behind_l2(u);
}

/* Cycles by which a miss waits for the rest of the line from L2 behind whose use it starts. */
static uint64_t chained(const struct apmu_uarch *u, uint64_t issued, enum apmu_uarch__at at)
{
	bool waits = apmu_uarch__chained(u, issued, at) && issued + u->p.l2_chain >= behind_l2(u);
	return waits ? behind_l2(u) - issued : 0;
}

uint64_t apmu_uarch__issue_miss_at(struct apmu_uarch *u, uint64_t line, uint64_t issued,
				   enum apmu_uarch__at at)
{
	struct apmu_uarch__memory *m = &u->memory;
	uint64_t waits = chained(u, issued, at);
	uint64_t cycles = waits + apmu_uarch__read_bus(u, issued + waits, at);
	if (at == APMU_UARCH__AT_L2)
		m->from_l2 = issued + cycles;
	if (m->mshrs == APMU_UARCH__MSHRS)
		apmu_uarch__free_mshrs(m, m->next_fill);
	insert_mshr(m, &(struct apmu_uarch__mshr){line, issued + cycles, issued, APMU_UARCH__NOWHERE,
						  (uint8_t)at});
	return cycles;
}

/* Issues the k-th miss at `now` already, or as soon after as there is an MSHR, if its line then arrives
 * earlier. The bus stays reserved for its old time as well. Returns its arrival. */
static uint64_t bring_forward(struct apmu_uarch *u, unsigned k, uint64_t now)
{
	struct apmu_uarch__memory *m = &u->memory;
	struct apmu_uarch__mshr f = m->mshr[k];
	enum apmu_uarch__at at = (enum apmu_uarch__at)f.at;
	uint64_t issued = apmu_uarch__mshr_from(u, now, at);
	if (issued >= f.issued)
		return f.ready;
	uint64_t ready = issued + apmu_uarch__read_bus(u, issued, at);
	if (ready >= f.ready)
		return f.ready;
	f.issued = issued;
	f.ready = ready;
	m->mshrs--;
	memmove(&m->mshr[k], &m->mshr[k + 1], (m->mshrs - k) * sizeof(f));
	insert_mshr(m, &f);
	return ready;
}

/* The MSHR, of those of the line, whose fill comes last, after `now`; m->mshrs: none. There are two if the
 * line was evicted before it came, and missed again. */
static unsigned last_fill(const struct apmu_uarch__memory *m, uint64_t line, uint64_t now)
{
	for (unsigned k = m->mshrs; k-- > 0;)
		if (m->mshr[k].line == line && m->mshr[k].ready > now)
			return k;
	return m->mshrs;
}

uint64_t apmu_uarch__await_fill(struct apmu_uarch *u, uint64_t line, uint64_t now)
{
	const struct apmu_uarch__memory *m = &u->memory;
	unsigned last = last_fill(m, line, now);
	if (last == m->mshrs)
		return 0;
	return (m->mshr[last].issued > now ? bring_forward(u, last, now) : m->mshr[last].ready) - now;
}

void apmu_uarch__full(struct apmu_uarch *u, uint64_t from, uint64_t cycles)
{
	if (u->window) {
		apmu_uarch__window_hold(u, cycles);
		return;
	}
	u->n[APMU_SIG_LSU_FULL_STALL] += cycles;
	u->n[APMU_SIG_STALL_BACK_BOUND] += cycles;
	u->n[APMU_SIG_LSU_FULL_RUN] += from != u->memory.full_end;
	u->memory.full_end = from + cycles;
	apmu_uarch__wait(u, cycles);
}

void apmu_uarch__free_mshrs(struct apmu_uarch__memory *m, uint64_t now)
{
	if (m->next_fill > now)
		return;
	if (m->mshrs == 1) { /* the common case */
		m->mshrs = 0;
		m->next_fill = UINT64_MAX;
		return;
	}
	unsigned filled = 1;
	while (filled < m->mshrs && m->mshr[filled].ready <= now)
		filled++;
	m->mshrs -= filled;
	memmove(m->mshr, m->mshr + filled, m->mshrs * sizeof(m->mshr[0]));
	m->next_fill = m->mshrs ? m->mshr[0].ready : UINT64_MAX;
}

/* True if a later fill of the same line is in flight. */
static bool comes_again(const struct apmu_uarch__memory *m, unsigned k)
{
	for (unsigned later = k + 1; later < m->mshrs; later++)
		if (m->mshr[later].line == m->mshr[k].line)
			return true;
	return false;
}

/* In order: a line that has arrived gets its hint back, unless it was evicted since. */
void apmu_uarch__arrive(struct apmu_uarch *u, uint64_t now)
{
	struct apmu_uarch__memory *m = &u->memory;
	for (unsigned k = 0; k < m->mshrs && m->mshr[k].ready <= now; k++) {
		const struct apmu_uarch__mshr *f = &m->mshr[k];
		bool there = f->slot != APMU_UARCH__NOWHERE && u->l1d.tag[f->slot] == f->line;
		if (there && !(u->l1d.dirty[f->slot] & APMU_UARCH__AWAITED) && !comes_again(m, k))
			apmu_uarch__cache_hint(&u->l1d, f->line, f->slot);
	}
	apmu_uarch__free_mshrs(m, now);
}

uint64_t apmu_uarch__await_mshr(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i, uint64_t now)
{
	const struct apmu_uarch__memory *m = &u->memory;
	bool store = b->step[i].cls == APMU_CLASS_STORE;
	unsigned most = u->p.misses + (store ? u->p.store_buffer : 0u);
	if (m->mshrs < most) /* a store waits in the store buffer without stalling the core */
		return now;
	uint64_t cycles = m->mshr[m->mshrs - most].ready - now;
	u->n[store ? APMU_SIG_STALL_ST : APMU_SIG_STALL_LD] += cycles;
	apmu_uarch__full(u, now, cycles);
	now = apmu_uarch__position(u, b, i);
	apmu_uarch__arrive_by(u, now);
	return now;
}

/* Stalls for the result of an operation of an earlier block. A wait for a busy pipe adds to no data stall
 * signal. */
static void result_stall(struct apmu_uarch *u, const struct apmu_block *b,
			 const struct apmu_uarch__pending *late, uint64_t cycles)
{
	if (late->why == APMU_UARCH__FOR_RESULT) {
		u->n[APMU_SIG_DATA_STALL] += cycles;
		u->n[apmu_uarch__interlock(b, late->by, late->what)] += cycles;
	}
	apmu_uarch__wait(u, cycles);
}

void apmu_uarch__data_stall(struct apmu_uarch *u, const struct apmu_block *b,
			    const struct apmu_uarch__pending *late, uint32_t user, uint32_t first_use)
{
	uint64_t until = late->ready, now = u->clock - b->cycles + first_use;
	if (late->why < APMU_UARCH__FOR_RESULT) {
		apmu_uarch__load_stall(u, b, until, (enum apmu_uarch__late_reason)late->why, user, first_use);
		return;
	}
	if (until <= now)
		return;
	if (b->longs)
		apmu_uarch__hold(&u->memory, b, user, until - now);
	result_stall(u, b, late, until - now);
}

void apmu_uarch__wait_no_more(struct apmu_uarch__memory *m)
{
	m->pendings = 0;
	m->user = APMU_UARCH__NO_USE;
}

static void recount(struct apmu_uarch__memory *m)
{
	uint32_t user = APMU_UARCH__NO_USE;
	for (unsigned k = 0; k < m->pendings; k++)
		user = m->pending[k].user < user ? m->pending[k].user : user;
	m->user = user;
}

static void forget(struct apmu_uarch__memory *m, unsigned k)
{
	m->pending[k] = m->pending[--m->pendings];
}

void apmu_uarch__make_room(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i)
{
	apmu_uarch__data_stall(u, b, &u->memory.pending[0], i, b->schedule[i].issue);
	forget(&u->memory, 0);
	recount(&u->memory);
}

void apmu_uarch__late_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t cycles,
			   enum apmu_uarch__late_reason why)
{
	if (u->window)
		apmu_uarch__record_cycles(u, i, cycles, why);
	else
		apmu_uarch__wait_for(u, b, i, cycles, why);
}

void apmu_uarch__read_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line,
			   enum apmu_uarch__at at)
{
	if (u->window) {
		apmu_uarch__record_miss(u, i, line, at, b->step[i].cls == APMU_CLASS_STORE);
		return;
	}
	uint64_t cycles = apmu_uarch__issue_miss(u, b, i, line, at, true);
	apmu_uarch__wait_for_line(u, b, i, cycles, at);
}

void apmu_uarch__unhint_in_flight(const struct apmu_uarch *u, struct apmu_uarch__cache *c, uint64_t line,
				  uint64_t now)
{
	const struct apmu_uarch__memory *m = &u->memory;
	for (unsigned k = 0; k < m->mshrs; k++)
		if (m->mshr[k].line == line && m->mshr[k].ready > now)
			apmu_uarch__cache_forget(c, line);
}

void apmu_uarch__in_flight(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line)
{
	uint64_t now = apmu_uarch__position(u, b, i);
	unsigned last = last_fill(&u->memory, line, now);
	if (last < u->memory.mshrs)
		apmu_uarch__wait_for(u, b, i, u->memory.mshr[last].ready - now, APMU_UARCH__FOR_CACHE);
}

void apmu_uarch__attribute_wait(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i, uint64_t regs)
{
	struct apmu_watch *watch = u->watch;
	watch->behind = (int64_t)b->n - 1 - i;
	watch->regs = regs;
	apmu_watch_look(watch, APMU_WATCH_WAIT, apmu_uarch__address_of(b, i));
}

/* Stalls for the pending load that is used first; returns the cycle of its use in the block. */
static uint32_t settle_first(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu_uarch__memory *m = &u->memory;
	unsigned first = 0;
	while (m->pending[first].user != m->user)
		first++;
	struct apmu_uarch__pending *late = &m->pending[first];
	uint32_t first_use = late->first_use;
	uint64_t now = u->clock - b->cycles + first_use;
	if (late->why >= APMU_UARCH__FOR_RESULT && late->ready > now)
		late->ready = now + apmu_uarch__lasting(b, late->by, late->ready - now);
	apmu_uarch__data_stall(u, b, late, late->user, first_use);
	if (u->watch)
		apmu_uarch__attribute_wait(u, b, late->by, late->regs);
	if (m->pendings == 1) {
		apmu_uarch__wait_no_more(m);
		return first_use;
	}
	forget(m, first);
	recount(m);
	return first_use;
}

/* Stalls in the order of use, since each stall delays the later uses. */
void apmu_uarch__settle_waits(struct apmu_uarch *u, const struct apmu_block *b, uint32_t user)
{
	while (u->memory.user <= user)
		settle_first(u, b);
}

/* Stalls now for all uses up to that of instruction `user`; the block makes no access before it. */
void apmu_uarch__settle_ahead(struct apmu_uarch *u, const struct apmu_block *b, uint32_t user)
{
	uint32_t last = 0;
	while (u->memory.user <= user)
		last = settle_first(u, b);
	apmu_uarch__arrive_by(u, u->clock - b->cycles + last);
}

/* The first instruction that uses any of the registers `regs`; b->n: none. */
static uint32_t first_user(const struct apmu_block *b, uint64_t regs)
{
	uint32_t i = 0;
	while (i < b->n && !((b->step[i].reads | b->step[i].writes) & regs))
		i++;
	return i;
}

static void adopt_load(const struct apmu_uarch *u, const struct apmu_block *b, struct apmu_uarch__pending *p)
{
	uint32_t i = first_user(b, p->regs);
	p->by = (uint16_t)i;
	p->user = i < b->n ? i : APMU_UARCH__NO_USE;
	if (i == b->n)
		return;
	uint64_t read = b->step[i].reads & p->regs;
	int early = read ? apmu_uarch__early_of(&b->schedule[i], (unsigned)__builtin_ctzll(read)) : 0;
	if (apmu_uarch__address_regs(b->step[i].cls, b->schedule[i].early_reads) & read)
		early -= p->forwards;
	p->first_use = b->schedule[i].issue;
	p->ready = (uint64_t)((int64_t)p->ready + u->p.result[APMU_CLASS_LOAD] + early);
}

void apmu_uarch__adopt(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu_uarch__memory *m = &u->memory;
	uint64_t begin = u->clock - b->cycles;
	for (unsigned k = m->pendings; k-- > 0;) {
		struct apmu_uarch__pending *late = &m->pending[k];
		bool result = late->why >= APMU_UARCH__FOR_RESULT;
		uint64_t more = m->most_early + (result ? 0u : u->p.result[APMU_CLASS_LOAD]);
		if (late->ready + more <= begin || (result && !apmu_uarch__adopt_result(b, late)))
			forget(m, k);
		else if (!result)
			adopt_load(u, b, late);
	}
	recount(m);
}

/* Reads the line that the store is part of into the next level; returns the cycle in which that read begins.
 */
static uint64_t read_for_store(struct apmu_uarch *u, uint64_t now)
{
	enum apmu_uarch__at at = (enum apmu_uarch__at)(u->outside.read - 1);
	u->outside.read = 0;
	return now + apmu_uarch__read_bus(u, now, at) - u->latency[at];
}

/* Sends the victims that the store evicted to the levels below, each as soon as the bus there is free;
 * returns the cycle in which the last is taken. */
static uint64_t put_out(struct apmu_uarch__memory *m, uint64_t now)
{
	for (unsigned at = 0; at < APMU_UARCH__AT_MEMORY; at++) {
		if (m->owed[at] == 0)
			continue;
		now = m->free[at] > now ? m->free[at] : now;
		m->free[at] = now + m->owed[at];
		m->owed[at] = 0;
	}
	return now;
}

/* Cycles until the write buffer has a free entry; in the cycle `leaves` the next entry to be reused has
 * drained.
 */
static uint64_t await_entry(const struct apmu_uarch__memory *m, uint64_t leaves, uint64_t now)
{
	uint64_t from = m->buffer_free > m->buffer_full ? m->buffer_free - m->buffer_full : 0;
	from = leaves > from ? leaves : from;
	return from > now ? from - now : 0;
}

/* The cycle in which a store reaches the write buffer. Out of order those before it in its block may have
 * stalled dispatch since the block began. */
static uint64_t writes_at(const struct apmu_uarch *u, const struct apmu_block *b, unsigned i)
{
	return u->window ? apmu_uarch__clock_now(u) : apmu_uarch__position(u, b, i);
}

/* Puts a store past L1 into the write buffer. Consecutive stores to one line share an entry while it is
 * there. */
void apmu_uarch__write_out(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line)
{
	struct apmu_uarch__memory *m = &u->memory;
	uint64_t now = writes_at(u, b, i);
	if (m->buffer_line == line && m->buffer_free > now)
		return;
	u->n[APMU_SIG_BCU_REQUEST]++;
	if (m->written > m->buffer_free + m->written_ahead) /* the next level accepts no more */
		m->buffer_free = m->written - m->written_ahead;
	uint64_t *entry = &m->leaves[m->entry], cycles = await_entry(m, *entry, now);
	if (cycles) {
		u->n[APMU_SIG_WBUF_FULL_STALL] += cycles;
		u->n[APMU_SIG_STALL_ST] += u->window ? 0 : cycles; /* out of order the window counts it */
		apmu_uarch__full(u, now, cycles);
	}
	now = writes_at(u, b, i);
	uint64_t begun = put_out(m, u->outside.read ? read_for_store(u, now) : now);
	m->buffer_free = (m->buffer_free > begun ? m->buffer_free : begun) + u->p.write_drain;
	*entry = m->buffer_free;
	m->entry = m->entry + 1 < u->p.write_buffer ? m->entry + 1 : 0;
	m->buffer_line = line;
	apmu_uarch__write_back(m, now);
}

void apmu_uarch__drain(struct apmu_uarch *u)
{
	uint64_t now = u->window ? apmu_uarch__clock_now(u) : u->clock;
	if (u->memory.buffer_free <= now)
		return;
	u->n[APMU_SIG_STALL_BARRIER] += u->memory.buffer_free - now;
	apmu_uarch__wait(u, u->memory.buffer_free - now);
}
