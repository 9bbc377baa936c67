/* SPDX-License-Identifier: MIT */
/* Rules for the classifier's rows of every instruction set. Shared by test_operands_*.c. */
#ifndef ROWS_CASE_H
#define ROWS_CASE_H

#include "../test.h"
#include "isa/classify_rows.h"

#define WORDS 300u /* of a row */

static inline uint32_t draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 16);
}

/* True if the row is the first that matches one of the words drawn from it. */
static inline bool row_is_reached(const struct apmu_isa__rows *rows, size_t i)
{
	uint64_t seed = 1;

	for (unsigned k = 0; k < WORDS; k++) {
		uint32_t word = (draw(&seed) & ~rows->row[i].mask) | rows->row[i].bits;
		size_t first = 0;

		while ((word & rows->row[first].mask) != rows->row[first].bits && first < i)
			first++;
		if (first == i && (word & rows->row[i].mask) == rows->row[i].bits)
			return true;
	}
	return false;
}

/* True if the row has each of its register fields whole: to match any register, or one only. `low`: lowest
 * bit of the fields of N, D, S and M; `bits`: their size. */
static inline bool registers_are_whole(const struct apmu_isa__row *row, const uint8_t low[4], unsigned bits)
{
	unsigned more = row->how >> MORE_SHIFT & 0x3F,
		 slots = row->reads | row->writes |
			 (more >= MORE_STRUCT1 && more <= MORE_LANE4 ? VD : 0); /* a list from D on */

	for (unsigned k = 0; k < 4; k++) {
		bool there = slots & (N << k | VN << k);
		uint32_t field = ((1u << bits) - 1) << low[k], fixed = row->mask & field;

		if (there && fixed && fixed != field)
			return false;
	}
	return true;
}

static inline void check_rows(const struct apmu_isa__rows *rows, const uint8_t low[4], unsigned bits)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct apmu_isa__row *row = &rows->row[i];

		if (row_is_reached(rows, i) && registers_are_whole(row, low, bits))
			continue;
		fail_msg("row %zu, mask %08x, bits %08x: never first, or part of a register", i, row->mask,
			 row->bits);
	}
}

#endif
