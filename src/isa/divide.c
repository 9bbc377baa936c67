/* SPDX-License-Identifier: MIT */
/* DDI0487 C6.2, DDI0406C A8.8 (SDIV, UDIV); DDI0363 14.8 for the bits. */
#include "isa/divide.h"
#include "isa/bits.h"

struct apmu_isa__divide apmu_isa__divide_decode(enum apmu_isa__isa isa, uint32_t word)
{
	unsigned low = apmu_isa__at(word, 0, 4), high = apmu_isa__at(word, 16, 4);

	switch (isa) {
	case APMU_ISA__A64:
		return (struct apmu_isa__divide){.dividend = (uint8_t)apmu_isa__at(word, 5, 5),
						 .divisor = (uint8_t)apmu_isa__at(word, 16, 5),
						 .wide = apmu_isa__at(word, 31, 1),
						 .with_sign = apmu_isa__at(word, 10, 1)};
	case APMU_ISA__T32:
		return (struct apmu_isa__divide){.dividend = (uint8_t)high,
						 .divisor = (uint8_t)low,
						 .with_sign = !apmu_isa__at(word, 21, 1)};
	default:
		return (struct apmu_isa__divide){.dividend = (uint8_t)low,
						 .divisor = (uint8_t)apmu_isa__at(word, 8, 4),
						 .with_sign = !apmu_isa__at(word, 21, 1)};
	}
}

/* Significant bits of the value's magnitude. */
static unsigned length(const struct apmu_isa__divide *d, uint64_t value)
{
	uint64_t sign = (uint64_t)1 << (d->wide ? 63 : 31), all = sign | (sign - 1);

	value &= all;
	if (d->with_sign && value & sign)
		value = (0 - value) & all;
	return value ? 64u - (unsigned)__builtin_clzll(value) : 0;
}

unsigned apmu_isa__divide_bits(const struct apmu_isa__divide *d, uint64_t dividend, uint64_t divisor)
{
	unsigned of = length(d, dividend), by = length(d, divisor);

	return by && of + 1 > by ? of + 1 - by : 0;
}
