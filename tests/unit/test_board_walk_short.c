/* SPDX-License-Identifier: MIT */
/* Short descriptors against DDI0100I B4 (Armv5, XScale), DDI0406C B3.5 (Armv6, Armv7). */
#include "walk_lab.h"

#define L1     TABLES
#define L2     (TABLES + 0x4000)
#define CLIENT 0x55555555u

static struct walk_lab lab;

static struct apmu_board__walk_a32 regs(enum apmu_board__tables tables)
{
	memset(&lab, 0, sizeof(lab));
	return (struct apmu_board__walk_a32){
		.sctlr = tables == APMU_BOARD__TABLES_V5 ? 1 : 0x800001,
		.dacr = CLIENT,
		.ttbr0 = L1,
		.tables = (uint8_t)tables,
	};
}

static struct apmu_board__walked walk(const struct apmu_board__walk_a32 *r, uint32_t address,
				      struct apmu_board__walk_how how)
{
	const struct apmu_board__memory memory = {.read = walk_lab_read, .ctx = &lab};

	return apmu_board__walk_a32(r, &memory, address, how);
}

/* Address of the first-level entry of a virtual address. */
static uint32_t entry(uint32_t address)
{
	return L1 + (address >> 20) * 4;
}

TEST(with_the_mmu_off_addresses_are_physical)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	r.sctlr = 0;
	CHECK(walk(&r, 0x12345678, user_writes).flat);
	CHECK_EQ(walk(&r, 0x12345678, user_writes).physical, 0x12345678);
	CHECK_EQ(lab.reads, 0);
}

TEST(a_section_maps_a_megabyte)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	put32(&lab, entry(0x12300000), 0xABC00000 | 3 << 10 | 2);
	struct apmu_board__walked w = walk(&r, 0x12345678, user_writes);
	CHECK_EQ(w.fault, APMU_BOARD__FAULT_NONE);
	CHECK_EQ(w.physical, 0xABC45678);
	CHECK_EQ(w.size, 0x100000);
	CHECK_EQ(w.level, 1);
}

TEST(a_supersection_has_40_bits)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	put32(&lab, entry(0x12300000), 0xAB500000 | 1 << 18 | 3 << 10 | 9 << 5 | 2);
	struct apmu_board__walked w = walk(&r, 0x12345678, user_writes);
	CHECK_EQ(w.physical, 0x95AB345678);
	CHECK_EQ(w.size, 0x1000000);
	CHECK_EQ(w.domain, 0);
}

TEST(large_and_small_pages)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	put32(&lab, entry(0x00100000), L2 | 1);
	put32(&lab, L2 + 0x23 * 4, 0x77770000 | 3 << 4 | 1);
	put32(&lab, L2 + 0x45 * 4, 0x66666000 | 3 << 4 | 2);
	CHECK_EQ(walk(&r, 0x00123456, user_writes).physical, 0x77773456);
	CHECK_EQ(walk(&r, 0x00123456, user_writes).size, 0x10000);
	CHECK_EQ(walk(&r, 0x00145FFF, user_writes).physical, 0x66666FFF);
	CHECK_EQ(walk(&r, 0x00145FFF, user_writes).size, 0x1000);
	CHECK_EQ(walk(&r, 0x00145FFF, user_writes).level, 2);
}

TEST(nothing_there_is_a_translation_fault_of_its_level)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	CHECK_EQ(walk(&r, 0, user_reads).fault, APMU_BOARD__FAULT_TRANSLATION);
	CHECK_EQ(walk(&r, 0, user_reads).level, 1);
	put32(&lab, entry(0), L2 | 1 | 5 << 5);
	CHECK_EQ(walk(&r, 0, user_reads).fault, APMU_BOARD__FAULT_TRANSLATION);
	CHECK_EQ(walk(&r, 0, user_reads).level, 2);
	CHECK_EQ(walk(&r, 0, user_reads).domain, 5);
}

TEST(a_table_in_nowhere_is_an_external_abort_on_the_walk)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	put32(&lab, entry(0), 0x10000000 | 1);
	CHECK_EQ(walk(&r, 0, user_reads).fault, APMU_BOARD__FAULT_WALK);
	CHECK_EQ(walk(&r, 0, user_reads).level, 2);
	r.ttbr0 = 0x10000000;
	CHECK_EQ(walk(&r, 0, user_reads).fault, APMU_BOARD__FAULT_WALK);
	CHECK_EQ(walk(&r, 0, user_reads).level, 1);
}

/* DDI0406C table B3-8; execution needs a right to read. */
TEST(access_permissions_of_armv7)
{
	static const char *const want[] = {"------", "rwx---", "rwxr-x", "rwxrwx",
					   "------", "r-x---", "r-xr-x", "r-xr-x"};
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	for (unsigned ap = 0; ap < 8; ap++) {
		put32(&lab, entry(0), (ap & 4) << 13 | (ap & 3) << 10 | 2);
		RIGHTS(want[ap], walk(&r, 0, how));
		put32(&lab, entry(0x100000), L2 | 1);
		put32(&lab, L2, (ap & 4) << 7 | (ap & 3) << 4 | 2);
		RIGHTS(want[ap], walk(&r, 0x100000, how));
	}
}

TEST(with_AFE_the_low_bit_is_the_access_flag)
{
	static const char *const want[] = {"rwx---", "rwxrwx", "r-x---", "r-xr-x"};
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	r.sctlr |= 1u << 29;
	for (unsigned ap = 0; ap < 4; ap++) {
		put32(&lab, entry(0), (ap & 2) << 14 | (ap & 1) << 11 | 1 << 10 | 2);
		RIGHTS(want[ap], walk(&r, 0, how));
	}
	put32(&lab, entry(0), 1 << 11 | 2);
	CHECK_EQ(walk(&r, 0, system_reads).fault, APMU_BOARD__FAULT_ACCESS_FLAG);
	r.dacr = 3;
	CHECK_EQ(walk(&r, 0, system_reads).fault, APMU_BOARD__FAULT_ACCESS_FLAG); /* for a manager too */
}

TEST(XN_stops_fetches_alone)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	put32(&lab, entry(0), 3 << 10 | 1 << 4 | 2);
	RIGHTS("rw-rw-", walk(&r, 0, how));
	put32(&lab, entry(0x100000), L2 | 1);
	put32(&lab, L2, 3 << 4 | 3);
	RIGHTS("rw-rw-", walk(&r, 0x100000, how));
	put32(&lab, L2, 3 << 4 | 1 << 15 | 1);
	RIGHTS("rw-rw-", walk(&r, 0x100000, how));
}

TEST(PXN_and_WXN_are_of_cores_with_lpae)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7_LPAE);

	put32(&lab, entry(0), 3 << 10 | 3); /* PXN */
	RIGHTS("rw-rwx", walk(&r, 0, how));
	put32(&lab, entry(0x100000), L2 | 4 | 1); /* PXN in the table's descriptor */
	put32(&lab, L2, 3 << 4 | 2);
	RIGHTS("rw-rwx", walk(&r, 0x100000, how));
	put32(&lab, entry(0x100000), L2 | 1);
	RIGHTS("rwxrwx", walk(&r, 0x100000, how));
	put32(&lab, entry(0), 2 << 10 | 2);
	RIGHTS("rwxr-x", walk(&r, 0, how));
	r.sctlr |= 1u << 19;
	RIGHTS("rw-r-x", walk(&r, 0, how));
	r.sctlr = 0x800001 | 1u << 20; /* UWXN */
	RIGHTS("rwxr-x", walk(&r, 0, how));
	put32(&lab, entry(0), 3 << 10 | 2);
	RIGHTS("rw-rwx", walk(&r, 0, how));
	r.tables = APMU_BOARD__TABLES_V7;
	put32(&lab, entry(0), 3 << 10 | 3);
	CHECK_EQ(walk(&r, 0, system_reads).fault, APMU_BOARD__FAULT_TRANSLATION);
}

TEST(domains_say_who_is_asked)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	put32(&lab, entry(0), 7 << 5 | 1 << 4 | 2); /* nobody may, and XN */
	r.dacr = 0;
	CHECK_EQ(walk(&r, 0, user_reads).fault, APMU_BOARD__FAULT_DOMAIN);
	CHECK_EQ(walk(&r, 0, user_reads).domain, 7);
	r.dacr = 2u << 14;
	CHECK_EQ(walk(&r, 0, user_reads).fault, APMU_BOARD__FAULT_DOMAIN);
	r.dacr = 1u << 14;
	CHECK_EQ(walk(&r, 0, user_reads).fault, APMU_BOARD__FAULT_PERMISSION);
	r.dacr = 3u << 14;
	RIGHTS("rwxrwx", walk(&r, 0, how));
}

TEST(TTBCR_splits_the_addresses)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	r.ttbcr = 3;
	r.ttbr0 = TABLES + 0x8800 + 0x6A; /* 2 KiB table, attributes below */
	r.ttbr1 = L1 + 0x6A;
	put32(&lab, TABLES + 0x8800 + 0x1FF * 4, 0x11100000 | 3 << 10 | 2);
	put32(&lab, entry(0x20000000), 0x22200000 | 3 << 10 | 2);
	CHECK_EQ(walk(&r, 0x1FF12345, user_reads).physical, 0x11112345);
	CHECK_EQ(walk(&r, 0x20012345, user_reads).physical, 0x22212345);
	r.ttbcr = 3 | 0x10;
	CHECK_EQ(walk(&r, 0x1FF12345, user_reads).fault, APMU_BOARD__FAULT_TRANSLATION);
	CHECK_EQ(walk(&r, 0x20012345, user_reads).fault, APMU_BOARD__FAULT_NONE);
	r.ttbcr = 3 | 0x20;
	CHECK_EQ(walk(&r, 0x1FF12345, user_reads).fault, APMU_BOARD__FAULT_NONE);
	CHECK_EQ(walk(&r, 0x20012345, user_reads).fault, APMU_BOARD__FAULT_TRANSLATION);
}

TEST(armv5_pages_have_four_subpages)
{
	static const char *const want[] = {"rwx---", "rwxr-x", "rwxrwx", "------"};
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V5);

	put32(&lab, entry(0), L2 | 1);
	put32(&lab, L2, 0x55555000 | 0 << 10 | 3 << 8 | 2 << 6 | 1 << 4 | 2);
	for (unsigned i = 0; i < 4; i++)
		RIGHTS(want[i], walk(&r, 0x400 * i + 4, how));
	CHECK_EQ(walk(&r, 0x804, user_reads).physical, 0x55555804);
	CHECK_EQ(walk(&r, 0x804, user_reads).size, 0x400);
	put32(&lab, L2 + 0x1C * 4, 0x44440000 | 0 << 10 | 3 << 8 | 2 << 6 | 1 << 4 | 1);
	RIGHTS("------", walk(&r, 0x1C004, how)); /* the fourth 16 KiB */
}

TEST(armv5_S_and_R_give_00_a_meaning)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V5);

	put32(&lab, entry(0), 2);
	RIGHTS("------", walk(&r, 0, how));
	r.sctlr = 1 | 1 << 8;
	RIGHTS("r-x---", walk(&r, 0, how));
	r.sctlr = 1 | 1 << 9;
	RIGHTS("r-xr-x", walk(&r, 0, how));
}

TEST(armv5_fine_tables_have_tiny_pages)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V5);

	put32(&lab, entry(0), L2 | 3);
	put32(&lab, L2 + 5 * 4, 0x33333400 | 3 << 4 | 3);
	CHECK_EQ(walk(&r, 0x1678, user_writes).physical, 0x33333678);
	CHECK_EQ(walk(&r, 0x1678, user_writes).size, 0x400);
}

TEST(xscale_has_extended_small_pages)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V5);

	put32(&lab, entry(0), L2 | 1);
	put32(&lab, L2 + 1 * 4, 0x77777000 | 5 << 6 | 3 << 4 | 3); /* TEX is not a subpage's AP */
	CHECK_EQ(walk(&r, 0x1FFF, user_writes).physical, 0x77777FFF);
	CHECK_EQ(walk(&r, 0x1FFF, user_writes).size, 0x1000);
	put32(&lab, L2 + 1 * 4, 0x77777000 | 2 << 4 | 3);
	RIGHTS("rwxr-x", walk(&r, 0x1FFF, how));
	put32(&lab, L2 + 1 * 4, 0x77777000 | 1 << 4 | 3);
	RIGHTS("rwx---", walk(&r, 0x1FFF, how));
}

TEST(armv6_chooses_by_XP)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V6);

	put32(&lab, entry(0), L2 | 1);
	put32(&lab, L2, 0x55555000 | 3 << 4 | 2); /* read as subpages, only the first allows access */
	CHECK_EQ(walk(&r, 0x400, user_writes).fault, APMU_BOARD__FAULT_NONE);
	r.sctlr = 1;
	CHECK_EQ(walk(&r, 0x000, user_writes).fault, APMU_BOARD__FAULT_NONE);
	CHECK_EQ(walk(&r, 0x400, user_writes).fault, APMU_BOARD__FAULT_PERMISSION);
	put32(&lab, entry(0), L2 | 3);
	CHECK_EQ(walk(&r, 0, user_writes).fault, APMU_BOARD__FAULT_TRANSLATION); /* no fine tables */
}

TEST(nG_is_bit_17_of_a_section_and_bit_11_of_a_page)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);

	put32(&lab, entry(0x00100000), L2 | 1);
	for (unsigned ng = 0; ng < 2; ng++) {
		put32(&lab, entry(0x12300000), 0xABC00000 | ng << 17 | 3 << 10 | 2);
		put32(&lab, L2 + 0x45 * 4, 0x66666000 | ng << 11 | 3 << 4 | 2);
		put32(&lab, L2 + 0x23 * 4, 0x77770000 | ng << 11 | 3 << 4 | 1);
		CHECK_EQ(walk(&r, 0x12345678, user_reads).local, ng);
		CHECK_EQ(walk(&r, 0x00145000, user_reads).local, ng);
		CHECK_EQ(walk(&r, 0x00123000, user_reads).local, ng);
	}
}

TEST(fcse_moves_the_lowest_32_MiB)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V5);

	r.fcseidr = 0x04000000;
	put32(&lab, entry(0x04100000), 0x99900000 | 3 << 10 | 2);
	CHECK_EQ(walk(&r, 0x00112345, user_reads).physical, 0x99912345);
	CHECK_EQ(walk(&r, 0x04112345, user_reads).physical, 0x99912345);
	r.sctlr = 0;
	CHECK_EQ(walk(&r, 0x00112345, user_reads).physical, 0x04112345);
}

/* DDI0406C table B3-10: TEX, C, B; with SCTLR.TRE, PRRR.NS1 and NS0 say whether S is shareable, NMRR the
 * policy. */
TEST(shareable_and_write_through_memory)
{
	struct apmu_board__walk_a32 r = regs(APMU_BOARD__TABLES_V7);
	static const struct {
		uint32_t bits; /* of a section: TEX from 12 on, S 16, C 3, B 2 */
		bool through, shareable;
	} rows[] = {
		{0xC, false, false},    {0x8, true, false},    {0x1000C, false, true},
		{0x100C, false, false}, {0x6008, true, false}, /* inner Write-Through, outer Write-Through */
		{0x6004, false, false}, {0x5008, true, false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put32(&lab, entry(0), 3 << 10 | 2 | rows[i].bits);
		struct apmu_board__walked w = walk(&r, 0, user_reads);
		CHECK_EQ(w.through, rows[i].through);
		CHECK_EQ(w.shareable, rows[i].shareable);
	}
	r.sctlr |= 1u << 28;
	r.prrr = 2 | 2 << 2 | 1u << 19; /* Normal; S set: shareable */
	r.nmrr = 2 << 2 | 3;            /* 1: Write-Through; 0: Write-Back */
	put32(&lab, entry(0), 3 << 10 | 2 | 0x10004);
	CHECK(walk(&r, 0, user_reads).through);
	CHECK(walk(&r, 0, user_reads).shareable);
	put32(&lab, entry(0), 3 << 10 | 2);
	CHECK(!walk(&r, 0, user_reads).through);
	CHECK(!walk(&r, 0, user_reads).shareable);
}
