/* SPDX-License-Identifier: MIT */
/* The GIC against IHI0048B (version 2). */
#include "board_bench.h"

#define GICD         0x08000000u
#define GICC         0x08010000u
#define CTLR         (GICD + 0x000)
#define TYPER        (GICD + 0x004)
#define GROUP(n)     (GICD + 0x080 + 4 * (n))
#define ISENABLE(n)  (GICD + 0x100 + 4 * (n))
#define ICENABLE(n)  (GICD + 0x180 + 4 * (n))
#define ISPEND(n)    (GICD + 0x200 + 4 * (n))
#define ICPEND(n)    (GICD + 0x280 + 4 * (n))
#define ISACTIVE(n)  (GICD + 0x300 + 4 * (n))
#define PRIORITY(id) (GICD + 0x400 + (id))
#define TARGET(id)   (GICD + 0x800 + (id))
#define CONFIG(n)    (GICD + 0xC00 + 4 * (n))
#define SGIR         (GICD + 0xF00)
#define SPENDSGIR    (GICD + 0xF20)
#define CC_CTLR      (GICC + 0x00)
#define CC_PMR       (GICC + 0x04)
#define CC_BPR       (GICC + 0x08)
#define CC_IAR       (GICC + 0x0C)
#define CC_EOIR      (GICC + 0x10)
#define CC_RPR       (GICC + 0x14)
#define CC_HPPIR     (GICC + 0x18)
#define CC_AIAR      (GICC + 0x20)
#define CC_DIR       (GICC + 0x1000)
#define PMU_BIT      (1u << 23)

/* Version 2, both groups and all priorities enabled, and the PMU's PPI. */
static void open_v2(struct board_bench *b)
{
	board_bench(b, "virt");
	put(b, CTLR, 1);
	put(b, CC_CTLR, 1);
	put(b, CC_PMR, 0xFF);
	put(b, ISENABLE(0), PMU_BIT);
}

TEST(v2_the_pmus_ppi_goes_through_its_life)
{
	struct board_bench b;

	open_v2(&b);
	CHECK_EQ(lines(&b), 0);
	pmu(&b, true);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, ISPEND(0)), PMU_BIT);
	CHECK_EQ(get(&b, CC_HPPIR), 23);
	CHECK_EQ(get(&b, CC_IAR), 23);
	CHECK_EQ(get(&b, ISACTIVE(0)), PMU_BIT);
	CHECK_EQ(lines(&b), 0); /* active; the level still pends */
	CHECK_EQ(get(&b, CC_RPR), 0);
	pmu(&b, false);
	put(&b, CC_EOIR, 23);
	CHECK_EQ(lines(&b), 0);
	CHECK_EQ(get(&b, CC_RPR), 0xFF);
	CHECK_EQ(get(&b, CC_IAR), 1023);
}

TEST(v2_a_level_that_is_still_up_interrupts_again)
{
	struct board_bench b;

	open_v2(&b);
	pmu(&b, true);
	CHECK_EQ(get(&b, CC_IAR), 23);
	put(&b, CC_EOIR, 23);
	CHECK_EQ(lines(&b), IRQ);
}

TEST(v2_each_gate_alone_keeps_the_line_down)
{
	struct board_bench b;

	open_v2(&b);
	pmu(&b, true);
	put(&b, CTLR, 0);
	CHECK_EQ(lines(&b), 0);
	put(&b, CTLR, 1);
	put(&b, CC_CTLR, 0);
	CHECK_EQ(lines(&b), 0);
	put(&b, CC_CTLR, 1);
	put(&b, ICENABLE(0), PMU_BIT);
	CHECK_EQ(lines(&b), 0);
	put(&b, ISENABLE(0), PMU_BIT);
	put(&b, PRIORITY(20), 0xA0000000u); /* INTID 23 */
	put(&b, CC_PMR, 0xA0);
	CHECK_EQ(lines(&b), 0); /* the mask passes higher priorities only */
	put(&b, CC_PMR, 0xA8);
	CHECK_EQ(lines(&b), IRQ);
}

TEST(v2_groups_choose_between_fiq_and_irq)
{
	struct board_bench b;

	open_v2(&b);
	pmu(&b, true);
	put(&b, CC_CTLR, 0x9); /* FIQEn, EnableGrp0 */
	CHECK_EQ(lines(&b), FIQ);
	put(&b, GROUP(0), PMU_BIT);
	CHECK_EQ(lines(&b), 0);
	put(&b, CTLR, 3);
	put(&b, CC_CTLR, 0xB);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, CC_IAR), 1022); /* a Group 1 interrupt through Group 0's register */
	CHECK_EQ(get(&b, CC_AIAR), 23);
}

TEST(v2_a_higher_priority_preempts_and_returns_in_order)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, ISENABLE(1), 2 | 4); /* INTIDs 33, 34 */
	CHECK(apmu_board__write(&b.board, PRIORITY(33), 1, 0x80));
	CHECK(apmu_board__write(&b.board, PRIORITY(34), 1, 0x80));
	CHECK(apmu_board__write(&b.board, PRIORITY(23), 1, 0x40));
	put(&b, ISPEND(1), 2);
	CHECK_EQ(get(&b, CC_IAR), 33);
	put(&b, ISPEND(1), 4);
	CHECK_EQ(lines(&b), 0); /* equal does not preempt */
	pmu(&b, true);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, CC_IAR), 23);
	CHECK_EQ(get(&b, CC_RPR), 0x40);
	pmu(&b, false);
	put(&b, CC_EOIR, 23);
	CHECK_EQ(get(&b, CC_RPR), 0x80);
	CHECK_EQ(lines(&b), 0);
	put(&b, CC_EOIR, 33);
	CHECK_EQ(get(&b, CC_IAR), 34);
}

TEST(v2_the_binary_point_joins_priorities_into_groups)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, CC_BPR, 0);
	CHECK_EQ(get(&b, CC_BPR), 2); /* five bits of priority */
	put(&b, CC_BPR, 6);           /* only bit 7 is group priority */
	put(&b, ISENABLE(1), 2);
	CHECK(apmu_board__write(&b.board, PRIORITY(33), 1, 0x70));
	put(&b, ISPEND(1), 2);
	CHECK_EQ(get(&b, CC_IAR), 33);
	pmu(&b, true); /* priority 0, same half */
	CHECK_EQ(lines(&b), 0);
}

/* IHI0048B table 3-2: GICC_ABPR counts one further, and CBPR joins both groups under GICC_BPR. */
TEST(v2_group_1_has_a_binary_point_of_its_own)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, CTLR, 3);
	put(&b, CC_CTLR, 0x7); /* AckCtl, both groups */
	put(&b, GROUP(0), PMU_BIT);
	put(&b, GROUP(1), 2);
	put(&b, CC_BPR, 2);
	put(&b, GICC + 0x1C, 0);
	CHECK_EQ(get(&b, GICC + 0x1C), 3);
	put(&b, GICC + 0x1C, 7); /* GICC_ABPR: only bit 7 is group priority */
	CHECK_EQ(get(&b, GICC + 0x1C), 7);
	CHECK_EQ(get(&b, CC_BPR), 2);
	put(&b, ISENABLE(1), 2);
	CHECK(apmu_board__write(&b.board, PRIORITY(33), 1, 0x70));
	put(&b, ISPEND(1), 2);
	CHECK_EQ(get(&b, CC_IAR), 33);
	CHECK_EQ(get(&b, GICC + 0xE0), 1); /* GICC_NSAPR0: group priority 0 */
	CHECK_EQ(get(&b, GICC + 0xD0), 0);
	pmu(&b, true); /* priority 0, same half */
	CHECK_EQ(lines(&b), 0);
	put(&b, CC_EOIR, 33);
	put(&b, CC_CTLR, 0x17); /* CBPR */
	put(&b, ISPEND(1), 2);
	pmu(&b, false);
	CHECK_EQ(get(&b, CC_IAR), 33);
	CHECK_EQ(get(&b, GICC + 0xE0), 1u << (0x70 >> 3));
	pmu(&b, true);
	CHECK_EQ(lines(&b), IRQ);
}

TEST(v2_saved_active_priorities_are_put_back)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, GICC + 0xD0, 1u << 9);
	CHECK_EQ(get(&b, GICC + 0xD0), 1u << 9);
	CHECK_EQ(get(&b, GICC + 0xE0), 0);
	CHECK_EQ(get(&b, CC_RPR), 0x48);
	put(&b, GICC + 0xE0, 1u << 3);
	CHECK_EQ(get(&b, CC_RPR), 0x18);
	put(&b, CC_EOIR, 40);
	CHECK_EQ(get(&b, GICC + 0xE0), 0);
	CHECK_EQ(get(&b, CC_RPR), 0x48);
}

TEST(v2_the_lowest_intid_wins_a_tie)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, ISENABLE(1), 0xFFFFFFFF);
	put(&b, ISPEND(1), 0x30);
	CHECK_EQ(get(&b, CC_HPPIR), 36);
}

TEST(v2_a_split_eoi_leaves_it_active_until_DIR)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, CC_CTLR, 0x201);
	pmu(&b, true);
	CHECK_EQ(get(&b, CC_IAR), 23);
	put(&b, CC_EOIR, 23);
	CHECK_EQ(get(&b, CC_RPR), 0xFF);
	CHECK_EQ(lines(&b), 0);
	put(&b, CC_DIR, 23);
	CHECK_EQ(lines(&b), IRQ);
}

TEST(v2_an_sgi_to_itself)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, ISENABLE(0), 1u << 5);
	put(&b, SGIR, 1u << 24 | 5); /* to all others: nobody */
	CHECK_EQ(lines(&b), 0);
	put(&b, SGIR, 1u << 16 | 5);
	CHECK_EQ(get(&b, SPENDSGIR + 4), 1u << 8);
	CHECK_EQ(get(&b, CC_IAR), 5);
	put(&b, CC_EOIR, 5);
	put(&b, ISPEND(0), 1u << 5); /* read-only for SGIs */
	CHECK_EQ(lines(&b), 0);
	put(&b, SGIR, 2u << 24 | 5);
	CHECK_EQ(get(&b, CC_IAR), 5);
}

TEST(v2_an_edge_is_remembered_and_a_level_is_not)
{
	struct board_bench b;

	open_v2(&b);
	put(&b, CONFIG(1), 2u << 14); /* INTID 23 */
	CHECK_EQ(get(&b, CONFIG(1)), 2u << 14);
	CHECK_EQ(get(&b, CONFIG(0)), 0xAAAAAAAA);
	put(&b, CONFIG(0), 0); /* SGIs stay edge-triggered */
	CHECK_EQ(get(&b, CONFIG(0)), 0xAAAAAAAA);
	put(&b, CONFIG(17), 0xFFFFFFFF); /* the last SPIs; of the two bits the lower one is read-only */
	CHECK_EQ(get(&b, CONFIG(17)), 0xAAAAAAAA);
	CHECK_EQ(get(&b, CONFIG(18)), 0);
	pmu(&b, true);
	pmu(&b, false);
	CHECK_EQ(lines(&b), IRQ);
	put(&b, ICPEND(0), PMU_BIT);
	CHECK_EQ(lines(&b), 0);
	put(&b, CONFIG(1), 0);
	pmu(&b, true);
	put(&b, ICPEND(0), PMU_BIT);
	CHECK_EQ(lines(&b), IRQ);
	pmu(&b, false);
	CHECK_EQ(lines(&b), 0);
}

TEST(v2_what_it_says_of_itself)
{
	struct board_bench b;

	board_bench(&b, "virt");
	CHECK_EQ(get(&b, TYPER), 8);                /* 288 INTIDs, one core */
	CHECK_EQ(get(&b, GICD + 0xFE8), 0x2B);      /* ICPIDR2: architecture 2 */
	CHECK_EQ(get(&b, GICC + 0xFC), 0x0202143B); /* GICC_IIDR of a GIC-400: DDI0471B 3.5 */
	put(&b, TARGET(32), 0xFFFFFFFF);
	CHECK_EQ(get(&b, TARGET(32)), 0); /* a single core's are RAZ/WI */
	put(&b, PRIORITY(40), 0xFFFFFFFF);
	CHECK_EQ(get(&b, PRIORITY(40)), 0xF8F8F8F8);
	CHECK_EQ(get_sized(&b, PRIORITY(41), 1), 0xF8);
	CHECK_EQ(get(&b, PRIORITY(288)), 0);
}

TEST(a_reset_keeps_what_the_wires_say)
{
	struct board_bench b;

	open_v2(&b);
	pmu(&b, true);
	apmu_board__reset(&b.board);
	CHECK_EQ(lines(&b), 0);
	CHECK_EQ(get(&b, ISPEND(0)), PMU_BIT);
}
