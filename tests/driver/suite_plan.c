/* SPDX-License-Identifier: MIT */
/* Options of a plan: 64 bits in hardware, exception level filters, reserved counters; and access for EL0. */
#include "suite_check.h"

/* A pair or a long counter just below 2^32 counts past it without a handler. */
static void long_wants_need_no_handler(void)
{
	struct apmu_dev_slot *slot = &suite_slots[0];
	struct apmu_refusal refusal = {0};
	struct apmu_want want;
	uint64_t value;

	suite_open(false);
	CHECK_EQ(apmu_want_parse(&rig_dev, "instructions:l", &want), 0);
	if (apmu_dev_use(&rig_dev, &want, 1, 0, &refusal)) {
		CHECK_EQ(refusal.why, APMU_WHY_NO_LONG);
		CHECK(!rig_dev.has.chain);
		return;
	}
	slot->last = 0xFFFFF000;
	slot->base = 0xFFFFF000;
	CHECK_EQ(suite_config.backend->write(suite_config.ctx, APMU_DEV_COUNTER, slot->counter, slot->last),
		 0);
	CHECK_EQ(apmu_dev_poll_limit(&rig_dev), UINT64_MAX);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(10000);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	value = suite_value(0) - 0xFFFFF000;
	CHECK_NEAR(value, 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* This test assumes that the suite runs at EL1. */
static void filters_count_where_they_say(void)
{
	struct apmu_refusal refusal = {0};
	struct apmu_want want[2];

	suite_open(false);
	CHECK_EQ(apmu_want_parse(&rig_dev, "instructions:u", &want[0]), 0);
	CHECK_EQ(apmu_want_parse(&rig_dev, "instructions:k", &want[1]), 0);
	if (apmu_dev_use(&rig_dev, want, 2, 0, &refusal)) {
		CHECK_EQ(refusal.why, APMU_WHY_NO_FILTER);
		CHECK_EQ(rig_dev.has.filters, 0);
		return;
	}
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(5000);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	CHECK_EQ(suite_value(0), 0);
	CHECK_NEAR(suite_value(1), 5000 * RIG_UNIT - RIG_EARLY, 5000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* The owner of the reserved counters has set E, bit 0 of every family's control register. */
static void reserved_counters_are_left_alone(void)
{
	struct apmu_want want;
	uint64_t was = 0;

	suite_describe(false);
	suite_config.reserved = 1;
	CHECK_EQ(suite_config.backend->read(suite_config.ctx, APMU_DEV_CONTROL, 0, &was), 0);
	CHECK_EQ(suite_config.backend->write(suite_config.ctx, APMU_DEV_CONTROL, 0, was | 1), 0);
	CHECK_EQ(apmu_dev_open(&rig_dev, &suite_config, NULL), 0);
	CHECK(!(rig_dev.has.counters & 1));
	suite_wants(&want, 1);
	CHECK_EQ(apmu_dev_use(&rig_dev, &want, 1, 0, NULL), 0);
	CHECK(suite_slots[0].counter != 0);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	rig_work(5000);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	CHECK_NEAR(suite_value(0), 5000 * RIG_UNIT - RIG_EARLY, 5000 * RIG_UNIT + RIG_SLACK);
	want.counter = 0;
	CHECK(apmu_dev_use(&rig_dev, &want, 1, 0, NULL) < 0);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
	CHECK_EQ(suite_config.backend->write(suite_config.ctx, APMU_DEV_CONTROL, 0, was), 0);
}

static void user_access_is_switched_and_asked(void)
{
	int bad;

	suite_open(false);
	bad = apmu_dev_user(&rig_dev, APMU_USER_ALL);
	if (bad) { /* ARM1136, XScale: no such bit; ARM1176: Secure state only */
		CHECK(bad == APMU_EOPNOTSUPP || bad == APMU_EPERM);
	} else {
		CHECK_EQ(apmu_dev_user_now(&rig_dev), APMU_USER_ALL);
		CHECK_EQ(apmu_dev_user(&rig_dev, 0), 0);
		CHECK_EQ(apmu_dev_user_now(&rig_dev), 0);
	}
	CHECK_EQ(apmu_dev_user(&rig_dev, 0x100), APMU_EOPNOTSUPP);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

const struct suite_test suite_plan[] = {
	{"long wants need no handler", long_wants_need_no_handler},
	{"filters count where they say", filters_count_where_they_say},
	{"reserved counters are left alone", reserved_counters_are_left_alone},
	{"user access is switched and asked", user_access_is_switched_and_asked},
	{0},
};
