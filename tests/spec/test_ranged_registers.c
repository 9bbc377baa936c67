/* SPDX-License-Identifier: MIT */
/* Every register of every Armv7 and PMUv3 core obeys its row in every view. */
#include "ranged.h"

#include "test.h"

enum { ROUNDS = 12 };

/* The values worth writing: none, all, then random ones. */
static uint64_t value_of(unsigned round, uint64_t *seed)
{
	return round == 0 ? 0 : round == 1 ? UINT64_MAX : random_next(seed);
}

static void check_kinds(const struct way *way, unsigned round, uint64_t *seed)
{
	struct bench b;
	uint64_t value = value_of(round, seed), old, want;

	way_start(&b, way->core);
	way_shuffle(&b, seed);
	old = way_read(&b, way) << way->at->lo;
	want = way_after(way, old, value << way->at->lo);
	way_write(&b, way, value);
	CHECK_ON(way->core, way->reg->name, way_read(&b, way) << way->at->lo, want);
}

TEST(every_field_obeys_its_kind_in_every_view_from_any_state)
{
	uint64_t seed = 11, checked = 0;

	EACH_RANGED_CORE(core)
	EACH_WAY(core, way)
	{
		if (!way_reads(&way) || !way_writes(&way))
			continue;
		for (unsigned round = 0; round < ROUNDS; round++, checked++)
			check_kinds(&way, round, &seed);
	}
	CHECK(checked > 20000);
}

/* The views of one register differ in nothing but the bits that they show. */
TEST(every_view_reads_the_same_state)
{
	uint64_t seed = 12;

	EACH_RANGED_CORE(core)
	{
		struct bench b;
		way_start(&b, core);
		way_shuffle(&b, &seed);
		EACH_WAY(core, one)
		EACH_WAY(core, other)
		{
			uint64_t both = way_bits(&one) & way_bits(&other);
			if (one.reg != other.reg || one.n != other.n || !way_reads(&one))
				continue;
			EACH_FIELD(one.reg, f)
			if (!way_shows(&one, f) || !way_shows(&other, f))
				both &= ~field_mask(f);
			CHECK_ON(core, one.reg->name, way_read(&b, &one) << one.at->lo & both,
				 way_read(&b, &other) << other.at->lo & both);
		}
	}
}

/* What a view does not show, a write through it leaves: AArch32 keeps [63:32] and the filter bits that only
 * AArch64 has; an offset of the frame keeps the other half. */
static void check_rest(const struct way *narrow, const struct way *wide, uint64_t *seed)
{
	uint64_t hidden = way_bits(wide) & ~way_bits(narrow), old;
	struct bench b;

	EACH_FIELD(narrow->reg, f)
	if (way_shows(wide, f) && !way_shows(narrow, f))
		hidden |= field_mask(f) & way_bits(wide);
	way_start(&b, narrow->core);
	way_shuffle(&b, seed);
	old = way_read(&b, wide) << wide->at->lo;
	way_write(&b, narrow, random_next(seed));
	CHECK_ON(narrow->core, narrow->reg->name, way_read(&b, wide) << wide->at->lo & hidden, old & hidden);
}

TEST(a_write_leaves_the_bits_that_its_view_does_not_show)
{
	uint64_t seed = 13, checked = 0;

	EACH_RANGED_CORE(core)
	EACH_WAY(core, narrow)
	EACH_WAY(core, wide)
	{
		if (narrow.reg != wide.reg || narrow.at == wide.at || narrow.n != wide.n ||
		    !way_writes(&narrow) || !way_reads(&wide))
			continue;
		for (unsigned round = 0; round < 4; round++, checked++)
			check_rest(&narrow, &wide, &seed);
	}
	CHECK(checked > 5000);
}

/* Only the frame answers what the row's direction forbids: it ignores writes and reads 0. */
TEST(a_register_is_read_and_written_in_the_directions_of_its_row)
{
	EACH_RANGED_CORE(core)
	EACH_WAY(core, way)
	{
		struct bench b;
		uint64_t value = 77;
		struct apmu_access at = way_access(&way);
		bool frame = at.view == APMU_VIEW_MMIO;
		way_start(&b, core);
		CHECK_ON(core, way.reg->name, apmu_read(&b.pmu, at, &value),
			 way_reads(&way) || frame ? APMU_DONE : APMU_UNDEFINED);
		CHECK_ON(core, way.reg->name, way_reads(&way) || value == (frame ? 0 : 77), true);
		struct apmu_state before = b.pmu.s;
		CHECK_ON(core, way.reg->name, apmu_write(&b.pmu, at, 0),
			 way_writes(&way) || frame ? APMU_DONE : APMU_UNDEFINED);
		CHECK_ON(core, way.reg->name, way_writes(&way) || !memcmp(&before, &b.pmu.s, sizeof before),
			 true);
	}
}

/* From every level, world and Debug state, done or refused, with something pending. */
static void read_all(struct bench *b, struct apmu_mode from)
{
	EACH_WAY(b->pmu.core, way)
	{
		struct apmu_access at = way_access(&way);
		uint64_t value = 77;
		at.from = from;
		if (apmu_read(&b->pmu, at, &value) != APMU_DONE)
			CHECK_ON(way.core, way.reg->name, value, 77);
	}
}

TEST(reading_is_pure_in_every_view_from_every_mode)
{
	uint64_t seed = 14;

	EACH_RANGED_CORE(core)
	{
		struct bench b;
		way_start(&b, core);
		way_shuffle(&b, &seed);
		struct apmu before = b.pmu;
		b.tally.n[APMU_SIG_CYCLES] += 12345;
		b.tally.n[APMU_SIG_INST] += 678;
		for (unsigned el = 0; el < 4; el++)
			for (unsigned world = APMU_NONSECURE; world <= APMU_ROOT; world++)
				for (unsigned halted = 0; halted < 2; halted++)
					read_all(&b, (struct apmu_mode){.el = (uint8_t)el,
									.security = (uint8_t)world,
									.debug_halted = halted != 0});
		CHECK(!memcmp(&before, &b.pmu, sizeof before));
	}
}
