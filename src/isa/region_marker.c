/* SPDX-License-Identifier: MIT */
/* Decodes the marks of include/apmu/mark.h. */
#include "isa/classify.h"

static int a32_mark(uint32_t word)
{
	static const uint8_t index[16] = {[1] = 1, [2] = 2, [4] = 3, [12] = 4};
	uint32_t n = word >> 16 & 15, d = word >> 12 & 15, rotation = word >> 8 & 15;
	unsigned operation = index[word >> 21 & 15];

	/* unconditional, immediate 0, flags unchanged */
	if ((word & 0xFE1000FFu) != 0xE2000000u || !operation || n != d || n > 1 || rotation < 8)
		return -1;
	return (int)((operation - 1) << 4 | n << 3 | (rotation - 8));
}

int apmu_isa__mark_number(enum apmu_isa__isa isa, uint32_t word, unsigned size)
{
	switch (isa) {
	case APMU_ISA__A64: return (word & 0xFFFFF81Fu) == 0xD280001Fu ? (int)(word >> 5 & 63) : -1;
	case APMU_ISA__T32: return size == 4 && (word & 0xFFFFFFC0u) == 0xF3AF8040u ? (int)(word & 63) : -1;
	default: return a32_mark(word);
	}
}
