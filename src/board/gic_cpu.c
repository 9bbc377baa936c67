/* SPDX-License-Identifier: MIT */
/* The CPU interface of version 2, GICC_* in memory (IHI0048B 4.4). */
#include "board/gic_internal.h"

enum {
	CTLR = 0x00,
	PMR = 0x04,
	BPR = 0x08,
	IAR = 0x0C,
	EOIR = 0x10,
	RPR = 0x14,
	HPPIR = 0x18,
	ABPR = 0x1C,
	AIAR = 0x20,
	AEOIR = 0x24,
	AHPPIR = 0x28,
	APR0 = 0xD0,
	NSAPR0 = 0xE0,
	IIDR = 0xFC,
	DIR = 0x1000,
};

#define CTLR_WRITTEN 0x3FFu /* EnableGrp0/1, AckCtl, FIQEn, CBPR, bypass bits, EOImodeS */
#define IIDR_GIC400  0x0202143Bu
#define INTID_GROUP1 1022u /* read from Group 0's register if the best interrupt is of Group 1 */
#define INTID_MASK   0x3FFu

/* The INTID that GICC_IAR or HPPIR (aliased: AIAR, AHPPIR) shows for the best interrupt. */
static unsigned visible(const struct apmu_board__gic *gic, unsigned intid, bool aliased)
{
	if (intid >= APMU_BOARD__GIC_INTIDS)
		return APMU_BOARD__INTID_SPURIOUS;
	unsigned group = apmu_board__gic_group(gic, intid);
	if (aliased)
		return group == 1 ? intid : APMU_BOARD__INTID_SPURIOUS;
	return group == 1 && !(gic->cpu_ctlr & APMU_BOARD__GIC_CTLR_ACKCTL) ? INTID_GROUP1 : intid;
}

static uint32_t acknowledge(struct apmu_board__gic *gic, bool aliased)
{
	unsigned best = apmu_board__gic_best(gic);

	if (!apmu_board__gic_preempts(gic, best))
		return APMU_BOARD__INTID_SPURIOUS;
	unsigned intid = visible(gic, best, aliased);
	return intid < APMU_BOARD__GIC_INTIDS ? apmu_board__gic_acknowledge(gic, intid) : intid;
}

static void end(struct apmu_board__gic *gic, uint32_t word)
{
	unsigned intid = word & INTID_MASK;

	if (intid >= APMU_BOARD__GIC_INTIDS)
		return;
	apmu_board__gic_drop_any(gic);
	if (!(gic->cpu_ctlr & APMU_BOARD__GIC_CTLR_EOIMODE2))
		apmu_board__gic_deactivate(gic, intid);
}

uint32_t apmu_board__gic_cpu_read(struct apmu_board__gic *gic, uint32_t offset)
{
	if (gic->version != 2)
		return 0;
	switch (offset) {
	case CTLR: return gic->cpu_ctlr;
	case PMR: return gic->pmr;
	case BPR: return gic->bpr[0];
	case IAR: return acknowledge(gic, false);
	case RPR: return apmu_board__gic_running(gic);
	case HPPIR: return visible(gic, apmu_board__gic_best(gic), false);
	case ABPR: return gic->bpr[1];
	case AIAR: return acknowledge(gic, true);
	case AHPPIR: return visible(gic, apmu_board__gic_best(gic), true);
	case APR0: return gic->running[0];
	case NSAPR0: return gic->running[1];
	case IIDR: return IIDR_GIC400;
	default: return 0;
	}
}

static uint8_t point(uint32_t word, unsigned least)
{
	return (uint8_t)((word & 7) < least ? least : word & 7);
}

static void write_ctlr(struct apmu_board__gic *gic, uint32_t word)
{
	gic->cpu_ctlr = word & CTLR_WRITTEN;
	gic->group_enable = word & 3;
}

void apmu_board__gic_cpu_write(struct apmu_board__gic *gic, uint32_t offset, uint32_t word)
{
	if (gic->version != 2)
		return;
	switch (offset) {
	case CTLR: write_ctlr(gic, word); break;
	case PMR: gic->pmr = word & APMU_BOARD__GIC_PRIORITY_MASK; break;
	case BPR: gic->bpr[0] = point(word, APMU_BOARD__GIC_BPR_LEAST); break;
	case EOIR:
	case AEOIR: end(gic, word); break;
	case ABPR: gic->bpr[1] = point(word, APMU_BOARD__GIC_BPR_LEAST + 1); break;
	case APR0: gic->running[0] = word; break;
	case NSAPR0: gic->running[1] = word; break;
	case DIR: apmu_board__gic_deactivate(gic, word & INTID_MASK); break;
	default: break;
	}
}
