/* SPDX-License-Identifier: MIT */
#include "isa/classify_tags.h"

#include <stddef.h>

struct row {
	uint32_t mask, bits;
};

/* Never checked, whatever the base. */
static const struct row never[] = {
	{0x3B000000, 0x18000000}, /* literals */
	{0xFF200000, 0xD9200000}, /* LDG, STG and others */
	{0xFE400000, 0x68000000}, /* STGP */
};

/* Checked even with SP as base: SP is written back, or a register is added. */
static const struct row always[] = {
	{0x3B200400, 0x38000400}, /* pre- and post-indexed */
	{0x3B200C00, 0x38200800}, /* register offset */
	{0x3A800000, 0x28800000}, /* pairs, pre- and post-indexed: 24:23 is 01 or 11 */
	{0xBE800000, 0x0C800000}, /* structures, post-indexed */
};

static bool among(uint32_t word, const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((word & row[i].mask) == row[i].bits)
			return true;
	return false;
}

bool apmu_isa__tag_checked(uint32_t word)
{
	if (among(word, never, sizeof never / sizeof never[0]))
		return false;
	return (word >> 5 & 31) != 31 || among(word, always, sizeof always / sizeof always[0]);
}
