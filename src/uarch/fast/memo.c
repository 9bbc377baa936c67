/* SPDX-License-Identifier: MIT */
#include "uarch/fast/memo.h"

#include "uarch/machine.h"
#include "uarch/memory.h"
#include "uarch/pass.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CALM            2u    /* blocks run without late accesses before the window is packed */
#define PAYOFF_PERIOD   256u  /* blocks learnt or windows packed between two payoff checks */
#define WORTH           4u    /* blocks found per block learnt, at least, for the memo to pay off */
#define BACKOFF         4096u /* blocks of the first backoff; doubled at each failure */
#define LONGEST_BACKOFF (1u << 16)

/* Bits of a block's end, above those of window.h (APMU_UARCH__END_...). */
#define END_HAS_LATE 0x400u
#define END_LEAVES   0x800u /* a miss or the prefetcher requests a line */
#define END_AT       12     /* two bits: enum apmu_uarch__at of the miss; of prefetches alone END_ALONE */
#define END_ALONE    3u     /* AT_PEER is unused: its lines come at any time, so none is remembered */
#define END_LATE     14     /* eight bits: sum of the LATE_CYCLES */
#define END_CAUSE    22     /* three bits: apmu_uarch__cause(), the least */
#define END_STEP     25     /* seven bits: number of the late instruction */
#define MOST_STEP    127u   /* not allowed: all bits set are END_UNKNOWN */

bool apmu_uarch__memo_init(struct apmu_uarch__window *w)
{
	struct apmu_uarch__memo *m;
	char *memory = calloc(1, sizeof(*m) + APMU_UARCH__HOST_LINE);

	w->memo_memory = memory;
	if (!memory)
		return false;
	m = (void *)(memory + (APMU_UARCH__HOST_LINE - (uintptr_t)memory % APMU_UARCH__HOST_LINE));
	w->memo = m;
	m->used = 1;
	m->payoff.next_backoff = m->other.next_backoff = BACKOFF;
	return true;
}

static void empty(struct apmu_uarch__memo *m)
{
	memset(m->table, 0, sizeof(m->table));
	memset(m->set, 0, sizeof(m->set));
	m->used = 1;
	m->states = 0;
	m->so_far.emptied++;
}

/* Starts a backoff if the memo does not pay off. Looking a block up costs a tenth of running it; learning it,
 * or packing the window, several times as much as running it. */
static void check_payoff(struct apmu_uarch__window *w)
{
	struct apmu_uarch__memo_payoff *m = &w->memo->payoff;
	if (++m->spent < PAYOFF_PERIOD)
		return;
	bool worth = w->followed - m->followed_then >= (uint64_t)WORTH * PAYOFF_PERIOD;
	m->next_backoff = worth                               ? BACKOFF
			  : m->next_backoff < LONGEST_BACKOFF ? m->next_backoff * 2
							      : m->next_backoff;
	m->backoff = worth ? 0 : m->next_backoff;
	m->followed_then = w->followed;
	m->spent = 0;
}

void apmu_uarch__memo_turn(struct apmu_uarch__window *w)
{
	struct apmu_uarch__memo *m = w->memo;
	struct apmu_uarch__memo_payoff before = m->payoff;
	apmu_uarch__memo_unpack(w);
	before.followed_then -= w->followed; /* while not in use: relative to w->followed */
	m->payoff = m->other;
	m->payoff.followed_then += w->followed;
	m->other = before;
}

static uint32_t hash_of(const uint16_t *state, uint32_t n)
{
	uint64_t h = 0;
	for (uint32_t i = 0; i < n; i += 4) {
		uint64_t some = 0;
		memcpy(&some, &state[i], (n - i < 4 ? n - i : 4) * sizeof(*state));
		h = (h ^ some) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
	}
	return (uint32_t)(h >> 32);
}

/* The index of a state, which is added if it is new; 0: no room. */
static uint32_t intern(struct apmu_uarch__memo *m, const uint16_t *state)
{
	uint32_t n = state[0], i = hash_of(state, n) & (APMU_UARCH__STATES - 1);
	for (; m->table[i]; i = (i + 1) & (APMU_UARCH__STATES - 1))
		if (m->room[m->table[i]] == n && !memcmp(&m->room[m->table[i]], state, n * sizeof(*state)))
			return m->table[i];
	if (m->used + n > APMU_UARCH__ROOM || m->states == APMU_UARCH__STATES / 2)
		return 0;
	uint32_t at = m->used;
	memcpy(&m->room[at], state, n * sizeof(*state));
	m->table[i] = at;
	m->used += n;
	m->states++;
	return at;
}

/* Packs the window into a state of the memo; a full memo is emptied first. False: not possible. */
static bool pack(struct apmu_uarch__window *w)
{
	struct apmu_uarch__memo *m = w->memo;
	uint16_t state[APMU_UARCH__LONGEST];
	apmu_uarch__pipes_from(&w->pipes, apmu_uarch__dispatching(w)); /* it may have stalled since */
	if (!apmu_uarch__memo_describe(w, state))
		return false;
	w->state = intern(m, state);
	if (!w->state) {
		empty(m);
		w->state = intern(m, state);
	}
	w->late_stores = apmu_uarch__memo_late_stores(w);
	return true;
}

/* True if a miss would leave at once, in whatever cycle of the block it starts. */
static bool at_once(const struct apmu_uarch *u, enum apmu_uarch__at at)
{
	const struct apmu_uarch__memory *m = &u->memory;
	uint64_t now = apmu_uarch__clock_now(u);
	bool writes = at == APMU_UARCH__AT_MEMORY && m->written > now + m->written_ahead;
	return m->mshrs < u->p.misses && m->free[at] <= now && !writes && !apmu_uarch__chained(u, now, at);
}

/* Adds the late accesses to a block's end; APMU_UARCH__END_UNKNOWN unless one instruction made all of them
 * and they are equally late each time. A miss is, while the bus to its level is free. */
static uint32_t end_of(const struct apmu_uarch *u, uint32_t end)
{
	const struct apmu_uarch__window *w = u->window;
	uint32_t late = 0, cause = APMU_UARCH__CAUSES;
	if (w->late_accesses == 0)
		return end;
	for (unsigned k = 0; k < w->late_accesses; k++) {
		const struct apmu_uarch__late_access *n = &w->late_access[k];
		if (n->step != w->late_access[0].step)
			return APMU_UARCH__END_UNKNOWN;
		if (n->kind == APMU_UARCH__LATE_TRIGGER) {
			end |= end & END_LEAVES ? 0 : END_LEAVES | END_ALONE << END_AT;
			continue;
		}
		if (n->kind == APMU_UARCH__LATE_MISS && n->at == APMU_UARCH__AT_PEER)
			return APMU_UARCH__END_UNKNOWN;
		if ((end & END_LEAVES) || n->kind == APMU_UARCH__LATE_IN_FLIGHT ||
		    n->kind == APMU_UARCH__LATE_PREFETCHED)
			return APMU_UARCH__END_UNKNOWN;
		cause = apmu_uarch__cause(n) < cause ? apmu_uarch__cause(n) : cause;
		if (n->kind == APMU_UARCH__LATE_CYCLES)
			late += (uint32_t)(n->value < 256 ? n->value : 256);
		else if (!at_once(u, (enum apmu_uarch__at)n->at))
			return APMU_UARCH__END_UNKNOWN;
		else
			end |= END_LEAVES | (uint32_t)n->at << END_AT;
	}
	if (late > 255 || w->late_access[0].step >= MOST_STEP)
		return APMU_UARCH__END_UNKNOWN;
	return end | END_HAS_LATE | late << END_LATE | cause << END_CAUSE |
	       (uint32_t)w->late_access[0].step << END_STEP;
}

static struct apmu_uarch__stalls *stalls_of(struct apmu_uarch__memo *m,
					    const struct apmu_uarch__transition *e)
{
	return &m->stalls[e - m->set->way];
}

void apmu_uarch__memo_stalled(struct apmu_uarch *u, const struct apmu_uarch__transition *e)
{
	struct apmu_uarch__window *w = u->window;
	const struct apmu_uarch__stalls *s = stalls_of(w->memo, e);
	for (unsigned k = 0; k < APMU_UARCH__STALL_KINDS; k++)
		w->stalled[k] += s->stalled[k];
	w->idle += s->idle;
	u->n[APMU_SIG_OP_SPEC] += s->wrong;
	u->n[APMU_SIG_FETCH_STALL] += s->starved;
	u->n[APMU_SIG_SLOT_FRONT] += (w->unfed + s->unfed) / APMU_UARCH__TICKS;
	w->unfed = (w->unfed + s->unfed) % APMU_UARCH__TICKS;
}

/* Sends out the block's only miss and its prefetches, at the remembered cycle after the block's begin. */
static void leave(struct apmu_uarch *u, const struct apmu_uarch__transition *e)
{
	struct apmu_uarch__window *w = u->window;
	uint64_t issued = apmu_uarch__clock_now(u) + stalls_of(w->memo, e)->issued;
	for (const struct apmu_uarch__late_access *n = w->late_access; n != &w->late_access[w->late_accesses];
	     n++) {
		enum apmu_uarch__at at = (enum apmu_uarch__at)n->at;
		if (n->kind == APMU_UARCH__LATE_TRIGGER)
			apmu_uarch__request_prefetch(u, (uint32_t)n->value, at, issued);
		else if (n->kind == APMU_UARCH__LATE_MISS)
			apmu_uarch__issue_miss_at(u, n->value, issued, at);
	}
	u->memory.pendings = 0;
}

/* The way of the set that a new transition goes to. */
static struct apmu_uarch__transition *replace(struct apmu_uarch__memo *m, struct apmu_uarch__memo_set *set)
{
	for (unsigned k = 0; k < APMU_UARCH__SET_WAYS; k++)
		if (!set->way[k].tag)
			return &set->way[k];
	return &set->way[m->victim++ % APMU_UARCH__SET_WAYS];
}

/* Counts that running a block changes, beside time. */
struct counts {
	uint32_t stalled[APMU_UARCH__STALL_KINDS], idle, wrong, unfed, starved;
};

static struct counts counts_of(const struct apmu_uarch *u)
{
	const struct apmu_uarch__window *w = u->window;
	struct counts c = {.idle = (uint32_t)w->idle,
			   .wrong = (uint32_t)u->n[APMU_SIG_OP_SPEC],
			   .unfed = (uint32_t)(u->n[APMU_SIG_SLOT_FRONT] * APMU_UARCH__TICKS) + w->unfed,
			   .starved = (uint32_t)u->n[APMU_SIG_FETCH_STALL]};
	for (unsigned k = 0; k < APMU_UARCH__STALL_KINDS; k++)
		c.stalled[k] = (uint32_t)w->stalled[k];
	return c;
}

/* What was added since `before`. *most: the bitwise OR of the values that are kept in 16 bits. */
static struct apmu_uarch__stalls counts_since(const struct apmu_uarch *u, const struct counts *before,
					      uint32_t *most)
{
	struct counts now = counts_of(u);
	struct apmu_uarch__stalls s = {.idle = now.idle - before->idle};
	uint32_t wrong = now.wrong - before->wrong, unfed = now.unfed - before->unfed,
		 starved = now.starved - before->starved;
	*most = wrong | unfed | starved;
	s.wrong = (uint16_t)wrong;
	s.unfed = (uint16_t)unfed;
	s.starved = (uint16_t)starved;
	for (unsigned k = 0; k < APMU_UARCH__STALL_KINDS; k++) {
		uint32_t waited = now.stalled[k] - before->stalled[k];
		*most |= waited;
		s.stalled[k] = (uint16_t)waited;
	}
	return s;
}

/* True if stalls, or wrong-path operations, that are wanted were added. */
static bool counts_more(const struct apmu_uarch *u, const struct apmu_uarch__stalls *s)
{
	uint32_t waits = s->stalled[APMU_UARCH__STALL_WINDOW] | s->stalled[APMU_UARCH__STALL_QUEUE] |
			 s->idle; /* other causes are parts of these */
	return (u->stalls && waits) || (u->ops && s->wrong) || s->unfed;
}

/* Runs the block and remembers the transition, if the memo still has the state it began in. */
static void learn(struct apmu_uarch *u, const struct apmu_block *b, uint32_t ended, uint32_t end)
{
	struct apmu_uarch__window *w = u->window;
	struct apmu_uarch__memo *m = w->memo;
	struct counts before = counts_of(u);
	uint64_t now = w->now, began = apmu_uarch__dispatching(w), tag = apmu_uarch__memo_tag(w, b, end);
	struct apmu_uarch__memo_set *set = apmu_uarch__memo_set(m, w->state, b);
	uint32_t emptied = m->so_far.emptied, most;
	apmu_uarch__window_step(u, b, ended);
	m->so_far.learnt++;
	check_payoff(w);
	uint64_t ticks = w->now - now;
	if (m->payoff.backoff || !pack(w) || m->so_far.emptied != emptied || ticks > APMU_UARCH__MOST_TICKS)
		return;
	struct apmu_uarch__stalls s = counts_since(u, &before, &most);
	if (most > UINT16_MAX)
		return; /* too long to be remembered */
	bool stalled = counts_more(u, &s);
	struct apmu_uarch__transition *e = replace(m, set);
	*e = (struct apmu_uarch__transition){.tag = tag,
					     .to = w->state,
					     .ticks = (uint32_t)ticks & APMU_UARCH__MOST_TICKS,
					     .late_stores = w->late_stores & APMU_UARCH__AGES,
					     .stalled = stalled};
	s.issued = end & END_LEAVES ? (uint32_t)(w->issued - began) : 0;
	if (stalled || (end & END_LEAVES))
		*stalls_of(m, e) = s;
}

static void follow(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_uarch__transition *e,
		   uint32_t end)
{
	struct apmu_uarch__window *w = u->window;
	if (end & END_LEAVES)
		leave(u, e);
	apmu_uarch__memo_follow(u, w, b, e);
	w->late_accesses = 0;
}

static void pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t ended)
{
	struct apmu_uarch__window *w = u->window;
	struct apmu_uarch__memo *m = w->memo;
	if (b->n == 0)
		return;
	uint32_t end = w->state ? end_of(u, ended) : APMU_UARCH__END_UNKNOWN;
	if (end != APMU_UARCH__END_UNKNOWN) {
		uint64_t tag = apmu_uarch__memo_tag(w, b, end);
		const struct apmu_uarch__transition *e =
			apmu_uarch__memo_way(apmu_uarch__memo_set(m, w->state, b), tag);
		if (e->tag == tag)
			follow(u, b, e, end);
		else
			learn(u, b, ended, end);
		return;
	}
	m->calm = w->late_accesses ? 0 : m->calm + 1;
	apmu_uarch__window_step(u, b, ended);
	if (m->calm < CALM)
		return;
	check_payoff(w);
	if (!m->payoff.backoff)
		pack(w);
}

void apmu_uarch__memo_pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	pass(u, b, end);
	if (u->memory.mshrs)
		apmu_uarch__free_mshrs(&u->memory, apmu_uarch__clock_now(u));
}

struct apmu_uarch__memo_counts apmu_uarch__memo_counts(const struct apmu_uarch__window *w)
{
	struct apmu_uarch__memo_counts f = w->memo->so_far;
	f.followed = w->followed;
	return f;
}
