/* SPDX-License-Identifier: MIT */
/** What an integer division (SDIV, UDIV) divides, and how large its quotient is: dividers end early. */
#ifndef APMU_ISA_DIVIDE_H
#define APMU_ISA_DIVIDE_H

#include "isa/classify.h"

struct apmu_isa__divide {
	uint8_t dividend, divisor; /* registers; A64's 31 is zero */
	bool wide;                 /* of 64 bits, else of 32 */
	bool with_sign;            /* SDIV */
};

/* Describes an instruction that apmu_isa__classify() knows as a division. */
struct apmu_isa__divide apmu_isa__divide_decode(enum apmu_isa__isa isa, uint32_t word);

/* Bits that the divider works on, of the registers' values: clz(divisor) - clz(dividend) + 1 of what they are
 * without their sign, as many as the quotient has or one more. 0: the dividend is 0 or shorter, or the
 * divisor is 0. */
unsigned apmu_isa__divide_bits(const struct apmu_isa__divide *d, uint64_t dividend, uint64_t divisor);

#endif
