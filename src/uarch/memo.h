/* SPDX-License-Identifier: MIT */
/**
 * What the out-of-order model has worked out before.
 *
 * What a block does to the window depends on the block, on what in the window is later than its dispatch time
 * and by how much, on how its branch ended, and on which of its accesses were late. Programs repeat
 * themselves, so this is looked up instead of run: the state, relative to the dispatch time, is a *shape*,
 * kept once; an *edge* leads from a shape by a block to the next shape and says what dispatch time and stalls
 * that added.
 *
 * The counts are the same as without, to the last one: an edge is what a run of the block gave, and what a
 * run can give depends on nothing that a shape leaves out. It leaves out: times at or before the dispatch
 * time, for nothing starts before it; registers that nobody reads; of the window's chunks those that have
 * left, and of several that leave together all but the oldest, which makes the same room earlier.
 *
 * A block that is new to its shape is run and remembered. Where that happens too often, or several accesses
 * of a block miss at once, or the fetch side has nothing, the state is taken out of the memo and blocks are
 * run until it is quiet again. When the memo is full it is emptied.
 */
#ifndef APMU_UARCH_MEMO_H
#define APMU_UARCH_MEMO_H

#include "window.h"

#define APMU__ROOM        (1u << 18) /* words of shapes */
#define APMU__SHAPES      (1u << 14) /* a power of two, twice the most shapes */
#define APMU__EDGES       (1u << 13) /* places for edges from one shape by one block, a power of two */
#define APMU__EDGE_WAYS   2u         /* ... mispredicted or not */
#define APMU__HOST_LINE   64u        /* bytes of the host's cache, a likely figure */
#define APMU__END_FLUSHED 0x100u     /* apmu__edge.end: of a mispredicted branch; below: what it cost */

struct apmu__edge {
	uint64_t block;    /* its print, and that of the loads that took data from stores */
	uint32_t from, to; /* shapes; from 0: none here */
	uint32_t end;      /* how the block ended, and which access of it was late: a word */
	uint32_t ticks;    /* of dispatch */
	uint32_t departs;  /* ticks from the block's begin to the miss */
	uint32_t stalls;   /* not 0: look into its struct apmu__stalls */
};

/* What few edges have. */
struct apmu__stalls {
	uint32_t waited[APMU__WAITS], idle; /* ticks */
	uint32_t wrong;                     /* OP_SPEC */
};

/* How it has fared: blocks looked up and found, blocks learnt, times it was emptied. */
struct apmu__memo_figures {
	uint64_t followed, learnt;
	uint32_t emptied;
};

struct apmu__memo {
	uint32_t used;                              /* words of room[]; the first is no shape */
	uint32_t shapes;                            /* kept */
	uint32_t calm;                              /* blocks run since one had late accesses */
	uint32_t rest;                              /* blocks to run without looking */
	uint32_t span;                              /* of the next rest */
	uint32_t turn;                              /* which way is replaced next */
	struct apmu__memo_figures so_far, reckoned; /* now, at the last reckoning */
	uint32_t table[APMU__SHAPES];               /* shapes by hash */
	_Alignas(APMU__HOST_LINE) struct apmu__edge edge[APMU__EDGES][APMU__EDGE_WAYS]; /* a line each */
	struct apmu__stalls stalls[APMU__EDGES][APMU__EDGE_WAYS];
	uint32_t room[APMU__ROOM];
};

/* free() is enough to let it go. NULL: no memory. */
struct apmu__memo *apmu__memo_new(void);

/* apmu__window_step() by memory where that is possible. */
void apmu__memo_pass(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed);

struct apmu__memo_figures apmu__memo_figures(const struct apmu__memo *m);

/* Of the stores before the current block, those whose data may still be late: bit n is the one n before the
 * last.
 * requires: a shape */
uint32_t apmu__memo_late(const struct apmu__window *w);

/* Takes the window's state out of the memo, if it is there. */
void apmu__memo_thaw(struct apmu__window *w);

/* Where edges stand: those of a taken branch that cost a cycle beside those of one that was not taken. */
static inline size_t apmu__memo_place(uint32_t from, uint64_t block, uint32_t end)
{
	return ((from * 0x9E3779B97F4A7C15u + block) >> 40 ^ (end & 1)) & (APMU__EDGES - 1);
}

static inline bool apmu__edge_leads(const struct apmu__edge *e, uint32_t from, uint64_t block, uint32_t end)
{
	return (e->from == from) & (e->block == block) & (e->end == end);
}

/* The edge from the window's shape by the block; NULL if it is not known. */
static inline const struct apmu__edge *apmu__memo_edge(const struct apmu__window *w, uint64_t block,
						       uint32_t end)
{
	const struct apmu__edge *e = w->memo->edge[apmu__memo_place(w->shape, block, end)];

	if (apmu__edge_leads(e, w->shape, block, end))
		return e;
	e++;
	return apmu__edge_leads(e, w->shape, block, end) ? e : NULL;
}

/* What the run of the block would have done; what it added to OP_SPEC beyond its own. */
static inline uint64_t apmu__memo_follow(struct apmu__window *w, const struct apmu_block *b,
					 const struct apmu__edge *e)
{
	struct apmu__memo *m = w->memo;

	m->so_far.followed++;
	w->notes = 0;
	w->takes = 0;
	w->taken_print = 0;
	w->stored += b->storing;
	w->shape = e->to;
	w->now += e->ticks;
	if (!e->stalls)
		return 0;
	size_t at = (size_t)(e - m->edge[0]);
	const struct apmu__stalls *s = &m->stalls[at / APMU__EDGE_WAYS][at % APMU__EDGE_WAYS];
	for (unsigned k = 0; k <= APMU__WAIT_MEMORY; k++)
		w->waited[k] += s->waited[k];
	for (unsigned k = APMU__WAIT_MEMORY + 1; w->causes && k < APMU__WAITS; k++)
		w->waited[k] += s->waited[k];
	w->idle += s->idle;
	return s->wrong;
}

/* Block `b` comes next: what is known of it is fetched from the host's memory. */
static inline void apmu__memo_expect(const struct apmu__window *w, const struct apmu_block *b)
{
	if (w->shape)
		__builtin_prefetch(w->memo->edge[apmu__memo_place(w->shape, b->print, 0)]);
}

#endif
