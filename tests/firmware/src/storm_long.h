/* SPDX-License-Identifier: MIT */
/**
 * Long descriptors for 39 bits of address (LPAE: 32), 4 KiB granule, three levels: one format for AArch64 and
 * for AArch32 with TTBCR.EAE. DDI0487 D8.3, DDI0406C B3.6.
 */
#ifndef STORM_LONG_H
#define STORM_LONG_H

#include "storm.h"

#define VALID     3ull /* a table, or a page at the last level */
#define BLOCK     1ull
#define ACCESSED  (1ull << 10)
#define INNER     (3ull << 8)
#define EL0_TOO   (1ull << 6)
#define READ_ONLY (1ull << 7)
#define NO_EL1_X  (1ull << 53)
#define NO_EL0_X  (1ull << 54) /* AArch32: nobody's */
#define WORDS     512

typedef uint64_t storm_table[WORDS] __attribute__((aligned(4096)));

/* The first GiBs as they are, for privileged code alone; User mode's two pages. The address of the first
 * level. */
static inline uintptr_t storm_map_long(const uint8_t *code, const uint8_t *data)
{
	static storm_table level1, level2, level3_code, level3_data;

	level1[0] = BLOCK | ACCESSED | INNER;
	level1[1] = 0x40000000 | BLOCK | ACCESSED | INNER;
	level1[USER_CODE >> 30] = (uintptr_t)level2 | VALID;
	level2[USER_CODE >> 21 & 511] = (uintptr_t)level3_code | VALID;
	level2[USER_DATA >> 21 & 511] = (uintptr_t)level3_data | VALID;
	level3_code[USER_CODE >> 12 & 511] =
		(uintptr_t)code | VALID | ACCESSED | INNER | EL0_TOO | READ_ONLY | NO_EL1_X;
	level3_data[USER_DATA >> 12 & 511] =
		(uintptr_t)data | VALID | ACCESSED | INNER | EL0_TOO | NO_EL1_X | NO_EL0_X;
	return (uintptr_t)level1;
}

#endif
