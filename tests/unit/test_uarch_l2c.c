/* SPDX-License-Identifier: MIT */
/* The requests that reach an L210 behind an ARM11. AN195 9: reads that hit a slave port's line buffer do not.
 */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

static void open_l210(struct lab *l)
{
	static const char *const params[][2] = {
		{"l2.size", "1024"},  {"l2.ways", "1"},         {"l2.line", "32"},     {"l2.replace", "lru"},
		{"l2.latency", "20"}, {"l2.line_buffers", "2"}, {"itlb.entries", "0"}, {"dtlb.entries", "0"},
		{"l1i.size", "64"},   {"l1i.ways", "1"},        {"l1d.size", "64"},    {"l1d.ways", "1"}};
	lab_open(l, "arm1136");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
	lab_start(l);
}

static void touch(struct lab *l, uint64_t line, bool store)
{
	if (l->blocks == 0)
		LAB_BLOCK(l, 0x8000, LDR(0, 8), STR(0, 8));
	apmu_uarch_enter(l->u, l->block[0]);
	apmu_uarch_access(l->u, l->block[0], store, line * 32, 4, store);
}

#define GET(s) lab_count(&l, APMU_SIG_##s)

TEST(a_read_of_a_line_that_the_port_holds_is_no_request)
{
	struct lab l;
	open_l210(&l); /* L1 data: two sets of a way; L2: 32 sets */
	touch(&l, 0, false);
	touch(&l, 2, false); /* both in the port's two buffers */
	CHECK_EQ(GET(L2C_DR_REQ), 2);
	touch(&l, 0, false); /* missed in L1, held by the port */
	CHECK_EQ(GET(L1D_MISS), 3);
	CHECK_EQ(GET(L2C_DR_REQ), 2);
	touch(&l, 4, false); /* replaces 0 */
	touch(&l, 0, false);
	CHECK_EQ(GET(L2C_DR_REQ), 4);
	CHECK_EQ(GET(L2C_DR_HIT), 1);
	lab_close(&l);
}

TEST(instruction_misses_exceed_instruction_read_requests) /* AN195 9 */
{
	struct lab l;
	open_l210(&l);
	struct apmu_block *a = LAB_BLOCK(&l, 0x8000, B(0x8040)), *b = LAB_BLOCK(&l, 0x8040, B(0x8000));
	for (unsigned k = 0; k < 10; k++) { /* two lines of one set of L1, both in the port's buffers */
		apmu_uarch_enter(l.u, a);
		apmu_uarch_enter(l.u, b);
	}
	CHECK(GET(L1I_MISS) >= 20);
	CHECK_EQ(GET(L2C_IR_REQ), 2);
	CHECK_EQ(GET(L2C_IR_HIT), 0);
	CHECK_EQ(GET(L2C_DR_REQ), 0); /* the ports are separate */
	lab_close(&l);
}

TEST(a_write_reaches_the_controller_and_empties_the_buffer)
{
	struct lab l;
	open_l210(&l);
	touch(&l, 0, false);
	touch(&l, 2, false); /* evicts 0 from L1 */
	touch(&l, 0, true);  /* L1 does not allocate: the store bypasses it */
	CHECK_EQ(GET(L2C_DW_REQ), 1);
	CHECK_EQ(GET(L2C_DW_HIT), 1);
	CHECK_EQ(GET(L2C_DW_WT), 0);
	touch(&l, 0, false);
	CHECK_EQ(GET(L2C_DR_REQ), 3);
	CHECK_EQ(GET(L2C_DR_HIT), 1);
	lab_close(&l);
}

TEST(stores_of_a_write_through_cache_are_write_through_requests)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "l2.size", "1024");
	lab_set(&l, "l2.ways", "1");
	lab_set(&l, "l2.line", "32");
	lab_set(&l, "l2.latency", "20");
	lab_set(&l, "l2.line_buffers", "2");
	lab_set(&l, "l1d.write", "through");
	lab_start(&l);
	touch(&l, 0, true);
	CHECK_EQ(GET(L2C_DW_WT), 1);
	CHECK_EQ(GET(L2C_DW_REQ), 0);
	lab_close(&l);
}
