/* SPDX-License-Identifier: MIT */
/**
 * Rows of a report: which row a function at an address belongs to, and which rows a whole address does.
 *
 * A *class* is the list of rows of all functions at one address, inlined ones too: number 0 is empty, each
 * other one adds a row to a shorter one. Equal lists have equal numbers, so a stack is told by its leaf's
 * class and its chain, however many addresses and samples it has.
 */
#ifndef APMU_CLI_REPORT_REPORT_ROWS_H
#define APMU_CLI_REPORT_REPORT_ROWS_H

#include "cli/report/report.h"

struct apmu__report_class {
	uint32_t shorter; /* less than this one's own number */
	uint32_t row;
};

struct apmu__report_rows {
	const struct apmu__report_options *options;
	const struct apmu__profile *profile;
	struct apmu__report *report;
	struct apmu__index texts; /* of rows */
	struct apmu__index lists; /* of classes: (shorter, row) */
	struct apmu__report_class *classes;
	struct apmu__index places; /* (place, thread): their class */
	uint32_t *class_of;
};

/* One function at an address: a place, or an inlined part of it; and what a sample adds. */
struct apmu__report_level {
	const struct apmu__profile_place *place;
	const struct apmu__frame *frame; /* NULL: nothing known */
	uint32_t thread;                 /* index in the profile */
	uint8_t level, tlb_miss, walk;   /* of data; APMU__LEVEL_NONE */
};

void apmu__report_rows_open(struct apmu__report_rows *rows, const struct apmu__report_options *options,
			    const struct apmu__profile *profile, struct apmu__report *report);
void apmu__report_rows_close(struct apmu__report_rows *rows);

/* The first function at a place. */
struct apmu__report_level apmu__report_leaf(const struct apmu__profile_place *place, uint32_t thread);

/* Do the filters let it pass? */
bool apmu__report_passes(const struct apmu__report_rows *rows, const struct apmu__report_level *level);

/* A row's number in report->row; UINT32_MAX without memory. */
uint32_t apmu__report_row(struct apmu__report_rows *rows, const struct apmu__report_level *level);

/* A class's number; UINT32_MAX without memory. */
uint32_t apmu__report_class(struct apmu__report_rows *rows, const struct apmu__profile_place *place,
			    uint32_t thread);

#endif
