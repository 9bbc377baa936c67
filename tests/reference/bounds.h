/* SPDX-License-Identifier: MIT */
/**
 * How far the fast model may be from the reference, by kind of program: the one table. docs/accuracy.md shows
 * it; test_time.c holds both to it.
 */
#ifndef APMU_TEST_BOUNDS_H
#define APMU_TEST_BOUNDS_H

struct bound {
	const char *kind;        /* kinds.h */
	double less[2], more[2]; /* percent of the reference's cycles: [0] in order, [1] out of order */
	const char *why;         /* what is left out on purpose; "": nothing, the ends of the program alone */
};

extern const struct bound bounds[];
extern const unsigned bounds_n;

/* Faults that are known and not mended: beyond the bounds above, as far as this. */
struct deviation {
	const char *kind, *row; /* row NULL: every one with or without a window, as `window` says */
	int window;
	double less, more;
	const char *what;
};

extern const struct deviation deviations[];
extern const unsigned deviations_n;

#endif
