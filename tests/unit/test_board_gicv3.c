/* SPDX-License-Identifier: MIT */
/* The GIC against IHI0069 (version 3). */
#include "board_bench.h"

#define GICD          0x08000000u
#define GICR          0x080A0000u
#define SGI           (GICR + 0x10000)
#define CTLR          (GICD + 0x000)
#define TYPER         (GICD + 0x004)
#define GROUP(n)      (GICD + 0x080 + 4 * (n))
#define ISENABLE(n)   (GICD + 0x100 + 4 * (n))
#define ISPEND(n)     (GICD + 0x200 + 4 * (n))
#define PRIORITY(id)  (GICD + 0x400 + (id))
#define ROUTER(id)    (GICD + 0x6000 + 8 * (id))
#define PMU_BIT       (1u << 23)
#define ICC(crm, op2) apmu_sysreg(3, 0, 12, crm, op2)
#define ICC_PMR       apmu_sysreg(3, 0, 4, 6, 0)
#define ICC_IAR0      ICC(8, 0)
#define ICC_BPR0      ICC(8, 3)
#define ICC_IAR1      ICC(12, 0)
#define ICC_EOIR1     ICC(12, 1)
#define ICC_BPR1      ICC(12, 3)
#define ICC_HPPIR1    ICC(12, 2)
#define ICC_RPR       ICC(11, 3)
#define ICC_DIR       ICC(11, 1)
#define ICC_SGI1R     ICC(11, 5)
#define ICC_CTLR      ICC(12, 4)
#define ICC_SRE       ICC(12, 5)
#define ICC_IGRPEN0   ICC(12, 6)
#define ICC_IGRPEN1   ICC(12, 7)

static struct apmu_access el1(uint32_t encoding)
{
	return (struct apmu_access){.view = APMU_VIEW_A64, .encoding = encoding, .from = {.el = 1}};
}

static uint64_t mrs(struct board_bench *b, uint32_t encoding)
{
	uint64_t value = 0;

	CHECK_EQ(apmu_board__sysreg_read(&b->board, el1(encoding), &value), APMU_BOARD__ANSWER_DONE);
	return value;
}

static void msr(struct board_bench *b, uint32_t encoding, uint64_t value)
{
	CHECK_EQ(apmu_board__sysreg_write(&b->board, el1(encoding), value), APMU_BOARD__ANSWER_DONE);
}

static void open_v3(struct board_bench *b)
{
	board_bench(b, "virt-gicv3");
	put(b, CTLR, 3);
	put(b, GICR + 0x14, 0);
	put(b, SGI + 0x80, 0xFFFFFFFF); /* Group 1 */
	put(b, SGI + 0x100, PMU_BIT);
	msr(b, ICC_PMR, 0xFF);
	msr(b, ICC_IGRPEN1, 1);
}

TEST(v3_the_pmus_ppi_goes_through_its_life)
{
	struct board_bench b;

	open_v3(&b);
	pmu(&b, true);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, SGI + 0x200), PMU_BIT);
	CHECK_EQ(mrs(&b, ICC_HPPIR1), 23);
	CHECK_EQ(mrs(&b, ICC_IAR0), 1023);
	CHECK_EQ(mrs(&b, ICC_IAR1), 23);
	CHECK_EQ(lines(&b), 0);
	CHECK_EQ(mrs(&b, ICC_RPR), 0);
	pmu(&b, false);
	msr(&b, ICC_EOIR1, 23);
	CHECK_EQ(mrs(&b, ICC_RPR), 0xFF);
	CHECK_EQ(mrs(&b, ICC_IAR1), 1023);
}

TEST(v3_group_0_is_fiq)
{
	struct board_bench b;

	open_v3(&b);
	put(&b, SGI + 0x80, 0);
	pmu(&b, true);
	CHECK_EQ(lines(&b), 0);
	msr(&b, ICC_IGRPEN0, 1);
	CHECK_EQ(lines(&b), FIQ);
	CHECK_EQ(mrs(&b, ICC_IAR1), 1023);
	CHECK_EQ(mrs(&b, ICC_IAR0), 23);
}

TEST(v3_a_sleeping_redistributor_delivers_nothing)
{
	struct board_bench b;

	open_v3(&b);
	pmu(&b, true);
	put(&b, GICR + 0x14, 2);
	CHECK_EQ(get(&b, GICR + 0x14), 6);
	CHECK_EQ(lines(&b), 0);
	put(&b, GICR + 0x14, 0);
	CHECK_EQ(get(&b, GICR + 0x14), 0);
	CHECK_EQ(lines(&b), IRQ);
}

TEST(v3_ppis_live_in_the_redistributor_alone)
{
	struct board_bench b;

	open_v3(&b);
	put(&b, ISENABLE(0), 0xFFFFFFFF);
	CHECK_EQ(get(&b, ISENABLE(0)), 0);
	CHECK_EQ(get(&b, SGI + 0x100), PMU_BIT);
	put(&b, SGI + 0x104, 0xFFFFFFFF);
	CHECK_EQ(get(&b, ISENABLE(1)), 0);
	put(&b, SGI + 0x414, 0x50000000);
	CHECK_EQ(get_sized(&b, SGI + 0x417, 1), 0x50);
	CHECK_EQ(get(&b, PRIORITY(20)), 0);
}

TEST(v3_an_spi_follows_its_route)
{
	struct board_bench b;

	open_v3(&b);
	put(&b, GROUP(1), 2);
	put(&b, ISENABLE(1), 2);
	put(&b, ISPEND(1), 2);
	CHECK_EQ(lines(&b), IRQ);
	CHECK(apmu_board__write(&b.board, ROUTER(33), 8, 1)); /* to 0.0.0.1, which is not there */
	CHECK_EQ(lines(&b), 0);
	put(&b, ROUTER(33), 0x80000001); /* to any */
	CHECK_EQ(get_sized(&b, ROUTER(33), 8), 0x80000001);
	CHECK_EQ(lines(&b), IRQ);
	put(&b, ROUTER(33), 0);
	put(&b, ROUTER(33) + 4, 0xFFFFFFFF); /* Aff3 */
	CHECK_EQ(get(&b, ROUTER(33) + 4), 0xFF);
	CHECK_EQ(lines(&b), 0);
	CHECK(apmu_board__write(&b.board, ROUTER(32), 8, 0x1200000003));
	CHECK_EQ(get_sized(&b, ROUTER(32), 8), 0x1200000003);
	CHECK_EQ(get(&b, ROUTER(32) + 4), 0x12);
	CHECK_EQ(get_sized(&b, ROUTER(32) + 1, 1), 0);
	put(&b, GROUP(1), 1); /* INTID 32, the first that has a route */
	put(&b, ISENABLE(1), 1);
	put(&b, ISPEND(1), 1);
	CHECK_EQ(lines(&b), 0);
	CHECK(apmu_board__write(&b.board, ROUTER(32), 8, 0));
	CHECK_EQ(lines(&b), IRQ);
}

TEST(v3_an_sgi_by_system_register)
{
	struct board_bench b;
	struct apmu_access mcrr = {
		.view = APMU_VIEW_CP64, .encoding = apmu_cp64(15, 0, 12), .from = {.el = 1}};

	open_v3(&b);
	put(&b, SGI + 0x100, 0xFFFF);
	msr(&b, ICC_SGI1R, 3u << 24 | 2); /* core 1 of the list */
	CHECK_EQ(lines(&b), 0);
	msr(&b, ICC_SGI1R, 3u << 24 | 1 | 1u << 16); /* Aff1 1 */
	CHECK_EQ(lines(&b), 0);
	msr(&b, ICC_SGI1R, 3u << 24 | 1 | (uint64_t)1 << 40); /* all others */
	CHECK_EQ(lines(&b), 0);
	msr(&b, ICC(11, 7), 3u << 24 | 1); /* SGI0R, but it is of Group 1 */
	CHECK_EQ(lines(&b), 0);
	msr(&b, ICC_SGI1R, 3u << 24 | 1);
	CHECK_EQ(mrs(&b, ICC_IAR1), 3);
	msr(&b, ICC_EOIR1, 3);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, mcrr, 9u << 24 | 1), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(mrs(&b, ICC_IAR1), 9);
	put(&b, SGI + 0x80, 0xFFFF7FFF); /* SGI 15 is of Group 0 */
	msr(&b, ICC_IGRPEN0, 1);
	mcrr.encoding = apmu_cp64(15, 2, 12); /* ICC_SGI0R */
	CHECK_EQ(apmu_board__sysreg_write(&b.board, mcrr, 15u << 24 | 1), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(get(&b, SGI + 0x200), 1u << 15);
	put(&b, SGI + 0x280, 1u << 15);
	msr(&b, ICC(11, 7), 15u << 24 | 1); /* ICC_SGI0R_EL1 */
	CHECK_EQ(get(&b, SGI + 0x200), 1u << 15);
	put(&b, SGI + 0x280, 1u << 15);
	msr(&b, ICC_SGI1R, 15u << 24 | 1); /* not of Group 1 */
	CHECK_EQ(get(&b, SGI + 0x200), 0);
}

TEST(v3_split_eoi)
{
	struct board_bench b;

	open_v3(&b);
	msr(&b, ICC_CTLR, 2);
	CHECK_EQ(mrs(&b, ICC_CTLR), 0x8402); /* A3V, five bits of priority */
	pmu(&b, true);
	CHECK_EQ(mrs(&b, ICC_IAR1), 23);
	msr(&b, ICC_EOIR1, 23);
	CHECK_EQ(lines(&b), 0);
	msr(&b, ICC_DIR, 23);
	CHECK_EQ(lines(&b), IRQ);
}

TEST(v3_a_common_binary_point_shows_in_bpr1)
{
	struct board_bench b;

	open_v3(&b);
	msr(&b, ICC_BPR1, 6);
	msr(&b, ICC_BPR0, 4);
	msr(&b, ICC_CTLR, 1); /* CBPR */
	CHECK_EQ(mrs(&b, ICC_BPR1), 5);
	msr(&b, ICC_BPR1, 3); /* ignored */
	CHECK_EQ(mrs(&b, ICC_BPR0), 4);
	msr(&b, ICC_BPR0, 7);
	CHECK_EQ(mrs(&b, ICC_BPR1), 7);
	msr(&b, ICC_CTLR, 0);
	CHECK_EQ(mrs(&b, ICC_BPR1), 6);
}

TEST(v3_an_eoi_of_the_other_group_changes_nothing)
{
	struct board_bench b;

	open_v3(&b);
	pmu(&b, true);
	CHECK_EQ(mrs(&b, ICC_IAR1), 23);
	msr(&b, ICC(8, 1), 23);
	CHECK_EQ(mrs(&b, ICC_RPR), 0);
	CHECK_EQ(get(&b, SGI + 0x300), PMU_BIT);
}

TEST(v3_what_it_says_of_itself)
{
	struct board_bench b;

	board_bench(&b, "virt-gicv3");
	CHECK_EQ(get(&b, CTLR), 0x50); /* DS, ARE */
	CHECK_EQ(get(&b, TYPER) & 0x1F, 8);
	CHECK_EQ(get(&b, GICD + 0xFFE8), 0x3B);
	CHECK_EQ(get(&b, GICR + 0xFFE8), 0x3B);
	CHECK_EQ(get_sized(&b, GICR + 8, 8), 0x10); /* the last one, affinity 0 */
	CHECK_EQ(get(&b, GICR + 0x14), 6);          /* asleep after reset */
	CHECK_EQ(mrs(&b, ICC_SRE), 7);
}

static uint64_t mrc(struct board_bench *b, unsigned crn, unsigned crm, unsigned op2)
{
	const struct apmu_access at = {APMU_VIEW_CP, apmu_cp(15, 0, crn, crm, op2), {.el = 1}};
	uint64_t value = 0;

	CHECK_EQ(apmu_board__sysreg_read(&b->board, at, &value), APMU_BOARD__ANSWER_DONE);
	return value;
}

static void mcr(struct board_bench *b, unsigned crn, unsigned crm, unsigned op2, uint64_t value)
{
	const struct apmu_access at = {APMU_VIEW_CP, apmu_cp(15, 0, crn, crm, op2), {.el = 1}};

	CHECK_EQ(apmu_board__sysreg_write(&b->board, at, value), APMU_BOARD__ANSWER_DONE);
}

/* IHI0069 12.5. */
TEST(v3_aarch32_has_the_registers_under_names_of_its_own)
{
	struct board_bench b;

	open_v3(&b);
	put(&b, SGI + 0x414, 0xA8000000); /* INTID 23 */
	mcr(&b, 4, 6, 0, 0xFF);           /* ICC_PMR */
	CHECK_EQ(mrc(&b, 4, 6, 0), 0xF8); /* five bits of priority */
	mcr(&b, 12, 12, 3, 5);            /* ICC_BPR1 */
	CHECK_EQ(mrs(&b, ICC_BPR1), 5);
	mcr(&b, 12, 8, 3, 6); /* ICC_BPR0 */
	CHECK_EQ(mrs(&b, ICC_BPR0), 6);
	mcr(&b, 12, 12, 6, 1); /* ICC_IGRPEN0 */
	CHECK_EQ(mrc(&b, 12, 12, 6), 1);
	CHECK_EQ(mrc(&b, 12, 12, 7), 1);
	mcr(&b, 12, 12, 7, 0); /* ICC_IGRPEN1 */
	CHECK_EQ(mrs(&b, ICC_IGRPEN1), 0);
	CHECK_EQ(mrs(&b, ICC_IGRPEN0), 1);
	mcr(&b, 12, 12, 7, 1);
	pmu(&b, true);
	CHECK_EQ(mrc(&b, 12, 12, 2), 23); /* ICC_HPPIR1 */
	CHECK_EQ(mrc(&b, 12, 8, 2), 1023);
	CHECK_EQ(mrc(&b, 12, 8, 0), 1023);              /* ICC_IAR0 */
	CHECK_EQ(mrc(&b, 12, 12, 0), 23);               /* ICC_IAR1 */
	CHECK_EQ(mrc(&b, 12, 11, 3), 0xA0);             /* ICC_RPR: the group priority */
	CHECK_EQ(mrc(&b, 12, 9, 0), 1u << (0xA0 >> 3)); /* ICC_AP1R0 */
	CHECK_EQ(mrc(&b, 12, 8, 4), 0);
	mcr(&b, 12, 12, 4, 2);  /* ICC_CTLR.EOImode */
	mcr(&b, 12, 12, 1, 23); /* ICC_EOIR1 */
	CHECK_EQ(mrc(&b, 12, 11, 3), 0xFF);
	CHECK_EQ(get(&b, SGI + 0x300), PMU_BIT);
	mcr(&b, 12, 11, 1, 23); /* ICC_DIR */
	CHECK_EQ(get(&b, SGI + 0x300), 0);
	CHECK_EQ(mrc(&b, 12, 12, 5), 7); /* ICC_SRE */
}

TEST(v3_a_saved_running_priority_comes_back_with_its_group)
{
	struct board_bench b;

	open_v3(&b);
	msr(&b, ICC(8, 4), 1u << 8); /* ICC_AP0R0_EL1 */
	CHECK_EQ(mrs(&b, ICC_RPR), 0x40);
	CHECK_EQ(mrs(&b, ICC(8, 4)), 1u << 8);
	CHECK_EQ(mrs(&b, ICC(9, 0)), 0);
	msr(&b, ICC(9, 0), 1u << 2);
	CHECK_EQ(mrs(&b, ICC_RPR), 0x10);
	msr(&b, ICC_EOIR1, 40);
	CHECK_EQ(mrs(&b, ICC_RPR), 0x40);
	msr(&b, ICC_EOIR1, 40); /* of the other group */
	CHECK_EQ(mrs(&b, ICC_RPR), 0x40);
	msr(&b, ICC(8, 1), 40);
	CHECK_EQ(mrs(&b, ICC_RPR), 0xFF);
}

/* IHI0069, ICC_AP0R<n>_EL1: 1 needs 6 bits of priority, 2 and 3 need 7; ICC_CTLR_EL1.PRIbits says 5. */
TEST(v3_with_five_bits_of_priority_there_is_one_register_of_active_priorities)
{
	struct board_bench b;
	uint64_t value = 0;

	open_v3(&b);
	CHECK_EQ(mrs(&b, ICC_CTLR) >> 8 & 7, 4);
	for (unsigned n = 0; n < 4; n++) {
		unsigned want = n ? APMU_BOARD__ANSWER_UNDEFINED : APMU_BOARD__ANSWER_DONE;

		CHECK_EQ(apmu_board__sysreg_read(&b.board, el1(ICC(8, 4 + n)), &value), want);
		CHECK_EQ(apmu_board__sysreg_write(&b.board, el1(ICC(8, 4 + n)), 0), want);
		CHECK_EQ(apmu_board__sysreg_read(&b.board, el1(ICC(9, n)), &value), want);
		CHECK_EQ(apmu_board__sysreg_write(&b.board, el1(ICC(9, n)), 0), want);
	}
}

TEST(v3_rights_of_the_system_registers)
{
	struct board_bench b;
	struct apmu_access at = el1(ICC_PMR);
	uint64_t value = 5;

	open_v3(&b);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, el1(ICC_IAR1), 0), APMU_BOARD__ANSWER_UNDEFINED);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, el1(ICC_EOIR1), &value), APMU_BOARD__ANSWER_UNDEFINED);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, el1(ICC(13, 0)), &value), APMU_BOARD__ANSWER_NOT_MINE);
	at.encoding = apmu_sysreg(3, 6, 12, 12, 5); /* ICC_SRE_EL3 */
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at, &value), APMU_BOARD__ANSWER_UNDEFINED);
	at.from.el = 3;
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at, &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(value, 0xF);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, at, 1), APMU_BOARD__ANSWER_DONE);
	at.encoding = apmu_sysreg(3, 4, 12, 12, 5); /* list register 5 is not there */
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at, &value), APMU_BOARD__ANSWER_UNDEFINED);
	at = el1(ICC_PMR);
	value = 5;
	at.from.el = 0;
	CHECK_EQ(apmu_board__sysreg_read(&b.board, at, &value), APMU_BOARD__ANSWER_UNDEFINED);
	board_bench(&b, "virt");
	CHECK_EQ(apmu_board__sysreg_read(&b.board, el1(ICC_PMR), &value), APMU_BOARD__ANSWER_NOT_MINE);
	CHECK_EQ(value, 5);
}
