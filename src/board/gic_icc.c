/* SPDX-License-Identifier: MIT */
/* The CPU interface of version 3: ICC_* as system registers (IHI0069 12.2), in AArch64 and AArch32. */
#include "board/gic_internal.h"

#define OF(name) name = APMU_BOARD__ICC_##name
enum icc {
	OF(PMR),
	OF(IAR),
	OF(EOIR),
	OF(HPPIR),
	OF(BPR),
	OF(APR),
	OF(APR_REST),
	OF(DIR),
	OF(RPR),
	OF(SGI),
	OF(SGI_OTHER),
	OF(CTLR),
	OF(SRE),
	OF(IGRPEN)
};
enum rights { RW, RO, WO };

struct row {
	uint8_t crm, op2; /* CRn is 12, or 4 for PMR */
	uint8_t what, group, rights;
};

#define CRN_PMR 4u
#define CRN_ICC 12u

/* clang-format off */
static const struct row rows[] = {
	{8,  0, IAR,   0, RO}, {8,  1, EOIR,     0, WO}, {8,  2, HPPIR,    0, RO}, {8,  3, BPR,      0, RW},
	{8,  4, APR,   0, RW}, {8,  5, APR_REST, 0, RW}, {8,  6, APR_REST, 0, RW}, {8,  7, APR_REST, 0, RW},
	{9,  0, APR,   1, RW}, {9,  1, APR_REST, 1, RW}, {9,  2, APR_REST, 1, RW}, {9,  3, APR_REST, 1, RW},
	{11, 1, DIR,   0, WO}, {11, 3, RPR,      0, RO},
	{12, 0, IAR,   1, RO}, {12, 1, EOIR,     1, WO}, {12, 2, HPPIR,    1, RO}, {12, 3, BPR,      1, RW},
	{12, 4, CTLR,  0, RW}, {12, 5, SRE,      0, RW}, {12, 6, IGRPEN,   0, RW}, {12, 7, IGRPEN,   1, RW},
};
static const struct row pmr_row = {6, 0, PMR, 0, RW};

/* SGI1R, ASGI1R, SGI0R: op2 5, 6, 7 of CRm 11, and opc1 0, 1, 2 of an MCRR. ASGI1R reaches Group 1 of the
 * other Security state; with one state, interrupts that are not of Group 1. */
static const struct row sgi_rows[] = {{11, 5, SGI, 1, WO}, {11, 6, SGI_OTHER, 0, WO}, {11, 7, SGI, 0, WO}};
/* clang-format on */

#define CTLR_WRITTEN (APMU_BOARD__GIC_CTLR_CBPR_V3 | APMU_BOARD__GIC_CTLR_EOIMODE3)
#define CTLR_FIXED   (4u << 8 | 1u << 15) /* PRIbits: 5 of priority; IDbits: 16; A3V */
#define SRE_ALWAYS   7u                   /* SRE, DFB, DIB: no memory-mapped interface, no bypass */
#define INTID_MASK   0xFFFFFFu
#define SGI_OTHERS   40 /* IRM: all but the sender */

static const struct row *find(struct apmu_access at)
{
	uint32_t crn = at.encoding >> 8 & 0xF, crm = at.encoding >> 4 & 0xF, op2 = at.encoding & 0xF;

	if (crn == CRN_PMR)
		return crm == pmr_row.crm && op2 == pmr_row.op2 ? &pmr_row : NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].crm == crm && rows[i].op2 == op2)
			return &rows[i];
	if (at.view == APMU_VIEW_A64 && crm == sgi_rows[0].crm && op2 >= sgi_rows[0].op2 && op2 <= 7)
		return &sgi_rows[op2 - sgi_rows[0].op2];
	return NULL;
}

/* The row of an access; NULL if its encoding is not of the ICC_* registers of EL1. */
static const struct row *locate(struct apmu_access at)
{
	uint32_t crn = at.encoding >> 8 & 0xF, opc1 = at.encoding >> 12 & 0xF, space = at.encoding >> 16;

	switch (at.view) {
	case APMU_VIEW_A64:
		return space == 3 && opc1 == 0 && (crn == CRN_ICC || crn == CRN_PMR) ? find(at) : NULL;
	case APMU_VIEW_CP:
		return space == 15 && opc1 == 0 && (crn == CRN_ICC || crn == CRN_PMR) ? find(at) : NULL;
	case APMU_VIEW_CP64:
		return space == 15 && (at.encoding >> 4 & 0xF) == CRN_ICC && opc1 < 3 ? &sgi_rows[opc1]
										      : NULL;
	default: return NULL;
	}
}

/* The best interrupt, if it is of this group. */
static unsigned of_group(const struct apmu_board__gic *gic, unsigned group)
{
	unsigned best = apmu_board__gic_best(gic);

	return best < APMU_BOARD__GIC_INTIDS && apmu_board__gic_group(gic, best) == group
		       ? best
		       : APMU_BOARD__INTID_SPURIOUS;
}

static unsigned acknowledge(struct apmu_board__gic *gic, unsigned group)
{
	unsigned best = of_group(gic, group);

	return apmu_board__gic_preempts(gic, best) ? apmu_board__gic_acknowledge(gic, best)
						   : APMU_BOARD__INTID_SPURIOUS;
}

/* True if BPR0 decides for Group 1 too. Below EL3 BPR1 then reads one further than BPR0, and ignores writes
 * (IHI0069, ICC_BPR1_EL1). */
static bool is_common(const struct apmu_board__gic *gic, unsigned group, unsigned el)
{
	return group == 1 && el < 3 && gic->cpu_ctlr & APMU_BOARD__GIC_CTLR_CBPR_V3;
}

static unsigned read_bpr(const struct apmu_board__gic *gic, unsigned group, unsigned el)
{
	unsigned zero = gic->bpr[0];

	if (is_common(gic, group, el))
		return zero < 7 ? zero + 1 : 7;
	return gic->bpr[group];
}

static uint64_t read_register(struct apmu_board__gic *gic, const struct row *row, unsigned el)
{
	switch ((enum icc)row->what) {
	case PMR: return gic->pmr;
	case IAR: return acknowledge(gic, row->group);
	case HPPIR: return of_group(gic, row->group);
	case BPR: return read_bpr(gic, row->group, el);
	case APR: return gic->running[row->group];
	case RPR: return apmu_board__gic_running(gic);
	case CTLR: return gic->cpu_ctlr | CTLR_FIXED;
	case SRE: return SRE_ALWAYS;
	case IGRPEN: return gic->group_enable >> row->group & 1;
	default: return 0;
	}
}

/* Drops the running priority only if it is of this group (IHI0069 4.6.1). */
static void end(struct apmu_board__gic *gic, unsigned group, uint64_t value)
{
	uint64_t intid = value & INTID_MASK;
	unsigned running = apmu_board__gic_running(gic);

	if (intid >= APMU_BOARD__GIC_INTIDS || running == APMU_BOARD__GIC_IDLE_PRIORITY)
		return;
	if (!apmu_base__is_set(gic->running[group], running >> 3))
		return;
	apmu_board__gic_drop(gic, group);
	if (!(gic->cpu_ctlr & APMU_BOARD__GIC_CTLR_EOIMODE3))
		apmu_board__gic_deactivate(gic, (unsigned)intid);
}

/* Sends an SGI to cores by affinity and list; this core is 0.0.0.0, bit 0 of the list. */
static void send_sgi(struct apmu_board__gic *gic, unsigned group, uint64_t value)
{
	uint64_t affinity =
		apmu_base__get(value, 55, 48) | apmu_base__get(value, 39, 32) | apmu_base__get(value, 23, 16);
	unsigned intid = (unsigned)apmu_base__get(value, 27, 24);

	if (!apmu_base__is_set(value, SGI_OTHERS) && !affinity && value & 1 &&
	    apmu_board__gic_group(gic, intid) == group)
		apmu_board__gic_sgi(gic, intid);
}

static void write_bpr(struct apmu_board__gic *gic, unsigned group, uint64_t value, unsigned el)
{
	unsigned least = APMU_BOARD__GIC_BPR_LEAST + group;

	if (is_common(gic, group, el))
		return;
	gic->bpr[group] = (uint8_t)((value & 7) < least ? least : value & 7);
}

static void write_register(struct apmu_board__gic *gic, const struct row *row, uint64_t value, unsigned el)
{
	switch ((enum icc)row->what) {
	case PMR: gic->pmr = value & APMU_BOARD__GIC_PRIORITY_MASK; break;
	case EOIR: end(gic, row->group, value); break;
	case BPR: write_bpr(gic, row->group, value, el); break;
	case APR: gic->running[row->group] = (uint32_t)value; break;
	case DIR: apmu_board__gic_deactivate(gic, (unsigned)(value & INTID_MASK)); break;
	case SGI:
	case SGI_OTHER: send_sgi(gic, row->group, value); break;
	case CTLR: gic->cpu_ctlr = value & CTLR_WRITTEN; break;
	case IGRPEN:
		gic->group_enable = (uint8_t)apmu_base__with(gic->group_enable, row->group, value & 1);
		break;
	default: break;
	}
}

/* True if a guest at EL1 has its own register here. A register that belongs to no group is the guest's if
 * either group is. */
static bool is_guests(const struct apmu_board__gic *gic, const struct row *row, struct apmu_access at)
{
	if (at.from.el != 1)
		return false;
	switch ((enum icc)row->what) {
	case PMR:
	case DIR:
	case RPR:
	case CTLR:
	case SGI:
	case SGI_OTHER: return gic->virtual.guest;
	case SRE: return false;
	default: return gic->virtual.guest >> row->group & 1;
	}
}

/* The level that a register belongs to. CRn 12 from CRm 8 on belongs to EL2 with opc1 4; with opc1 6 there is
 * ICC_SRE_EL3 (ICC_MSRE) alone, of EL3. */
static unsigned level_of(struct apmu_access at)
{
	uint32_t space = at.view == APMU_VIEW_A64 ? 3u << 16 : at.view == APMU_VIEW_CP ? 15u << 16 : 0;

	if (!space || (at.encoding & 0xF0F80) != (space | CRN_ICC << 8 | 8 << 4))
		return 1;
	if ((at.encoding & 0xF0FF) == (6 << 12 | 12 << 4 | 5))
		return 3;
	return (at.encoding >> 12 & 15) == 4 ? 2 : 1;
}

enum apmu_board__answer apmu_board__gic_sysreg(struct apmu_board__gic *gic, struct apmu_access at, bool write,
					       uint64_t *value)
{
	const struct row *row = gic->version == 3 ? locate(at) : NULL;
	unsigned level = gic->version == 3 ? level_of(at) : 1;

	if (level > 1)
		return at.from.el < level ? APMU_BOARD__ANSWER_UNDEFINED
					  : apmu_board__gic_hyp(gic, at, write, value);
	if (!row)
		return APMU_BOARD__ANSWER_NOT_MINE;
	/* APR_REST: ICC_AP<g>R1 and up are there with more than 5 bits of priority alone (IHI0069,
	 * ICC_AP0R<n>_EL1). */
	if (at.from.el == 0 || row->rights == (write ? RO : WO) || row->what == APR_REST)
		return APMU_BOARD__ANSWER_UNDEFINED;
	if (is_guests(gic, row, at))
		return apmu_board__gic_guest(gic, (enum apmu_board__icc)row->what, row->group, write, value);
	if (write)
		write_register(gic, row, *value, at.from.el);
	else
		*value = read_register(gic, row, at.from.el);
	return APMU_BOARD__ANSWER_DONE;
}
