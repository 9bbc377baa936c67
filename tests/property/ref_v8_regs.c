/* SPDX-License-Identifier: MIT */
/* pmuv3 2, 3.3 and 3.5: the effects of reads and writes. */
#include "ref_v8.h"

#define LOW32 0xFFFFFFFFull

static uint64_t one_if(bool exists, unsigned bit)
{
	return exists ? (uint64_t)1 << bit : 0;
}

static uint64_t two_if(bool exists, unsigned low)
{
	return exists ? (uint64_t)3 << low : 0;
}

/* 2.4 and 2.5: the bits that AArch32 can access. */
static uint64_t type_bits_a32(unsigned i)
{
	uint64_t filters = 0xF8000000 | 1u << 21;

	return i == APMU_CYCLE_COUNTER ? filters : filters | 1u << 25 | 0xFFFF;
}

/* 3.5 and 3.7. */
unsigned v8_accessible(const struct ref_v8 *r, struct apmu_access at)
{
	if (at.view == APMU_VIEW_MMIO)
		return v8_most_secure(r, at.from) ? r->n : v8_epmn(r);
	return at.from.el <= 1 && v8_el2_enabled(r, at.from) ? v8_hpmn(r) : v8_epmn(r);
}

static uint64_t below(unsigned n)
{
	return ((uint64_t)1 << n) - 1;
}

static uint64_t base_mask(const struct ref_v8 *r, struct apmu_access at)
{
	uint64_t mask = below(v8_accessible(r, at)) | V8_C;
	bool uen = v8_uen(r, at.from);

	if (at.view == APMU_VIEW_MMIO)
		return mask | (r->f.icntr ? V8_F0 : 0);
	if (r->f.icntr && at.view == APMU_VIEW_A64 && (at.from.el != 0 || uen))
		mask |= V8_F0;
	return uen ? mask & r->uacr : mask;
}

/* The two conditions of 3.5 that hide F0. */
static bool f0_hidden(const struct ref_v8 *r, struct apmu_access at, uint64_t fine, unsigned bit)
{
	if (at.view == APMU_VIEW_MMIO)
		return false;
	if (r->f.el3 && at.from.el < 3 && !(r->mdcr_el3 >> 7 & 1))
		return true;
	if (!v8_el2_enabled(r, at.from) || at.from.el > 1 || v8_in_host(r, at.from))
		return false;
	return (r->f.el3 && !(r->scr >> 59 & 1)) || !(fine >> bit & 1);
}

static uint64_t read_mask(const struct ref_v8 *r, struct apmu_access at)
{
	uint64_t mask = base_mask(r, at);

	return f0_hidden(r, at, r->hdfgrtr2, 3) ? mask & ~V8_F0 : mask;
}

/* IR, CR and ER make counters read-only at EL0 under UEN. */
static uint64_t el0_read_only(const struct ref_v8 *r, struct apmu_access at)
{
	uint64_t mask = 0;

	if (at.view == APMU_VIEW_MMIO || !v8_uen(r, at.from))
		return 0;
	if (r->useren & 0x20)
		mask |= V8_F0;
	if (r->useren & 0x04)
		mask |= V8_C;
	if (r->useren & 0x08)
		mask |= below(31);
	return mask;
}

static uint64_t write_mask(const struct ref_v8 *r, struct apmu_access at, bool zr)
{
	uint64_t mask = base_mask(r, at) & ~el0_read_only(r, at);

	return f0_hidden(r, at, r->hdfgwtr2, zr ? 2 : 3) ? mask & ~V8_F0 : mask;
}

/* 3.3: PMUACR's effect on one counter at EL0. */
static bool user_sees(const struct ref_v8 *r, unsigned i, struct apmu_access at)
{
	return at.view == APMU_VIEW_MMIO || !v8_uen(r, at.from) || (r->uacr >> i & 1);
}

static bool user_writes(const struct ref_v8 *r, unsigned i, struct apmu_access at)
{
	return user_sees(r, i, at) && !(el0_read_only(r, at) >> i & 1);
}

/* 2.1: true if PMCR.DP is implemented. */
static bool has_dp(const struct ref_v8 *r)
{
	return r->f.el3 || (r->f.p1 && r->f.el2) || r->f.p7 || r->f.dpfzs;
}

static uint64_t read_pmcr(const struct ref_v8 *r, struct apmu_access at)
{
	uint64_t v = (uint64_t)r->fzs << 32 | (uint64_t)r->fzo << 9 | (uint64_t)r->lp << 7 |
		     (uint64_t)(r->lc || !r->f.aa32) << 6 | (uint64_t)r->dp << 5 | (uint64_t)r->x << 4 |
		     (uint64_t)r->d << 3 | r->e;

	if (at.view == APMU_VIEW_MMIO)
		return v;
	return v | (r->f.p7 ? 0 : r->imp << 24 | r->idcode << 16) | (uint64_t)v8_accessible(r, at) << 11;
}

static void zero_counters(struct ref_v8 *r, uint64_t which)
{
	for (unsigned i = 0; i < APMU_COUNTERS; i++)
		if (which >> i & 1)
			r->counter[i] = 0;
}

static void write_pmcr(struct ref_v8 *r, struct apmu_access at, uint64_t v)
{
	r->fzs = r->f.spe12 && (v >> 32 & 1);
	r->fzo = r->f.p7 && (v >> 9 & 1);
	r->lp = r->f.p5 && (v >> 7 & 1);
	r->lc = v >> 6 & 1;
	r->dp = has_dp(r) && (v >> 5 & 1);
	r->x = r->f.export && (v >> 4 & 1);
	r->d = r->f.aa32 && (v >> 3 & 1);
	r->e = v & 1;
	if (v & 4)
		r->counter[APMU_CYCLE_COUNTER] = 0, r->phase = 0; /* choice: C clears the phase too */
	if (v & 2)
		zero_counters(r, below(v8_accessible(r, at)));
}

/* 2.14 */
static uint64_t pmmir(const struct ref_v8 *r, struct apmu_access at)
{
	uint64_t edge = r->f.th2 ? 2 : r->f.edge ? 1 : 0;
	bool sme = r->f.sme && at.view != APMU_VIEW_CP;

	return (uint64_t)sme << 28 | edge << 24 | (r->f.th ? (uint64_t)r->thwidth << 20 : 0) | r->slots;
}

/* 2.19 */
static uint64_t pmcfgr(const struct ref_v8 *r, struct apmu_access at)
{
	return one_if(r->f.icntr, 28) | one_if(r->f.ss, 22) | one_if(r->f.p7, 21) | one_if(r->f.export, 16) |
	       one_if(r->f.aa32, 15) | 1u << 14 | 0x3F00 | (v8_accessible(r, at) + r->f.icntr);
}

/* The counter that SEL, the encoding or the register selects; event types have the same number. */
static unsigned counter_of(const struct ref_v8 *r, struct v8_hit hit)
{
	switch (hit.reg) {
	case V8_XEVCNTR:
	case V8_XEVTYPER: return r->sel;
	case V8_CCNTR:
	case V8_CCFILTR:
	case V8_CCNTSVR: return APMU_CYCLE_COUNTER;
	case V8_ICNTR:
	case V8_ICFILTR:
	case V8_ICNTSVR: return APMU_INSTR_COUNTER;
	case V8_EVCNTR:
	case V8_EVTYPER:
	case V8_EVCNTSVR: return hit.i;
	default: return APMU_COUNTERS; /* none */
	}
}

/* True if the counter is in R3 or absent for this access to the frame, so that it is RAZ/WI (3.7). */
static bool out_of_frame(const struct ref_v8 *r, unsigned i, struct apmu_access at)
{
	return at.view == APMU_VIEW_MMIO && i < 31 && i >= v8_accessible(r, at);
}

static uint64_t read_type(const struct ref_v8 *r, unsigned i, struct apmu_access at)
{
	uint64_t v = user_sees(r, i, at) ? r->type[i] : 0;

	return at.view == APMU_VIEW_CP ? v & type_bits_a32(i) : v;
}

/* 2.15: HPMN above EPMN reads as its effective value. */
static uint64_t read_mdcr_el2(const struct ref_v8 *r)
{
	if (r->f.extpmn && (r->mdcr_el2 & 31) > v8_epmn(r))
		return (r->mdcr_el2 & ~(uint64_t)31) | v8_epmn(r);
	return r->mdcr_el2;
}

static uint64_t read_reg(const struct ref_v8 *r, struct v8_hit hit, struct apmu_access at)
{
	unsigned i = counter_of(r, hit);

	if (out_of_frame(r, i, at))
		return 0;
	switch (hit.reg) {
	case V8_PMCR: return read_pmcr(r, at);
	case V8_CNTEN:
	case V8_CNTENSET:
	case V8_CNTENCLR: return r->cnten & read_mask(r, at);
	case V8_OVS:
	case V8_OVSCLR:
	case V8_OVSSET: return r->ovs & read_mask(r, at);
	case V8_INTEN:
	case V8_INTENSET:
	case V8_INTENCLR: return r->inten & read_mask(r, at);
	case V8_SELR: return r->sel;
	case V8_CEID0: return r->ceid0;
	case V8_CEID1: return r->ceid1;
	case V8_XEVCNTR:
	case V8_EVCNTR:
	case V8_CCNTR:
	case V8_ICNTR: return user_sees(r, i, at) ? r->counter[i] : 0;
	case V8_XEVTYPER:
	case V8_EVTYPER:
	case V8_CCFILTR:
	case V8_ICFILTR: return read_type(r, i, at);
	case V8_EVCNTSVR:
	case V8_CCNTSVR:
	case V8_ICNTSVR: return r->saved[i];
	case V8_USERENR: return r->useren;
	case V8_UACR: return r->uacr & base_mask(r, at);
	case V8_ECR: return r->pmecr;
	case V8_MIR: return pmmir(r, at);
	case V8_IAR: return r->pmiar;
	case V8_SSCR: return (uint64_t)r->nc << 32;
	case V8_HDCR:
	case V8_MDCR_EL2: return read_mdcr_el2(r);
	case V8_MDCR_EL3: return r->mdcr_el3;
	case V8_HDFGRTR: return r->hdfgrtr;
	case V8_HDFGWTR: return r->hdfgwtr;
	case V8_HDFGRTR2: return r->hdfgrtr2;
	case V8_HDFGWTR2: return r->hdfgwtr2;
	case V8_CFGR: return pmcfgr(r, at);
	case V8_CCR:
		return v8_most_secure(r, at.from) ? (uint64_t)r->oslo << 8 | (uint64_t)r->epme << 7 | r->epmn
						  : 0;
	case V8_LSR: return at.from.debug_port ? 0 : (uint64_t)r->slk << 1 | 1;
	default: return 0;
	}
}

static uint64_t replace(uint64_t old, uint64_t v, uint64_t mask)
{
	return (old & ~mask) | (v & mask);
}

/* PMSWINC is not subject to ER (3.3), and SW overrides PMUACR. */
static uint64_t swinc_mask(const struct ref_v8 *r, struct apmu_access at)
{
	uint64_t mask = below(v8_accessible(r, at));

	return v8_uen(r, at.from) && !(r->useren & 2) ? mask & r->uacr : mask;
}

static uint64_t useren_bits(const struct ref_v8 *r)
{
	return one_if(r->f.p9, 6) | one_if(r->f.icntr, 5) | one_if(r->f.p9, 4) | 0xF;
}

static uint64_t ecr_bits(const struct ref_v8 *r)
{
	return two_if(r->f.ss, 3) | one_if(r->f.ebep, 2) | two_if(r->f.ebep, 0);
}

/* `part`: the bits of the register that the view can access. */
static void write_counted(struct ref_v8 *r, struct v8_hit hit, struct apmu_access at, uint64_t v,
			  uint64_t part)
{
	unsigned i = counter_of(r, hit);
	bool type = hit.reg == V8_XEVTYPER || hit.reg == V8_EVTYPER || hit.reg == V8_CCFILTR ||
		    hit.reg == V8_ICFILTR;

	if (out_of_frame(r, i, at) || !user_writes(r, i, at))
		return;
	if (type && at.view == APMU_VIEW_CP)
		part &= type_bits_a32(i);
	if (type)
		r->type[i] = replace(r->type[i], v, part & v8_type_bits(r, i));
	else
		r->counter[i] = replace(r->counter[i], v, i < 31 && !r->f.p5 ? part & LOW32 : part);
}

static void write_ccr(struct ref_v8 *r, struct apmu_access at, uint64_t v)
{
	if (!v8_most_secure(r, at.from))
		return;
	r->oslo = v >> 8 & 1;
	r->epme = v >> 7 & 1;
	r->epmn = v & 31;
}

/* `v` has its bits at the register's positions; `part`: those that the view can access. */
static void write_reg(struct ref_v8 *r, struct v8_hit hit, struct apmu_access at, uint64_t v, uint64_t part)
{
	uint64_t mask = write_mask(r, at, hit.reg == V8_ZR) & part, mdcr = v8_mdcr_el2_bits(r) & part;

	switch (hit.reg) {
	case V8_PMCR: write_pmcr(r, at, part == LOW32 ? (v & LOW32) | (uint64_t)r->fzs << 32 : v); break;
	case V8_CNTEN: r->cnten = replace(r->cnten, v, mask); break;
	case V8_CNTENSET: r->cnten |= v & mask; break;
	case V8_CNTENCLR: r->cnten &= ~(v & mask); break;
	case V8_OVS: r->ovs = replace(r->ovs, v, mask); break;
	case V8_OVSSET: r->ovs |= v & mask; break;
	case V8_OVSCLR: r->ovs &= ~(v & mask); break;
	case V8_INTEN: r->inten = replace(r->inten, v, mask); break;
	case V8_INTENSET: r->inten |= v & mask; break;
	case V8_INTENCLR: r->inten &= ~(v & mask); break;
	case V8_SWINC: v8_software_increment(r, v & swinc_mask(r, at)); break;
	case V8_SELR: r->sel = v & 31; break;
	case V8_XEVCNTR:
	case V8_EVCNTR:
	case V8_CCNTR:
	case V8_ICNTR:
	case V8_XEVTYPER:
	case V8_EVTYPER:
	case V8_CCFILTR:
	case V8_ICFILTR: write_counted(r, hit, at, v, part); break;
	case V8_ZR: zero_counters(r, v & mask); break;
	case V8_USERENR: r->useren = (uint8_t)(v & useren_bits(r)); break;
	case V8_UACR: r->uacr = replace(r->uacr, v, base_mask(r, at) & part); break;
	case V8_ECR: r->pmecr = v & ecr_bits(r); break;
	case V8_IAR: r->pmiar = v; break;
	case V8_SSCR:
		if (v & 1)
			ref_v8_capture(r);
		break;
	case V8_HDCR:
	case V8_MDCR_EL2: r->mdcr_el2 = replace(r->mdcr_el2, v, mdcr); break;
	case V8_MDCR_EL3: r->mdcr_el3 = v & v8_mdcr_el3_bits(r); break;
	case V8_HDFGRTR: r->hdfgrtr = v; break;
	case V8_HDFGWTR: r->hdfgwtr = v; break;
	case V8_HDFGRTR2: r->hdfgrtr2 = v; break;
	case V8_HDFGWTR2: r->hdfgwtr2 = v; break;
	case V8_CCR: write_ccr(r, at, v); break;
	case V8_LAR: r->slk = at.from.debug_port ? r->slk : v != 0xC5ACCE55; break;
	default: break;
	}
}

enum apmu_outcome ref_v8_read(const struct ref_v8 *r, struct apmu_access at, uint64_t *value)
{
	struct v8_hit hit = v8_where(r, at);
	enum apmu_outcome outcome = v8_check(r, hit, at, false);
	uint64_t v;

	if (outcome != APMU_DONE)
		return outcome;
	v = read_reg(r, hit, at);
	*value = hit.half == V8_LOW ? v & LOW32 : hit.half == V8_HIGH ? v >> 32 : v;
	return outcome;
}

enum apmu_outcome ref_v8_write(struct ref_v8 *r, struct apmu_access at, uint64_t value)
{
	struct v8_hit hit = v8_where(r, at);
	enum apmu_outcome outcome = v8_check(r, hit, at, true);
	bool locked = at.view == APMU_VIEW_MMIO && r->f.ext32 && r->slk && !at.from.debug_port;

	if (outcome != APMU_DONE || (locked && hit.reg != V8_LAR && hit.reg != V8_CCR))
		return outcome;
	if (hit.half == V8_HIGH)
		write_reg(r, hit, at, value << 32, ~LOW32);
	else
		write_reg(r, hit, at, hit.half == V8_LOW ? value & LOW32 : value,
			  hit.half == V8_LOW ? LOW32 : ~(uint64_t)0);
	return outcome;
}
