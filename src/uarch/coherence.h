/* SPDX-License-Identifier: MIT */
/**
 * First levels of several threads that see each other: MESI, as a snoop control unit has it that knows the
 * tags of all first levels. A line that is M here says so in `state`; what another thread takes away or has
 * cleaned it says there at once, and this thread does it to its cache when it looks next
 * (apmu_uarch_snooped()).
 *
 * threading: what is in first levels, and `state`, changes under the lock of struct apmu_shared alone. The
 * thread itself reads its own tags without; nobody else changes them.
 */
#ifndef APMU_UARCH_COHERENCE_H
#define APMU_UARCH_COHERENCE_H

#include "uarch/machine.h"

#include <stdatomic.h>

/* A line of L1 data to the other threads. */
enum apmu_uarch__held {
	APMU_UARCH__HELD_CLEAN, /* E or S: to be asked for before it is written */
	APMU_UARCH__HELD_MODIFIED,
	APMU_UARCH__HELD_GONE /* another thread wrote it: it is to be dropped */
};

#define APMU_UARCH__POSTS 32u
struct apmu_uarch__peer {
	atomic_bool snooped;              /* there is something to do, */
	uint32_t posts;                   /* in so many slots; more: in any */
	uint32_t post[APMU_UARCH__POSTS]; /* slots of L1 data */
	_Atomic uint8_t *state;           /* [L1D slots] enum apmu_uarch__held */
};

/* What the other threads had of a line. */
enum apmu_uarch__answer { APMU_UARCH__ANSWER_NONE, APMU_UARCH__ANSWER_CLEAN, APMU_UARCH__ANSWER_MODIFIED };

/* coherence.c, with the lock held. Asks the others for a line, to write it or to read it. */
enum apmu_uarch__answer apmu_uarch__ask_peers(struct apmu_uarch *u, uint64_t line, bool write);

/* ... does what others have asked for. */
void apmu_uarch__answer_peers(struct apmu_uarch *u);

/* ... L1 data got a line, into its `slot`: with what the others had, from there. */
enum apmu_uarch__at apmu_uarch__got(struct apmu_uarch *u, enum apmu_uarch__why why,
				    enum apmu_uarch__answer answer, enum apmu_uarch__at at);

/* ... bytes that an inclusive level drops are dropped by the others; were some modified? */
bool apmu_uarch__recall(struct apmu_uarch *u, uint64_t addr, unsigned bytes);

/* coherence.c: makes ready to be seen; is seen from here on; leaves. */
void apmu_uarch__join(struct apmu_uarch *u);
int apmu_uarch__peer_init(struct apmu_uarch *u);
void apmu_uarch__peer_free(struct apmu_uarch *u);

#endif
