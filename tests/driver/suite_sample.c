/* SPDX-License-Identifier: MIT */
/* Sampling: periods, late interrupts, jitter, throttling, reads in between. */
#include "suite_check.h"

#define PERIOD 5000u

static volatile struct {
	uint32_t samples, periods, throttled, twisted;
	uint64_t value;
} seen;

static void sample(void *ctx, const struct apmu_sample *s)
{
	(void)ctx;
	seen.samples++;
	seen.periods += s->periods;
	seen.throttled += s->throttled;
	seen.twisted += s->slot != 0 || !s->periods || s->value <= seen.value;
	seen.value = s->value;
}

/* Loads and starts a plan of instructions with a period, and cycles. */
static void sampling(uint64_t period, uint8_t jitter, uint16_t throttle)
{
	struct apmu_want want[2];

	suite_describe(true);
	suite_config.sample = sample;
	suite_config.throttle = throttle;
	CHECK_EQ(apmu_dev_open(&rig_dev, &suite_config, NULL), 0);
	suite_wants(want, 2);
	want[0].period = period;
	want[0].jitter = jitter;
	CHECK_EQ(apmu_dev_use(&rig_dev, want, 2, 0, NULL), 0);
	seen.samples = seen.periods = seen.throttled = seen.twisted = 0;
	seen.value = 0;
	rig_interrupts(true);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
}

/* Stops, delivers a pending interrupt, and returns the count. */
static uint64_t sampled(void)
{
	uint64_t total;

	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_interrupts(true);
	rig_work(10);
	rig_interrupts(false);
	total = suite_value(0);
	CHECK_EQ(seen.twisted, 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
	return total;
}

static void samples_come_with_each_period(void)
{
	uint64_t total;

	sampling(PERIOD, 0, 0);
	rig_work(50000);
	total = sampled();
	CHECK_NEAR(total, 50000 * RIG_UNIT - RIG_EARLY, 50000 * RIG_UNIT + RIG_SLACK * 20);
	CHECK_EQ(seen.periods, total / PERIOD);
	suite_samples = seen.samples;
}

/* True if this rig delivers interrupts at once, as the test above found. QEMU with -icount notices an
 * overflow only at the next access to the PMU. */
static bool prompt(void)
{
	return suite_samples >= 20;
}

static void a_late_interrupt_counts_the_periods_it_missed(void)
{
	uint64_t total;

	sampling(PERIOD, 0, 0);
	rig_interrupts(false);
	rig_work(4 * PERIOD / RIG_UNIT);
	CHECK_EQ(seen.samples, 0);
	rig_interrupts(true);
	rig_work(10);
	if (!prompt())
		suite_value(0);
	CHECK_EQ(seen.samples, 1);
	CHECK(seen.periods >= 3);
	rig_work(4 * PERIOD / RIG_UNIT);
	total = sampled();
	CHECK_EQ(seen.periods, total / PERIOD);
}

static void jitter_varies_the_period_round_its_mean(void)
{
	uint64_t total;

	sampling(PERIOD, 64, 0); /* +- a quarter */
	rig_work(50 * PERIOD / RIG_UNIT);
	total = sampled();
	CHECK_NEAR(seen.periods, total / (PERIOD * 5 / 4), total / (PERIOD * 3 / 4));
}

static void throttled_samples_stop_until_the_tick_and_counting_goes_on(void)
{
	struct apmu_count count = {0};
	uint64_t total;

	sampling(PERIOD, 0, 3);
	for (unsigned i = 0; i < 30; i++)
		rig_work(PERIOD / RIG_UNIT);
	CHECK(seen.samples <= 3);
	if (prompt()) { /* else several periods came as one sample */
		CHECK_EQ(seen.samples, 3);
		CHECK_EQ(seen.throttled, 1);
		CHECK_EQ(apmu_dev_read_one(&rig_dev, 0, &count), 0);
		CHECK(count.throttled);
	}
	CHECK_EQ(apmu_dev_tick(&rig_dev), 0);
	rig_work(10 * PERIOD / RIG_UNIT);
	total = sampled();
	CHECK_NEAR(seen.samples, prompt() ? 6 : 1, 6);
	CHECK_NEAR(total, 40 * PERIOD - RIG_EARLY, 40 * PERIOD + 20 * RIG_SLACK);
}

static void reads_go_up_whatever_interrupts(void)
{
	uint64_t last = 0;
	bool falls = false;

	sampling(700, 0, 0);
	for (unsigned i = 0; i < 300; i++) {
		uint64_t now = suite_value(0);

		falls = falls || now < last;
		last = now;
		rig_work(i % 7);
	}
	sampled();
	CHECK(!falls);
	CHECK(seen.samples > 0);
}

const struct suite_test suite_sample[] = {
	{"samples come with each period", samples_come_with_each_period},
	{"a late interrupt counts the periods it missed", a_late_interrupt_counts_the_periods_it_missed},
	{"jitter varies the period round its mean", jitter_varies_the_period_round_its_mean},
	{"throttled samples stop until the tick", throttled_samples_stop_until_the_tick_and_counting_goes_on},
	{"reads go up whatever interrupts", reads_go_up_whatever_interrupts},
	{0},
};
