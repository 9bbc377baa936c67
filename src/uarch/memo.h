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

#include <stdbool.h>
#include <stdint.h>

struct apmu__memo;
struct apmu__window;
struct apmu_block;
struct apmu_uarch;

/* free() is enough to let it go. NULL: no memory. */
struct apmu__memo *apmu__memo_new(void);

/* apmu__window_step() by memory where that is possible. */
void apmu__memo_pass(struct apmu_uarch *u, const struct apmu_block *b, unsigned cycles, bool flushed);

/* Block `b` comes next: what is known of it is fetched from the host's memory. */
void apmu__memo_expect(const struct apmu__window *w, const struct apmu_block *b);

/* How it has fared: blocks looked up and found, blocks learnt, times it was emptied. */
struct apmu__memo_figures {
	uint64_t followed, learnt;
	uint32_t emptied;
};
struct apmu__memo_figures apmu__memo_figures(const struct apmu__memo *m);

/* Takes the window's state out of the memo, if it is there. */
void apmu__memo_thaw(struct apmu__window *w);

#endif
