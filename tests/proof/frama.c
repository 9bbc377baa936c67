/* SPDX-License-Identifier: MIT */
/* Frama-C's side of proof.h, and its main(): every life of one core, PROOF_SUBJECT. Nothing in any other
 * build. */
#include "harness.h"
#include "proof.h"

#ifdef __FRAMAC__
#include "__fc_builtin.h"
#include "string.h"

uint64_t proof_between(uint64_t low, uint64_t high)
{
	return Frama_C_unsigned_long_long_interval(low, high);
}

/*@ requires shown: truth != 0; assigns \nothing; */
void proof_claim(bool truth)
{
	(void)truth;
}

int proof_ctz(unsigned long long word)
{
	int n = 0;

	/*@ loop unroll 64; */
	while (!(word & 1)) {
		word >>= 1;
		n++;
	}
	return n;
}

int main(void)
{
	const struct proof_subject *subject = &proof_subjects[PROOF_SUBJECT];

	for (unsigned piece = 0; proof_has_piece(subject, piece); piece++) {
		proof_life(subject, PROOF_WRITE, piece);
		proof_life(subject, PROOF_READ, piece);
	}
	for (unsigned step = PROOF_ENTER; step < PROOF_STEPS; step++)
		proof_life(subject, (enum proof_step)step, 0);
	return 0;
}
#endif
