/* SPDX-License-Identifier: MIT */
/**
 * How far the fast model may be from the reference, by kind of program. docs/accuracy.md repeats this table;
 * test_time.c checks the model and the page against it.
 */
#ifndef APMU_TEST_BOUNDS_H
#define APMU_TEST_BOUNDS_H

struct bound {
	const char *kind;        /* kinds.h */
	double less[2], more[2]; /* percent of the reference's cycles: [0] in order, [1] out of order */
	const char *why; /* what the fast model leaves out on purpose; "": only the program's ends differ */
};

extern const struct bound bounds[];
extern const unsigned bounds_n;

/* A known fault that is not fixed yet: the wider bound that it needs. */
struct deviation {
	const char *kind, *row; /* row NULL: all rows that are out of order (window 1) or in order (0) */
	int window;
	double less, more; /* percent, as in struct bound */
	const char *what;
};

extern const struct deviation deviations[];
extern const unsigned deviations_n;

#endif
