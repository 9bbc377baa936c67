/* SPDX-License-Identifier: MIT */
#include "suite.h"

static struct apmu_dev_slot slots[SUITE_SLOTS];
static struct apmu_dev_config config;
static const char *test;
static unsigned checks, failures;
static volatile uint32_t samples, periods;
unsigned suite_samples;

static void equal(uint64_t got, uint64_t want, const char *what, unsigned line)
{
	checks++;
	if (got == want)
		return;
	failures++;
	rig_failed(test, what, line, got, want);
}

static void near(uint64_t got, uint64_t low, uint64_t high, const char *what, unsigned line)
{
	equal(got < low ? low : got > high ? high : got, got, what, line);
}

#define CHECK(truth)               equal(truth, true, #truth, __LINE__)
#define CHECK_EQ(got, want)        equal((uint64_t)(got), (uint64_t)(want), #got, __LINE__)
#define CHECK_NEAR(got, low, high) near((uint64_t)(got), (uint64_t)(low), (uint64_t)(high), #got, __LINE__)

static void sample(void *ctx, const struct apmu_sample *s)
{
	(void)ctx;
	samples++;
	periods += s->periods;
}

static void opened(bool interrupt)
{
	uint8_t why = 0;

	rig_interrupts(false);
	config = (struct apmu_dev_config){.slots = slots,
					  .slots_n = SUITE_SLOTS,
					  .interrupt = interrupt,
					  .sample = sample,
					  .turns = &apmu_turns};
	rig_config(&config);
	CHECK_EQ(apmu_dev_open(&rig_dev, &config, &why), 0);
	CHECK_EQ(why, APMU_WHY_NOT);
}

/* Instructions, with cycles if wanted. */
static void wants(struct apmu_want *want, unsigned n)
{
	CHECK_EQ(apmu_want_parse(&rig_dev, "instructions", &want[0]), 0);
	if (n > 1)
		CHECK_EQ(apmu_want_parse(&rig_dev, "cycles", &want[1]), 0);
}

static void loaded(bool interrupt, unsigned n)
{
	struct apmu_want want[2];

	opened(interrupt);
	wants(want, n);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, n, 0, NULL), 0);
}

static uint64_t value(unsigned want)
{
	struct apmu_count count = {0};

	CHECK_EQ(apmu_dev_read_one(&rig_dev, want, &count), 0);
	CHECK(!count.lost);
	return count.value;
}

static uint64_t counted(uint32_t units)
{
	CHECK_EQ(apmu_dev_clear(&rig_dev), 0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(units);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	return value(0);
}

static void counts_follow_the_work(void)
{
	uint64_t little, much;

	loaded(false, 2);
	little = counted(1000);
	much = counted(11000);
	CHECK_NEAR(little, 1000 * RIG_UNIT - RIG_EARLY, 1000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(much - little, 10000 * RIG_UNIT);
	CHECK(value(1) > 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void stopped_counters_stand(void)
{
	uint64_t once;

	loaded(false, 2);
	once = counted(100);
	rig_work(1000);
	CHECK_EQ(value(0), once);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	CHECK(value(0) >= once);
	CHECK_EQ(apmu_dev_clear(&rig_dev), 0);
	CHECK_EQ(value(0), 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* Nobody can wait for 2^32 events here: the counter is moved to where it is about to wrap, and the driver is
 * told that it was there all the time. */
static void near_the_wrap(unsigned want)
{
	struct apmu_dev_slot *slot = &slots[want];

	if (slot->bits != 32)
		return;
	slot->base = value(want);
	slot->last = 0xFFFFF000;
	CHECK_EQ(config.backend->write(config.ctx, APMU_DEV_COUNTER, slot->counter, slot->last), 0);
}

static void a_wrap_is_counted(bool interrupt)
{
	uint64_t before;

	loaded(interrupt, 2);
	near_the_wrap(0);
	near_the_wrap(1);
	before = value(0);
	rig_interrupts(interrupt);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(10000);
	CHECK_NEAR(value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_interrupts(false);
	CHECK_NEAR(value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + 2 * RIG_SLACK);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void a_wrap_is_counted_by_the_handler(void)
{
	a_wrap_is_counted(true);
}

static void a_wrap_is_counted_by_polling(void)
{
	a_wrap_is_counted(false);
}

static void a_wrap_is_seen_before_its_interrupt(void)
{
	uint64_t before;

	loaded(true, 1);
	near_the_wrap(0);
	before = value(0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0); /* interrupts stay masked */
	rig_work(10000);
	CHECK_NEAR(value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_interrupts(true); /* now the handler, on a stopped PMU */
	rig_work(10);
	rig_interrupts(false);
	CHECK_NEAR(value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void samples_come_with_each_period(void)
{
	struct apmu_want want[2];
	uint64_t total;

	opened(true);
	wants(want, 2);
	want[0].period = 5000;
	CHECK_EQ(apmu_dev_use(&rig_dev, want, 2, 0, NULL), 0);
	samples = periods = 0;
	rig_interrupts(true);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(50000);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_work(10);
	rig_interrupts(false);
	total = value(0);
	CHECK_NEAR(total, 50000 * RIG_UNIT - RIG_EARLY, 50000 * RIG_UNIT + RIG_SLACK * 20);
	CHECK_EQ(periods, total / 5000);
	suite_samples = samples;
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void reads_go_up_whatever_interrupts(void)
{
	struct apmu_want want[2];
	uint64_t last = 0;
	bool falls = false;

	opened(true);
	wants(want, 2);
	want[0].period = 700;
	CHECK_EQ(apmu_dev_use(&rig_dev, want, 2, 0, NULL), 0);
	rig_interrupts(true);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	for (unsigned i = 0; i < 300; i++) {
		uint64_t now = value(0);

		falls = falls || now < last;
		last = now;
		rig_work(i % 7);
	}
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_interrupts(false);
	CHECK(!falls);
	CHECK(samples > 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* As many wants as it takes for two rounds. */
static void turns_share_the_counters(void)
{
	struct apmu_want want[SUITE_SLOTS];
	struct apmu_count count[SUITE_SLOTS];
	unsigned n = 0;

	opened(false);
	for (apmu_counters c = rig_dev.has.counters & 0x7FFFFFFF; c; c &= c - 1)
		n++;
	if (++n > SUITE_SLOTS)
		return; /* more counters than this suite has slots */
	for (unsigned i = 0; i < n; i++)
		wants(&want[i], 1);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, n, 0, NULL), APMU_ENOSPC);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, n, APMU_MULTIPLEX, NULL), 0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	for (unsigned i = 0; i < 8; i++) {
		rig_work(5000);
		CHECK_EQ(apmu_dev_tick(&rig_dev), 0);
	}
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, n), 0);
	for (unsigned i = 0; i < n; i += n - 1) {
		CHECK(count[i].running < count[i].enabled);
		CHECK_NEAR(count[i].value, 4 * 5000 * RIG_UNIT, 4 * 5000 * RIG_UNIT + 8 * RIG_SLACK);
		CHECK_NEAR(count[i].scaled, 6 * 5000 * RIG_UNIT, 10 * 5000 * RIG_UNIT + 16 * RIG_SLACK);
	}
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void regions_nest(void)
{
	static struct apmu_region outer, inner;

	outer = inner = (struct apmu_region){0};
	loaded(false, 2);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	CHECK_EQ(apmu_region_begin(&rig_dev, &outer), 0);
	rig_work(1000);
	CHECK_EQ(apmu_region_begin(&rig_dev, &inner), 0);
	rig_work(5000);
	CHECK_EQ(apmu_region_end(&rig_dev, &inner), 0);
	CHECK_EQ(apmu_region_end(&rig_dev, &outer), 0);
	CHECK_NEAR(inner.total[0], 5000 * RIG_UNIT - RIG_EARLY, 5000 * RIG_UNIT + RIG_SLACK);
	CHECK_NEAR(outer.self[0], 1000 * RIG_UNIT - RIG_EARLY, 1000 * RIG_UNIT + 2 * RIG_SLACK);
	CHECK_EQ(outer.total[0], outer.self[0] + inner.total[0]);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void what_cannot_be_is_refused_and_leaves_nothing(void)
{
	struct apmu_want want = {.event = 0, .counter = APMU_ANY_COUNTER};
	struct apmu_refusal refusal = {0};
	struct apmu_plan plan;

	opened(false);
	while (want.event < 0x40 && !apmu_dev_plan(&rig_dev, &want, 1, 0, &plan, &refusal))
		want.event++;
	if (want.event < 0x40) { /* else this core has every common event */
		CHECK_EQ(apmu_dev_use(&rig_dev, &want, 1, 0, &refusal), APMU_ENOENT);
		CHECK_EQ(refusal.why, APMU_WHY_NO_EVENT);
		CHECK_EQ(apmu_dev_start(&rig_dev), APMU_EINVAL);
	}
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void calibration_tells_a_cost_that_repeats(void)
{
	struct apmu_count count[2];
	int32_t first;

	loaded(false, 2);
	CHECK_EQ(apmu_dev_calibrate(&rig_dev), 0);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, 2), 0);
	first = count[0].cost;
	CHECK(first > -(int32_t)RIG_SLACK && first < (int32_t)RIG_SLACK);
	CHECK_EQ(apmu_dev_calibrate(&rig_dev), 0);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, 2), 0);
	CHECK_EQ(count[0].cost, first);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{"counts follow the work", counts_follow_the_work},
	{"stopped counters stand", stopped_counters_stand},
	{"a wrap is counted by the handler", a_wrap_is_counted_by_the_handler},
	{"a wrap is counted by polling", a_wrap_is_counted_by_polling},
	{"a wrap is seen before its interrupt", a_wrap_is_seen_before_its_interrupt},
	{"samples come with each period", samples_come_with_each_period},
	{"reads go up whatever interrupts", reads_go_up_whatever_interrupts},
	{"turns share the counters", turns_share_the_counters},
	{"regions nest", regions_nest},
	{"what cannot be is refused", what_cannot_be_is_refused_and_leaves_nothing},
	{"calibration tells a cost that repeats", calibration_tells_a_cost_that_repeats},
};

unsigned suite_run(unsigned *n)
{
	failures = checks = 0;
	for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		test = tests[i].name;
		tests[i].run();
	}
	*n = checks;
	return failures;
}
