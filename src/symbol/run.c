/* SPDX-License-Identifier: MIT */
#include "symbol/run.h"

#include <stdlib.h>
#include <string.h>

/* Returns how many runs begin at or below an address. */
static size_t upto(const struct symbol__runs *runs, uint64_t address)
{
	size_t low = 0, high = runs->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (runs->run[middle].first <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct symbol__run *symbol__run_at(const struct symbol__runs *runs, uint64_t address)
{
	size_t i = upto(runs, address);
	const struct symbol__run *run = i ? &runs->run[i - 1] : NULL;

	return run && address <= run->last && (address - run->first) % SYMBOL__RUN_STEP == 0 ? run : NULL;
}

void symbol__run_add(struct symbol__runs *runs, const struct symbol__run *run)
{
	if ((runs->n & (runs->n - 1)) == 0) {
		struct symbol__run *more = realloc(runs->run, (runs->n ? 2 * runs->n : 1) * sizeof *more);
		if (more == NULL)
			return;
		runs->run = more;
	}
	size_t at = upto(runs, run->first);
	memmove(&runs->run[at + 1], &runs->run[at], (runs->n - at) * sizeof *run);
	runs->run[at] = *run;
	runs->n++;
}
