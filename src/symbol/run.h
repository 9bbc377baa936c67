/* SPDX-License-Identifier: MIT */
/**
 * Answers that hold for a run of addresses: a file without lines says the same of a function's every address,
 * and one question for all of them is a thousandth of the work.
 *
 * Runs are kept in order of their first address. Two may overlap (a hostile child may say anything): the one
 * that begins last answers.
 */
#ifndef APMU_SYMBOL_RUN_H
#define APMU_SYMBOL_RUN_H

#include "symbol/symbol.h"

enum {
	APMU__RUN_STEP = 2,        /* bytes between addresses that were compared: the shortest instruction */
	APMU__RUN_BYTES = 1 << 14, /* farthest from the address that was asked for, each way */
};

struct apmu__symbol_run {
	uint64_t first, last; /* addresses, both in it; every APMU__RUN_STEP bytes from `first` on */
	struct apmu__frame frame;
};

struct apmu__runs {
	struct apmu__symbol_run *run;
	size_t n;
};

/* The run that holds an address, or NULL. */
const struct apmu__symbol_run *apmu__run_at(const struct apmu__runs *runs, uint64_t address);

/* Keeps one more. Without memory it is forgotten: it will be asked for again. */
void apmu__run_add(struct apmu__runs *runs, const struct apmu__symbol_run *run);

/* How far an answer reaches below and above an address, as one number of an answer's head. */
static inline uint64_t apmu__symbol_reach(uint64_t below, uint64_t above)
{
	return below << 32 | above;
}
static inline uint64_t apmu__reach_below(uint64_t reach)
{
	return reach >> 32;
}
static inline uint64_t apmu__reach_above(uint64_t reach)
{
	return reach & UINT32_MAX;
}

#endif
