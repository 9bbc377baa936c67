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
