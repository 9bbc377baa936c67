/* SPDX-License-Identifier: MIT */
/* L2, L3 and the bus, with caches so small that each line can be followed by hand. L1 data: 2 sets of one
 * way; L2: 4 sets of one way; L3: 4 sets of 2 ways. Lines have 64 bytes, the bus has 16: a line is four
 * beats. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define LINE 64

static void open_small(struct lab *l, const char *inclusion, bool l3)
{
	static const char *const params[][2] = {
		{"l1d.size", "128"},   {"l1d.ways", "1"},  {"l1d.line", "64"},        {"l1d.replace", "lru"},
		{"mini.size", "0"},    {"l2.size", "256"}, {"l2.ways", "1"},          {"l2.latency", "10"},
		{"l2.fill", "2"},      {"l3.ways", "2"},   {"l3.latency", "30"},      {"l3.fill", "4"},
		{"bus_width", "16"},   {"memory", "100"},  {"line_fill", "20"},       {"itlb.entries", "0"},
		{"dtlb.entries", "0"}, {"l1i.size", "0"},  {"prefetch.streams", "0"}, {"read_allocate", "0"}};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
	lab_set(l, "l2.inclusion", inclusion);
	lab_set(l, "l3.size", l3 ? "512" : "0");
	lab_set(l, "l3.inclusion", "neither");
}

/* One access to a line. */
static void touch(struct lab *l, uint64_t line, bool store)
{
	if (l->blocks == 0)
		LAB_BLOCK(l, 0x8000, LDR(0, 8), STR(0, 8));
	apmu_uarch_enter(l->u, l->block[0]);
	apmu_uarch_access(l->u, l->block[0], store, line * LINE, 4, store);
}

#define GET(s) lab_count(&l, APMU_SIG_##s)

TEST(an_l1_miss_reads_l2_and_a_second_one_of_the_line_hits_there)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_start(&l);
	touch(&l, 0, false);
	touch(&l, 2, false); /* evicts 0 from L1, not from L2 */
	touch(&l, 0, false);
	CHECK_EQ(GET(L1D_FILL), 3);
	CHECK_EQ(GET(L2_RD), 3);
	CHECK_EQ(GET(L2_FILL_RD), 2);
	CHECK_EQ(GET(LL_RD), 3);
	CHECK_EQ(GET(LL_MISS_RD), 2);
	CHECK_EQ(GET(L1D_FILL_INNER), 1);
	CHECK_EQ(GET(L1D_FILL_OUTER), 2);
	CHECK_EQ(GET(BUS_RD), 8);
	CHECK_EQ(GET(L2_WR), 0);
	lab_close(&l);
}

TEST(a_dirty_victim_is_written_to_l2_and_from_there_to_memory)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_start(&l);
	touch(&l, 0, true); /* a fill for a write */
	CHECK_EQ(GET(L2_WR), 1);
	CHECK_EQ(GET(L2_FILL_WR), 1);
	CHECK_EQ(GET(L1D_FILL_WR), 1);
	touch(&l, 2, false); /* writes 0 to L2, which has the line: dirty there */
	CHECK_EQ(GET(L1D_WB), 1);
	CHECK_EQ(GET(L2_WR), 2);
	CHECK_EQ(GET(L2_WB), 0);
	touch(&l, 4, false); /* set 0 of L2: 0 goes to memory */
	CHECK_EQ(GET(L2_WB), 1);
	CHECK_EQ(GET(BUS_WR), 4);
	CHECK_EQ(GET(L1D_WB), 1); /* 2 was clean */
	lab_close(&l);
}

/* Lines 0 and 2 share the one way of a set in L1 and are in different sets of L2. */
TEST(hits_of_writes_and_hits_of_modified_lines_are_told)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_start(&l);
	touch(&l, 0, true);  /* L2 misses */
	touch(&l, 2, false); /* 0 is written to L2, where it is clean */
	CHECK_EQ(GET(L2_HIT_WR), 1);
	CHECK_EQ(GET(L2_HITM_WR), 0);
	touch(&l, 0, false); /* a read of what is modified there now */
	CHECK_EQ(GET(L2_HITM_RD), 1);
	touch(&l, 0, true);
	touch(&l, 2, false); /* 0 is written there again */
	CHECK_EQ(GET(L2_HIT_WR), 2);
	CHECK_EQ(GET(L2_HITM_WR), 1);
	touch(&l, 0, true); /* a fill for a write: to L2 a write, to the last level a read */
	CHECK_EQ(GET(L2_HIT_WR), 3);
	CHECK_EQ(GET(L2_HITM_WR), 2);
	CHECK_EQ(GET(L2_HITM_RD), 1);
	CHECK_EQ(GET(LL_HIT_WR), 2);
	CHECK_EQ(GET(LL_HITM_WR), 1);
	CHECK_EQ(GET(LL_HITM_RD), 2);
	lab_close(&l);
}

TEST(a_victim_that_l2_has_lost_is_allocated_without_a_fill)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_start(&l);
	touch(&l, 0, true);
	touch(&l, 3, false); /* L1 set 1 */
	touch(&l, 7, false);
	lab_set(&l, "l2.size", "256");
	touch(&l, 4, false); /* L1 victim 0 (dirty) hits L2; then 4 evicts it from L2 */
	CHECK_EQ(GET(L2_ALLOCATE), 0);
	touch(&l, 0, true);  /* L1: 4 out, clean; L2: 4 out */
	touch(&l, 1, false); /* L1 set 1, L2 set 1 */
	touch(&l, 4, false); /* L1: 0 out dirty, hits L2; L2: 0 out */
	CHECK_EQ(GET(L2_WB), 2);
	CHECK_EQ(GET(L2_ALLOCATE), 0);
	lab_close(&l);
}

TEST(an_inclusive_victim_takes_its_lines_out_of_l1)
{
	struct lab l;
	open_small(&l, "inclusive", false);
	lab_set(&l, "l1d.size", "256"); /* 2 sets of 2 ways */
	lab_set(&l, "l1d.ways", "2");
	lab_start(&l);
	touch(&l, 0, true);
	touch(&l, 4, false); /* L2 set 0: 0 is evicted, and with it L1's dirty copy */
	CHECK_EQ(GET(L1D_INVAL), 1);
	CHECK_EQ(GET(L1D_WB_CLEAN), 1);
	CHECK_EQ(GET(L1D_WB), 0);
	CHECK_EQ(GET(L2_WB), 1);
	CHECK_EQ(GET(BUS_WR), 4);
	touch(&l, 0, false);
	CHECK_EQ(GET(L1D_FILL), 3); /* line 0 is no longer in L1 */
	lab_close(&l);
	open_small(&l, "neither", false);
	lab_set(&l, "l1d.size", "256");
	lab_set(&l, "l1d.ways", "2");
	lab_start(&l);
	touch(&l, 0, true);
	touch(&l, 4, false);
	touch(&l, 0, false);
	CHECK_EQ(GET(L1D_FILL), 2); /* not inclusive: line 0 is still in L1 */
	CHECK_EQ(GET(L1D_INVAL), 0);
	lab_close(&l);
}

TEST(an_exclusive_l2_holds_what_l1_put_out)
{
	struct lab l;
	open_small(&l, "exclusive", false);
	lab_start(&l);
	touch(&l, 0, true);
	CHECK_EQ(GET(L2_ALLOCATE), 0); /* read past L2 */
	touch(&l, 2, false);           /* 0 to L2, dirty */
	CHECK_EQ(GET(L2_ALLOCATE), 1);
	CHECK_EQ(GET(L2_WR), 2); /* the miss for a write, the victim */
	touch(&l, 0, false);     /* 2 to L2, clean; 0 back, with its dirtiness, leaving no copy */
	CHECK_EQ(GET(L2_ALLOCATE), 2);
	CHECK_EQ(GET(L1D_FILL_INNER), 1);
	CHECK_EQ(GET(L1D_WB), 1);
	touch(&l, 2, false); /* 0 out again, still dirty; 2 hits L2 */
	CHECK_EQ(GET(L1D_WB), 2);
	CHECK_EQ(GET(L1D_FILL_INNER), 2);
	CHECK_EQ(GET(BUS_WR), 0);
	CHECK_EQ(GET(BUS_RD), 8);
	lab_close(&l);
}

TEST(behind_l2_is_l3)
{
	struct lab l;
	open_small(&l, "neither", true);
	lab_start(&l);
	touch(&l, 0, true);
	touch(&l, 4, false); /* L1 and L2: 0 out; L3 keeps both in its two ways */
	CHECK_EQ(GET(L2_WB), 1);
	CHECK_EQ(GET(L3_WR), 2); /* the fill for the write, the write-back, which hits */
	CHECK_EQ(GET(L3_RD), 1);
	CHECK_EQ(GET(L3_FILL_RD), 1);
	CHECK_EQ(GET(BUS_RD), 8); /* the bus is above L3 */
	CHECK_EQ(GET(BUS_WR), 4);
	CHECK_EQ(GET(MEMORY_RD), 2);
	touch(&l, 0, false);
	CHECK_EQ(GET(L3_RD), 2);
	CHECK_EQ(GET(LL_MISS_RD), 2);
	touch(&l, 8, false);
	touch(&l, 12, false); /* L3 set 0 has held 0, 4: least recently used 4, then 0 (dirty) */
	CHECK_EQ(GET(L3_WB), 1);
	CHECK_EQ(GET(BUS_RD), 20);
	CHECK_EQ(GET(BUS_WR), 4);
	CHECK_EQ(GET(MEMORY_RD), 4);
	lab_close(&l);
}

/* Without an L2 either level's events may be meant to count the cluster's cache; and an L3 may be the
 * system's. */
TEST(an_l3_counts_as_l2_or_as_outside_if_the_row_says_so)
{
	for (unsigned as_l2 = 0; as_l2 < 2; as_l2++) {
		struct lab l;
		open_small(&l, "neither", true);
		lab_set(&l, "l2.size", "0");
		lab_set(&l, "l3_as_l2", as_l2 ? "1" : "0");
		lab_set(&l, "l3_outside", as_l2 ? "0" : "1");
		lab_start(&l);
		touch(&l, 0, false);
		touch(&l, 2, false);
		touch(&l, 0, false); /* hits in L3 */
		CHECK_EQ(GET(L2_RD), as_l2 ? 3 : 0);
		CHECK_EQ(GET(L2_FILL_RD), as_l2 ? 2 : 0);
		CHECK_EQ(GET(L3_RD), as_l2 ? 0 : 3);
		CHECK_EQ(GET(L3_FILL_RD), as_l2 ? 0 : 2);
		CHECK_EQ(GET(L1D_FILL_INNER), as_l2 ? 1 : 0);
		CHECK_EQ(GET(L1D_FILL_OUTER), as_l2 ? 2 : 3);
		lab_close(&l);
	}
}

TEST(a_level_answers_after_its_own_latency)
{
	struct lab l;
	open_small(&l, "neither", true);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 8), ADD(1, 0, 0));
	static const struct {
		uint64_t line, cycles;
	} step[] = {{0, 100}, {2, 100}, {0, 10}, {4, 100}, {0, 30}};
	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		uint64_t before = GET(CYCLES);
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, step[i].line * LINE, 4, false);
		apmu_uarch_break(l.u);
		CHECK_EQ(GET(CYCLES) - before, 1 + 2 + step[i].cycles); /* load to use; the ADD's own */
	}
	lab_close(&l);
}

TEST(stores_that_l1_does_not_take_are_one_write_a_line)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_set(&l, "l1d.write_allocate", "0");
	lab_start(&l);
	LAB_BLOCK(&l, 0x8000, LDR(0, 8), STR(0, 8));
	apmu_uarch_enter(l.u, l.block[0]);
	for (unsigned k = 0; k < 16; k++)
		apmu_uarch_access(l.u, l.block[0], 1, 4 * k, 4, true);
	CHECK_EQ(GET(L2_WR), 1);
	CHECK_EQ(GET(L2_FILL_WR), 1);
	CHECK_EQ(GET(LL_WR), 1);
	CHECK_EQ(GET(LL_MISS_WR), 1);
	CHECK_EQ(GET(LL_MISS_RD), 0);
	CHECK_EQ(GET(BUS_RD), 4);
	CHECK_EQ(GET(BUS_WR), 0);
	touch(&l, 4, false); /* L2 set 0 */
	CHECK_EQ(GET(L2_WB), 1);
	lab_close(&l);
	open_small(&l, "neither", false);
	lab_set(&l, "l1d.write_allocate", "0");
	lab_set(&l, "l2.write_allocate", "0");
	lab_start(&l);
	touch(&l, 0, true);
	CHECK_EQ(GET(L2_WR), 1);
	CHECK_EQ(GET(L2_FILL_WR), 0);
	CHECK_EQ(GET(LL_MISS_WR), 0); /* nothing is filled */
	CHECK_EQ(GET(BUS_WR), 1);
	lab_close(&l);
}

TEST(stores_past_all_caches_fill_as_many_beats_as_their_bytes_whatever_the_instruction)
{
	for (unsigned bytes = 4; bytes <= 64; bytes *= 2) {
		struct lab l;
		open_small(&l, "neither", false);
		lab_set(&l, "l1d.write_allocate", "0");
		lab_set(&l, "l2.write_allocate", "0");
		lab_start(&l);
		LAB_BLOCK(&l, 0x8000, STM(0xFF0F, (uint8_t)(bytes / 4), 8));
		for (unsigned at = 0; at < 2 * LINE; at += bytes) {
			apmu_uarch_enter(l.u, l.block[0]);
			for (unsigned element = 0; element < bytes; element += 4)
				apmu_uarch_access(l.u, l.block[0], 0, at + element, 4, true);
		}
		CHECK_EQ(GET(BUS_WR), 8);
		apmu_uarch_enter(l.u,
				 l.block[0]); /* one access, from the middle of a beat to that of the next */
		apmu_uarch_access(l.u, l.block[0], 0, 4 * LINE + 8, 16, true);
		CHECK_EQ(GET(BUS_WR), 10);
		lab_close(&l);
	}
}

TEST(an_uncached_list_counts_the_same_whatever_was_stored_before)
{
	uint64_t beats[2];

	for (unsigned before = 0; before < 2; before++) {
		struct lab l;
		open_small(&l, "neither", false);
		lab_set(&l, "l1d.write_allocate", "0");
		lab_set(&l, "l2.write_allocate", "0");
		lab_set(&l, "uncached.base", "0x100000");
		lab_set(&l, "uncached.size", "0x1000");
		lab_start(&l);
		LAB_BLOCK(&l, 0x8000, STM(0xFF0F, 8, 8));
		LAB_BLOCK(&l, 0x8100, STM(0xFF0F, 8, 8));
		if (before) {
			apmu_uarch_enter(l.u, l.block[1]);
			apmu_uarch_access(l.u, l.block[1], 0, 4 * LINE, 4, true);
		}
		uint64_t so_far = GET(BUS_WR);
		apmu_uarch_enter(l.u, l.block[0]);
		for (unsigned element = 0; element < 32; element += 4)
			apmu_uarch_access(l.u, l.block[0], 0, 0x100000 + element, 4, true);
		beats[before] = GET(BUS_WR) - so_far;
		lab_close(&l);
	}
	CHECK_EQ(beats[1], beats[0]);
}

static void write_line(struct lab *l, uint64_t line, unsigned bytes)
{
	if (l->blocks == 0)
		LAB_BLOCK(l, 0x8000, LDR(0, 8), STR(0, 8));
	apmu_uarch_enter(l->u, l->block[0]);
	apmu_uarch_access(l->u, l->block[0], 1, line * LINE, bytes, true);
}

TEST(an_uncached_list_fills_as_many_beats_as_its_bytes)
{
	struct lab l;
	lab_open(&l, "cortex-a53"); /* 16 bytes per beat */
	lab_set(&l, "uncached.base", "0x100000");
	lab_set(&l, "uncached.size", "0x1000");
	lab_set(&l, "walk_reads", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDM(0xFF0F, 8, 8), STM(0xFF0F, 8, 8));
	for (unsigned store = 0; store < 2; store++)
		for (unsigned offset = 0; offset < 16; offset += 8) {
			apmu_uarch_enter(l.u, b);
			uint64_t read = GET(BUS_RD), written = GET(BUS_WR);
			uint64_t requests = GET(BUS_REQ_RD) + GET(BUS_REQ_WR);
			for (unsigned element = 0; element < 32; element += 4)
				apmu_uarch_access(l.u, b, store, 0x100000 + offset + element, 4, store);
			CHECK_EQ(GET(BUS_RD) - read, store ? 0 : offset ? 3 : 2);
			CHECK_EQ(GET(BUS_WR) - written, !store ? 0 : offset ? 3 : 2);
			CHECK_EQ(GET(BUS_REQ_RD) + GET(BUS_REQ_WR) - requests, 1);
		}
	lab_close(&l);
}

TEST(in_read_allocate_mode_lines_are_written_without_a_fill)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_set(&l, "read_allocate", "3");
	lab_start(&l);
	for (uint64_t line = 16; line < 24; line++) /* 16 starts, 17 18 19 follow */
		write_line(&l, line, LINE);
	CHECK_EQ(GET(RA_ENTER), 1);
	CHECK_EQ(GET(RA_STORE), 5); /* 19 to 23 */
	CHECK_EQ(GET(L1D_FILL_WR), 3);
	CHECK_EQ(GET(L2_ALLOCATE), 5);
	CHECK_EQ(GET(BUS_RD), 12);
	write_line(&l, 40, LINE); /* elsewhere: the mode ends */
	CHECK_EQ(GET(L1D_FILL_WR), 4);
	write_line(&l, 41, LINE);
	CHECK_EQ(GET(L1D_FILL_WR), 5);
	CHECK_EQ(GET(RA_ENTER), 1);
	lab_close(&l);
}

/* An array of structures whose first members are stored: the first line that passed L1 shows it. */
TEST(lines_that_are_not_written_whole_end_read_allocate_mode)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_set(&l, "read_allocate", "3");
	lab_start(&l);
	for (uint64_t line = 16; line < 24; line++)
		write_line(&l, line, 8);
	CHECK_EQ(GET(RA_ENTER), 1);
	CHECK_EQ(GET(RA_STORE), 1); /* 19 */
	CHECK_EQ(GET(L1D_FILL_WR), 7);
	for (uint64_t half = 80; half < 96; half++) { /* elsewhere, in halves: whole */
		apmu_uarch_enter(l.u, l.block[0]);
		apmu_uarch_access(l.u, l.block[0], 1, half * LINE / 2, LINE / 2, true);
	}
	CHECK_EQ(GET(RA_ENTER), 2);
	CHECK_EQ(GET(RA_STORE), 1 + 2 * 5); /* 43 to 47 */
	lab_close(&l);
}

/* A prefetcher of distance 2 with two streams, not trained yet. */
static void open_ahead(struct lab *l, const char *key, const char *value)
{
	open_small(l, "neither", false);
	lab_set(l, "l1d.size", "8192");
	lab_set(l, "l2.size", "65536");
	lab_set(l, "prefetch.streams", "2");
	lab_set(l, "prefetch.trigger", "2");
	lab_set(l, "prefetch.distance", "2");
	lab_set(l, "prefetch.max_stride", "4");
	lab_set(l, key, value);
	lab_start(l);
}

TEST(the_prefetcher_follows_a_stride_and_stops_at_the_page)
{
	struct lab l;
	open_ahead(&l, "prefetch.crosses", "0");
	touch(&l, 0, false);
	touch(&l, 3, false);
	CHECK_EQ(GET(PREFETCH_FILL), 0);
	touch(&l, 6, false); /* a second step of 3 lines: prefetches 9 and 12 */
	CHECK_EQ(GET(PREFETCH_FILL), 2);
	touch(&l, 9, false); /* first use of a prefetched line: prefetches 15 */
	CHECK_EQ(GET(L1D_FILL), 3);
	CHECK_EQ(GET(PREFETCH_FILL), 3);
	for (uint64_t line = 12; line <= 60; line += 3)
		touch(&l, line, false);
	CHECK_EQ(GET(L1D_FILL), 3);
	CHECK_EQ(GET(PREFETCH_FILL), 3 + 16); /* 18 to 63; 64 lines of 64 bytes are a page */
	CHECK_EQ(GET(PREFETCH_DROP), 0);      /* each line is asked for once */
	touch(&l, 63, false);
	touch(&l, 66, false);
	CHECK_EQ(GET(L1D_FILL), 4);
	lab_close(&l);
}

/* Lines whose numbers differ in their upper half are far apart. */
TEST(a_stride_of_many_gigabytes_is_no_stream)
{
	struct lab l;
	open_ahead(&l, "prefetch.trigger", "1");
	for (uint64_t k = 0; k < 8; k++)
		touch(&l, (k << 32) + k, false);
	CHECK_EQ(GET(PREFETCH_FILL), 0);
	lab_close(&l);
}

/* Tuned to no stream, the prefetcher is off; values beyond the parameters' ranges are the nearest in them. */
TEST(the_prefetcher_is_tuned_to_so_many_streams)
{
	struct lab l;
	struct apmu_tuning none = {.flights = 4}, most = {UINT8_MAX, UINT8_MAX, 0, 0};
	open_ahead(&l, "prefetch.crosses", "0");
	apmu_uarch_tune(l.u, &none);
	for (uint64_t line = 0; line < 12; line += 3)
		touch(&l, line, false);
	CHECK_EQ(GET(PREFETCH_FILL), 0);
	apmu_uarch_tune(l.u, &most);
	for (uint64_t page = 1; page < 20; page++)
		for (uint64_t line = page * 64; line < page * 64 + 12; line += 3)
			touch(&l, line, false);
	CHECK_EQ(GET(PREFETCH_FILL), 19 * 3);
	lab_close(&l);
}

TEST(a_prefetcher_that_crosses_goes_on_over_the_page)
{
	for (unsigned crosses = 0; crosses < 2; crosses++) {
		struct lab l;
		open_ahead(&l, "prefetch.crosses", crosses ? "1" : "0");
		for (uint64_t line = 51; line <= 60; line += 3)
			touch(&l, line,
			      false); /* 57 prefetches 60 and 63; 60: 66, beyond the page's 64 lines */
		CHECK_EQ(GET(L1D_FILL), 3);
		CHECK_EQ(GET(PREFETCH_FILL), 2 + crosses);
		lab_close(&l);
	}
}

TEST(a_line_that_l2_is_asked_for_first_is_looked_up_there_twice)
{
	for (unsigned twice = 0; twice < 2; twice++) {
		struct lab l;
		open_ahead(&l, "prefetch.twice", twice ? "1" : "0");
		for (uint64_t line = 0; line <= 6; line += 3)
			touch(&l, line, false); /* prefetches 9 and 12 */
		CHECK_EQ(GET(PREFETCH_FILL), 2);
		CHECK_EQ(GET(L2_AHEAD), twice ? 4 : 2);
		CHECK_EQ(GET(L2_FILL_AHEAD), 2);
		CHECK_EQ(GET(L2_RD), 3);
		lab_close(&l);
	}
}

TEST(steps_to_the_next_line_may_start_the_prefetcher_sooner)
{
	struct lab l;
	open_ahead(&l, "prefetch.next", "1");
	touch(&l, 1, false);
	touch(&l, 2, false); /* prefetches 3 and 4 */
	CHECK_EQ(GET(PREFETCH_FILL), 2);
	touch(&l, 21, false);
	touch(&l, 20, false); /* prefetches 19 and 18 */
	CHECK_EQ(GET(PREFETCH_FILL), 4);
	touch(&l, 30, false);
	touch(&l, 32, false); /* a stride of 2 lines still needs two steps */
	CHECK_EQ(GET(PREFETCH_FILL), 4);
	touch(&l, 34, false);
	CHECK_EQ(GET(PREFETCH_FILL), 6);
	lab_close(&l);
}

TEST(a_walk_reads_its_descriptors_through_l2)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_set(&l, "l2.size", "65536");
	lab_set(&l, "dtlb.entries", "1");
	lab_set(&l, "dtlb.ways", "1");
	lab_set(&l, "tlb.entries", "2");
	lab_set(&l, "tlb.ways", "2");
	lab_set(&l, "tlb.replace", "lru");
	lab_set(&l, "walk_reads", "3");
	lab_set(&l, "walk_cache", "1");
	lab_start(&l);
	touch(&l, 0, false); /* page 0: three descriptors, one line */
	CHECK_EQ(GET(DTLB_WALK), 1);
	CHECK_EQ(GET(WALK_RD), 3);
	CHECK_EQ(GET(L2_RD), 3 + 1);
	touch(&l, 64, true); /* page 1: the walk cache covers 2 MiB, so one descriptor, and it is in L2 */
	CHECK_EQ(GET(WALK_RD), 4);
	CHECK_EQ(GET(L1D_TLB_REFILL_WR), 1);
	CHECK_EQ(GET(L2_TLB_REFILL_WR), 1);
	touch(&l, 1, false); /* page 0 again: in the main TLB */
	CHECK_EQ(GET(L2_TLB_RD), 2);
	CHECK_EQ(GET(DTLB_WALK), 2);
	touch(&l, 32768, false); /* page 512: another region */
	CHECK_EQ(GET(WALK_RD), 7);
	CHECK_EQ(GET(L2_FILL_RD),
		 3 + 1 + 3); /* three descriptors; the last one of the second region; three data lines */
	lab_close(&l);
}

TEST(instruction_lines_stay_in_an_exclusive_l2)
{
	struct lab l;
	open_small(&l, "exclusive", false);
	lab_set(&l, "l1i.size", "64");
	lab_set(&l, "l1i.ways", "1");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, NOP()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9040, NOP()));
	apmu_uarch_enter(l.u, l.block[0]);
	apmu_uarch_enter(l.u, l.block[1]);
	CHECK_EQ(GET(L2_FETCH), 4);
	CHECK_EQ(GET(L2_FILL_FETCH), 2);
	CHECK_EQ(GET(L1I_ACCESS), 4);
	lab_close(&l);
}

TEST(look_ups_of_the_instruction_cache_are_as_wide_as_fetch_is)
{
	struct lab l;
	open_small(&l, "neither", false);
	lab_set(&l, "fetch_bytes", "8");
	lab_set(&l, "l1i.size", "32768");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, NOP(), NOP(), NOP())); /* 8004; 8008 800C */
	CHECK_EQ(GET(L1I_ACCESS), 2);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8010, NOP())); /* follows, a new one */
	CHECK_EQ(GET(L1I_ACCESS), 3);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8014, NOP())); /* follows, the second half */
	CHECK_EQ(GET(L1I_ACCESS), 3);
	apmu_uarch_enter(l.u, l.block[2]); /* does not follow */
	CHECK_EQ(GET(L1I_ACCESS), 4);
	lab_close(&l);
}
