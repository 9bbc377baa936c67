/* SPDX-License-Identifier: MIT */
/* DC ZVA: what it counts and where its line goes. L1 data of 2 sets of one way, L2 of 4 sets of one way,
 * lines of 64 bytes; latency of memory 100 cycles, of L2 10. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define LINE 64
#define ZVA(n)                                                                                   \
	{                                                                                        \
		.cls = APMU_CLASS_SYSTEM, .reads = R(n), .traits = (uint64_t)1 << APMU_TRAIT_ZVA \
	}
#define GET(s) lab_count(&l, APMU_SIG_##s)

static void open_small(struct lab *l, const char *core)
{
	static const char *const params[][2] = {
		{"l1d.size", "128"},       {"l1d.ways", "1"},           {"l1d.line", "64"},
		{"l1d.replace", "lru"},    {"l2.size", "256"},          {"l2.ways", "1"},
		{"l2.latency", "10"},      {"l2.inclusion", "neither"}, {"l2.write_allocate", "1"},
		{"l3.size", "0"},          {"memory", "100"},           {"line_fill", "20"},
		{"itlb.entries", "0"},     {"dtlb.entries", "0"},       {"l1i.size", "0"},
		{"prefetch.streams", "0"}, {"read_allocate", "0"}};
	lab_open(l, core);
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
}

static void start(struct lab *l)
{
	lab_start(l);
	LAB_BLOCK(l, 0x8000, ZVA(8));
	LAB_BLOCK(l, 0x8100, LDR(0, 8), ADD(1, 0, 0), STR(0, 8));
}

static void zero(struct lab *l, uint64_t addr, unsigned bytes)
{
	apmu_uarch_enter(l->u, l->block[0]);
	apmu_uarch_zero(l->u, l->block[0], 0, addr, bytes);
}

static void load(struct lab *l, uint64_t line)
{
	apmu_uarch_enter(l->u, l->block[1]);
	apmu_uarch_access(l->u, l->block[1], 0, line * LINE, 4, false);
}

TEST(an_instruction_counts_as_one_write_whether_or_not_its_address_is_known)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	start(&l);
	apmu_uarch_enter(l.u, l.block[0]);
	zero(&l, 5 * LINE, 64);
	zero(&l, 16 * LINE, 256);
	CHECK_EQ(GET(ZVA_INST), 3);
	CHECK_EQ(GET(MEM_WR), 3);
	CHECK_EQ(GET(L1D_ACCESS), 3);
	CHECK_EQ(GET(L1D_ACCESS_CACHEABLE), 3);
	CHECK_EQ(GET(ST_RETIRED), 0); /* the events of stores add ZVA_INST */
	lab_close(&l);
}

TEST(a_line_that_l1_lacks_goes_to_l2_unread)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	start(&l);
	zero(&l, 5 * LINE + 24, 64); /* any address in it */
	CHECK_EQ(GET(L1D_MISS), 1);
	CHECK_EQ(GET(L1D_FILL), 0);
	CHECK_EQ(GET(L2_ALLOCATE), 1);
	CHECK_EQ(GET(BUS_REQ_RD) + GET(BUS_REQ_WR), 0);
	load(&l, 5);
	CHECK_EQ(GET(L1D_FILL_RD), 1);
	CHECK_EQ(GET(L2_FILL_RD), 0);
	load(&l, 9); /* of the same set of L2: the zeroes go to memory */
	CHECK_EQ(GET(L2_WB), 1);
	CHECK_EQ(GET(BUS_REQ_WR), 1);
	lab_close(&l);
}

TEST(a_line_that_l1_holds_is_modified_there)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	start(&l);
	load(&l, 5);
	zero(&l, 5 * LINE, 64);
	CHECK_EQ(GET(L1D_MISS), 1); /* the load's */
	CHECK_EQ(GET(L2_ALLOCATE), 0);
	CHECK_EQ(GET(L1D_WB), 0);
	load(&l, 7); /* of the same set of L1 */
	CHECK_EQ(GET(L1D_WB), 1);
	lab_close(&l);
}

TEST(some_cores_write_it_to_memory)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_set(&l, "zero_to_memory", "1");
	start(&l);
	zero(&l, 5 * LINE, 64);
	CHECK_EQ(GET(L2_ALLOCATE), 0);
	CHECK_EQ(GET(BUS_REQ_WR), 1);
	CHECK_EQ(GET(BUS_WR), 4); /* of 16 bytes */
	load(&l, 5);
	CHECK_EQ(GET(L2_FILL_RD), 1);
	zero(&l, 5 * LINE, 64); /* in L1 now */
	CHECK_EQ(GET(BUS_REQ_WR), 1);
	lab_close(&l);
}

TEST(a_large_block_has_several_lines_in_one_page)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_set(&l, "dtlb.entries", "4");
	lab_set(&l, "dtlb.ways", "4");
	lab_set(&l, "walk_reads", "0");
	start(&l);
	zero(&l, 0x10000 + 300, 256); /* lines 4 to 7 of the page */
	CHECK_EQ(GET(L1D_MISS), 1);   /* one access */
	CHECK_EQ(GET(L2_ALLOCATE), 4);
	CHECK_EQ(GET(L1D_TLB_REFILL_WR), 1);
	for (uint64_t line = 4; line < 8; line++)
		load(&l, 0x10000 / LINE + line);
	CHECK_EQ(GET(L2_FILL_RD), 0);
	CHECK_EQ(GET(L1D_TLB_REFILL), 1);
	lab_close(&l);
}

/* Cycles of a run of DC ZVAs to memory, which takes 50 cycles per line. */
static uint64_t pace(const char *core)
{
	struct lab l;
	open_small(&l, core);
	lab_set(&l, "zero_to_memory", "1");
	lab_set(&l, "write_drain", "1");
	lab_set(&l, "write_buffer", "2");
	lab_set(&l, "line_write", "50");
	start(&l);
	for (uint64_t line = 0; line < 100; line++)
		zero(&l, line * LINE, 64);
	uint64_t before = GET(CYCLES);
	for (uint64_t line = 100; line < 200; line++)
		zero(&l, line * LINE, 64);
	uint64_t cycles = GET(CYCLES) - before;
	lab_close(&l);
	return cycles;
}

TEST(a_run_goes_at_the_pace_of_lines_written_to_memory)
{
	CHECK_EQ(pace("generic-inorder"), 100 * 50);
	uint64_t out_of_order = pace("generic-ooo");
	CHECK(out_of_order > 99 * 50 && out_of_order < 101 * 50);
}

TEST(wrong_calls_do_nothing)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	start(&l);
	apmu_uarch_enter(l.u, l.block[0]);
	apmu_uarch_zero(l.u, l.block[0], 1, 0, 64); /* no such instruction */
	apmu_uarch_zero(l.u, l.block[0], 0, 0, 0);
	CHECK_EQ(GET(L1D_MISS), 0);
	apmu_uarch_zero(l.u, l.block[0], 0, UINT64_MAX, 64); /* the last line of all */
	CHECK_EQ(GET(L1D_MISS), 1);
	lab_close(&l);
}
