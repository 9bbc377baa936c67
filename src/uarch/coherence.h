/* SPDX-License-Identifier: MIT */
/**
 * Coherence between the first levels of several threads: MESI, as in a snoop control unit that knows the tags
 * of all first levels. `state` says which lines of L1 data are M. A thread that takes a line away from
 * another, or has it cleaned, notes that in the other's `state` at once; the other thread does it to its
 * cache when it looks next (apmu_uarch_snooped()).
 *
 * threading: the contents of first levels, and `state`, change only under the lock of struct apmu_shared. A
 * thread reads its own tags without the lock, as no other thread changes them.
 */
#ifndef APMU_UARCH_COHERENCE_H
#define APMU_UARCH_COHERENCE_H

#include "uarch/machine.h"

#include <stdatomic.h>

/* State of a line of L1 data, as the other threads see it. */
enum apmu_uarch__held {
	APMU_UARCH__HELD_CLEAN, /* E or S: the others must be asked before it is written */
	APMU_UARCH__HELD_MODIFIED,
	APMU_UARCH__HELD_READ,     /* M until another thread read the line: it must be written back */
	APMU_UARCH__HELD_GONE,     /* another thread wrote the line: it must be invalidated */
	APMU_UARCH__HELD_READ_GONE /* both, in this order */
};

#define APMU_UARCH__POSTS 32u
#define APMU_UARCH__LEFT  64u
#define APMU_UARCH__SOON  100000u /* instructions */
struct apmu_uarch__peer {
	atomic_bool snooped; /* some lines have to be cleaned or invalidated */
	uint32_t posts; /* number of used elements of post[]; more than APMU_UARCH__POSTS: any slot may be
			   affected */
	uint32_t post[APMU_UARCH__POSTS]; /* slots of L1 data */
	_Atomic uint8_t *state;           /* [L1D slots] enum apmu_uarch__held */
	uint64_t contended;               /* apmu_uarch_contended() */
	struct apmu_uarch__left {
		uint64_t line, when; /* the line, and the thread's instruction count */
	} left[APMU_UARCH__LEFT];    /* lines that other threads took or read last, by line number */
};

/* What the other threads hold of a line. */
enum apmu_uarch__answer { APMU_UARCH__ANSWER_NONE, APMU_UARCH__ANSWER_CLEAN, APMU_UARCH__ANSWER_MODIFIED };

/* coherence.c, with the lock held: asks the other threads for a line, to write or to read it. */
enum apmu_uarch__answer apmu_uarch__ask_peers(struct apmu_uarch *u, uint64_t line, bool write);

/* coherence.c, with the lock held: does what other threads have asked for. */
void apmu_uarch__answer_peers(struct apmu_uarch *u);

/* coherence.c, with the lock held: L1 data received a line in its `slot`, given the answer of the others and
 * the place `at` that has it below. Returns the place that it came from. */
enum apmu_uarch__at apmu_uarch__got(struct apmu_uarch *u, enum apmu_uarch__request request,
				    enum apmu_uarch__answer answer, enum apmu_uarch__at at);

/* coherence.c, with the lock held: the others invalidate the bytes that an inclusive level evicts; true if
 * some were modified. */
bool apmu_uarch__recall(struct apmu_uarch *u, uint64_t addr, unsigned bytes);

/* coherence.c: peer_init() allocates the state, join() makes the machine coherent with the others,
 * peer_free() leaves. */
void apmu_uarch__join(struct apmu_uarch *u);
int apmu_uarch__peer_init(struct apmu_uarch *u);
void apmu_uarch__peer_free(struct apmu_uarch *u);

#endif
