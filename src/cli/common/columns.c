/* SPDX-License-Identifier: MIT */
#include "cli/common/columns.h"

#include <stdbool.h>
#include <stdint.h>

/* Decodes the character at `text` and returns where the next one begins; a byte that is not UTF-8 is a
 * character by itself. */
static const char *next_letter(const char *text, uint32_t *letter)
{
	const unsigned char *c = (const unsigned char *)text;
	unsigned more = c[0] >= 0xF0 && c[0] < 0xF8 ? 3 : c[0] >= 0xE0 ? 2 : 1;

	*letter = c[0];
	if (c[0] < 0xC2 || c[0] >= 0xF5)
		return text + 1;
	uint32_t whole = c[0] & (0x3Fu >> more);
	for (unsigned i = 1; i <= more; i++) {
		if ((c[i] & 0xC0) != 0x80)
			return text + 1;
		whole = whole << 6 | (c[i] & 0x3F);
	}
	*letter = whole;
	return text + 1 + more;
}

struct range {
	uint32_t first, last;
};

static bool in(const struct range *range, size_t n, uint32_t letter)
{
	for (size_t i = 0; i < n; i++)
		if (letter >= range[i].first && letter <= range[i].last)
			return true;
	return false;
}

/* Columns of a character, by the Unicode blocks of Markus Kuhn's wcwidth.c: none for combining marks, two for
 * East Asian Width W and F and for pictographs. */
static size_t width_of(uint32_t letter)
{
	static const struct range none[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
					    {0x610, 0x61A},   {0x64B, 0x65F},   {0x1AB0, 0x1AFF},
					    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF},
					    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
	static const struct range two[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
					   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
					   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
					   {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

	if (letter < 0x300)
		return 1;
	if (in(none, sizeof none / sizeof none[0], letter))
		return 0;
	return in(two, sizeof two / sizeof two[0], letter) ? 2 : 1;
}

size_t cli__columns(const char *text)
{
	size_t columns = 0;
	uint32_t letter;

	while (*text != '\0') {
		text = next_letter(text, &letter);
		columns += width_of(letter);
	}
	return columns;
}

size_t cli__columns_reach(const char *text, size_t columns)
{
	const char *at = text;
	size_t taken = 0;
	uint32_t letter;

	while (*at != '\0') {
		const char *next = next_letter(at, &letter);
		taken += width_of(letter);
		if (taken > columns)
			break;
		at = next;
	}
	return (size_t)(at - text);
}

static int blanks(const char *text, size_t columns)
{
	size_t taken = cli__columns(text);

	return taken < columns ? (int)(columns - taken) : 0;
}

void cli__put_right(const char *text, size_t columns, FILE *out)
{
	fprintf(out, "%*s%s", blanks(text, columns), "", text);
}

void cli__put_left(const char *text, size_t columns, FILE *out)
{
	fprintf(out, "%s%*s", text, blanks(text, columns), "");
}
