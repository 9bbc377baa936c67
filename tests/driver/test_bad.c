/* SPDX-License-Identifier: MIT */
/* Bad input and failing hardware: each gives a code with a name and leaves the PMU stopped and as it was. */
#include "bench.h"
#include "test.h"

static struct bench b;

static void open_on(const char *core)
{
	bench_make(&b, apmu_core_find(core));
	CHECK_EQ(bench_open(&b), 0);
}

/* Plans one want that must be refused with `code`; returns the reason. */
static enum apmu_why refused(struct apmu_want want, int code)
{
	struct apmu_refusal refusal = {0xFF, 0xFF};
	struct apmu_plan plan;

	CHECK_EQ(apmu_dev_plan(&b.dev, &want, 1, 0, &plan, &refusal), code);
	CHECK_EQ(refusal.want, 0);
	return (enum apmu_why)refusal.why;
}

TEST(an_event_that_nobody_knows_is_refused_by_name)
{
	struct apmu_want want;

	open_on("arm1136");
	CHECK_EQ(apmu_want_parse(&b.dev, "DCACHE_MUSS", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&b.dev, "", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&b.dev, "r", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&b.dev, "0x12345", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&b.dev, "cycles:x", &want), APMU_EINVAL);
	CHECK_EQ(apmu_want_parse(
			 &b.dev,
			 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
			 &want),
		 APMU_ENOENT);
	CHECK_STR(apmu_strerror(APMU_ENOENT), "APMU_ENOENT: no such core, event, register or field");
	CHECK_STR(apmu_strerror(-12345), "unknown error");
}

TEST(an_event_that_this_core_lacks_is_refused_by_number)
{
	open_on("arm1136"); /* 0x13 is ARM1156's (AN195) */
	CHECK_EQ(refused((struct apmu_want){.event = 0x13, .counter = APMU_ANY_COUNTER}, APMU_ENOENT),
		 APMU_WHY_NO_EVENT);
	CHECK_EQ(refused((struct apmu_want){.event = 0x107, .counter = APMU_ANY_COUNTER}, APMU_EINVAL),
		 APMU_WHY_EVENT_RANGE);
	open_on("arm1156");
	CHECK_EQ(refused((struct apmu_want){.event = 0x13, .counter = APMU_ANY_COUNTER}, 0), APMU_WHY_NOT);
}

TEST(more_events_than_counters_are_refused_unless_they_may_take_turns)
{
	struct apmu_want want[4];
	struct apmu_refusal refusal;
	struct apmu_plan plan;

	open_on("arm1176");
	for (unsigned i = 0; i < 4; i++)
		want[i] = (struct apmu_want){.event = (uint16_t)(i + 1), .counter = APMU_ANY_COUNTER};
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 3, 0, &plan, &refusal), APMU_ENOSPC);
	CHECK_EQ(refusal.want, 2);
	CHECK_EQ(refusal.why, APMU_WHY_TOO_MANY);
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 4, APMU_MULTIPLEX, &plan, &refusal), 0);
	CHECK_EQ(plan.rounds, 2);
	want[0].group = want[1].group = want[2].group = 1;
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 3, APMU_MULTIPLEX, &plan, &refusal), APMU_ENOSPC);
	CHECK_EQ(refusal.why, APMU_WHY_GROUP);
}

TEST(periods_of_nothing_or_beyond_the_counter_are_refused)
{
	struct apmu_want want = {.event = 7, .counter = APMU_ANY_COUNTER, .period = 0xFFFFFFFF};

	open_on("arm1136");
	CHECK_EQ(refused(want, 0), APMU_WHY_NOT);
	want.period = 0x100000000u;
	CHECK_EQ(refused(want, APMU_ERANGE), APMU_WHY_PERIOD);
	want.period = 0;
	want.jitter = 10; /* jitter without a period */
	CHECK_EQ(refused(want, APMU_ERANGE), APMU_WHY_PERIOD);
	want.period = 0xFFFFFFFF; /* with jitter, longer than the counter */
	CHECK_EQ(refused(want, APMU_ERANGE), APMU_WHY_PERIOD);
	b.config.interrupt = false;
	want.period = 1000;
	CHECK_EQ(refused(want, APMU_EOPNOTSUPP), APMU_WHY_NO_INTERRUPT);
}

TEST(more_wants_than_slots_are_refused)
{
	struct apmu_want want[3] = {
		{.counter = APMU_ANY_COUNTER}, {.counter = APMU_ANY_COUNTER}, {.counter = APMU_ANY_COUNTER}};
	struct apmu_refusal refusal;
	struct apmu_plan plan;

	open_on("cortex-a53");
	b.config.slots_n = 2;
	CHECK_EQ(apmu_dev_plan(&b.dev, want, 3, 0, &plan, &refusal), APMU_E2BIG);
	CHECK_EQ(refusal.why, APMU_WHY_SLOTS);
	CHECK_EQ(refusal.want, 2);
}

TEST(a_plan_has_its_own_limit)
{
	static struct apmu_want want[APMU_WANTS_MAX + 2];
	static struct apmu_dev_slot slots[APMU_WANTS_MAX + 2];
	struct apmu_refusal refusal;
	struct apmu_plan plan;

	open_on("cortex-a53");
	b.config.slots = slots;
	b.config.slots_n = APMU_WANTS_MAX + 2;
	CHECK_EQ(apmu_dev_plan(&b.dev, want, APMU_WANTS_MAX + 2, APMU_MULTIPLEX, &plan, &refusal),
		 APMU_E2BIG);
	CHECK_EQ(refusal.why, APMU_WHY_SLOTS);
	CHECK_EQ(refusal.want, APMU_WANTS_MAX);
}

TEST(nothing_works_before_a_plan_is_loaded)
{
	struct apmu_count count;

	open_on("cortex-a9");
	CHECK_EQ(apmu_dev_start(&b.dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_stop(&b.dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_read(&b.dev, &count, 1), APMU_EINVAL);
	CHECK_EQ(apmu_dev_rotate(&b.dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_tick(&b.dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_clear(&b.dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_calibrate(&b.dev), APMU_EINVAL);
	CHECK_EQ(apmu_dev_interrupt(&b.dev, NULL), 0);
	CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
	CHECK_EQ(apmu_dev_read(&b.dev, &count, 2), APMU_EINVAL);
	CHECK_EQ(apmu_dev_read_one(&b.dev, 1, &count), APMU_EINVAL);
}

/* State of a core that another program's plan has used: its counters, selectors and enables are set. */
static void used(const char *core, struct apmu_state *out)
{
	open_on(core);
	CHECK_EQ(bench_use(&b, 0, "cycles", "0x03", "0x04:l", NULL) &&
			 bench_use(&b, 0, "cycles", "0x03", "0x04", NULL),
		 0);
	apmu_dev_start(&b.dev);
	bench_work(&b, 1234);
	apmu_dev_stop(&b.dev);
	*out = b.pmu.s;
}

static void same(const struct apmu_state *was, const struct apmu_state *is)
{
	for (unsigned i = 0; i < APMU_COUNTERS; i++) {
		CHECK_EQ(is->counter[i], was->counter[i]);
		CHECK_EQ(is->type[i], was->type[i]);
	}
	CHECK_EQ(is->cnten, was->cnten);
	CHECK_EQ(is->inten, was->inten);
	CHECK_EQ(is->overflow, was->overflow);
	CHECK_EQ(is->word[APMU_WORD_ENABLE], 0);
	CHECK_EQ(is->word[APMU_WORD_DIVIDE], was->word[APMU_WORD_DIVIDE]);
	CHECK_EQ(is->word[APMU_WORD_EXPORT], was->word[APMU_WORD_EXPORT]);
}

TEST(an_access_that_fails_while_loading_leaves_the_PMU_as_it_was)
{
	static const char *const cores[] = {"arm1136",    "xscale1",    "xscale2",   "cortex-a9",
					    "cortex-a15", "cortex-a53", "generic-v9"};

	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		unsigned failed = 0;

		for (unsigned at = 1;; at++) {
			struct apmu_state was;
			int bad;

			used(cores[c], &was);
			bench_accesses(&b);
			b.fail_at = at;
			bad = bench_use(&b, 0, "cycles", "0x05", NULL);
			if (!bad)
				break; /* fewer accesses than that */
			failed++;
			CHECK_EQ(bad, APMU_EIO);
			same(&was, &b.pmu.s);
			CHECK_EQ(apmu_dev_start(&b.dev), APMU_EINVAL); /* no plan is half loaded */
			bench_work(&b, 5);
			same(&was, &b.pmu.s);
		}
		CHECK(failed >= 6);
	}
}

TEST(a_plan_that_the_registers_do_not_take_is_refused_as_such)
{
	struct apmu_want want[2];
	struct apmu_refusal refusal = {0};

	open_on("cortex-a53");
	CHECK_EQ(apmu_want_parse(&b.dev, "cycles", &want[0]), 0);
	CHECK_EQ(apmu_want_parse(&b.dev, "0x05", &want[1]), 0);
	bench_accesses(&b);
	b.fail_at = 3;
	CHECK_EQ(apmu_dev_use(&b.dev, want, 2, 0, &refusal), APMU_EIO);
	CHECK_EQ(refusal.why, APMU_WHY_LOAD);
	CHECK_EQ(apmu_dev_use(&b.dev, want, 2, 0, &refusal), 0);
	CHECK_EQ(refusal.why, APMU_WHY_NOT);
}

TEST(an_access_that_fails_at_start_leaves_the_PMU_stopped)
{
	open_on("cortex-a7");
	CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
	bench_accesses(&b);
	b.fail_at = 1;
	CHECK_EQ(apmu_dev_start(&b.dev), APMU_EIO);
	CHECK(!b.dev.running);
	bench_work(&b, 5);
	CHECK_EQ(bench_value(&b, 0), 0);
	CHECK_EQ(apmu_dev_start(&b.dev), 0);
	bench_work(&b, 5);
	CHECK_EQ(bench_value(&b, 0), 100);
}

TEST(an_access_that_fails_while_turns_change_leaves_no_half_of_a_plan_running)
{
	static const char *const cores[] = {"arm1136", "xscale2", "cortex-a8"};

	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		unsigned at = 0, gone = 0;
		int bad;

		do {
			open_on(cores[c]);
			CHECK_EQ(bench_use(&b, APMU_MULTIPLEX, "0x03", "0x04", "0x05", "0x06", "0x07", NULL),
				 0);
			apmu_dev_start(&b.dev);
			bench_accesses(&b);
			b.fail_at = ++at;
			bad = apmu_dev_rotate(&b.dev);
			b.fail_at = 0;
			CHECK(bad == 0 || bad == APMU_EIO);
			gone += !b.pmu.s.word[APMU_WORD_ENABLE];
			CHECK_EQ(apmu_dev_start(&b.dev), b.pmu.s.word[APMU_WORD_ENABLE] ? 0 : APMU_EINVAL);
		} while (bad);
		CHECK_EQ(gone, at - 2); /* the first access only reads the flags, the last try succeeds */
	}
}

TEST(a_failing_access_is_reported_by_reading_and_by_the_handler)
{
	struct apmu_count count[2];

	open_on("cortex-a15");
	CHECK_EQ(bench_use(&b, 0, "cycles", "0x08", NULL), 0);
	apmu_dev_start(&b.dev);
	for (unsigned at = 1; at <= 3; at++) {
		bench_accesses(&b);
		b.fail_at = at;
		CHECK_EQ(apmu_dev_read(&b.dev, count, 2), APMU_EIO);
	}
	bench_accesses(&b);
	b.fail_at = 1;
	CHECK_EQ(apmu_dev_interrupt(&b.dev, NULL), APMU_EIO);
}

TEST(a_failure_of_the_interrupted_thread_stays_its_own)
{
	open_on("cortex-a15");
	CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	b.masked = true;
	bench_add(&b, APMU_SIG_CYCLES, 1ull << 32);
	b.dev.bad = APMU_EIO; /* as after an access that failed, before its caller has seen it */
	CHECK_EQ(apmu_dev_interrupt(&b.dev, NULL), 1);
	CHECK_EQ(b.dev.bad, APMU_EIO);
	CHECK(!b.line);
	CHECK_EQ(apmu_dev_stop(&b.dev), APMU_EIO);
	CHECK_EQ(bench_value(&b, 0), 1ull << 32);
}

TEST(every_reason_and_every_error_has_its_words)
{
	for (unsigned why = 0; why < APMU_WHYS; why++)
		for (unsigned other = 0; other <= why; other++)
			CHECK_EQ(strcmp(apmu_why_text(why), apmu_why_text(other)) == 0, why == other);
	CHECK_STR(apmu_why_text(APMU_WHYS), "unknown reason");
}
