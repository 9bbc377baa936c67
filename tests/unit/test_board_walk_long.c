/* SPDX-License-Identifier: MIT */
/* Long descriptors: LPAE against DDI0406C B3.6, AArch64 against DDI0487 D8; the fault status registers. */
#include "walk_lab.h"

#define AF    0x400u
#define EL0   0x40u
#define RO    0x80u
#define BLOCK 1u
#define TABLE 3u
#define PAGE  3u
#define PXN   ((uint64_t)1 << 53)
#define XN    ((uint64_t)1 << 54)
#define T(n)  (TABLES + 0x1000u * (n))

/* 39 bits of input address in the lower and the upper half, 4 KiB granule, 48 bits of output address. */
#define TCR_39 (25ull | 25ull << 16 | 2ull << 30 | 5ull << 32)

static struct walk_lab lab;
static const struct apmu_board__memory memory = {.read = walk_lab_read, .ctx = &lab};

static struct apmu_board__walk_a64 a64(uint64_t tcr)
{
	memset(&lab, 0, sizeof(lab));
	return (struct apmu_board__walk_a64){.sctlr = 1, .tcr = tcr, .ttbr0 = T(0), .ttbr1 = T(8)};
}

static struct apmu_board__walked walk(const struct apmu_board__walk_a64 *r, uint64_t address,
				      struct apmu_board__walk_how how)
{
	return apmu_board__walk_a64(r, &memory, address, how);
}

static struct apmu_board__walk_a32 lpae(uint32_t ttbcr)
{
	memset(&lab, 0, sizeof(lab));
	return (struct apmu_board__walk_a32){
		.sctlr = 1,
		.ttbcr = 0x80000000u | ttbcr,
		.ttbr0 = T(0),
		.ttbr1 = T(8),
		.tables = APMU_BOARD__TABLES_V7_LPAE,
	};
}

static struct apmu_board__walked walk32(const struct apmu_board__walk_a32 *r, uint32_t address,
					struct apmu_board__walk_how how)
{
	return apmu_board__walk_a32(r, &memory, address, how);
}

/* The fault status code of a walk. */
static unsigned fsc(struct apmu_board__walked w)
{
	return apmu_board__walk_fsc(&w);
}

TEST(blocks_and_pages_at_three_levels)
{
	struct apmu_board__walk_a64 r = a64(TCR_39);

	put64(&lab, T(0) + 3 * 8, 0x180000000 | AF | EL0 | BLOCK);
	put64(&lab, T(0), T(1) | TABLE);
	put64(&lab, T(1) + 1 * 8, 0x7E00000 | AF | EL0 | BLOCK);
	put64(&lab, T(1), T(2) | TABLE);
	put64(&lab, T(2) + 5 * 8, 0x12345000 | AF | EL0 | PAGE);
	CHECK_EQ(walk(&r, 0xD2345678, user_reads).physical, 0x192345678);
	CHECK_EQ(walk(&r, 0xD2345678, user_reads).size, 1u << 30);
	CHECK_EQ(walk(&r, 0x00254321, user_reads).physical, 0x7E54321);
	CHECK_EQ(walk(&r, 0x00254321, user_reads).size, 1u << 21);
	CHECK_EQ(walk(&r, 0x00005678, user_reads).physical, 0x12345678);
	CHECK_EQ(walk(&r, 0x00005678, user_reads).size, 4096);
	CHECK_EQ(walk(&r, 0x00005678, user_reads).level, 3);
}

TEST(the_upper_half_has_its_own_tables)
{
	struct apmu_board__walk_a64 r = a64(TCR_39);

	put64(&lab, T(8) + 511 * 8, 0x40000000 | AF | BLOCK);
	CHECK_EQ(walk(&r, 0xFFFFFFFFC0001234, system_reads).physical, 0x40001234);
	CHECK_EQ(fsc(walk(&r, 0x00000001C0001234, system_reads)), 0x05);
}

TEST(addresses_between_the_halves_fault_at_level_0)
{
	struct apmu_board__walk_a64 r = a64(TCR_39);

	CHECK_EQ(fsc(walk(&r, 0x0000008000000000, system_reads)), 0x04);
	CHECK_EQ(fsc(walk(&r, 0xFFFFFF7FFFFFFFFF, system_reads)), 0x04);
	r.tcr |= 1u << 7; /* EPD0 */
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x04);
	r.tcr |= 1u << 23;
	CHECK_EQ(fsc(walk(&r, UINT64_MAX, system_reads)), 0x04);
}

TEST(TBI_ignores_the_top_byte)
{
	struct apmu_board__walk_a64 r = a64(TCR_39);

	put64(&lab, T(0), 0x40000000 | AF | BLOCK);
	CHECK_EQ(fsc(walk(&r, 0xAB00000000001234, system_reads)), 0x04);
	r.tcr |= (uint64_t)1 << 37;
	CHECK_EQ(walk(&r, 0xAB00000000001234, system_reads).physical, 0x40001234);
	CHECK_EQ(fsc(walk(&r, 0xAB40000000001234, system_reads)), 0x04); /* bit 54 counts */
}

TEST(forty_eight_bits_begin_at_level_0)
{
	struct apmu_board__walk_a64 r = a64(16 | 5ull << 32);

	put64(&lab, T(0) + 1 * 8, T(1) | TABLE);
	put64(&lab, T(1), T(2) | TABLE);
	put64(&lab, T(2), T(3) | TABLE);
	put64(&lab, T(3), 0xABCD000 | AF | PAGE);
	CHECK_EQ(walk(&r, 0x0000008000000123, system_reads).physical, 0xABCD123);
	put64(&lab, T(0) + 1 * 8, 0x40000000 | AF | BLOCK); /* no blocks there */
	CHECK_EQ(fsc(walk(&r, 0x0000008000000123, system_reads)), 0x04);
}

TEST(a_small_space_begins_lower_with_a_small_table)
{
	struct apmu_board__walk_a64 r = a64(39 | 5ull << 32); /* 25 bits: 16 entries of level 2, 128 bytes */

	r.ttbr0 = T(0) + 0x80;
	put64(&lab, T(0) + 0x80 + 15 * 8, 0x40000000 | AF | BLOCK);
	CHECK_EQ(walk(&r, 0x1E12345, system_reads).physical, 0x40012345);
	CHECK_EQ(fsc(walk(&r, 0x0000000, system_reads)), 0x06);
}

TEST(sixteen_and_sixty_four_KiB_granules)
{
	struct apmu_board__walk_a64 r = a64(28 | 2ull << 14 | 5ull << 32); /* 16 KiB, 36 bits: level 2 */

	put64(&lab, T(0), T(4) | TABLE);
	put64(&lab, T(4) + 3 * 8, 0x2000C000 | AF | PAGE);
	CHECK_EQ(walk(&r, 0xC123, system_reads).physical, 0x2000C123);
	CHECK_EQ(walk(&r, 0xC123, system_reads).size, 16384);
	r = a64(35 | 1ull << 14 | 5ull << 32); /* 64 KiB, 29 bits: level 3, 8192 entries */
	put64(&lab, T(0) + 2 * 8, 0x30000000 | AF | PAGE);
	CHECK_EQ(walk(&r, 0x2ABCD, system_reads).physical, 0x3000ABCD);
	CHECK_EQ(walk(&r, 0x2ABCD, system_reads).size, 65536);
}

TEST(every_fault_has_its_code_and_level)
{
	struct apmu_board__walk_a64 r = a64(TCR_39);

	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x05);
	put64(&lab, T(0), T(1) | TABLE);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x06);
	put64(&lab, T(1), T(2) | TABLE);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x07);
	put64(&lab, T(2), 0x1000 | AF | BLOCK); /* reserved at level 3 */
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x07);
	put64(&lab, T(2), 0x1000 | PAGE);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x0B);
	put64(&lab, T(2), 0x1000 | AF | RO | PAGE);
	CHECK_EQ(fsc(walk(&r, 0, system_writes)), 0x0F);
	put64(&lab, T(1), 0x200000 | AF | RO | BLOCK);
	CHECK_EQ(fsc(walk(&r, 0, system_writes)), 0x0E);
	put64(&lab, T(1), 0x10000000 | TABLE);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x17);
	r.ttbr0 = 0x10000000;
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x15);
}

TEST(output_beyond_IPS_is_an_address_size_fault)
{
	struct apmu_board__walk_a64 r = a64(25); /* 32 bits of output address */

	put64(&lab, T(0), (uint64_t)1 << 32 | AF | BLOCK);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x01);
	put64(&lab, T(0), (uint64_t)1 << 32 | TABLE);
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x01);
	r.ttbr0 = (uint64_t)1 << 32;
	CHECK_EQ(fsc(walk(&r, 0, system_reads)), 0x00);
}

/* DDI0487 table "Stage 1 EL1&0": EL1 cannot execute what EL0 can write; EL0 may have execute-only pages. */
TEST(access_permissions_of_aarch64)
{
	static const char *const want[] = {"rwx--x", "rw-rwx", "r-x--x", "r-xr-x"};
	struct apmu_board__walk_a64 r = a64(TCR_39);

	for (uint64_t ap = 0; ap < 4; ap++) {
		put64(&lab, T(0), ap << 6 | AF | BLOCK);
		RIGHTS(want[ap], walk(&r, 0, how));
	}
	put64(&lab, T(0), RO | EL0 | PXN | AF | BLOCK);
	RIGHTS("r--r-x", walk(&r, 0, how));
	put64(&lab, T(0), RO | EL0 | XN | AF | BLOCK);
	RIGHTS("r-xr--", walk(&r, 0, how));
	put64(&lab, T(0), AF | BLOCK);
	r.sctlr |= 1u << 19; /* WXN */
	RIGHTS("rw---x", walk(&r, 0, how));
}

TEST(tables_take_rights_away_from_what_hangs_below)
{
	struct apmu_board__walk_a64 r = a64(TCR_39);
	static const struct {
		unsigned bit;
		const char *want;
	} rows[] = {{59, "r--r-x"}, {60, "r-xr--"}, {61, "r-x--x"}, {62, "r-xr-x"}};

	put64(&lab, T(1), RO | EL0 | AF | BLOCK);
	for (unsigned i = 0; i < 4; i++) {
		put64(&lab, T(0), (uint64_t)1 << rows[i].bit | T(1) | TABLE);
		RIGHTS(rows[i].want, walk(&r, 0, how));
	}
	put64(&lab, T(1), EL0 | AF | BLOCK);
	put64(&lab, T(0), (uint64_t)1 << 62 | T(1) | TABLE);
	RIGHTS("r-xr-x", walk(&r, 0, how));
}

TEST(PAN_keeps_EL1_from_what_EL0_reaches)
{
	struct apmu_board__walk_how how = system_reads;
	struct apmu_board__walk_a64 r = a64(TCR_39);

	how.pan = true;
	put64(&lab, T(0), EL0 | AF | BLOCK);
	CHECK_EQ(fsc(walk(&r, 0, how)), 0x0D);
	put64(&lab, T(0), AF | BLOCK);
	CHECK_EQ(walk(&r, 0, how).fault, APMU_BOARD__FAULT_NONE);
}

TEST(tables_that_point_at_themselves_end)
{
	struct apmu_board__walk_a64 r = a64(16 | 5ull << 32);

	for (unsigned i = 0; i < 512; i++)
		put64(&lab, T(0) + i * 8, T(0) | AF | TABLE);
	CHECK_EQ(walk(&r, 0, system_reads).physical, T(0));
	CHECK_EQ(lab.reads, 4);
}

TEST(lpae_walks_from_level_1_or_2)
{
	struct apmu_board__walk_a32 r = lpae(0);

	put64(&lab, T(0) + 2 * 8, 0x4080000000 | AF | EL0 | BLOCK);
	CHECK_EQ(walk32(&r, 0x80001234, user_writes).physical, 0x4080001234);
	CHECK_EQ(walk32(&r, 0x80001234, user_writes).level, 1);
	r.ttbcr |= 2; /* T0SZ 2: a gigabyte, from level 2 */
	put64(&lab, T(0) + 1 * 8, 0x40200000 | AF | EL0 | BLOCK);
	CHECK_EQ(walk32(&r, 0x00201234, user_writes).physical, 0x40201234);
	CHECK_EQ(walk32(&r, 0x00201234, user_writes).level, 2);
}

TEST(lpae_splits_by_T0SZ_and_T1SZ)
{
	struct apmu_board__walk_a32 r = lpae(1); /* the lower half by TTBR0, the rest by TTBR1 */

	put64(&lab, T(0), 0x10000000 | AF | BLOCK);
	put64(&lab, T(8) + 2 * 8, 0x80000000 | AF | BLOCK);
	CHECK_EQ(walk32(&r, 0x00000010, system_reads).physical, 0x00000010);
	CHECK_EQ(walk32(&r, 0x80000010, system_reads).physical, 0x80000010);
	r = lpae(1 << 16); /* the upper half by TTBR1, with its own numbering */
	put64(&lab, T(8), 0xC0000000 | AF | BLOCK);
	CHECK_EQ(walk32(&r, 0x80000010, system_reads).physical, 0xC0000010);
	r = lpae(2 << 16 | 2); /* a gap between */
	CHECK_EQ(fsc(walk32(&r, 0x80000010, system_reads)), 0x05);
	CHECK_EQ(lab.reads, 0);
	r = lpae(0x80); /* EPD0 */
	CHECK_EQ(fsc(walk32(&r, 0x10, system_reads)), 0x05);
}

/* DDI0406C B3.7: execution needs the right to read. */
TEST(access_permissions_of_lpae)
{
	static const char *const want[] = {"rwx---", "rwxrwx", "r-x---", "r-xr-x"};
	struct apmu_board__walk_a32 r = lpae(0);

	for (uint64_t ap = 0; ap < 4; ap++) {
		put64(&lab, T(0), ap << 6 | AF | BLOCK);
		RIGHTS(want[ap], walk32(&r, 0, how));
	}
	put64(&lab, T(0), EL0 | XN | AF | BLOCK);
	RIGHTS("rw-rw-", walk32(&r, 0, how));
	put64(&lab, T(0), EL0 | PXN | AF | BLOCK);
	RIGHTS("rw-rwx", walk32(&r, 0, how));
	put64(&lab, T(0), EL0 | AF | BLOCK);
	r.sctlr |= 1u << 20; /* UWXN */
	RIGHTS("rw-rwx", walk32(&r, 0, how));
}

TEST(the_status_registers_of_aarch32)
{
	struct apmu_board__walk_a32 r = {.tables = APMU_BOARD__TABLES_V7};
	struct apmu_board__walked w = {.fault = APMU_BOARD__FAULT_PERMISSION, .level = 2, .domain = 5};

	CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_READ), 0x5F);
	CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_WRITE), 0x85F);
	CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_FETCH), 0x0F);
	r.tables = APMU_BOARD__TABLES_V5;
	CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_WRITE), 0x5F);
	r = lpae(0);
	CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_WRITE), 0xA0E);
	w = (struct apmu_board__walked){.fault = APMU_BOARD__FAULT_ALIGNMENT};
	CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_READ), 0x221);
	r.tables = APMU_BOARD__TABLES_V7;
	CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_READ), 0x001);
}

/* DDI0406C table B3-23. */
TEST(the_short_status_of_every_fault)
{
	static const struct {
		uint8_t fault, level, want;
	} rows[] = {
		{APMU_BOARD__FAULT_TRANSLATION, 1, 0x5}, {APMU_BOARD__FAULT_TRANSLATION, 2, 0x7},
		{APMU_BOARD__FAULT_ACCESS_FLAG, 1, 0x3}, {APMU_BOARD__FAULT_ACCESS_FLAG, 2, 0x6},
		{APMU_BOARD__FAULT_DOMAIN, 1, 0x9},      {APMU_BOARD__FAULT_DOMAIN, 2, 0xB},
		{APMU_BOARD__FAULT_PERMISSION, 1, 0xD},  {APMU_BOARD__FAULT_PERMISSION, 2, 0xF},
		{APMU_BOARD__FAULT_WALK, 1, 0xC},        {APMU_BOARD__FAULT_WALK, 2, 0xE},
		{APMU_BOARD__FAULT_EXTERNAL, 0, 0x8},
	};
	struct apmu_board__walk_a32 r = {.tables = APMU_BOARD__TABLES_V6};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct apmu_board__walked w = {.fault = rows[i].fault, .level = rows[i].level};
		CHECK_EQ(apmu_board__walk_fsr(&r, &w, APMU_BOARD__WALK_READ), rows[i].want);
	}
}

TEST(the_syndrome_of_aarch64)
{
	struct apmu_board__walked w = {.fault = APMU_BOARD__FAULT_TRANSLATION, .level = 3};

	CHECK_EQ(apmu_board__walk_esr(&w, APMU_BOARD__WALK_READ, true), 0x92000007);
	CHECK_EQ(apmu_board__walk_esr(&w, APMU_BOARD__WALK_WRITE, false), 0x96000047);
	CHECK_EQ(apmu_board__walk_esr(&w, APMU_BOARD__WALK_FETCH, true), 0x82000007);
	CHECK_EQ(apmu_board__walk_esr(&w, APMU_BOARD__WALK_FETCH, false), 0x86000007);
	w.fault = APMU_BOARD__FAULT_EXTERNAL;
	CHECK_EQ(apmu_board__walk_esr(&w, APMU_BOARD__WALK_READ, false), 0x96000010);
}
