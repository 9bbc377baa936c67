/* SPDX-License-Identifier: MIT */
/* The harness that Frama-C analyses (run.sh), driven by a seed: what it claims of all values holds of these.
 */
#include "test.h"

#include "harness.h"
#include "proof.h"

#define SEED  0x9E3779B97F4A7C15u
#define LIVES 2000 /* of each core, step and piece */

static uint64_t chance = SEED;

/* xorshift64* */
static uint64_t next(void)
{
	chance ^= chance >> 12;
	chance ^= chance << 25;
	chance ^= chance >> 27;
	return chance * 0x2545F4914F6CDD1Du;
}

/* Both ends and their neighbours come as often as all that lies between. */
uint64_t proof_between(uint64_t low, uint64_t high)
{
	uint64_t span = high - low;

	switch (next() >> 61) {
	case 0: return low;
	case 1: return high;
	case 2: return low + (span != 0);
	case 3: return high - (span != 0);
	}
	return span == UINT64_MAX ? next() : low + next() % (span + 1);
}

void proof_claim(bool truth)
{
	CHECK(truth);
}

static void live(const struct proof_subject *subject, enum proof_step step, unsigned piece)
{
	for (unsigned i = 0; i < LIVES; i++)
		proof_life(subject, step, piece);
}

TEST(accesses_to_every_register_and_between_them_keep_the_state_possible)
{
	for (unsigned k = 0; k < proof_subjects_n; k++) {
		for (unsigned piece = 0; proof_has_piece(&proof_subjects[k], piece); piece++) {
			live(&proof_subjects[k], PROOF_WRITE, piece);
			live(&proof_subjects[k], PROOF_READ, piece);
		}
	}
}

TEST(modes_pins_questions_and_reset_keep_the_state_possible)
{
	for (unsigned k = 0; k < proof_subjects_n; k++)
		for (unsigned step = PROOF_ENTER; step < PROOF_STEPS; step++)
			live(&proof_subjects[k], (enum proof_step)step, 0);
}

/* The pieces are cut where the core's registers are: each register has a piece that holds it alone. */
TEST(every_register_is_a_piece_of_its_own)
{
	for (unsigned k = 0; k < proof_subjects_n; k++) {
		const struct proof_subject *subject = &proof_subjects[k];

		for (unsigned piece = 1; proof_has_piece(subject, piece); piece++)
			CHECK(subject->first[piece] > subject->first[piece - 1]);
		for (size_t r = 0; r < apmu_reg_count(subject->core); r++) {
			uint32_t encoding = apmu_reg_nth(subject->core, r)->at[0].encoding;
			unsigned piece = 0;

			while (proof_has_piece(subject, piece) && subject->first[piece] != encoding)
				piece++;
			CHECK_EQ(subject->first[piece], encoding);
			CHECK_EQ(subject->first[piece + 1], encoding + 1);
		}
	}
}
