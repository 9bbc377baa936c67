/* SPDX-License-Identifier: MIT */
/* The interrupt of an overflow comes before the instruction after the one that overflowed, though nobody but
 * the machine looks when that may be. */
#include "guest.h"
#include <apmu/machine.h>

#include "test.h"

enum { LEFT = 8, ACCESSES = 3 * LEFT, MOST_INSNS = 200000 };

#define ALL_ONES UINT64_C(0xFFFFFFFF)

static void set(struct guest *g, const struct apmu_core *core, const char *reg, uint64_t value)
{
	const struct apmu_reg *r = apmu_reg_find(core, reg);
	enum apmu_view view = g->isa == GUEST_A64 ? APMU_VIEW_A64 : APMU_VIEW_CP;
	struct apmu_access at = {.view = view};

	for (unsigned i = 0; i < r->encodings; i++)
		if (r->at[i].view == view)
			at.encoding = r->at[i].encoding;
	guest_load(g, 0, value);
	CHECK(guest_access(g, at, true, 0, 2));
}

static void on_exception(void *ctx, const struct apmu_seen_exception *seen)
{
	uint64_t *from = ctx;

	if (seen->what == APMU_EXCEPTION_IRQ && !*from)
		*from = seen->from;
}

/* Runs it; where the first interrupt was taken. */
static uint64_t interrupted_at(const struct apmu_core *core, const struct guest *g)
{
	uint64_t from = 0;
	struct apmu_machine_config config = {
		.core = core, .cpi = 1, .observer = {.exception = on_exception, .ctx = &from}};
	struct apmu_machine *m;
	struct apmu_stop stop;
	char error[120] = "";

	CHECK_EQ(apmu_machine_new(&config, &m, error, sizeof error), 0);
	CHECK_EQ(apmu_machine_load(m, g->byte, GUEST_CODE, 0, false, error, sizeof error), 0);
	CHECK_EQ(apmu_machine_load(m, g->byte + GUEST_CODE, g->here - GUEST_CODE, GUEST_CODE, true, error,
				   sizeof error),
		 0);
	CHECK_EQ(apmu_machine_run(m, MOST_INSNS, &stop), 0);
	CHECK_EQ(stop.reason, APMU_STOP_EXIT);
	apmu_machine_free(m);
	return from;
}

/* Loads and stores in turn, LEFT of which wrap counter 0, which counts `event`. */
static void check(const char *name, enum guest_isa isa, unsigned event)
{
	const struct apmu_core *core = apmu_core_find(name);
	bool a64 = isa == GUEST_A64;
	static struct guest g;
	uint32_t want = 0;

	guest_start(&g, isa);
	guest_irq(&g);
	set(&g, core, a64 ? "PMOVSCLR_EL0" : "PMOVSR", ALL_ONES);
	guest_irq_end(&g);
	g.isa = isa;
	guest_prologue(&g);
	guest_load(&g, 1, GUEST_RESULTS);
	set(&g, core, a64 ? "PMSELR_EL0" : "PMSELR", 0);
	set(&g, core, a64 ? "PMXEVTYPER_EL0" : "PMXEVTYPER", event);
	set(&g, core, a64 ? "PMXEVCNTR_EL0" : "PMXEVCNTR", ALL_ONES + 1 - LEFT);
	set(&g, core, a64 ? "PMINTENSET_EL1" : "PMINTENSET", 1);
	set(&g, core, a64 ? "PMCNTENSET_EL0" : "PMCNTENSET", 1);
	guest_interrupts(&g, true);
	set(&g, core, a64 ? "PMCR_EL0" : "PMCR", 1);
	for (unsigned n = 1; n <= ACCESSES; n++) {
		guest_data_access(&g, n % 2);
		if (n == LEFT)
			want = g.here;
	}
	guest_interrupts(&g, false);
	guest_exit(&g);
	CHECK_EQ(interrupted_at(core, &g), want);
}

TEST(a_counter_of_one_signal_interrupts_where_it_wraps)
{
	check("cortex-a15", GUEST_A32, 0x08); /* INST_RETIRED: the enabling write is not counted */
}

/* LDST_SPEC, MEM_ACCESS: loads and stores are two signals. */
TEST(a_counter_of_two_signals_interrupts_where_their_sum_wraps)
{
	check("cortex-a15", GUEST_A32, 0x72);
	check("neoverse-n1", GUEST_A64, 0x13);
}
