/* SPDX-License-Identifier: MIT */
#include "uarch/tagstore_wide.h"

#include <stdlib.h>

/* Links each set's slots and its end marker into a ring. */
static void chain(struct apmu_uarch__wide *w, uint32_t lines, uint32_t sets)
{
	uint32_t ways = lines / sets;
	for (uint32_t set = 0; set < sets; set++) {
		uint32_t last = lines + set;
		for (uint32_t way = 0; way <= ways; way++) {
			uint32_t slot = way < ways ? set * ways + way : lines + set;
			w->order[last].newer = slot;
			w->order[slot].older = last;
			last = slot;
		}
	}
}

struct apmu_uarch__wide *apmu_uarch__wide_new(uint32_t lines, uint32_t sets, bool ordered)
{
	unsigned bits = 1;
	while (((uint64_t)1 << bits) < 2 * (uint64_t)lines)
		bits++;
	size_t buckets = (size_t)1 << bits, places = (size_t)lines + sets;
	struct apmu_uarch__wide *w =
		calloc(1, sizeof(*w) + places * sizeof(w->order[0]) + (lines + buckets) * sizeof(w->next[0]));
	if (!w)
		return NULL;
	w->order = (struct apmu_uarch__neighbours *)(w + 1);
	w->next = (uint32_t *)(w->order + places);
	w->bucket = w->next + lines;
	w->lines = lines;
	w->shift = (uint8_t)(64 - bits);
	w->ordered = ordered;
	chain(w, lines, sets);
	return w;
}

uint32_t apmu_uarch__wide_find(const struct apmu_uarch__wide *w, const uint64_t *tag, uint64_t line)
{
	uint32_t s = *apmu_uarch__wide_bucket(w, line);
	while (s && tag[s - 1] != line)
		s = w->next[s - 1];
	return s ? s - 1 : APMU_UARCH__NOWHERE;
}
