/* SPDX-License-Identifier: MIT */
/* pmuv3 1.1 to 1.3: the register of an encoding. */
#include "ref_v8.h"

#define NO 0xFFFF

/* The registers with one encoding: AArch64 as op0 op1 CRn CRm op2 in hexadecimal, then the frames. */
static const struct {
	enum v8_reg reg;
	uint32_t a64;
	uint16_t ext32, ext32_high, ext64;
} one[] = {
	{V8_PMCR, 0x339C0, 0xE04, NO, 0xE10},
	{V8_CNTENSET, 0x339C1, 0xC00, 0xC04, 0xC00},
	{V8_CNTENCLR, 0x339C2, 0xC20, 0xC24, 0xC20},
	{V8_OVSCLR, 0x339C3, 0xC80, 0xC84, 0xC80},
	{V8_SWINC, 0x339C4, NO, NO, NO},
	{V8_SELR, 0x339C5, NO, NO, NO},
	{V8_CEID0, 0x339C6, 0xE20, 0xE28, NO},
	{V8_CEID1, 0x339C7, 0xE24, 0xE2C, NO},
	{V8_CCNTR, 0x339D0, 0x0F8, 0x0FC, 0x0F8},
	{V8_XEVTYPER, 0x339D1, NO, NO, NO},
	{V8_XEVCNTR, 0x339D2, NO, NO, NO},
	{V8_ZR, 0x339D4, 0xCA0, 0xCA4, 0xCA0},
	{V8_USERENR, 0x339E0, NO, NO, NO},
	{V8_OVSSET, 0x339E3, 0xCC0, 0xCC4, 0xCC0},
	{V8_ICNTR, 0x33940, 0x100, 0x104, 0x100},
	{V8_ICFILTR, 0x33960, 0x480, 0xA80, 0x500},
	{V8_CCFILTR, 0x33EF7, 0x47C, 0xA7C, 0x4F8},
	{V8_INTENSET, 0x309E1, 0xC40, 0xC44, 0xC40},
	{V8_INTENCLR, 0x309E2, 0xC60, 0xC64, 0xC60},
	{V8_UACR, 0x309E4, NO, NO, NO},
	{V8_ECR, 0x309E5, NO, NO, NO},
	{V8_MIR, 0x309E6, 0xE40, NO, 0xE40},
	{V8_IAR, 0x309E7, NO, NO, NO},
	{V8_SSCR, 0x309D3, 0xE30, NO, 0xE30},
	{V8_CCNTSVR, 0x20EB7, NO, NO, 0x6F8},
	{V8_ICNTSVR, 0x20EC0, NO, NO, 0x700},
	{V8_MDCR_EL2, 0x34111, NO, NO, NO},
	{V8_MDCR_EL3, 0x36131, NO, NO, NO},
	{V8_HDFGRTR, 0x34314, NO, NO, NO},
	{V8_HDFGWTR, 0x34315, NO, NO, NO},
	{V8_HDFGRTR2, 0x34310, NO, NO, NO},
	{V8_HDFGWTR2, 0x34311, NO, NO, NO},
	{V8_CNTEN, 0, NO, NO, 0xC10},
	{V8_INTEN, 0, NO, NO, 0xC50},
	{V8_OVS, 0, NO, NO, 0xC90},
	{V8_CFGR, 0, 0xE00, NO, 0xE00},
	{V8_CCR, 0, 0xE58, NO, 0xE58},
	{V8_LAR, 0, 0xFB0, NO, NO},
	{V8_LSR, 0, 0xFB4, NO, NO},
};
#define ONES (sizeof one / sizeof one[0])

/* Column "Added by" of 1.1 and 1.3. */
static bool exists(const struct ref_v8 *r, enum v8_reg reg)
{
	switch (reg) {
	case V8_ZR:
	case V8_UACR: return r->f.p9;
	case V8_ICNTR:
	case V8_ICFILTR: return r->f.icntr;
	case V8_ECR: return r->f.ebep || r->f.ss;
	case V8_MIR: return r->f.p4;
	case V8_IAR: return r->f.sebep;
	case V8_SSCR:
	case V8_EVCNTSVR:
	case V8_CCNTSVR: return r->f.ss;
	case V8_ICNTSVR: return r->f.ss && r->f.icntr;
	case V8_MDCR_EL2: return r->f.el2;
	case V8_MDCR_EL3: return r->f.el3;
	case V8_HDFGRTR:
	case V8_HDFGWTR: return r->f.fgt;
	case V8_HDFGRTR2:
	case V8_HDFGWTR2: return r->f.fgt2;
	case V8_CCR: return r->f.extpmn;
	default: return true;
	}
}

/* n from CRm[1:0]:op2 of `first`, CRm 8 or 12 in its place; 31 is no counter. */
static bool indexed(uint32_t e, uint32_t first, unsigned *n)
{
	if (e < first || e >= first + 0x40 || (e & 8))
		return false;
	*n = (e - first) >> 4 << 3 | (e & 7);
	return *n < 31;
}

static struct v8_hit where_a64(uint32_t e)
{
	unsigned n;

	for (size_t k = 0; k < ONES; k++)
		if (one[k].a64 != 0 && e == one[k].a64)
			return (struct v8_hit){one[k].reg, 0, V8_ALL};
	if (indexed(e, 0x33E80, &n))
		return (struct v8_hit){V8_EVCNTR, n, V8_ALL};
	if (indexed(e, 0x33EC0, &n))
		return (struct v8_hit){V8_EVTYPER, n, V8_ALL};
	if (indexed(e, 0x20E80, &n))
		return (struct v8_hit){V8_EVCNTSVR, n, V8_ALL};
	return (struct v8_hit){V8_NOTHING, 0, V8_ALL};
}

/* 1.2: p15, opc1 0; the same CRm and opc2 as in AArch64, with exceptions. */
static struct v8_hit where_cp(const struct ref_v8 *r, uint32_t e)
{
	unsigned n;

	if (e == apmu_cp(15, 4, 1, 1, 1) && r->f.el2 && r->f.aa32el1)
		return (struct v8_hit){V8_HDCR, 0, V8_LOW};
	if (e == apmu_cp(15, 0, 9, 14, 4) && r->f.p1)
		return (struct v8_hit){V8_CEID0, 0, V8_HIGH};
	if (e == apmu_cp(15, 0, 9, 14, 5) && r->f.p1)
		return (struct v8_hit){V8_CEID1, 0, V8_HIGH};
	if (e == apmu_cp(15, 0, 9, 14, 6) && r->f.aa32el1)
		return (struct v8_hit){V8_MIR, 0, V8_LOW};
	if (e == apmu_cp(15, 0, 9, 14, 1))
		return (struct v8_hit){V8_INTENSET, 0, V8_LOW};
	if (e == apmu_cp(15, 0, 9, 14, 2))
		return (struct v8_hit){V8_INTENCLR, 0, V8_LOW};
	if (e == apmu_cp(15, 0, 14, 15, 7))
		return (struct v8_hit){V8_CCFILTR, 0, V8_LOW};
	for (unsigned op2 = 0; op2 < 8; op2++)
		if (e == apmu_cp(15, 0, 9, 12, op2))
			return (struct v8_hit){where_a64(0x339C0 + op2).reg, 0, V8_LOW};
	for (unsigned op2 = 0; op2 < 3; op2++)
		if (e == apmu_cp(15, 0, 9, 13, op2))
			return (struct v8_hit){where_a64(0x339D0 + op2).reg, 0, V8_LOW};
	if (e == apmu_cp(15, 0, 9, 14, 0))
		return (struct v8_hit){V8_USERENR, 0, V8_LOW};
	if (e == apmu_cp(15, 0, 9, 14, 3))
		return (struct v8_hit){V8_OVSSET, 0, V8_LOW};
	if (indexed(e, apmu_cp(15, 0, 14, 8, 0), &n))
		return (struct v8_hit){V8_EVCNTR, n, V8_LOW};
	if (indexed(e, apmu_cp(15, 0, 14, 12, 0), &n))
		return (struct v8_hit){V8_EVTYPER, n, V8_LOW};
	return (struct v8_hit){V8_NOTHING, 0, V8_ALL};
}

static bool array(uint32_t e, uint32_t first, uint32_t stride, unsigned *n)
{
	if (e < first || (e - first) % stride != 0)
		return false;
	*n = (e - first) / stride;
	return *n < 31;
}

/* The upper halves that hold F0 alone. */
static bool for_f0(enum v8_reg reg)
{
	switch (reg) {
	case V8_CNTENSET:
	case V8_CNTENCLR:
	case V8_OVSCLR:
	case V8_OVSSET:
	case V8_INTENSET:
	case V8_INTENCLR: return true;
	default: return false;
	}
}

static struct v8_hit where_ext32(const struct ref_v8 *r, uint32_t e)
{
	unsigned n;

	for (size_t k = 0; k < ONES; k++) {
		if (e == one[k].ext32)
			return (struct v8_hit){one[k].reg, 0, V8_LOW};
		if (e == one[k].ext32_high && (r->f.icntr || !for_f0(one[k].reg)))
			return (struct v8_hit){one[k].reg, 0, V8_HIGH};
	}
	if (array(e, 0x000, 8, &n))
		return (struct v8_hit){V8_EVCNTR, n, V8_LOW};
	if (r->f.p5 && array(e, 0x004, 8, &n))
		return (struct v8_hit){V8_EVCNTR, n, V8_HIGH};
	if (array(e, 0x400, 4, &n))
		return (struct v8_hit){V8_EVTYPER, n, V8_LOW};
	if (array(e, 0xA00, 4, &n))
		return (struct v8_hit){V8_EVTYPER, n, V8_HIGH};
	return (struct v8_hit){V8_NOTHING, 0, V8_ALL};
}

static struct v8_hit where_ext64(uint32_t e)
{
	unsigned n;

	for (size_t k = 0; k < ONES; k++)
		if (e == one[k].ext64)
			return (struct v8_hit){one[k].reg, 0, V8_ALL};
	if (array(e, 0x000, 8, &n))
		return (struct v8_hit){V8_EVCNTR, n, V8_ALL};
	if (array(e, 0x400, 8, &n))
		return (struct v8_hit){V8_EVTYPER, n, V8_ALL};
	if (array(e, 0x600, 8, &n))
		return (struct v8_hit){V8_EVCNTSVR, n, V8_ALL};
	return (struct v8_hit){V8_NOTHING, 0, V8_ALL};
}

struct v8_hit v8_where(const struct ref_v8 *r, struct apmu_access at)
{
	struct v8_hit hit = {V8_NOTHING, 0, V8_ALL};

	if (at.view == APMU_VIEW_A64)
		hit = where_a64(at.encoding);
	else if (at.view == APMU_VIEW_CP)
		hit = where_cp(r, at.encoding);
	else if (at.view == APMU_VIEW_CP64 && at.encoding == apmu_cp64(15, 0, 9))
		hit = (struct v8_hit){V8_CCNTR, 0, V8_ALL};
	else if (at.view == APMU_VIEW_MMIO && r->f.ext64)
		hit = where_ext64(at.encoding);
	else if (at.view == APMU_VIEW_MMIO && r->f.ext32)
		hit = where_ext32(r, at.encoding);
	if (!exists(r, hit.reg))
		hit.reg = V8_NOTHING;
	return hit;
}
