/* SPDX-License-Identifier: MIT */
/**
 * Memoization of the out-of-order model.
 *
 * The effect of a block on the window depends on the block, on what in the window is later than the dispatch
 * time and by how much, on the outcome of its branch, and on which of its accesses were late. Programs repeat
 * themselves, so the effect is looked up: the window relative to the dispatch time is a *state*, kept once; a
 * *transition* goes from a state by a block and its end to the next state, and holds the dispatch time and
 * stalls that were added. Transitions are kept in a set-associative table; a set is one line of the host's
 * cache. What a transition depends on is hashed to 64 bits, its tag.
 *
 * The counts are the same as without the memo, to the last one: a transition is what a run of the block gave,
 * which depends on nothing that a state leaves out. It leaves out: times at or before the dispatch time, for
 * nothing starts before it; registers that nobody reads; pipes taken in cycles that are past; of the window's
 * chunks those that have left, and of several that leave together all but the oldest, which makes the same
 * room earlier.
 *
 * A block that is new to its state is run and remembered. If several accesses of a block miss at once, or the
 * fetch side has nothing, the window is unpacked and blocks are run until none is late. If learning blocks
 * and packing the window cost more than known blocks save, blocks are run without a look-up for a while
 * (backoff), twice as long after each failure. When the memo is full it is emptied.
 */
#ifndef APMU_UARCH_MEMO_H
#define APMU_UARCH_MEMO_H

#include "uarch/machine.h"

#define APMU_UARCH__ROOM        (1u << 21) /* halfwords of all states */
#define APMU_UARCH__STATES      (1u << 16) /* a power of two, twice the most states */
#define APMU_UARCH__SETS        (1u << 15) /* of transitions: a power of two */
#define APMU_UARCH__SET_WAYS    4u
#define APMU_UARCH__HOST_LINE   64u        /* bytes of the host's cache, a likely size */
#define APMU_UARCH__END_UNKNOWN UINT32_MAX /* of a block that is not remembered */
#define APMU_UARCH__IN_WINDOW   1u /* halfword of a state: cycles until all that it holds has retired */
#define APMU_UARCH__MOST_TICKS  ((1u << 27) - 1) /* of a transition */

/* From a state, by a block that ends so, to the next state. */
struct apmu_uarch__transition {
	uint64_t tag;             /* apmu_uarch__memo_tag(); 0: none */
	uint32_t to;              /* the next state */
	uint32_t ticks : 27;      /* of dispatch */
	uint32_t late_stores : 4; /* struct apmu_uarch__window's */
	uint32_t stalled : 1;     /* it has a struct apmu_uarch__stalls */
};

struct apmu_uarch__memo_set {
	_Alignas(APMU_UARCH__HOST_LINE) struct apmu_uarch__transition way[APMU_UARCH__SET_WAYS];
};
_Static_assert(sizeof(struct apmu_uarch__memo_set) == APMU_UARCH__HOST_LINE, "a set is a line of the host");

/* What few transitions have. */
struct apmu_uarch__stalls {
	uint16_t waited[APMU_UARCH__WAITS]; /* ticks */
	uint16_t wrong;                     /* OP_SPEC */
	uint16_t unfed;                     /* ticks, of SLOT_FRONT */
	uint16_t starved;                   /* FETCH_STALL */
	uint32_t idle;                      /* ticks */
	uint32_t departs;                   /* cycles from that of the block's begin to the miss */
};

/* How it has fared: blocks looked up and found (of so_far: the window's), learnt, times it was emptied. */
struct apmu_uarch__memo_counts {
	uint64_t followed, learnt;
	uint32_t emptied;
};

/* Does it pay? */
struct apmu_uarch__memo_payoff {
	uint32_t backoff;       /* blocks to run without a look-up; then window.state is 0 */
	uint32_t next_backoff;  /* blocks of the next backoff */
	uint32_t spent;         /* blocks learnt and windows packed since the last check_payoff() */
	uint64_t followed_then; /* window.followed at that time */
};

struct apmu_uarch__memo {
	uint32_t used;                                /* halfwords of room[]; the first is no state */
	uint32_t states;                              /* kept */
	uint32_t calm;                                /* blocks run since one had late accesses */
	struct apmu_uarch__memo_payoff payoff, other; /* of states that count stalls, or not; of the others */
	struct apmu_uarch__memo_counts so_far;
	uint32_t victim;                    /* the way that is replaced next */
	uint32_t table[APMU_UARCH__STATES]; /* states by hash */
	struct apmu_uarch__memo_set set[APMU_UARCH__SETS];
	struct apmu_uarch__stalls stalls[APMU_UARCH__SETS * APMU_UARCH__SET_WAYS];
	uint16_t room[APMU_UARCH__ROOM];
};

/* Gives the window a memo, which free() lets go. False: no memory. */
bool apmu_uarch__memo_init(struct apmu_uarch__window *w);

/* apmu_uarch__window_step() by memory where that is possible. */
void apmu_uarch__memo_pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end);

/* Adds the transition's struct apmu_uarch__stalls. */
void apmu_uarch__memo_stalled(struct apmu_uarch *u, const struct apmu_uarch__transition *e);

struct apmu_uarch__memo_counts apmu_uarch__memo_counts(const struct apmu_uarch__window *w);

/* Of the stores before the current block, those whose data may still be late: bit n is the one n before the
 * last.
 * requires: a state */
uint32_t apmu_uarch__memo_late(const struct apmu_uarch__window *w);

/* How many of the last stores may be late.
 * requires: a state */
static inline uint32_t apmu_uarch__memo_late_stores(const struct apmu_uarch__window *w)
{
	uint32_t late = apmu_uarch__memo_late(w);
	return late ? 32 - (uint32_t)__builtin_clz(late) : 0;
}

/* memo_state.c: the window as halfwords of a state, their number first; false if they are too many. */
#define APMU_UARCH__LONGEST 600u
bool apmu_uarch__memo_describe(const struct apmu_uarch__window *w, uint16_t out[APMU_UARCH__LONGEST]);

/* Stalls are counted from here on, or no longer: unpacks the window, for its states are others. */
void apmu_uarch__memo_turn(struct apmu_uarch__window *w);

/* Cycles until all that was dispatched has retired. */
static inline uint64_t apmu_uarch__window_holds(const struct apmu_uarch__window *w)
{
	uint64_t now = apmu_uarch__dispatching(w);
	return 1 + (w->state           ? w->memo->room[w->state + APMU_UARCH__IN_WINDOW]
		    : w->retired > now ? w->retired - now
				       : 0);
}

/* Unpacks the window's state, if it is in the memo. */
void apmu_uarch__memo_unpack(struct apmu_uarch__window *w);

/* A state and a block in 64 bits. */
static inline uint64_t apmu_uarch__memo_hash(uint32_t from, const struct apmu_block *b)
{
	return from * 0x9E3779B97F4A7C15u + b->fingerprint;
}

/* All that a transition depends on: beside them which loads were forwarded, what was decoded, and the end. */
static inline uint64_t apmu_uarch__memo_tag(const struct apmu_uarch__window *w, const struct apmu_block *b,
					    uint32_t end)
{
	uint64_t more = w->forward_fingerprint + w->decoded * 0xD6E8FEB86659FD93u;
	return (apmu_uarch__memo_hash(w->state, b) + more + end * 0xC2B2AE3D27D4EB4Fu) | 1;
}

/* The set of all transitions from a state by a block. */
static inline struct apmu_uarch__memo_set *apmu_uarch__memo_set(struct apmu_uarch__memo *m, uint32_t from,
								const struct apmu_block *b)
{
	return &m->set[apmu_uarch__memo_hash(from, b) >> 40 & (APMU_UARCH__SETS - 1)];
}

/* The set's transition with the tag; another if there is none. */
static inline struct apmu_uarch__transition *apmu_uarch__memo_way(struct apmu_uarch__memo_set *set,
								  uint64_t tag)
{
	struct apmu_uarch__transition *way = set->way;
	return &way[(way[1].tag == tag) + 2 * (way[2].tag == tag) + 3 * (way[3].tag == tag)];
}

/* What the run of the block would have done. */
static inline void apmu_uarch__memo_follow(struct apmu_uarch *u, struct apmu_uarch__window *w,
					   const struct apmu_block *b, const struct apmu_uarch__transition *e)
{
	w->followed++;
	w->stored += b->storing;
	w->state = e->to;
	w->now += e->ticks;
	w->late_stores = e->late_stores;
	w->forwarded_loads = 0;
	w->forward_fingerprint = 0;
	if (e->stalled)
		apmu_uarch__memo_stalled(u, e);
}

/* Is the next block to be run without looking? One less. */
static inline bool apmu_uarch__memo_backs_off(struct apmu_uarch__memo *m)
{
	if (!m)
		return true;
	if (!m->payoff.backoff)
		return false;
	m->payoff.backoff--;
	return true;
}

/* Block `b` comes next: what is known of it is fetched from the host's memory. */
static inline void apmu_uarch__memo_expect(struct apmu_uarch__window *w, const struct apmu_block *b)
{
	if (!w->state)
		return;
	w->set = apmu_uarch__memo_set(w->memo, w->state, b);
	__builtin_prefetch(w->set);
}

/* The window passes the block if the memo knows it, and nothing of it was late. False: nothing was done. */
static inline bool apmu_uarch__memo_knows(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	struct apmu_uarch__window *w = u->window;
	if (!w->state || (w->late_accesses | u->memory.flights))
		return false;
	uint64_t tag = apmu_uarch__memo_tag(w, b, end);
	const struct apmu_uarch__transition *e = apmu_uarch__memo_way(w->set, tag);
	if (e->tag != tag)
		return false;
	apmu_uarch__memo_follow(u, w, b, e);
	return true;
}

#endif
