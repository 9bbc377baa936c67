/* SPDX-License-Identifier: MIT */
/* Stores that bypass caches, the memory bandwidth that they need, and page tables of either format. A small
 * L1 of 2 sets of 1 way over an L2 of 4 sets of 1 way, 64-byte lines. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define LINE 64

static void open_small(struct lab *l)
{
	static const char *const params[][2] = {
		{"l1d.size", "128"},    {"l1d.ways", "1"},           {"l1d.line", "64"},
		{"l1d.replace", "lru"}, {"l2.size", "256"},          {"l2.ways", "1"},
		{"l2.latency", "10"},   {"l2.inclusion", "neither"}, {"l3.size", "0"},
		{"bus_width", "16"},    {"itlb.entries", "0"},       {"dtlb.entries", "0"},
		{"l1i.size", "0"},      {"prefetch.streams", "0"},   {"read_allocate", "0"}};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
}

/* One access to a line. */
static void touch(struct lab *l, uint64_t line, bool store)
{
	if (l->blocks == 0)
		LAB_BLOCK(l, 0x8000, LDR(0, 8), STR(0, 8));
	apmu_uarch_enter(l->u, l->block[0]);
	apmu_uarch_access(l->u, l->block[0], store, line * LINE, store ? LINE : 4, store);
}

#define GET(s) lab_count(&l, APMU_SIG_##s)

TEST(a_long_run_of_whole_lines_passes_the_levels_below_by_too)
{
	struct lab l;
	open_small(&l);
	lab_set(&l, "read_allocate", "1");
	lab_set(&l, "read_allocate_l2", "3");
	lab_start(&l);
	for (uint64_t line = 16; line < 22; line++) /* 17 18 into L2, 19 20 21 beyond */
		touch(&l, line, true);
	CHECK_EQ(GET(L2_ALLOCATE), 2);
	CHECK_EQ(GET(RA_STORE), 5);
	touch(&l, 18, false);
	CHECK_EQ(GET(L2_FILL_RD), 0);
	touch(&l, 21, false);
	CHECK_EQ(GET(L2_FILL_RD), 1);
	lab_close(&l);
}

TEST(a_stream_of_stores_goes_at_the_pace_of_lines_written_to_memory)
{
	struct lab l;
	open_small(&l);
	lab_set(&l, "read_allocate", "1");
	lab_set(&l, "read_allocate_l2", "1");
	lab_set(&l, "write_drain", "1");
	lab_set(&l, "write_buffer", "2");
	lab_set(&l, "line_write", "50");
	lab_start(&l);
	for (uint64_t line = 0; line < 100; line++)
		touch(&l, line, true);
	uint64_t before = GET(CYCLES);
	for (uint64_t line = 100; line < 200; line++)
		touch(&l, line, true);
	CHECK_EQ(GET(CYCLES) - before, 100 * 50);
	lab_close(&l);
}

/* Each whole line that L2 takes from the core puts a dirty one out to L3, which takes one in 50 cycles. */
TEST(a_stream_of_stores_goes_at_the_pace_of_lines_that_l2_puts_out)
{
	struct lab l;
	open_small(&l);
	lab_set(&l, "read_allocate", "1");
	lab_set(&l, "read_allocate_l2", "0");
	lab_set(&l, "write_drain", "1");
	lab_set(&l, "write_buffer", "2");
	lab_set(&l, "line_write", "0");
	lab_set(&l, "l3.size", "65536");
	lab_set(&l, "l3.latency", "20");
	lab_set(&l, "l3.fill", "50");
	lab_start(&l);
	for (uint64_t line = 0; line < 100; line++)
		touch(&l, line, true);
	uint64_t before = GET(CYCLES);
	for (uint64_t line = 100; line < 200; line++)
		touch(&l, line, true);
	CHECK_EQ(GET(CYCLES) - before, 100 * 50);
	lab_close(&l);
}

/* Out of order, a write buffer of one entry, each of which takes 100 cycles: stores of one block wait one
 * after the other, each until the one before has drained, as those of several blocks do. */
static uint64_t full_stalls(unsigned stores_in_a_block)
{
	struct lab l;
	struct apmu_insn insn[8];
	open_small(&l);
	lab_set(&l, "rob", "128");
	lab_set(&l, "width", "4");
	lab_set(&l, "l1d.write_allocate", "0");
	lab_set(&l, "l2.size", "0");
	lab_set(&l, "write_drain", "100");
	lab_set(&l, "write_buffer", "1");
	lab_set(&l, "line_write", "1");
	lab_start(&l);
	for (unsigned k = 0; k < stores_in_a_block; k++)
		insn[k] = (struct apmu_insn)STR(0, 8);
	struct apmu_block *b = lab_block(&l, 0x8000, insn, stores_in_a_block);
	for (uint64_t line = 0; line < 8; line++) {
		if (line % stores_in_a_block == 0)
			apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, (unsigned)line % stores_in_a_block, (line + 1) * 16 * LINE, 4,
				  true);
	}
	apmu_uarch_break(l.u);
	uint64_t stalls = GET(WBUF_FULL_STALL);
	CHECK(GET(CYCLES) >= stalls && GET(CYCLES) < stalls + 50);
	lab_close(&l);
	return stalls;
}

TEST(out_of_order_stores_of_a_block_wait_for_the_write_buffer_one_after_the_other)
{
	CHECK_EQ(full_stalls(8), 700);
	CHECK_EQ(full_stalls(2), full_stalls(8));
}

TEST(stores_to_lines_that_the_prefetcher_brought_count_for_read_allocate_mode)
{
	struct lab l;
	open_small(&l);
	lab_set(&l, "l1d.size", "8192");
	lab_set(&l, "prefetch.streams", "1");
	lab_set(&l, "prefetch.trigger", "1");
	lab_set(&l, "prefetch.distance", "2");
	lab_set(&l, "read_allocate", "4");
	lab_start(&l);
	for (uint64_t line = 1; line <= 12; line++) /* the prefetcher runs ahead from line 2 until line 5 */
		touch(&l, line, true);
	CHECK_EQ(GET(RA_ENTER), 1);
	CHECK_EQ(GET(PREFETCH_FILL), 4); /* 3 4 5 6 */
	CHECK_EQ(GET(L1D_FILL_WR), 2);   /* 1 2 */
	CHECK_EQ(GET(RA_STORE), 6);      /* 7 to 12 */
	lab_close(&l);
}

TEST(short_descriptors_stand_sixteen_in_a_line)
{
	for (unsigned is_short = 0; is_short < 2; is_short++) {
		struct lab l;
		open_small(&l);
		lab_set(&l, "dtlb.entries", "1");
		lab_set(&l, "dtlb.ways", "1");
		lab_set(&l, "tlb.entries", "0");
		lab_set(&l, "walk_reads", "1");
		lab_set(&l, "walk_cache", "0");
		lab_set(&l, "walk_short", is_short ? "1" : "0");
		lab_set(&l, "l2.size", "65536");
		lab_start(&l);
		touch(&l, 0, false);
		uint64_t before = GET(L2_FILL_RD);
		touch(&l, 8 * 4096 / LINE, false); /* a line of data, and one of descriptors or none */
		CHECK_EQ(GET(L2_FILL_RD) - before, is_short ? 1 : 2);
		lab_close(&l);
	}
}

/* Of a run of stores, each line prefetches the two next ones, the second of which has the set of the line
 * just written. */
TEST(a_store_keeps_its_line_dirty_though_the_prefetcher_evicts_it)
{
	struct lab l;
	open_small(&l);
	lab_set(&l, "prefetch.streams", "4");
	lab_set(&l, "prefetch.trigger", "1");
	lab_set(&l, "prefetch.next", "0");
	lab_set(&l, "prefetch.distance", "2");
	lab_start(&l);
	for (uint64_t line = 64; line < 96; line++)
		touch(&l, line, true);
	touch(&l, 200, false);
	touch(&l, 301, false);
	CHECK_EQ(GET(L1D_WB), 32);
	lab_close(&l);
}
