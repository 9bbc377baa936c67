/* SPDX-License-Identifier: MIT */
/* List registers and a guest's CPU interface against IHI0069 (version 3). */
#include "board_bench.h"

#define GICD          0x08000000u
#define GICR          0x080A0000u
#define SGI           (GICR + 0x10000)
#define VIRTUAL_IRQ   (1u << APMU_BOARD__CPU_VIRTUAL_IRQ)
#define VIRTUAL_FIQ   (1u << APMU_BOARD__CPU_VIRTUAL_FIQ)
#define ICC(crm, op2) apmu_sysreg(3, 0, 12, crm, op2)
#define ICH(crm, op2) apmu_sysreg(3, 4, 12, crm, op2)
#define PMR           apmu_sysreg(3, 0, 4, 6, 0)
#define IAR0          ICC(8, 0)
#define EOIR0         ICC(8, 1)
#define IAR1          ICC(12, 0)
#define EOIR1         ICC(12, 1)
#define HPPIR1        ICC(12, 2)
#define BPR1          ICC(12, 3)
#define CTLR          ICC(12, 4)
#define IGRPEN1       ICC(12, 7)
#define RPR           ICC(11, 3)
#define DIR           ICC(11, 1)
#define SGI1R         ICC(11, 5)
#define HCR           ICH(11, 0)
#define VTR           ICH(11, 1)
#define MISR          ICH(11, 2)
#define EISR          ICH(11, 3)
#define ELRSR         ICH(11, 5)
#define VMCR          ICH(11, 7)
#define AP1R          ICH(9, 0)
#define LR(n)         ICH(12, n)

#define BOTH            3u /* groups */
#define PENDING         ((uint64_t)1 << 62)
#define ACTIVE          ((uint64_t)2 << 62)
#define HW              ((uint64_t)1 << 61)
#define GROUP1          ((uint64_t)1 << 60)
#define AT(priority)    ((uint64_t)(priority) << 48)
#define STANDS_FOR(id)  (HW | (uint64_t)(id) << 32)
#define WANTS_EOI       ((uint64_t)1 << 41)
#define EN              1u
#define ENABLED         (0xF8000003u | 2u << 21 | 3u << 18)
#define MAINTENANCE_BIT (1u << 25)

static enum apmu_board__answer access_at(struct board_bench *b, unsigned el, uint32_t encoding, bool write,
					 uint64_t *value)
{
	struct apmu_access at = {.view = APMU_VIEW_A64, .encoding = encoding, .from = {.el = (uint8_t)el}};

	return write ? apmu_board__sysreg_write(&b->board, at, *value)
		     : apmu_board__sysreg_read(&b->board, at, value);
}

static uint64_t read_at(struct board_bench *b, unsigned el, uint32_t encoding)
{
	uint64_t value = 0;

	CHECK_EQ(access_at(b, el, encoding, false, &value), APMU_BOARD__ANSWER_DONE);
	return value;
}

static void write_at(struct board_bench *b, unsigned el, uint32_t encoding, uint64_t value)
{
	CHECK_EQ(access_at(b, el, encoding, true, &value), APMU_BOARD__ANSWER_DONE);
}

static uint64_t hyp(struct board_bench *b, uint32_t encoding)
{
	return read_at(b, 2, encoding);
}

static void set(struct board_bench *b, uint32_t encoding, uint64_t value)
{
	write_at(b, 2, encoding, value);
}

static uint64_t mrs(struct board_bench *b, uint32_t encoding)
{
	return read_at(b, 1, encoding);
}

static void msr(struct board_bench *b, uint32_t encoding, uint64_t value)
{
	write_at(b, 1, encoding, value);
}

static bool is_trapped(struct board_bench *b, uint32_t encoding, bool write)
{
	uint64_t value = 0;

	return access_at(b, 1, encoding, write, &value) == APMU_BOARD__ANSWER_TRAP_EL2;
}

/* Enables EL2's own interface, and the guest's at EL1 with both groups and all priorities. */
static void open_guest(struct board_bench *b)
{
	board_bench(b, "virt-gicv3");
	put(b, GICD, 2);
	put(b, GICR + 0x14, 0);
	put(b, SGI + 0x80, 0xFFFFFFFF); /* Group 1 */
	put(b, SGI + 0x100, MAINTENANCE_BIT | 1u << 23);
	set(b, PMR, 0xFF);
	set(b, IGRPEN1, 1);
	b->board.s.gic.virtual.guest = BOTH;
	set(b, VMCR, ENABLED);
	set(b, HCR, EN);
}

TEST(a_list_register_goes_from_pending_to_active_to_empty)
{
	struct board_bench b;

	open_guest(&b);
	CHECK_EQ(hyp(&b, VTR) & 31, APMU_BOARD__GIC_LISTS - 1);
	CHECK_EQ(hyp(&b, ELRSR), 0xF);
	set(&b, LR(1), PENDING | GROUP1 | AT(0x80) | 23);
	CHECK_EQ(lines(&b), VIRTUAL_IRQ);
	CHECK_EQ(hyp(&b, ELRSR), 0xD);
	CHECK_EQ(mrs(&b, HPPIR1), 23);
	CHECK_EQ(mrs(&b, IAR0), 1023);
	CHECK_EQ(mrs(&b, IAR1), 23);
	CHECK_EQ(lines(&b), 0);
	CHECK_EQ(hyp(&b, LR(1)), ACTIVE | GROUP1 | AT(0x80) | 23);
	CHECK_EQ(mrs(&b, RPR), 0x80);
	CHECK_EQ(hyp(&b, AP1R), 1u << 16);
	msr(&b, EOIR1, 23);
	CHECK_EQ(mrs(&b, RPR), 0xFF);
	CHECK_EQ(hyp(&b, LR(1)), GROUP1 | AT(0x80) | 23);
	CHECK_EQ(hyp(&b, ELRSR), 0xF);
	CHECK_EQ(mrs(&b, IAR1), 1023);
}

TEST(the_highest_virtual_priority_comes_first_and_preempts)
{
	struct board_bench b;

	open_guest(&b);
	set(&b, LR(0), PENDING | GROUP1 | AT(0x90) | 40);
	set(&b, LR(1), PENDING | GROUP1 | AT(0x80) | 41);
	CHECK_EQ(mrs(&b, IAR1), 41);
	CHECK_EQ(lines(&b), 0); /* 0x90 waits */
	set(&b, LR(2), PENDING | AT(0x40) | 42);
	CHECK_EQ(lines(&b), VIRTUAL_FIQ); /* Group 0 */
	CHECK_EQ(mrs(&b, IAR1), 1023);
	CHECK_EQ(mrs(&b, IAR0), 42);
	msr(&b, EOIR1, 41); /* not the active interrupt's group */
	CHECK_EQ(mrs(&b, RPR), 0x40);
	msr(&b, EOIR0, 42);
	CHECK_EQ(mrs(&b, RPR), 0x80);
	msr(&b, EOIR1, 41);
	CHECK_EQ(mrs(&b, IAR1), 40);
	msr(&b, EOIR1, 40);

	msr(&b, PMR, 0x80);
	set(&b, LR(0), PENDING | GROUP1 | AT(0x80) | 40);
	CHECK_EQ(lines(&b), 0);
	msr(&b, PMR, 0x88);
	CHECK_EQ(lines(&b), VIRTUAL_IRQ);
	msr(&b, IGRPEN1, 0);
	CHECK_EQ(lines(&b), 0);
	CHECK_EQ(hyp(&b, VMCR), 1u | 8 | 0x88u << 24 | 2u << 21 | 3u << 18);
}

/* With a binary point of 5 (Group 1), 0x80 and 0x90 have the same group priority and do not preempt each
 * other.
 */
TEST(within_a_group_priority_nothing_virtual_preempts)
{
	struct board_bench b;

	open_guest(&b);
	msr(&b, BPR1, 5);
	set(&b, LR(0), PENDING | GROUP1 | AT(0x90) | 40);
	CHECK_EQ(mrs(&b, IAR1), 40);
	set(&b, LR(1), PENDING | GROUP1 | AT(0x80) | 41);
	CHECK_EQ(lines(&b), 0);
	msr(&b, EOIR1, 40);
	CHECK_EQ(lines(&b), VIRTUAL_IRQ);
	msr(&b, BPR1, 0);
	CHECK_EQ(mrs(&b, BPR1), 3);
}

TEST(a_virtual_end_deactivates_the_physical_interrupt)
{
	struct board_bench b;

	open_guest(&b);
	set(&b, CTLR, 2); /* EL2's EOI only drops the priority */
	pmu(&b, true);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(hyp(&b, IAR1), 23);
	set(&b, EOIR1, 23);
	CHECK_EQ(lines(&b), 0); /* still active */
	set(&b, LR(0), PENDING | GROUP1 | STANDS_FOR(23) | 23);
	CHECK_EQ(mrs(&b, IAR1), 23);
	CHECK_EQ(get(&b, SGI + 0x300), 1u << 23);
	msr(&b, EOIR1, 23);
	CHECK_EQ(get(&b, SGI + 0x300), 0);
	CHECK_EQ(lines(&b), IRQ); /* the line is still up */
}

TEST(a_guest_may_drop_and_deactivate_apart)
{
	struct board_bench b;

	open_guest(&b);
	msr(&b, CTLR, 2);
	CHECK_EQ(mrs(&b, CTLR) & 3, 2);
	set(&b, LR(0), PENDING | GROUP1 | AT(0x80) | 40);
	CHECK_EQ(mrs(&b, IAR1), 40);
	msr(&b, EOIR1, 40);
	CHECK_EQ(mrs(&b, RPR), 0xFF);
	CHECK_EQ(hyp(&b, LR(0)) >> 62, 2);
	msr(&b, DIR, 40);
	CHECK_EQ(hyp(&b, LR(0)) >> 62, 0);
}

TEST(what_no_list_register_holds_is_counted_if_it_can_be_active)
{
	struct board_bench b;

	open_guest(&b);
	msr(&b, CTLR, 2);
	msr(&b, DIR, 40);
	CHECK_EQ(hyp(&b, HCR), EN | 1u << 27);
	msr(&b, DIR, 1023);
	msr(&b, DIR, 8192);
	CHECK_EQ(hyp(&b, HCR), EN | 1u << 27);
}

static void expect_maintenance(struct board_bench *b, uint32_t why)
{
	CHECK_EQ(hyp(b, MISR), why);
	CHECK_EQ(lines(b) & IRQ, why ? IRQ : 0);
	CHECK_EQ(get(b, SGI + 0x200), why ? MAINTENANCE_BIT : 0);
}

TEST(the_maintenance_interrupt_says_why)
{
	struct board_bench b;

	open_guest(&b);
	expect_maintenance(&b, 0);
	set(&b, LR(0), PENDING | GROUP1 | WANTS_EOI | 40);
	set(&b, HCR, EN | 0x2); /* UIE: at most one list register is in use */
	expect_maintenance(&b, 0x2);
	set(&b, LR(1), PENDING | GROUP1 | 41);
	expect_maintenance(&b, 0);
	set(&b, HCR, EN | 0x8); /* NPIE */
	expect_maintenance(&b, 0);
	CHECK_EQ(mrs(&b, IAR1), 40);
	msr(&b, EOIR1, 40);
	expect_maintenance(&b, 0x1);
	CHECK_EQ(hyp(&b, EISR), 1);
	CHECK_EQ(hyp(&b, ELRSR), 0xC);
	set(&b, LR(0), 0);
	CHECK_EQ(mrs(&b, IAR1), 41);
	expect_maintenance(&b, 0x8);
	set(&b, HCR, EN | 0x4); /* LRENPIE */
	set(&b, LR(1), 0);
	msr(&b, EOIR1, 41);
	expect_maintenance(&b, 0x4);
	CHECK_EQ(hyp(&b, HCR), EN | 0x4 | 1u << 27);
	msr(&b, EOIR1, 41); /* drops no priority */
	CHECK_EQ(hyp(&b, HCR), EN | 0x4 | 1u << 27);
	set(&b, HCR, EN | 0x40); /* VGrp1EIE */
	expect_maintenance(&b, 0x40);
	msr(&b, IGRPEN1, 0);
	expect_maintenance(&b, 0);
	set(&b, HCR, EN | 0x80); /* VGrp1DIE */
	expect_maintenance(&b, 0x80);
	set(&b, HCR, 0x80); /* not enabled: the status register still shows it */
	CHECK_EQ(lines(&b), 0);
}

TEST(what_the_hypervisor_keeps_is_trapped)
{
	struct board_bench b;
	uint64_t value = 0;

	open_guest(&b);
	CHECK(is_trapped(&b, SGI1R, true));
	CHECK(!is_trapped(&b, DIR, true));
	set(&b, HCR, EN | 0x4000); /* TDIR */
	CHECK(is_trapped(&b, DIR, true));
	CHECK(!is_trapped(&b, PMR, false));
	set(&b, HCR, EN | 0x400); /* TC */
	CHECK(is_trapped(&b, PMR, false));
	CHECK(!is_trapped(&b, IAR1, false));
	set(&b, HCR, EN | 0x1000); /* TALL1 */
	CHECK(is_trapped(&b, IAR1, false));
	CHECK(!is_trapped(&b, IAR0, false));
	CHECK_EQ(access_at(&b, 1, HCR, false, &value), APMU_BOARD__ANSWER_UNDEFINED);
	CHECK_EQ(access_at(&b, 2, VTR, true, &value), APMU_BOARD__ANSWER_UNDEFINED);
	CHECK_EQ(access_at(&b, 2, LR(APMU_BOARD__GIC_LISTS), false, &value), APMU_BOARD__ANSWER_UNDEFINED);
}

/* AArch32: ICH_LR<n> and ICH_LRC<n> are the two words of a list register. */
TEST(aarch32_has_list_registers_by_halves)
{
	struct board_bench b;
	struct apmu_access low = {.view = APMU_VIEW_CP,
				  .encoding = apmu_cp(15, 4, 12, 12, 3),
				  .from = {.el = 2}},
			   high = low;
	uint64_t value = 0;

	open_guest(&b);
	high.encoding = apmu_cp(15, 4, 12, 14, 3);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, low, 40), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(apmu_board__sysreg_write(&b.board, high, (PENDING | GROUP1 | AT(0x80)) >> 32),
		 APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(hyp(&b, LR(3)), PENDING | GROUP1 | AT(0x80) | 40);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, low, &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(value, 40);
	CHECK_EQ(apmu_board__sysreg_read(&b.board, high, &value), APMU_BOARD__ANSWER_DONE);
	CHECK_EQ(value, (PENDING | GROUP1 | AT(0x80)) >> 32);
}

/* If HCR_EL2.FMO is 0, Group 0 is physical at EL1. */
TEST(a_group_that_is_not_the_guests_is_physical)
{
	struct board_bench b;

	open_guest(&b);
	b.board.s.gic.virtual.guest = 2;
	set(&b, LR(0), PENDING | AT(0x80) | 40);
	CHECK_EQ(mrs(&b, IAR0), 1023);
	b.board.s.gic.virtual.guest = 3;
	CHECK_EQ(mrs(&b, IAR0), 40);
}
