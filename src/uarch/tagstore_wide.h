/* SPDX-License-Identifier: MIT */
/**
 * Sets of many ways (fully associative TLBs): a hash finds lines, so that this takes no longer in a set of 48
 * ways than in one of 4. Belongs to a struct apmu_uarch__cache, whose tags are passed in. Hits are the same
 * as those of a search through the ways.
 */
#ifndef APMU_UARCH_TAGSTORE_WIDE_H
#define APMU_UARCH_TAGSTORE_WIDE_H

#include <stdint.h>

#define APMU_UARCH__WIDE    24u /* ways of a set from which on this is faster than a search */
#define APMU_UARCH__NOWHERE UINT32_MAX

struct apmu_uarch__wide {
	uint32_t *next;   /* [lines] 1 + the next slot of the same bucket; 0: none */
	uint32_t *bucket; /* [1 << (64 - shift)] 1 + the first slot; 0: empty */
	uint8_t shift;
};

/* Returns NULL if memory is exhausted. free() releases everything. */
struct apmu_uarch__wide *apmu_uarch__wide_new(uint32_t lines);

/* Returns the slot of `tag` that holds the line, or APMU_UARCH__NOWHERE. */
uint32_t apmu_uarch__wide_find(const struct apmu_uarch__wide *w, const uint64_t *tag, uint64_t line);

static inline uint32_t *apmu_uarch__wide_bucket(const struct apmu_uarch__wide *w, uint64_t line)
{
	return &w->bucket[line * 0x9E3779B97F4A7C15u >> w->shift];
}

/* Updates the hash: the slot held `old` and will hold `line`; UINT64_MAX: nothing. */
static inline void apmu_uarch__wide_replace(struct apmu_uarch__wide *w, uint32_t slot, uint64_t old,
					    uint64_t line)
{
	if (old != UINT64_MAX) {
		uint32_t *at = apmu_uarch__wide_bucket(w, old);
		while (*at != slot + 1)
			at = &w->next[*at - 1];
		*at = w->next[slot];
	}
	if (line == UINT64_MAX)
		return;
	uint32_t *first = apmu_uarch__wide_bucket(w, line);
	w->next[slot] = *first;
	*first = slot + 1;
}

#endif
