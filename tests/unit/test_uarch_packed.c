/* SPDX-License-Identifier: MIT */
/* The tag store of levels below L1 against lists of lines, way by way: addresses of programs, of page tables
 * and random ones, so that all bits of a line number matter for look-ups and for evicted lines. */
#include "test.h"
#include "uarch/lru16.h"
#include "uarch/tagstore_packed.h"

#include <string.h>

#define MOST  512 /* lines */
#define TURNS 60000

static uint64_t state = 88172645463325252u;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* A line number with few sets and few tags, so that lines conflict; only `bits` of the address's top vary. */
static uint64_t any_line(unsigned shift, uint64_t bits)
{
	static const uint64_t tops[] = {0,
					0,
					0,
					(uint64_t)0x80 << 56,
					(uint64_t)0x83 << 56,
					(uint64_t)0xFF << 56,
					(uint64_t)0x41 << 56};
	uint64_t addr = (any() & 0x7FFF) * 64 | (any() % 3 << 38) | (any() % 2 << 47 & bits);
	addr |= (any() % 2 << 55 & bits) | (tops[any() % 7] & bits);
	return addr >> shift;
}

/* One way of the reference. */
struct way {
	uint64_t line, used;
	bool held, dirty;
};

static uint32_t judged_slot(const struct way *way, uint32_t first, uint32_t ways, uint64_t line)
{
	for (uint32_t k = first; k < first + ways; k++)
		if (way[k].held && way[k].line == line)
			return k;
	return UINT32_MAX;
}

/* The reference's victim: the lowest empty way, else the least recently used. */
static uint32_t judged_victim(const struct way *way, uint32_t first, uint32_t ways)
{
	uint32_t oldest = first;
	for (uint32_t k = first; k < first + ways; k++) {
		if (!way[k].held)
			return k;
		oldest = way[k].used < way[oldest].used ? k : oldest;
	}
	return oldest;
}

static void live(uint32_t sets, uint32_t ways, unsigned shift, uint64_t bits)
{
	struct way way[MOST];
	struct apmu_uarch__packed s;
	memset(way, 0, sizeof(way));
	CHECK_EQ(apmu_uarch__packed_init(&s, sets * ways, ways, shift, APMU_REPLACE_LRU, 1), 0);
	for (uint64_t turn = 1; turn <= TURNS; turn++) {
		uint64_t line = any_line(shift, bits);
		uint32_t set = (uint32_t)(line % sets), first = set * ways;
		uint32_t there = judged_slot(way, first, ways, line),
			 slot = apmu_uarch__packed_hit(&s, line).slot;
		CHECK_EQ(slot != APMU_UARCH__NOWHERE, there != UINT32_MAX);
		bool dirty = any() % 4 == 0;
		if (there == UINT32_MAX) {
			there = judged_victim(way, first, ways);
			const struct apmu_uarch__place at = apmu_uarch__packed_look(&s, line);
			struct apmu_uarch__put put = apmu_uarch__packed_put(&s, &at, 0);
			CHECK_EQ(apmu_uarch__packed_evicted(&s, &put),
				 way[there].held ? way[there].line : APMU_UARCH__NO_LINE);
			CHECK_EQ(put.dirty != 0, way[there].held && way[there].dirty);
			way[there] = (struct way){.line = line, .held = true};
			slot = put.slot;
		}
		CHECK_EQ(slot, (set << s.pitch) + there - first);
		apmu_uarch__packed_mark_dirty(&s, slot, dirty);
		way[there].used = turn;
		way[there].dirty |= dirty;
		CHECK_EQ(apmu_uarch__packed_dirty(&s, slot) != 0, way[there].dirty);
		if (any() % 16 == 0) {
			apmu_uarch__packed_drop(&s, slot);
			apmu_uarch__packed_mark_dirty(&s, slot, true); /* has no effect: the way is empty */
			way[there].held = false;
		}
	}
	apmu_uarch__packed_free(&s);
}

TEST(a_line_is_found_by_all_of_its_number)
{
	static const uint32_t ways[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 48, 64};
	for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++) {
		live(8, ways[k], 6, 0);
		live(8, ways[k], 6, UINT64_MAX);
		live(1, ways[k], 12, UINT64_MAX);
	}
}

TEST(a_tag_tells_its_line_again)
{
	struct apmu_uarch__packed s;
	for (unsigned shift = 4; shift <= 16; shift += 2) {
		CHECK_EQ(apmu_uarch__packed_init(&s, 256, 4, shift, APMU_REPLACE_RANDOM, 1), 0);
		for (unsigned k = 0; k < 10000; k++) {
			uint64_t line = any() >> shift;
			CHECK_EQ(apmu_uarch__packed_line(&s, apmu_uarch__packed_tag(&s, line),
							 line & s.set_mask),
				 line);
		}
		apmu_uarch__packed_free(&s);
	}
}

static void put(struct apmu_uarch__packed *s, uint64_t addr)
{
	const struct apmu_uarch__place at = apmu_uarch__packed_look(s, addr >> s->shift);
	CHECK_EQ(at.slot, APMU_UARCH__NOWHERE);
	apmu_uarch__packed_put(s, &at, 0);
}

TEST(a_program_of_43_bits_and_its_page_tables_need_one_word_a_line)
{
	struct apmu_uarch__packed s;
	CHECK_EQ(apmu_uarch__packed_init(&s, 16384, 16, 6, APMU_REPLACE_RANDOM, 1), 0);
	put(&s, ((uint64_t)1 << 43) - 64);
	put(&s, (uint64_t)0x83 << 56 | (uint64_t)1 << 42);
	CHECK(!s.deep);
	put(&s, (uint64_t)1 << 43);
	CHECK(s.deep);
	apmu_uarch__packed_free(&s);
}

TEST(the_order_of_use_is_that_of_a_list)
{
	for (unsigned n = 1; n <= APMU_UARCH__ORDER_MOST; n++) {
		uint64_t order = apmu_uarch__order_new(n), used[APMU_UARCH__ORDER_MOST];
		for (unsigned k = 0; k < n; k++)
			used[k] = k;
		for (uint64_t turn = n; turn < 5000; turn++) {
			unsigned k = (unsigned)(any() % n), oldest = 0;
			for (unsigned at = 1; at < n; at++)
				oldest = used[at] < used[oldest] ? at : oldest;
			CHECK_EQ(apmu_uarch__order_oldest(order), oldest);
			if (k == oldest)
				CHECK_EQ(apmu_uarch__order_use_oldest(order, n),
					 apmu_uarch__order_use(order, k, n));
			order = apmu_uarch__order_use(order, k, n);
			used[k] = turn;
		}
	}
}
