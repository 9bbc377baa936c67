/* SPDX-License-Identifier: MIT */
/**
 * Sets of many ways (fully associative TLBs): a hash finds lines and a list finds the least recently used, so
 * that neither takes longer in a set of 48 ways than in one of 4. Belongs to a struct apmu_uarch__cache,
 * whose tags are passed in. Hits and victims are the same as those of a search through the ways.
 */
#ifndef APMU_UARCH_TAGSTORE_WIDE_H
#define APMU_UARCH_TAGSTORE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#define APMU_UARCH__WIDE    24u /* ways of a set from which on this is faster than a search */
#define APMU_UARCH__NOWHERE UINT32_MAX

/* A slot's neighbours in the LRU order of its set. The order is a ring: between the newest and the oldest is
 * the set's end marker, whose index follows those of all slots. */
struct apmu_uarch__neighbours {
	uint32_t older, newer;
};

struct apmu_uarch__wide {
	struct apmu_uarch__neighbours *order; /* [lines + sets] */
	uint32_t *next;                       /* [lines] 1 + the next slot of the same bucket; 0: none */
	uint32_t *bucket;                     /* [1 << (64 - shift)] 1 + the first slot; 0: empty */
	uint32_t lines;
	uint8_t shift;
	bool ordered; /* the LRU order is wanted */
};

/* Returns NULL if memory is exhausted. free() releases everything. */
struct apmu_uarch__wide *apmu_uarch__wide_new(uint32_t lines, uint32_t sets, bool ordered);

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

/* The least recently used slot of a set, all of whose slots are in use. */
static inline uint32_t apmu_uarch__wide_oldest(const struct apmu_uarch__wide *w, uint32_t set)
{
	return w->order[w->lines + set].newer; /* past the end marker */
}

/* Makes the slot the newest of its set. */
static inline void apmu_uarch__wide_touch(struct apmu_uarch__wide *w, uint32_t slot, uint64_t set)
{
	struct apmu_uarch__neighbours *order = w->order, *s = &order[slot];
	uint32_t end = w->lines + (uint32_t)set;

	if (order[end].older == slot)
		return;
	order[s->older].newer = s->newer;
	order[s->newer].older = s->older;
	*s = (struct apmu_uarch__neighbours){.older = order[end].older, .newer = end};
	order[s->older].newer = slot;
	order[end].older = slot;
}

#endif
