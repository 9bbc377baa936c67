/* SPDX-License-Identifier: MIT */
/* Shared counters: multiplexing by the tick and by the cycle counter, groups, regions, tasks, a team. */
#include "suite_check.h"

/* Makes as many wants for instructions as two rounds need; 0: more than this suite has slots. */
static unsigned two_rounds(struct apmu_want *want)
{
	unsigned n = suite_counters() + 1;

	if (n >= SUITE_SLOTS)
		return 0;
	for (unsigned i = 0; i < n; i++)
		suite_wants(&want[i], 1);
	return n;
}

static void turns_share_the_counters(void)
{
	struct apmu_want want[SUITE_SLOTS];
	struct apmu_count count[SUITE_SLOTS];
	unsigned n;

	suite_open(false);
	if (!(n = two_rounds(want)))
		return;
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

/* Turns by the cycle counter's own interrupt; wanted cycles are counted all the time, and a group stays
 * together.
 */
static void turns_are_taken_by_the_cycle_counter(void)
{
	struct apmu_want want[SUITE_SLOTS];
	struct apmu_count count[SUITE_SLOTS];
	unsigned n;

	suite_describe(true);
	suite_config.turn_cycles = 20000;
	CHECK_EQ(apmu_dev_open(&rig_dev, &suite_config, NULL), 0);
	if (!(n = two_rounds(want)))
		return;
	want[0].group = want[1].group = 1;
	CHECK_EQ(apmu_want_parse(&rig_dev, "cycles", &want[n]), 0);
	CHECK_EQ(apmu_dev_use(&rig_dev, want, n + 1, APMU_MULTIPLEX, NULL), 0);
	rig_interrupts(true);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	for (unsigned i = 0; i < 400; i++)
		rig_work(1000);
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	rig_interrupts(false);
	CHECK_EQ(apmu_dev_read(&rig_dev, count, n + 1), 0);
	CHECK(count[0].running > count[0].enabled / 4 && count[0].running < count[0].enabled);
	CHECK_EQ(count[0].running, count[1].running);
	CHECK_EQ(count[0].value, count[1].value);
	CHECK_NEAR(count[0].scaled, 700 * 1000, 900 * 1000);
	CHECK_NEAR(count[n - 1].scaled, 700 * 1000, 900 * 1000);
	CHECK_EQ(count[n].running, count[n].enabled);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void regions_nest(void)
{
	static struct apmu_region outer, inner;

	outer = inner = (struct apmu_region){0};
	suite_load(false, 2);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	CHECK_EQ(apmu_region_begin(&rig_dev, &outer), 0);
	rig_work(1000);
	CHECK_EQ(apmu_region_begin(&rig_dev, &inner), 0);
	rig_work(5000);
	CHECK_EQ(apmu_region_end(&rig_dev, &outer), APMU_EINVAL); /* not the innermost */
	CHECK_EQ(apmu_region_end(&rig_dev, &inner), 0);
	CHECK_EQ(apmu_region_end(&rig_dev, &outer), 0);
	CHECK_NEAR(inner.total[0], 5000 * RIG_UNIT - RIG_EARLY, 5000 * RIG_UNIT + RIG_SLACK);
	CHECK_NEAR(outer.self[0], 1000 * RIG_UNIT - RIG_EARLY, 1000 * RIG_UNIT + 2 * RIG_SLACK);
	CHECK_EQ(outer.total[0], outer.self[0] + inner.total[0]);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void a_region_that_calls_itself_counts_once(void)
{
	static struct apmu_region region;

	region = (struct apmu_region){0};
	suite_load(false, 1);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQ(apmu_region_begin(&rig_dev, &region), 0);
		rig_work(5000);
	}
	CHECK_EQ(apmu_region_end(&rig_dev, &region), 0);
	CHECK_EQ(apmu_region_end(&rig_dev, &region), 0);
	CHECK_EQ(region.calls, 2);
	CHECK_NEAR(region.total[0], 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + 2 * RIG_SLACK);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

/* The first task is preempted in the middle of its region. */
static void each_task_has_its_own_counts(void)
{
	static struct apmu_task one, two;
	static struct apmu_region region;

	one = two = (struct apmu_task){0};
	region = (struct apmu_region){0};
	suite_load(false, 1);
	CHECK_EQ(apmu_dev_start(&rig_dev), 0);
	CHECK_EQ(apmu_task_switch(&rig_dev, &one), 0);
	rig_work(1000);
	CHECK_EQ(apmu_region_begin(&rig_dev, &region), 0);
	rig_work(5000);
	CHECK_EQ(apmu_task_switch(&rig_dev, &two), 0);
	rig_work(60000);
	CHECK_EQ(apmu_task_switch(&rig_dev, &one), 0);
	rig_work(5000);
	CHECK_EQ(apmu_region_end(&rig_dev, &region), 0);
	CHECK_EQ(apmu_task_switch(&rig_dev, NULL), 0);
	CHECK_NEAR(region.total[0], 10000 * RIG_UNIT - RIG_EARLY, 10000 * RIG_UNIT + 4 * RIG_SLACK);
	CHECK_NEAR(one.total[0], 11000 * RIG_UNIT - RIG_EARLY, 11000 * RIG_UNIT + 5 * RIG_SLACK);
	CHECK_NEAR(two.total[0], 60000 * RIG_UNIT - RIG_EARLY, 60000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(one.switches, 2);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void a_team_of_this_core_starts_and_stops(void)
{
	static struct apmu_dev *const cores[] = {&rig_dev};
	static const struct apmu_team team = {.dev = cores, .n = 1};
	struct apmu_count counts[2], sum[2];

	suite_load(false, 2);
	CHECK_EQ(apmu_team_start(&team), 0);
	rig_work(5000);
	CHECK_EQ(apmu_team_stop(&team), 0);
	CHECK_EQ(apmu_team_read(&team, counts, sum, 2), 0);
	CHECK_NEAR(sum[0].value, 5000 * RIG_UNIT - RIG_EARLY, 5000 * RIG_UNIT + RIG_SLACK);
	CHECK_EQ(sum[0].value, counts[0].value);
	CHECK_EQ(sum[1].value, suite_value(1));
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

const struct suite_test suite_share[] = {
	{"turns share the counters", turns_share_the_counters},
	{"turns are taken by the cycle counter", turns_are_taken_by_the_cycle_counter},
	{"regions nest", regions_nest},
	{"a region that calls itself counts once", a_region_that_calls_itself_counts_once},
	{"each task has its own counts", each_task_has_its_own_counts},
	{"a team of this core starts and stops", a_team_of_this_core_starts_and_stops},
	{0},
};
