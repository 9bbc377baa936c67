/* SPDX-License-Identifier: MIT */
#include "uarch/tagstore_packed.h"

#include "base/log2.h"

#include <stdlib.h>

#define HOST_LINE 64u /* bytes */

/* Marks the words of each set beyond its ways, so that they are neither found nor empty. */
static void fence(struct apmu_uarch__packed *s, size_t sets)
{
	for (size_t set = 0; s->ways != 1u << s->pitch && set < sets; set++)
		for (uint32_t way = s->ways; way < 1u << s->pitch; way++)
			s->word[(set << s->pitch) + way] = APMU_UARCH__WORD_DIRTY;
}

static bool allocate(struct apmu_uarch__packed *s, size_t sets)
{
	size_t words = sets << s->pitch;
	bool timed = s->replace == APMU_REPLACE_LRU || s->replace == APMU_REPLACE_FIFO;
	s->memory = calloc(words * sizeof(*s->word) + HOST_LINE, 1);
	/* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): apmu_uarch_check() refuses no sets */
	s->upper = calloc(words, sizeof(*s->upper));
	s->stamp = calloc(timed ? words : sets, sizeof(*s->stamp));
	s->keep = calloc(2 * (size_t)s->ways, sizeof(*s->keep));
	s->next = calloc(sets, sizeof(*s->next));
	return s->memory && s->upper && s->stamp && s->keep && s->next;
}

int apmu_uarch__packed_init(struct apmu_uarch__packed *s, uint32_t lines, uint32_t ways, unsigned shift,
			    unsigned replace, uint32_t seed)
{
	uint32_t sets = lines ? lines / ways : 1;
	*s = (struct apmu_uarch__packed){.ways = lines ? ways : 1, .random = seed, .shift = (uint8_t)shift};
	s->replace = (uint8_t)replace;
	s->ordered = lines && (replace == APMU_REPLACE_LRU || replace == APMU_REPLACE_PLRU);
	s->set_mask = sets - 1;
	s->set_bits = (uint8_t)apmu_base__log2(sets);
	s->pitch = (uint8_t)(s->ways < 4 ? 2 : apmu_base__log2(2 * s->ways - 1));
	s->low = (uint8_t)(56 - shift - s->set_bits);
	if (!allocate(s, sets)) {
		apmu_uarch__packed_free(s);
		return APMU_ENOMEM;
	}
	uintptr_t odd = (uintptr_t)s->memory % HOST_LINE;
	s->word = (uint32_t *)(void *)((char *)s->memory + (odd ? HOST_LINE - odd : 0));
	fence(s, sets);
	if (replace == APMU_REPLACE_PLRU)
		apmu_uarch__plru_init(s->keep, s->ways);
	return APMU_OK;
}

void apmu_uarch__packed_free(struct apmu_uarch__packed *s)
{
	free(s->memory);
	free(s->upper);
	free(s->stamp);
	free(s->keep);
	free(s->next);
	*s = (struct apmu_uarch__packed){0};
}

uint32_t apmu_uarch__packed_deep(const struct apmu_uarch__packed *s, uint32_t upper, uint32_t first,
				 uint64_t found)
{
	for (; found; found &= found - 1) {
		uint32_t slot = first + (uint32_t)__builtin_ctzll(found);
		if (s->upper[slot] == upper)
			return slot;
	}
	return APMU_UARCH__NOWHERE;
}

static uint32_t oldest(const struct apmu_uarch__packed *s, uint32_t set)
{
	const uint64_t *stamp = &s->stamp[(size_t)set << s->pitch];
	uint32_t victim = 0;
	for (uint32_t way = 1; way < s->ways; way++)
		victim = stamp[way] < stamp[victim] ? way : victim;
	return victim;
}

uint32_t apmu_uarch__packed_oldest(const struct apmu_uarch__packed *s, uint32_t set)
{
	return s->replace == APMU_REPLACE_PLRU ? apmu_uarch__plru_victim(s->stamp[set], s->ways)
					       : oldest(s, set);
}
