/* SPDX-License-Identifier: MIT */
/** Kinds of program: what each makes a core wait for, and the parameters that its rows are changed by. */
#ifndef APMU_TEST_KINDS_H
#define APMU_TEST_KINDS_H

#include "program.h"

struct kind {
	const char *name;
	const char *waits;  /* what it makes the core wait for */
	const char *params; /* "key value key value": changed in the row, where it takes them */
	void (*make)(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs);
};

extern const struct kind kinds[];
extern const unsigned kinds_n;

/* The row as the kind wants it: caches small, so that programs are short; nothing that only src/uarch knows.
 */
void kind_row(struct apmu_uarch_params *p, const struct kind *kind);

#endif
