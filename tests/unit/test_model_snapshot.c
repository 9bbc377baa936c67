/* SPDX-License-Identifier: MIT */
/* Snapshots: a restored PMU goes on as the saved one, and a state that no PMU can have is refused. */
#include "model_bench.h"

#include "test.h"

/* An ARM1176 in a state with everything in it: latched line, flags, start delay running, divider mid-way. */
static void busy(struct bench *b)
{
	bench_start(b, "arm1176");
	poke(b, "PMN0", 0xFFFFFFFF);
	start(b, ARM11_EVENT0(0x07) | ARM11_EVENT1(0x0B) | EC0 | D | E);
	happen(b, APMU_SIG_INST, 1);
	happen(b, APMU_SIG_L1D_MISS, 7);
	run(b, 40);
	poke(b, "PMNC", ARM11_EVENT0(0x07) | ARM11_EVENT1(0x0B) | OC0 | D); /* latched: cleared with E off */
	poke(b, "PMNC", ARM11_EVENT0(0x07) | ARM11_EVENT1(0x0B) | D);
	poke(b, "SUNAVCR", 1);
	CHECK(b->irq);
}

TEST(a_restored_pmu_lives_on_as_the_saved_one)
{
	struct bench a, b;
	struct apmu_snapshot saved;

	busy(&a);
	apmu_save(&a.pmu, &saved);
	bench_start(&b, "arm1176");
	b.tally.n[APMU_SIG_INST] = 123456; /* each host has its own totals */
	CHECK_EQ(apmu_restore(&b.pmu, &saved), 0);
	for (unsigned round = 0; round < 2; round++) {
		struct bench *now = round ? &b : &a;
		CHECK(apmu_line_up(&now->pmu, APMU_LINE_IRQ));
		CHECK_EQ(peek(now, "SUNAVCR"), 1);
		poke(now, "PMNC", ARM11_EVENT0(0x07) | ARM11_EVENT1(0x0B) | D | E); /* now it may fall */
		CHECK(!apmu_line_up(&now->pmu, APMU_LINE_IRQ));
		run(now, 1); /* in the start delay */
		struct apmu_snapshot again;
		apmu_save(&now->pmu, &again);
		CHECK_EQ(apmu_restore(&now->pmu, &again), 0);
		run(now, 2);
		happen(now, APMU_SIG_INST, 5);
		run(now, 64 * 3);
		CHECK_EQ(peek(now, "PMN0"), 5);
		CHECK_EQ(peek(now, "PMN1"), 7);
	}
	CHECK_EQ(peek(&a, "CCNT"), peek(&b, "CCNT"));
	CHECK(!memcmp(&a.pmu.s, &b.pmu.s, sizeof a.pmu.s));
}

TEST(what_is_pending_when_a_snapshot_is_taken_back_is_not_counted_twice)
{
	struct bench b;
	struct apmu_snapshot saved;

	bench_start(&b, "xscale1");
	poke(&b, "PMNC", XSCALE_EVENT0(0x07) | E);
	happen(&b, APMU_SIG_INST, 5);
	apmu_advance(&b.pmu);
	apmu_save(&b.pmu, &saved);
	happen(&b, APMU_SIG_INST, 100);
	CHECK_EQ(apmu_restore(&b.pmu, &saved), 0); /* back to before the hundred */
	happen(&b, APMU_SIG_INST, 2);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 7);
}

TEST(a_tally_taken_back_before_the_state_counts_nothing)
{
	struct bench b;
	struct apmu_snapshot saved;
	struct apmu_tally tally;

	bench_start(&b, "arm1176");
	start(&b, ARM11_EVENT0(0x07) | E);
	happen(&b, APMU_SIG_INST, 5);
	apmu_advance(&b.pmu);
	apmu_save(&b.pmu, &saved);
	tally = b.tally;
	happen(&b, APMU_SIG_INST, 100);
	run(&b, 64);
	b.tally = tally; /* the whole host goes back: its totals become smaller */
	CHECK_EQ(apmu_restore(&b.pmu, &saved), 0);
	happen(&b, APMU_SIG_INST, 2);
	apmu_advance(&b.pmu);
	CHECK_EQ(peek(&b, "PMN0"), 7);
	CHECK_EQ(peek(&b, "CCNT"), 0);
	run(&b, 4);
	CHECK_EQ(peek(&b, "CCNT"), 4);
}

TEST(what_the_host_mirrors_comes_back_on_every_core)
{
	for (size_t i = 0; i < apmu_core_count(); i++) {
		struct bench b;
		struct apmu_snapshot saved;
		struct apmu_machine_state machine, back;

		bench_start(&b, apmu_core_at(i)->name);
		apmu_machine_get(&b.pmu, &machine);
		machine.mpidr = 0x80000001;
		machine.scr_el3 = machine.hcr_el2 = machine.hstr_el2 = 1;
		machine.mdcr_el2 |= 0x40;
		machine.sder = 3;
		machine.os_lock = true;
		apmu_machine_set(&b.pmu, &machine);
		apmu_machine_get(&b.pmu, &machine);
		apmu_save(&b.pmu, &saved);
		bench_start(&b, apmu_core_at(i)->name);
		CHECK_EQ(apmu_restore(&b.pmu, &saved), 0);
		apmu_machine_get(&b.pmu, &back);
		CHECK(!memcmp(&machine, &back, sizeof back));
	}
}

TEST(taking_back_a_snapshot_moves_the_line_and_says_so)
{
	struct bench b;
	struct apmu_snapshot quiet, up;

	bench_start(&b, "xscale1");
	apmu_save(&b.pmu, &quiet);
	poke(&b, "CCNT", 0xFFFFFFFF);
	start(&b, ECC | E);
	run(&b, 1);
	apmu_save(&b.pmu, &up);
	CHECK_EQ(apmu_restore(&b.pmu, &quiet), 0);
	CHECK(!b.irq);
	CHECK_EQ(apmu_restore(&b.pmu, &up), 0);
	CHECK(b.irq);
	CHECK_EQ(b.calls, 3);
}

/* Restoring `bad` must be refused and leave the PMU as it was. */
static void refused(struct bench *b, const struct apmu_snapshot *bad, const char *why)
{
	struct apmu before = b->pmu;

	if (apmu_restore(&b->pmu, bad) != APMU_EILSEQ)
		fail_msg("taken: %s", why);
	CHECK(!memcmp(&before, &b->pmu, sizeof before));
	CHECK_EQ(b->calls, 1); /* busy()'s own */
}

TEST(a_snapshot_of_another_format_or_core_is_refused)
{
	struct bench b, other;
	struct apmu_snapshot good, bad;

	busy(&b);
	apmu_save(&b.pmu, &good);
	bad = good;
	bad.magic ^= 1;
	refused(&b, &bad, "another magic number");
	bad = good;
	bad.version++;
	refused(&b, &bad, "a later version");
	bad = good;
	bad.version--;
	refused(&b, &bad, "an earlier version");
	bad = good;
	bad.core ^= 1;
	refused(&b, &bad, "another core's hash");
	for (size_t i = 0; i < apmu_core_count(); i++) {
		if (apmu_core_at(i) == b.pmu.core)
			continue;
		bench_start(&other, apmu_core_at(i)->name);
		apmu_save(&other.pmu, &bad);
		refused(&b, &bad, apmu_core_at(i)->name);
	}
}

TEST(impossible_values_are_refused_one_by_one)
{
	struct bench b;
	struct apmu_snapshot good;

	busy(&b);
	apmu_save(&b.pmu, &good);
#define REFUSED(change)                          \
	do {                                     \
		struct apmu_snapshot bad = good; \
		bad.state.change;                \
		refused(&b, &bad, #change);      \
	} while (0)
	REFUSED(counter[0] = UINT64_C(1) << 32);
	REFUSED(counter[APMU_CYCLE_COUNTER] = UINT64_C(1) << 32);
	REFUSED(counter[2] = 1); /* there are two */
	REFUSED(type[0] = 0x100);
	REFUSED(type[2] = 1);
	REFUSED(overflow = 4);
	REFUSED(inten = 4);
	REFUSED(fiqen = 1); /* ARM1156's */
	REFUSED(cnten = 1); /* none of these cores has an enable per counter */
	REFUSED(word[APMU_WORD_ENABLE] = 2);
	REFUSED(word[APMU_WORD_DIVIDE] = 2);
	REFUSED(word[APMU_WORD_USER] = 2);
	REFUSED(errata = 1); /* XScale's */
	REFUSED(phase = 64);
	REFUSED(holdoff = 4);
	REFUSED(latch = 4);
	REFUSED(latch = 3); /* the second line is ARM1156's */
	REFUSED(mode.el = 4);
	REFUSED(mode.security = APMU_ROOT + 1);
#undef REFUSED
	struct apmu_snapshot odd = good;
	memset(&odd.state.in.niden, 2, 1); /* a byte that is no bool */
	refused(&b, &odd, "niden is neither 0 nor 1");
	CHECK_EQ(apmu_restore(&b.pmu, &good), 0); /* and the good one is still good */
}

TEST(what_reset_fixes_on_a_core_is_in_each_of_its_snapshots)
{
	struct bench b;
	struct apmu_snapshot good, bad;

	bench_start(&b, "generic-v9"); /* without AArch32 PMCR.LC is RES1 */
	apmu_save(&b.pmu, &good);
	bad = good;
	bad.state.word[APMU_WORD_LC] = 0;
	CHECK_EQ(apmu_restore(&b.pmu, &bad), APMU_EILSEQ);
	CHECK_EQ(apmu_restore(&b.pmu, &good), 0);
	bench_start(&b, "cortex-a15"); /* without AArch64, and without FEAT_SEBEP */
	apmu_save(&b.pmu, &good);
	bad = good;
	bad.state.aarch32 = 0x7;
	CHECK_EQ(apmu_restore(&b.pmu, &bad), APMU_EILSEQ);
	bad = good;
	bad.state.profiling_pending = true;
	CHECK_EQ(apmu_restore(&b.pmu, &bad), APMU_EILSEQ);
	CHECK_EQ(apmu_restore(&b.pmu, &good), 0);
}
