/* SPDX-License-Identifier: MIT */
/* The causes that stalls are attributed to, in order and out of order; and the counts of walks, prefetches,
 * stores that bypass L1, and vector accesses. Caches have a few lines, so that each access's level is known.
 */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define GET(s) lab_count(&l, APMU_SIG_##s)

enum { LINE = 64, FAR = 1 << 20 };

static void open_small(struct lab *l, bool out_of_order)
{
	static const char *const params[][2] = {
		{"l1i.size", "0"},         {"itlb.entries", "0"},       {"dtlb.entries", "0"},
		{"l1d.size", "1024"},      {"l1d.ways", "2"},           {"l1d.line", "64"},
		{"l1d.replace", "lru"},    {"l2.size", "65536"},        {"l2.ways", "4"},
		{"l2.line", "64"},         {"l2.inclusion", "neither"}, {"l2.latency", "20"},
		{"l2.fill", "1"},          {"memory", "100"},           {"line_fill", "4"},
		{"prefetch.streams", "0"}, {"read_allocate", "0"},      {"misses", "8"},
		{"write_buffer", "4"},     {"write_drain", "4"},        {"unaligned_extra", "0"}};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
	if (!out_of_order)
		return;
	lab_set(l, "width", "4");
	lab_set(l, "rob", "16");
}

/* `n` dependent loads, one per line from `addr` on. */
static void chase(struct lab *l, struct apmu_block *b, uint64_t addr, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		apmu_uarch_enter(l->u, b);
		apmu_uarch_access(l->u, b, 0, addr + (uint64_t)k * LINE, 4, false);
	}
	apmu_uarch_break(l->u);
}

static uint64_t parts_of(const struct lab *l)
{
	return lab_count(l, APMU_SIG_STALL_BACK_MEM) + lab_count(l, APMU_SIG_STALL_BACK_L3) +
	       lab_count(l, APMU_SIG_STALL_BACK_L2) + lab_count(l, APMU_SIG_STALL_BACK_TLB) +
	       lab_count(l, APMU_SIG_STALL_ST);
}

/* Loads lines that fit in L2 and not in L1: in the first round they come from memory, in the second from L2.
 * Stalls of loads that are in the window at the end of a round count in the next. */
static void two_rounds(bool out_of_order)
{
	struct lab l;
	unsigned slack = out_of_order ? 16 * 100 : 0;
	open_small(&l, out_of_order);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(1, 1), ADD(1, 1, 1));

	chase(&l, b, FAR, 64);
	CHECK(GET(STALL_BACK_MEM) >= 64 * 90 - slack && GET(STALL_BACK_MEM) <= 64 * 110);
	CHECK_EQ(GET(STALL_BACK_L2), 0);
	CHECK(GET(MEM_RD_CYCLES) >= 6400);
	CHECK_EQ(GET(BUS_REQ_RD), 64);
	CHECK_EQ(GET(BUS_RD_CYCLES), 6400);
	chase(&l, b, FAR, 64);
	CHECK(GET(STALL_BACK_MEM) >= 64 * 90 && GET(STALL_BACK_MEM) <= 64 * 110);
	CHECK(GET(STALL_BACK_L2) >= 64 * 10 - slack / 5 && GET(STALL_BACK_L2) <= 64 * 24);
	CHECK_EQ(GET(STALL_BACK_TLB) + GET(STALL_BACK_L3) + GET(STALL_ST), 0);
	CHECK_EQ(GET(STALL_BACK_BOUND), parts_of(&l));
	CHECK(GET(STALL_BACK_BOUND) <= GET(DATA_STALL) + GET(LSU_FULL_STALL));
	CHECK_EQ(GET(BUS_REQ_RD), 64);
	lab_close(&l);
}

TEST(waits_in_order_are_for_the_level_that_serves_the_load)
{
	two_rounds(false);
}

TEST(waits_out_of_order_are_for_the_level_that_serves_the_load)
{
	two_rounds(true);
}

/* The first round brings the lines from memory to L2. In the second each is used soon after the prefetcher
 * has asked for it, and comes from L2: nothing waits for a miss of the last level (spec/signals.sig). */
TEST(in_order_a_wait_for_a_prefetched_line_is_for_the_level_that_sends_it)
{
	struct lab l;
	open_small(&l, false);
	lab_set(&l, "prefetch.streams", "1");
	lab_set(&l, "prefetch.trigger", "2");
	lab_set(&l, "prefetch.distance", "2");
	lab_set(&l, "prefetch.max_stride", "1");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(1, 1), ADD(1, 1, 1));

	chase(&l, b, FAR, 62);
	uint64_t memory = GET(STALL_BACK_MEM), l2 = GET(STALL_BACK_L2), hits = GET(PREFETCH_HIT);
	CHECK(memory > 0);
	CHECK_EQ(l2, 0);
	chase(&l, b, FAR, 62);
	CHECK(GET(PREFETCH_HIT) - hits > 50);
	CHECK_EQ(GET(STALL_BACK_MEM), memory);
	CHECK(GET(STALL_BACK_L2) > 50 * 5);
	CHECK_EQ(GET(STALL_BACK_BOUND), parts_of(&l));
	lab_close(&l);
}

/* A chain of multiplications without memory accesses. */
TEST(a_chain_of_operands_stalls_for_no_memory)
{
	for (unsigned out_of_order = 0; out_of_order < 2; out_of_order++) {
		struct lab l;
		open_small(&l, out_of_order);
		lab_start(&l);
		struct apmu_block *b =
			LAB_BLOCK(&l, 0x8000, MUL(1, 1, 1), MUL(1, 1, 1), MUL(1, 1, 1), MUL(1, 1, 1));

		for (unsigned k = 0; k < 100; k++)
			apmu_uarch_enter(l.u, b);
		apmu_uarch_break(l.u);
		CHECK(GET(DATA_STALL) > 100);
		CHECK_EQ(GET(STALL_BACK_BOUND), 0);
		lab_close(&l);
	}
}

/* One page after another: each access walks, for 30 cycles, and its line comes from L2 at best. */
TEST(walks_and_main_tlb_hits_are_told_apart)
{
	struct lab l;
	open_small(&l, false);
	lab_set(&l, "dtlb.entries", "2");
	lab_set(&l, "dtlb.ways", "2");
	lab_set(&l, "tlb.entries", "64");
	lab_set(&l, "tlb.ways", "4");
	lab_set(&l, "tlb.replace", "lru");
	lab_set(&l, "tlb_hit", "9");
	lab_set(&l, "walk", "30");
	lab_set(&l, "walk_reads", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(1, 1), ADD(1, 1, 1));

	uint64_t walked = 0;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned k = 0; k < 8; k++) { /* 8 pages, and 8 lines that stay in L1 */
			apmu_uarch_enter(l.u, b);
			apmu_uarch_access(l.u, b, 0, FAR + (uint64_t)k * 4096 + k * LINE, 4, false);
		}
		apmu_uarch_break(l.u);
		CHECK_EQ(GET(DTLB_WALK_CYCLES), 8 * 30);
		uint64_t main = GET(STALL_BACK_MAIN), all = GET(STALL_BACK_TLB);
		walked = round == 0 ? all : walked;
		CHECK(walked > 8 * 15 && walked <= 8 * 30);
		CHECK_EQ(all, walked + main);
		CHECK(main >= round * 8 * 4 && main <= round * (8 * 9 + 8));
		CHECK_EQ(GET(ITLB_WALK_CYCLES) + GET(DTLB_WALK_LARGE), 0);
	}
	lab_close(&l);
}

/* Pages whose tables share an entry of the walk cache, then pages of another table: loads, then stores. */
TEST(walks_in_order_stall_for_loads_and_for_stores_and_share_the_walk_cache)
{
	struct lab l;
	open_small(&l, false);
	lab_set(&l, "dtlb.entries", "2");
	lab_set(&l, "dtlb.ways", "2");
	lab_set(&l, "tlb.entries", "64");
	lab_set(&l, "tlb.ways", "4");
	lab_set(&l, "walk", "30");
	lab_set(&l, "walk_reads", "3");
	lab_set(&l, "walk_cache", "16");
	lab_set(&l, "walk_reach", "21");
	lab_set(&l, "walk_stalls", "1");
	lab_start(&l);
	struct apmu_block *load = LAB_BLOCK(&l, 0x8000, LDR(1, 1), ADD(1, 1, 1));
	struct apmu_block *store = LAB_BLOCK(&l, 0x9000, STR(1, 2), ADD(1, 1, 1));

	for (unsigned k = 0; k < 16; k++) {
		apmu_uarch_enter(l.u, k < 8 ? load : store);
		apmu_uarch_access(l.u, k < 8 ? load : store, 0, ((uint64_t)k / 8 << 21) + k % 8 * 4096, 4,
				  k >= 8);
		if (k == 7)
			CHECK_EQ(GET(STALL_WALK_ST), 0);
	}
	apmu_uarch_break(l.u);
	CHECK_EQ(GET(TLB_WALK), 16);
	CHECK_EQ(GET(WALK_MISS), 2);
	CHECK_EQ(GET(WALK_RD), 2 * 3 + 14);
	CHECK(GET(STALL_WALK_LD) >= 8 * 30 && GET(STALL_WALK_ST) >= 8 * 30);
	CHECK_EQ(GET(STALL_WALK_LD) + GET(STALL_WALK_ST), GET(DTLB_WALK_CYCLES));
	CHECK_EQ(GET(STALL_BACK_TLB), GET(DTLB_WALK_CYCLES));
	lab_close(&l);
}

/* 64 lines are stored to, of which L1 holds 16: each is read for the store and, later, written back. */
TEST(lines_read_for_stores_are_told_from_lines_written)
{
	struct lab l;
	open_small(&l, false);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(1, 2));

	for (unsigned round = 1; round <= 2; round++) {
		for (unsigned k = 0; k < 64; k++) {
			apmu_uarch_enter(l.u, b);
			apmu_uarch_access(l.u, b, 0, FAR + (uint64_t)k * LINE, 4, true);
		}
		CHECK_EQ(GET(L2_UNIQUE), 64 * round);
		CHECK_EQ(GET(L2_WR), 64 * round + 64 * round - 16);
		CHECK_EQ(GET(L2_FILL_UNIQUE), 64);
		CHECK_EQ(GET(L2_FILL_WR), 64);
		CHECK_EQ(GET(L2_RD) + GET(L3_UNIQUE) + GET(L3_FILL_UNIQUE), 0);
	}
	lab_close(&l);
}

TEST(stores_that_pass_l1_and_those_that_merge)
{
	struct lab l;
	open_small(&l, false);
	lab_set(&l, "l1d.write_allocate", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(1, 2), STR(1, 3), STR(1, 4));

	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, FAR, 4, true);
	apmu_uarch_access(l.u, b, 1, FAR + 4, 4, true);
	apmu_uarch_access(l.u, b, 2, FAR + LINE, 4, true);
	CHECK_EQ(GET(STORE_OUT), 3);
	CHECK_EQ(GET(STORE_MERGE), 1);
	lab_close(&l);
}

#define LDR_VECTOR(n)                                                                                   \
	{                                                                                               \
		.cls = APMU_CLASS_LOAD, .reads = R(n), .shift_reads = R(n), .writes = R(32), .width = 8 \
	}

TEST(accesses_of_vector_registers_are_counted_apart)
{
	struct lab l;
	open_small(&l, false);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR_VECTOR(1), LDR(2, 1), LDR(3, 1));

	for (unsigned k = 0; k < 4; k++) {
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, FAR, 8, false);        /* misses once */
		apmu_uarch_access(l.u, b, 1, FAR + 4096, 4, false); /* these two evict its line from L1 */
		apmu_uarch_access(l.u, b, 2, FAR + 8192, 4, false);
	}
	CHECK_EQ(GET(VEC_ACCESS), 4);
	CHECK_EQ(GET(VEC_MISS), 4);
	CHECK_EQ(GET(VEC_L2), 4);
	CHECK_EQ(GET(VEC_L2_MISS), 1);
	lab_close(&l);
}

/* Lines 0, 1, 2 start a stream; line 4 is in L1 already when the prefetcher wants it. */
TEST(a_line_that_is_there_is_dropped_by_the_prefetcher)
{
	struct lab l;
	open_small(&l, false);
	lab_set(&l, "prefetch.streams", "1");
	lab_set(&l, "prefetch.trigger", "2");
	lab_set(&l, "prefetch.distance", "2");
	lab_set(&l, "prefetch.max_stride", "1");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(1, 1), ADD(1, 1, 1));

	chase(&l, b, FAR + 4 * LINE, 1);
	CHECK_EQ(GET(PREFETCH_FILL) + GET(PREFETCH_DROP), 0);
	chase(&l, b, FAR, 3);
	CHECK_EQ(GET(PREFETCH_FILL), 1); /* line 3 */
	CHECK_EQ(GET(PREFETCH_DROP), 1); /* line 4 */
	CHECK_EQ(GET(PREFETCH_HIT), 0);
	CHECK_EQ(GET(L2_AHEAD), 1);
	CHECK_EQ(GET(L2_FILL_AHEAD), 1);
	chase(&l, b, FAR + 3 * LINE, 1);
	CHECK_EQ(GET(PREFETCH_HIT), 1);
	lab_close(&l);
}
