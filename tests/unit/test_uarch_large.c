/* SPDX-License-Identifier: MIT */
/* Units as large or as absent, and buses as narrow, as their keys allow. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>
#include <stdlib.h>

static void open_bare(struct lab *l)
{
	static const char *const none[] = {"l1i.size", "itlb.entries",     "tlb.entries",
					   "l2.size",  "prefetch.streams", "read_allocate"};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		lab_set(l, none[i], "0");
}

static void read_at(struct lab *l, uint64_t addr)
{
	if (l->blocks == 0)
		LAB_BLOCK(l, 0x8000, LDR(0, 8));
	apmu_uarch_enter(l->u, l->block[0]);
	apmu_uarch_access(l->u, l->block[0], 0, addr, 4, false);
}

TEST(a_walk_cache_of_any_size_knows_as_many_tables_as_it_has_entries)
{
	static const char *const sizes[] = {"255", "256", "600", "1024"};
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		struct lab l;
		uint64_t entries = strtoull(sizes[k], NULL, 10);
		open_bare(&l);
		lab_set(&l, "dtlb.entries", "1");
		lab_set(&l, "dtlb.ways", "1");
		lab_set(&l, "walk_reads", "3");
		lab_set(&l, "walk_cache", sizes[k]);
		lab_start(&l);
		for (unsigned round = 0; round < 2; round++)
			for (uint64_t table = 0; table < entries; table++)
				read_at(&l, table << 21);
		CHECK_EQ(lab_count(&l, APMU_SIG_DTLB_WALK), 2 * entries);
		/* the second time the walk cache has all descriptors but the last */
		CHECK_EQ(lab_count(&l, APMU_SIG_WALK_RD), entries * 3 + entries);
		for (uint64_t table = 0; table <= entries; table++) /* each evicts the oldest */
			read_at(&l, (table + 5000) << 21);
		CHECK_EQ(lab_count(&l, APMU_SIG_WALK_RD), entries * 4 + 3 * (entries + 1));
		lab_close(&l);
	}
}

TEST(a_line_of_256_bytes_is_256_beats_of_a_bus_of_one_byte)
{
	struct lab l;
	open_bare(&l);
	lab_set(&l, "l1d.line", "256");
	lab_set(&l, "bus_width", "1");
	lab_set(&l, "dtlb.entries", "0"); /* no walks */
	lab_start(&l);
	read_at(&l, 0x4000);
	CHECK_EQ(lab_count(&l, APMU_SIG_BUS_RD), 256);
	lab_close(&l);
}

TEST(a_core_without_an_instruction_cache_looks_into_none_whatever_else_is_wanted)
{
	for (unsigned alone = 0; alone < 2; alone++) {
		struct lab l;
		open_bare(&l);
		if (alone)
			lab_start_for(&l, APMU_SIG_L1I_ACCESS);
		else
			lab_start(&l);
		for (unsigned k = 0; k < 10; k++)
			read_at(&l, 0x4000);
		CHECK_EQ(lab_count(&l, APMU_SIG_L1I_ACCESS), 0);
		lab_close(&l);
	}
}
