/* SPDX-License-Identifier: MIT */
/* Vector loads and stores whose accesses are wider than what must be aligned: those of structures need
 * aligned elements, D registers of VLDR and VLDM aligned words. DDI0406C A3.2.1, A7.7; DDI0487 C4.1. */
#include "isa/bits.h"
#include "isa/classify_operations.h"

/* VLD1 to VST4. The largest element of VLD4 to all lanes has four bytes. */
static uint8_t of_structure(uint32_t word)
{
	bool lane = apmu_isa__at(word, 23, 1), all = lane && apmu_isa__at(word, 10, 2) == 3;
	unsigned size = lane && !all ? apmu_isa__at(word, 10, 2) : apmu_isa__at(word, 6, 2);

	return (uint8_t)(1u << (all && size == 3 ? 2 : size));
}

/* LD1 to ST4 of A64. */
static uint8_t of_structure_a64(uint32_t word)
{
	unsigned scale = apmu_isa__at(word, 14, 2), size = apmu_isa__at(word, 10, 2);

	if (!apmu_isa__at(word, 24, 1) || scale == 3) /* whole registers, or to all lanes */
		return (uint8_t)(1u << size);
	return (uint8_t)(scale == 2 && (size & 1) ? 8 : 1u << scale);
}

uint8_t apmu_isa__aligned(bool a64, uint32_t word, unsigned width)
{
	if (a64)
		return (word & 0xBE000000) == 0x0C000000 ? of_structure_a64(word) : 0;
	if ((word & 0xFF000000) == 0xF4000000)
		return of_structure(word);
	return (word & 0x0E000E00) == 0x0C000A00 && width == 8 ? 4 : 0;
}
