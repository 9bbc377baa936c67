/* SPDX-License-Identifier: MIT */
/* Encodings that name a counter, by the numbers of PMUV3SHEET 1.1 to 1.3 and ARMV7SHEET 6; and the events
 * that the identification registers claim. */
#include "ranged.h"

#include "test.h"

enum { NAMES = 31 }; /* counters that an encoding can name; 31 is no event counter */

/* How an encoding follows from n. */
struct family {
	enum apmu_view view;
	uint32_t (*encoding)(unsigned n);
	bool type; /* of PMEVTYPER<n>; else of PMEVCNTR<n> */
};

static uint32_t a64_counter(unsigned n)
{
	return apmu_sysreg(3, 3, 14, 8 + (n >> 3), n & 7);
}

static uint32_t a64_type(unsigned n)
{
	return apmu_sysreg(3, 3, 14, 12 + (n >> 3), n & 7);
}

static uint32_t a32_counter(unsigned n)
{
	return apmu_cp(15, 0, 14, 8 + (n >> 3), n & 7);
}

static uint32_t a32_type(unsigned n)
{
	return apmu_cp(15, 0, 14, 12 + (n >> 3), n & 7);
}

static uint32_t by_eight(unsigned n)
{
	return 8 * n;
}

static uint32_t by_four(unsigned n)
{
	return 4 * n;
}

static uint32_t type_by_eight(unsigned n)
{
	return 0x400 + 8 * n;
}

static uint32_t type_by_four(unsigned n)
{
	return 0x400 + 4 * n;
}

static const struct family v8[] = {
	{APMU_VIEW_A64, a64_counter, false},
	{APMU_VIEW_A64, a64_type, true},
	{APMU_VIEW_CP, a32_counter, false},
	{APMU_VIEW_CP, a32_type, true},
};
static const struct family ext32[] = {
	{APMU_VIEW_MMIO, by_eight, false},
	{APMU_VIEW_MMIO, type_by_four, true},
};
static const struct family ext64[] = {
	{APMU_VIEW_MMIO, by_eight, false},
	{APMU_VIEW_MMIO, type_by_eight, true},
};
static const struct family v7[] = {
	{APMU_VIEW_MMIO, by_four, false},
	{APMU_VIEW_MMIO, type_by_four, true},
};

static bool has(const struct apmu_core *core, enum apmu_feature feature)
{
	return core->features >> feature & 1;
}

/* Has the core registers of this execution state? PMCR tells. */
static bool has_state(const struct apmu_core *core, enum apmu_view view)
{
	unsigned n;

	return apmu_reg_at(core, view,
			   view == APMU_VIEW_A64 ? apmu_sysreg(3, 3, 9, 12, 0) : apmu_cp(15, 0, 9, 12, 0),
			   &n) != NULL;
}

static struct apmu_access access_to(const struct apmu_core *core, const struct family *family, unsigned n)
{
	struct way any = way_first(core);
	struct apmu_access at = way_access(&any);

	at.view = family->view;
	at.encoding = family->encoding(n);
	return at;
}

/* Counter n holds what was written, every other one what it held. */
static void check_present(const struct apmu_core *core, const struct family *family, unsigned n)
{
	struct bench b;
	uint64_t value = 0;
	struct apmu_access at = access_to(core, family, n);

	way_start(&b, core);
	struct apmu_state before = b.pmu.s;
	CHECK_ON(core, "write", apmu_write(&b.pmu, at, 0x11), APMU_DONE);
	CHECK_ON(core, "read", apmu_read(&b.pmu, at, &value), APMU_DONE);
	CHECK_ON(core, "value", value, 0x11);
	uint64_t *hit = family->type ? &b.pmu.s.type[n] : &b.pmu.s.counter[n];
	CHECK_ON(core, "the counter's own place", *hit, 0x11);
	*hit = family->type ? before.type[n] : before.counter[n];
	CHECK_ON(core, "the other places", memcmp(&before, &b.pmu.s, sizeof before), 0);
}

/* No such counter: as the row says; the frame reads 0 and ignores writes (PMUV3SHEET 3.6, 3.7). */
static void check_absent(const struct apmu_core *core, const struct family *family, unsigned n)
{
	struct bench b;
	uint64_t value = 0;
	struct apmu_access at = access_to(core, family, n);
	bool quiet = family->view == APMU_VIEW_MMIO || core->absent_rule == APMU_ABSENT_RAZ;
	enum apmu_outcome want = quiet ? APMU_DONE : APMU_UNDEFINED;

	way_start(&b, core);
	struct apmu_state before = b.pmu.s;
	CHECK_ON(core, "read of an absent counter", apmu_read(&b.pmu, at, &value), want);
	CHECK_ON(core, "value of an absent counter", value, 0);
	CHECK_ON(core, "write of an absent counter", apmu_write(&b.pmu, at, 0x11), want);
	CHECK_ON(core, "an absent counter holds", memcmp(&before, &b.pmu.s, sizeof before), 0);
}

static void check_family(const struct apmu_core *core, const struct family *family, size_t families)
{
	for (size_t i = 0; i < families; i++) {
		if (family[i].view != APMU_VIEW_MMIO && !has_state(core, family[i].view))
			continue;
		for (unsigned n = 0; n < core->counters; n++)
			check_present(core, &family[i], n);
		for (unsigned n = core->counters; n < NAMES; n++)
			check_absent(core, &family[i], n);
	}
}

TEST(every_encoding_of_a_counter_reaches_that_counter_and_an_absent_one_is_as_the_row_says)
{
	EACH_RANGED_CORE(core)
	{
		if (core->access_rule == APMU_ACCESS_V8)
			check_family(core, v8, sizeof v8 / sizeof v8[0]);
		if (has(core, APMU_FEATURE_EXT64))
			check_family(core, ext64, sizeof ext64 / sizeof ext64[0]);
		else if (core->access_rule == APMU_ACCESS_V8)
			check_family(core, ext32, sizeof ext32 / sizeof ext32[0]);
		else
			check_family(core, v7, sizeof v7 / sizeof v7[0]);
	}
}

/* PMUV3SHEET 1.1: n = 31 is unallocated among the counters and PMCCFILTR among the types. */
TEST(the_thirty_second_name_is_no_event_counter)
{
	unsigned n;

	EACH_RANGED_CORE(core)
	{
		if (core->access_rule != APMU_ACCESS_V8)
			continue;
		for (size_t i = 0; i < sizeof v8 / sizeof v8[0]; i++) {
			const struct apmu_reg *found;
			if (!has_state(core, v8[i].view))
				continue;
			found = apmu_reg_at(core, v8[i].view, v8[i].encoding(31), &n);
			CHECK(v8[i].type ? found == apmu_reg_find(core, "PMCCFILTR") : found == NULL);
		}
	}
}

/* ARMV7SHEET 9. */
TEST(armv7_has_no_encodings_that_name_a_counter)
{
	unsigned n, cores = 0;

	EACH_RANGED_CORE(core)
	{
		if (core->access_rule != APMU_ACCESS_V7)
			continue;
		cores++;
		for (size_t i = 0; i < sizeof v8 / sizeof v8[0]; i++)
			for (unsigned name = 0; name <= NAMES; name++)
				CHECK(!apmu_reg_at(core, v8[i].view, v8[i].encoding(name), &n));
	}
	CHECK(cores > 0);
}

/* The frame: [63:32] at +4 with p5, and what the snapshot registers and PMEVTYPER's high half add (1.1). */
TEST(the_frame_names_every_part_of_a_counter)
{
	EACH_RANGED_CORE(core)
	{
		unsigned at;
		if (core->access_rule != APMU_ACCESS_V8)
			continue;
		bool high = has(core, APMU_FEATURE_P5) && has(core, APMU_FEATURE_EXT32);
		for (unsigned n = 0; n < core->counters; n++) {
			const struct apmu_reg *counter = apmu_reg_at(core, APMU_VIEW_MMIO, by_eight(n), &at);
			CHECK_EQ(at, n);
			CHECK((apmu_reg_at(core, APMU_VIEW_MMIO, by_eight(n) + 4, &at) == counter) == high);
			CHECK((apmu_reg_at(core, APMU_VIEW_MMIO, 0x600 + by_eight(n), &at) != NULL) ==
			      has(core, APMU_FEATURE_SS));
		}
	}
}

/* Numbers that PMCEID0 and PMCEID1 can claim: PMUV3SHEET 6.2. */
static int claim_of(const struct apmu_core *core, unsigned number)
{
	unsigned high = number >= 0x4000, bit = number & 0x1F;
	uint64_t word = core->constant[number & 0x20 ? APMU_CORE_PMCEID1 : APMU_CORE_PMCEID0];

	return (int)(word >> (bit + 32 * high) & 1);
}

/* Values that a manual gives: PMUV3SHEET 7 (Cortex-A53), ARMV7SHEET 1 (Cortex-A5). */
static bool is_cited(const struct apmu_core *core)
{
	uint64_t value = core->constant[APMU_CORE_PMCEID0];

	return value == 0x67FFBFFF || value == 0x003FFFFF;
}

TEST(the_identification_registers_claim_the_events_of_the_list_and_no_others)
{
	char what[64];

	EACH_RANGED_CORE(core)
	{
		bool wide = has(core, APMU_FEATURE_P1);
		if (is_cited(core) || (core->access_rule == APMU_ACCESS_V7 && !has(core, APMU_FEATURE_CEID)))
			continue;
		for (unsigned i = 0; i < (wide ? 128u : 64u); i++) {
			unsigned number = i < 64 ? i : 0x4000 + i - 64;
			bool listed = apmu_event_find(core, number) != NULL;
			if (number == 0x400D || number == 0x400F) /* trace-unit inputs: PMUV3SHEET 2.13 */
				listed = false;
			snprintf(what, sizeof what, "event 0x%04x", number);
			CHECK_ON(core, what, claim_of(core, number), listed);
		}
	}
}
