/* SPDX-License-Identifier: MIT */
/* Refusals, failing accesses, numbers of accesses, and restoring the registers. */
#include "suite_check.h"

/* The rig's backend, wrapped to count accesses and to fail one of them. */
static struct {
	const struct apmu_backend *real;
	struct apmu_backend port;
	unsigned accesses, fail_at; /* fail_at: number of the failing access, from 1; 0: none */
} spy;

static int step(void)
{
	return ++spy.accesses == spy.fail_at ? APMU_EIO : APMU_OK;
}

static int spy_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	return step() ? APMU_EIO : spy.real->read(ctx, reg, n, value);
}

static int spy_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	return step() ? APMU_EIO : spy.real->write(ctx, reg, n, value);
}

static void spied(void)
{
	suite_describe(true);
	spy.real = suite_config.backend;
	spy.port = *spy.real;
	spy.port.read = spy_read;
	spy.port.write = spy_write;
	spy.fail_at = 0;
	suite_config.backend = &spy.port;
	CHECK_EQ(apmu_dev_open(&rig_dev, &suite_config, NULL), 0);
}

static unsigned accesses(void)
{
	unsigned n = spy.accesses;

	spy.accesses = 0;
	return n;
}

/* The registers that a plan changes. */
struct registers {
	uint64_t control, enable, inten, cycles, counter[SUITE_SLOTS], type[SUITE_SLOTS];
};

/* Reads a register; 0 if this family lacks it. */
static uint64_t look(enum apmu_dev_reg reg, unsigned n)
{
	uint64_t value = 0;

	return spy.real->read(suite_config.ctx, reg, n, &value) ? 0 : value;
}

static void look_at_all(struct registers *out)
{
	unsigned n = suite_counters();

	*out = (struct registers){.control = look(APMU_DEV_CONTROL, 0),
				  .enable = look(APMU_DEV_ENABLE_SET, 0),
				  .inten = look(APMU_DEV_INTEN_SET, 0),
				  .cycles = look(APMU_DEV_COUNTER, APMU_CYCLE_COUNTER)};
	for (unsigned i = 0; i < n && i < SUITE_SLOTS; i++) {
		out->counter[i] = look(APMU_DEV_COUNTER, i);
		out->type[i] = look(APMU_DEV_TYPE, i);
	}
}

static void same(const struct registers *is, const struct registers *was)
{
	CHECK_EQ(is->control, was->control);
	CHECK_EQ(is->enable, was->enable);
	CHECK_EQ(is->inten, was->inten);
	CHECK_EQ(is->cycles, was->cycles);
	for (unsigned i = 0; i < SUITE_SLOTS; i++) {
		CHECK_EQ(is->counter[i], was->counter[i]);
		CHECK_EQ(is->type[i], was->type[i]);
	}
}

/* Runs and stops a plan, then loads another that fails at its access number `at`. */
static bool load_fails(unsigned at)
{
	struct registers was, is;
	struct apmu_want want[2];
	int bad;

	spied();
	suite_wants(want, 2);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, 2, 0, NULL), 0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(100);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	look_at_all(&was);
	want[0].period = 5000; /* changes counters and interrupt enables */
	accesses();
	spy.fail_at = at;
	bad = apmu_dev_use(&rig_dev, want, 1, 0, NULL);
	spy.fail_at = 0;
	if (bad) {
		CHECK_EQ(bad, APMU_EIO);
		CHECK_EQ(apmu_dev_start(&rig_dev), APMU_EINVAL);
		rig_work(100);
		look_at_all(&is);
		same(&is, &was);
	}
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
	return bad;
}

static void an_access_that_fails_while_loading_leaves_the_PMU_as_it_was(void)
{
	unsigned at = 1;

	while (at < 1000 && load_fails(at))
		at++;
	CHECK(at > 5 && at < 1000);
}

static void an_access_that_fails_at_start_leaves_the_PMU_stopped(void)
{
	struct apmu_want want;

	spied();
	suite_wants(&want, 1);
	CHECK_EQ(apmu_dev_use(&rig_dev, &want, 1, 0, NULL), 0);
	accesses();
	spy.fail_at = 1;
	CHECK_EQ(apmu_dev_start(&rig_dev), APMU_EIO);
	rig_work(100);
	CHECK_EQ(suite_value(0), 0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(100);
	CHECK(suite_value(0) >= 100 * RIG_UNIT - RIG_EARLY);
	accesses();
	spy.fail_at = 1;
	CHECK_EQ(apmu_dev_read_one(&rig_dev, 0, &(struct apmu_count){0}), APMU_EIO);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void start_and_stop_are_one_access_and_a_read_is_one_a_counter_and_one(void)
{
	struct apmu_want want[2];
	struct apmu_count count[2];

	spied();
	suite_wants(want, 2);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, 2, 0, NULL), 0);
	accesses();
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	CHECK_EQ(accesses(), 1);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, 2), 0);
	CHECK_NEAR(accesses(), 2, 3);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, 1), 0);
	CHECK_NEAR(accesses(), 1, 2);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	CHECK_EQ(accesses(), 1);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* D, divide by 64, is bit 3 of every family's control register; RES0 in PMUs without AArch32. */
static void close_puts_back_what_was_programmed(void)
{
	struct apmu_want want[2];
	uint64_t set, was;

	suite_describe(false);
	spy.real = suite_config.backend;
	was = look(APMU_DEV_CONTROL, 0);
	CHECK_EQ(spy.real->write(suite_config.ctx, APMU_DEV_CONTROL, 0, was | 8), 0);
	set = look(APMU_DEV_CONTROL, 0);
	CHECK_EQ(apmu_dev_open(&rig_dev, &suite_config, NULL), 0);
	suite_wants(want, 2);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, 2, 0, NULL), 0);
	CHECK_EQ(look(APMU_DEV_CONTROL, 0) & 8, 0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(100);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
	CHECK_EQ(look(APMU_DEV_CONTROL, 0), set);
	CHECK_EQ(apmu_dev_start(&rig_dev), APMU_EINVAL);
	CHECK_EQ(spy.real->write(suite_config.ctx, APMU_DEV_CONTROL, 0, was), 0);
}

static void what_cannot_be_is_refused_and_leaves_nothing(void)
{
	struct apmu_want want = {.event = 0, .counter = APMU_ANY_COUNTER};
	struct apmu_refusal refusal = {0};
	struct apmu_plan plan;

	suite_open(false);
	while (want.event < 0x40 && !apmu_dev_plan(&rig_dev, &want, 1, 0, &plan, &refusal))
		want.event++;
	if (want.event < 0x40) { /* else this core has every common event */
		CHECK_EQ(apmu_dev_use(&rig_dev, &want, 1, 0, &refusal), APMU_ENOENT);
		CHECK_EQ(refusal.why, APMU_WHY_NO_EVENT);
		CHECK_EQ(apmu_dev_start(&rig_dev), APMU_EINVAL);
	}
	CHECK_EQ(apmu_want_parse(&rig_dev, "", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&rig_dev, "INST_RETRIED", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&rig_dev, "cycles:x", &want), APMU_EINVAL);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* Plans wants; returns the code, with the reason in *why. */
static int refused(const struct apmu_want *want, size_t n, uint8_t *why)
{
	struct apmu_refusal refusal = {0xFF, 0xFF};
	struct apmu_plan plan;
	int bad = apmu_dev_plan(&rig_dev, want, n, 0, &plan, &refusal);

	CHECK_EQ(refusal.want, n - 1);
	*why = refusal.why;
	return bad;
}

static void periods_and_wants_have_limits(void)
{
	struct apmu_want want[SUITE_SLOTS + 1];
	uint8_t why;

	suite_open(true);
	for (unsigned i = 0; i <= SUITE_SLOTS; i++)
		suite_wants(&want[i], 1);
	CHECK_EQ(refused(want, SUITE_SLOTS + 1, &why), APMU_E2BIG);
	CHECK_EQ(why, APMU_WHY_SLOTS);
	want[0].jitter = 10; /* jitter without a period */
	CHECK_EQ(refused(want, 1, &why), APMU_ERANGE);
	CHECK_EQ(why, APMU_WHY_PERIOD);
	want[0].period = UINT64_MAX; /* with jitter, longer than any counter */
	CHECK_EQ(refused(want, 1, &why), APMU_ERANGE);
	CHECK_EQ(why, APMU_WHY_PERIOD);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
	suite_open(false);
	want[0].jitter = 0;
	want[0].period = 1000;
	CHECK_EQ(refused(want, 1, &why), APMU_EOPNOTSUPP);
	CHECK_EQ(why, APMU_WHY_NO_INTERRUPT);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void nothing_works_before_a_plan_is_loaded(void)
{
	struct apmu_count count;

	suite_open(false);
	CHECK_EQ(apmu_dev_start(&rig_dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_stop(&rig_dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_read(&rig_dev, &count, 1), APMU_EINVAL);
	CHECK_EQ(apmu_dev_rotate(&rig_dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_tick(&rig_dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_clear(&rig_dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_calibrate(&rig_dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_interrupt(&rig_dev, NULL), 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

const struct suite_test suite_bad[] = {
	{"an access that fails while loading", an_access_that_fails_while_loading_leaves_the_PMU_as_it_was},
	{"an access that fails at start", an_access_that_fails_at_start_leaves_the_PMU_stopped},
	{"accesses a call", start_and_stop_are_one_access_and_a_read_is_one_a_counter_and_one},
	{"close puts back what was programmed", close_puts_back_what_was_programmed},
	{"what cannot be is refused", what_cannot_be_is_refused_and_leaves_nothing},
	{"periods and wants have limits", periods_and_wants_have_limits},
	{"nothing works before a plan is loaded", nothing_works_before_a_plan_is_loaded},
	{0},
};
