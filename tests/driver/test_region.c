/* SPDX-License-Identifier: MIT */
/* Regions, tasks, teams, metrics, calibration, sizes. */
#define APMU_CYCLES_GENERIC /* an Arm host's kernel opens PMCCNTR_EL0 to no program */
#include <apmu/cycles.h>
#include <apmu/region.h>

#include "bench.h"
#include "test.h"

static struct bench b;

static void run_with(const char *core, const char *event)
{
	bench_make(&b, apmu_core_find(core));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, event, "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	bench_add(&b, APMU_SIG_CYCLES, b.pmu.core->holdoff);
}

static void run(const char *core)
{
	run_with(core, "0x07");
}

TEST(regions_nest_and_know_their_own_share)
{
	struct apmu_region outer = {.name = "outer"}, inner = {.name = "inner"};

	run("arm1136");
	CHECK_EQ(apmu_region_begin(&b.dev, &outer), 0);
	bench_work(&b, 1);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQ(apmu_region_begin(&b.dev, &inner), 0);
		bench_work(&b, 10);
		CHECK_EQ(apmu_region_end(&b.dev, &inner), 0);
	}
	bench_work(&b, 1);
	CHECK_EQ(apmu_region_end(&b.dev, &inner), APMU_EINVAL); /* not open */
	CHECK_EQ(apmu_region_end(&b.dev, &outer), 0);
	CHECK_EQ(outer.total[0], 320);
	CHECK_EQ(outer.self[0], 20);
	CHECK_EQ(inner.total[0], 300);
	CHECK_EQ(inner.total[1], 600);
	CHECK_EQ(inner.calls, 3);
	CHECK_EQ(apmu_region_begin(&b.dev, &outer), 0); /* nothing is left of the regions inside it */
	bench_work(&b, 1);
	CHECK_EQ(apmu_region_end(&b.dev, &outer), 0);
	CHECK_EQ(outer.self[0], 30);
}

TEST(a_region_that_calls_itself_counts_once)
{
	struct apmu_region region = {0};

	run("xscale2");
	apmu_region_begin(&b.dev, &region);
	bench_work(&b, 1);
	apmu_region_begin(&b.dev, &region);
	bench_work(&b, 1);
	apmu_region_end(&b.dev, &region);
	apmu_region_end(&b.dev, &region);
	CHECK_EQ(region.total[0], 20);
	CHECK_EQ(region.calls, 2);
}

TEST(a_region_that_could_not_begin_is_not_open)
{
	struct apmu_region region = {0}, outer = {0};

	bench_make(&b, apmu_core_find("xscale2"));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_region_begin(&b.dev, &region), APMU_EINVAL); /* no plan is loaded */
	CHECK_EQ(bench_use(&b, 0, "0x07", NULL), 0);
	apmu_dev_start(&b.dev);
	CHECK_EQ(apmu_region_end(&b.dev, &region), APMU_EINVAL);
	CHECK_EQ(apmu_region_begin(&b.dev, &outer), 0);
	CHECK_EQ(apmu_region_begin(&b.dev, &region), 0);
	bench_work(&b, 1);
	CHECK_EQ(apmu_region_end(&b.dev, &region), 0);
	CHECK_EQ(apmu_region_end(&b.dev, &outer), 0);
	CHECK_EQ(region.total[0], 10);
	CHECK_EQ(region.calls, 1);
	CHECK_EQ(outer.self[0], 0);
}

TEST(each_task_has_its_own_counts_wherever_it_is_preempted)
{
	struct apmu_task one = {.switches = 0}, two = {.switches = 0};
	struct apmu_region in_one = {0}, in_two = {0};
	uint64_t now[2];

	run("xscale1");
	apmu_task_switch(&b.dev, &one);
	bench_work(&b, 1);
	apmu_region_begin(&b.dev, &in_one);
	bench_work(&b, 2);
	apmu_task_switch(&b.dev, &two); /* in the middle of one's region */
	apmu_region_begin(&b.dev, &in_two);
	bench_work(&b, 100);
	apmu_task_switch(&b.dev, &one);
	bench_work(&b, 4);
	CHECK_EQ(apmu_region_end(&b.dev, &in_one), 0);
	CHECK_EQ(apmu_task_read(&b.dev, now, 2), 0);
	CHECK_EQ(now[0], 70);
	apmu_task_switch(&b.dev, &two);
	bench_work(&b, 1);
	CHECK_EQ(apmu_region_end(&b.dev, &in_two), 0);
	apmu_task_switch(&b.dev, NULL);
	CHECK_EQ(in_one.total[0], 60);
	CHECK_EQ(in_two.total[0], 1010);
	CHECK_EQ(one.total[0], 70);
	CHECK_EQ(two.total[0], 1010);
	CHECK_EQ(one.switches, 2);
}

static struct bench cores[3];
static unsigned calls[3];

static int on_core(void *ctx, unsigned core, int (*fn)(void *arg), void *arg)
{
	(void)ctx;
	calls[core]++;
	return fn(arg);
}

TEST(a_team_of_cores_starts_stops_and_adds_up)
{
	struct apmu_dev *dev[3] = {&cores[0].dev, &cores[1].dev, &cores[2].dev};
	struct apmu_team team = {.dev = dev, .n = 3, .on = on_core};
	struct apmu_count counts[6], sum[3] = {[2] = {.value = 99}};

	for (unsigned i = 0; i < 3; i++) {
		bench_make(&cores[i], apmu_core_find("cortex-a53"));
		CHECK_EQ(bench_open(&cores[i]), 0);
		CHECK_EQ(bench_use(&cores[i], 0, "0x08", "cycles", NULL), 0);
	}
	CHECK_EQ(apmu_team_start(&team), 0);
	for (unsigned i = 0; i < 3; i++)
		bench_work(&cores[i], i + 1);
	CHECK_EQ(apmu_team_stop(&team), 0);
	CHECK_EQ(apmu_team_read(&team, counts, sum, 2), 0);
	CHECK_EQ(counts[2].value, 20);
	CHECK_EQ(counts[5].value, 60);
	CHECK_EQ(sum[0].value, 60);
	CHECK_EQ(sum[1].value, 120);
	CHECK_EQ(sum[2].value, 99); /* beyond the wants that were asked for */
	CHECK_EQ(calls[1], 3);
	cores[1].reads = cores[1].writes = 0;
	cores[1].fail_at = 1;
	CHECK_EQ(apmu_team_read(&team, NULL, sum, 2), APMU_EIO);
	CHECK_EQ(sum[0].value, 40); /* the others */
	cores[1].reads = cores[1].writes = 0;
	CHECK_EQ(apmu_team_start(&team), APMU_EIO);
	CHECK(cores[0].dev.running && !cores[1].dev.running && cores[2].dev.running);
}

TEST(a_team_adds_up_the_bounds_of_its_cores)
{
	struct apmu_dev *dev[3] = {&cores[0].dev, &cores[1].dev, &cores[2].dev};
	struct apmu_team team = {.dev = dev, .n = 2};
	struct apmu_count counts[9], sum[3];

	for (unsigned i = 0; i < 3; i++) {
		bench_make(&cores[i], apmu_core_find("xscale1"));
		CHECK_EQ(bench_open(&cores[i]), 0);
		CHECK_EQ(bench_use(&cores[i], APMU_MULTIPLEX, "0x0B", "0x04", "0x01", NULL), 0);
		CHECK_EQ(apmu_dev_start(&cores[i].dev), 0);
		bench_add(&cores[i], APMU_SIG_CYCLES, 10000);
		for (unsigned turn = 0; turn < 3 && i < 2; turn++) {
			bench_add(&cores[i], APMU_SIG_CYCLES, 10000);
			bench_add(&cores[i], APMU_SIG_L1D_MISS, 100 * (turn + i + 1));
			CHECK_EQ(apmu_dev_rotate(&cores[i].dev), 0);
		}
	}
	CHECK_EQ(apmu_team_read(&team, counts, sum, 3), 0);
	CHECK(counts[0].error > 0 && counts[3].error > 0);
	CHECK_EQ(sum[0].error, counts[0].error + counts[3].error);
	team.n = 3; /* on the third core the last want has had no turn yet */
	CHECK_EQ(apmu_team_read(&team, counts, sum, 3), 0);
	CHECK_EQ(sum[2].error, UINT64_MAX);
	CHECK_EQ(apmu_team_read(&team, NULL, sum, APMU_REGION_EVENTS + 1), APMU_E2BIG);
}

TEST(a_team_says_that_one_core_left_samples_out)
{
	struct apmu_want want = {.event = 0x08, .counter = APMU_ANY_COUNTER, .period = 10};
	struct apmu_dev *dev[2] = {&cores[0].dev, &cores[1].dev};
	struct apmu_team team = {.dev = dev, .n = 2};
	struct apmu_count sum;

	for (unsigned i = 0; i < 2; i++) {
		bench_make(&cores[i], apmu_core_find("cortex-a53"));
		cores[i].config.throttle = 2;
		CHECK_EQ(bench_open(&cores[i]), 0);
		CHECK_EQ(apmu_dev_use(&cores[i].dev, &want, 1, 0, NULL), 0);
		CHECK_EQ(apmu_dev_start(&cores[i].dev), 0);
		bench_add(&cores[i], APMU_SIG_INST, 10);
	}
	CHECK_EQ(apmu_team_read(&team, NULL, &sum, 1), 0);
	CHECK(!sum.throttled);
	bench_add(&cores[0], APMU_SIG_INST, 10);
	CHECK_EQ(apmu_team_read(&team, NULL, &sum, 1), 0);
	CHECK(sum.throttled);
}

TEST(a_region_counts_the_first_eight_wants)
{
	struct {
		struct apmu_region region;
		uint64_t after;
	} in = {.after = 0};
	uint64_t now[9];

	bench_make(&b, apmu_core_find("generic-v9"));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "0x08", "0x11", "0x03", "0x08", "0x08", "0x08", "0x08", "0x11", "0x08",
			   NULL),
		 0);
	apmu_dev_start(&b.dev);
	CHECK_EQ(apmu_region_begin(&b.dev, &in.region), 0);
	bench_work(&b, 1);
	CHECK_EQ(apmu_region_end(&b.dev, &in.region), 0);
	CHECK_EQ(in.region.total[0], 10);
	CHECK_EQ(in.region.total[7], 20);
	CHECK_EQ(in.region.self[0], 10);
	CHECK_EQ(in.after, 0);
	CHECK_EQ(apmu_task_read(&b.dev, now, 8), 0);
	CHECK_EQ(now[7], 20);
	CHECK_EQ(apmu_task_read(&b.dev, now, 9), APMU_EINVAL);
}

TEST(metrics_are_those_of_the_command)
{
	const struct apmu_core *core = apmu_core_find("arm1176");
	struct apmu_count count[8];
	struct apmu_want want[8];
	double ratio = 0;
	int n = 0;

	bench_make(&b, core);
	CHECK_EQ(bench_open(&b), 0);
	for (size_t i = 0; i < apmu_metric_count(core); i++) {
		const struct apmu_metric *metric = apmu_metric_at(core, i);

		if (strcmp(metric->name, "cpi"))
			continue;
		n = apmu_metric_wants(metric, 1, want, 0, 8);
		CHECK_EQ(n, 2);
		CHECK_EQ(apmu_metric_wants(metric, 1, want, 2, 8), 2); /* no event twice */
		CHECK_EQ(apmu_metric_wants(metric, 1, want, 0, 1), APMU_E2BIG);
		CHECK_EQ(apmu_dev_use(&b.dev, want, (size_t)n, 0, NULL), 0);
		apmu_dev_start(&b.dev);
		bench_add(&b, APMU_SIG_CYCLES, 3);
		CHECK_EQ(apmu_dev_read(&b.dev, count, (size_t)n), 0);
		CHECK_EQ(apmu_dev_metric(&b.dev, metric, count, &ratio), APMU_EINVAL); /* 0 / 0 */
		bench_work(&b, 50);
		CHECK_EQ(apmu_dev_read(&b.dev, count, (size_t)n), 0);
		CHECK_EQ(apmu_dev_metric(&b.dev, metric, count, &ratio), 0);
		CHECK(ratio > 1.999 && ratio < 2.001);
		CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
		CHECK_EQ(apmu_dev_metric(&b.dev, metric, count, &ratio), APMU_ENOENT);
	}
	CHECK_EQ(n, 2);
}

/* Makes every access of the driver take two cycles and one instruction. */
static void two_cycles(void *ctx)
{
	(void)ctx;
	b.tally.n[APMU_SIG_CYCLES] += 2;
	b.tally.n[APMU_SIG_INST] += 1;
	apmu_advance(&b.pmu);
}

TEST(calibration_finds_the_cost_of_start_and_stop_and_the_three_cycles_of_ARM11)
{
	static const struct {
		const char *core, *event;
		int32_t cycles, instructions;
	} known[] = {
		{"xscale2", "0x07", 2, 1}, /* the stopping write's own two cycles and instruction */
		{"arm1136", "0x07", -1,
		 0}, /* less three cycles and an instruction that ARM11 does not count */
		{"cortex-a15", "0x08", 2, 1},
		{"cortex-a53", "0x08", 2, 1},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct apmu_count count[2];

		run_with(known[i].core, known[i].event);
		apmu_dev_stop(&b.dev);
		b.between = two_cycles;
		CHECK_EQ(apmu_dev_calibrate(&b.dev), 0);
		b.between = NULL;
		CHECK_EQ(apmu_dev_read(&b.dev, count, 2), 0);
		CHECK_EQ(count[0].cost, known[i].instructions);
		CHECK_EQ(count[1].cost, known[i].cycles);
		CHECK_EQ(count[1].value, 0);
		b.between = two_cycles;
		apmu_dev_start(&b.dev);
		b.between = NULL;
		bench_add(&b, APMU_SIG_CYCLES, 1000);
		b.between = two_cycles;
		apmu_dev_stop(&b.dev);
		b.between = NULL;
		CHECK_EQ(apmu_dev_read(&b.dev, count, 2), 0);
		CHECK_EQ(apmu_count_net(&count[1], 1), 1000);
	}
}

TEST(eight_events_on_four_cores_fit_in_4_KiB)
{
	CHECK(4 * (sizeof(struct apmu_dev) + 8 * sizeof(struct apmu_dev_slot)) < 4096);
}

TEST(cycles_go_up_on_the_machine_that_runs_this)
{
#if APMU_CYCLES_BITS
	uint64_t from = apmu_cycles(), to = apmu_cycles();

	CHECK(apmu_cycles_between(from, to) < 1ull << 40);
	CHECK(apmu_cycles_between(from, apmu_cycles()) >= apmu_cycles_between(from, to));
#endif
}
