/* SPDX-License-Identifier: MIT */
/* Division without the compiler's helper functions, which are several times as long on a processor without a
 * divider. */
#include "driver/device.h"

#if UINTPTR_MAX > 0xFFFFFFFFu

uint64_t apmu_driver__divide(uint64_t a, uint64_t b, uint64_t *rest)
{
	*rest = a % b;
	return a / b;
}

#else

/* Bit by bit: the bits of `a` are shifted out at the top, those of the quotient in at the bottom. */
uint64_t apmu_driver__divide(uint64_t a, uint64_t b, uint64_t *rest)
{
	uint64_t left = 0;

	for (unsigned i = 0; i < 64; i++) {
		bool carry = left >> 63;

		left = left << 1 | a >> 63;
		a <<= 1;
		if (carry || left >= b) {
			left -= b;
			a |= 1;
		}
	}
	*rest = left;
	return a;
}

#endif

uint64_t apmu_driver__scale(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t rest;

	while ((b | c) >> 32) {
		b >>= 1;
		c >>= 1;
	}
	if (!c)
		c = 1;
	a = apmu_driver__divide(a, c, &rest) * b;
	return a + apmu_driver__divide(rest * b, c, &rest);
}
