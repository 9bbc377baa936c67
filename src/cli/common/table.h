/* SPDX-License-Identifier: MIT */
/**
 * Tables for people: aligned columns, with long text in the last one folded at the terminal's edge.
 */
#ifndef APMU_CLI_COMMON_TABLE_H
#define APMU_CLI_COMMON_TABLE_H

#include "cli/common/colour.h"

struct cli__table {
	const char *const *head; /* per column; NULL: no headings */
	const char *right;       /* "LRL": R for a right-aligned column */
	size_t columns;
	char **cell; /* row by row; owned */
	size_t cells;
	unsigned indent;
	bool nearest_last; /* numbers before a name: a table that is too wide is printed in several parts,
			      each with some of the number columns and the name */
	unsigned *widest;  /* width of each column, while the table is printed */
	bool coloured;     /* zeros are dim, and cells have the colours that they were given */
	uint8_t *colour;   /* per cell: enum cli__colour; owned */
};

/* Adds the next cell, formatted. */
void cli__table_add(struct cli__table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the colour of the cell that was added last. */
void cli__table_colour(struct cli__table *table, enum cli__colour colour);

/* Adds an empty line. */
void cli__table_gap(struct cli__table *table);

/* Prints and frees. `width` 0: no limit. */
void cli__table_print(struct cli__table *table, unsigned width, FILE *out);

/* Prints text folded at `width`, every line but the first indented; ends the line. */
void cli__fold_text(const char *text, unsigned indent, unsigned width, FILE *out);

#endif
