/* SPDX-License-Identifier: MIT */
/** The operands of an integer division (SDIV, UDIV), and the length of its quotient: dividers end early. */
#ifndef APMU_ISA_DIVIDE_H
#define APMU_ISA_DIVIDE_H

#include "isa/classify.h"

struct apmu_isa__divide {
	uint8_t dividend, divisor; /* registers; in A64, 31 is zero */
	bool wide;                 /* 64 bits; false: 32 */
	bool with_sign;            /* SDIV */
};

/* Describes an instruction that apmu_isa__classify() knows as a division. */
struct apmu_isa__divide apmu_isa__divide_decode(enum apmu_isa__isa isa, uint32_t word);

/* Bits that the divider works on, from the values of the registers: clz(divisor) - clz(dividend) + 1 of their
 * magnitudes, which is the length of the quotient or one more. 0: the dividend is 0 or shorter, or the
 * divisor is 0. */
unsigned apmu_isa__divide_bits(const struct apmu_isa__divide *d, uint64_t dividend, uint64_t divisor);

#endif
