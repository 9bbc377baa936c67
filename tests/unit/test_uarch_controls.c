/* SPDX-License-Identifier: MIT */
/* Cache and MMU enables, memory types and maintenance operations, as reported to the event sources. */
#include "uarch_lab.h"

#include "test.h"

static struct apmu_block *begin(struct lab *l, const char *core)
{
	lab_open(l, core);
	lab_start(l);
	return LAB_BLOCK(l, 0x8000, LDR(0, 1), STR(0, 1));
}

static uint64_t misses(struct lab *l, const struct apmu_block *b, uint64_t addr)
{
	uint64_t before = lab_count(l, APMU_SIG_L1D_MISS);

	apmu_uarch_enter(l->u, b);
	apmu_uarch_access(l->u, b, 0, addr, 4, false);
	return lab_count(l, APMU_SIG_L1D_MISS) - before;
}

TEST(a_cache_that_is_switched_off_keeps_its_lines)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "arm1136");

	CHECK_EQ(misses(&l, b, 0x1000), 1);
	apmu_uarch_switch(l.u, APMU_ON_ALL & ~APMU_ON_DCACHE);
	CHECK_EQ(misses(&l, b, 0x1000), 1); /* AN195 7: looked up, and goes outside */
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS) - lab_count(&l, APMU_SIG_L1D_ACCESS_CACHEABLE), 1);
	apmu_uarch_switch(l.u, APMU_ON_ALL);
	CHECK_EQ(misses(&l, b, 0x1000), 0);
	lab_close(&l);
}

/* DDI0301H 5.2: without static prediction a branch that the BTAC does not hold is predicted not taken. */
TEST(static_prediction_is_switched_off_alone)
{
	struct lab l;

	begin(&l, "arm1136");
	for (unsigned off = 0; off < 2; off++) {
		uint64_t addr = 0x9000 + 0x1008 * off;
		struct apmu_block *loop = LAB_BLOCK(&l, addr, ADD(1, 2, 3), BEQ(addr));

		apmu_uarch_switch(l.u, off ? APMU_ON_ALL & ~APMU_ON_STATIC : APMU_ON_ALL);
		uint64_t before = lab_count(&l, APMU_SIG_BR_MIS_PRED);
		for (unsigned k = 0; k < 3; k++) /* taken twice: the second time the BTAC has it */
			apmu_uarch_enter(l.u, loop);
		CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED) - before, off);
		apmu_uarch_break(l.u);
	}
	lab_close(&l);
}

TEST(other_memory_is_looked_up_on_arm11_alone)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "cortex-a53");

	apmu_uarch_data_memory(l.u, APMU_MEMORY_UNCACHED);
	CHECK_EQ(misses(&l, b, 0x1000), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_UNCACHED_RD), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_WBUF_DRAIN), 0);
	apmu_uarch_data_memory(l.u, APMU_MEMORY_ORDERED);
	misses(&l, b, 0x1000);
	CHECK_EQ(lab_count(&l, APMU_SIG_WBUF_DRAIN), 1);
	lab_close(&l);
}

/* Stores to Strongly Ordered memory, which wait until the write buffer is empty. Code comes from the cache.
 */
TEST(out_of_order_slots_left_empty_for_the_write_buffer_are_not_the_front_ends)
{
	struct lab l;
	struct apmu_block *b;
	uint64_t front = 0, back = 0;

	lab_open(&l, "cortex-a72");
	lab_set(&l, "write_drain", "100");
	lab_start(&l);
	apmu_uarch_data_memory(l.u, APMU_MEMORY_ORDERED);
	b = LAB_BLOCK(&l, 0x8000, STR(0, 1));
	for (unsigned k = 0; k < 20; k++) {
		if (k == 10) {
			front = lab_count(&l, APMU_SIG_SLOT_FRONT);
			back = lab_count(&l, APMU_SIG_SLOT_BACK);
		}
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x1000 + 64 * k, 4, true);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_SLOT_FRONT), front);
	CHECK(lab_count(&l, APMU_SIG_SLOT_BACK) >= back + 9 * 90 * l.p.width);
	lab_close(&l);
}

/* Three such stores of one block: each drains what the one before has written. */
TEST(out_of_order_strongly_ordered_stores_of_a_block_wait_one_after_the_other)
{
	struct lab l;

	lab_open(&l, "cortex-a72");
	lab_set(&l, "write_drain", "100");
	lab_start(&l);
	apmu_uarch_data_memory(l.u, APMU_MEMORY_ORDERED);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 1), STR(0, 1), STR(0, 1));
	apmu_uarch_enter(l.u, b);
	for (unsigned k = 0; k < 3; k++)
		apmu_uarch_access(l.u, b, k, 0x1000 + 64 * k, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_STALL_BARRIER), 2 * 100);
	lab_close(&l);
}

TEST(code_that_is_not_cacheable_is_fetched_from_memory_each_time)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "arm1136");
	uint64_t filled, cycles;

	apmu_uarch_enter(l.u, b);
	filled = lab_count(&l, APMU_SIG_L1I_MISS);
	apmu_uarch_code_memory(l.u, APMU_MEMORY_UNCACHED);
	apmu_uarch_enter(l.u, b);
	cycles = lab_count(&l, APMU_SIG_FETCH_STALL);
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), filled); /* AN195 8 */
	CHECK(lab_count(&l, APMU_SIG_FETCH_STALL) > cycles);
	lab_close(&l);
}

TEST(code_in_a_tcm_is_neither_looked_up_nor_waited_for)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "cortex-r4");
	uint64_t stalled;

	apmu_uarch_code_memory(l.u, APMU_MEMORY_TCM);
	stalled = lab_count(&l, APMU_SIG_FETCH_STALL);
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL), stalled);
	apmu_uarch_code_memory(l.u, APMU_MEMORY_CACHED);
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), 1);
	lab_close(&l);
}

TEST(data_in_a_tcm_are_looked_up_where_all_memory_is)
{
	static const struct {
		const char *row;
		uint64_t accesses;
	} rows[] = {{"arm1136", 1}, {"cortex-r4", 0}}; /* AN195 7; DDI0363 */

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lab l;
		struct apmu_block *b = begin(&l, rows[i].row);

		apmu_uarch_data_memory(l.u, APMU_MEMORY_TCM);
		CHECK_EQ(misses(&l, b, 0x1000), 0);
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), rows[i].accesses);
		apmu_uarch_data_memory(l.u, APMU_MEMORY_CACHED);
		CHECK_EQ(misses(&l, b, 0x1000), 1);
		lab_close(&l);
	}
}

TEST(maintenance_empties_and_cleans)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "arm1136");

	misses(&l, b, 0x1000);
	apmu_uarch_access(l.u, b, 1, 0x1000, 4, true);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_CLEAN, 0x1000);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_WB_HALF), 1);
	CHECK_EQ(misses(&l, b, 0x1000), 0);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_CLEAN, 0x1000);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_WB_HALF), 1);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_INVALIDATE, 0x2000); /* of another line */
	CHECK_EQ(misses(&l, b, 0x1000), 0);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_INVALIDATE, APMU_MAINTAIN_ALL);
	CHECK_EQ(misses(&l, b, 0x1000), 1);
	for (uint32_t way = 0; way < 5; way++) /* one of them does not exist */
		apmu_uarch_maintain_way(l.u, APMU_MAINTAIN_INVALIDATE, 1,
					0x1000u / l.p.l1d.line % (l.p.l1d.size / l.p.l1d.ways / l.p.l1d.line),
					way);
	CHECK_EQ(misses(&l, b, 0x1000), 1);
	lab_close(&l);
}

/* 80200 4.3.4: up to 28 lines of a set can be locked; a lock beyond that is ignored and the line is filled.
 */
TEST(pinned_lines_stay_but_for_four_of_a_set)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "xscale1");
	uint32_t way = l.p.l1d.size / l.p.l1d.ways;

	apmu_uarch_maintain(l.u, APMU_MAINTAIN_PIN_DATA, APMU_MAINTAIN_ALL);
	for (uint32_t k = 0; k < 30; k++)
		CHECK_EQ(misses(&l, b, k * way), 1);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_PIN_NO_MORE, APMU_MAINTAIN_ALL);
	for (uint32_t k = 100; k < 140; k++)
		CHECK_EQ(misses(&l, b, k * way), 1);
	for (uint32_t k = 136; k < 140; k++)
		CHECK_EQ(misses(&l, b, k * way), 0); /* four ways take turns */
	for (uint32_t k = 0; k < 28; k++)
		CHECK_EQ(misses(&l, b, k * way), 0);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_INVALIDATE, APMU_MAINTAIN_ALL);
	CHECK_EQ(misses(&l, b, 27 * way), 0);
	CHECK_EQ(misses(&l, b, 28 * way), 1);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_UNPIN_DATA, APMU_MAINTAIN_ALL);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_INVALIDATE, APMU_MAINTAIN_ALL);
	CHECK_EQ(misses(&l, b, 27 * way), 1);
	lab_close(&l);
}

/* XSCALE 7.2.8 */
TEST(an_allocated_line_is_fetched_by_nobody)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "xscale1");
	uint32_t way = l.p.l1d.size / l.p.l1d.ways;
	uint64_t filled;

	apmu_uarch_maintain(l.u, APMU_MAINTAIN_ALLOCATE, 0x1000);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL) + lab_count(&l, APMU_SIG_L1D_MISS), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_BCU_REQUEST), 0);
	CHECK_EQ(misses(&l, b, 0x1000), 0);
	apmu_uarch_access(l.u, b, 1, 0x1000, 4, true);
	filled = lab_count(&l, APMU_SIG_L1D_FILL);
	for (uint32_t k = 1; k <= l.p.l1d.ways; k++) {
		CHECK_EQ(lab_count(&l, APMU_SIG_L1D_WB_HALF), 0);
		apmu_uarch_maintain(l.u, APMU_MAINTAIN_ALLOCATE, 0x1000 + k * way);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_WB_HALF), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL), filled);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_ALLOCATE, 0x1000 + way); /* is there already */
	CHECK_EQ(misses(&l, b, 0x1000 + way), 0);
	CHECK_EQ(misses(&l, b, 0x1000), 1);
	lab_close(&l);
}

TEST(locked_ways_take_no_new_line)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "arm1136");
	uint32_t way = l.p.l1d.size / l.p.l1d.ways;

	misses(&l, b, 0);
	apmu_uarch_lock(l.u, false, 0x7);
	for (uint64_t k = 1; k < 20; k++)
		CHECK_EQ(misses(&l, b, k * way), 1);
	CHECK_EQ(misses(&l, b, 0), 0);
	CHECK_EQ(misses(&l, b, 18 * (uint64_t)way), 1); /* they evicted one another */
	lab_close(&l);
}

static bool is_below_16_mib(void *user, uint64_t addr)
{
	(void)user;
	return addr < 0x1000000;
}

static uint64_t refills(struct lab *l, const struct apmu_block *b, uint64_t addr)
{
	uint64_t before = lab_count(l, APMU_SIG_L1D_TLB_REFILL);

	misses(l, b, addr);
	return lab_count(l, APMU_SIG_L1D_TLB_REFILL) - before;
}

#define OWN    0x100000u
#define GLOBAL 0x2000000u

/* Rows whose L1 TLB is fully associative (found by hash) or has two ways, with and without a main TLB. */
TEST(tlb_entries_are_of_an_address_space)
{
	static const char *const cores[] = {"arm1136", "cortex-a8", "cortex-a9", "cortex-a72", "xscale1"};

	for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
		const struct apmu_space one = {.asid = 1, .regime = 2}, two = {.asid = 2, .regime = 2},
					guest = {.asid = 1, .vmid = 7, .regime = 2}, host = {.regime = 3};
		struct apmu_unmap what = {.space = two, .code = true, .data = true, .last = UINT64_MAX};
		struct lab l;
		struct apmu_block *b = begin(&l, cores[i]);

		CHECK_EQ(apmu_uarch_spaces(l.u, is_below_16_mib, NULL), 0);
		apmu_uarch_enter_space(l.u, &one);
		CHECK_EQ(refills(&l, b, OWN) + refills(&l, b, GLOBAL), 2);
		apmu_uarch_enter_space(l.u, &two);
		CHECK_EQ(refills(&l, b, OWN), 1);
		CHECK_EQ(refills(&l, b, GLOBAL), 0);
		apmu_uarch_enter_space(l.u, &guest);
		CHECK_EQ(refills(&l, b, OWN) + refills(&l, b, GLOBAL), 2);
		apmu_uarch_enter_space(l.u, &host);
		CHECK_EQ(refills(&l, b, GLOBAL), 1);

		/* unmaps by ASID, then by address in all VMIDs with global entries, then all of a VMID */
		apmu_uarch_unmap(l.u, &what);
		apmu_uarch_enter_space(l.u, &one);
		CHECK_EQ(refills(&l, b, OWN) + refills(&l, b, GLOBAL), 0);
		apmu_uarch_enter_space(l.u, &two);
		CHECK_EQ(refills(&l, b, OWN), 1);
		CHECK_EQ(refills(&l, b, GLOBAL), 0);
		what.first = what.last = GLOBAL + 8;
		what.any_vmid = what.globals = true;
		apmu_uarch_unmap(l.u, &what);
		CHECK_EQ(refills(&l, b, OWN), 0);
		CHECK_EQ(refills(&l, b, GLOBAL), 1);
		apmu_uarch_enter_space(l.u, &guest);
		CHECK_EQ(refills(&l, b, GLOBAL), 1);
		CHECK_EQ(refills(&l, b, OWN), 0);
		what = (struct apmu_unmap){
			.space = guest, .any_asid = true, .code = true, .data = true, .last = UINT64_MAX};
		apmu_uarch_unmap(l.u, &what);
		CHECK_EQ(refills(&l, b, OWN), 1);
		apmu_uarch_enter_space(l.u, &host);
		CHECK_EQ(refills(&l, b, GLOBAL), 0);
		apmu_uarch_enter_space(l.u, &one);
		CHECK_EQ(refills(&l, b, OWN), 0);
		lab_close(&l);
	}
}

/* Entries of another address space still occupy ways, so the other space's pages evict them. */
TEST(a_tlb_full_of_one_space_is_emptied_by_another)
{
	const struct apmu_space one = {.asid = 1}, two = {.asid = 2};
	struct lab l;
	struct apmu_block *b = begin(&l, "arm1136");
	uint64_t walks;

	CHECK_EQ(apmu_uarch_spaces(l.u, is_below_16_mib, NULL), 0);
	apmu_uarch_enter_space(l.u, &one);
	refills(&l, b, OWN);
	apmu_uarch_enter_space(l.u, &two);
	for (uint32_t k = 0; k < 4 * l.p.tlb.entries; k++)
		refills(&l, b, k << 12);
	apmu_uarch_enter_space(l.u, &one);
	walks = lab_count(&l, APMU_SIG_DTLB_WALK);
	CHECK_EQ(refills(&l, b, OWN), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_DTLB_WALK) - walks, 1);
	lab_close(&l);
}

/* ASID, VMID and regime each make another space. */
TEST(a_space_that_differs_in_one_number_is_another)
{
	static const struct apmu_space spaces[] = {{1, 0, 2}, {2, 0, 2}, {2, 7, 2}, {2, 7, 3}};
	struct lab l;
	struct apmu_block *b = begin(&l, "arm1136");

	CHECK_EQ(apmu_uarch_spaces(l.u, is_below_16_mib, NULL), 0);
	for (unsigned k = 0; k < 4; k++) {
		apmu_uarch_enter_space(l.u, &spaces[k]);
		CHECK_EQ(refills(&l, b, OWN), 1);
	}
	lab_close(&l);
}

/* A5TRM 6.3.1: a change of CONTEXTIDR or of a table base empties the micro-TLBs; A9TRM 6.2.1 tags them. */
TEST(a_change_of_space_empties_the_first_level_of_some_cores)
{
	static const char *const cores[] = {"cortex-a9", "cortex-a5"};
	const struct apmu_space one = {.asid = 1}, two = {.asid = 2};

	for (unsigned k = 0; k < 2; k++) {
		struct lab l;
		struct apmu_block *b = begin(&l, cores[k]);

		CHECK_EQ(apmu_uarch_spaces(l.u, is_below_16_mib, NULL), 0);
		apmu_uarch_enter_space(l.u, &one);
		CHECK_EQ(refills(&l, b, OWN), 1);
		apmu_uarch_enter_space(l.u, &one); /* no change */
		CHECK_EQ(refills(&l, b, OWN), 0);
		apmu_uarch_enter_space(l.u, &two);
		apmu_uarch_enter_space(l.u, &one);
		CHECK_EQ(refills(&l, b, OWN), k);
		lab_close(&l);
	}
}

TEST(without_an_mmu_nothing_is_translated)
{
	struct lab l;
	struct apmu_block *b = begin(&l, "arm1136");

	apmu_uarch_switch(l.u, APMU_ON_ALL & ~APMU_ON_MMU);
	misses(&l, b, 0x100000);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_TLB_REFILL) + lab_count(&l, APMU_SIG_L1I_TLB_REFILL), 0);
	apmu_uarch_switch(l.u, APMU_ON_ALL);
	misses(&l, b, 0x100000);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_TLB_REFILL), 1);
	apmu_uarch_maintain(l.u, APMU_MAINTAIN_DTLB, 0x100000);
	misses(&l, b, 0x100000);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_TLB_REFILL), 2);
	lab_close(&l);
}

/* Loads reported after apmu_uarch_precount(), with the data cache off or of device memory. */
static void check_outside(bool off)
{
	struct lab l;
	struct apmu_access_site site;
	struct apmu_block *b;

	lab_open(&l, "cortex-a53");
	lab_start(&l);
	apmu_uarch_precount(l.u);
	b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	apmu_block_access_site(b, 0, 4, &site);
	for (unsigned k = 0; k < 12; k++) {
		if (k == 2 && off)
			apmu_uarch_switch(l.u, APMU_ON_ALL & ~APMU_ON_DCACHE);
		else if (k == 2)
			apmu_uarch_data_memory(l.u, APMU_MEMORY_DEVICE);
		apmu_uarch_enter(l.u, b);
		apmu_uarch_load(l.u, &site, 0x1000);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_LD_RETIRED), 12);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_UNCACHED_RD), 10);
	apmu_uarch_switch(l.u, APMU_ON_ALL);
	apmu_uarch_data_memory(l.u, APMU_MEMORY_CACHED);
	apmu_uarch_enter(l.u, b);
	apmu_uarch_load(l.u, &site, 0x1000);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 1);
	lab_close(&l);
}

TEST(accesses_that_are_counted_ahead_are_not_cached_where_others_are_not)
{
	check_outside(true);
	check_outside(false);
}

TEST(accesses_that_alone_are_counted_ahead_are_counted_after_a_switch_too)
{
	struct lab l;
	struct apmu_access_site site;
	struct apmu_block *b;

	lab_open(&l, "cortex-a53");
	lab_start_for(&l, APMU_SIG_L1D_ACCESS);
	apmu_uarch_precount(l.u);
	b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	apmu_block_access_site(b, 0, 4, &site);
	for (unsigned k = 0; k < 4; k++) {
		if (k == 2)
			apmu_uarch_switch(l.u, APMU_ON_ALL & ~APMU_ON_PREDICT);
		apmu_uarch_enter(l.u, b);
		apmu_uarch_load(l.u, &site, 0x1000);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), 4);
	lab_close(&l);
}

/* Loads of lines in locked ways, of a machine that counts only fills. */
TEST(locked_ways_take_no_new_line_where_accesses_are_counted_ahead)
{
	struct lab l;
	struct apmu_access_site site;
	uint64_t filled, way;
	struct apmu_block *b;

	lab_open(&l, "arm1136");
	lab_set(&l, "prefetch.streams", "4");
	lab_set(&l, "read_allocate", "9");
	lab_start_for(&l, APMU_SIG_L1D_FILL);
	apmu_uarch_precount(l.u);
	way = l.p.l1d.size / l.p.l1d.ways;
	b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	apmu_block_access_site(b, 0, 4, &site);
	for (uint64_t k = 0; k < 30; k++) {
		if (k == 4)
			apmu_uarch_lock(l.u, false, 7);
		apmu_uarch_enter(l.u, b);
		apmu_uarch_load(l.u, &site, (k < 4 ? 0x100000 : 0x9000000) + k * k * way);
	}
	filled = lab_count(&l, APMU_SIG_L1D_FILL);
	for (uint64_t k = 0; k < 3; k++) {
		apmu_uarch_enter(l.u, b);
		apmu_uarch_load(l.u, &site, 0x100000 + k * k * way);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL), filled);
	lab_close(&l);
}

enum { SET_0 = 1 << 20 }; /* an address in set 0 of L1 data and of L2 */

/* Reads from memory by an access to a line that L1 data and L2 have had. */
static uint64_t reads_of_line(struct lab *l, const struct apmu_block *b)
{
	uint64_t before = lab_count(l, APMU_SIG_BUS_REQ_RD);

	apmu_uarch_maintain_way(l->u, APMU_MAINTAIN_INVALIDATE, 1, 0, 0);
	apmu_uarch_enter(l->u, b);
	apmu_uarch_access(l->u, b, 0, SET_0, 4, false);
	return lab_count(l, APMU_SIG_BUS_REQ_RD) - before;
}

TEST(maintenance_reaches_levels_that_are_switched_off)
{
	struct lab l;
	uint64_t written;
	struct apmu_block *b;

	lab_open(&l, "cortex-a8");
	lab_set(&l, "l1d.ways", "1");
	lab_set(&l, "walk_reads", "0");
	lab_start(&l);
	b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1));
	reads_of_line(&l, b);
	CHECK_EQ(reads_of_line(&l, b), 0);
	for (unsigned by_way = 0; by_way < 2; by_way++) {
		apmu_uarch_access(l.u, b, 1, SET_0, 4, true);
		apmu_uarch_maintain_way(l.u, APMU_MAINTAIN_CLEAN, 1, 0, 0); /* modified in L2 now */
		written = lab_count(&l, APMU_SIG_BUS_REQ_WR);
		apmu_uarch_switch(l.u, APMU_ON_ALL & ~APMU_ON_LEVELS);
		for (unsigned way = 0; by_way && way < l.p.l2.ways; way++)
			apmu_uarch_maintain_way(l.u, APMU_MAINTAIN_CLEAN_INVALIDATE, 2, 0, way);
		if (!by_way)
			apmu_uarch_maintain(l.u, APMU_MAINTAIN_CLEAN_INVALIDATE, SET_0);
		CHECK_EQ(lab_count(&l, APMU_SIG_BUS_REQ_WR), written + 1);
		apmu_uarch_switch(l.u, APMU_ON_ALL);
		CHECK_EQ(reads_of_line(&l, b), 1);
		CHECK_EQ(reads_of_line(&l, b), 0);
	}
	lab_close(&l);
}
