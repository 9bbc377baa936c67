/* SPDX-License-Identifier: MIT */
/* Stage 2 against DDI0487 D8.2, D8.4 and D8.6, alone and behind stage 1. */
#include "walk_lab.h"

#define AF    0x400u
#define R     0x40u
#define W     0x80u
#define WB    0x3Cu /* MemAttr: Write-Back */
#define BLOCK 1u
#define TABLE 3u
#define PAGE  3u
#define XN    ((uint64_t)1 << 54)
#define T(n)  (TABLES + 0x1000u * (n))
#define ALL   (AF | R | W | WB)

/* 32 bits of input address, walk from level 1, 4 KiB granule, 40 bits of output address. */
#define VTCR_32 (32u | 1u << 6 | 2u << 16)

static struct walk_lab lab;
static const struct apmu_board__memory memory = {.read = walk_lab_read, .ctx = &lab};

static struct apmu_board__walk_stage2 stage2(uint64_t vtcr)
{
	memset(&lab, 0, sizeof(lab));
	return (struct apmu_board__walk_stage2){.vttbr = T(0), .vtcr = vtcr, .physical_bits = 48};
}

static struct apmu_board__walked walk(const struct apmu_board__walk_stage2 *r, uint64_t address,
				      struct apmu_board__walk_how how)
{
	return apmu_board__walk_stage2(r, &memory, address, how);
}

static unsigned fsc(struct apmu_board__walked w)
{
	CHECK(!w.fault || w.stage2);
	return apmu_board__walk_fsc(&w);
}

TEST(SL0_says_where_the_walk_begins)
{
	struct apmu_board__walk_stage2 r = stage2(VTCR_32);

	put64(&lab, T(0) + 8, 0xC0000000 | ALL | BLOCK);
	CHECK_EQ(walk(&r, 0x40001234, system_reads).physical, 0xC0001234);
	CHECK_EQ(walk(&r, 0x40001234, system_reads).level, 1);
	r.vtcr = 32 | 2u << 16; /* from level 2: four tables one behind the other */
	put64(&lab, T(3) + 8, 0x12200000 | ALL | BLOCK);
	CHECK_EQ(walk(&r, 0xC0201234, system_reads).physical, 0x12201234);
	CHECK_EQ(walk(&r, 0xC0201234, system_reads).size, 1u << 21);
	r.vtcr = 24 | 1u << 6 | 2u << 16; /* 40 bits from level 1: two tables */
	put64(&lab, T(1) + 8, 0x80000000 | ALL | BLOCK);
	CHECK_EQ(walk(&r, 0x8040000010, system_reads).physical, 0x80000010);
	r.vtcr = 16 | 2u << 6 | 5u << 16; /* 48 bits from level 0 */
	put64(&lab, T(0) + 16, T(1) | TABLE);
	CHECK_EQ(walk(&r, 0x10040000010, system_reads).physical, 0x80000010);
}

TEST(what_SL0_and_T0SZ_cannot_be_faults_at_level_0)
{
	struct apmu_board__walk_stage2 r = stage2(32 | 3u << 6);

	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x04);
	r.vtcr = 16 | 2u << 16; /* 48 bits from level 2: more than sixteen tables */
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x04);
	r.vtcr = 39 | 1u << 6; /* 25 bits from level 1: less than an entry */
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x04);
	r.vtcr = 16 | 2u << 6; /* level 0 wants 44 bits of physical address */
	r.physical_bits = 40;
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x04);
	CHECK_EQ(lab.reads, 0);
	r.vtcr = VTCR_32;
	CHECK_EQ(fsc(walk(&r, 0x100000000, system_reads)), 0x04);
	CHECK_EQ(walk(&r, 0x100000010, system_reads).physical, 0x100000010);
}

TEST(sixteen_and_sixty_four_KiB_granules)
{
	struct apmu_board__walk_stage2 r = stage2(32 | 1u << 6 | 2u << 14 | 2u << 16);

	put64(&lab, T(0), T(4) | TABLE);
	put64(&lab, T(4) + 3 * 8, 0x2000C000 | ALL | PAGE);
	CHECK_EQ(walk(&r, 0xC123, system_reads).physical, 0x2000C123);
	r = stage2(35 | 1u << 14 | 2u << 16);
	put64(&lab, T(0) + 2 * 8, 0x30000000 | ALL | PAGE);
	CHECK_EQ(walk(&r, 0x2ABCD, system_reads).physical, 0x3000ABCD);
	CHECK_EQ(walk(&r, 0x2ABCD, system_reads).size, 65536);
}

TEST(rights_are_of_EL1_and_EL0_alike)
{
	static const char *const want[] = {"--x--x", "r-xr-x", "-wx-wx", "rwxrwx"};
	struct apmu_board__walk_stage2 r = stage2(VTCR_32);

	for (uint64_t s2ap = 0; s2ap < 4; s2ap++) {
		put64(&lab, T(0), s2ap << 6 | AF | BLOCK);
		RIGHTS(want[s2ap], walk(&r, 0, how));
	}
	put64(&lab, T(0), XN | ALL | BLOCK);
	RIGHTS("rw-rw-", walk(&r, 0, how));
	put64(&lab, T(0), (uint64_t)0xF << 59 | T(1) | TABLE); /* a table descriptor removes no rights */
	put64(&lab, T(1), ALL | BLOCK);
	RIGHTS("rwxrwx", walk(&r, 0, how));
}

TEST(aarch32_begins_at_level_1_or_2_and_reads_what_it_executes)
{
	struct apmu_board__walk_stage2 r = stage2(8 | 1u << 6); /* T0SZ -8: 40 bits */

	r.aarch32 = true;
	put64(&lab, T(1) + 8, 0x80000000 | ALL | BLOCK);
	CHECK_EQ(walk(&r, 0x8040000010, system_reads).physical, 0x80000010);
	put64(&lab, T(1) + 8, 0x80000000 | AF | W | BLOCK);
	RIGHTS("-w--w-", walk(&r, 0x8040000010, how));
	r.vtcr = 0;
	put64(&lab, T(3) + 8, 0x12200000 | ALL | BLOCK);
	CHECK_EQ(walk(&r, 0xC0201234, system_reads).physical, 0x12201234);
	r.vtcr = 2u << 6;
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x04);
}

TEST(faults_have_their_level)
{
	struct apmu_board__walk_stage2 r = stage2(VTCR_32);

	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x05);
	put64(&lab, T(0), T(1) | TABLE);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x06);
	put64(&lab, T(1), R | W | BLOCK);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x0A);
	put64(&lab, T(1), AF | R | BLOCK);
	CHECK_EQ(fsc(walk(&r, 0, system_writes)), 0x0E);
	put64(&lab, T(1), ((uint64_t)1 << 40) | ALL | BLOCK);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x02);
	put64(&lab, T(0), 0x10000000 | TABLE);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x16);
}

/* Stage 1: 39 bits, tables at T(8); stage 2 maps the tables of both stages to their own addresses. */
static struct apmu_board__walk_a64 stage1(void)
{
	put64(&lab, T(0) + 2 * 8, 0x80000000 | ALL | BLOCK);
	return (struct apmu_board__walk_a64){
		.sctlr = 1, .tcr = 25 | 2ull << 32, .ttbr0 = T(8), .mair = 0x0044FF};
}

static struct apmu_board__walked both(const struct apmu_board__walk_a64 *one,
				      const struct apmu_board__walk_stage2 *two, uint64_t address,
				      struct apmu_board__walk_how how)
{
	return apmu_board__walk_both((struct apmu_board__walk_stage1){.a64 = one}, two, &memory, address,
				     how);
}

TEST(stage_2_translates_tables_and_what_they_lead_to)
{
	struct apmu_board__walk_stage2 two = stage2(VTCR_32);
	struct apmu_board__walk_a64 one = stage1();

	put64(&lab, T(8), 0x40000000 | AF | BLOCK);
	put64(&lab, T(0) + 8, T(1) | TABLE);
	put64(&lab, T(1), 0x55200000 | ALL | BLOCK);
	CHECK_EQ(both(&one, &two, 0x1234, system_reads).physical, 0x55201234);
	CHECK_EQ(both(&one, &two, 0x1234, system_reads).size, 1u << 21);
	struct apmu_board__walked w = both(&one, &two, 0x201234, system_reads);
	CHECK_EQ(fsc(w), 0x06);
	CHECK_EQ(w.physical, 0x40201234);
	CHECK(!w.on_walk);
	CHECK_EQ(apmu_board__walk_esr(&w, APMU_BOARD__WALK_WRITE, true), 0x92000046);
	w = both(&one, &two, 0x40000000, system_reads); /* stage 1's own */
	CHECK_EQ(w.fault, APMU_BOARD__FAULT_TRANSLATION);
	CHECK(!w.stage2);
	one.ttbr0 = 0x40200000; /* tables that stage 2 does not map */
	w = both(&one, &two, 0x40000000, system_reads);
	CHECK(w.on_walk);
	CHECK_EQ(w.physical, 0x40200008);
	CHECK_EQ(apmu_board__walk_esr(&w, APMU_BOARD__WALK_READ, true), 0x92000086);
	one.sctlr = 0; /* no stage 1 */
	CHECK_EQ(both(&one, &two, 0x40001234, system_reads).physical, 0x55201234);
}

TEST(the_weaker_memory_of_both_stages)
{
	static const struct {
		uint64_t index, memattr, want;
	} rows[] = {
		{0, 0xF, APMU_MEMORY_CACHED},   {1, 0xF, APMU_MEMORY_UNCACHED}, {2, 0xF, APMU_MEMORY_ORDERED},
		{0, 0x5, APMU_MEMORY_UNCACHED}, {0, 0x1, APMU_MEMORY_DEVICE},   {0, 0x0, APMU_MEMORY_ORDERED},
		{1, 0x1, APMU_MEMORY_DEVICE},   {0, 0xA, APMU_MEMORY_CACHED},
	};
	struct apmu_board__walk_stage2 two = stage2(VTCR_32);
	struct apmu_board__walk_a64 one = stage1();

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put64(&lab, T(8), 0x40000000 | rows[i].index << 2 | AF | BLOCK);
		put64(&lab, T(0) + 8, rows[i].memattr << 2 | AF | R | W | BLOCK);
		CHECK_EQ(both(&one, &two, 0, system_reads).memory, rows[i].want);
	}
	put64(&lab, T(8), 0x40000000 | AF | BLOCK);
	put64(&lab, T(0) + 8, ALL | BLOCK);
	two.uncached_data = true;
	CHECK_EQ(both(&one, &two, 0, system_reads).memory, APMU_MEMORY_UNCACHED);
	CHECK_EQ(both(&one, &two, 0, system_fetches).memory, APMU_MEMORY_CACHED);
	two.uncached_data = false;
	two.uncached_code = true;
	CHECK_EQ(both(&one, &two, 0, system_fetches).memory, APMU_MEMORY_UNCACHED);
	two.uncached_code = false;
	one.sctlr = 0; /* without stage 1 data are Device memory, unless HCR_EL2.DC */
	CHECK_EQ(both(&one, &two, 0x40000000, system_reads).memory, APMU_MEMORY_ORDERED);
	CHECK_EQ(both(&one, &two, 0x40000000, system_fetches).memory, APMU_MEMORY_CACHED);
	two.default_cacheable = true;
	CHECK_EQ(both(&one, &two, 0x40000000, system_reads).memory, APMU_MEMORY_CACHED);
}

TEST(PTW_keeps_tables_out_of_device_memory)
{
	struct apmu_board__walk_stage2 two = stage2(VTCR_32);
	struct apmu_board__walk_a64 one = stage1();

	put64(&lab, T(0) + 2 * 8, 0x80000000 | AF | R | W | 1u << 2 | BLOCK);
	put64(&lab, T(8), 0x80000000 | AF | BLOCK);
	CHECK_EQ(both(&one, &two, 0, system_reads).fault, APMU_BOARD__FAULT_NONE);
	two.protects_walk = true;
	struct apmu_board__walked w = both(&one, &two, 0, system_reads);
	CHECK_EQ(fsc(w), 0x0D);
	CHECK(w.on_walk);
}
