/* SPDX-License-Identifier: MIT */
/* Erratum switches: the effect of each, the cores that have it, and its initial state. */
#include "model_bench.h"

#include "test.h"

#define BIT(erratum) (UINT32_C(1) << (erratum))

/* PMN0 overflows, then the cycle counter. */
static uint64_t two_overflows(struct bench *b)
{
	poke(b, "PMN0", 0xFFFFFFFF);
	poke(b, "CCNT", 0xFFFFFFFF);
	poke(b, "PMNC", XSCALE_EVENT0(0x07) | E);
	happen(b, APMU_SIG_INST, 1);
	apmu_advance(&b->pmu);
	run(b, 1);
	return peek(b, "PMNC") & (OC0 | OC1 | OCC);
}

TEST(early_xsc1_loses_the_older_flag_and_later_steppings_do_not) /* LINUX XScale */
{
	struct bench b;

	bench_start(&b, "xscale1");
	CHECK_EQ(two_overflows(&b), OC0 | OCC);
	bench_start(&b, "xscale1");
	apmu_errata(&b.pmu, BIT(APMU_ERRATUM_FLAG_LOSS));
	CHECK_EQ(two_overflows(&b), OCC);
}

TEST(a_lost_flag_takes_its_request_along)
{
	struct bench b;

	bench_start(&b, "xscale1");
	apmu_errata(&b.pmu, BIT(APMU_ERRATUM_FLAG_LOSS));
	poke(&b, "PMN0", 0xFFFFFFFF);
	poke(&b, "CCNT", 0xFFFFFFFF);
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | EC0 | E);
	happen(&b, APMU_SIG_INST, 1);
	apmu_advance(&b.pmu);
	CHECK(b.irq);
	run(&b, 1);
	CHECK(!b.irq);
}

TEST(linux_order_survives_flag_loss) /* read PMNC once, write it back with E off, serve from the copy */
{
	struct bench b;

	bench_start(&b, "xscale1");
	apmu_errata(&b.pmu, BIT(APMU_ERRATUM_FLAG_LOSS));
	poke(&b, "PMN0", 0xFFFFFFFF);
	poke(&b, "CCNT", 0xFFFFFFFF);
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | EC0 | ECC | E);
	happen(&b, APMU_SIG_INST, 1);
	apmu_advance(&b.pmu);
	uint64_t copy = peek(&b, "PMNC");
	poke(&b, "PMNC", copy & ~(uint64_t)E);
	CHECK_EQ(copy & (OC0 | OCC), OC0);
	run(&b, 1); /* the counters are stopped: nothing can be lost now */
	poke(&b, "PMNC", (copy & ~(uint64_t)(OC0 | OC1 | OCC)) | E);
	run(&b, 1);
	CHECK_EQ(peek(&b, "PMNC") & (OC0 | OC1 | OCC), OCC);
	CHECK(b.irq);
}

TEST(event_1_of_xscale_counts_too_much_until_it_is_switched_off) /* XSUPDATE */
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x01) | E);
	happen(&b, APMU_SIG_FETCH_STALL, 10);
	happen(&b, APMU_SIG_FETCH_STALL_EXTRA, 3);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 13);
	apmu_errata(&b.pmu, 0);
	happen(&b, APMU_SIG_FETCH_STALL, 10);
	happen(&b, APMU_SIG_FETCH_STALL_EXTRA, 3);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 23);
}

TEST(a_switch_thrown_late_does_not_reach_back)
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x01) | E);
	happen(&b, APMU_SIG_FETCH_STALL_EXTRA, 3); /* pending while the switch is still on */
	apmu_errata(&b.pmu, 0);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 3);
}

TEST(the_spurious_signal_is_wanted_only_while_the_erratum_is_on)
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x01) | E);
	CHECK(apmu_wants(&b.pmu, APMU_SIG_FETCH_STALL_EXTRA));
	CHECK(apmu_until_overflow(&b.pmu, APMU_SIG_FETCH_STALL_EXTRA) <= UINT64_C(1) << 32);
	apmu_errata(&b.pmu, 0);
	CHECK(!apmu_wants(&b.pmu, APMU_SIG_FETCH_STALL_EXTRA));
	CHECK_EQ(apmu_until_overflow(&b.pmu, APMU_SIG_FETCH_STALL_EXTRA), UINT64_MAX);
}

TEST(event_5_counts_b_and_bl_alone_unless_read_as_the_80200_manual_has_it)
{
	struct bench b;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x05) | E);
	happen(&b, APMU_SIG_BR_EXEC, 5);
	happen(&b, APMU_SIG_BR_IMMED, 3);
	happen(&b, APMU_SIG_BR_OTHER, 2);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 3);
	apmu_errata(&b.pmu, BIT(APMU_ERRATUM_EVT5_ALL));
	happen(&b, APMU_SIG_BR_EXEC, 5);
	happen(&b, APMU_SIG_BR_IMMED, 3);
	happen(&b, APMU_SIG_BR_OTHER, 2);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 3 + 5);
}

TEST(a_core_takes_only_the_errata_it_has)
{
	struct bench b;

	bench_start(&b, "arm1136");
	apmu_errata(&b.pmu, UINT32_MAX);
	CHECK_EQ(b.pmu.s.errata, 0);
	bench_start(&b, "xscale2");
	apmu_errata(&b.pmu, UINT32_MAX);
	CHECK_EQ(b.pmu.s.errata & BIT(APMU_ERRATUM_FLAG_LOSS), 0); /* an XSC1 stepping's */
	CHECK(b.pmu.s.errata & BIT(APMU_ERRATUM_EVT1_OVERCOUNT));
}

TEST(reset_leaves_the_switches_alone)
{
	struct bench b;

	bench_start(&b, "xscale1");
	apmu_errata(&b.pmu, BIT(APMU_ERRATUM_FLAG_LOSS));
	apmu_reset(&b.pmu);
	CHECK_EQ(b.pmu.s.errata, BIT(APMU_ERRATUM_FLAG_LOSS));
}
