/* SPDX-License-Identifier: MIT */
/* Multiplexing: more wants than counters, scaled totals, their error bound, enabled and running time. */
#include "bench.h"
#include "test.h"

static struct bench b;

static uint64_t clock_now(void *ctx)
{
	(void)ctx;
	return b.now;
}

static void open_on(const char *core)
{
	bench_make(&b, apmu_core_find(core));
	CHECK_EQ(bench_open(&b), 0);
}

static void read_all(struct apmu_count *count, size_t n)
{
	CHECK_EQ(apmu_dev_read(&b.dev, count, n), 0);
}

TEST(an_even_load_scales_to_the_exact_total_with_no_error)
{
	struct apmu_count count[5];

	open_on("arm1136");
	/* three rounds of two: instructions are in the first and the last */
	CHECK_EQ(bench_use(&b, APMU_MULTIPLEX, "0x07", "0x0B", "0x05", "0x06", "0x07", NULL), 0);
	CHECK_EQ(b.dev.rounds, 3);
	apmu_dev_start(&b.dev);
	for (unsigned turn = 0; turn < 6; turn++) {
		bench_add(&b, APMU_SIG_CYCLES, 3); /* ARM11 starts three cycles late */
		bench_work(&b, 1000);
		CHECK_EQ(apmu_dev_rotate(&b.dev), 0);
	}
	apmu_dev_stop(&b.dev);
	read_all(count, 5);
	CHECK_EQ(count[0].value, 20000);
	CHECK_EQ(count[0].scaled, 60000); /* 6 * 1000 * 10 */
	CHECK_EQ(count[0].error, 0);
	CHECK_EQ(count[4].scaled, 60000);
	CHECK_EQ(count[1].scaled, 6000);
	CHECK_EQ(count[0].enabled, 3 * count[0].running);
	CHECK_EQ(count[0].enabled, 6 * 20000); /* cycles, counted by the driver's own use of CCNT */
}

TEST(an_uneven_load_lies_within_the_bound)
{
	struct apmu_count count[3];
	uint64_t truth = 0, off;

	open_on("arm1176");
	CHECK_EQ(bench_use(&b, APMU_MULTIPLEX, "0x0B", "0x04", "0x01", NULL), 0);
	apmu_dev_start(&b.dev);
	for (unsigned turn = 0; turn < 20; turn++) {
		uint64_t misses = 100 + (turn % 7) * 10;

		bench_add(&b, APMU_SIG_CYCLES, 10000);
		bench_add(&b, APMU_SIG_L1D_MISS, misses);
		truth += misses;
		CHECK_EQ(apmu_dev_rotate(&b.dev), 0);
	}
	read_all(count, 3);
	off = count[0].scaled > truth ? count[0].scaled - truth : truth - count[0].scaled;
	CHECK(count[0].value < truth);
	CHECK(count[0].error > 0);
	CHECK(off <= count[0].error);
	CHECK(count[0].error < truth / 2);
}

TEST(the_bound_is_that_of_the_slowest_and_the_fastest_turn)
{
	static const unsigned rates[] = {
		5, 2, 9}; /* events per tick in each turn of 1000 ticks of the first want */
	struct apmu_count count[3];

	bench_make(&b, apmu_core_find("arm1176"));
	b.config.clock = clock_now;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, APMU_MULTIPLEX, "0x0B", "0x04", "0x01", NULL), 0);
	apmu_dev_start(&b.dev);
	for (unsigned turn = 0; turn < 6; turn++) {
		bench_add(&b, APMU_SIG_CYCLES, 3);
		bench_add(&b, APMU_SIG_L1D_MISS, 1000 * rates[turn / 2]);
		b.now += 1000;
		CHECK_EQ(apmu_dev_rotate(&b.dev), 0);
	}
	read_all(count, 3);
	CHECK_EQ(count[0].value, 16000);
	CHECK_EQ(count[0].enabled, 6000);
	CHECK_EQ(count[0].running, 3000);
	CHECK_EQ(count[0].scaled, 32000);
	CHECK_EQ(count[0].error, 16000 + 9 * 3000 - 32000); /* at 2 per tick: 10000 below */
}

TEST(a_want_that_never_ran_says_that_it_knows_nothing)
{
	struct apmu_count count[3];

	open_on("arm1176");
	CHECK_EQ(bench_use(&b, APMU_MULTIPLEX, "0x07", "0x0B", "0x05", NULL), 0);
	apmu_dev_start(&b.dev);
	bench_work(&b, 10);
	read_all(count, 3);
	CHECK_EQ(count[2].running, 0);
	CHECK_EQ(count[2].error, UINT64_MAX);
}

TEST(a_group_counts_together)
{
	struct apmu_want want[4];
	struct apmu_plan plan;

	open_on("xscale1");
	for (unsigned i = 0; i < 4; i++)
		want[i] = (struct apmu_want){
			.event = (uint16_t)i, .counter = APMU_ANY_COUNTER, .group = (uint8_t)(1 + i % 2)};
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 4, APMU_MULTIPLEX, &plan, NULL), 0);
	CHECK_EQ(plan.round[0], plan.round[2]);
	CHECK_EQ(plan.round[1], plan.round[3]);
	CHECK(plan.round[0] != plan.round[1]);
}

TEST(cycles_by_themselves_wait_for_no_turn)
{
	struct apmu_count count[4];

	open_on("arm1136");
	CHECK_EQ(bench_use(&b, APMU_MULTIPLEX, "0x07", "0x0B", "0x05", "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	for (unsigned turn = 0; turn < 4; turn++) {
		bench_add(&b, APMU_SIG_CYCLES, 3);
		bench_work(&b, 100);
		apmu_dev_rotate(&b.dev);
	}
	apmu_dev_stop(&b.dev);
	read_all(count, 4);
	CHECK_EQ(count[3].value, 4 * 2000);
	CHECK_EQ(count[3].running, count[3].enabled);
	CHECK_EQ(count[3].enabled, 4 * 2000);
}

TEST(turns_can_be_taken_by_the_cycle_counter_alone)
{
	static const char *const cores[] = {"arm1136", "xscale1", "xscale2", "cortex-a8", "cortex-a53"};

	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		const struct apmu_core *core = apmu_core_find(cores[c]);
		struct apmu_count count[APMU_MAX_EVENT_COUNTERS + 1];
		struct apmu_want want[APMU_MAX_EVENT_COUNTERS + 1];
		unsigned n = core->counters + 1u;

		bench_make(&b, core);
		b.config.turn_cycles = 10000;
		CHECK_EQ(bench_open(&b), 0);
		for (unsigned i = 0; i < n; i++)
			want[i] = (struct apmu_want){.event = (uint16_t)bench_event(core, APMU_SIG_INST),
						     .counter = APMU_ANY_COUNTER};
		CHECK_EQ(apmu_dev_use(&b.dev, want, n, APMU_MULTIPLEX, NULL), 0);
		apmu_dev_start(&b.dev);
		for (unsigned i = 0; i < 20000; i++)
			bench_work(&b, 1); /* 20 cycles */
		CHECK(b.interrupts >= 35 && b.interrupts <= 41);
		read_all(count, n);
		CHECK(count[0].running > count[0].enabled / 3 && count[0].running < count[0].enabled);
		CHECK(count[0].scaled > 195000 && count[0].scaled < 205000);
		CHECK(count[n - 1].scaled > 195000 && count[n - 1].scaled < 205000);
	}
}

TEST(a_want_that_needs_the_cycle_counter_for_itself_is_refused_then)
{
	struct apmu_want want = {.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES, .period = 1000};
	struct apmu_refusal refusal;
	struct apmu_plan plan;

	bench_make(&b, apmu_core_find("xscale2"));
	b.config.turn_cycles = 10000;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_plan(&b.dev, &want, 1, 0, &plan, &refusal), APMU_EOPNOTSUPP);
	bench_make(&b, apmu_core_find("cortex-a53")); /* an event counter counts cycles, too */
	b.config.turn_cycles = 10000;
	CHECK_EQ(bench_open(&b), 0);
	for (unsigned filter = 0; filter < 4; filter++) {
		want = (struct apmu_want){.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES};
		want.levels = filter & 1 ? APMU_AT_USER : 0;
		want.worlds = filter & 2 ? APMU_WORLD_NONSECURE : 0;
		CHECK_EQ(apmu_dev_plan(&b.dev, &want, 1, 0, &plan, &refusal), 0);
		CHECK_EQ(plan.counter[0], filter ? 0 : 31);
	}
}

TEST(cycles_that_wait_for_a_turn_leave_the_counter_to_the_drivers_own_look_in_the_others)
{
	struct apmu_want want[8];

	bench_make(&b, apmu_core_find("cortex-a9"));
	apmu_errata(&b.pmu, 1u << APMU_ERRATUM_LOST_OVERFLOW);
	CHECK_EQ(bench_open(&b), 0);
	for (unsigned i = 0; i < 8; i++)
		want[i] = (struct apmu_want){.event = 0x68, .counter = APMU_ANY_COUNTER};
	want[0].group = want[1].group = 1;
	want[1].flags = APMU_WANT_CYCLES;
	CHECK_EQ(apmu_dev_use(&b.dev, want, 8, APMU_MULTIPLEX, NULL), 0);
	CHECK_EQ(b.dev.rounds, 2);
	CHECK_EQ(apmu_dev_start(&b.dev), 0);
	for (unsigned turn = 0; turn < 4; turn++) {
		CHECK_EQ(b.pmu.s.cnten >> 31 & 1, 1);
		CHECK_EQ(b.pmu.s.inten >> 31 & 1, 1);
		CHECK_EQ(apmu_dev_rotate(&b.dev), 0);
	}
}

TEST(enabled_and_running_are_the_callers_clock_and_stand_still_while_stopped)
{
	struct apmu_count count[3];

	open_on("cortex-a53");
	b.config.clock = clock_now;
	b.now = 1000;
	CHECK_EQ(bench_use(&b, 0, "cycles", "0x08", NULL), 0);
	apmu_dev_start(&b.dev);
	b.now += 50;
	apmu_dev_stop(&b.dev);
	b.now += 500;
	apmu_dev_start(&b.dev);
	b.now += 7;
	read_all(count, 2);
	CHECK_EQ(count[0].enabled, 57);
	CHECK_EQ(count[0].running, 57);
	CHECK_EQ(apmu_dev_clear(&b.dev), 0);
	b.now += 3;
	read_all(count, 2);
	CHECK_EQ(count[1].enabled, 3);
}

TEST(without_a_clock_or_turns_enabled_says_that_the_counts_ran)
{
	struct apmu_count count;

	open_on("cortex-a8");
	CHECK_EQ(bench_use(&b, 0, "0x08", NULL), 0);
	read_all(&count, 1);
	CHECK_EQ(count.enabled, 0);
	apmu_dev_start(&b.dev);
	read_all(&count, 1);
	CHECK_EQ(count.enabled, 1);
	apmu_dev_stop(&b.dev);
	read_all(&count, 1);
	CHECK_EQ(count.running, 1);
	CHECK_EQ(apmu_dev_clear(&b.dev), 0);
	read_all(&count, 1);
	CHECK_EQ(count.enabled, 0);
}

TEST(a_clock_tells_that_polls_came_too_late)
{
	struct apmu_count count;

	bench_make(&b, apmu_core_find("cortex-a8"));
	b.config.interrupt = false;
	b.config.clock = clock_now;
	b.config.clock_limit = 1000;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
	CHECK_EQ(apmu_dev_poll_limit(&b.dev), 0xFFFFFFFFu / 2); /* two instructions per cycle */
	apmu_dev_start(&b.dev);
	b.now += 1000;
	apmu_dev_poll(&b.dev);
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK(!count.lost);
	b.now += 1001;
	apmu_dev_poll(&b.dev);
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK(count.lost);
	CHECK_EQ(apmu_dev_clear(&b.dev), 0);
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK(!count.lost);
}

TEST(a_read_and_a_stop_that_come_too_late_say_so_without_a_poll)
{
	struct apmu_count count;

	bench_make(&b, apmu_core_find("cortex-a8"));
	b.config.interrupt = false;
	b.config.clock = clock_now;
	b.config.clock_limit = 1000;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	b.now += 1001;
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK(count.lost);
	CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	b.now += 1001;
	apmu_dev_stop(&b.dev);
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK(count.lost);
}

TEST(an_interrupt_that_is_rarely_needed_loses_nothing)
{
	struct apmu_count count;

	bench_make(&b, apmu_core_find("cortex-a8"));
	b.config.clock = clock_now;
	b.config.clock_limit = 1000;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	b.now += 100000;
	bench_add(&b, APMU_SIG_CYCLES, 1ull << 32);
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK(!count.lost && count.value >= 1ull << 32);
}

TEST(a_pair_whose_low_half_counted_alone_in_another_turn_does_not_interrupt)
{
	struct apmu_count count;

	open_on("cortex-a53");
	CHECK_EQ(bench_use(&b, APMU_MULTIPLEX, "INST_RETIRED:l", "0x01", "0x02", "0x03", "0x04", "0x05",
			   "0x06", NULL),
		 0);
	CHECK_EQ(b.dev.rounds, 2);
	CHECK_EQ(b.slots[0].counter, 0);
	apmu_dev_start(&b.dev);
	CHECK_EQ(apmu_dev_rotate(&b.dev), 0);
	CHECK_EQ(apmu_dev_rotate(&b.dev), 0);
	bench_add(&b, APMU_SIG_INST, 0x100000000u);
	CHECK(!b.line);
	CHECK_EQ(b.interrupts, 0);
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK_EQ(count.value, 0x100000000u);
}

TEST(turns_that_are_not_linked_in_are_refused)
{
	struct apmu_want want[5];
	struct apmu_refusal refusal;
	struct apmu_plan plan;

	bench_make(&b, apmu_core_find("arm1136"));
	for (unsigned i = 0; i < 5; i++)
		want[i] = (struct apmu_want){.event = 7, .counter = APMU_ANY_COUNTER};
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 5, APMU_MULTIPLEX, &plan, NULL), 0);
	b.config.turns = NULL;
	CHECK_EQ(apmu_dev_load(&b.dev, want, &plan), APMU_EOPNOTSUPP);
	CHECK_EQ(apmu_dev_use(&b.dev, want, 5, APMU_MULTIPLEX, &refusal), APMU_EOPNOTSUPP);
	CHECK_EQ(refusal.why, APMU_WHY_NO_TURNS);
	CHECK_EQ(apmu_dev_use(&b.dev, want, 5, 0, &refusal), APMU_ENOSPC);
	CHECK_EQ(apmu_dev_use(&b.dev, want, 2, APMU_MULTIPLEX, &refusal), 0);
}

/* A superscalar core at its full width, polled as late as the driver allows. */
static void polled_at_the_limit(const char *core, const char *event)
{
	struct apmu_count count;
	uint64_t want = 0;

	bench_make(&b, apmu_core_find(core));
	b.config.interrupt = false;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, event, NULL), 0);
	uint64_t limit = apmu_dev_poll_limit(&b.dev);
	apmu_dev_start(&b.dev);
	for (unsigned i = 0; i < 6; i++) {
		bench_add(&b, APMU_SIG_CYCLES, limit);
		bench_add(&b, APMU_SIG_INST, limit * b.pmu.core->per_cycle);
		want += limit * b.pmu.core->per_cycle;
		apmu_dev_poll(&b.dev);
	}
	CHECK_EQ(apmu_dev_read_one(&b.dev, 0, &count), 0);
	CHECK(!count.lost);
	CHECK_EQ(count.value, want);
}

TEST(polls_at_the_limit_lose_no_count)
{
	polled_at_the_limit("cortex-a53", "INST_RETIRED");
	polled_at_the_limit("cortex-a72", "INST_RETIRED");
	polled_at_the_limit("cortex-a15", "INST_RETIRED");
	polled_at_the_limit("neoverse-n1", "INST_SPEC");
	polled_at_the_limit("cortex-a9", "0x68");
}

TEST(the_poll_limit_follows_the_largest_step)
{
	open_on("cortex-a9"); /* 0x68 can step by 2, and flags can be lost: half the range */
	CHECK_EQ(bench_use(&b, 0, "0x68", NULL), 0);
	CHECK_EQ(apmu_dev_poll_limit(&b.dev), 0x7FFFFFFFu / 2);
	open_on("cortex-a72"); /* three instructions per cycle, whatever the row of the event says */
	CHECK_EQ(bench_use(&b, 0, "INST_RETIRED", NULL), 0);
	CHECK_EQ(apmu_dev_poll_limit(&b.dev), 0xFFFFFFFFu / 3);
	open_on("neoverse-n2");
	CHECK_EQ(bench_use(&b, 0, "INST_RETIRED", "cycles", NULL), 0);
	CHECK_EQ(apmu_dev_poll_limit(&b.dev), UINT64_MAX);
}

/* No row says how often an event can occur in a cycle: event counters may step by up to 255. */
TEST(the_poll_limit_holds_for_a_core_without_its_row)
{
	const struct apmu_core *rows[] = {NULL, apmu_core_find("cortex-a53")}; /* none, another core's */

	for (unsigned k = 0; k < 2; k++) {
		bench_make(&b, apmu_core_find("cortex-a8"));
		b.config.interrupt = false;
		b.config.core = rows[k];
		CHECK_EQ(bench_open(&b), 0);
		CHECK(!b.dev.has.known);
		CHECK_EQ(bench_use(&b, 0, "0x08", NULL), 0);
		CHECK_EQ(apmu_dev_poll_limit(&b.dev), 0xFFFFFFFFu / 255);
		CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
		CHECK_EQ(apmu_dev_poll_limit(&b.dev), 0xFFFFFFFFu);
	}
}
