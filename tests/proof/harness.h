/* SPDX-License-Identifier: MIT */
/**
 * The access path of the cores with the plain rules (ARM11 and XScale): any state, any access, any value.
 *
 * What is claimed: nothing the model does is undefined in C (Frama-C's part, and the sanitizers'), and each
 * step ends in a state that a snapshot may hold again, with no counter running that the core lacks.
 */
#ifndef PROOF_HARNESS_H
#define PROOF_HARNESS_H

#include <apmu/core.h>

/* The 2^32 encodings cut at the core's registers: a piece is one register's encoding, or all between two of
 * them. */
#define PROOF_PIECES 20

struct proof_subject {
	const struct apmu_core *core;
	uint64_t counters;            /* bits of its counters in every mask */
	uint64_t fiq;                 /* bits of those that may ask for FIQ */
	uint32_t words;               /* bit w: control word w exists (enum apmu_word); each holds one bit */
	uint8_t lines;                /* bit l: line l exists (enum apmu_line) */
	uint32_t first[PROOF_PIECES]; /* encoding where a piece begins; 0 after the last one */
};

extern const struct proof_subject proof_subjects[];
extern const unsigned proof_subjects_n;

/* One life: from any state time passes, then something of kind `step` happens, then time passes again. */
enum proof_step { PROOF_WRITE, PROOF_READ, PROOF_ENTER, PROOF_INPUT, PROOF_ASK, PROOF_RESET, PROOF_STEPS };

/* `piece`: where an access goes; the other steps have piece 0 alone. */
void proof_life(const struct proof_subject *subject, enum proof_step step, unsigned piece);

/* Is there such a piece? */
static inline bool proof_has_piece(const struct proof_subject *subject, unsigned piece)
{
	return piece == 0 || (piece < PROOF_PIECES && subject->first[piece] != 0);
}

#endif
