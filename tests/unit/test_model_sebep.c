/* SPDX-License-Identifier: MIT */
/* Synchronous profiling (FEAT_SEBEP): PSTATE.PPEND and PMIAR. PMUV3SHEET 5.3. */
#include <apmu/model.h>

#include "test.h"

#define PMCR         apmu_sysreg(3, 3, 9, 12, 0)
#define PMCNTENSET   apmu_sysreg(3, 3, 9, 12, 1)
#define PMOVSCLR     apmu_sysreg(3, 3, 9, 12, 3)
#define PMINTENSET   apmu_sysreg(3, 0, 9, 14, 1)
#define PMINTENCLR   apmu_sysreg(3, 0, 9, 14, 2)
#define PMECR        apmu_sysreg(3, 0, 9, 14, 5)
#define PMIAR        apmu_sysreg(3, 0, 9, 14, 7)
#define PMICNTR      apmu_sysreg(3, 3, 9, 4, 0)
#define PMICFILTR    apmu_sysreg(3, 3, 9, 6, 0)
#define PMEVCNTR0    apmu_sysreg(3, 3, 14, 8, 0)
#define PMEVTYPER0   apmu_sysreg(3, 3, 14, 12, 0)
#define MDCR_EL2     apmu_sysreg(3, 4, 1, 1, 1)
#define MDCR_EL3     apmu_sysreg(3, 6, 1, 3, 1)
#define SYNC         ((uint64_t)1 << 58)
#define ASK_BELOW    ((uint64_t)1 << 40) /* PMEE 01 */
#define EXCEPTION    3u                  /* PMECR.PMEE 11 */
#define KPME         4u
#define INST_RETIRED 0x08u
#define EVERY_BIT    0xFFFFFFFFFFFFFFFFull

static const struct apmu_mode root = {.el = 3, .security = APMU_ROOT}, kernel = {.el = 1}, user = {.el = 0};

struct desk {
	struct apmu_tally tally;
	struct apmu pmu;
};

static void put(struct desk *d, uint32_t encoding, uint64_t value)
{
	CHECK_EQ(apmu_write(&d->pmu, (struct apmu_access){APMU_VIEW_A64, encoding, root}, value), APMU_DONE);
}

static uint64_t get(struct desk *d, uint32_t encoding)
{
	uint64_t value = 0;

	CHECK_EQ(apmu_read_now(&d->pmu, (struct apmu_access){APMU_VIEW_A64, encoding, root}, &value),
		 APMU_DONE);
	return value;
}

/* Counter 0 counts instructions synchronously and is one short of overflow; the exception is EL1's. */
static void build(struct desk *d, struct apmu_mode at)
{
	memset(d, 0, sizeof *d);
	apmu_init(&d->pmu, apmu_core_find("generic-v9"), &d->tally, (struct apmu_lines){0});
	apmu_enter(&d->pmu, at);
	put(d, MDCR_EL3, ASK_BELOW);
	put(d, MDCR_EL2, ASK_BELOW | 31);
	put(d, PMECR, EXCEPTION);
	put(d, PMEVTYPER0, SYNC | INST_RETIRED);
	put(d, PMEVCNTR0, EVERY_BIT);
	put(d, PMINTENSET, 1);
	put(d, PMCNTENSET, 1);
	put(d, PMCR, 1);
}

static bool retire(struct desk *d, uint64_t address)
{
	d->tally.n[APMU_SIG_INST]++;
	return apmu_retired(&d->pmu, address);
}

TEST(the_instruction_that_overflows_pends_and_is_named)
{
	struct desk d;

	build(&d, user);
	CHECK(retire(&d, 0x4000));
	CHECK_EQ(get(&d, PMIAR), 0x4000);
	CHECK_EQ(apmu_profiling(&d.pmu), 1);
	CHECK(apmu_line_up(&d.pmu, APMU_LINE_PROFILING));
}

TEST(the_address_replaces_what_software_wrote_last)
{
	struct desk d;

	build(&d, user);
	put(&d, PMIAR, 0x1234);
	CHECK(retire(&d, 0x4000));
	CHECK_EQ(get(&d, PMIAR), 0x4000);
	put(&d, PMIAR, 0x1234);
	CHECK_EQ(get(&d, PMIAR), 0x1234);
}

TEST(the_one_before_does_not)
{
	struct desk d;

	build(&d, user);
	put(&d, PMEVCNTR0, EVERY_BIT - 1);
	CHECK(!retire(&d, 0x4000));
	CHECK_EQ(get(&d, PMIAR), 0);
	CHECK(retire(&d, 0x4004));
	CHECK_EQ(get(&d, PMIAR), 0x4004);
}

/* While the overflow flag is set, an instruction that causes the event sets PPEND, any other clears it. */
TEST(while_the_flag_stands_each_event_pends_and_other_instructions_do_not)
{
	struct desk d;

	build(&d, user);
	CHECK(retire(&d, 0x4000));
	CHECK(retire(&d, 0x4004));
	CHECK_EQ(get(&d, PMIAR), 0x4004);
	CHECK(!apmu_retired(&d.pmu, 0x4008));
	CHECK_EQ(get(&d, PMIAR), 0x4004);
	CHECK_EQ(apmu_profiling(&d.pmu), 0);
	CHECK(!apmu_line_up(&d.pmu, APMU_LINE_PROFILING));
}

TEST(not_without_the_interrupt_enable)
{
	struct desk d;

	build(&d, user);
	put(&d, PMINTENCLR, 1);
	CHECK(!retire(&d, 0x4000));
	CHECK_EQ(get(&d, PMOVSCLR), 1);
}

TEST(not_a_counter_without_sync)
{
	struct desk d;

	build(&d, user);
	put(&d, PMEVTYPER0, INST_RETIRED);
	CHECK(!retire(&d, 0x4000));
	CHECK_EQ(apmu_profiling(&d.pmu), 1); /* asynchronously */
}

TEST(not_where_the_exception_is_masked)
{
	struct desk d;

	build(&d, kernel); /* KPME 0: masked at its own level */
	CHECK(!retire(&d, 0x4000));
	build(&d, kernel);
	put(&d, PMECR, EXCEPTION | KPME);
	CHECK(retire(&d, 0x4000));
}

TEST(not_where_the_overflow_is_an_interrupt)
{
	struct desk d;

	build(&d, user);
	put(&d, PMECR, 0);
	put(&d, PMEVCNTR0, 0xFFFFFFFF);
	CHECK(!retire(&d, 0x4000));
	CHECK_EQ(get(&d, PMOVSCLR), 1);
}

TEST(the_instruction_counter_pends_by_its_own_sync)
{
	struct desk d;

	build(&d, user);
	put(&d, PMCNTENSET, (uint64_t)1 << 32);
	put(&d, PMINTENSET, (uint64_t)1 << 32);
	put(&d, PMINTENCLR, 1);
	put(&d, PMICFILTR, SYNC);
	put(&d, PMICNTR, EVERY_BIT);
	CHECK(retire(&d, 0x8000));
	CHECK_EQ(get(&d, PMIAR), 0x8000);
}

/* An exception return restores SPSR.PPEND only if the exception was masked before and is not after it. */
TEST(an_exception_return_pends_again_only_out_of_a_mask)
{
	struct apmu_machine_state m;
	struct desk d;

	build(&d, kernel);
	CHECK(apmu_pends_on_return(&d.pmu, user, false));
	CHECK(apmu_pends_on_return(&d.pmu, user, true)); /* PM masks its own level alone */
	CHECK(!apmu_pends_on_return(&d.pmu, kernel, false));
	put(&d, PMECR, EXCEPTION | KPME);
	CHECK(!apmu_pends_on_return(&d.pmu, user, false)); /* it was not masked at EL1 */
	apmu_machine_get(&d.pmu, &m);
	m.profiling_masked = true;
	apmu_machine_set(&d.pmu, &m);
	CHECK(apmu_pends_on_return(&d.pmu, kernel, false));
	CHECK(!apmu_pends_on_return(&d.pmu, kernel, true));
	put(&d, PMECR, 0);
	CHECK(!apmu_pends_on_return(&d.pmu, user, false));
}

TEST(a_pending_exception_that_returns_is_taken)
{
	struct apmu_machine_state m;
	struct desk d;

	build(&d, user);
	apmu_machine_get(&d.pmu, &m);
	m.profiling_pending = true;
	apmu_machine_set(&d.pmu, &m);
	CHECK_EQ(apmu_profiling(&d.pmu), 1);
	CHECK(apmu_line_up(&d.pmu, APMU_LINE_PROFILING));
	m.profiling_pending = false;
	apmu_machine_set(&d.pmu, &m);
	CHECK(!apmu_line_up(&d.pmu, APMU_LINE_PROFILING));
}

TEST(a_core_without_the_feature_never_pends)
{
	struct apmu_machine_state m;
	struct desk d;

	memset(&d, 0, sizeof d);
	apmu_init(&d.pmu, apmu_core_find("neoverse-n2"), &d.tally, (struct apmu_lines){0});
	CHECK(!retire(&d, 0x4000));
	apmu_machine_get(&d.pmu, &m);
	m.profiling_pending = true;
	apmu_machine_set(&d.pmu, &m);
	apmu_machine_get(&d.pmu, &m);
	CHECK(!m.profiling_pending);
	CHECK(!apmu_pends_on_return(&d.pmu, user, false));
}
