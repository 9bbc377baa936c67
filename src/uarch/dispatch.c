/* SPDX-License-Identifier: MIT */
/* A block run through the window: when each instruction starts and finishes, what dispatch waits for. */
#include "memory.h"
#include "pass.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What else made dispatch wait: a late load, else the queue that is full. */
static void explain(struct apmu__window *w, uint64_t until, uint64_t ticks, enum apmu__waited where)
{
	unsigned k = 1;
	while (k < APMU__CAUSES && until > w->from[k])
		k++;
	if (k < APMU__CAUSES)
		w->waited[APMU__WAIT_MEMORY + k] += ticks;
	else if (where == APMU__WAIT_STORE || where == APMU__WAIT_LOADS)
		w->waited[where] += ticks;
}

static void count_wait(struct apmu__window *w, uint64_t until, enum apmu__waited where)
{
	uint64_t ticks = until - w->now;
	bool window = where == APMU__WAIT_WINDOW || where == APMU__WAIT_BARRIER;
	w->idle += ticks;
	w->waited[window ? APMU__WAIT_WINDOW : APMU__WAIT_QUEUE] += ticks;
	if (until <= w->from[0])
		w->waited[APMU__WAIT_MEMORY] += ticks;
	else if (w->causes)
		explain(w, until, ticks, where);
	if (where == APMU__WAIT_BARRIER)
		w->waited[APMU__WAIT_BARRIER] += ticks;
}

void apmu__window_wait(struct apmu_uarch *u, uint64_t until, enum apmu__waited where)
{
	struct apmu__window *w = u->window;
	if (until <= w->now)
		return;
	if (u->waits)
		count_wait(w, until, where);
	w->now = until;
}

/* A load, or the fetch of a line for a store, that missed: a place among the outstanding misses, then the
 * way to the line. Cycles from `start` to its data. */
static uint64_t miss(struct apmu_uarch *u, const struct apmu__note *note, uint64_t start)
{
	struct apmu__memory *m = &u->memory;
	uint64_t now = apmu__cycle_of(u, start), depart = now;
	apmu__land(m, apmu__cycle_of(u, u->window->now));
	if (m->flights >= u->p.misses) { /* the first to land makes room */
		depart = later(now, m->flight[0].ready);
		apmu__land(m, m->flight[0].ready);
	}
	uint64_t ready = depart + apmu__read(u, depart, note->at, true);
	u->window->departed = start;
	apmu__take_off(m, note->line, APMU__NOWHERE, ready);
	return ready - now;
}

static uint64_t in_flight(const struct apmu_uarch *u, uint64_t line, uint64_t start)
{
	uint64_t now = apmu__cycle_of(u, start);
	for (unsigned k = 0; k < u->memory.flights; k++)
		if (u->memory.flight[k].line == line && u->memory.flight[k].ready > now)
			return u->memory.flight[k].ready - now;
	return 0;
}
/* What makes a load late: an element of from[]; APMU__CAUSES: nothing that is counted. */
unsigned apmu__cause(const struct apmu__note *n)
{
	static const uint8_t of_miss[APMU__PLACES] = {APMU__WAIT_L2, APMU__WAIT_L3, APMU__WAIT_MEMORY};
	static const uint8_t of_cycles[APMU__WAITINGS] = {
		[APMU__FOR_ALIGNMENT] = APMU__WAIT_STORE, [APMU__FOR_CACHE] = APMU__WAIT_L2,
		[APMU__FOR_MAIN] = APMU__WAIT_MAIN,       [APMU__FOR_TABLES] = APMU__WAIT_TABLES,
		[APMU__FOR_L3] = APMU__WAIT_L2,           [APMU__FOR_MEMORY] = APMU__WAIT_L2};
	unsigned waited = n->kind == APMU__LATE_MISS     ? of_miss[n->at]
			  : n->kind == APMU__LATE_CYCLES ? of_cycles[n->at]
							 : APMU__WAIT_L2;
	return waited - APMU__WAIT_MEMORY;
}

/* Where a run stands: the next note of the block, the next load that takes its data from a store. */
struct cursor {
	unsigned note, take;
};

/* A load was late for this: dispatch that waits until it arrives waits for that. */
static void blame(struct apmu__window *w, unsigned cause, uint64_t arrives)
{
	if (cause == 0 || (w->causes && cause < APMU__CAUSES))
		w->from[cause] = later(w->from[cause], arrives);
}

/* Ticks that the notes of one instruction add to its latency. */
static uint64_t lateness(struct apmu_uarch *u, const struct apmu__op *op, struct cursor *at, uint64_t start)
{
	struct apmu__window *w = u->window;
	const struct apmu__note *n = &w->note[at->note], *end = &w->note[w->notes];
	unsigned step = n->step, cause = APMU__CAUSES;
	uint64_t translation = 0, worst = 0;
	for (; n != end && n->step == step; n++) {
		uint64_t from = start + translation * w->cycle, cycles = 0;
		if (n->kind == APMU__LATE_CYCLES)
			translation += n->line;
		else if (n->kind == APMU__LATE_MISS)
			cycles = miss(u, n, from);
		else
			cycles = in_flight(u, n->line, from);
		worst = later(worst, translation + cycles);
		unsigned why = apmu__cause(n);
		cause = why < cause && (cycles || n->kind == APMU__LATE_CYCLES) ? why : cause;
	}
	at->note = (unsigned)(n - w->note);
	if (u->waits && op->load)
		blame(w, cause, start + op->latency + worst * w->cycle);
	return worst * w->cycle;
}

static uint64_t operands_of_many(const struct apmu__window *w, uint64_t set, uint64_t ready)
{
	for (; set; set &= set - 1)
		ready = later(ready, w->ready[__builtin_ctzll(set)]);
	return ready;
}

static void results_of_many(struct apmu__window *w, uint64_t set, uint64_t finish)
{
	for (; set; set &= set - 1)
		w->ready[__builtin_ctzll(set)] = finish;
}

/* When a load can start that takes its data from a store. */
static uint64_t from_store(const struct apmu__window *w, const struct apmu__taken *t, uint32_t stored)
{
	uint64_t passed = w->data[(stored - t->age) % APMU__DATA];
	uint64_t less = t->fails ? 0 : w->fail - w->forward;
	return passed > less ? passed - less : 0;
}

/* When an instruction starts and finishes. */
struct times {
	uint64_t start, finish;
};

/* The line of a store comes in later than it is finished: it waits in its queue and not in the window. */
static inline struct times timed(struct apmu__window *w, const struct apmu__op *op, uint64_t start,
				 uint64_t ticks)
{
	uint64_t finish = start + op->latency, arrives = finish + ticks;
	w->drained = later(w->drained, arrives);
	return (struct times){start, op->load ? arrives : finish};
}

static __attribute__((noinline)) struct times special_any(struct apmu_uarch *u, const struct apmu_block *b,
							  const struct apmu__op *op, struct cursor *at,
							  uint64_t start)
{
	struct apmu__window *w = u->window;
	uint32_t i = (uint32_t)(op - b->op);
	uint64_t ticks = 0;
	if (at->take < w->takes && w->taken[at->take].step == i)
		start = later(start, from_store(w, &w->taken[at->take++], w->stored));
	if (at->note < w->notes && w->note[at->note].step == i)
		ticks = lateness(u, op, at, start);
	return timed(w, op, start, ticks);
}

/* The one in hand takes its data from a store, or is late, or both. Short for the last note of a block that
 * is a translation, whose stalls nobody wants. */
static __attribute__((noinline)) struct times special(struct apmu_uarch *u, const struct apmu_block *b,
						      const struct apmu__op *op, struct cursor *at,
						      uint64_t start)
{
	struct apmu__window *w = u->window;
	const struct apmu__note *n = &w->note[at->note];
	if (u->waits || at->take < w->takes || at->note + 1 != w->notes || n->kind != APMU__LATE_CYCLES)
		return special_any(u, b, op, at, start);
	at->note++;
	return timed(w, op, start, n->line * w->cycle);
}

/* The next of these; NULL: no more. */
static inline const struct apmu__op *next_special(const struct apmu__window *w, const struct apmu_block *b,
						  const struct cursor *at)
{
	uint32_t note = at->note < w->notes ? w->note[at->note].step : UINT32_MAX;
	uint32_t take = at->take < w->takes ? w->taken[at->take].step : UINT32_MAX;
	uint32_t next = note < take ? note : take;
	return next < UINT32_MAX ? &b->op[next] : NULL;
}

/* A run of a block: what changes with each instruction stands here meanwhile, and not in the window. */
struct run {
	struct apmu_uarch *u;
	struct apmu__window *w;
	const struct apmu_block *b;
	uint64_t now, retired, finish; /* finish: w->branch */
	const struct apmu__op *odd;    /* next_special() */
	struct cursor at;
};
#define INLINE static inline __attribute__((always_inline))

/* Dispatch waits until the queue has room for `n` more. */
INLINE void make_room(struct run *r, enum apmu__queues which, unsigned n, enum apmu__waited where)
{
	struct apmu__queue *q = &r->w->queue[which];
	uint32_t first = q->first, last = q->last;
	uint64_t left = (q->count += n) - q->size; /* those up to there have; negative: none */
	if (q->size == 0)
		return;
	for (; first != last && (int64_t)(left - q->chunk[first].count) >= 0; first = (first + 1) & q->mask)
		q->limit = q->chunk[first].until;
	q->first = first;
	if (q->limit <= r->now)
		return;
	r->w->now = r->now;
	if (r->u->waits)
		count_wait(r->w, q->limit, where);
	r->now = q->limit;
}

/* The chunk is in. One that leaves with the chunk before makes no room that the older does not make: the next
 * is put in its place. */
INLINE void push(struct run *r, enum apmu__queues which, uint64_t until)
{
	struct apmu__queue *q = &r->w->queue[which];
	if (q->size == 0)
		return;
	q->chunk[q->last] = (struct apmu__leave){q->count, until};
	q->last = (q->last + (until != q->newest)) & q->mask;
	q->newest = until;
}

/* Dispatches the instructions up to `end`. `plain`: as apmu__op.chunk_plain says. */
INLINE void run_chunk(struct run *r, const struct apmu__op *op, const struct apmu__op *end, bool plain)
{
	struct apmu__window *w = r->w;
	uint64_t now = r->now, retired = r->retired, finish = r->finish;
	do {
		uint64_t *pipe = &w->pipe[op->unit], free = later(*pipe, now);
		uint64_t start = later(w->ready[op->source[0]], w->ready[op->source[1]]);
		start = later(later(free, w->ready[op->source[2]]), start);
		if (!plain && op->many)
			start = operands_of_many(w, op->reads, start);
		*pipe = free + op->hold;
		finish = start + op->latency;
		if (__builtin_expect(op == r->odd, 0)) {
			w->now = now;
			struct times t = special(r->u, r->b, op, &r->at, start);
			start = t.start;
			finish = t.finish;
			r->odd = next_special(w, r->b, &r->at);
		}
		w->ready[op->result[0]] = w->ready[op->result[1]] = finish;
		if (!plain) {
			w->data[w->stored % APMU__DATA] = start + w->fail;
			w->stored += op->store;
			w->ready[op->base] = start + w->cycle;
			if (op->many)
				results_of_many(w, op->writes, finish);
		}
		retired = later(retired, finish);
		now += op->ticks;
	} while (++op != end);
	r->now = now;
	r->retired = retired;
	r->finish = finish;
}

INLINE void dispatch(struct run *r, const struct apmu__op *op, const struct apmu__op *end)
{
	struct apmu__window *w = r->w;
	if (op->chunk_slots)
		make_room(r, APMU__OPS, op->chunk_slots, APMU__WAIT_WINDOW);
	if (op->chunk_loads)
		make_room(r, APMU__LOADS, op->chunk_loads, APMU__WAIT_LOADS);
	if (op->chunk_stores)
		make_room(r, APMU__STORES, op->chunk_stores, APMU__WAIT_STORE);
	if (op->chunk_plain)
		run_chunk(r, op, end, true);
	else
		run_chunk(r, op, end, false);
	w->drained = later(w->drained, r->retired);
	if (op->chunk_slots)
		push(r, APMU__OPS, r->retired);
	if (op->chunk_loads)
		push(r, APMU__LOADS, r->retired);
	if (op->chunk_stores)
		push(r, APMU__STORES, w->drained);
}

void apmu__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n)
{
	struct apmu__window *w = u->window;
	if (w->shape)
		apmu__memo_thaw(w);
	struct run r = {u, w, b, w->now, w->retired, w->branch, NULL, {0, 0}};
	if (w->notes | w->takes)
		r.odd = next_special(w, b, &r.at);
	const struct apmu__op *op = b->op;
	for (; n > APMU__CHUNK; n -= APMU__CHUNK, op += APMU__CHUNK)
		dispatch(&r, op, op + APMU__CHUNK);
	if (n)
		dispatch(&r, op, op + n);
	w->now = r.now;
	w->retired = r.retired;
	w->branch = r.finish;
	w->notes = 0;
	w->takes = 0;
	w->taken_print = 0;
	u->memory.pendings = 0;
	if (b->barriers && op + n == b->op + b->n)
		apmu__window_wait(u, later(w->retired, w->drained), APMU__WAIT_BARRIER);
}
