/* SPDX-License-Identifier: MIT */
#include "uarch/tagstore_wide.h"

#include <stdlib.h>

struct apmu_uarch__wide *apmu_uarch__wide_new(uint32_t lines)
{
	unsigned bits = 1;
	while (((uint64_t)1 << bits) < 2 * (uint64_t)lines)
		bits++;
	size_t buckets = (size_t)1 << bits;
	struct apmu_uarch__wide *w = calloc(1, sizeof(*w) + (lines + buckets) * sizeof(w->next[0]));
	if (!w)
		return NULL;
	w->next = (uint32_t *)(w + 1);
	w->bucket = w->next + lines;
	w->shift = (uint8_t)(64 - bits);
	return w;
}

uint32_t apmu_uarch__wide_find(const struct apmu_uarch__wide *w, const uint64_t *tag, uint64_t line)
{
	uint32_t s = *apmu_uarch__wide_bucket(w, line);
	while (s && tag[s - 1] != line)
		s = w->next[s - 1];
	return s ? s - 1 : APMU_UARCH__NOWHERE;
}
