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
 * which depends on nothing that a state leaves out. A state leaves out: times at or before the dispatch time,
 * because nothing starts before that; registers that are never read; pipes taken in past cycles; of the
 * window's chunks those that have left, and of several that leave together all but the oldest, which makes
 * the same room earlier.
 *
 * A block that is new to its state is run and remembered. If several instructions of a block make late
 * accesses, or the fetch side delivers nothing, the window is unpacked and blocks are run until a few in a
 * row have no late access. If learning blocks and packing the window cost more than known blocks save, blocks
 * are run without a look-up for a while (backoff), twice as long after each failure. A full memo is emptied.
 */
#ifndef APMU_UARCH_MEMO_H
#define APMU_UARCH_MEMO_H

#include "uarch/machine.h"

#define APMU_UARCH__ROOM        (1u << 21) /* halfwords of room[], for all states */
#define APMU_UARCH__STATES      (1u << 16) /* elements of table[], a power of two, twice the most states */
#define APMU_UARCH__SETS        (1u << 15) /* sets of transitions, a power of two */
#define APMU_UARCH__SET_WAYS    4u
#define APMU_UARCH__HOST_LINE   64u        /* bytes of a line of the host's cache, a likely size */
#define APMU_UARCH__END_UNKNOWN UINT32_MAX /* end of a block that is not remembered */
#define APMU_UARCH__IN_WINDOW   1u /* halfword of a state: cycles until the whole window has retired */
#define APMU_UARCH__MOST_TICKS  ((1u << 27) - 1) /* most ticks of a transition */

/* From a state, by a block that ends so, to the next state. */
struct apmu_uarch__transition {
	uint64_t tag;             /* apmu_uarch__memo_tag(); 0: none */
	uint32_t to;              /* the next state */
	uint32_t ticks : 27;      /* ticks by which dispatch advances */
	uint32_t late_stores : 4; /* window.late_stores in the next state */
	uint32_t stalled : 1;     /* its struct apmu_uarch__stalls has stalls to add */
};

struct apmu_uarch__memo_set {
	_Alignas(APMU_UARCH__HOST_LINE) struct apmu_uarch__transition way[APMU_UARCH__SET_WAYS];
};
_Static_assert(sizeof(struct apmu_uarch__memo_set) == APMU_UARCH__HOST_LINE, "a set is a line of the host");

/* Stall counts of a transition; few transitions have any. */
struct apmu_uarch__stalls {
	uint16_t stalled[APMU_UARCH__STALL_KINDS]; /* ticks */
	uint16_t wrong;                            /* OP_SPEC */
	uint16_t unfed;                            /* ticks, of SLOT_FRONT */
	uint16_t starved;                          /* FETCH_STALL */
	uint32_t idle;                             /* ticks */
	uint32_t issued;                           /* cycles from the block's begin to its miss or prefetch */
};

/* Statistics: blocks found (in so_far unused, for window.followed has them), blocks learnt, times the memo
 * was emptied. */
struct apmu_uarch__memo_counts {
	uint64_t followed, learnt;
	uint32_t emptied;
};

/* Decides when look-ups cost more than they save. */
struct apmu_uarch__memo_payoff {
	uint32_t backoff;       /* blocks to run without a look-up; then window.state is 0 */
	uint32_t next_backoff;  /* blocks of the next backoff */
	uint32_t spent;         /* blocks learnt and windows packed since the last check_payoff() */
	uint64_t followed_then; /* window.followed at that time */
};

struct apmu_uarch__memo {
	uint32_t used;   /* used halfwords of room[]; the first one belongs to no state */
	uint32_t states; /* states kept */
	uint32_t calm;   /* blocks run since one had late accesses */
	struct apmu_uarch__memo_payoff payoff; /* of the states in use, with or without counting of stalls */
	struct apmu_uarch__memo_payoff other;  /* of the other states */
	struct apmu_uarch__memo_counts so_far;
	uint32_t victim;                    /* the way that is replaced next */
	uint32_t table[APMU_UARCH__STATES]; /* states by hash: indices of room[] */
	struct apmu_uarch__memo_set set[APMU_UARCH__SETS];
	struct apmu_uarch__stalls stalls[APMU_UARCH__SETS * APMU_UARCH__SET_WAYS];
	uint16_t room[APMU_UARCH__ROOM];
};

/* Allocates the window's memo; free(w->memo_memory) releases it. It is not written in advance, so that a
 * thread that runs little takes few of its pages. False: out of memory. */
bool apmu_uarch__memo_init(struct apmu_uarch__window *w);

/* Passes the block by the memo if possible, else by apmu_uarch__window_step(). */
void apmu_uarch__memo_pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end);

/* Adds the transition's struct apmu_uarch__stalls. */
void apmu_uarch__memo_stalled(struct apmu_uarch *u, const struct apmu_uarch__transition *e);

struct apmu_uarch__memo_counts apmu_uarch__memo_counts(const struct apmu_uarch__window *w);

/* The stores before the current block whose data may still be late: bit 0 is the last store, bit n the n-th
 * before it.
 * requires: a state */
uint32_t apmu_uarch__memo_late(const struct apmu_uarch__window *w);

/* The number of the youngest stores among which are all those that may be late.
 * requires: a state */
static inline uint32_t apmu_uarch__memo_late_stores(const struct apmu_uarch__window *w)
{
	uint32_t late = apmu_uarch__memo_late(w);
	return late ? 32 - (uint32_t)__builtin_clz(late) : 0;
}

/* memo_state.c: writes the window as halfwords of a state, their number first. False: they are too many, or a
 * time is too far ahead. */
#define APMU_UARCH__LONGEST 600u
bool apmu_uarch__memo_describe(const struct apmu_uarch__window *w, uint16_t out[APMU_UARCH__LONGEST]);

/* Stalls are counted from here on, or no longer. Unpacks the window, because states with and without counting
 * differ. */
void apmu_uarch__memo_turn(struct apmu_uarch__window *w);

/* Cycles until everything dispatched has retired, and one. */
static inline uint64_t apmu_uarch__window_holds(const struct apmu_uarch__window *w)
{
	uint64_t now = apmu_uarch__dispatching(w);
	return 1 + (w->state           ? w->memo->room[w->state + APMU_UARCH__IN_WINDOW]
		    : w->retired > now ? w->retired - now
				       : 0);
}

/* Unpacks the window's state, if it is in the memo. */
void apmu_uarch__memo_unpack(struct apmu_uarch__window *w);

/* Hash of a state and a block. */
static inline uint64_t apmu_uarch__memo_hash(uint32_t from, const struct apmu_block *b)
{
	return from * 0x9E3779B97F4A7C15u + b->fingerprint;
}

/* Hash of all that a transition depends on: state, block, forwarded loads, decoded instructions, and the
 * block's end. */
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

/* Does what running the block would have done. */
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

/* True while the memo is backing off; counts down the backoff by one block. */
static inline bool apmu_uarch__memo_backs_off(struct apmu_uarch__memo *m)
{
	if (!m)
		return true;
	if (!m->payoff.backoff)
		return false;
	m->payoff.backoff--;
	return true;
}

/* Finds the set of block `b`, which comes next, and prefetches it into the host's cache. */
static inline void apmu_uarch__memo_expect(struct apmu_uarch__window *w, const struct apmu_block *b)
{
	if (!w->state)
		return;
	w->set = apmu_uarch__memo_set(w->memo, w->state, b);
	__builtin_prefetch(w->set);
}

/* Passes the block if the memo knows it, none of its accesses was late, and none is in flight. False: nothing
 * was done. */
static inline bool apmu_uarch__memo_knows(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	struct apmu_uarch__window *w = u->window;
	if (!w->state || (w->late_accesses | u->memory.mshrs))
		return false;
	uint64_t tag = apmu_uarch__memo_tag(w, b, end);
	const struct apmu_uarch__transition *e = apmu_uarch__memo_way(w->set, tag);
	if (e->tag != tag)
		return false;
	apmu_uarch__memo_follow(u, w, b, e);
	return true;
}

#endif
