/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "machine.h"

#include <stdlib.h>

struct apmu__window *apmu__window_new(const struct apmu_uarch_params *p)
{
	unsigned chunks = 2;
	while (chunks <= p->rob + 1u)
		chunks *= 2;
	struct apmu__window *w = calloc(1, sizeof(*w) + chunks * sizeof(w->ring[0]));
	if (!w)
		return NULL;
	w->ring_mask = chunks - 1;
	w->cycle = apmu__ticks_per_cycle(p);
	return w;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Whole cycles of `ticks`; what is left over waits in *rest. */
static uint64_t cycles_of(const struct apmu__window *w, uint64_t ticks, uint32_t *rest)
{
	uint64_t all = ticks + *rest;
	*rest = (uint32_t)(all % w->cycle);
	return all / w->cycle;
}

/* Dispatch waits until `until`: window or queue full. */
static void wait_back(struct apmu_uarch *u, uint64_t until, bool queue)
{
	struct apmu__window *w = u->window;
	if (until <= w->now)
		return;
	uint64_t ticks = until - w->now;
	u->n[APMU_SIG_SLOT_BACK] += ticks / APMU__TICKS;
	if (queue)
		u->n[APMU_SIG_LSU_FULL_STALL] += cycles_of(w, ticks, &w->full);
	else
		u->n[APMU_SIG_DATA_STALL] += cycles_of(w, ticks, &w->back);
	if (until <= w->from_memory)
		u->n[APMU_SIG_STALL_BACK_MEM] += cycles_of(w, ticks, &w->memory);
	w->now = until;
}

void apmu__window_starve(struct apmu_uarch *u, uint64_t cycles)
{
	struct apmu__window *w = u->window;
	w->now += cycles * w->cycle;
	u->n[APMU_SIG_SLOT_FRONT] += cycles * u->p.width;
}

void apmu__window_hold(struct apmu_uarch *u, uint64_t cycles)
{
	wait_back(u, u->window->now + cycles * u->window->cycle, true);
}

/* Is there room for a chunk, and for the loads and stores in it? */
static void make_room(struct apmu_uarch *u, const struct apmu__op *op)
{
	struct apmu__window *w = u->window;
	uint64_t ops = w->ops + op->chunk_slots, loads = w->loads + op->chunk_loads;
	uint64_t stores = w->stores + op->chunk_stores;
	for (; w->first_op != w->last && w->ring[w->first_op].ops + u->p.rob <= ops;
	     w->first_op = (w->first_op + 1) & w->ring_mask)
		w->limit_op = w->ring[w->first_op].retired;
	wait_back(u, w->limit_op, false);
	if (loads != w->loads && u->p.load_queue) {
		for (; w->first_load != w->last && w->ring[w->first_load].loads + u->p.load_queue <= loads;
		     w->first_load = (w->first_load + 1) & w->ring_mask)
			w->limit_load = w->ring[w->first_load].retired;
		wait_back(u, w->limit_load, true);
	}
	if (stores != w->stores && u->p.store_queue) {
		for (;
		     w->first_store != w->last && w->ring[w->first_store].stores + u->p.store_queue <= stores;
		     w->first_store = (w->first_store + 1) & w->ring_mask)
			w->limit_store = w->ring[w->first_store].drained;
		wait_back(u, w->limit_store, true);
	}
	w->ops = ops;
	w->loads = loads;
	w->stores = stores;
}

/* The oldest chunk of all leaves the ring when its place is needed: the queues' pointers go along. */
static void push(struct apmu__window *w)
{
	unsigned next = (w->last + 1) & w->ring_mask;
	w->ring[w->last] = (struct apmu__chunk){w->ops, w->loads, w->stores, w->retired, w->drained};
	if (next == w->first_op)
		w->first_op = (next + 1) & w->ring_mask;
	if (next == w->first_load)
		w->first_load = (next + 1) & w->ring_mask;
	if (next == w->first_store)
		w->first_store = (next + 1) & w->ring_mask;
	w->last = next;
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
	apmu__take_off(m, note->line, ready);
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

/* Ticks that the notes of one instruction add to its latency. */
static uint64_t lateness(struct apmu_uarch *u, const struct apmu__op *op, unsigned *note, uint64_t start)
{
	struct apmu__window *w = u->window;
	unsigned step = w->note[*note].step;
	uint64_t translation = 0, worst = 0;
	bool memory = false;
	for (; *note < w->notes && w->note[*note].step == step; ++*note) {
		const struct apmu__note *n = &w->note[*note];
		uint64_t from = start + translation * w->cycle, cycles = 0;
		if (n->kind == APMU__LATE_CYCLES)
			translation += n->line;
		else if (n->kind == APMU__LATE_MISS)
			cycles = miss(u, n, from);
		else
			cycles = in_flight(u, n->line, from);
		memory |= cycles && n->at == APMU__AT_MEMORY && n->kind == APMU__LATE_MISS;
		worst = later(worst, translation + cycles);
	}
	if (memory && op->load)
		w->from_memory = later(w->from_memory, start + op->latency + worst * w->cycle);
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

/* Dispatches the instructions from `i` to `end` at w->now and on; `note` is the next note of the block. */
static void run_chunk(struct apmu_uarch *u, struct apmu__window *w, const struct apmu_block *b, uint32_t i,
		      uint32_t end, unsigned *note)
{
	uint64_t now = w->now, retired = w->retired, finish = w->branch;
	uint32_t noted = *note < w->notes ? w->note[*note].step : UINT32_MAX;
	for (const struct apmu__op *op = &b->op[i]; i < end; i++, op++) {
		uint64_t *pipe = &w->pipe[op->unit], busy = *pipe;
		uint64_t start =
			later(later(now, busy), later(w->ready[op->source[0]], w->ready[op->source[1]]));
		start = later(start, w->ready[op->source[2]]);
		if (op->many)
			start = operands_of_many(w, op->reads, start);
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
	w->retired = retired;
	w->branch = finish;
	w->drained = later(w->drained, retired);
}

void apmu__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n)
{
	struct apmu__window *w = u->window;
	unsigned note = 0;
	for (uint32_t i = 0; i < n; i += APMU__CHUNK) {
		make_room(u, &b->op[i]);
		run_chunk(u, w, b, i, n - i < APMU__CHUNK ? n : i + APMU__CHUNK, &note);
		push(w);
	}
	w->notes = 0;
	u->memory.pendings = 0;
	if (b->barriers && n == b->n)
		wait_back(u, later(w->retired, w->drained), false);
	if (u->memory.flights)
		apmu__land(&u->memory, w->now / w->cycle);
}

void apmu__window_branch(struct apmu_uarch *u, unsigned cycles, bool flushed)
{
	struct apmu__window *w = u->window;
	if (flushed &&
	    w->branch > w->now + w->cycle) { /* what is dispatched until it is executed is in vain */
		uint64_t wrong = (w->branch - w->cycle - w->now) / APMU__TICKS;
		u->n[APMU_SIG_OP_SPEC] += wrong < u->p.rob ? wrong : u->p.rob;
		w->now = w->branch - w->cycle;
	}
	w->now += (uint64_t)cycles * w->cycle;
	u->n[APMU_SIG_SLOT_FRONT] += (uint64_t)cycles * u->p.width;
	if (!flushed)
		u->n[APMU_SIG_FETCH_STALL] += cycles;
}

void apmu__window_tell(struct apmu_uarch *u)
{
	struct apmu__window *w = u->window;
	uint64_t ticks = w->now - w->told;
	uint64_t cycles =
		ticks > UINT32_MAX ? ticks / w->cycle : (uint32_t)ticks / w->cycle; /* 64 bits are dear */
	w->told += cycles * w->cycle;
	u->clock += cycles;
	u->n[APMU_SIG_CYCLES] += cycles;
}

void apmu__window_note(struct apmu_uarch *u, unsigned i, enum apmu__late kind, unsigned at, uint64_t value)
{
	struct apmu__window *w = u->window;
	if (w->notes == APMU__NOTES || i > UINT16_MAX)
		return;
	u->memory.pendings += kind == APMU__LATE_MISS;
	w->note[w->notes++] = (struct apmu__note){value, (uint16_t)i, (uint8_t)kind, (uint8_t)at};
}
