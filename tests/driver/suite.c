/* SPDX-License-Identifier: MIT */
/* The suite's runner, its shared functions, and the tests of counting. */
#include "suite_check.h"

struct apmu_dev_slot suite_slots[SUITE_SLOTS];
struct apmu_dev_config suite_config;
unsigned suite_samples;
static const char *test;
static unsigned checks, failures;

void suite_equal(uint64_t got, uint64_t want, const char *what, unsigned line)
{
	checks++;
	if (got == want)
		return;
	failures++;
	rig_failed(test, what, line, got, want);
}

void suite_near(uint64_t got, uint64_t low, uint64_t high, const char *what, unsigned line)
{
	suite_equal(got < low ? low : got > high ? high : got, got, what, line);
}

void suite_describe(bool interrupt)
{
	rig_interrupts(false);
	suite_config = (struct apmu_dev_config){
		.slots = suite_slots, .slots_n = SUITE_SLOTS, .interrupt = interrupt, .turns = &apmu_turns};
	rig_config(&suite_config);
}

void suite_open(bool interrupt)
{
	uint8_t why = 0;

	suite_describe(interrupt);
	CHECK_EQ(apmu_dev_open(&rig_dev, &suite_config, &why), 0);
	CHECK_EQ(why, APMU_WHY_NOT);
}

void suite_wants(struct apmu_want *want, unsigned n)
{
	CHECK_EQ(apmu_want_parse(&rig_dev, "instructions", &want[0]), 0);
	if (n > 1)
		CHECK_EQ(apmu_want_parse(&rig_dev, "cycles", &want[1]), 0);
}

void suite_load(bool interrupt, unsigned n)
{
	struct apmu_want want[2];

	suite_open(interrupt);
	suite_wants(want, n);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, n, 0, NULL), 0);
}

uint64_t suite_value(unsigned want)
{
	struct apmu_count count = {0};

	CHECK_EQ(apmu_dev_read_one(&rig_dev, want, &count), 0);
	CHECK(!count.lost);
	return count.value;
}

unsigned suite_counters(void)
{
	unsigned n = 0;

	for (apmu_counters c = rig_dev.has.counters & 0x7FFFFFFF; c; c &= c - 1)
		n++;
	return n;
}

static uint64_t counted(uint32_t units)
{
	CHECK_EQ(apmu_dev_clear(&rig_dev), 0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(units);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	return suite_value(0);
}

static void counts_follow_the_work(void)
{
	uint64_t little, much;

	suite_load(false, 2);
	little = counted(1000);
	much = counted(11000);
	CHECK_NEAR(little, 1000 * RIG_UNIT - RIG_EARLY, 1000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(much - little, 10000 * RIG_UNIT);
	CHECK(suite_value(1) > 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void stopped_counters_stand(void)
{
	uint64_t once;

	suite_load(false, 2);
	once = counted(100);
	rig_work(1000);
	CHECK_EQ(suite_value(0), once);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	CHECK(suite_value(0) >= once);
	CHECK_EQ(apmu_dev_clear(&rig_dev), 0);
	CHECK_EQ(suite_value(0), 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* Each counter holds what was written to it, and not to another. */
static void counters_are_told_apart(void)
{
	const struct apmu_backend *b = suite_config.backend;
	apmu_counters all;

	suite_load(false, 2);
	all = rig_dev.has.counters & 0x7FFFFFFF;
	for (unsigned n = 0; n < 31; n++)
		if (all >> n & 1)
			CHECK_EQ(b->write(suite_config.ctx, APMU_DEV_COUNTER, n, 0x1000 * (n + 1)), 0);
	for (unsigned n = 0; n < 31; n++) {
		uint64_t value = 0;

		if (!(all >> n & 1))
			continue;
		CHECK_EQ(b->read(suite_config.ctx, APMU_DEV_COUNTER, n, &value), 0);
		CHECK_EQ(value, 0x1000 * (n + 1));
	}
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

void suite_near_the_wrap(unsigned want)
{
	struct apmu_dev_slot *slot = &suite_slots[want];

	if (slot->bits != 32)
		return;
	slot->base = suite_value(want);
	slot->last = 0xFFFFF000;
	CHECK_EQ(suite_config.backend->write(suite_config.ctx, APMU_DEV_COUNTER, slot->counter, slot->last),
		 0);
}

static void a_wrap_is_counted(bool interrupt)
{
	uint64_t before;

	suite_load(interrupt, 2);
	suite_near_the_wrap(0);
	suite_near_the_wrap(1);
	before = suite_value(0);
	rig_interrupts(interrupt);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(10000);
	CHECK_NEAR(suite_value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_interrupts(false);
	CHECK_NEAR(suite_value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + 2 * RIG_SLACK);
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

	suite_load(true, 1);
	suite_near_the_wrap(0);
	before = suite_value(0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0); /* interrupts stay masked */
	rig_work(10000);
	CHECK_NEAR(suite_value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_interrupts(true); /* now the handler runs, on a stopped PMU */
	rig_work(10);
	rig_interrupts(false);
	CHECK_NEAR(suite_value(0) - before, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void calibration_tells_a_cost_that_repeats(void)
{
	struct apmu_count count[2];
	int32_t first;

	suite_load(false, 2);
	CHECK_EQ(apmu_dev_calibrate(&rig_dev), 0);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, 2), 0);
	first = count[0].cost;
	CHECK(first > -(int32_t)RIG_SLACK && first < (int32_t)RIG_SLACK);
	CHECK_EQ(apmu_dev_calibrate(&rig_dev), 0);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, 2), 0);
	CHECK_EQ(count[0].cost, first);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

const struct suite_test suite_count[] = {
	{"counts follow the work", counts_follow_the_work},
	{"counters are told apart", counters_are_told_apart},
	{"stopped counters stand", stopped_counters_stand},
	{"a wrap is counted by the handler", a_wrap_is_counted_by_the_handler},
	{"a wrap is counted by polling", a_wrap_is_counted_by_polling},
	{"a wrap is seen before its interrupt", a_wrap_is_seen_before_its_interrupt},
	{"calibration tells a cost that repeats", calibration_tells_a_cost_that_repeats},
	{0},
};

unsigned suite_run(unsigned *n)
{
	static const struct suite_test *const parts[] = {suite_count, suite_sample, suite_share,
							 suite_plan,  suite_bad,    suite_life};

	failures = checks = 0;
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (const struct suite_test *t = parts[i]; t->run; t++) {
			test = t->name;
			t->run();
		}
	}
	*n = checks;
	return failures;
}
