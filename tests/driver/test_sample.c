/* SPDX-License-Identifier: MIT */
/* Sampling: periods, lateness, jitter, throttling. */
#include "bench.h"
#include "test.h"

static struct bench b;
static struct {
	unsigned n;
	uint64_t periods, last_value, least_gap, most_gap;
	bool throttled;
	void *state;
	uint64_t read_inside;
} seen;

static void sample(void *ctx, const struct apmu_sample *s)
{
	uint64_t gap = s->value - seen.last_value;

	(void)ctx;
	seen.n++;
	seen.periods += s->periods;
	if (gap < seen.least_gap)
		seen.least_gap = gap;
	if (gap > seen.most_gap)
		seen.most_gap = gap;
	seen.last_value = s->value;
	seen.throttled = s->throttled;
	seen.state = s->state;
	seen.read_inside = bench_value(&b, s->slot);
}

static void sampling(const char *core, uint64_t period, uint8_t jitter, uint16_t throttle)
{
	struct apmu_want want = {.counter = APMU_ANY_COUNTER, .period = period, .jitter = jitter};

	memset(&seen, 0, sizeof(seen));
	seen.least_gap = UINT64_MAX;
	bench_make(&b, apmu_core_find(core));
	want.event = (uint16_t)bench_event(b.pmu.core, APMU_SIG_INST);
	b.config.sample = sample;
	b.config.throttle = throttle;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_use(&b.dev, &want, 1, 0, NULL), 0);
	CHECK_EQ(apmu_dev_start(&b.dev), 0);
	bench_add(&b, APMU_SIG_CYCLES, b.pmu.core->holdoff);
}

static const char *const cores[] = {"arm1136",   "arm1156",    "xscale1",    "xscale2",     "cortex-a8",
				    "cortex-a9", "cortex-a15", "cortex-a53", "neoverse-n2", "generic-v9"};
#define CORES (sizeof(cores) / sizeof(cores[0]))

TEST(a_sample_comes_after_each_period)
{
	for (size_t c = 0; c < CORES; c++) {
		sampling(cores[c], 1000, 0, 0);
		for (unsigned i = 1; i <= 5000; i++) {
			bench_add(&b, APMU_SIG_INST, 1);
			/* ARM11 counts nothing for three cycles after the handler has started it again. */
			bench_add(&b, APMU_SIG_CYCLES, b.pmu.core->holdoff);
			CHECK_EQ(seen.n, i / 1000);
		}
		CHECK_EQ(seen.least_gap, 1000);
		CHECK_EQ(seen.most_gap, 1000);
		CHECK_EQ(seen.read_inside, 5000);
		CHECK(seen.state == &b);
		CHECK_EQ(bench_value(&b, 0), 5000);
	}
}

TEST(a_late_interrupt_counts_the_periods_it_missed_and_keeps_the_beat)
{
	for (size_t c = 0; c < CORES; c++) {
		sampling(cores[c], 1000, 0, 0);
		b.masked = true;
		bench_add(&b, APMU_SIG_INST, 3700);
		b.masked = false;
		bench_deliver(&b);
		CHECK_EQ(seen.n, 1);
		CHECK_EQ(seen.periods, 3);
		bench_add(&b, APMU_SIG_CYCLES, b.pmu.core->holdoff);
		bench_add(&b, APMU_SIG_INST, 299);
		CHECK_EQ(seen.n, 1);
		bench_add(&b, APMU_SIG_INST, 1);
		CHECK_EQ(seen.n, 2);
		CHECK_EQ(seen.periods, 4);
		CHECK_EQ(bench_value(&b, 0), 4000);
	}
}

TEST(a_period_may_fill_the_counter)
{
	sampling("cortex-a9", 0xFFFFFFFF, 0, 0);
	bench_add(&b, APMU_SIG_CYCLES, 1);
	for (unsigned i = 0; i < 12; i++)
		bench_add(&b, APMU_SIG_INST, 0x40000000);
	CHECK_EQ(seen.periods, 12 * 0x40000000ull / 0xFFFFFFFFu);
	CHECK_EQ(bench_value(&b, 0), 12 * 0x40000000ull);
	sampling("neoverse-n2", 1ull << 40, 0, 0); /* a long counter takes more */
	for (unsigned i = 0; i < 4; i++)
		bench_add(&b, APMU_SIG_INST, 1ull << 39);
	CHECK_EQ(seen.n, 2);
}

TEST(jitter_varies_the_period_round_its_mean)
{
	sampling("cortex-a53", 1000, 64, 0); /* +- a quarter */
	for (unsigned i = 0; i < 400000; i++)
		bench_add(&b, APMU_SIG_INST, 1);
	CHECK(seen.least_gap >= 750 && seen.least_gap < 800);
	CHECK(seen.most_gap <= 1250 && seen.most_gap > 1200);
	CHECK(seen.n > 380 && seen.n < 420);
}

TEST(too_many_samples_are_throttled_until_the_tick_and_counting_goes_on)
{
	sampling("arm1136", 10, 0, 5);
	for (unsigned i = 0; i < 1000; i++) {
		bench_add(&b, APMU_SIG_INST, 1);
		bench_add(&b, APMU_SIG_CYCLES, 3);
	}
	CHECK_EQ(seen.n, 5);
	CHECK(seen.throttled);
	CHECK_EQ(bench_value(&b, 0), 1000);
	CHECK_EQ(apmu_dev_tick(&b.dev), 0);
	bench_add(&b, APMU_SIG_CYCLES, 3);
	for (unsigned i = 0; i < 20; i++) {
		bench_add(&b, APMU_SIG_INST, 1);
		bench_add(&b, APMU_SIG_CYCLES, 3);
	}
	CHECK_EQ(seen.n, 7);
	CHECK_EQ(bench_value(&b, 0), 1020);
}

TEST(a_tick_does_not_touch_the_counter_of_a_throttled_want_whose_turn_is_over)
{
	struct apmu_want want[3] = {{.event = 0x07, .counter = APMU_ANY_COUNTER, .period = 10},
				    {.event = 0x0B, .counter = APMU_ANY_COUNTER},
				    {.event = 0x07, .counter = APMU_ANY_COUNTER}};

	sampling("xscale1", 10, 0, 1);
	CHECK_EQ(apmu_dev_use(&b.dev, want, 3, APMU_MULTIPLEX, NULL), 0);
	CHECK_EQ(b.slots[0].counter, b.slots[2].counter);
	apmu_dev_start(&b.dev);
	bench_add(&b, APMU_SIG_INST, 10);
	CHECK(seen.n == 1 && seen.throttled);
	CHECK_EQ(apmu_dev_rotate(&b.dev), 0);
	bench_add(&b, APMU_SIG_INST, 500);
	CHECK_EQ(apmu_dev_tick(&b.dev), 0); /* and changes turns */
	CHECK_EQ(bench_value(&b, 2), 500);
	bench_add(&b, APMU_SIG_INST, 10);
	CHECK_EQ(seen.n, 2);
	CHECK_EQ(bench_value(&b, 0), 20);
}
