/* SPDX-License-Identifier: MIT */
#include "qemu/record_limit.h"

#include <string.h>

static bool test_and_set(uint64_t *set, size_t at)
{
	uint64_t bit = (uint64_t)1 << at % 64;
	bool was = set[at / 64] & bit;

	set[at / 64] |= bit;
	return was;
}

void apmu_qemu__limit_made(struct apmu_qemu__record_limit *l, uint64_t addr)
{
	size_t at = addr * 0x9E3779B97F4A7C15u >> (64 - APMU_QEMU__LIMIT_SHIFT);
	bool twice = test_and_set(l->now, at);

	l->made++;
	l->twice += twice;
	l->returned += !twice && (l->freed[at / 64] >> at % 64 & 1);
}

bool apmu_qemu__limit_passed(struct apmu_qemu__record_limit *l, size_t bytes)
{
	if (l->limit == 0)
		l->limit = APMU_QEMU__LIMIT_FIRST;
	if (bytes <= l->limit)
		return false;
	bool needed = 2 * l->returned >= l->made;
	if (!needed || l->limit >= APMU_QEMU__LIMIT_MOST)
		return true;
	l->limit *= 2;
	return false;
}

/* Blocks that share a bit seem to have been freed before: the set begins anew when it is a quarter full. */
void apmu_qemu__limit_freed(struct apmu_qemu__record_limit *l)
{
	if (l->known > APMU_QEMU__LIMIT_BITS / 4) {
		memset(l->freed, 0, sizeof(l->freed));
		l->known = 0;
	}
	l->known += l->made - l->twice - l->returned;
	for (size_t i = 0; i < sizeof(l->freed) / sizeof(l->freed[0]); i++)
		l->freed[i] |= l->now[i];
	memset(l->now, 0, sizeof(l->now));
	l->made = l->twice = l->returned = 0;
}
