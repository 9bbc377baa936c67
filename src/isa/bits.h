/* SPDX-License-Identifier: MIT */
/** Fields of an instruction's word. */
#ifndef APMU_ISA_BITS_H
#define APMU_ISA_BITS_H

#include <stdint.h>

/* Returns the field of `bits` bits (1 to 31) from bit `low` on. */
static inline uint32_t apmu_isa__at(uint32_t word, unsigned low, unsigned bits)
{
	return word >> low & ((1u << bits) - 1);
}

/* Returns the field as a number in two's complement. */
static inline int64_t apmu_isa__signed_at(uint32_t word, unsigned low, unsigned bits)
{
	uint32_t sign = 1u << (bits - 1);

	return (int64_t)(apmu_isa__at(word, low, bits) ^ sign) - (int64_t)sign;
}

#endif
