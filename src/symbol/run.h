/* SPDX-License-Identifier: MIT */
/**
 * Answers that hold for a run of addresses: a file without lines gives the same answer for every address of a
 * function, and one question for all of them is a thousandth of the work.
 *
 * Runs are kept in order of their first address. Two may overlap, because a hostile child may answer
 * anything: then the run that begins last answers.
 */
#ifndef APMU_SYMBOL_RUN_H
#define APMU_SYMBOL_RUN_H

#include "symbol/symbol.h"

enum {
	SYMBOL__RUN_STEP = 2,        /* bytes between addresses that are compared: the shortest instruction */
	SYMBOL__RUN_BYTES = 1 << 14, /* largest distance from the address asked for, each way */
};

struct symbol__run {
	uint64_t first, last; /* inclusive; every SYMBOL__RUN_STEP bytes from `first` on */
	struct symbol__frame frame;
};

struct symbol__runs {
	struct symbol__run *run;
	size_t n;
};

/* Returns the run that holds an address, or NULL. */
const struct symbol__run *symbol__run_at(const struct symbol__runs *runs, uint64_t address);

/* Keeps a run. Without memory it is dropped, and will be asked for again. */
void symbol__run_add(struct symbol__runs *runs, const struct symbol__run *run);

/* Packs how far an answer reaches below and above its address into one number of the answer's head, and
 * unpacks it. */
static inline uint64_t symbol__reach(uint64_t below, uint64_t above)
{
	return below << 32 | above;
}
static inline uint64_t symbol__reach_below(uint64_t reach)
{
	return reach >> 32;
}
static inline uint64_t symbol__reach_above(uint64_t reach)
{
	return reach & UINT32_MAX;
}

#endif
