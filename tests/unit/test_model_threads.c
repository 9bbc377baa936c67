/* SPDX-License-Identifier: MIT */
/* Two threads of one core: counters with PMEVTYPER.MT. PMUV3SHEET 4.10. */
#include <apmu/model.h>

#include "test.h"

#define PMCR         apmu_sysreg(3, 3, 9, 12, 0)
#define PMCNTENSET   apmu_sysreg(3, 3, 9, 12, 1)
#define PMOVSCLR     apmu_sysreg(3, 3, 9, 12, 3)
#define PMEVCNTR(n)  apmu_sysreg(3, 3, 14, 8, (n))
#define PMEVTYPER(n) apmu_sysreg(3, 3, 14, 12, (n))
#define MDCR_EL3     apmu_sysreg(3, 6, 1, 3, 1)
#define MT           (1u << 25)
#define NOT_EL0      (1u << 30)
#define MTPME        ((uint64_t)1 << 28)
#define TWO_OR_MORE  ((uint64_t)5 << 61 | (uint64_t)2 << 32) /* TC: 1 in a cycle with TH or more; TH */
#define INST_RETIRED 0x08u
#define CPU_CYCLES   0x11u
#define L1D_REFILL   0x03u

static const struct apmu_mode root = {.el = 3, .security = APMU_ROOT}, kernel = {.el = 1}, user = {.el = 0};

/* This thread, the other one, and the core's cycles. */
struct pair {
	struct apmu_tally own, other, core;
	struct apmu_thread thread[1];
	struct apmu pmu;
};

static void put(struct pair *p, uint32_t encoding, uint64_t value)
{
	CHECK_EQ(apmu_write(&p->pmu, (struct apmu_access){APMU_VIEW_A64, encoding, root}, value), APMU_DONE);
}

static uint64_t get(struct pair *p, uint32_t encoding)
{
	uint64_t value = 0;

	CHECK_EQ(apmu_read_now(&p->pmu, (struct apmu_access){APMU_VIEW_A64, encoding, root}, &value),
		 APMU_DONE);
	return value;
}

static void build(struct pair *p, bool core_wide)
{
	memset(p, 0, sizeof *p);
	p->thread[0] = (struct apmu_thread){.tally = &p->other, .mode = kernel};
	apmu_init(&p->pmu, apmu_core_find("generic-v9"), &p->own, (struct apmu_lines){0});
	apmu_enter(&p->pmu, kernel);
	apmu_threads(&p->pmu, p->thread, 1, core_wide ? &p->core : NULL);
	put(p, PMCNTENSET, 3);
	put(p, PMCR, 1);
}

TEST(events_of_both_threads_add_up)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	put(&p, PMEVTYPER(1), INST_RETIRED);
	p.own.n[APMU_SIG_INST] += 5;
	p.other.n[APMU_SIG_INST] += 7;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 12);
	CHECK_EQ(get(&p, PMEVCNTR(1)), 5);
}

TEST(nothing_counts_twice_and_nothing_from_before)
{
	struct pair p;

	build(&p, false);
	p.other.n[APMU_SIG_INST] += 100;
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	p.other.n[APMU_SIG_INST] += 1;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 1);
	CHECK_EQ(get(&p, PMEVCNTR(0)), 1);
	put(&p, PMCR, 0);
	p.other.n[APMU_SIG_INST] += 50;
	put(&p, PMCR, 1);
	p.other.n[APMU_SIG_INST] += 2;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 3);
}

TEST(another_event_starts_from_its_own_total)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	p.other.n[APMU_SIG_L1D_FILL] += 30;
	p.other.n[APMU_SIG_INST] += 4;
	put(&p, PMEVTYPER(0), L1D_REFILL | MT);
	p.other.n[APMU_SIG_L1D_FILL] += 2;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 6);
}

/* The counter's filter is applied to each thread's own exception level. */
TEST(the_filter_looks_where_each_thread_is)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT | NOT_EL0);
	p.other.n[APMU_SIG_INST] += 1;
	apmu_thread_enter(&p.pmu, 0, user);
	p.other.n[APMU_SIG_INST] += 10;
	apmu_enter(&p.pmu, user);
	p.own.n[APMU_SIG_INST] += 100;
	apmu_thread_enter(&p.pmu, 0, kernel);
	p.other.n[APMU_SIG_INST] += 1000;
	p.own.n[APMU_SIG_INST] += 10000;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 1001);
}

/* Secure state prohibits counting without MDCR_EL3.SPME (PMUV3SHEET 4.4). */
TEST(prohibition_looks_where_each_thread_is)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	apmu_thread_enter(&p.pmu, 0, (struct apmu_mode){.el = 1, .security = APMU_SECURE});
	p.other.n[APMU_SIG_INST] += 10;
	p.own.n[APMU_SIG_INST] += 1;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 1);
}

TEST(a_thread_in_Debug_state_does_not_count)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	apmu_thread_enter(&p.pmu, 0, (struct apmu_mode){.el = 1, .debug_halted = true});
	p.other.n[APMU_SIG_INST] += 10;
	p.own.n[APMU_SIG_INST] += 1;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 1);
	apmu_thread_enter(&p.pmu, 0, kernel);
	p.other.n[APMU_SIG_INST] += 5;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 6);
}

TEST(without_mtpme_each_counts_alone)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	put(&p, MDCR_EL3, 0);
	p.other.n[APMU_SIG_INST] += 10;
	p.own.n[APMU_SIG_INST] += 1;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 1);
	put(&p, MDCR_EL3, MTPME);
	p.other.n[APMU_SIG_INST] += 5;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 6);
}

TEST(cycles_do_not_add_up)
{
	struct pair p;

	build(&p, true);
	put(&p, PMEVTYPER(0), CPU_CYCLES | MT);
	put(&p, PMEVTYPER(1), CPU_CYCLES);
	p.own.n[APMU_SIG_CYCLES] += 60;
	p.other.n[APMU_SIG_CYCLES] += 70;
	p.core.n[APMU_SIG_CYCLES] += 90;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 90);
	CHECK_EQ(get(&p, PMEVCNTR(1)), 60);
}

TEST(without_the_cores_totals_cycles_are_this_threads)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), CPU_CYCLES | MT);
	p.own.n[APMU_SIG_CYCLES] += 60;
	p.other.n[APMU_SIG_CYCLES] += 70;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 60);
}

TEST(the_other_thread_can_overflow_a_counter)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	put(&p, PMEVCNTR(0), 0xFFFFFFF0);
	p.other.n[APMU_SIG_INST] += 10;
	CHECK_EQ(apmu_until_overflow(&p.pmu, APMU_SIG_INST), 6);
	p.other.n[APMU_SIG_INST] += 6;
	CHECK_EQ(get(&p, PMOVSCLR), 1);
}

TEST(a_threshold_looks_at_this_thread_alone) /* accuracy.md, multithreading */
{
	struct pair p;

	build(&p, true);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT | TWO_OR_MORE);
	put(&p, PMEVTYPER(1), CPU_CYCLES | MT | TWO_OR_MORE);
	for (unsigned i = 0; i < 10; i++) {
		p.own.n[APMU_SIG_CYCLES]++;
		p.core.n[APMU_SIG_CYCLES] += 2;
		p.other.n[APMU_SIG_INST] += 3;
		p.own.n[APMU_SIG_INST] += i < 4 ? 2 : 1;
		apmu_advance(&p.pmu);
	}
	CHECK_EQ(get(&p, PMEVCNTR(0)), 4);
	CHECK_EQ(get(&p, PMEVCNTR(1)), 0);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT); /* without it the threads add up again */
	p.other.n[APMU_SIG_INST] += 3;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 7);
}

TEST(taking_the_threads_away_leaves_this_one)
{
	struct pair p;

	build(&p, true);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	p.other.n[APMU_SIG_INST] += 3;
	apmu_threads(&p.pmu, NULL, 0, NULL);
	p.other.n[APMU_SIG_INST] += 3;
	p.own.n[APMU_SIG_INST] += 1;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 4);
	apmu_thread_enter(&p.pmu, 0, user);
}

TEST(a_reset_forgets_what_the_other_thread_did)
{
	struct pair p;

	build(&p, false);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	p.other.n[APMU_SIG_INST] += 3;
	apmu_reset(&p.pmu);
	CHECK_EQ(get(&p, PMEVCNTR(0)), 0);
	put(&p, PMEVTYPER(0), INST_RETIRED | MT);
	put(&p, PMCNTENSET, 1);
	put(&p, PMCR, 1);
	p.other.n[APMU_SIG_INST] += 2;
	CHECK_EQ(get(&p, PMEVCNTR(0)), 2);
}
