/* SPDX-License-Identifier: MIT */
#include "cli/common/table.h"

#include "cli/common/columns.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	GAP = 2,         /* between columns */
	LEAST_ROOM = 18, /* columns that text needs to be folded */
	TEXT_ROOM = 30,  /* columns that the last column needs to stay on the row's line */
	NAME_ROOM = 64,  /* a longer name (C++ templates) moves the rest of its own row only */
	BENEATH = 6
};

void cli__table_add(struct cli__table *table, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = cli__vformat(format, args);
	va_end(args);
	table->cell = cli__grow(table->cell, table->cells, sizeof *table->cell);
	table->colour = cli__grow(table->colour, table->cells, sizeof *table->colour);
	table->colour[table->cells] = CLI__COLOUR_NONE;
	table->cell[table->cells++] = cli__plain(text, '\0');
}

void cli__table_colour(struct cli__table *table, enum cli__colour colour)
{
	table->colour[table->cells - 1] = (uint8_t)colour;
}

/* True for "0", "0.00%", "." and "-". */
static bool is_zero(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0.%-")] == '\0';
}

/* Colour of a cell; a heading has none. */
static enum cli__colour colour_of(const struct cli__table *t, char *const *cell, bool number)
{
	if (!t->coloured || cell < t->cell || cell >= t->cell + t->cells)
		return CLI__COLOUR_NONE;
	return number && is_zero(*cell) ? CLI__COLOUR_DIM : (enum cli__colour)t->colour[cell - t->cell];
}

void cli__table_gap(struct cli__table *table)
{
	for (size_t c = 0; c < table->columns; c++)
		cli__table_add(table, "%s", "");
}

/* Where to cut a text so that at most `room` columns stand before the cut: at a space, which is dropped, or
 * in a `name` also after a hyphen or underscore. */
static size_t cut_at(const char *text, size_t room, bool name)
{
	size_t cut = cli__columns_reach(text, room);

	while (cut > 0 && text[cut] != ' ' && (!name || (text[cut - 1] != '-' && text[cut - 1] != '_')))
		cut--;
	return cut;
}

/* Prints text folded at `width`, and `end` before the last newline. */
static void fold(const char *text, unsigned indent, unsigned width, bool name, const char *end, FILE *out)
{
	size_t room = width >= indent + LEAST_ROOM ? width - indent : SIZE_MAX;

	while (cli__columns(text) > room) {
		size_t cut = cut_at(text, room, name);

		if (cut == 0)
			break; /* one long word */
		fprintf(out, "%.*s\n%*s", (int)cut, text, (int)indent, "");
		text += cut;
		text += *text == ' ';
	}
	fprintf(out, "%s%s\n", text, end);
}

void cli__fold_text(const char *text, unsigned indent, unsigned width, FILE *out)
{
	fold(text, indent, width, false, "", out);
}

static void measure_row(struct cli__table *t, char *const *cell)
{
	for (size_t c = 0; c < t->columns; c++) {
		unsigned wide = (unsigned)cli__columns(cell[c]);
		if (wide > NAME_ROOM && t->right[c] == 'L' && c + 1 != t->columns)
			wide = NAME_ROOM;
		if (wide > t->widest[c])
			t->widest[c] = wide;
	}
}

/* Measures each column once, because a table may have 100,000 rows. */
static void measure(struct cli__table *t)
{
	t->widest = cli__zalloc(t->columns, sizeof *t->widest);
	for (size_t c = 0; c < t->columns; c++)
		t->widest[c] = t->head != NULL ? (unsigned)cli__columns(t->head[c]) : 0;
	for (size_t row = 0; row + t->columns <= t->cells; row += t->columns)
		measure_row(t, &t->cell[row]);
}

static unsigned width_of(const struct cli__table *t, size_t column)
{
	return t->widest[column];
}

/* True if the last column has too little room and goes on a line of its own. */
static bool text_beneath(const struct cli__table *t, unsigned width)
{
	unsigned text = width_of(t, t->columns - 1), at = t->indent;

	for (size_t c = 0; c + 1 < t->columns; c++)
		at += width_of(t, c) + GAP;
	return !t->nearest_last && width != 0 && at + text > width && at + TEXT_ROOM > width;
}

/* Prints one line: columns first..last-1, then the table's last column. */
static void print_line(const struct cli__table *t, char *const *cell, size_t first, size_t last,
		       unsigned width, FILE *out)
{
	const char *text = cell[t->columns - 1];
	unsigned at = t->indent;
	bool beneath = text_beneath(t, width);

	fprintf(out, "%*s", (int)t->indent, "");
	for (size_t c = first; c < last; c++) {
		unsigned w = beneath && c + 1 == last ? 0 : width_of(t, c);

		enum cli__colour colour = colour_of(t, &cell[c], t->right[c] == 'R');
		fprintf(out, "%*s%s", c != first ? GAP : 0, "", cli__colour_begin(colour));
		if (t->right[c] == 'R')
			cli__put_right(cell[c], w, out);
		else
			cli__put_left(cell[c], w, out);
		fputs(cli__colour_end(colour), out);
		at += w + GAP;
	}
	if (beneath) {
		at = t->indent + BENEATH;
		fprintf(out, "\n%*s", (int)at, "");
	} else if (text[0] != '\0') {
		fprintf(out, "%*s", first != last ? GAP : 0, "");
	}
	enum cli__colour colour = colour_of(t, &cell[t->columns - 1], false);
	fputs(cli__colour_begin(colour), out);
	fold(text, at, width, t->nearest_last, cli__colour_end(colour), out);
}

/* True if a row has nothing in these columns, so that this part leaves it out. */
static bool empty_row(const struct cli__table *t, char *const *cell, size_t first, size_t last)
{
	for (size_t c = first; c < last; c++)
		if (strcmp(cell[c], "-") != 0)
			return false;
	return t->nearest_last && first != last;
}

static void print_row(const struct cli__table *t, char *const *cell, size_t first, size_t last,
		      unsigned width, FILE *out)
{
	if (cell[t->columns - 1][0] == '\0' && t->nearest_last)
		fputc('\n', out); /* a gap between parts */
	else if (!empty_row(t, cell, first, last))
		print_line(t, cell, first, last, width, out);
}

static void print_part(const struct cli__table *t, size_t first, size_t last, unsigned width, FILE *out)
{
	if (t->head != NULL)
		print_line(t, (char *const *)t->head, first, last, width, out);
	for (size_t row = 0; row + t->columns <= t->cells; row += t->columns)
		print_row(t, &t->cell[row], first, last, width, out);
}

/* Index after the last of the columns, from `first` on, that fit beside the table's last column; at least one
 * fits. */
static size_t that_fit(const struct cli__table *t, size_t first, unsigned width)
{
	unsigned name = width_of(t, t->columns - 1),
		 used = t->indent + (name < LEAST_ROOM ? name : LEAST_ROOM);
	size_t last = first;

	while (last < t->columns - 1) {
		used += width_of(t, last) + GAP;
		if (width != 0 && used > width && last != first)
			break;
		last++;
	}
	return last;
}

void cli__table_print(struct cli__table *t, unsigned width, FILE *out)
{
	measure(t);
	if (t->nearest_last) {
		for (size_t first = 0, last; first < t->columns - 1; first = last) {
			last = that_fit(t, first, width);
			if (first != 0)
				fputc('\n', out);
			print_part(t, first, last, width, out);
		}
	} else {
		print_part(t, 0, t->columns - 1, width, out);
	}
	for (size_t i = 0; i < t->cells; i++)
		free(t->cell[i]);
	free(t->cell);
	free(t->colour);
	free(t->widest);
	t->colour = NULL;
	t->cell = NULL;
	t->cells = 0;
}
