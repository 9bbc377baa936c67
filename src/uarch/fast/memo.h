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
 * A block that is new to its shape is run and remembered. Where several accesses of a block miss at once, or
 * the fetch side has nothing, the state is taken out of the memo and blocks are run until it is quiet again.
 * Where learning blocks and putting the state in are not made up for by blocks that are known, blocks are run
 * without looking for a while, and for twice as long where the next try does no better. When the memo is full
 * it is emptied.
 */
#ifndef APMU_UARCH_MEMO_H
#define APMU_UARCH_MEMO_H

#include "uarch/machine.h"

#define APMU_UARCH__STATE_WORDS  (1u << 18) /* words of shapes */
#define APMU_UARCH__STATES       (1u << 14) /* a power of two, twice the most shapes */
#define APMU_UARCH__TRANSITIONS  (1u << 13) /* a power of two */
#define APMU_UARCH__OUTCOMES     4u         /* not taken; taken; mispredicted; with a late access */
#define APMU_UARCH__OUTCOME_LATE 3u         /* the last of them */
#define APMU_UARCH__HOST_LINE    64u        /* bytes of the host's cache, a likely figure */
/* apmu_uarch__outcome.end: of a mispredicted branch; below: what it cost. */
#define APMU_UARCH__END_FLUSHED 0x100u
#define APMU_UARCH__END_UNKNOWN UINT32_MAX /* no lead */
#define APMU_UARCH__IN_WINDOW   1u         /* of a shape's words: ticks until all that it holds has retired */
/* apmu_uarch__outcome.ticks: look into its struct apmu_uarch__stalls. */
#define APMU_UARCH__STALLED (1u << 31)

/* Where a block leads from a shape, by how it ended. */
struct apmu_uarch__outcome {
	uint32_t to;    /* shape */
	uint32_t ticks; /* of dispatch; and APMU_UARCH__STALLED */
	uint32_t end;   /* how the block ended, and which access of it was late: a word */
};

/* A block from a shape: one line of the host. */
struct apmu_uarch__transition {
	uint64_t block; /* its print, and that of the loads that took data from stores */
	uint32_t from;  /* shape; UINT32_MAX: none */
	uint32_t spare; /* 0 */
	struct apmu_uarch__outcome outcome[APMU_UARCH__OUTCOMES];
};
extern const struct apmu_uarch__transition apmu_uarch__transition_none; /* from no shape */
_Static_assert(sizeof(struct apmu_uarch__transition) == APMU_UARCH__HOST_LINE,
	       "an edge is a line of the host");

/* What few leads have. */
struct apmu_uarch__stalls {
	uint32_t waited[APMU_UARCH__WAITS], idle; /* ticks */
	uint32_t wrong;                           /* OP_SPEC */
	uint32_t departs;                         /* ticks from the block's begin to the miss */
};

/* How it has fared: blocks looked up and found (of so_far: the window's), learnt, times it was emptied. */
struct apmu_uarch__memo_figures {
	uint64_t followed, learnt;
	uint32_t emptied;
};

struct apmu_uarch__memo {
	uint32_t used;          /* words of room[]; the first is no shape */
	uint32_t states;        /* kept */
	uint32_t calm;          /* blocks run since one had late accesses */
	uint32_t backoff;       /* blocks to run without looking; if so, no shape */
	uint32_t next_backoff;  /* of the next rest */
	uint32_t spent;         /* blocks learnt, states put in, since the last reckoning */
	uint64_t followed_then; /* blocks known until then */
	struct apmu_uarch__memo_figures so_far;
	uint32_t table[APMU_UARCH__STATES]; /* shapes by hash */
	_Alignas(APMU_UARCH__HOST_LINE) struct apmu_uarch__transition transition[APMU_UARCH__TRANSITIONS];
	struct apmu_uarch__stalls stalls[APMU_UARCH__TRANSITIONS][APMU_UARCH__OUTCOMES];
	uint32_t room[APMU_UARCH__STATE_WORDS];
};

/* Gives the window a memo, which free() lets go. False: no memory. */
bool apmu_uarch__memo_init(struct apmu_uarch__window *w);

/* apmu_uarch__window_step() by memory where that is possible. */
void apmu_uarch__memo_pass(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed);

/* What the lead has in its struct apmu_uarch__stalls. */
void apmu_uarch__memo_stalled(struct apmu_uarch *u, const struct apmu_uarch__transition *e, unsigned outcome);

struct apmu_uarch__memo_figures apmu_uarch__memo_figures(const struct apmu_uarch__window *w);

/* Of the stores before the current block, those whose data may still be late: bit n is the one n before the
 * last.
 * requires: a shape */
uint32_t apmu_uarch__memo_late(const struct apmu_uarch__window *w);

/* memo_state.c: the window's shape, the number of its words first; false if it is too long for one. */
#define APMU_UARCH__LONGEST 400u
bool apmu_uarch__memo_describe(const struct apmu_uarch__window *w, uint32_t out[APMU_UARCH__LONGEST]);

/* Cycles until all that was dispatched has retired. */
static inline uint64_t apmu_uarch__window_holds(const struct apmu_uarch__window *w)
{
	uint64_t ticks = w->state              ? w->memo->room[w->state + APMU_UARCH__IN_WINDOW]
			 : w->retired > w->now ? w->retired - w->now
					       : 0;
	return ticks / w->cycle + 1;
}

/* Takes the window's state out of the memo, if it is there. */
void apmu_uarch__memo_unpack(struct apmu_uarch__window *w);

/* Where an edge stands. */
static inline struct apmu_uarch__transition *apmu_uarch__memo_transition(struct apmu_uarch__memo *m,
									 uint32_t from, uint64_t block)
{
	return &m->transition[(from * 0x9E3779B97F4A7C15u + block) >> 40 & (APMU_UARCH__TRANSITIONS - 1)];
}

/* Which lead a block takes that ends so, with no late access. */
static inline unsigned apmu_uarch__memo_outcome(uint32_t end)
{
	return (end != 0) + (end / APMU_UARCH__END_FLUSHED & 1);
}

/* Is the lead known? */
static inline bool apmu_uarch__outcome_known(const struct apmu_uarch__transition *e,
					     const struct apmu_uarch__outcome *l, uint32_t from,
					     uint64_t block, uint32_t end)
{
	return ((e->from ^ from) | (e->block ^ block) | (l->end ^ end)) == 0;
}

/* What the run of the block would have done. */
static inline void apmu_uarch__memo_follow(struct apmu_uarch *u, struct apmu_uarch__window *w,
					   const struct apmu_block *b, const struct apmu_uarch__transition *e,
					   unsigned outcome)
{
	const struct apmu_uarch__outcome *l = &e->outcome[outcome];

	w->followed++;
	w->stored += b->storing;
	w->state = l->to;
	w->now += l->ticks & ~APMU_UARCH__STALLED;
	if (l->ticks & APMU_UARCH__STALLED)
		apmu_uarch__memo_stalled(u, e, outcome);
}

/* Is the next block to be run without looking? One less. */
static inline bool apmu_uarch__memo_backs_off(struct apmu_uarch__memo *m)
{
	if (!m)
		return true;
	if (!m->backoff)
		return false;
	m->backoff--;
	return true;
}

/* Block `b` comes next: what is known of it is fetched from the host's memory. */
static inline void apmu_uarch__memo_expect(struct apmu_uarch__window *w, const struct apmu_block *b)
{
	if (!w->state)
		return;
	w->transition = apmu_uarch__memo_transition(w->memo, w->state, b->fingerprint);
	__builtin_prefetch(w->transition);
}

/* The window passes the block if the memo knows it, and nothing of it was late. False: nothing was done. */
static inline bool apmu_uarch__memo_knows(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles,
					  bool flushed)
{
	struct apmu_uarch__window *w = u->window;
	const struct apmu_uarch__transition *e = w->transition;
	uint32_t end = cycles | (flushed ? APMU_UARCH__END_FLUSHED : 0);
	unsigned outcome = apmu_uarch__memo_outcome(end);

	if (!w->state || !apmu_uarch__outcome_known(e, &e->outcome[outcome], w->state, b->fingerprint, end) ||
	    (w->late_accesses | w->forwarded_loads | u->memory.flights))
		return false;
	apmu_uarch__memo_follow(u, w, b, e, outcome);
	return true;
}

#endif
