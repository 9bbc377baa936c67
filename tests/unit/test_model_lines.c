/* SPDX-License-Identifier: MIT */
/* When an interrupt line is up: ARM11's latch, XScale's plain level, ARM1156's second line; calls of the
 * callback. */
#include "model_bench.h"

#include "test.h"

/* An ARM11 whose cycle counter has just overflowed with its interrupt enabled. */
static void overflowed(struct bench *b, const char *core)
{
	bench_start(b, core);
	poke(b, "CCNT", 0xFFFFFFFF);
	start(b, ECC | E);
	run(b, 1);
	CHECK(b->irq);
}

TEST(clearing_the_flag_with_E_off_leaves_the_line_up) /* ARM11: AN195 1, DDI0211K table 3.138 E */
{
	struct bench b;

	overflowed(&b, "arm1136");
	poke(&b, "PMNC", OCC | ECC); /* E is 0 in this write */
	CHECK_EQ(peek(&b, "PMNC"), ECC);
	CHECK(b.irq);
	poke(&b, "PMNC", ECC | E);
	CHECK(!b.irq);
}

TEST(the_line_falls_in_the_write_that_clears_the_flag_with_E_on)
{
	struct bench b;

	overflowed(&b, "arm1136");
	poke(&b, "PMNC", OCC | ECC | E);
	CHECK(!b.irq);
	CHECK(!apmu_line_up(&b.pmu, APMU_LINE_IRQ));
}

TEST(on_xscale_E_plays_no_part_in_taking_the_line_down) /* IXP42X 3.7 */
{
	struct bench b;

	overflowed(&b, "xscale1");
	poke(&b, "PMNC", ECC); /* clearing E does not lower the line */
	CHECK(b.irq);
	poke(&b, "PMNC", OCC | ECC); /* clearing the flag does, with E off too */
	CHECK(!b.irq);
}

TEST(a_latched_line_stays_up_through_counting_and_time)
{
	struct bench b;

	overflowed(&b, "arm1176");
	poke(&b, "PMNC", OCC);
	for (unsigned i = 0; i < 100; i++)
		run(&b, 1);
	CHECK(b.irq);
	poke(&b, "CCNT", 0);
	poke(&b, "PMN0", 0);
	CHECK(b.irq);
}

TEST(a_read_modify_write_acknowledges_flags_that_nobody_served) /* DDI0211K table 3.139 */
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMN0", 0xFFFFFFFF);
	start(&b, ARM11_EVENT0(0x07) | EC0 | E);
	happen(&b, APMU_SIG_INST, 1);
	run(&b, 1);
	CHECK(b.irq);
	poke(&b, "PMNC", peek(&b, "PMNC") | D); /* meant to set only D */
	CHECK(!b.irq);
	CHECK_EQ(peek(&b, "PMNC"), ARM11_EVENT0(0x07) | EC0 | D | E);
}

TEST(masking_the_flags_in_a_write_keeps_them)
{
	struct bench b;

	overflowed(&b, "arm1136");
	poke(&b, "PMNC", (peek(&b, "PMNC") & ~(uint64_t)(OC0 | OC1 | OCC)) | D);
	CHECK(b.irq);
	CHECK_EQ(peek(&b, "PMNC"), OCC | ECC | D | E);
}

TEST(enabling_an_interrupt_whose_flag_is_set_raises_the_line_at_once)
{
	static const char *const core[] = {"arm1136", "arm1156", "arm1176", "xscale1"};

	for (size_t i = 0; i < sizeof core / sizeof core[0]; i++) {
		struct bench b;
		bench_start(&b, core[i]);
		poke(&b, "CCNT", 0xFFFFFFFF);
		start(&b, E);
		run(&b, 1);
		CHECK(!b.irq);
		poke(&b, "PMNC", ECC | E);
		CHECK(b.irq);
	}
}

TEST(arm1156_reports_each_counter_on_the_line_its_enables_name) /* AN195 table 1 */
{
	static const struct {
		uint32_t enables;
		bool irq, fiq;
	} way[] = {{0, false, false},
		   {EC0, true, false},
		   {FC0, false, true},
		   {EC0 | FC0, true, true},
		   {EC1 | FC1, false, false}};

	for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
		struct bench b;
		bench_start(&b, "arm1156");
		poke(&b, "PMN0", 0xFFFFFFFF);
		start(&b, ARM11_EVENT0(0x07) | way[i].enables | E);
		happen(&b, APMU_SIG_INST, 1);
		run(&b, 1);
		CHECK_EQ(b.irq, way[i].irq);
		CHECK_EQ(b.fiq, way[i].fiq);
	}
}

TEST(each_line_of_arm1156_has_a_latch_of_its_own)
{
	struct bench b;

	bench_start(&b, "arm1156");
	poke(&b, "PMN0", 0xFFFFFFFF);
	poke(&b, "CCNT", 0xFFFFFFFF);
	start(&b, ARM11_EVENT0(0x07) | FC0 | ECC | E);
	happen(&b, APMU_SIG_INST, 1);
	run(&b, 1);
	CHECK(b.irq && b.fiq);
	poke(&b, "PMNC", ARM11_EVENT0(0x07) | FC0 | ECC | OC0); /* FIQ's flag, E off */
	CHECK(b.irq && b.fiq);
	poke(&b, "PMNC", ARM11_EVENT0(0x07) | FC0 | ECC | E); /* E set again: only the FIQ has no flag left */
	CHECK(b.irq && !b.fiq);
}

TEST(the_callback_hears_changes_and_nothing_else)
{
	struct bench b;

	overflowed(&b, "arm1136");
	CHECK_EQ(b.calls, 1);
	run(&b, 10);
	poke(&b, "PMN0", 0xFFFFFFFF);
	poke(&b, "PMNC", ECC | EC0 | E);
	CHECK_EQ(b.calls, 1); /* up already */
	poke(&b, "PMNC", OCC | ECC | EC0 | E);
	CHECK_EQ(b.calls, 2);
	CHECK(!b.irq);
}

TEST(reset_takes_the_line_down_and_says_so)
{
	struct bench b;

	overflowed(&b, "arm1136");
	apmu_reset(&b.pmu);
	CHECK(!b.irq);
	CHECK_EQ(b.calls, 2);
	CHECK_EQ(peek(&b, "PMNC"), 0);
	CHECK_EQ(peek(&b, "CCNT"), 0);
}

TEST(a_host_without_callbacks_still_sees_the_line)
{
	struct apmu_tally tally = {{0}};
	struct apmu pmu;
	struct apmu_access pmnc = {
		APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 0), {.el = 1, .security = APMU_SECURE}};
	struct apmu_access ccnt = {
		APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 1), {.el = 1, .security = APMU_SECURE}};

	apmu_init(&pmu, apmu_core_find("arm1136"), &tally, (struct apmu_lines){NULL, NULL, NULL});
	CHECK_EQ(apmu_write(&pmu, ccnt, 0xFFFFFFFF), APMU_DONE);
	CHECK_EQ(apmu_write(&pmu, pmnc, UINT32_MAX),
		 APMU_DONE); /* reserved bits, a bus without a listener: notes that nobody receives */
	tally.n[APMU_SIG_CYCLES] += 3 + 64;
	apmu_advance(&pmu);
	CHECK(!apmu_line_up(&pmu, APMU_LINE_IRQ)); /* that write also reset the counter */
	CHECK_EQ(apmu_write(&pmu, ccnt, 0xFFFFFFFF), APMU_DONE);
	tally.n[APMU_SIG_CYCLES] += 64;
	apmu_advance(&pmu);
	CHECK(apmu_line_up(&pmu, APMU_LINE_IRQ));
}
