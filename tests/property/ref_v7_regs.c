/* SPDX-License-Identifier: MIT */
/* armv7 2, 3 and 6: the register of an encoding, the right to access it, and the effects of reads and writes.
 */
#include "ref_v7.h"

#define C31 0x80000000u

/* armv7 2 and 3.4: the registers. */
enum reg {
	NOTHING,
	PMCR,
	PMCNTENSET,
	PMCNTENCLR,
	PMOVSR,
	PMSWINC,
	PMSELR,
	PMCEID0,
	PMCEID1,
	PMCCNTR,
	PMXEVTYPER,
	PMXEVCNTR,
	PMUSERENR,
	PMINTENSET,
	PMINTENCLR,
	PMOVSSET,
	HDCR,
	SDER,
	EVTYPER, /* the frame's PMXEVTYPER<n> */
	EVCNTR,  /* the frame's PMXEVCNTR<n> */
	CCFILTR, /* the frame's PMXEVTYPER31 */
	PMLAR,
	PMLSR
};

static uint32_t bits_below(unsigned n)
{
	return ((uint32_t)1 << n) - 1;
}

/* armv7 3.5: Non-secure PL1 and PL0 see the counters below HPMN; the frame sees all (6). */
static unsigned visible(const struct ref_v7 *r, struct apmu_access at)
{
	if (at.view == APMU_VIEW_CP && r->el2 && v7_nonsecure(at.from) && at.from.el <= 1)
		return v7_hpmn(r);
	return r->n;
}

static uint32_t visible_bits(const struct ref_v7 *r, struct apmu_access at)
{
	return bits_below(visible(r, at)) | C31;
}

/* armv7 2 */
static enum reg cp_reg(const struct ref_v7 *r, uint32_t e)
{
	static const enum reg c12[] = {PMCR,    PMCNTENSET, PMCNTENCLR, PMOVSR,
				       PMSWINC, PMSELR,     PMCEID0,    PMCEID1};
	static const enum reg c13[] = {PMCCNTR, PMXEVTYPER, PMXEVCNTR};
	static const enum reg c14[] = {PMUSERENR, PMINTENSET, PMINTENCLR, PMOVSSET};
	enum reg reg = NOTHING;

	if (e == apmu_cp(15, 4, 1, 1, 1))
		return r->el2 ? HDCR : NOTHING;
	if (e == apmu_cp(15, 0, 1, 1, 1))
		return SDER;
	for (unsigned i = 0; i < 8; i++)
		if (e == apmu_cp(15, 0, 9, 12, i))
			reg = c12[i];
	for (unsigned i = 0; i < 3; i++)
		if (e == apmu_cp(15, 0, 9, 13, i))
			reg = c13[i];
	for (unsigned i = 0; i < 4; i++)
		if (e == apmu_cp(15, 0, 9, 14, i))
			reg = c14[i];
	if ((reg == PMCEID0 || reg == PMCEID1) && !r->ceid)
		return NOTHING;
	if (reg == PMOVSSET && !r->el2)
		return NOTHING;
	return reg;
}

/* armv7 6. The conformance vectors cover the identification registers. */
static enum reg frame_reg(const struct ref_v7 *r, uint32_t e, unsigned *i)
{
	static const struct {
		uint32_t at;
		enum reg reg;
	} one[] = {
		{0x07C, PMCCNTR},    {0xC00, PMCNTENSET}, {0xC20, PMCNTENCLR}, {0xC40, PMINTENSET},
		{0xC60, PMINTENCLR}, {0xC80, PMOVSR},     {0xCA0, PMSWINC},    {0xE04, PMCR},
		{0xE08, PMUSERENR},  {0xFB0, PMLAR},      {0xFB4, PMLSR},
	};

	for (size_t k = 0; k < sizeof one / sizeof one[0]; k++)
		if (e == one[k].at)
			return one[k].reg;
	if (e == 0xCC0 && r->el2)
		return PMOVSSET;
	if (e == 0x47C && r->filter)
		return CCFILTR;
	/* choice: the words of absent counters read 0 and ignore writes, as the cores' row says (`absent
	 * raz`). */
	if (e % 4 == 0 && e < 4 * V7_EVENTS) {
		*i = e / 4;
		return EVCNTR;
	}
	if (e % 4 == 0 && e >= 0x400 && e < 0x400 + 4 * V7_EVENTS) {
		*i = (e - 0x400) / 4;
		return EVTYPER;
	}
	return NOTHING;
}

/* armv7 3, rules 1 to 4 and 6. */
static enum apmu_outcome check(const struct ref_v7 *r, enum reg reg, struct apmu_mode m, bool write)
{
	bool trappable = r->el2 && v7_nonsecure(m) && m.el <= 1;

	if (reg == NOTHING)
		return APMU_UNDEFINED;
	if (reg == HDCR)
		return m.el == 2 || (m.el == 3 && r->ns) ? APMU_DONE : APMU_UNDEFINED;
	if (reg == SDER)
		return m.el >= 1 && !v7_nonsecure(m) && m.el != 2 ? APMU_DONE : APMU_UNDEFINED;
	if ((reg == PMCEID0 || reg == PMCEID1) && write)
		return APMU_UNDEFINED; /* choice: a write of a read-only register */
	if (m.el == 0 && (reg == PMINTENSET || reg == PMINTENCLR || (reg == PMUSERENR && write)))
		return APMU_UNDEFINED;
	if (m.el == 0 && reg != PMUSERENR && !r->en)
		return APMU_UNDEFINED;
	if (trappable && r->tpm)
		return APMU_TRAP_EL2;
	if (trappable && r->tpmcr && reg == PMCR)
		return APMU_TRAP_EL2;
	return APMU_DONE;
}

static uint32_t read_pmcr(const struct ref_v7 *r, struct apmu_access at)
{
	return r->imp << 24 | r->idcode << 16 | visible(r, at) << 11 | (uint32_t)r->dp << 5 |
	       (uint32_t)r->x << 4 | (uint32_t)r->d << 3 | r->e;
}

static void write_pmcr(struct ref_v7 *r, struct apmu_access at, uint32_t v)
{
	r->dp = v >> 5 & 1;
	r->x = v >> 4 & 1;
	r->d = v >> 3 & 1;
	r->e = v & 1;
	if (v & 4)
		r->pmccnt = 0, r->divider = 0; /* choice: C clears the divider too */
	if (v & 2)
		for (unsigned i = 0; i < visible(r, at); i++)
			r->counter[i] = 0;
}

static uint32_t read_reg(const struct ref_v7 *r, enum reg reg, unsigned i, struct apmu_access at)
{
	uint32_t mask = visible_bits(r, at);
	bool there = r->sel < visible(r, at);

	switch (reg) {
	case PMCR: return read_pmcr(r, at);
	case PMCNTENSET:
	case PMCNTENCLR: return r->cnten & mask;
	case PMOVSR:
	case PMOVSSET: return r->ovs & mask;
	case PMINTENSET:
	case PMINTENCLR: return r->inten & mask;
	case PMSELR: return r->sel;
	case PMCEID0: return r->ceid0;
	case PMCCNTR: return r->pmccnt;
	case PMXEVTYPER:
		if (r->sel == 31 && r->filter)
			return r->pmccfilt;
		return there ? r->type[r->sel] : 0;
	case PMXEVCNTR: return there ? r->counter[r->sel] : 0;
	case PMUSERENR: return r->en;
	case HDCR: return (uint32_t)r->hpme << 7 | (uint32_t)r->tpm << 6 | (uint32_t)r->tpmcr << 5 | r->hpmn;
	case SDER: return (uint32_t)r->suniden << 1 | r->suiden;
	case EVTYPER: return i < r->n ? r->type[i] : 0;
	case EVCNTR: return i < r->n ? r->counter[i] : 0;
	case CCFILTR: return r->pmccfilt;
	case PMLSR: return at.from.debug_port ? 0 : (uint32_t)r->slk << 1 | 1;
	default: return 0;
	}
}

static void write_reg(struct ref_v7 *r, enum reg reg, unsigned i, struct apmu_access at, uint32_t v)
{
	uint32_t mask = visible_bits(r, at), typed = r->filter ? 0xF80000FF : 0xFF;
	bool there = r->sel < visible(r, at);

	switch (reg) {
	case PMCR: write_pmcr(r, at, v); break;
	case PMCNTENSET: r->cnten |= v & mask; break;
	case PMCNTENCLR: r->cnten &= ~(v & mask); break;
	case PMOVSR: r->ovs &= ~(v & mask); break;
	case PMOVSSET: r->ovs |= v & mask; break;
	case PMINTENSET: r->inten |= v & mask; break;
	case PMINTENCLR: r->inten &= ~(v & mask); break;
	case PMSWINC: v7_software_increment(r, v & mask & ~C31); break;
	case PMSELR: r->sel = v & 31; break;
	case PMCCNTR: r->pmccnt = v; break;
	case PMXEVTYPER:
		if (r->sel == 31 && r->filter)
			r->pmccfilt = v & 0xF8000000;
		else if (there)
			r->type[r->sel] = v & typed;
		break;
	case PMXEVCNTR:
		if (there)
			r->counter[r->sel] = v;
		break;
	case PMUSERENR: r->en = v & 1; break;
	case HDCR: v7_write_hdcr(r, v); break;
	case SDER: r->suiden = v & 1, r->suniden = v >> 1 & 1; break;
	case EVTYPER: r->type[i] = i < r->n ? v & typed : 0; break;
	case EVCNTR: r->counter[i] = i < r->n ? v : 0; break;
	case CCFILTR: r->pmccfilt = v & 0xF8000000; break;
	case PMLAR: r->slk = at.from.debug_port ? r->slk : v != 0xC5ACCE55; break;
	default: break;
	}
}

enum apmu_outcome ref_v7_read(const struct ref_v7 *r, struct apmu_access at, uint64_t *value)
{
	unsigned i = 0;
	enum reg reg = NOTHING;
	enum apmu_outcome outcome;

	if (at.view == APMU_VIEW_CP)
		reg = cp_reg(r, at.encoding);
	if (at.view == APMU_VIEW_MMIO)
		reg = frame_reg(r, at.encoding, &i);
	if (at.view == APMU_VIEW_MMIO)
		outcome = reg == NOTHING ? APMU_UNDEFINED : APMU_DONE;
	else
		outcome = check(r, reg, at.from, false);
	if (outcome == APMU_DONE)
		*value = read_reg(r, reg, i, at);
	return outcome;
}

enum apmu_outcome ref_v7_write(struct ref_v7 *r, struct apmu_access at, uint64_t value)
{
	unsigned i = 0;
	enum reg reg = NOTHING;

	if (at.view == APMU_VIEW_MMIO) {
		reg = frame_reg(r, at.encoding, &i);
		if (reg == NOTHING)
			return APMU_UNDEFINED;
		if (!r->slk || at.from.debug_port || reg == PMLAR)
			write_reg(r, reg, i, at, (uint32_t)value);
		return APMU_DONE;
	}
	if (at.view == APMU_VIEW_CP)
		reg = cp_reg(r, at.encoding);
	enum apmu_outcome outcome = check(r, reg, at.from, true);
	if (outcome == APMU_DONE)
		write_reg(r, reg, i, at, (uint32_t)value);
	return outcome;
}
