/* SPDX-License-Identifier: MIT */
/** Kinds of random program: what each makes a core wait for, and which parameters of a row it changes. */
#ifndef APMU_TEST_KINDS_H
#define APMU_TEST_KINDS_H

#include "program.h"

struct kind {
	const char *name;
	const char *waits;  /* what it makes the core wait for */
	const char *params; /* "key value key value": changes to the row, if it allows them; "l1i.size" and
			       "l2.size": if they are larger */
	void (*make)(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs);
};

extern const struct kind kinds[];
extern const unsigned kinds_n;

/* Changes a row as the kind needs it: small caches, so that programs are short, and no feature that only
 * src/uarch has. */
void kind_row(struct apmu_uarch_params *p, const struct kind *kind);

#endif
