/* SPDX-License-Identifier: MIT */
/* Counting: the start delay, the divider, what apmu_advance() takes, and how far a host may run without it.
 */
#include "model_bench.h"

#include "test.h"

#include <string.h>

TEST(three_cycles_pass_before_the_first_event_counts) /* DDI0211K PMNC, DDI0301H 3-137 */
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMNC", ARM11_EVENT0(0x07) | E);
	for (unsigned cycle = 1; cycle <= 6; cycle++) {
		happen(&b, APMU_SIG_INST, 1);
		run(&b, 1);
		CHECK_EQ(peek(&b, "PMN0"), cycle < 3 ? 0 : cycle - 3);
		CHECK_EQ(peek(&b, "CCNT"), cycle < 3 ? 0 : cycle - 3);
	}
}

TEST(xscale_counts_from_the_first_cycle)
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E);
	happen(&b, APMU_SIG_INST, 1);
	run(&b, 1);
	CHECK_EQ(peek(&b, "PMN0"), 1);
	CHECK_EQ(peek(&b, "CCNT"), 1);
}

TEST(a_host_must_step_by_cycles_while_the_start_delay_runs)
{
	struct bench b;

	bench_start(&b, "arm1136");
	CHECK(!apmu_wants_cycles(&b.pmu));
	poke(&b, "PMNC", E);
	CHECK(apmu_wants_cycles(&b.pmu));
	run(&b, 2);
	CHECK(apmu_wants_cycles(&b.pmu));
	run(&b, 1);
	CHECK(!apmu_wants_cycles(&b.pmu));
	bench_start(&b, "xscale1");
	poke(&b, "PMNC", E);
	CHECK(!apmu_wants_cycles(&b.pmu));
}

TEST(disabling_and_reset_end_the_start_delay)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMNC", E);
	run(&b, 1);
	poke(&b, "PMNC", 0);
	CHECK(!apmu_wants_cycles(&b.pmu));
	poke(&b, "PMNC", E);
	CHECK(apmu_wants_cycles(&b.pmu));
	apmu_reset(&b.pmu);
	CHECK(!apmu_wants_cycles(&b.pmu));
}

TEST(a_host_must_step_by_cycles_while_somebody_listens_to_the_event_bus)
{
	struct bench b;

	bench_start(&b, "arm1136");
	start(&b, X | E);
	CHECK(!apmu_wants_cycles(&b.pmu)); /* nobody listens */
	struct apmu_inputs in = b.pmu.s.in;
	in.export_heard = true;
	apmu_input(&b.pmu, in);
	CHECK(apmu_wants_cycles(&b.pmu));
	poke(&b, "PMNC", E);
	CHECK(!apmu_wants_cycles(&b.pmu)); /* X is clear: nothing is exported */
}

TEST(the_cycle_counter_rolls_over_after_2_to_the_38_cycles) /* DDI0211K PMNC, XSCALE 8.2.4 */
{
	static const char *const core[] = {"arm1136", "arm1156", "arm1176", "xscale1"};

	for (size_t i = 0; i < sizeof core / sizeof core[0]; i++) {
		struct bench b;
		bench_start(&b, core[i]);
		start(&b, D | E);
		poke(&b, "PMNC", C | D | ECC | E);
		run(&b, (UINT64_C(1) << 38) - 1);
		CHECK_EQ(peek(&b, "CCNT"), 0xFFFFFFFF);
		CHECK(!b.irq);
		run(&b, 1);
		CHECK_EQ(peek(&b, "CCNT"), 0);
		CHECK(b.irq);
	}
}

TEST(looks_of_any_size_add_up_with_the_divider_on)
{
	struct bench b;
	uint64_t cycles = 0;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", C | D | E);
	for (uint64_t step = 1; step < 300; step++) {
		run(&b, step);
		cycles += step;
		CHECK_EQ(peek(&b, "CCNT"), cycles / 64);
	}
}

TEST(a_read_sees_the_last_look_and_a_write_looks_first)
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E);
	happen(&b, APMU_SIG_INST, 5);
	CHECK_EQ(peek(&b, "PMN0"), 0); /* pending */
	poke(&b, "PMNC", XSCALE_EVENT0(0x0B) | E);
	CHECK_EQ(peek(&b, "PMN0"), 5); /* taken before the selection changed */
	happen(&b, APMU_SIG_INST, 5);
	happen(&b, APMU_SIG_L1D_MISS, 2);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 7);
}

TEST(read_now_looks_and_reads)
{
	struct bench b;
	uint64_t value = 0;
	struct apmu_access pmn0 = {APMU_VIEW_CP, apmu_cp(14, 0, 2, 0, 0), {.el = 1, .security = APMU_SECURE}};

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E);
	happen(&b, APMU_SIG_INST, 5);
	CHECK_EQ(apmu_read_now(&b.pmu, pmn0, &value), APMU_DONE);
	CHECK_EQ(value, 5);
}

TEST(what_happened_before_counting_started_is_not_counted)
{
	struct bench b;

	bench_start(&b, "xscale1");
	happen(&b, APMU_SIG_INST, 1000);
	happen(&b, APMU_SIG_CYCLES, 1000);
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E); /* no look in between */
	happen(&b, APMU_SIG_INST, 3);
	run(&b, 4);
	CHECK_EQ(peek(&b, "PMN0"), 3);
	CHECK_EQ(peek(&b, "CCNT"), 4);
}

TEST(a_tally_that_runs_over_its_own_end_loses_nothing)
{
	struct bench b;

	bench_start(&b, "xscale1");
	b.tally.n[APMU_SIG_INST] = UINT64_MAX - 1;
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E);
	happen(&b, APMU_SIG_INST, 5);
	run(&b, 1);
	CHECK_EQ(peek(&b, "PMN0"), 5);
}

/* 2^64 - 1 more than 16 is 15 again, but all these events have passed the top of the counter. */
TEST(a_gain_of_almost_2_to_the_64_is_an_overflow)
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "PMN0", 16);
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | EC0 | E);
	happen(&b, APMU_SIG_INST, UINT64_MAX);
	run(&b, 1);
	CHECK_EQ(peek(&b, "PMN0"), 15);
	CHECK_EQ(peek(&b, "PMNC") & (OC0 | OC1 | OCC), OC0);
	CHECK(b.irq);
	for (unsigned on = 1; on <= 6; on += 5) { /* one counter, and a row of them */
		bench_start(&b, "cortex-a72");
		for (unsigned i = 0; i < on; i++) {
			poke(&b, "PMSELR_EL0", i);
			poke(&b, "PMXEVTYPER_EL0", 0x08);
			poke(&b, "PMXEVCNTR_EL0", 16);
		}
		poke(&b, "PMCNTENSET_EL0", (1u << on) - 1);
		poke(&b, "PMCR_EL0", E);
		happen(&b, APMU_SIG_INST, UINT64_MAX);
		run(&b, 1);
		CHECK_EQ(peek(&b, "PMOVSCLR_EL0"), (1u << on) - 1);
	}
}

TEST(two_pmus_may_watch_one_tally)
{
	struct bench b, other;

	bench_start(&b, "xscale1");
	bench_start(&other, "arm1136");
	other.pmu.tally = &b.tally;
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E);
	poke(&other, "PMNC", ARM11_EVENT0(0x0B) | E);
	run(&b, 3);
	apmu_advance(&other.pmu); /* its start delay */
	happen(&b, APMU_SIG_INST, 5);
	happen(&b, APMU_SIG_L1D_MISS, 2);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 5);
	apmu_advance(&other.pmu);
	CHECK_EQ(peek(&other, "PMN0"), 2);
}

/* Checks that one event fewer than apmu_until_overflow() says does not overflow, and exactly as many do. */
static void check_until(struct bench *b, enum apmu_signal signal, uint64_t want)
{
	CHECK_EQ(apmu_until_overflow(&b->pmu, signal), want);
	happen(b, signal, want - 1);
	apmu_advance(&b->pmu);
	CHECK(!b->irq);
	CHECK_EQ(apmu_until_overflow(&b->pmu, signal), 1);
	happen(b, signal, 1);
	apmu_advance(&b->pmu);
	CHECK(b->irq);
}

TEST(the_distance_to_an_overflow_is_what_is_left_of_the_counter)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMN0", 0xFFFFFC18);
	start(&b, ARM11_EVENT0(0x07) | EC0 | E);
	check_until(&b, APMU_SIG_INST, 1000);
}

TEST(what_is_pending_has_used_up_part_of_the_distance)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMN0", 0xFFFFFC18);
	start(&b, ARM11_EVENT0(0x07) | EC0 | E);
	happen(&b, APMU_SIG_INST, 600);
	check_until(&b, APMU_SIG_INST, 400);
}

TEST(the_distance_of_an_empty_counter_is_2_to_the_32)
{
	struct bench b;

	bench_start(&b, "xscale2");
	poke(&b, "EVTSEL", 0x07000000);
	poke(&b, "INTEN", 1 << 4);
	poke(&b, "PMNC", E);
	check_until(&b, APMU_SIG_INST, UINT64_C(1) << 32);
}

TEST(the_nearest_counter_decides_the_distance)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMN0", 0xFFFFFF00);
	poke(&b, "PMN1", 0xFFFFFFF6);
	start(&b, ARM11_EVENT0(0x07) | ARM11_EVENT1(0x07) | EC0 | EC1 | E);
	check_until(&b, APMU_SIG_INST, 10);
}

TEST(the_distance_in_cycles_is_before_the_divider)
{
	struct bench b;

	bench_start(&b, "arm1136");
	start(&b, D | E);
	poke(&b, "PMNC", C | D | ECC | E);
	poke(&b, "CCNT", 0xFFFFFFFE);
	run(&b, 10); /* ten cycles into the divider's 64 */
	check_until(&b, APMU_SIG_CYCLES, 2 * 64 - 10);
}

TEST(in_the_start_delay_the_distance_in_cycles_is_longer_by_what_is_left_of_it)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "CCNT", 0xFFFFFFF0);
	poke(&b, "PMN0", 0xFFFFFFF0);
	poke(&b, "PMNC", ARM11_EVENT0(0x07) | ECC | E);
	CHECK_EQ(apmu_until_overflow(&b.pmu, APMU_SIG_INST), 16);
	check_until(&b, APMU_SIG_CYCLES, 3 + 16);
}

TEST(the_cycle_event_of_arm11_is_not_divided)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMN0", 0xFFFFFFE0);
	start(&b, ARM11_EVENT0(0xFF) | D | EC0 | E);
	check_until(&b, APMU_SIG_CYCLES, 32);
}

TEST(either_signal_of_a_sum_has_the_distance_of_the_sum)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMN0", 0xFFFFFFF0);
	start(&b, ARM11_EVENT0(0x22) | EC0 | E);
	CHECK_EQ(apmu_until_overflow(&b.pmu, APMU_SIG_ETMEXTOUT1), 16);
	happen(&b, APMU_SIG_ETMEXTOUT1, 6);
	apmu_advance(&b.pmu);
	check_until(&b, APMU_SIG_ETMEXTOUT0, 10);
}

TEST(what_nobody_counts_never_overflows)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMN0", 0xFFFFFFFF);
	CHECK_EQ(apmu_until_overflow(&b.pmu, APMU_SIG_L1I_MISS), UINT64_MAX); /* E is off */
	CHECK_EQ(apmu_until_overflow(&b.pmu, APMU_SIG_CYCLES), UINT64_MAX);
	start(&b, ARM11_EVENT0(0x07) | ARM11_EVENT1(0x08) | E);
	CHECK_EQ(apmu_until_overflow(&b.pmu, APMU_SIG_INST), 1);
	CHECK_EQ(apmu_until_overflow(&b.pmu, APMU_SIG_L1D_MISS), UINT64_MAX);
	bench_start(&b, "xscale1");
	start(&b, XSCALE_EVENT0(0xFF) | XSCALE_EVENT1(0xFF) | E);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (s != APMU_SIG_CYCLES)
			CHECK_EQ(apmu_until_overflow(&b.pmu, (enum apmu_signal)s), UINT64_MAX);
}

TEST(only_what_a_counter_that_is_on_counts_is_wanted)
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMNC", ARM11_EVENT0(0x07) | ARM11_EVENT1(0x22));
	CHECK(!apmu_wants(&b.pmu, APMU_SIG_INST)); /* E is off */
	CHECK(!apmu_wants(&b.pmu, APMU_SIG_CYCLES));
	start(&b, ARM11_EVENT0(0x07) | ARM11_EVENT1(0x22) | E);
	CHECK(apmu_wants(&b.pmu, APMU_SIG_INST));
	CHECK(apmu_wants(&b.pmu, APMU_SIG_ETMEXTOUT0));
	CHECK(apmu_wants(&b.pmu, APMU_SIG_ETMEXTOUT1));
	CHECK(apmu_wants(&b.pmu, APMU_SIG_CYCLES));
	CHECK(!apmu_wants(&b.pmu, APMU_SIG_L1D_MISS));
}

TEST(debug_state_stops_the_counters_of_arm1176_and_what_is_pending_counts_before) /* DDI0301H 3-137 */
{
	struct bench b;

	bench_start(&b, "arm1176");
	start(&b, ARM11_EVENT0(0x07) | E);
	happen(&b, APMU_SIG_INST, 4);
	apmu_enter(&b.pmu, (struct apmu_mode){.el = 1, .security = APMU_SECURE, .debug_halted = true});
	happen(&b, APMU_SIG_INST, 100);
	apmu_enter(&b.pmu, (struct apmu_mode){.el = 1, .security = APMU_SECURE});
	happen(&b, APMU_SIG_INST, 3);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 7);
}

TEST(one_write_resets_enables_and_selects)
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "CCNT", 99);
	poke(&b, "PMN0", 99);
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | C | P | E);
	happen(&b, APMU_SIG_INST, 2);
	run(&b, 3);
	CHECK_EQ(peek(&b, "CCNT"), 3);
	CHECK_EQ(peek(&b, "PMN0"), 2);
}

TEST(a_refused_write_does_nothing)
{
	struct bench b;
	struct apmu_access user = {
		APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 0), {.el = 0, .security = APMU_SECURE}};

	bench_start(&b, "arm1136");
	start(&b, ARM11_EVENT0(0x07) | E);
	CHECK_EQ(apmu_write(&b.pmu, user, 0), APMU_UNDEFINED);
	happen(&b, APMU_SIG_INST, 2);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 2);
}

TEST(the_limits_of_running_counters_say_what_each_counts_and_how_far_it_may)
{
	struct apmu_limit limit[APMU_COUNTERS];
	struct bench b;

	bench_start(&b, "xscale1");
	CHECK_EQ(apmu_limits(&b.pmu, limit), 0);
	poke(&b, "PMN0", 0xFFFFFFF0);
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E);
	CHECK_EQ(apmu_limits(&b.pmu, limit), 3);
	CHECK_EQ(limit[0].signals, 1);
	CHECK_EQ(limit[0].signal[0], APMU_SIG_INST);
	CHECK_EQ(limit[0].left, 16);
	happen(&b, APMU_SIG_INST, 5);
	apmu_limits(&b.pmu, limit);
	CHECK_EQ(limit[0].left, 11);
	CHECK_EQ(limit[2].signal[0], APMU_SIG_CYCLES);
	CHECK_EQ(limit[2].left, UINT64_C(1) << 32);
}

TEST(what_a_write_would_end_in_is_told_without_making_it)
{
	struct bench b;
	struct apmu_access at = {APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 0), {.el = 1}};
	struct apmu before;

	bench_start(&b, "arm1136");
	before = b.pmu;
	CHECK_EQ(apmu_may(&b.pmu, at, true), APMU_DONE);
	at.from.el = 0;
	CHECK_EQ(apmu_may(&b.pmu, at, true), APMU_UNDEFINED);
	CHECK_EQ(apmu_may(&b.pmu, at, false), APMU_UNDEFINED);
	at.encoding = apmu_cp(15, 0, 15, 12, 7);
	CHECK_EQ(apmu_may(&b.pmu, at, true), APMU_UNDEFINED);
	CHECK(memcmp(&before, &b.pmu, sizeof before) == 0);
}
