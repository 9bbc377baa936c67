/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "memory.h"
#include "pass.h"

#include <stdlib.h>

static uint32_t chunks(uint32_t size)
{
	uint32_t n = 1;
	while (size && n <= size + 1)
		n *= 2;
	return n;
}

struct apmu__window *apmu__window_new(const struct apmu_uarch_params *p)
{
	const uint32_t size[APMU__QUEUES] = {p->rob, p->load_queue, p->store_queue};
	uint32_t all = chunks(size[0]) + chunks(size[1]) + chunks(size[2]);
	struct apmu__window *w = calloc(1, sizeof(*w) + all * sizeof(w->chunk[0]));
	if (!w)
		return NULL;
	for (unsigned q = 0; q < APMU__QUEUES; q++) {
		all -= chunks(size[q]);
		w->queue[q] = (struct apmu__queue){
			.size = size[q], .mask = chunks(size[q]) - 1, .chunk = &w->chunk[all]};
	}
	w->cycle = apmu__ticks_per_cycle(p);
	unsigned hit = p->result[APMU_CLASS_LOAD];
	w->forward = p->forward > hit ? (p->forward - hit) * w->cycle : 0;
	w->fail = p->forward_fail > hit ? (p->forward_fail - hit) * w->cycle : 0;
	w->fail = w->fail > w->forward ? w->fail : w->forward;
	w->inverse = (uint32_t)(((uint64_t)1 << APMU__INVERSE) / w->cycle + 1);
	w->memo = apmu__memo_new();
	w->edge = &apmu__edge_none;
	if (w->memo)
		return w;
	free(w);
	return NULL;
}

void apmu__window_free(struct apmu__window *w)
{
	if (w)
		free(w->memo);
	free(w);
}

static uint64_t later(uint64_t a, uint64_t b)
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

/* Dispatch waits until `until`: window or queue full. */
static void wait_back(struct apmu_uarch *u, uint64_t until, enum apmu__waited where)
{
	struct apmu__window *w = u->window;
	if (until <= w->now)
		return;
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
	w->now = until;
}

void apmu__window_starve(struct apmu_uarch *u, uint64_t cycles)
{
	struct apmu__window *w = u->window;
	apmu__memo_thaw(w);
	w->now += cycles * w->cycle;
	u->n[APMU_SIG_SLOT_FRONT] += cycles * u->p.width;
}

void apmu__window_hold(struct apmu_uarch *u, uint64_t cycles)
{
	apmu__memo_thaw(u->window);
	wait_back(u, u->window->now + cycles * u->window->cycle, APMU__WAIT_STORE);
}

/* Waits until the queue has room for `n` more. */
static inline void make_room(struct apmu_uarch *u, unsigned which, unsigned n)
{
	static const uint8_t where[APMU__QUEUES] = {APMU__WAIT_WINDOW, APMU__WAIT_LOADS, APMU__WAIT_STORE};
	struct apmu__queue *q = &u->window->queue[which];
	q->count += n;
	if (n == 0 || q->size == 0)
		return;
	for (; q->first != q->last && q->chunk[q->first].count + q->size <= q->count;
	     q->first = (q->first + 1) & q->mask)
		q->limit = q->chunk[q->first].until;
	wait_back(u, q->limit, (enum apmu__waited)where[which]);
}

/* The chunk is in. One that leaves with the chunk before makes no room that the older does not make. */
static inline void push(struct apmu__queue *q, unsigned n, uint64_t until)
{
	if (n == 0 || q->size == 0 ||
	    (q->first != q->last && q->chunk[(q->last - 1) & q->mask].until == until))
		return;
	q->chunk[q->last] = (struct apmu__leave){q->count, until};
	q->last = (q->last + 1) & q->mask;
}

/* A load, or the fetch of a line for a store, that missed: a place among the outstanding misses, then the
 * way to the line. Cycles from `start` to its data. */
static uint64_t miss(struct apmu_uarch *u, const struct apmu__note *note, uint64_t start)
{
	struct apmu__memory *m = &u->memory;
	uint64_t now = start / u->window->cycle, depart = now;
	apmu__land(m, u->window->now / u->window->cycle);
	if (m->flights >= u->p.misses) { /* the first to land makes room */
		depart = later(now, m->flight[0].ready);
		apmu__land(m, m->flight[0].ready);
	}
	uint64_t ready = depart + apmu__read_bus(u, depart, note->at);
	u->window->departed = start;
	apmu__take_off(m, note->line, APMU__NOWHERE, ready);
	return ready - now;
}

static uint64_t in_flight(const struct apmu_uarch *u, uint64_t line, uint64_t start)
{
	uint64_t now = start / u->window->cycle;
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

/* Ticks that the notes of one instruction add to its latency. */
static uint64_t lateness(struct apmu_uarch *u, const struct apmu__op *op, unsigned *note, uint64_t start)
{
	struct apmu__window *w = u->window;
	unsigned step = w->note[*note].step;
	uint64_t translation = 0, worst = 0;
	unsigned cause = APMU__CAUSES;
	for (; *note < w->notes && w->note[*note].step == step; ++*note) {
		const struct apmu__note *n = &w->note[*note];
		uint64_t from = start + translation * w->cycle, cycles = 0;
		if (n->kind == APMU__LATE_CYCLES)
			translation += n->line;
		else if (n->kind == APMU__LATE_MISS)
			cycles = miss(u, n, from);
		else
			cycles = in_flight(u, n->line, from);
		unsigned why = apmu__cause(n);
		cause = why < cause && (cycles || n->kind == APMU__LATE_CYCLES) ? why : cause;
		worst = later(worst, translation + cycles);
	}
	if (op->load && (cause == 0 || (w->causes && cause < APMU__CAUSES)))
		w->from[cause] = later(w->from[cause], start + op->latency + worst * w->cycle);
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

/* The instruction was late: when it is finished; its line comes in later than that if it is a store, which
 * waits in its queue and not in the window. */
static __attribute__((noinline)) uint64_t late(struct apmu_uarch *u, const struct apmu__op *op,
					       unsigned *note, uint64_t start)
{
	struct apmu__window *w = u->window;
	uint64_t finish = start + op->latency;
	uint64_t arrives = finish + lateness(u, op, note, start);
	w->drained = later(w->drained, arrives);
	return op->load ? arrives : finish;
}

/* When a load can start that takes its data from a store. */
static uint64_t from_store(const struct apmu__window *w, const struct apmu__taken *t, uint32_t stored)
{
	uint64_t passed = w->data[(stored - t->age) % APMU__DATA];
	uint64_t less = t->fails ? 0 : w->fail - w->forward;
	return passed > less ? passed - less : 0;
}

/* Dispatches the instructions from `i` to `end` at w->now and on; `note` is the next note of the block,
 * `take` the next load that takes its data from a store. */
static void run_chunk(struct apmu_uarch *u, struct apmu__window *w, const struct apmu_block *b, uint32_t i,
		      uint32_t end, unsigned *note, unsigned *take)
{
	uint32_t stored = w->stored, takes = *take < w->takes ? w->taken[*take].step : UINT32_MAX;
	uint64_t now = w->now, retired = w->retired, finish = w->branch;
	uint32_t noted = *note < w->notes ? w->note[*note].step : UINT32_MAX;
	for (const struct apmu__op *op = &b->op[i]; i < end; i++, op++) {
		uint64_t *pipe = &w->pipe[op->unit], busy = *pipe;
		uint64_t start =
			later(later(now, busy), later(w->ready[op->source[0]], w->ready[op->source[1]]));
		start = later(start, w->ready[op->source[2]]);
		if (op->many)
			start = operands_of_many(w, op->reads, start);
		if (i == takes) {
			start = later(start, from_store(w, &w->taken[(*take)++], stored));
			takes = *take < w->takes ? w->taken[*take].step : UINT32_MAX;
		}
		w->data[stored % APMU__DATA] = start + w->fail;
		stored += op->store;
		*pipe = later(busy, now) + op->hold;
		finish = start + op->latency;
		if (i == noted) {
			w->now = now;
			finish = late(u, op, note, start);
			noted = *note < w->notes ? w->note[*note].step : UINT32_MAX;
		}
		w->ready[op->result[0]] = w->ready[op->result[1]] = finish;
		w->ready[op->base] = start + w->cycle;
		if (op->many)
			results_of_many(w, op->writes, finish);
		retired = later(retired, finish);
		now += op->ticks;
	}
	w->now = now;
	w->stored = stored;
	w->retired = retired;
	w->branch = finish;
	w->drained = later(w->drained, retired);
}

static void dispatch(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i, uint32_t n, unsigned *note,
		     unsigned *take)
{
	struct apmu__window *w = u->window;
	const struct apmu__op *op = &b->op[i];
	make_room(u, APMU__OPS, op->chunk_slots);
	make_room(u, APMU__LOADS, op->chunk_loads);
	make_room(u, APMU__STORES, op->chunk_stores);
	run_chunk(u, w, b, i, n - i < APMU__CHUNK ? n : i + APMU__CHUNK, note, take);
	push(&w->queue[APMU__OPS], op->chunk_slots, w->retired);
	push(&w->queue[APMU__LOADS], op->chunk_loads, w->retired);
	push(&w->queue[APMU__STORES], op->chunk_stores, w->drained);
}

void apmu__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n)
{
	struct apmu__window *w = u->window;
	unsigned note = 0, take = 0;
	apmu__memo_thaw(w);
	for (uint32_t i = 0; i < n; i += APMU__CHUNK)
		dispatch(u, b, i, n, &note, &take);
	w->notes = 0;
	w->takes = 0;
	w->taken_print = 0;
	u->memory.pendings = 0;
	if (b->barriers && n == b->n)
		wait_back(u, later(w->retired, w->drained), APMU__WAIT_BARRIER);
}

/* Until a mispredicted branch is executed, what is dispatched is in vain, and no more of it than the window
 * holds. */
static void go_wrong(struct apmu_uarch *u, uint64_t until)
{
	struct apmu__window *w = u->window;
	uint64_t slots = (until - w->now) / APMU__TICKS, wrong = slots < u->p.rob ? slots : u->p.rob;
	u->n[APMU_SIG_OP_SPEC] += wrong;
	w->idle += until - w->now - wrong * APMU__TICKS;
	w->waited[APMU__WAIT_WINDOW] += (slots - wrong) * APMU__TICKS;
	w->now = until;
}

/* The branch at the block's end. */
static void turn(struct apmu_uarch *u, unsigned cycles, bool flushed)
{
	struct apmu__window *w = u->window;
	if (flushed && w->branch > w->now + w->cycle)
		go_wrong(u, w->branch - w->cycle);
	w->now += (uint64_t)cycles * w->cycle;
}

void apmu__window_step(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed)
{
	apmu__window_run(u, b, b->n);
	turn(u, cycles, flushed);
}

void apmu__window_pass(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed)
{
	struct apmu__window *w = u->window;
	if (!w->memo)
		apmu__window_step(u, b, cycles, flushed);
	else if (b->n)
		apmu__memo_pass(u, b, cycles, flushed);
	u->n[APMU_SIG_SLOT_FRONT] += (uint64_t)cycles * u->p.width;
	if (!flushed)
		u->n[APMU_SIG_FETCH_STALL] += cycles;
	if (u->memory.flights)
		apmu__land(&u->memory, w->now / w->cycle);
}

/* Whole cycles of one kind, at most so many; how many. */
static uint64_t tell_wait(struct apmu_uarch *u, enum apmu__waited k, uint64_t most)
{
	static const uint8_t signal[APMU__WAITS] = {APMU_SIG_DATA_STALL,       APMU_SIG_LSU_FULL_STALL,
						    APMU_SIG_STALL_BACK_MEM,   APMU_SIG_STALL_BACK_L3,
						    APMU_SIG_STALL_BACK_L2,    APMU_SIG_STALL_BACK_TLB,
						    APMU_SIG_STALL_BACK_TLB,   APMU_SIG_STALL_ST,
						    APMU_SIG_STALL_BACK_QUEUE, APMU_SIG_STALL_BARRIER};
	struct apmu__window *w = u->window;
	uint64_t cycles = apmu__whole_cycles(w, w->waited[k]);
	cycles = cycles < most ? cycles : most;
	u->n[signal[k]] += cycles;
	w->waited[k] -= cycles * w->cycle;
	if (k >= APMU__WAIT_MEMORY && k <= APMU__WAIT_STORE)
		u->n[APMU_SIG_STALL_BACK_BOUND] += cycles;
	u->n[APMU_SIG_STALL_BACK_MAIN] += k == APMU__WAIT_MAIN ? cycles : 0;
	return cycles;
}

/* Parts of what was told as stalls: no more than that. A barrier's are parts of other parts. */
static void tell_causes(struct apmu_uarch *u)
{
	for (unsigned k = APMU__WAIT_L3; k <= APMU__WAIT_LOADS; k++)
		u->window->parted -= tell_wait(u, (enum apmu__waited)k, u->window->parted);
	tell_wait(u, APMU__WAIT_BARRIER, UINT64_MAX);
}

void apmu__window_tell_waits(struct apmu_uarch *u)
{
	struct apmu__window *w = u->window;
	w->parted += tell_wait(u, APMU__WAIT_WINDOW, UINT64_MAX) + tell_wait(u, APMU__WAIT_QUEUE, UINT64_MAX);
	w->parted -= tell_wait(u, APMU__WAIT_MEMORY, w->parted);
	if (u->window->causes)
		tell_causes(u);
	u->n[APMU_SIG_SLOT_BACK] += w->idle / APMU__TICKS;
	w->idle %= APMU__TICKS;
}

void apmu__window_tell(struct apmu_uarch *u)
{
	apmu__tell(u);
}

/* Does anything on its way bring the line? Only then can a hit on it be late. */
static bool on_its_way(const struct apmu_uarch *u, uint64_t line)
{
	const struct apmu__window *w = u->window;
	for (unsigned k = 0; k < u->memory.flights; k++)
		if (u->memory.flight[k].line == line)
			return true;
	for (unsigned k = 0; u->memory.pendings && k < w->notes; k++)
		if (w->note[k].kind == APMU__LATE_MISS && w->note[k].line == line)
			return true;
	return false;
}

void apmu__window_note(struct apmu_uarch *u, unsigned i, enum apmu__late kind, unsigned at, uint64_t value)
{
	struct apmu__window *w = u->window;
	if (w->notes == APMU__NOTES || i > UINT16_MAX)
		return;
	if ((kind == APMU__LATE_CYCLES && value == 0) ||
	    (kind == APMU__LATE_IN_FLIGHT && !on_its_way(u, value)))
		return;
	u->memory.pendings += kind == APMU__LATE_MISS;
	w->note[w->notes++] = (struct apmu__note){value, (uint16_t)i, (uint8_t)kind, (uint8_t)at};
}
