/* SPDX-License-Identifier: MIT */
/* Cores that no row has, made from rows by removing something: the architecture's rules for a core without
 * EL3 or without a feature, and for choices that no row makes. */
#include <apmu/model.h>

#include "test.h"

#define FEATURE(name) ((uint64_t)1 << APMU_FEATURE_##name)
#define EL3_GONE      (FEATURE(EL3) | FEATURE(EL3_A64) | FEATURE(RME) | FEATURE(SEL2) | FEATURE(MTPMU))
#define PMCR          apmu_sysreg(3, 3, 9, 12, 0)
#define PMCNTENSET    apmu_sysreg(3, 3, 9, 12, 1)
#define PMOVSSET      apmu_sysreg(3, 3, 9, 14, 3)
#define PMINTENSET    apmu_sysreg(3, 0, 9, 14, 1)
#define PMEVCNTR0     apmu_sysreg(3, 3, 14, 8, 0)
#define PMEVTYPER0    apmu_sysreg(3, 3, 14, 12, 0)
#define PMUACR        apmu_sysreg(3, 0, 9, 14, 4)
#define PMECR         apmu_sysreg(3, 0, 9, 14, 5)

struct toy {
	struct apmu_core core;
	struct apmu pmu;
	struct apmu_tally tally;
};

static const struct apmu_mode root = {.el = 3, .security = APMU_ROOT};
static const struct apmu_mode secure = {.el = 1, .security = APMU_SECURE};
static const struct apmu_mode hyp = {.el = 2, .security = APMU_NONSECURE};
static const struct apmu_mode kernel = {.el = 1, .security = APMU_NONSECURE};

/* The row `name` without some features, at Non-secure EL1 or the level that `at` says. */
static void build(struct toy *toy, const char *name, uint64_t without, struct apmu_mode at)
{
	memset(toy, 0, sizeof *toy);
	toy->core = *apmu_core_find(name);
	toy->core.features &= ~without;
	apmu_init(&toy->pmu, &toy->core, &toy->tally, (struct apmu_lines){0});
	apmu_enter(&toy->pmu, at);
}

/* The machine state out of reset, then changed by `change`. */
static void machine(struct toy *toy, void (*change)(struct apmu_machine_state *))
{
	struct apmu_machine_state m;

	apmu_machine_get(&toy->pmu, &m);
	change(&m);
	apmu_machine_set(&toy->pmu, &m);
}

static enum apmu_outcome get(struct toy *toy, enum apmu_view view, uint32_t encoding, uint64_t *value)
{
	*value = 0;
	return apmu_read_now(&toy->pmu, (struct apmu_access){view, encoding, toy->pmu.s.mode}, value);
}

static uint64_t peek(struct toy *toy, uint32_t encoding)
{
	uint64_t value;

	CHECK_EQ(get(toy, APMU_VIEW_A64, encoding, &value), APMU_DONE);
	return value;
}

static void poke(struct toy *toy, uint32_t encoding, uint64_t value)
{
	struct apmu_access at = {APMU_VIEW_A64, encoding, toy->pmu.s.mode};

	CHECK_EQ(apmu_write(&toy->pmu, at, value), APMU_DONE);
}

static uint64_t frame_peek(struct toy *toy, uint32_t offset, struct apmu_mode from)
{
	uint64_t value = 0;

	CHECK_EQ(apmu_read(&toy->pmu, (struct apmu_access){APMU_VIEW_MMIO, offset, from}, &value), APMU_DONE);
	return value;
}

static void frame_poke(struct toy *toy, uint32_t offset, struct apmu_mode from, uint64_t value)
{
	CHECK_EQ(apmu_write(&toy->pmu, (struct apmu_access){APMU_VIEW_MMIO, offset, from}, value), APMU_DONE);
}

static void ask_next_level(struct apmu_machine_state *m)
{
	m->mdcr_el2 |= 1u << 30; /* PMSSE: look at the next lower level */
}

TEST(a_capture_passes_over_the_levels_that_are_not_there) /* DDI0487 D24.5 PMECR_EL1.SSE; pmuv3 2.18 */
{
	struct toy toy;

	build(&toy, "generic-v9", EL3_GONE, hyp);
	poke(&toy, PMECR, 3u << 3);
	CHECK(!apmu_capture(&toy.pmu)); /* MDCR_EL2.PMSSE is 00: disabled */
	machine(&toy, ask_next_level);
	CHECK(apmu_capture(&toy.pmu));
	build(&toy, "generic-v9", EL3_GONE | FEATURE(EL2), secure);
	CHECK(!apmu_capture(&toy.pmu));
	poke(&toy, PMECR, 2u << 3); /* prohibited */
	CHECK(!apmu_capture(&toy.pmu));
	poke(&toy, PMECR, 3u << 3);
	CHECK(apmu_capture(&toy.pmu));
}

static void trap_event_counters(struct apmu_machine_state *m)
{
	m->hdfgrtr_el2 = 1u << 12;
	m->hdfgrtr2_el2 = m->hdfgwtr2_el2 = ~(uint64_t)0;
}

TEST(without_EL3_nothing_switches_fine_grained_traps_off) /* pmuv3 3.1 step 6 */
{
	struct toy toy;
	uint64_t value;

	build(&toy, "generic-v9", EL3_GONE, kernel);
	machine(&toy, trap_event_counters);
	CHECK_EQ(get(&toy, APMU_VIEW_A64, PMEVCNTR0, &value), APMU_TRAP_EL2);
	build(&toy, "generic-v9", 0, kernel); /* SCR_EL3.FGTEn is 0 */
	machine(&toy, trap_event_counters);
	CHECK_EQ(get(&toy, APMU_VIEW_A64, PMEVCNTR0, &value), APMU_DONE);
}

static void let_el1_use_p9(struct apmu_machine_state *m)
{
	m->mdcr_el3 |= 1u << 7; /* EnPM2 */
	m->hdfgrtr2_el2 = 0;    /* each bit traps, where there is such a register */
}

TEST(without_FGT2_its_registers_trap_nothing) /* pmuv3 3.1 step 6 */
{
	struct toy toy;
	uint64_t value;

	build(&toy, "generic-v9", FEATURE(FGT2), kernel);
	machine(&toy, let_el1_use_p9);
	CHECK_EQ(get(&toy, APMU_VIEW_A64, PMUACR, &value), APMU_DONE);
	build(&toy, "generic-v9", 0, kernel);
	machine(&toy, let_el1_use_p9);
	CHECK_EQ(get(&toy, APMU_VIEW_A64, PMUACR, &value), APMU_TRAP_EL2);
}

TEST(without_EL3_the_instruction_counters_bit_asks_EL2_alone) /* pmuv3 3.5: both conditions begin with EL3 */
{
	struct toy toy;

	build(&toy, "generic-v9", EL3_GONE, kernel);
	machine(&toy, trap_event_counters);
	poke(&toy, PMCNTENSET, (uint64_t)1 << 32);
	CHECK_EQ(peek(&toy, PMCNTENSET), (uint64_t)1 << 32);
}

TEST(external_counters_belong_to_the_most_secure_agent) /* pmuv3 3.7: Root with RME, else Secure, else any */
{
	static const struct {
		uint64_t without;
		struct apmu_mode most;
		bool for_all;
	} world[] = {{0, {3, APMU_ROOT, false, false}, false},
		     {FEATURE(RME), {1, APMU_SECURE, false, false}, false},
		     {EL3_GONE, {1, APMU_NONSECURE, false, false}, true}};

	for (unsigned i = 0; i < 3; i++) {
		struct toy toy;

		build(&toy, "generic-v9", world[i].without, kernel);
		frame_poke(&toy, 0xE58, world[i].most, 2);       /* PMCCR.EPMN: two for software */
		frame_poke(&toy, 0xC00, world[i].most, 1u << 5); /* PMCNTENSET */
		CHECK_EQ(frame_peek(&toy, 0xC00, world[i].most), 1u << 5);
		CHECK_EQ(frame_peek(&toy, 0xC00, kernel), world[i].for_all ? 1u << 5 : 0);
	}
}

TEST(more_counters_for_software_than_there_are_are_all_of_them) /* pmuv3 2.1: N is the effective EPMN */
{
	struct toy toy;

	build(&toy, "generic-v9", 0, root);
	toy.core.counters = 4;
	apmu_init(&toy.pmu, &toy.core, &toy.tally, (struct apmu_lines){0});
	apmu_enter(&toy.pmu, root);
	frame_poke(&toy, 0xE58, root, 9);
	CHECK_EQ(peek(&toy, PMCR) >> 11 & 31, 4);
	frame_poke(&toy, 0xE58, root, 3);
	CHECK_EQ(peek(&toy, PMCR) >> 11 & 31, 3);
}

static void no_counters_for_el1(struct apmu_machine_state *m)
{
	m->mdcr_el2 &= ~(uint64_t)31; /* HPMN */
}

TEST(hpmn_of_0_is_what_the_row_chooses) /* pmuv3 9.2: a choice without FEAT_HPMN0 */
{
	static const unsigned visible[] = {
		[APMU_HPMN0_FULL] = 6, [APMU_HPMN0_ONE] = 1, [APMU_HPMN0_NONE] = 0};

	for (unsigned rule = 0; rule < 3; rule++) {
		struct toy toy;

		build(&toy, "cortex-a53", 0, kernel);
		toy.core.hpmn0_rule = (uint8_t)rule;
		machine(&toy, no_counters_for_el1);
		CHECK_EQ(peek(&toy, PMCR) >> 11 & 31, visible[rule]);
	}
}

TEST(bits_beyond_the_width_of_thresholds_are_not_there) /* pmuv3 2.4 TH: bits >= PMMIR.THWIDTH are RES0 */
{
	struct toy toy;

	build(&toy, "generic-v9", 0, hyp);
	toy.core.threshold_bits = 4;
	apmu_init(&toy.pmu, &toy.core, &toy.tally, (struct apmu_lines){0});
	apmu_enter(&toy.pmu, hyp);
	poke(&toy, PMEVTYPER0, (uint64_t)0xFFF << 32);
	CHECK_EQ(peek(&toy, PMEVTYPER0), (uint64_t)0xF << 32);
}

static void exception_below(struct apmu_machine_state *m)
{
	m->mdcr_el2 |= (uint64_t)1 << 40; /* PMEE: the next lower level says */
}

TEST(without_EL3_the_first_word_on_the_exception_is_EL2s) /* pmuv3 5.3 */
{
	struct toy toy;

	build(&toy, "generic-v9", EL3_GONE, hyp);
	poke(&toy, PMINTENSET, 1);
	poke(&toy, PMOVSSET, 1);
	poke(&toy, PMCR, 1);
	CHECK(apmu_line_up(&toy.pmu, APMU_LINE_IRQ)); /* MDCR_EL2.PMEE is 00: interrupts */
	poke(&toy, PMECR, 3);
	CHECK(apmu_line_up(&toy.pmu, APMU_LINE_IRQ));
	machine(&toy, exception_below);
	CHECK(!apmu_line_up(&toy.pmu, APMU_LINE_IRQ)); /* PMECR.PMEE is 11: the exception instead */
}

/* DBGEN, NIDEN, SPIDEN, SPNIDEN and what PMAUTHSTATUS then shows: NSID 1:0, NSNID 3:2, SID 5:4, SNID 7:6; 3
 * enabled, 2 disabled, 0 no such thing. PMUv3 has NSNID and SNID only: DDI0487 I5.3. */
TEST(the_frame_shows_which_debug_is_authenticated) /* pmuv3 1.3 PMAUTHSTATUS; armv7 6 */
{
	static const struct {
		struct apmu_inputs pins;
		uint32_t armv7, status, without_el3;
	} row[] = {
		{{.dbgen = true, .spiden = true}, 0xFF, 0xCC, 0x0C},
		{{.dbgen = true, .spniden = true}, 0xEF, 0xCC, 0x0C},
		{{.dbgen = true}, 0xAF, 0x8C, 0x0C},
		{{.niden = true, .spiden = true}, 0xEE, 0xCC, 0x0C},
		{{.niden = true}, 0xAE, 0x8C, 0x0C},
		{{.spiden = true, .spniden = true}, 0xAA, 0x88, 0x08},
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct toy toy;

		build(&toy, "cortex-a15", 0, secure);
		apmu_input(&toy.pmu, row[i].pins);
		CHECK_EQ(frame_peek(&toy, 0xFB8, secure), row[i].armv7);
		build(&toy, "cortex-a53", 0, secure);
		apmu_input(&toy.pmu, row[i].pins);
		CHECK_EQ(frame_peek(&toy, 0xFB8, secure), row[i].status);
		build(&toy, "cortex-a53", EL3_GONE, secure);
		apmu_input(&toy.pmu, row[i].pins);
		CHECK_EQ(frame_peek(&toy, 0xFB8, secure), row[i].without_el3);
	}
}

/* With FEAT_Debugv8p4 NSNID is always 3, SNID as invasive debug; RME adds RLNID 15:14 and RTNID 27:26. */
TEST(from_debugv8p4_on_non_invasive_debug_has_no_inputs_of_its_own) /* DDI0487 D24.3, DBGAUTHSTATUS_EL1 */
{
	static const struct {
		struct apmu_inputs pins;
		uint32_t status, with_rme;
	} row[] = {
		{{.dbgen = true, .spiden = true}, 0xCC, 0x0C00C0CC},
		{{.dbgen = true, .niden = true, .spniden = true}, 0x8C, 0x0800808C},
		{{.niden = true, .spiden = true}, 0x8C, 0x0800808C},
		{{.niden = false}, 0x8C, 0x0800808C},
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct toy toy;

		build(&toy, "neoverse-n2", 0, secure);
		apmu_input(&toy.pmu, row[i].pins);
		CHECK_EQ(frame_peek(&toy, 0xFB8, secure), row[i].status);
		build(&toy, "generic-v9", 0, secure);
		apmu_input(&toy.pmu, row[i].pins);
		CHECK_EQ(frame_peek(&toy, 0xFB8, (struct apmu_mode){.el = 3, .security = APMU_ROOT}),
			 row[i].with_rme);
	}
}

TEST(monitor_mode_is_secure_whatever_NS_says) /* DDI0406 B4 SDER: Secure privileged modes */
{
	struct toy toy;
	uint64_t value;

	build(&toy, "cortex-a15", 0, (struct apmu_mode){.el = 3, .security = APMU_NONSECURE});
	CHECK_EQ(get(&toy, APMU_VIEW_CP, apmu_cp(15, 0, 1, 1, 1), &value), APMU_DONE);
	apmu_enter(&toy.pmu, kernel);
	CHECK_EQ(get(&toy, APMU_VIEW_CP, apmu_cp(15, 0, 1, 1, 1), &value), APMU_UNDEFINED);
}

TEST(monitor_mode_of_arm1176_is_secure_whatever_NS_says) /* DDI0301H 3-137, 3-138 */
{
	const struct apmu_inputs unwatched = {.dbgen = true, .niden = true};
	struct apmu_mode monitor = {.el = 3, .security = APMU_NONSECURE};
	struct toy toy;
	uint64_t value;

	build(&toy, "arm1176", 0, monitor);
	CHECK_EQ(get(&toy, APMU_VIEW_CP, apmu_cp(15, 0, 15, 9, 0), &value), APMU_DONE); /* SUNAVCR */
	apmu_input(&toy.pmu, unwatched);
	CHECK_EQ(apmu_write(&toy.pmu, (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 0), monitor},
			    1),
		 APMU_DONE); /* PMNC.E */
	toy.tally.n[APMU_SIG_CYCLES] += 100;
	apmu_advance(&toy.pmu);
	CHECK_EQ(get(&toy, APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 1), &value), APMU_DONE); /* CCNT */
	CHECK_EQ(value, 0);
}

TEST(armv7_exports_nothing_where_it_may_not_be_watched) /* DDI0406 C7-3; armv7 4 */
{
	const struct apmu_inputs unwatched = {.dbgen = true, .niden = true};
	const struct apmu_tally one = {.n = {[APMU_SIG_INST] = 1}};
	struct toy toy;

	build(&toy, "cortex-a7", 0, secure);
	CHECK_EQ(apmu_write(&toy.pmu, (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 9, 12, 0), secure},
			    0x10),
		 APMU_DONE); /* PMCR.X */
	CHECK(apmu_export(&toy.pmu, &one) != 0);
	apmu_input(&toy.pmu, unwatched);
	CHECK_EQ(apmu_export(&toy.pmu, &one), 0);
	apmu_enter(&toy.pmu, kernel);
	CHECK(apmu_export(&toy.pmu, &one) != 0);
}

TEST(there_is_no_line_beyond_the_last)
{
	struct toy toy;

	build(&toy, "arm1136", 0, secure);
	CHECK(!apmu_line_up(&toy.pmu, APMU_LINES));
}

/* Each byte of a snapshot that can hold a value no PMU has: offset, the value. */
TEST(bytes_that_are_no_bool_and_no_mode_are_refused)
{
	static const struct {
		size_t at;
		uint8_t value;
	} wrong[] = {
		{offsetof(struct apmu_state, in.dbgen), 2},
		{offsetof(struct apmu_state, in.export_heard), 3},
		{offsetof(struct apmu_state, mode.debug_halted), 2},
		{offsetof(struct apmu_state, mode.debug_port), 2},
		{offsetof(struct apmu_state, streaming), 2},
		{offsetof(struct apmu_state, powered_off), 255},
		{offsetof(struct apmu_state, brbe_fzp2), 4},
		{offsetof(struct apmu_state, mode.el), 4},
		{offsetof(struct apmu_state, mode.security), 4},
		{offsetof(struct apmu_state, aarch32), 16},
		{offsetof(struct apmu_state, phase), 64},
		{offsetof(struct apmu_state, latch), 64},
		{offsetof(struct apmu_state, holdoff), 1},
	};
	struct apmu_snapshot good, bad;
	struct toy toy;

	build(&toy, "generic-v9", 0, kernel);
	apmu_save(&toy.pmu, &good);
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		bad = good;
		memcpy((char *)&bad.state + wrong[i].at, &wrong[i].value, 1);
		CHECK_EQ(apmu_restore(&toy.pmu, &bad), APMU_EILSEQ);
		CHECK(!memcmp(&toy.pmu.s, &good.state, sizeof good.state));
	}
	CHECK_EQ(apmu_restore(&toy.pmu, &good), 0);
}
