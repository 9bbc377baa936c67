/* SPDX-License-Identifier: MIT */
/* What counts as one data access: AN195 7 and 8 for the ARM11s, XSCALE 8 for XScale. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

/* Reports `n` successive words of one instruction. */
static void words(struct lab *l, struct apmu_block *b, unsigned i, uint64_t addr, unsigned n, bool store)
{
	for (unsigned k = 0; k < n; k++)
		apmu_uarch_access(l->u, b, i, addr + 4 * k, 4, store);
}

static uint64_t accesses_of_ldm(const char *core, uint64_t addr, unsigned n)
{
	struct lab l;
	lab_open(&l, core);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDM(0xFF, 8, 9));
	apmu_uarch_enter(l.u, b);
	words(&l, b, 0, addr, n, false);
	uint64_t accesses = lab_count(&l, APMU_SIG_L1D_ACCESS);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS_CACHEABLE), accesses);
	CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 1);
	lab_close(&l);
	return accesses;
}

TEST(an_ldm_within_a_line_is_one_access_on_arm11) /* AN195 7 */
{
	CHECK_EQ(accesses_of_ldm("arm1136", 0x1000, 8), 1);
	CHECK_EQ(accesses_of_ldm("arm1156", 0x1004, 7), 1);
	CHECK_EQ(accesses_of_ldm("arm1176", 0x101C, 1), 1);
}

TEST(an_ldm_over_two_lines_is_two_accesses_on_arm11) /* AN195 7 */
{
	CHECK_EQ(accesses_of_ldm("arm1136", 0x1004, 8), 2);
	CHECK_EQ(accesses_of_ldm("arm1176", 0x101C, 2), 2);
}

TEST(an_ldm_is_one_access_a_register_on_xscale) /* XSCALE 8, event 0xA */
{
	CHECK_EQ(accesses_of_ldm("xscale1", 0x1000, 8), 8);
	CHECK_EQ(accesses_of_ldm("xscale2", 0x1004, 8), 8);
}

TEST(an_ldm_that_hits_again_and_again_counts_alike_each_time)
{
	const char *cores[] = {"arm1136", "xscale1"};
	for (unsigned c = 0; c < 2; c++) {
		struct lab l;
		lab_open(&l, cores[c]);
		lab_start(&l);
		struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDM(0xFF, 8, 9), B(0x8000));
		for (unsigned k = 0; k < 100; k++) {
			apmu_uarch_enter(l.u, b);
			words(&l, b, 0, 0x1004, 8, false);
		}
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), c == 0 ? 200 : 800);
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 2);
		CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 100);
		lab_close(&l);
	}
}

TEST(an_ldm_over_two_cold_lines_misses_twice_on_either) /* AN195 8: only the first of a line */
{
	const char *cores[] = {"arm1136", "xscale1"};
	for (unsigned c = 0; c < 2; c++) {
		struct lab l;
		lab_open(&l, cores[c]);
		lab_start(&l);
		struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDM(0xFF, 8, 9));
		apmu_uarch_enter(l.u, b);
		words(&l, b, 0, 0x1004, 8, false);
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 2);
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL), 2);
		lab_close(&l);
	}
}

TEST(an_ldrd_counts_twice_on_xscale_and_once_on_arm11)
{
	const char *cores[] = {"arm1136", "xscale1"};
	for (unsigned c = 0; c < 2; c++) {
		struct lab l;
		lab_open(&l, cores[c]);
		lab_start(&l);
		struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDRD(2, 1), LDRD(4, 1));
		apmu_uarch_enter(l.u, b);
		words(&l, b, 0, 0x1000, 2, false);              /* an engine that reports each word */
		apmu_uarch_access(l.u, b, 1, 0x1008, 8, false); /* one that reports both at once */
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), c == 0 ? 2 : 4);
		CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 2);
		lab_close(&l);
	}
}

/* Both words reported at once, a hit, and no signal wanted that needs the general path. */
TEST(an_ldrd_that_hits_counts_twice_on_xscale_and_once_on_arm11) /* XSCALE 8, event 0xA */
{
	const char *cores[] = {"arm1136", "xscale1", "xscale2"};
	for (unsigned c = 0; c < 3; c++) {
		struct lab l;
		lab_open(&l, cores[c]);
		lab_start_for(&l, APMU_SIG_L1D_FILL);
		apmu_uarch_free(l.u);
		apmu_signal_add(l.wanted, APMU_SIG_L1D_ACCESS);
		l.u = apmu_uarch_new(&l.p, &l.t, l.wanted);
		struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDRD(2, 1), B(0x8000));
		for (unsigned k = 0; k < 10; k++) {
			apmu_uarch_enter(l.u, b);
			apmu_uarch_access(l.u, b, 0, 0x1008, 8, false);
		}
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), c == 0 ? 10 : 20);
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL), 1);
		lab_close(&l);
	}
}

/* A store that misses brings no line there, so each register of a pair misses; of a load the first alone. */
TEST(a_pair_misses_on_xscale_as_often_reported_at_once_as_word_by_word)
{
	for (unsigned at_once = 0; at_once < 2; at_once++) {
		struct lab l;
		lab_open(&l, "xscale2");
		lab_start(&l);
		struct apmu_insn strd = STR(2, 1);
		struct apmu_block *b = LAB_BLOCK(&l, 0x8000, strd, LDRD(4, 1), strd);
		apmu_uarch_enter(l.u, b);
		for (unsigned i = 0; i < 3; i++) { /* a miss, a fill, a hit */
			if (at_once)
				apmu_uarch_access(l.u, b, i, 0x1008, 8, i != 1);
			else
				words(&l, b, i, 0x1008, 2, i != 1);
			CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), i == 0 ? 2 : 3);
			CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), i == 0 ? 2 : 3);
		}
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 6);
		lab_close(&l);
	}
}

TEST(two_loads_of_one_line_are_two_accesses_and_one_miss)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 2), LDR(1, 2));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_access(l.u, b, 1, 0x1004, 4, false);
	apmu_uarch_enter(l.u, b); /* the same instruction executed again is another */
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 1);
	lab_close(&l);
}

TEST(a_load_over_a_line_boundary_is_two_accesses_on_arm11)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 2));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x101E, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 1);
	lab_close(&l);
}

TEST(a_swap_reads_and_writes)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, SWP(0, 1, 2));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_ST_RETIRED), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 2);
	lab_close(&l);
}

TEST(a_store_that_misses_goes_outside_and_fills_nothing) /* 7C11: no write allocate; AN195 8: writes miss too
							  */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 1));
	for (unsigned k = 0; k < 3; k++) {
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL), 0);
	lab_close(&l);
}

TEST(a_store_that_misses_fills_where_writes_allocate)
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_set(&l, "l1d.write_allocate", "1");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 1));
	for (unsigned k = 0; k < 3; k++) {
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 1);
	lab_close(&l);
}

/* Event 0x10: refills, non-cacheable and write-through accesses; no write-backs, walks or I-side fills. */
TEST(external_accesses_are_refills_uncached_and_write_through)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "l1d.write", "through");
	lab_set(&l, "uncached.base", "0x20000000");
	lab_set(&l, "uncached.size", "0x1000");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1), LDR(2, 3), STR(2, 3));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false); /* refill */
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 1);
	apmu_uarch_access(l.u, b, 1, 0x1000, 4, true); /* hit, write-through */
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 1);
	apmu_uarch_access(l.u, b, 2, 0x20000000, 4, false);
	apmu_uarch_access(l.u, b, 3, 0x20000000, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS) - lab_count(&l, APMU_SIG_L1D_ACCESS_CACHEABLE), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_WB_HALF), 0);
	CHECK(lab_count(&l, APMU_SIG_L1I_FILL) > 0 && lab_count(&l, APMU_SIG_TLB_WALK) > 0);
	lab_close(&l);
}

TEST(an_uncached_access_is_a_transaction_on_the_bus)
{
	struct lab l;
	lab_open(&l, "cortex-a53");
	lab_set(&l, "uncached.base", "0x20000000");
	lab_set(&l, "uncached.size", "0x1000");
	lab_set(&l, "walk_reads", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1));
	apmu_uarch_enter(l.u, b);
	uint64_t read = lab_count(&l, APMU_SIG_BUS_REQ_RD), written = lab_count(&l, APMU_SIG_BUS_REQ_WR);
	uint64_t cycles = lab_count(&l, APMU_SIG_BUS_RD_CYCLES);
	apmu_uarch_access(l.u, b, 0, 0x20000000, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_BUS_REQ_RD), read + 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_BUS_RD_CYCLES), cycles + l.p.memory);
	apmu_uarch_access(l.u, b, 1, 0x20000000, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_BUS_REQ_WR), written + 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_BUS_REQ_RD), read + 1);
	lab_close(&l);
}

static void with_dtcm(struct lab *l)
{
	lab_open(l, "arm1136");
	lab_set(l, "dtcm.base", "0x30000000");
	lab_set(l, "dtcm.size", "0x4000");
	lab_start(l);
}

TEST(a_tcm_access_counts_as_cacheable_and_never_misses) /* AN195 7 */
{
	struct lab l;
	with_dtcm(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x30000000, 4, false);
	apmu_uarch_access(l.u, b, 1, 0x30003FFC, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS_CACHEABLE), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 0);
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x30004000, 4, false); /* just beyond */
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 1);
	lab_close(&l);
}

TEST(a_level_2_write_then_a_tcm_read_is_three_accesses) /* AN195 7, the note's own example */
{
	struct lab l;
	with_dtcm(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 1), LDR(0, 2), LDR(0, 2));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
	apmu_uarch_access(l.u, b, 1, 0x30000000, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 3);
	apmu_uarch_access(l.u, b, 2, 0x30000000, 4, false); /* no write just before: one more access */
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 4);
	lab_close(&l);
}

TEST(a_cached_write_then_a_tcm_read_is_two_accesses)
{
	struct lab l;
	with_dtcm(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1), LDR(0, 2));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_access(l.u, b, 1, 0x1000, 4, true);
	apmu_uarch_access(l.u, b, 2, 0x30000000, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 3);
	lab_close(&l);
}

TEST(the_mini_cache_holds_its_own_range_and_its_misses_count) /* XSCALE 8: events 0xA and 0xB */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_set(&l, "mini_window.base", "0x50000000");
	lab_set(&l, "mini_window.size", "0x10000000");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	for (unsigned round = 0; round < 2; round++) {
		for (uint64_t addr = 0; addr < 4096; addr += 32) { /* twice the mini cache */
			apmu_uarch_enter(l.u, b);
			apmu_uarch_access(l.u, b, 0, 0x50000000 + addr, 4, false);
		}
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 256);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 256);
	lab_close(&l);
}

TEST(a_barrier_drains_the_write_buffer_once) /* AN195 table 2, 0x12; 80200, 0x12 */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, DSB(), NOP(), DSB());
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_WBUF_DRAIN), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_BCU_DRAIN), 2);
	lab_close(&l);
}

TEST(a_strongly_ordered_access_drains_the_write_buffer) /* AN195 table 2, 0x12 */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "uncached.base", "0x20000000");
	lab_set(&l, "uncached.size", "4096");
	lab_set(&l, "uncached_ordered", "1");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 2));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_WBUF_DRAIN), 0);
	apmu_uarch_access(l.u, b, 1, 0x20000000, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_WBUF_DRAIN), 1);
	lab_close(&l);
}

TEST(an_uncached_store_over_a_line_boundary_is_one_external_access_on_xscale)
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_set(&l, "uncached.base", "0x20000000");
	lab_set(&l, "uncached.size", "4096");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 2));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x2000001E, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 1);
	lab_close(&l);
}

TEST(an_access_reported_at_once_looks_up_every_line_that_it_touches) /* AN195 7 and 8; lines of 32 bytes */
{
	const char *cores[] = {"arm1136", "cortex-a9"};
	for (unsigned c = 0; c < 2; c++) {
		struct lab l;
		lab_open(&l, cores[c]);
		lab_start(&l);
		struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDM(0xFFFF, 16, 9));
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x1FC4, 64, false); /* two lines of a page, one of the next */
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 3);
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 3);
		CHECK_EQ(lab_count(&l, APMU_SIG_DTLB_WALK), 2);
		CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 1);
		lab_close(&l);
	}
}
