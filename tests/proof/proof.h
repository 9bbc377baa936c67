/* SPDX-License-Identifier: MIT */
/**
 * What a harness of tests/proof may ask for and claim.
 *
 * Under Frama-C (__FRAMAC__) an unknown value is every value at once, and a claim that cannot be shown is an
 * alarm. In the test program the values come from a seed, with the corners more often than chance has them,
 * and a claim that does not hold fails the test.
 */
#ifndef PROOF_H
#define PROOF_H

#include <stdbool.h>
#include <stdint.h>

/* Any value from low to high, both included. */
uint64_t proof_between(uint64_t low, uint64_t high);

/* It holds, whatever the unknown values are. */
void proof_claim(bool truth);

/* Any value whose ones lie in `bits`. */
static inline uint64_t proof_bits(uint64_t bits)
{
	return proof_between(0, UINT64_MAX) & bits;
}

static inline bool proof_bool(void)
{
	return proof_between(0, 1) != 0;
}

#endif
