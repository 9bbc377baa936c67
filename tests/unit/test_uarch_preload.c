/* SPDX-License-Identifier: MIT */
/* Preloads: what they count, where the line goes, what waits for it. Caches as in test_uarch_levels.c: L1
 * data of 2 sets of one way, L2 of 4 sets of one way, lines of 64 bytes; latency of memory 100 cycles, of
 * L2 10. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define LINE 64
#define PLD(n)                                                                                        \
	{                                                                                             \
		.cls = APMU_CLASS_PRELOAD, .reads = R(n), .traits = (uint64_t)1 << APMU_TRAIT_PRELOAD \
	}
#define GET(s) lab_count(&l, APMU_SIG_##s)

static void open_small(struct lab *l, const char *core)
{
	static const char *const params[][2] = {
		{"l1d.size", "128"},    {"l1d.ways", "1"},         {"l1d.line", "64"},
		{"l1d.replace", "lru"}, {"mini.size", "0"},        {"l2.size", "256"},
		{"l2.ways", "1"},       {"l2.latency", "10"},      {"l2.inclusion", "neither"},
		{"l2.fill", "2"},       {"l3.size", "0"},          {"memory", "100"},
		{"line_fill", "20"},    {"itlb.entries", "0"},     {"dtlb.entries", "0"},
		{"l1i.size", "0"},      {"prefetch.streams", "0"}, {"read_allocate", "0"},
		{"misses", "4"}};
	lab_open(l, core);
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
}

enum { PRELOAD, LOAD, USE, WORK };

static void blocks(struct lab *l)
{
	LAB_BLOCK(l, 0x8000, PLD(8));
	LAB_BLOCK(l, 0x8100, LDR(0, 8), STR(0, 8));
	LAB_BLOCK(l, 0x8200, LDR(1, 8), ADD(2, 1, 1));
	LAB_BLOCK(l, 0x8300, ADD(3, 3, 3), ADD(3, 3, 3), ADD(3, 3, 3), ADD(3, 3, 3), ADD(3, 3, 3),
		  ADD(3, 3, 3), ADD(3, 3, 3), ADD(3, 3, 3), ADD(3, 3, 3), ADD(3, 3, 3), DSB());
}

static void preload(struct lab *l, uint64_t line)
{
	apmu_uarch_enter(l->u, l->block[PRELOAD]);
	apmu_uarch_preload(l->u, l->block[PRELOAD], 0, line * LINE, false);
}

static void touch(struct lab *l, uint64_t line, bool store)
{
	apmu_uarch_enter(l->u, l->block[LOAD]);
	apmu_uarch_access(l->u, l->block[LOAD], store, line * LINE, 4, store);
}

/* Spends at least ten cycles, `times` times; out of order too, because of the block's barrier. */
static void work(struct lab *l, unsigned times)
{
	while (times--)
		apmu_uarch_enter(l->u, l->block[WORK]);
}

/* Loads line 1 and uses the value; returns all cycles so far. */
static uint64_t use(struct lab *l)
{
	apmu_uarch_enter(l->u, l->block[USE]);
	apmu_uarch_access(l->u, l->block[USE], 0, LINE, 4, false);
	work(l, 2);
	return lab_count(l, APMU_SIG_CYCLES);
}

TEST(a_preload_brings_its_line_and_a_second_one_finds_it)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_start(&l);
	blocks(&l);
	preload(&l, 5);
	CHECK_EQ(GET(PLD_TOLD), 1);
	CHECK_EQ(GET(PLD_L1D_FILL), 1);
	CHECK_EQ(GET(L2_PLD), 1);
	CHECK_EQ(GET(L2_FILL_PLD), 1);
	CHECK_EQ(GET(LL_PLD), 1);
	CHECK_EQ(GET(LL_MISS_PLD), 1);
	CHECK_EQ(GET(LL_AHEAD) + GET(LL_MISS_AHEAD), 0);
	CHECK_EQ(GET(BUS_REQ_RD), 1);
	preload(&l, 5);
	CHECK_EQ(GET(PLD_L1D_HIT), 1);
	CHECK_EQ(GET(PLD_L1D_FILL), 1);
	touch(&l, 5, false);
	touch(&l, 5, true);
	CHECK_EQ(GET(L1D_MISS) + GET(L1D_FILL) + GET(L2_RD) + GET(L2_FILL_RD) + GET(LL_RD), 0);
	CHECK_EQ(GET(L1D_ACCESS), 2);
	preload(&l, 7); /* evicts a dirty line */
	CHECK_EQ(GET(L1D_WB), 1);
	preload(&l, 5); /* which is in L2 */
	CHECK_EQ(GET(L2_PLD), 3);
	CHECK_EQ(GET(L2_FILL_PLD), 2);
	lab_close(&l);
}

TEST(a_preload_counts_in_each_level_that_it_asks_and_not_as_the_prefetchers)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_set(&l, "l3.size", "512");
	lab_set(&l, "l3.ways", "1");
	lab_set(&l, "l3.latency", "30");
	lab_set(&l, "l3.inclusion", "neither");
	lab_start(&l);
	blocks(&l);
	preload(&l, 5);
	preload(&l, 9); /* in place of the first in L1 data and L2, but not in L3 */
	preload(&l, 5);
	CHECK_EQ(GET(L2_PLD), 3);
	CHECK_EQ(GET(L2_FILL_PLD), 3);
	CHECK_EQ(GET(L3_PLD), 3);
	CHECK_EQ(GET(L3_FILL_PLD), 2);
	CHECK_EQ(GET(LL_PLD), 3);
	CHECK_EQ(GET(LL_MISS_PLD), 2);
	CHECK_EQ(GET(L2_AHEAD) + GET(L2_FILL_AHEAD) + GET(L3_AHEAD) + GET(L3_FILL_AHEAD), 0);
	CHECK_EQ(GET(LL_AHEAD) + GET(LL_MISS_AHEAD), 0);
	lab_close(&l);
}

/* All cycles of a load with `times` units of work before it, and a preload before those if `ahead`. */
static uint64_t cycles_with(const char *core, unsigned times, bool ahead)
{
	struct lab l;
	open_small(&l, core);
	lab_start(&l);
	blocks(&l);
	apmu_uarch_enter(l.u, l.block[PRELOAD]);
	if (ahead)
		apmu_uarch_preload(l.u, l.block[PRELOAD], 0, LINE, false);
	work(&l, times);
	uint64_t cycles = use(&l);
	lab_close(&l);
	return cycles;
}

/* A preload saves the cycles that pass between it and the load, up to the latency. */
static void gains(const char *core)
{
	uint64_t at_once = cycles_with(core, 0, false);
	for (unsigned times = 0; times <= 12; times++) {
		uint64_t without = cycles_with(core, times, false), with = cycles_with(core, times, true);
		uint64_t passed = without - at_once;
		uint64_t gain = without - with, right = passed < 100 ? passed : 100;
		CHECK(gain + 6 >= right &&
		      gain <= right + 1); /* out of order, some latency is hidden anyway */
	}
}

TEST(a_load_of_a_preloaded_line_waits_for_the_rest_of_the_latency)
{
	gains("generic-inorder");
	gains("generic-ooo");
}

/* A load that misses while a preload holds the only MSHR waits until it is free. */
TEST(a_preload_takes_an_mshr)
{
	uint64_t cycles[2];
	for (unsigned places = 1; places <= 2; places++) {
		struct lab l;
		open_small(&l, "generic-inorder");
		lab_set(&l, "misses", places == 1 ? "1" : "2");
		lab_start(&l);
		blocks(&l);
		preload(&l, 6);
		cycles[places - 1] = use(&l);
		CHECK_EQ(GET(LSU_FULL_STALL) != 0, places == 1);
		lab_close(&l);
	}
	CHECK(cycles[0] >= cycles[1] + 70);
}

TEST(a_preload_waits_for_an_mshr_and_not_for_its_line)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_set(&l, "misses", "2");
	lab_start(&l);
	blocks(&l);
	preload(&l, 4);
	preload(&l, 5);
	CHECK(GET(CYCLES) < 10);
	preload(&l, 6);
	CHECK(GET(CYCLES) >= 100 && GET(CYCLES) < 110);
	lab_close(&l);
}

TEST(a_preload_walks_the_tables_beside_what_the_core_does)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_set(&l, "dtlb.entries", "4");
	lab_set(&l, "dtlb.ways", "4");
	lab_set(&l, "page", "4096");
	lab_set(&l, "walk", "50");
	lab_start(&l);
	blocks(&l);
	preload(&l, 1);
	CHECK_EQ(GET(PLD_TLB_REFILL), 1);
	CHECK_EQ(GET(PLD_WALK), 1);
	CHECK_EQ(GET(DTLB_WALK), 1);
	CHECK_EQ(GET(L1D_TLB_REFILL), 0);
	CHECK(GET(PLD_WALK_CYCLES) >= 50);
	CHECK(GET(CYCLES) < 10);
	touch(&l, 1, true);
	CHECK_EQ(GET(L1D_TLB_REFILL), 0);
	CHECK_EQ(GET(L2_TLB_RD), 1);
	lab_close(&l);
}

/* Out of order, a preload reported after the load behind it counts as if it was reported in order. */
TEST(a_preload_may_be_reported_late)
{
	uint64_t cycles[2];
	for (unsigned late = 0; late < 2; late++) {
		struct lab l;
		open_small(&l, "generic-ooo");
		lab_start(&l);
		blocks(&l);
		const struct apmu_block *b =
			LAB_BLOCK(&l, 0x9000, PLD(8), LDR(0, 8), LDR(1, 9), ADD(2, 0, 1));
		for (unsigned turn = 0; turn < 50; turn++) {
			uint64_t line = 8u + 5u * turn;
			apmu_uarch_enter(l.u, b);
			if (!late)
				apmu_uarch_preload(l.u, b, 0, (line + 4) * LINE, false);
			apmu_uarch_access(l.u, b, 1, line * LINE, 4, false);
			if (late)
				apmu_uarch_preload(l.u, b, 0, (line + 4) * LINE, false);
			apmu_uarch_access(l.u, b, 2, (line + 1) * LINE, 4, false);
		}
		work(&l, 20);
		CHECK_EQ(GET(PLD_L1D_FILL), 50);
		cycles[late] = GET(CYCLES);
		lab_close(&l);
	}
	CHECK_EQ(cycles[0], cycles[1]);
}

/* No count depends on which other signals are wanted. */
TEST(what_a_preload_finds_does_not_depend_on_what_is_wanted)
{
	static const uint16_t signals[] = {
		APMU_SIG_L1D_MISS,       APMU_SIG_L1D_FILL,    APMU_SIG_PLD_L1D_FILL,
		APMU_SIG_PLD_L1D_HIT,    APMU_SIG_L2_FILL_PLD, APMU_SIG_L2_FILL_RD,
		APMU_SIG_PLD_TLB_REFILL, APMU_SIG_CYCLES,      APMU_SIG_LL_MISS_PLD};
	uint64_t all[sizeof(signals) / sizeof(signals[0])] = {0};
	for (size_t k = 0; k <= sizeof(signals) / sizeof(signals[0]); k++) {
		struct lab l;
		open_small(&l, "generic-inorder");
		lab_set(&l, "dtlb.entries", "4");
		lab_set(&l, "dtlb.ways", "4");
		if (k == 0)
			lab_start(&l);
		else
			lab_start_for(&l, signals[k - 1]);
		blocks(&l);
		for (unsigned turn = 0; turn < 200; turn++) {
			preload(&l, turn * 7 % 61);
			touch(&l, turn * 5 % 59, turn & 1);
		}
		for (size_t s = 0; k == 0 && s < sizeof(signals) / sizeof(signals[0]); s++)
			all[s] = l.t.n[signals[s]];
		if (k > 0)
			CHECK_EQ(l.t.n[signals[k - 1]], all[k - 1]);
		lab_close(&l);
	}
}

TEST(a_window_that_no_cache_has_takes_no_preload)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_set(&l, "uncached.base", "0");
	lab_set(&l, "uncached.size", "4096");
	lab_start(&l);
	blocks(&l);
	preload(&l, 1);
	CHECK_EQ(GET(PLD_TOLD), 1);
	CHECK_EQ(GET(PLD_L1D_FILL), 0);
	preload(&l, 65);
	CHECK_EQ(GET(PLD_L1D_FILL), 1);
	lab_close(&l);
}

/* Out of order, a preload whose address was ready long ago does not wait. */
TEST(a_preload_of_an_old_address_leaves_at_once)
{
	struct lab l;
	open_small(&l, "generic-ooo");
	lab_start(&l);
	blocks(&l);
	work(&l, 40);
	preload(&l, 1);
	work(&l, 12);
	uint64_t before = GET(CYCLES);
	CHECK(use(&l) - before < 40);
	CHECK_EQ(GET(L1D_MISS), 0);
	lab_close(&l);
}

/* With the data cache off, no access allocates a line. */
TEST(a_data_cache_that_is_switched_off_takes_no_preload)
{
	struct lab l;
	open_small(&l, "generic-inorder");
	lab_start(&l);
	blocks(&l);
	apmu_uarch_switch(l.u, APMU_ON_ALL & ~APMU_ON_DCACHE);
	preload(&l, 1);
	CHECK_EQ(GET(PLD_TOLD), 1);
	CHECK_EQ(GET(PLD_L1D_FILL), 0);
	apmu_uarch_switch(l.u, APMU_ON_ALL);
	touch(&l, 1, false);
	CHECK_EQ(GET(L1D_MISS), 1);
	preload(&l, 2);
	CHECK_EQ(GET(PLD_L1D_FILL), 1);
	lab_close(&l);
}
