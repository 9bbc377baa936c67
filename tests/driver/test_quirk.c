/* SPDX-License-Identifier: MIT */
/* Hardware quirks that a driver must handle, one by one. The property test has all of them at random. */
#include "bench.h"
#include "test.h"

static struct bench b;

static void open_on(const char *core, const char *first, const char *second)
{
	bench_make(&b, apmu_core_find(core));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, first, second, NULL), 0);
	CHECK_EQ(apmu_dev_start(&b.dev), 0);
	bench_add(&b, APMU_SIG_CYCLES, b.pmu.core->holdoff);
}

TEST(ARM11_stopped_with_an_overflow_pending_lets_go_of_its_line) /* AN195: only with E set */
{
	open_on("arm1136", "0x07", "cycles");
	b.masked = true;
	bench_add(&b, APMU_SIG_INST, 0x100000005u);
	CHECK(b.line);
	CHECK_EQ(apmu_dev_stop(&b.dev), 0);
	b.masked = false;
	bench_deliver(&b);
	CHECK(!b.line);
	CHECK_EQ(b.interrupts, 1);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_ENABLE], 0);
	CHECK_EQ(bench_value(&b, 0), 0x100000005u);
	apmu_dev_start(&b.dev);
	bench_add(&b, APMU_SIG_CYCLES, 3);
	bench_add(&b, APMU_SIG_INST, 1);
	CHECK_EQ(bench_value(&b, 0), 0x100000006u);
}

/* Opens an ARM11 whose line was left up, with the control register left as `left`. */
static void open_with_request(uint32_t left)
{
	struct apmu_access pmnc = {APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 0), {.el = 1}};
	uint64_t is;

	bench_make(&b, apmu_core_find("arm1136"));
	b.masked = true;
	CHECK_EQ(b.real->write(b.inner, APMU_DEV_COUNTER, 0, 0xFFFFFFFF), 0);
	CHECK_EQ(apmu_write(&b.pmu, pmnc, 0x00704011), APMU_DONE); /* instructions, 0x04, EC0, E */
	bench_add(&b, APMU_SIG_CYCLES, 3);
	bench_add(&b, APMU_SIG_INST, 5);
	CHECK_EQ(apmu_write(&b.pmu, pmnc, left), APMU_DONE);
	CHECK(b.line);
	b.masked = false;
	CHECK_EQ(bench_open(&b), 0);
	CHECK(!b.line);
	CHECK_EQ(apmu_read(&b.pmu, pmnc, &is), APMU_DONE);
	CHECK_EQ(is, 0x00704000 | (left & 0x100 ? 0 : 0x100)); /* the flag stays; E and EC0 are clear */
	CHECK_EQ(b.pmu.s.counter[0], 4);
}

TEST(ARM11_opened_with_a_request_from_before_lets_go_of_its_line)
{
	open_with_request(0x00704011); /* runs */
	open_with_request(0x00704010); /* stopped with the flag set */
	open_with_request(0x00704110); /* acknowledged with E clear */
	CHECK_EQ(bench_use(&b, 0, "0x07", NULL), 0);
	CHECK_EQ(apmu_dev_start(&b.dev), 0);
	bench_add(&b, APMU_SIG_CYCLES, 3);
	bench_add(&b, APMU_SIG_INST, 5);
	CHECK_EQ(bench_value(&b, 0), 5);
}

/* Lets many events happen between the write with E set and the one that clears it again. */
static void storm(void *ctx)
{
	(void)ctx;
	if (b.pmu.s.word[APMU_WORD_ENABLE] && !b.dev.running) {
		b.tally.n[APMU_SIG_CYCLES] += 100;
		b.tally.n[APMU_SIG_INST] += 0xFFFFFFFF;
		apmu_advance(&b.pmu);
	}
}

TEST(what_a_stopped_ARM11_counts_while_it_is_acknowledged_is_nobodys)
{
	open_on("arm1136", "0x07", "cycles");
	b.masked = true;
	bench_add(&b, APMU_SIG_INST, 0x100000005u);
	apmu_dev_stop(&b.dev);
	b.masked = false;
	b.between = storm;
	bench_deliver(&b);
	b.between = NULL;
	CHECK(!b.line);
	CHECK_EQ(bench_value(&b, 0), 0x100000005u);
	CHECK_EQ(b.pmu.s.overflow, 0);
}

/* Wraps the instruction counter between the handler's read of the flags and its acknowledgement. */
static void second_wrap(void *ctx)
{
	(void)ctx;
	if (b.reads + b.writes != (b.spy.traits & APMU_DEV_TRAIT_SELECT ? 2 : 1)) /* PMSELR is read first */
		return;
	b.tally.n[APMU_SIG_INST] += 0xFFFFFFFF;
	apmu_advance(&b.pmu);
}

TEST(an_overflow_after_the_handlers_look_is_served_by_the_next_interrupt)
{
	static const char *const cores[] = {"arm1136", "xscale2", "cortex-a15"};

	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		const struct apmu_core *core = apmu_core_find(cores[c]);
		struct apmu_want want[2] = {
			{.event = (uint16_t)bench_event(core, APMU_SIG_INST), .counter = APMU_ANY_COUNTER},
			{.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES}};

		bench_make(&b, core);
		CHECK_EQ(bench_open(&b), 0);
		CHECK_EQ(apmu_dev_use(&b.dev, want, 2, 0, NULL), 0);
		apmu_dev_start(&b.dev);
		bench_add(&b, APMU_SIG_CYCLES, core->holdoff);
		bench_add(&b, APMU_SIG_INST, 10);
		b.masked = true;
		bench_add(&b, APMU_SIG_CYCLES, 0x100000000u);
		bench_accesses(&b);
		b.between = second_wrap;
		CHECK_EQ(apmu_dev_interrupt(&b.dev, NULL), 1);
		b.between = NULL;
		CHECK_EQ(apmu_dev_interrupt(&b.dev, NULL), 1);
		CHECK_EQ(bench_value(&b, 0), 0x100000009u);
	}
}

TEST(writes_of_PMNC_acknowledge_nothing_by_accident) /* the W1C trap */
{
	static const char *const cores[] = {"arm1136", "xscale1"};

	for (size_t c = 0; c < 2; c++) {
		open_on(cores[c], "0x07", "cycles");
		b.masked = true;
		for (unsigned i = 0; i < 3; i++)
			bench_add(&b, APMU_SIG_CYCLES, 0x60000000);
		CHECK(b.pmu.s.overflow != 0);
		apmu_dev_stop(&b.dev);
		apmu_dev_start(&b.dev);
		CHECK(b.pmu.s.overflow != 0);
		b.masked = false;
		bench_deliver(&b);
		CHECK_EQ(b.pmu.s.overflow, 0);
	}
}

TEST(an_early_XSC1_loses_flags_and_the_driver_no_counts)
{
	bench_make(&b, apmu_core_find("xscale1"));
	apmu_errata(&b.pmu, 1u << APMU_ERRATUM_FLAG_LOSS);
	CHECK_EQ(bench_open(&b), 0);
	CHECK(b.dev.has.vague);
	CHECK_EQ(bench_use(&b, 0, "0x07", "0x0B", NULL), 0);
	apmu_dev_start(&b.dev);
	for (unsigned i = 0; i < 40; i++) { /* both wrap before the handler comes: one flag goes */
		b.masked = true;
		bench_add(&b, APMU_SIG_INST, 0x70000000);
		bench_add(&b, APMU_SIG_L1D_MISS, 0x70000000);
		b.masked = false;
		bench_deliver(&b);
	}
	CHECK_EQ(bench_value(&b, 0), 40 * 0x70000000ull);
	CHECK_EQ(bench_value(&b, 1), 40 * 0x70000000ull);
}

TEST(a_Cortex_A9_misses_overflows_and_the_driver_no_counts)
{
	bench_make(&b, apmu_core_find("cortex-a9"));
	apmu_errata(&b.pmu, 1u << APMU_ERRATUM_LOST_OVERFLOW);
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "0x68", NULL), 0);
	apmu_dev_start(&b.dev);
	bench_add(&b, APMU_SIG_INST, 1); /* odd: steps of two pass 0 unseen */
	for (unsigned i = 0; i < 100; i++) {
		b.tally.n[APMU_SIG_INST] += 0x20000000;
		bench_add(&b, APMU_SIG_CYCLES, 0x10000000);
	}
	CHECK_EQ(bench_value(&b, 0), 100 * 0x20000000ull + 1);
}

TEST(the_handler_leaves_PMSELR_as_the_thread_had_it)
{
	uint64_t select = 0;

	open_on("cortex-a9", "0x03", "cycles");
	CHECK_EQ(b.real->write(b.inner, APMU_DEV_SELECT, 0, 5), 0);
	bench_add(&b, APMU_SIG_CYCLES, 0x100000000u);
	CHECK(b.interrupts > 0);
	CHECK_EQ(b.real->read(b.inner, APMU_DEV_SELECT, 0, &select), 0);
	CHECK_EQ(select, 5);
}

TEST(an_interrupt_of_somebody_else_is_not_served)
{
	open_on("cortex-a53", "0x03", "cycles");
	CHECK_EQ(apmu_dev_interrupt(&b.dev, NULL), 0);
}
