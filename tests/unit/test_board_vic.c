/* SPDX-License-Identifier: MIT */
/* The PL190 against DDI0181E, the XScale interrupt controller against Intel 280000 chapter 25. */
#include "board_bench.h"

#define VIC         0x10140000u
#define IRQSTATUS   (VIC + 0x00)
#define FIQSTATUS   (VIC + 0x04)
#define RAWINTR     (VIC + 0x08)
#define INTSELECT   (VIC + 0x0C)
#define INTENABLE   (VIC + 0x10)
#define INTENCLEAR  (VIC + 0x14)
#define SOFTINT     (VIC + 0x18)
#define SOFTCLEAR   (VIC + 0x1C)
#define VECTADDR    (VIC + 0x30)
#define DEFVECTADDR (VIC + 0x34)
#define VECTOR(i)   (VIC + 0x100 + 4 * (i))
#define CONTROL(i)  (VIC + 0x200 + 4 * (i))
#define PMU_INPUT   20u

#define INTC  0x40D00000u
#define ICIP  (INTC + 0x00)
#define ICMR  (INTC + 0x04)
#define ICLR  (INTC + 0x08)
#define ICFP  (INTC + 0x0C)
#define ICPR  (INTC + 0x10)
#define ICHP  (INTC + 0x18)
#define IPR0  (INTC + 0x1C)
#define ICMR2 (INTC + 0xA0)
#define ICPMU (1u << 12)

TEST(the_pmu_reaches_the_cpu_through_the_pl190)
{
	struct board_bench b;

	board_bench(&b, "versatile");
	pmu(&b, true);
	CHECK_EQ(get(&b, RAWINTR), 1u << PMU_INPUT);
	CHECK_EQ(lines(&b), 0);
	put(&b, INTENABLE, 1u << PMU_INPUT);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, IRQSTATUS), 1u << PMU_INPUT);
	pmu(&b, false);
	CHECK_EQ(lines(&b), 0);
}

TEST(INTSELECT_steers_to_FIQ)
{
	struct board_bench b;

	board_bench(&b, "versatile");
	put(&b, INTENABLE, 1u << PMU_INPUT);
	put(&b, INTSELECT, 1u << PMU_INPUT);
	pmu(&b, true);
	CHECK_EQ(lines(&b), FIQ);
	CHECK_EQ(get(&b, FIQSTATUS), 1u << PMU_INPUT);
	CHECK_EQ(get(&b, IRQSTATUS), 0);
}

TEST(enables_are_set_and_cleared_by_ones)
{
	struct board_bench b;

	board_bench(&b, "versatile");
	put(&b, INTENABLE, 0x0F);
	put(&b, INTENABLE, 0xF0);
	CHECK_EQ(get(&b, INTENABLE), 0xFF);
	put(&b, INTENCLEAR, 0x3C);
	CHECK_EQ(get(&b, INTENABLE), 0xC3);
}

TEST(a_software_interrupt_stays_until_cleared)
{
	struct board_bench b;

	board_bench(&b, "versatile");
	put(&b, INTENABLE, 2);
	put(&b, SOFTINT, 2);
	CHECK_EQ(lines(&b), IRQ);
	put(&b, SOFTCLEAR, 2);
	CHECK_EQ(lines(&b), 0);
}

TEST(VECTADDR_gives_the_vector_of_the_first_slot_and_masks_it)
{
	struct board_bench b;

	board_bench(&b, "versatile");
	put(&b, VECTOR(0), 0x1000);
	put(&b, CONTROL(0), 0x20 | 3);
	put(&b, VECTOR(1), 0x2000);
	put(&b, CONTROL(1), 0x20 | PMU_INPUT);
	put(&b, DEFVECTADDR, 0x3000);
	put(&b, INTENABLE, 1u << PMU_INPUT | 8 | 16);
	pmu(&b, true);
	CHECK_EQ(get(&b, VECTADDR), 0x2000);
	CHECK_EQ(lines(&b), 0); /* being served */
	put(&b, SOFTINT, 16);   /* no vector: lower */
	CHECK_EQ(lines(&b), 0);
	put(&b, SOFTINT, 8); /* slot 0: higher */
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, VECTADDR), 0x1000);
	put(&b, SOFTCLEAR, 8);
	put(&b, VECTADDR, 0);
	CHECK_EQ(lines(&b), 0); /* slot 1 still runs */
	pmu(&b, false);
	put(&b, VECTADDR, 0);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, VECTADDR), 0x3000);
}

TEST(ending_a_service_that_never_began_changes_nothing)
{
	struct board_bench b;

	board_bench(&b, "versatile");
	put(&b, VECTADDR, 0xFFFFFFFF);
	put(&b, INTENABLE, 1);
	put(&b, SOFTINT, 1);
	CHECK_EQ(lines(&b), IRQ);
}

/* DDI0181E 3.3.14 to 3.3.21. */
TEST(identification_registers_spell_a_pl190)
{
	static const uint8_t want[] = {0x90, 0x11, 0x04, 0x00, 0x0D, 0xF0, 0x05, 0xB1};
	struct board_bench b;

	board_bench(&b, "versatile");
	identifies(&b, VIC, want);
	put(&b, VECTOR(16), 5); /* beyond the last */
	CHECK_EQ(get(&b, VECTOR(16)), 0);
	put(&b, CONTROL(15), 0xFFFFFFFF);
	CHECK_EQ(get(&b, CONTROL(15)), 0x3F);
	CHECK_EQ(get(&b, CONTROL(16)), 0);
}

TEST(the_pxa_masks_and_steers_the_pmu)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	pmu(&b, true);
	CHECK_EQ(get(&b, ICPR), ICPMU);
	CHECK_EQ(get(&b, ICIP), 0);
	CHECK_EQ(lines(&b), 0);
	put(&b, ICMR, ICPMU);
	CHECK_EQ(get(&b, ICIP), ICPMU);
	CHECK_EQ(lines(&b), IRQ);
	put(&b, ICLR, ICPMU);
	CHECK_EQ(get(&b, ICIP), 0);
	CHECK_EQ(get(&b, ICFP), ICPMU);
	CHECK_EQ(lines(&b), FIQ);
	pmu(&b, false);
	CHECK_EQ(lines(&b), 0);
}

TEST(the_pxas_upper_inputs_are_eight)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	put(&b, ICMR2, 0xFFFFFFFF);
	CHECK_EQ(get(&b, ICMR2), 0xFF);
	CHECK_EQ(get(&b, ICMR), 0);
}

TEST(the_pxas_upper_inputs_interrupt_and_reset_masks_them)
{
	const struct apmu_board__device_ops *ops = &apmu_board__pxa_ops;
	struct apmu_board__pxa intc = {0};

	ops->input(&intc, 39, true);
	ops->input(&intc, 40, true); /* none */
	ops->input(&intc, 32, true);
	CHECK_EQ(ops->read(&intc, 0xAC, 4), 0x81); /* ICPR2 */
	CHECK_EQ(ops->read(&intc, 0x10, 4), 0);
	CHECK_EQ(ops->lines(&intc), 0);
	ops->write(&intc, 0xA0, 0x80, 4);          /* ICMR2 */
	CHECK_EQ(ops->read(&intc, 0x9C, 4), 0x80); /* ICIP2 */
	CHECK_EQ(ops->lines(&intc), 1);
	ops->write(&intc, 0xA4, 0xFFFFFFFF, 4); /* ICLR2 */
	CHECK_EQ(ops->read(&intc, 0xA4, 4), 0xFF);
	CHECK_EQ(ops->read(&intc, 0x9C, 4), 0);
	CHECK_EQ(ops->read(&intc, 0xA8, 4), 0x80); /* ICFP2 */
	CHECK_EQ(ops->lines(&intc), 2);
	ops->write(&intc, 0xCC, 0xFFFFFFFF, 4); /* IPR39 */
	CHECK_EQ(ops->read(&intc, 0xCC, 4), 0x8000003F);
	ops->write(&intc, 0xD0, 1, 4); /* nothing there */
	CHECK_EQ(ops->read(&intc, 0xD0, 4), 0);
	ops->reset(&intc);
	CHECK_EQ(ops->read(&intc, 0xA0, 4), 0);
	CHECK_EQ(ops->read(&intc, 0xCC, 4), 0);
	CHECK_EQ(ops->read(&intc, 0xAC, 4), 0x81);
	CHECK_EQ(ops->lines(&intc), 0);
}

TEST(ICHP_names_the_first_in_priority)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	CHECK_EQ(get(&b, ICHP), 0x003F003F);
	put(&b, ICMR, ICPMU);
	pmu(&b, true);
	CHECK_EQ(get(&b, ICHP), 0x003F003F); /* no priority register names it */
	put(&b, IPR0 + 4, 0x80000000 | 12);
	CHECK_EQ(get(&b, ICHP), 0x800C003F);
	put(&b, ICLR, ICPMU);
	CHECK_EQ(get(&b, ICHP), 0x003F800C);
}

TEST(coprocessor_6_shows_the_same_registers)
{
	struct board_bench b;
	uint64_t value = ICPMU;
	struct apmu_access at = {.view = APMU_VIEW_CP, .encoding = apmu_cp(6, 0, 1, 0, 0), .from = {.el = 1}};

	board_bench(&b, "pxa");
	pmu(&b, true);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at, value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(lines(&b), IRQ);
	at.encoding = apmu_cp(6, 0, 0, 0, 0);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at, &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(value, ICPMU);
	at.from.el = 0;
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at, &value), APMU_BOARD__ANSWER_UNDEFINED);
	at.encoding = apmu_cp(6, 0, 11, 0, 0);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at, &value), APMU_BOARD__ANSWER_NOT_MINE);
}

TEST(bare_wires_the_pmu_to_the_cpu_itself)
{
	struct apmu_board__config config = {.pmu_to_fiq = true};
	struct board_bench b;

	board_bench(&b, "bare");
	pmu(&b, true);
	CHECK_EQ(lines(&b), IRQ);
	apmu_board__init(&b.board, apmu_board__find("bare"), &config);
	pmu(&b, true);
	CHECK_EQ(lines(&b), FIQ);
}

TEST(addresses_without_a_device_are_bus_errors)
{
	struct board_bench b;
	uint64_t value = 0x55;

	board_bench(&b, "versatile");
	CHECK(!apmu_board__read(&b.board, VIC - 1, 1, &value));
	CHECK(!apmu_board__read(&b.board, VIC + 0x1000, 4, &value));
	CHECK(!apmu_board__write(&b.board, UINT64_MAX, 4, 0));
	CHECK(!apmu_board__read(&b.board, VIC, 3, &value));
	CHECK_EQ(value, 0x55);
	CHECK(apmu_board__read(&b.board, VIC + 0xFFF, 8, &value));
	CHECK_EQ(value, 0);
	CHECK_STR(apmu_board__name_at(&b.board, VIC), "PL190 interrupt controller");
	CHECK(apmu_board__name_at(&b.board, 0x20000000) == NULL);
}

TEST(every_board_is_found_by_its_name)
{
	size_t n = 0;

	for (const struct apmu_board__row *row; (row = apmu_board__nth(n)); n++)
		CHECK(apmu_board__find(row->name) == row);
	CHECK_EQ(n, 6);
	CHECK(apmu_board__find("virtt") == NULL);
}
