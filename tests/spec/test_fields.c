/* SPDX-License-Identifier: MIT */
/* Every field of every register obeys its kind, from any state, for any value written. */
#include "tables.h"

#include "test.h"

/* What a register reads after `written`, when it read `old` before. */
static uint64_t after_write(const struct apmu_core *core, const struct apmu_reg *reg, uint64_t old,
			    uint64_t written)
{
	uint64_t now = 0;

	EACH_FIELD(reg, f)
	now |= field_after(core, f, field_mask(f), old, written);
	return now;
}

static uint64_t counter_bits(const struct apmu_core *core)
{
	return ((UINT64_C(1) << core->counters) - 1) | UINT64_C(1) << APMU_CYCLE_COUNTER;
}

/* Any state that software and events can reach: registers by writing them, flags by hand. */
static void shuffle(struct bench *b, uint64_t *seed)
{
	EACH_REG(b->pmu.core, reg)
	bench_write(b, reg, random_next(seed));
	b->pmu.s.overflow = random_next(seed) & counter_bits(b->pmu.core);
}

/* The values worth writing: none, all, each field alone, and random ones. */
static uint64_t interesting(const struct apmu_reg *reg, unsigned round, uint64_t *seed)
{
	if (round == 0)
		return 0;
	if (round == 1)
		return UINT64_MAX;
	if (round < 2u + reg->fields)
		return field_mask(&reg->field[round - 2]);
	return random_next(seed);
}

TEST(every_field_obeys_its_kind_from_any_state)
{
	uint64_t seed = 3;

	EACH_PLAIN_CORE(core)
	EACH_REG(core, reg)
	for (unsigned i = 0; i < reg->encodings; i++)
		for (unsigned round = 0; round < 400; round++) {
			struct bench b;
			uint64_t value = interesting(reg, round, &seed) & (UINT64_MAX >> (64 - reg->width));
			bench_start(&b, core);
			shuffle(&b, &seed);
			uint64_t old = bench_read(&b, reg);
			CHECK_EQ(apmu_write(&b.pmu, bench_access(reg, i), value), APMU_DONE);
			CHECK_ON(core, reg->name, bench_read(&b, reg), after_write(core, reg, old, value));
		}
}

TEST(bits_above_a_register_are_dropped)
{
	EACH_PLAIN_CORE(core)
	EACH_REG(core, reg)
	{
		struct bench b;
		bench_start(&b, core);
		bench_write(&b, reg, UINT64_MAX << reg->width);
		CHECK_ON(core, reg->name, bench_read(&b, reg), after_write(core, reg, 0, 0));
	}
}

/* What else a write may touch: the registers that hold what its strobes act on. */
static bool is_counter_of(const struct apmu_reg *reg, uint64_t counters)
{
	const struct apmu_place *place = &reg->field->place;

	return place->kind == APMU_PLACE_COUNTER && (counters >> place->index & 1);
}

static uint64_t counters_reset_by(const struct apmu_core *core, const struct apmu_reg *reg, uint64_t value)
{
	uint64_t reset = 0;

	EACH_FIELD(reg, f)
	{
		if (kind_on(core, f) != APMU_KIND_DO || !(value & field_mask(f)))
			continue;
		if (f->place.index == APMU_DO_RESET_CYCLE)
			reset |= UINT64_C(1) << APMU_CYCLE_COUNTER;
		else
			reset |= (UINT64_C(1) << core->counters) - 1;
	}
	return reset;
}

/* On these five cores no two registers show the same bits, so a write changes its register and what it
 * resets. */
TEST(a_write_changes_its_own_register_and_what_its_strobes_reset_and_nothing_else)
{
	uint64_t seed = 4;

	EACH_PLAIN_CORE(core)
	EACH_REG(core, reg)
	for (unsigned round = 0; round < 200; round++) {
		struct bench b, was;
		uint64_t value = interesting(reg, round, &seed);
		bench_start(&b, core);
		shuffle(&b, &seed);
		was = b;
		bench_write(&b, reg, value);
		uint64_t reset = counters_reset_by(core, reg, value);
		EACH_REG(core, other)
		{
			uint64_t want = is_counter_of(other, reset) ? 0 : bench_read(&was, other);
			if (other != reg)
				CHECK_ON(core, other->name, bench_read(&b, other), want);
		}
	}
}

TEST(a_strobe_reads_zero_and_acts_each_time)
{
	EACH_PLAIN_CORE(core)
	EACH_REG(core, reg)
	EACH_FIELD(reg, f)
	{
		if (kind_on(core, f) != APMU_KIND_DO)
			continue;
		struct bench b;
		bench_start(&b, core);
		for (unsigned round = 0; round < 3; round++) {
			uint64_t hit = counters_reset_by(core, reg, field_mask(f));
			for (unsigned i = 0; i < APMU_COUNTERS; i++)
				if (counter_bits(core) >> i & 1)
					bench_put(&b, APMU_PLACE_COUNTER, i, 1000 + i);
			bench_write(&b, reg, field_mask(f));
			CHECK_ON(core, f->name, bench_read(&b, reg) & field_mask(f), 0);
			for (unsigned i = 0; i < APMU_COUNTERS; i++)
				if (counter_bits(core) >> i & 1)
					CHECK_ON(core, f->name, bench_get(&b, APMU_PLACE_COUNTER, i),
						 hit >> i & 1 ? 0 : 1000 + i);
		}
	}
}

/* A program that reads everything in every mode leaves no trace, whatever the state. */
TEST(reading_is_pure)
{
	uint64_t seed = 5;

	EACH_PLAIN_CORE(core)
	for (unsigned round = 0; round < 100; round++) {
		struct bench b;
		bench_start(&b, core);
		shuffle(&b, &seed);
		struct apmu before = b.pmu;
		unsigned notes = b.notes[APMU_NOTE_RESERVED_BITS] + b.notes[APMU_NOTE_RESERVED_EVENT];
		b.tally.n[APMU_SIG_CYCLES] += 12345; /* pending, and not taken by a read */
		EACH_REG(core, reg)
		for (unsigned el = 0; el < 4; el++) {
			uint64_t value;
			struct apmu_access at = bench_access(reg, 0);
			at.from.el = (uint8_t)el;
			(void)apmu_read(&b.pmu, at, &value);
		}
		CHECK(!memcmp(&before, &b.pmu, sizeof before));
		CHECK_EQ(b.notes[APMU_NOTE_RESERVED_BITS] + b.notes[APMU_NOTE_RESERVED_EVENT], notes);
	}
}

TEST(a_one_written_to_reserved_bits_is_noted_with_those_bits)
{
	EACH_PLAIN_CORE(core)
	EACH_REG(core, reg)
	EACH_FIELD(reg, f)
	{
		struct bench b;
		bool reserved = kind_on(core, f) == APMU_KIND_UNP || kind_on(core, f) == APMU_KIND_RES0;
		bench_start(&b, core);
		bench_write(&b, reg, field_mask(f));
		CHECK_ON(core, reg->name, b.notes[APMU_NOTE_RESERVED_BITS], reserved);
		if (reserved)
			CHECK_ON(core, reg->name, b.detail[APMU_NOTE_RESERVED_BITS], field_mask(f));
	}
}
