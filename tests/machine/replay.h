/* SPDX-License-Identifier: MIT */
/**
 * A conformance vector as a guest program: the same register accesses, made by real MRC, MCR, MRS and MSR
 * instructions inside the machine.
 *
 * The words of a line are walked twice. The first walk plans: each access becomes instructions, each word
 * that a guest cannot say ends it with a reason. The second runs: before each access, what happened outside
 * (signals) is added to the machine's tally; after it, the guest's memory says how it ended and what was
 * read.
 */
#ifndef APMU_TEST_REPLAY_H
#define APMU_TEST_REPLAY_H

#include "../conformance/vec.h"
#include "guest.h"

enum replay_end {
	REPLAY_SAME,    /* as on the model */
	REPLAY_CANNOT,  /* a guest cannot say it; `why` */
	REPLAY_DIFFERS, /* `why` */
};

/* Replays one line on a core in one instruction set. */
enum replay_end replay_run(const struct vec *v, const struct apmu_core *core, enum guest_isa isa,
			   char why[VEC_WHY]);
/* ... by a guest, A64 or A32, that starts at EL3 or in Secure state and goes to the level and world that each
 * word is of. */
enum replay_end replay_run_levels(const struct vec *v, const struct apmu_core *core, char why[VEC_WHY]);

/* Has the core this instruction set, as far as a machine can run it? */
bool replay_has(const struct apmu_core *core, enum guest_isa isa);
bool replay_has_levels(const struct apmu_core *core);

#endif
