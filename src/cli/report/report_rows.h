/* SPDX-License-Identifier: MIT */
/**
 * Rows of a report: finds the row of a function at an address, and the rows of all functions at an address.
 *
 * A *class* is the list of rows of all functions at one address, inlined ones too. Class 0 is the empty list;
 * each other class adds one row to a shorter one. Equal lists have equal numbers, so a stack is identified by
 * its leaf's class and its chain, however many addresses and samples it has.
 */
#ifndef APMU_CLI_REPORT_REPORT_ROWS_H
#define APMU_CLI_REPORT_REPORT_ROWS_H

#include "cli/report/report.h"

struct cli__report_class {
	uint32_t shorter; /* the class that this one extends; less than its own number */
	uint32_t row;
};

struct cli__report_rows {
	const struct cli__report_options *options;
	const struct profile__profile *profile;
	struct cli__report *report;
	struct profile__index texts; /* rows by their texts */
	struct profile__index lists; /* classes by (shorter, row) */
	struct cli__report_class *classes;
	struct profile__index places; /* indices in class_of by (place, thread) */
	uint32_t *class_of;
};

/* One function at an address, the place's own or an inlined one, with what a sample adds. */
struct cli__report_level {
	const struct profile__place *place;
	const struct symbol__frame *frame; /* NULL: nothing known */
	uint32_t thread;                   /* index in the profile */
	uint8_t level, tlb_miss, walk;     /* where data were found; PROFILE__LEVEL_NONE: no data */
};

void cli__report_rows_open(struct cli__report_rows *rows, const struct cli__report_options *options,
			   const struct profile__profile *profile, struct cli__report *report);
void cli__report_rows_close(struct cli__report_rows *rows);

/* The innermost function at a place. */
struct cli__report_level cli__report_leaf(const struct profile__place *place, uint32_t thread);

/* True if the name is equal to the pattern or matches it, or one of several between commas; `patterns` NULL:
 * any name does. */
bool cli__report_fits(const char *patterns, const char *text);

/* True if the filters let it pass. */
bool cli__report_passes(const struct cli__report_rows *rows, const struct cli__report_level *level);

/* A row's number in report->row; UINT32_MAX without memory. */
uint32_t cli__report_row(struct cli__report_rows *rows, const struct cli__report_level *level);

/* A class's number; UINT32_MAX without memory. */
uint32_t cli__report_class(struct cli__report_rows *rows, const struct profile__place *place,
			   uint32_t thread);

#endif
