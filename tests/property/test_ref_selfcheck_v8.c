/* SPDX-License-Identifier: MIT */
/* The naive models of Armv7 and PMUv3 against examples worked out by hand (pmuv3 9.3, 3.9; armv7 2 to 5). Of
 * the product this file uses only the rows of cores. */
#include "ref_v7.h"
#include "ref_v8.h"
#include "test.h"

static const struct apmu_mode el0, el1 = {.el = 1}, el2 = {.el = 2}, el3 = {.el = 3, .security = APMU_SECURE};

enum {
	PMCR = 0x339C0,
	CNTENSET = 0x339C1,
	SWINC = 0x339C4,
	SELR = 0x339C5,
	CCNTR = 0x339D0,
	XEVTYPER = 0x339D1,
	USERENR = 0x339E0,
	OVSSET = 0x339E3,
	INTENSET = 0x309E1,
	EVCNTR0 = 0x33E80,
	EVTYPER0 = 0x33EC0,
	CCFILTR = 0x33EF7,
	MDCR_EL2 = 0x34111
};

static struct ref_v8 v8(const char *core)
{
	struct ref_v8 r;

	ref_v8_init(&r, apmu_core_find(core), el2);
	return r;
}

static struct apmu_access at(uint32_t encoding, struct apmu_mode from)
{
	return (struct apmu_access){APMU_VIEW_A64, encoding, from};
}

static uint64_t get(const struct ref_v8 *r, uint32_t encoding, struct apmu_mode from)
{
	uint64_t value = 0;

	CHECK_EQ(ref_v8_read(r, at(encoding, from), &value), APMU_DONE);
	return value;
}

static void put(struct ref_v8 *r, uint32_t encoding, uint64_t value)
{
	CHECK_EQ(ref_v8_write(r, at(encoding, el2), value), APMU_DONE);
}

static enum apmu_outcome reads(const struct ref_v8 *r, uint32_t encoding, struct apmu_mode from)
{
	uint64_t value;

	return ref_v8_read(r, at(encoding, from), &value);
}

static void run(struct ref_v8 *r, unsigned cycles, uint64_t inst)
{
	uint64_t n[APMU_SIGNALS] = {0};

	n[APMU_SIG_CYCLES] = 1;
	n[APMU_SIG_INST] = inst;
	while (cycles-- > 0)
		ref_v8_cycle(r, n);
}

TEST(a_guest_sees_only_the_first_range)
{
	struct ref_v8 r = v8("cortex-a53");

	put(&r, CNTENSET, 0xFFFFFFFF);
	put(&r, MDCR_EL2, 4);
	CHECK_EQ(get(&r, CNTENSET, el2), 0x8000003F);
	CHECK_EQ(get(&r, CNTENSET, el1), 0x8000000F);
	CHECK_EQ(get(&r, PMCR, el1) >> 11 & 31, 4);
	CHECK_EQ(get(&r, PMCR, el2) >> 11 & 31, 6);
	CHECK_EQ(reads(&r, EVCNTR0 + 5, el1), APMU_TRAP_EL2);
	CHECK_EQ(reads(&r, EVCNTR0 + 6, el2), APMU_UNDEFINED);
}

TEST(p_at_el1_spares_the_second_range)
{
	struct ref_v8 r = v8("cortex-a53");

	put(&r, MDCR_EL2, 4);
	for (unsigned i = 0; i < 6; i++)
		put(&r, EVCNTR0 + i, 7);
	CHECK_EQ(ref_v8_write(&r, at(PMCR, el1), 2), APMU_DONE);
	CHECK_EQ(get(&r, EVCNTR0 + 3, el2), 0);
	CHECK_EQ(get(&r, EVCNTR0 + 4, el2), 7);
	put(&r, PMCR, 2);
	CHECK_EQ(get(&r, EVCNTR0 + 5, el2), 0);
}

TEST(the_cycle_counter_flags_at_bit_31_or_63)
{
	struct ref_v8 r = v8("cortex-a53");

	put(&r, CNTENSET, 0x80000000);
	put(&r, CCFILTR, 0x08000000);
	put(&r, PMCR, 1);
	put(&r, CCNTR, 0xFFFFFFFF);
	run(&r, 1, 0);
	CHECK_EQ(get(&r, CCNTR, el2), 0x100000000);
	CHECK_EQ(get(&r, OVSSET, el2), 0x80000000);
	put(&r, 0x339C3, 0x80000000);
	put(&r, PMCR, 0x41);
	put(&r, CCNTR, 0xFFFFFFFF);
	run(&r, 1, 0);
	CHECK_EQ(get(&r, OVSSET, el2), 0);
}

TEST(an_event_counter_is_32_or_64_bits_long)
{
	struct ref_v8 base = v8("cortex-a53"), p5 = v8("neoverse-n2");
	struct ref_v8 *both[] = {&base, &p5};

	for (unsigned i = 0; i < 2; i++) {
		put(both[i], EVTYPER0, 0x08000008);
		put(both[i], EVCNTR0, 0xFFFFFFFF);
		put(both[i], CNTENSET, 1);
		put(both[i], MDCR_EL2, 6);
		put(both[i], PMCR, 1);
		run(both[i], 1, 1);
		CHECK_EQ(get(both[i], OVSSET, el2), 1);
		CHECK_EQ(get(both[i], EVCNTR0, el2), i ? 0x100000000 : 0);
	}
	put(&p5, 0x339C3, 1);
	put(&p5, EVCNTR0, 0xFFFFFFFF);
	put(&p5, PMCR, 0x81);
	run(&p5, 1, 1);
	CHECK_EQ(get(&p5, OVSSET, el2), 0);
}

TEST(chain_counts_the_low_half_s_wrap)
{
	struct ref_v8 r = v8("cortex-a53");

	put(&r, MDCR_EL2, 6);
	put(&r, EVTYPER0, 0x08000011);
	put(&r, EVTYPER0 + 1, 0x0800001E);
	put(&r, EVCNTR0, 0xFFFFFFFF);
	put(&r, EVCNTR0 + 1, 0xFFFFFFFF);
	put(&r, CNTENSET, 3);
	put(&r, PMCR, 1);
	run(&r, 1, 0);
	CHECK_EQ(get(&r, EVCNTR0 + 1, el2), 0);
	CHECK_EQ(get(&r, OVSSET, el2), 3);
}

TEST(software_increment_obeys_the_filter_of_user_mode)
{
	struct ref_v8 r = v8("cortex-a53");

	put(&r, MDCR_EL2, 6);
	put(&r, EVTYPER0, 0x40000000);
	put(&r, CNTENSET, 3);
	put(&r, USERENR, 2);
	put(&r, PMCR, 1);
	r.mode = el0;
	CHECK_EQ(ref_v8_write(&r, at(SWINC, el0), 3), APMU_DONE);
	CHECK_EQ(get(&r, EVCNTR0, el2), 0);
	CHECK_EQ(get(&r, EVCNTR0 + 1, el2), 1);
	CHECK_EQ(reads(&r, CNTENSET, el0), APMU_TRAP_EL1);
	CHECK_EQ(reads(&r, INTENSET, el0), APMU_UNDEFINED);
}

TEST(the_interrupt_needs_e_and_not_cnten)
{
	struct ref_v8 r = v8("cortex-a53");

	put(&r, MDCR_EL2, 6);
	put(&r, OVSSET, 1);
	put(&r, INTENSET, 1);
	CHECK_EQ(ref_v8_irq(&r), false);
	put(&r, PMCR, 1);
	CHECK_EQ(ref_v8_irq(&r), true);
}

TEST(a_freeze_stops_the_range_and_the_cycle_counter_by_dp_only)
{
	struct ref_v8 r = v8("generic-v9");

	put(&r, EVTYPER0, 0x08000008);
	put(&r, CCFILTR, 0x08000000);
	put(&r, CNTENSET, 0x80000001);
	put(&r, OVSSET, 1);
	put(&r, PMCR, 0x201);
	run(&r, 1, 1);
	CHECK_EQ(get(&r, EVCNTR0, el2), 0);
	CHECK_EQ(get(&r, CCNTR, el2), 1);
	put(&r, PMCR, 0x221);
	run(&r, 1, 1);
	CHECK_EQ(get(&r, CCNTR, el2), 1);
}

/* THWIDTH 12: TC 4 is "at least TH, count Vb"; TC 5 counts one. */
TEST(a_threshold_is_asked_once_a_cycle)
{
	struct ref_v8 r = v8("generic-v9");

	put(&r, EVTYPER0, (uint64_t)4 << 61 | (uint64_t)2 << 32 | 0x08000008);
	put(&r, EVTYPER0 + 1, (uint64_t)7 << 61 | (uint64_t)1 << 32 | 0x08000008);
	put(&r, CNTENSET, 3);
	put(&r, PMCR, 1);
	run(&r, 1, 2);
	run(&r, 1, 1);
	run(&r, 1, 0);
	CHECK_EQ(get(&r, EVCNTR0, el2), 2);
	CHECK_EQ(get(&r, EVCNTR0 + 1, el2), 1);
}

TEST(sel_31_is_the_cycle_counter_s_filter)
{
	struct ref_v8 r = v8("cortex-a53");

	put(&r, SELR, 31);
	put(&r, XEVTYPER, 0x80000011);
	CHECK_EQ(get(&r, CCFILTR, el2), 0x80000000);
}

TEST(the_syndrome_of_the_fact_sheet_s_example)
{
	struct ref_v8 r = v8("cortex-a53");

	CHECK_EQ(ref_v8_syndrome(&r, at(PMCR, el1), APMU_TRAP_EL2, false, 3, 0, 14),
		 0x18u << 26 | 1u << 25 | 0x30E479);
}

TEST(secure_counting_needs_spme)
{
	struct ref_v8 r = v8("neoverse-n1");

	put(&r, EVTYPER0, 0x08);
	put(&r, MDCR_EL2, 6);
	put(&r, CNTENSET, 1);
	put(&r, PMCR, 1);
	r.mode = (struct apmu_mode){.el = 1, .security = APMU_SECURE};
	run(&r, 1, 1);
	CHECK_EQ(get(&r, EVCNTR0, el2), 0);
	CHECK_EQ(ref_v8_write(&r, at(0x36131, el3), 0x20000), APMU_DONE);
	run(&r, 1, 1);
	CHECK_EQ(get(&r, EVCNTR0, el2), 1);
}

static void put7(struct ref_v7 *r, unsigned crm, unsigned op2, uint32_t value)
{
	struct apmu_access to = {
		APMU_VIEW_CP, apmu_cp(15, 0, 9, crm, op2), {.el = 1, .security = APMU_SECURE}};

	CHECK_EQ(ref_v7_write(r, to, value), APMU_DONE);
}

/* armv7 2, 4, 5: wrap, flag and line; if counting is prohibited, only the cycle counter goes on, unless DP is
 * set. */
TEST(armv7_wraps_asks_and_obeys_dp)
{
	struct ref_v7 r;
	uint64_t n[APMU_SIGNALS] = {0};

	ref_v7_init(&r, apmu_core_find("cortex-a15"), (struct apmu_mode){.el = 1, .security = APMU_SECURE});
	put7(&r, 12, 5, 1);
	put7(&r, 13, 1, 0x08);
	put7(&r, 13, 2, 0xFFFFFFFE);
	put7(&r, 12, 1, 0x80000002);
	put7(&r, 14, 1, 2);
	put7(&r, 12, 0, 1);
	n[APMU_SIG_CYCLES] = 1;
	n[APMU_SIG_INST] = 1;
	for (unsigned i = 0; i < 3; i++)
		ref_v7_cycle(&r, n);
	CHECK_EQ(r.ovs, 2);
	CHECK_EQ(r.counter[1], 1);
	CHECK_EQ(ref_v7_irq(&r), true);
	r.in.spiden = r.in.spniden = false;
	ref_v7_cycle(&r, n);
	CHECK_EQ(r.counter[1], 1);
	CHECK_EQ(r.pmccnt, 4);
	put7(&r, 12, 0, 0x21);
	ref_v7_cycle(&r, n);
	CHECK_EQ(r.pmccnt, 4);
}
