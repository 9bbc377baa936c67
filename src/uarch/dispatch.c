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

/* Waits until the queue has room for `n` more. */
static inline void make_room(struct apmu_uarch *u, struct apmu__window *w, unsigned which, unsigned n)
{
	static const uint8_t where[APMU__QUEUES] = {APMU__WAIT_WINDOW, APMU__WAIT_LOADS, APMU__WAIT_STORE};
	struct apmu__queue *q = &w->queue[which];
	uint64_t count = q->count += n;
	uint32_t first = q->first;
	if (n == 0 || q->size == 0)
		return;
	for (; first != q->last && q->chunk[first].count + q->size <= count; first = (first + 1) & q->mask)
		q->limit = q->chunk[first].until;
	q->first = first;
	if (q->limit > w->now)
		apmu__window_wait(u, q->limit, (enum apmu__waited)where[which]);
}

/* The chunk is in. One that leaves with the chunk before makes no room that the older does not make: the next
 * is put in its place. */
static inline void push(struct apmu__queue *q, unsigned n, uint64_t until)
{
	if (n == 0 || q->size == 0)
		return;
	q->chunk[q->last] = (struct apmu__leave){q->count, until};
	q->last = (q->last + (until != q->newest)) & q->mask;
	q->newest = until;
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

/* The one in hand takes its data from a store, or is late, or both. The line of a store comes in later than
 * it is finished: it waits in its queue and not in the window. */
static __attribute__((noinline)) struct times special(struct apmu_uarch *u, const struct apmu_block *b,
						      const struct apmu__op *op, struct cursor *at,
						      uint64_t start)
{
	struct apmu__window *w = u->window;
	uint32_t i = (uint32_t)(op - b->op);
	if (at->take < w->takes && w->taken[at->take].step == i)
		start = later(start, from_store(w, &w->taken[at->take++], w->stored));
	uint64_t finish = start + op->latency, arrives = finish;
	if (at->note < w->notes && w->note[at->note].step == i)
		arrives += lateness(u, op, at, start);
	w->drained = later(w->drained, arrives);
	return (struct times){start, op->load ? arrives : finish};
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

/* Dispatches the instructions up to `end` at w->now and on. `plain`: as apmu__op.chunk_plain says. */
static inline __attribute__((always_inline)) void
run_chunk(struct apmu_uarch *u, struct apmu__window *w, const struct apmu_block *b, const struct apmu__op *op,
	  const struct apmu__op *end, struct cursor *at, bool plain)
{
	const struct apmu__op *odd = next_special(w, b, at);
	uint64_t now = w->now, retired = w->retired, finish = w->branch;
	for (; op != end; op++) {
		uint64_t *pipe = &w->pipe[op->unit], free = later(*pipe, now);
		uint64_t start = later(free, later(w->ready[op->source[0]], w->ready[op->source[1]]));
		start = later(start, w->ready[op->source[2]]);
		if (!plain && op->many)
			start = operands_of_many(w, op->reads, start);
		*pipe = free + op->hold;
		finish = start + op->latency;
		if (__builtin_expect(op == odd, 0)) {
			w->now = now;
			struct times t = special(u, b, op, at, start);
			start = t.start;
			finish = t.finish;
			odd = next_special(w, b, at);
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
	}
	w->now = now;
	w->retired = retired;
	w->branch = finish;
	w->drained = later(w->drained, retired);
}

static inline void dispatch(struct apmu_uarch *u, struct apmu__window *w, const struct apmu_block *b,
			    const struct apmu__op *op, const struct apmu__op *end, struct cursor *at)
{
	make_room(u, w, APMU__OPS, op->chunk_slots);
	make_room(u, w, APMU__LOADS, op->chunk_loads);
	make_room(u, w, APMU__STORES, op->chunk_stores);
	if (op->chunk_plain)
		run_chunk(u, w, b, op, end, at, true);
	else
		run_chunk(u, w, b, op, end, at, false);
	push(&w->queue[APMU__OPS], op->chunk_slots, w->retired);
	push(&w->queue[APMU__LOADS], op->chunk_loads, w->retired);
	push(&w->queue[APMU__STORES], op->chunk_stores, w->drained);
}

void apmu__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n)
{
	struct apmu__window *w = u->window;
	struct cursor at = {0, 0};
	if (w->shape)
		apmu__memo_thaw(w);
	for (uint32_t i = 0; i < n; i += APMU__CHUNK)
		dispatch(u, w, b, &b->op[i], &b->op[n - i < APMU__CHUNK ? n : i + APMU__CHUNK], &at);
	w->notes = 0;
	w->takes = 0;
	w->taken_print = 0;
	u->memory.pendings = 0;
	if (b->barriers && n == b->n)
		apmu__window_wait(u, later(w->retired, w->drained), APMU__WAIT_BARRIER);
}
