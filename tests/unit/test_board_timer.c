/* SPDX-License-Identifier: MIT */
/* The generic timer against DDI0487 D12 and DDI0406C B8, on the modelled clock. */
#include "board_bench.h"

#define A64(op1, crm, op2) apmu_sysreg(3, op1, 14, crm, op2)
#define CNTFRQ             A64(3, 0, 0)
#define CNTPCT             A64(3, 0, 1)
#define CNTVCT             A64(3, 0, 2)
#define CNTKCTL            A64(0, 1, 0)
#define CNTP_CTL           A64(3, 2, 1)
#define CNTP_CVAL          A64(3, 2, 2)
#define CNTV_TVAL          A64(3, 3, 0)
#define CNTV_CTL           A64(3, 3, 1)
#define CNTV_CVAL          A64(3, 3, 2)

static struct apmu_access at(unsigned el, uint32_t encoding)
{
	return (struct apmu_access){.view = APMU_VIEW_A64, .encoding = encoding, .from = {.el = (uint8_t)el}};
}

static uint64_t mrs(struct board_bench *b, uint32_t encoding)
{
	uint64_t value = 0;

	CHECK_EQ(apmu_board__sysreg_read(&b->board, at(1, encoding), &value), APMU_BOARD__ANSWER_DONE);
	return value;
}

static void msr(struct board_bench *b, uint32_t encoding, uint64_t value)
{
	CHECK_EQ(apmu_board__sysreg_write(&b->board, at(1, encoding), value), APMU_BOARD__ANSWER_DONE);
}

/* DDI0487 D12: EL2's own registers, among them the offset of the virtual counter. */
TEST(what_is_of_EL2_is_not_there_below)
{
	const uint32_t of_el2[] = {A64(4, 0, 3), A64(4, 1, 0), A64(4, 2, 1), A64(4, 3, 2)};
	struct board_bench b;
	uint64_t value;

	board_bench(&b, "virt");
	for (size_t i = 0; i < sizeof of_el2 / sizeof *of_el2; i++) {
		for (unsigned el = 0; el < 2; el++)
			CHECK_EQ(apmu_board__sysreg_read(&b.board, at(el, of_el2[i]), &value),
				 APMU_BOARD__ANSWER_UNDEFINED);
		CHECK_EQ(apmu_board__sysreg_read(&b.board, at(2, of_el2[i]), &value),
			 APMU_BOARD__ANSWER_DONE);
	}
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(2, of_el2[0]), 10), APMU_BOARD__ANSWER_DONE);
	apmu_board__advance(&b.board, 16 * 15);
	CHECK_EQ(mrs(&b, CNTPCT), 15);
	CHECK_EQ(mrs(&b, CNTVCT), 5);
	msr(&b, CNTV_CVAL, 8);
	msr(&b, CNTV_CTL, 1);
	CHECK_EQ(apmu_board__deadline(&b.board), 16 * 18);
	CHECK_EQ(mrs(&b, CNTV_TVAL), 3);
}

/* 1 GHz core, 62.5 MHz counter: 16 cycles per tick. */
TEST(the_counter_follows_the_modelled_clock)
{
	struct board_bench b;

	board_bench(&b, "virt");
	CHECK_EQ(mrs(&b, CNTFRQ), 62500000);
	CHECK_EQ(mrs(&b, CNTVCT), 0);
	apmu_board__advance(&b.board, 15);
	CHECK_EQ(mrs(&b, CNTVCT), 0);
	apmu_board__advance(&b.board, 16);
	CHECK_EQ(mrs(&b, CNTVCT), 1);
	apmu_board__advance(&b.board, 5); /* never backwards */
	CHECK_EQ(mrs(&b, CNTPCT), 1);
	apmu_board__advance(&b.board, UINT64_MAX - 1);
	CHECK_EQ(mrs(&b, CNTPCT), UINT64_MAX / 16);
}

TEST(uneven_frequencies_lose_no_tick)
{
	struct apmu_board__config config = {.core_hz = 3, .counter_hz = 2};
	struct board_bench b;

	board_bench(&b, "virt");
	apmu_board__init(&b.board, apmu_board__find("virt"), &config);
	for (uint64_t now = 0; now < 3000; now++) {
		apmu_board__advance(&b.board, now);
		CHECK_EQ(mrs(&b, CNTPCT), now * 2 / 3);
	}
}

TEST(the_virtual_timer_raises_ppi_27_at_its_deadline)
{
	struct board_bench b;

	board_bench(&b, "virt");
	put(&b, 0x08000000, 1);
	put(&b, 0x08000100, 1u << 27);
	put(&b, 0x08010000, 1);
	put(&b, 0x08010004, 0xFF);
	CHECK_EQ(apmu_board__deadline(&b.board), APMU_BOARD__NEVER);
	msr(&b, CNTV_TVAL, 100);
	msr(&b, CNTV_CTL, 1);
	CHECK_EQ(apmu_board__deadline(&b.board), 1600);
	apmu_board__advance(&b.board, 1599);
	CHECK_EQ(lines(&b), 0);
	CHECK_EQ(mrs(&b, CNTV_CTL), 1);
	apmu_board__advance(&b.board, 1600);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(mrs(&b, CNTV_CTL), 5);
	CHECK_EQ(get(&b, 0x0801000C), 27);
	CHECK_EQ(apmu_board__deadline(&b.board), APMU_BOARD__NEVER);
	msr(&b, CNTV_CTL, 3);
	put(&b, 0x08010010, 27);
	CHECK_EQ(lines(&b), 0);
}

TEST(TVAL_counts_down_and_is_signed)
{
	struct board_bench b;

	board_bench(&b, "virt");
	apmu_board__advance(&b.board, 1600);
	msr(&b, CNTV_TVAL, 10);
	CHECK_EQ(mrs(&b, CNTV_CVAL), 110);
	apmu_board__advance(&b.board, 1600 + 12 * 16);
	CHECK_EQ(mrs(&b, CNTV_TVAL), 0xFFFFFFFE);
	msr(&b, CNTV_TVAL, 0xFFFFFFFF);
	CHECK_EQ(mrs(&b, CNTV_CVAL), 111);
}

TEST(the_two_timers_are_apart)
{
	struct board_bench b;

	board_bench(&b, "virt");
	msr(&b, CNTV_CVAL, 50);
	msr(&b, CNTP_CVAL, 20);
	msr(&b, CNTV_CTL, 1);
	msr(&b, CNTP_CTL, 1);
	CHECK_EQ(apmu_board__deadline(&b.board), 320);
	apmu_board__advance(&b.board, 320);
	CHECK_EQ(get(&b, 0x08000200) >> 27, 1u << 3); /* PPI 30 pends, 27 does not */
	CHECK_EQ(apmu_board__deadline(&b.board), 800);
}

TEST(a_deadline_beyond_time_never_comes)
{
	struct board_bench b;

	board_bench(&b, "virt");
	msr(&b, CNTV_CVAL, UINT64_MAX);
	msr(&b, CNTV_CTL, 1);
	CHECK_EQ(apmu_board__deadline(&b.board), APMU_BOARD__NEVER);
}

TEST(EL0_needs_CNTKCTL)
{
	struct board_bench b;
	struct apmu_access mrrc = {.view = APMU_VIEW_CP64, .encoding = apmu_cp64(15, 1, 14)};
	uint64_t value;

	board_bench(&b, "virt");
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTVCT), &value), APMU_BOARD__ANSWER_TRAP_EL1);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, mrrc, &value), APMU_BOARD__ANSWER_UNDEFINED);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTKCTL), &value), APMU_BOARD__ANSWER_UNDEFINED);
	msr(&b, CNTKCTL, 2);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTVCT), &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, mrrc, &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTFRQ), &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTPCT), &value), APMU_BOARD__ANSWER_TRAP_EL1);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(0, CNTV_CTL), 1), APMU_BOARD__ANSWER_TRAP_EL1);
	msr(&b, CNTKCTL, 0x100);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(0, CNTV_CTL), 1), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(0, CNTFRQ), 1), APMU_BOARD__ANSWER_UNDEFINED);
}

TEST(EL1s_control_of_EL0_comes_before_EL2s)
{
	struct board_bench b;

	board_bench(&b, "virt");
	b.board.s.gtimer.cnthctl = 0;
	CHECK(apmu_board__gtimer_traps(&b.board.s.gtimer, at(1, CNTPCT), false));
	CHECK(!apmu_board__gtimer_traps(&b.board.s.gtimer, at(0, CNTPCT), false));
	msr(&b, CNTKCTL, 1);
	CHECK(apmu_board__gtimer_traps(&b.board.s.gtimer, at(0, CNTPCT), false));
	CHECK(!apmu_board__gtimer_traps(&b.board.s.gtimer, at(0, CNTP_CTL), false));
	CHECK(!apmu_board__gtimer_traps(&b.board.s.gtimer, at(0, CNTVCT), false));
}

TEST(EL0_of_a_host_needs_CNTHCTL_and_has_EL2s_timers)
{
	struct board_bench b;
	uint64_t value;

	board_bench(&b, "virt");
	msr(&b, CNTKCTL, 0x303);
	b.board.s.gtimer.host_el0 = true;
	b.board.s.gtimer.cnthctl = 0;
	b.board.s.gtimer.cntvoff = 10;
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTVCT), &value), APMU_BOARD__ANSWER_TRAP_EL2);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(0, CNTFRQ), 1), APMU_BOARD__ANSWER_UNDEFINED);
	b.board.s.gtimer.cnthctl = 0x302;
	apmu_board__advance(&b.board, 16 * 15);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTVCT), &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(value, 15);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(0, CNTPCT), &value), APMU_BOARD__ANSWER_TRAP_EL2);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(0, CNTV_CVAL), 7), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(0, CNTP_CVAL), 8), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(b.board.s.gtimer.cval[APMU_BOARD__TIMER_HYP_VIRTUAL], 7);
	CHECK_EQ(b.board.s.gtimer.cval[APMU_BOARD__TIMER_HYP], 8);
	CHECK_EQ(mrs(&b, CNTV_CVAL), 0);
	CHECK_EQ(mrs(&b, CNTVCT), 5);
}

/* A name of a register, and the timer that it is of. */
struct name {
	enum apmu_view view;
	uint32_t encoding;
	unsigned timer;
};
#define MCR(op1, crm, op2) APMU_VIEW_CP, apmu_cp(15, op1, 14, crm, op2)
#define MCRR(op1)          APMU_VIEW_CP64, apmu_cp64(15, op1, 14)
#define MSR(op1, crm, op2) APMU_VIEW_A64, A64(op1, crm, op2)

static uint64_t reads(struct board_bench *b, struct name name)
{
	const struct apmu_access at = {name.view, name.encoding, {.el = 2}};
	uint64_t value = 0;

	CHECK_EQ(apmu_board__sysreg_read(&b->board, at, &value), APMU_BOARD__ANSWER_DONE);
	return value;
}

static void writes(struct board_bench *b, struct name name, uint64_t value)
{
	const struct apmu_access at = {name.view, name.encoding, {.el = 2}};

	CHECK_EQ(apmu_board__sysreg_write(&b->board, at, value), APMU_BOARD__ANSWER_DONE);
}

/* Encodings: DDI0487 D24.10, DDI0406C B4.1.20 to B4.1.34. */
TEST(every_timer_has_three_registers_in_both_states)
{
	const struct name controls[] = {
		{MSR(3, 2, 1), APMU_BOARD__TIMER_PHYSICAL}, {MSR(3, 3, 1), APMU_BOARD__TIMER_VIRTUAL},
		{MSR(4, 2, 1), APMU_BOARD__TIMER_HYP},      {MSR(4, 3, 1), APMU_BOARD__TIMER_HYP_VIRTUAL},
		{MCR(0, 2, 1), APMU_BOARD__TIMER_PHYSICAL}, {MCR(0, 3, 1), APMU_BOARD__TIMER_VIRTUAL},
		{MCR(4, 2, 1), APMU_BOARD__TIMER_HYP},
	};
	const struct name values[] = {
		{MSR(3, 2, 2), APMU_BOARD__TIMER_PHYSICAL}, {MSR(3, 3, 2), APMU_BOARD__TIMER_VIRTUAL},
		{MSR(4, 2, 2), APMU_BOARD__TIMER_HYP},      {MSR(4, 3, 2), APMU_BOARD__TIMER_HYP_VIRTUAL},
		{MCRR(2), APMU_BOARD__TIMER_PHYSICAL},      {MCRR(3), APMU_BOARD__TIMER_VIRTUAL},
		{MCRR(6), APMU_BOARD__TIMER_HYP},
	};
	const struct name downs[] = {
		{MSR(3, 2, 0), APMU_BOARD__TIMER_PHYSICAL}, {MSR(3, 3, 0), APMU_BOARD__TIMER_VIRTUAL},
		{MSR(4, 2, 0), APMU_BOARD__TIMER_HYP},      {MSR(4, 3, 0), APMU_BOARD__TIMER_HYP_VIRTUAL},
		{MCR(0, 2, 0), APMU_BOARD__TIMER_PHYSICAL}, {MCR(0, 3, 0), APMU_BOARD__TIMER_VIRTUAL},
		{MCR(4, 2, 0), APMU_BOARD__TIMER_HYP},
	};
	struct board_bench b;

	for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
		board_bench(&b, "virt");
		apmu_board__advance(&b.board, 16 * 100); /* the counters are at 100 */
		writes(&b, values[i], 0x700000150);
		CHECK_EQ(b.board.s.gtimer.cval[values[i].timer], 0x700000150);
		CHECK_EQ(reads(&b, values[i]), 0x700000150);
		writes(&b, downs[i], 20);
		CHECK_EQ(b.board.s.gtimer.cval[downs[i].timer], 120);
		CHECK_EQ(reads(&b, downs[i]), 20);
		writes(&b, controls[i], 0xFFFFFFFF);
		CHECK_EQ(b.board.s.gtimer.ctl[controls[i].timer], 3); /* ISTATUS is read-only */
		CHECK_EQ(reads(&b, controls[i]), 3);
		apmu_board__advance(&b.board, 16 * 120);
		CHECK_EQ(reads(&b, controls[i]), 7);
	}
}

TEST(counters_offset_and_controls_have_names_in_both_states)
{
	const struct name offset[] = {{MSR(4, 0, 3), 0}, {MCRR(4), 0}};
	const struct name physical[] = {{MSR(3, 0, 1), 0}, {MSR(3, 0, 5), 0}, {MCRR(0), 0}};
	const struct name virtual[] = {{MSR(3, 0, 2), 0}, {MSR(3, 0, 6), 0}, {MCRR(1), 0}};
	const struct name control[][2] = {{{MSR(0, 1, 0), 0}, {MCR(0, 1, 0), 0}},  /* CNTKCTL */
					  {{MSR(4, 1, 0), 0}, {MCR(4, 1, 0), 0}}}; /* CNTHCTL */
	struct board_bench b;

	board_bench(&b, "virt");
	apmu_board__advance(&b.board, 16 * 100);
	for (unsigned i = 0; i < 2; i++) {
		writes(&b, offset[i], 30 + i);
		for (unsigned k = 0; k < 3; k++) {
			CHECK_EQ(reads(&b, physical[k]), 100);
			CHECK_EQ(reads(&b, virtual[k]), 70 - i);
		}
		CHECK_EQ(reads(&b, offset[!i]), 30 + i);
		for (unsigned k = 0; k < 2; k++) {
			writes(&b, control[k][i], 0x301 + i);
			CHECK_EQ(reads(&b, control[k][!i]), 0x301 + i);
		}
	}
	CHECK_EQ(reads(&b, (struct name){MCR(0, 0, 0), 0}), 62500000);
	msr(&b, CNTKCTL, 2); /* EL0VCTEN */
	const struct apmu_access el0 = {MCR(0, 0, 0), {.el = 0}};
	uint64_t value;
	CHECK_EQ(apmu_board__sysreg_read(&b.board, el0, &value), APMU_BOARD__ANSWER_DONE);
	msr(&b, CNTKCTL, 0x300);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, el0, &value), APMU_BOARD__ANSWER_UNDEFINED);
}

/* DDI0487, CNTFRQ_EL0; DDI0406C B8.1.2. */
TEST(the_frequency_is_written_at_the_highest_level)
{
	struct apmu_access mcr = {.view = APMU_VIEW_CP, .encoding = apmu_cp(15, 0, 14, 0, 0)};
	struct board_bench b;

	board_bench(&b, "virt");
	msr(&b, CNTFRQ, 1000);
	CHECK_EQ(mrs(&b, CNTFRQ), 1000);
	b.board.s.gtimer.highest_el = 2;
	apmu_board__reset(&b.board);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(1, CNTFRQ), 1), APMU_BOARD__ANSWER_UNDEFINED);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(2, CNTFRQ), 2000), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(mrs(&b, CNTFRQ), 2000);
	b.board.s.gtimer.highest_el = 3;
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(2, CNTFRQ), 1), APMU_BOARD__ANSWER_UNDEFINED);
	mcr.from = (struct apmu_mode){.el = 1, .security = APMU_NONSECURE};
	CHECK_EQ(apmu_board__sysreg_write(&b.board, mcr, 1), APMU_BOARD__ANSWER_UNDEFINED);
	mcr.from.security = APMU_SECURE; /* AArch32's EL3 has the other Secure modes too */
	CHECK_EQ(apmu_board__sysreg_write(&b.board, mcr, 3000), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(mrs(&b, CNTFRQ), 3000);
}

TEST(counters_are_read_only)
{
	struct board_bench b;

	board_bench(&b, "virt");
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at(1, CNTVCT), 1), APMU_BOARD__ANSWER_UNDEFINED);
}

TEST(a_core_without_the_timer_has_no_registers_of_it)
{
	struct apmu_board__config config = {.no_generic_timer = true};
	struct board_bench b;
	uint64_t value;

	board_bench(&b, "bare");
	apmu_board__init(&b.board, apmu_board__find("bare"), &config);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at(1, CNTVCT), &value), APMU_BOARD__ANSWER_NOT_MINE);
}

TEST(a_snapshot_is_a_copy)
{
	struct apmu_board__state saved;
	struct board_bench b;

	board_bench(&b, "virt");
	msr(&b, CNTV_CVAL, 10);
	msr(&b, CNTV_CTL, 1);
	saved = b.board.s;
	apmu_board__advance(&b.board, 160);
	CHECK_EQ(mrs(&b, CNTV_CTL), 5);
	b.board.s = saved;
	CHECK_EQ(mrs(&b, CNTV_CTL), 1);
	CHECK_EQ(apmu_board__deadline(&b.board), 160);
}
