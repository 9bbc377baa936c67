/* SPDX-License-Identifier: MIT */
/* Plans: the counter that each want gets, and the reasons for refused plans. */
#include "bench.h"
#include "test.h"

static struct bench b;
static struct apmu_plan plan;
static struct apmu_refusal refusal;

static void open_on(const char *core, bool aarch32)
{
	bench_make(&b, apmu_core_find(core));
	b.port.aarch32 = aarch32;
	bench_backend(&b, apmu_backend_of_model(&b.port), &b.port);
	CHECK_EQ(bench_open(&b), 0);
}

/* Plans the texts, split at blanks. */
static int planned(const char *texts, unsigned options)
{
	struct apmu_want want[16];
	char text[64];
	size_t n = 0;

	for (const char *at = texts; *at; at += *at == ' ') {
		size_t length = strcspn(at, " ");

		memcpy(text, at, length);
		text[length] = '\0';
		CHECK_EQ(apmu_want_parse(&b.dev, text, &want[n++]), 0);
		at += length;
	}
	return apmu_dev_plan(&b.dev, want, n, options, &plan, &refusal);
}

static int refused(const char *texts, enum apmu_why why, unsigned want)
{
	int code = planned(texts, 0);

	CHECK_EQ(refusal.why, why);
	CHECK_EQ(refusal.want, want);
	return code;
}

TEST(cycles_go_to_the_cycle_counter_and_then_to_an_event_that_counts_them)
{
	open_on("arm1136", false);
	CHECK_EQ(planned("DCACHE_MISS cycles", 0), 0);
	CHECK_EQ(plan.counter[0], 0);
	CHECK_EQ(plan.counter[1], 31);
	CHECK_EQ(planned("cycles cycles", 0), 0);
	CHECK_EQ(plan.counter[0], 31);
	CHECK_EQ(plan.counter[1], 0);
	CHECK_EQ(plan.event[1], 0xFF); /* CPU_CYCLES on ARM11 (AN195) */
	open_on("cortex-a53", false);
	CHECK_EQ(planned("cycles:u cycles:k", 0), 0);
	CHECK_EQ(plan.event[1], 0x11);
	open_on("xscale2", false); /* 0xFF counts nothing on XScale */
	CHECK_EQ(refused("cycles cycles", APMU_WHY_NO_CYCLES, 1), APMU_EOPNOTSUPP);
}

TEST(a_selector_takes_all_eight_bits_of_an_event_number)
{
	open_on("arm1136", false);
	CHECK_EQ(bench_use(&b, 0, "cycles", "cycles", "0x07", NULL), 0); /* the second: 0xFF */
	apmu_dev_start(&b.dev);
	bench_add(&b, APMU_SIG_CYCLES, 3);
	bench_work(&b, 1);
	CHECK_EQ(bench_value(&b, 1), 20);
	CHECK_EQ(bench_value(&b, 2), 10);
	CHECK_EQ(bench_use(&b, 0, "0x07", NULL), 0); /* on the counter that had 0xFF */
	apmu_dev_start(&b.dev);
	bench_add(&b, APMU_SIG_CYCLES, 3);
	bench_work(&b, 1);
	CHECK_EQ(bench_value(&b, 0), 10);
}

TEST(the_four_counters_of_an_XScale_count_four_events)
{
	open_on("xscale2", false);
	CHECK_EQ(bench_use(&b, 0, "0x07", "0x0B", "0x0A", "0x07", NULL), 0);
	apmu_dev_start(&b.dev);
	bench_work(&b, 3);
	CHECK_EQ(bench_value(&b, 0), 30);
	CHECK_EQ(bench_value(&b, 1), 3);
	CHECK_EQ(bench_value(&b, 2), 0);
	CHECK_EQ(bench_value(&b, 3), 30);
}

TEST(an_XScale_counter_that_nobody_wants_has_the_event_that_saves_power) /* 80200 12, IXP42X 3.7: 0xFF */
{
	static const char *const cores[] = {"xscale1", "xscale2"};

	for (size_t c = 0; c < 2; c++) {
		open_on(cores[c], false);
		CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
		for (unsigned i = 0; i < b.pmu.core->counters; i++)
			CHECK_EQ(b.pmu.s.type[i], 0xFF);
	}
}

TEST(a_want_for_one_counter_gets_it_whatever_comes_first)
{
	struct apmu_want want[3] = {{.event = 3, .counter = APMU_ANY_COUNTER},
				    {.event = 4, .counter = 0},
				    {.event = 5, .counter = 0}};

	open_on("cortex-a9", false);
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 2, 0, &plan, &refusal), 0);
	CHECK_EQ(plan.counter[0], 1);
	CHECK_EQ(plan.counter[1], 0);
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 3, 0, &plan, &refusal), APMU_ENOSPC);
	CHECK_EQ(refusal.why, APMU_WHY_COUNTER_TWICE);
	CHECK_EQ(refusal.want, 2);
	want[2].counter = 6; /* six counters: 0 to 5 */
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 3, 0, &plan, &refusal), APMU_EINVAL);
	CHECK_EQ(refusal.why, APMU_WHY_NO_COUNTER);
	want[2].counter = 31; /* the cycle counter counts cycles */
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 3, 0, &plan, &refusal), APMU_EINVAL);
	want[2].counter = 200;
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 3, 0, &plan, &refusal), APMU_EINVAL);
}

TEST(reserved_counters_are_left_alone)
{
	bench_make(&b, apmu_core_find("cortex-a8"));
	b.config.reserved = 0x80000003u;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(planned("0x03 cycles", 0), 0);
	CHECK_EQ(plan.counter[0], 3);
	CHECK_EQ(plan.counter[1], 2); /* cycles by event: wants that fit fewer counters are placed first */
	CHECK_EQ(plan.event[1], 0x11);
	CHECK_EQ(refused("0x03 0x04 0x05", APMU_WHY_TOO_MANY, 2), APMU_ENOSPC);
}

TEST(a_counter_of_somebody_else_goes_on_while_ours_start_and_stop)
{
	bench_make(&b, apmu_core_find("cortex-a8"));
	b.pmu.s.cnten = 1u << 0;
	b.pmu.s.word[APMU_WORD_ENABLE] = 1;
	apmu_enter(&b.pmu, b.pmu.s.mode);
	apmu_write(&b.pmu, (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 9, 12, 5), b.port.from}, 0);
	apmu_write(&b.pmu, (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 9, 13, 1), b.port.from}, 8);
	b.config.reserved = 1;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "0x08", NULL), 0);
	bench_work(&b, 1);
	CHECK_EQ(apmu_dev_start(&b.dev), 0);
	bench_work(&b, 1);
	CHECK_EQ(apmu_dev_stop(&b.dev), 0);
	bench_work(&b, 1);
	CHECK_EQ(bench_value(&b, 0), 10);
	CHECK_EQ(b.pmu.s.counter[0], 30);
}

TEST(long_wants_get_a_long_counter_or_a_pair_or_a_reason)
{
	struct apmu_want group[3];

	open_on("neoverse-n2", false); /* PMUv3p5: 64-bit counters */
	CHECK_EQ(planned("INST_RETIRED:l", 0), 0);
	CHECK(!plan.chained[0]);
	open_on("neoverse-n2", true); /* AArch32 sees 32 bits of them */
	CHECK_EQ(planned("0x03 INST_RETIRED:l 0x04", 0), 0);
	CHECK(plan.chained[1]);
	CHECK_EQ(plan.counter[1], 0);
	CHECK_EQ(plan.counter[0], 2);
	CHECK_EQ(plan.counter[2], 3);
	CHECK_EQ(refused("0x03:l 0x04:l 0x05:l 0x08", APMU_WHY_TOO_MANY, 3), APMU_ENOSPC);
	for (unsigned w = 0; w < 3; w++)
		group[w] = (struct apmu_want){.event = 0x08,
					      .counter = APMU_ANY_COUNTER,
					      .group = 1,
					      .flags = w ? 0 : APMU_WANT_LONG};
	CHECK_EQ(apmu_dev_plan(&b.dev, group, 3, 0, &plan, &refusal), 0);
	CHECK_EQ(plan.counter[0], 0);
	CHECK_EQ(plan.counter[1], 2);
	CHECK_EQ(plan.counter[2], 3);
	open_on("xgene", false); /* PMCEID0 has CHAIN, 0x1E, and not its neighbour 0x1D */
	CHECK_EQ(planned("0x03 INST_RETIRED:l", 0), 0);
	CHECK(plan.chained[1]);
	open_on("cortex-a15", false); /* Armv7 has no CHAIN */
	CHECK_EQ(refused("0x03 0x08:l", APMU_WHY_NO_LONG, 1), APMU_EOPNOTSUPP);
	CHECK_EQ(refused("cycles:l", APMU_WHY_NO_LONG, 0), APMU_EOPNOTSUPP);
}

TEST(a_chained_pair_counts_past_32_bits_without_an_interrupt)
{
	open_on("cortex-a53", false);
	CHECK_EQ(bench_use(&b, 0, "INST_RETIRED:l", "L1D_CACHE_REFILL", NULL), 0);
	apmu_dev_start(&b.dev);
	for (unsigned i = 0; i < 10; i++)
		bench_add(&b, APMU_SIG_INST, 0xC0000000u);
	CHECK_EQ(bench_value(&b, 0), 10 * 0xC0000000ull);
	CHECK_EQ(b.interrupts, 0);
}

TEST(a_pair_read_while_the_low_half_wraps_is_read_again)
{
	open_on("cortex-a53", false);
	CHECK_EQ(bench_use(&b, 0, "INST_RETIRED:l", NULL), 0);
	apmu_dev_start(&b.dev);
	bench_add(&b, APMU_SIG_INST, 0xFFFFFFFF);
	bench_accesses(&b);
	CHECK_EQ(bench_value(&b, 0), 0xFFFFFFFFu);
	CHECK_EQ(bench_accesses(&b), 3);
}

TEST(filters_are_told_apart_from_what_they_cannot_do)
{
	open_on("cortex-a9", false); /* PMUv1 */
	CHECK_EQ(refused("0x03 0x04:u", APMU_WHY_NO_FILTER, 1), APMU_EOPNOTSUPP);
	CHECK_EQ(planned("0x03:ukhmsnr", 0), 0); /* all modes: no filter needed */
	open_on("arm1176", false);
	CHECK_EQ(refused("cycles:u", APMU_WHY_NO_FILTER, 0), APMU_EOPNOTSUPP);
	open_on("cortex-a15", false);
	CHECK_EQ(planned("0x08:u 0x08:k 0x08:h 0x08:kn 0x08:us cycles:u", 0), 0);
	CHECK_EQ(refused("0x08:r", APMU_WHY_NO_WORLD, 0), APMU_EOPNOTSUPP);
	CHECK_EQ(refused("0x08:m", APMU_WHY_NO_LEVEL, 0), APMU_EOPNOTSUPP);
	open_on("cortex-r52", false); /* no EL3: one security state */
	CHECK_EQ(planned("0x08:u 0x08:h", 0), 0);
	CHECK_EQ(refused("0x08:s", APMU_WHY_NO_WORLD, 0), APMU_EOPNOTSUPP);
	CHECK_EQ(planned("cycles:h", 0), 0);
}

/* Runs 10 instructions in each mode; returns a mask of the modes in which the want counts. */
static unsigned counted_in(const char *text)
{
	static const struct apmu_mode modes[] = {
		{.el = 0, .security = APMU_NONSECURE}, {.el = 1, .security = APMU_NONSECURE},
		{.el = 2, .security = APMU_NONSECURE}, {.el = 0, .security = APMU_SECURE},
		{.el = 1, .security = APMU_SECURE},    {.el = 0, .security = APMU_REALM},
		{.el = 1, .security = APMU_REALM},     {.el = 2, .security = APMU_REALM},
		{.el = 3, .security = APMU_ROOT},
	};
	unsigned seen = 0;

	bench_make(&b, apmu_core_find("generic-v9"));
	b.pmu.s.word[APMU_WORD_MDCR_EL3] |= 1u << 17; /* SPME: Secure state may count */
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, text, NULL), 0);
	apmu_dev_start(&b.dev);
	for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		uint64_t before = bench_value(&b, 0);

		apmu_enter(&b.pmu, modes[i]);
		bench_work(&b, 1);
		apmu_enter(&b.pmu, (struct apmu_mode){.el = 1, .security = APMU_NONSECURE});
		seen |= (bench_value(&b, 0) != before ? 1u : 0u) << i;
	}
	return seen;
}

TEST(filters_count_where_they_say)
{
	/* bits: NS EL0, EL1, EL2; S EL0, EL1; Realm EL0, EL1, EL2; EL3 */
	CHECK_EQ(counted_in("INST_RETIRED"), 0x1FF);
	CHECK_EQ(counted_in("INST_RETIRED:u"), 0x029);
	CHECK_EQ(counted_in("INST_RETIRED:k"), 0x052);
	CHECK_EQ(counted_in("INST_RETIRED:h"), 0x084);
	CHECK_EQ(counted_in("INST_RETIRED:m"), 0x100);
	CHECK_EQ(counted_in("INST_RETIRED:n"), 0x007);
	CHECK_EQ(counted_in("INST_RETIRED:s"), 0x118);
	CHECK_EQ(counted_in("INST_RETIRED:r"), 0x0E0);
	CHECK_EQ(counted_in("INST_RETIRED:un"), 0x001);
	CHECK_EQ(counted_in("INST_RETIRED:ukr"), 0x060);
	CHECK_EQ(counted_in("cycles:kn"), 0x002);
}

TEST(the_instruction_counter_serves_who_asks_for_it)
{
	bench_make(&b, apmu_core_find("generic-v9"));
	b.port.from = (struct apmu_mode){.el = 3, .security = APMU_ROOT};
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "INST_RETIRED:f", "INST_RETIRED", NULL), 0);
	CHECK_EQ(b.slots[0].counter, 32);
	CHECK_EQ(b.slots[1].counter, 0);
	apmu_dev_start(&b.dev);
	bench_work(&b, 3);
	CHECK_EQ(bench_value(&b, 0), 30);
	CHECK_EQ(bench_value(&b, 1), 30);
	CHECK_EQ(bench_accesses(&b) > 0, true);
}

TEST(names_take_every_form)
{
	struct apmu_want want;

	open_on("cortex-a53", false);
	CHECK_EQ(apmu_want_parse(&b.dev, "inst-retired:uk", &want), 0);
	CHECK_EQ(want.event, 8);
	CHECK_EQ(want.levels, APMU_AT_USER | APMU_AT_KERNEL);
	CHECK_EQ(apmu_want_parse(&b.dev, "r1b", &want), 0);
	CHECK_EQ(want.event, 0x1B);
	CHECK_EQ(apmu_want_parse(&b.dev, "0X1B", &want), 0);
	CHECK_EQ(want.event, 0x1B);
	CHECK_EQ(apmu_want_parse(&b.dev, "instructions", &want), 0);
	CHECK_EQ(want.event, 8);
	CHECK_EQ(apmu_want_parse(&b.dev, "Cycles:f", &want), 0);
	CHECK_EQ(want.flags, APMU_WANT_CYCLES);
	CHECK_EQ(want.counter, 31);
	CHECK_EQ(apmu_want_parse(&b.dev, "cycles ", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&b.dev, "cycles x", &want), APMU_ENOENT);
	open_on("cortex-a9", false); /* 0x08 does not count there */
	CHECK_EQ(apmu_want_parse(&b.dev, "instructions", &want), 0);
	CHECK_EQ(want.event, 0x68);
	b.config.core = NULL;
	CHECK_EQ(apmu_want_parse(&b.dev, "instructions", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&b.dev, "cycles", &want), 0);
}
