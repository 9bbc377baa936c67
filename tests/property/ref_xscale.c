/* SPDX-License-Identifier: MIT */
#include "ref_xscale.h"

#include <string.h>

static unsigned counters(const struct ref_xscale *r)
{
	return r->kind == REF_XSC1 ? 2 : 4;
}

/* XSCALE, 80200. The bus unit's events 0x10 to 0x16 are the 80200's, so the two-counter PMU's; the names that
 * only third-generation cores have, and 0xFF, count nothing. choice: a signal that steps by 2 is counted in
 * full, although the scalar core's events step by 1. */
static uint64_t event_count(const struct ref_xscale *r, uint8_t number, const uint64_t n[APMU_SIGNALS])
{
	switch (number) {
	case 0x00: return n[APMU_SIG_L1I_MISS];
	case 0x01: return n[APMU_SIG_FETCH_STALL] + (r->evt1_overcount ? n[APMU_SIG_FETCH_STALL_EXTRA] : 0);
	case 0x02: return n[APMU_SIG_DATA_STALL];
	case 0x03: return n[APMU_SIG_L1I_TLB_REFILL];
	case 0x04: return n[APMU_SIG_L1D_TLB_REFILL];
	case 0x05: return n[APMU_SIG_BR_IMMED] + (r->evt5_all ? n[APMU_SIG_BR_OTHER] : 0);
	case 0x06: return n[APMU_SIG_BR_IMMED_MIS_PRED];
	case 0x07: return n[APMU_SIG_INST];
	case 0x08: return n[APMU_SIG_LSU_FULL_STALL];
	case 0x09: return n[APMU_SIG_LSU_FULL_RUN];
	case 0x0A: return n[APMU_SIG_L1D_ACCESS];
	case 0x0B: return n[APMU_SIG_L1D_MISS];
	case 0x0C: return n[APMU_SIG_L1D_WB_HALF];
	case 0x0D: return n[APMU_SIG_PC_CHANGE];
	default: break;
	}
	if (r->kind != REF_XSC1)
		return 0;
	switch (number) {
	case 0x10: return n[APMU_SIG_BCU_REQUEST];
	case 0x11: return n[APMU_SIG_BCU_FULL];
	case 0x12: return n[APMU_SIG_BCU_DRAIN];
	case 0x14: return n[APMU_SIG_BCU_ECC_NO_ELOG];
	case 0x15: return n[APMU_SIG_BCU_1_BIT_ERR];
	case 0x16: return n[APMU_SIG_BCU_RMW];
	default: return 0;
	}
}

void ref_xscale_init(struct ref_xscale *r, enum ref_xscale_kind kind, struct apmu_mode mode)
{
	memset(r, 0, sizeof *r);
	r->kind = kind;
	r->evt1_overcount = true;
	r->mode = mode;
}

/* choice: what the manuals leave unpredictable at reset is 0. The errata switches are the chip's, not state.
 */
void ref_xscale_reset(struct ref_xscale *r)
{
	struct ref_xscale before = *r;

	ref_xscale_init(r, before.kind, before.mode);
	r->in = before.in;
	r->flag_loss = before.flag_loss;
	r->evt1_overcount = before.evt1_overcount;
	r->evt5_all = before.evt5_all;
}

/* Flag loss is in the A stepping of XSC1 (LINUX); event 0x1 over-counts on both kinds (XSUPDATE). choice: the
 * 80200 manual's wider event 0x5 can be had on both kinds too. */
void ref_xscale_errata(struct ref_xscale *r, uint32_t errata)
{
	r->flag_loss = r->kind == REF_XSC1 && (errata >> APMU_ERRATUM_FLAG_LOSS & 1);
	r->evt1_overcount = errata >> APMU_ERRATUM_EVT1_OVERCOUNT & 1;
	r->evt5_all = errata >> APMU_ERRATUM_EVT5_ALL & 1;
}

static void set_flag(struct ref_xscale *r, bool *flag)
{
	if (r->flag_loss) {
		memset(r->flag_pmn, 0, sizeof r->flag_pmn);
		r->flag_ccnt = false;
	}
	*flag = true;
}

static void add(struct ref_xscale *r, uint32_t *counter, uint64_t step, bool *flag)
{
	while (step-- > 0) {
		*counter = *counter + 1;
		if (*counter == 0)
			set_flag(r, flag);
	}
}

/* choice: the divider runs while E is set, whether D is set or not, and C zeroes it, as on ARM11. */
static void count_cycle(struct ref_xscale *r)
{
	bool whole = r->divider == 63;

	r->divider = whole ? 0 : (uint8_t)(r->divider + 1);
	if (!r->d || whole)
		add(r, &r->ccnt, 1, &r->flag_ccnt);
}

/* No hold-off, no filter; no source says that Debug state matters. choice: of counters that overflow in one
 * cycle the flags are set in the order PMN0, PMN1, .., CCNT. */
void ref_xscale_cycle(struct ref_xscale *r, const uint64_t n[APMU_SIGNALS])
{
	if (!r->e)
		return;
	for (unsigned i = 0; i < counters(r); i++)
		add(r, &r->pmn[i], event_count(r, r->evt[i], n), &r->flag_pmn[i]);
	count_cycle(r);
}

/* A level; E plays no part (IXP42X 3.7; choice: nor on XSC1). */
bool ref_xscale_line(const struct ref_xscale *r)
{
	for (unsigned i = 0; i < counters(r); i++)
		if (r->flag_pmn[i] && r->inten_pmn[i])
			return true;
	return r->flag_ccnt && r->inten_ccnt;
}

/* The four low bits that both kinds have: D, C, P, E. */
static void write_controls(struct ref_xscale *r, uint32_t value)
{
	r->d = value >> 3 & 1;
	if (value >> 2 & 1) {
		r->ccnt = 0;
		r->divider = 0;
	}
	if (value >> 1 & 1)
		memset(r->pmn, 0, sizeof r->pmn);
	r->e = value & 1;
}

/* 80200 12-4: evtCount1 is above evtCount0. Bits 31:28, 11, 7 and C, P read unpredictable: 0 here. */
static uint32_t read_xsc1_pmnc(const struct ref_xscale *r)
{
	uint32_t value = 0;

	value |= (uint32_t)r->evt[1] << 20;
	value |= (uint32_t)r->evt[0] << 12;
	value |= (uint32_t)r->flag_ccnt << 10;
	value |= (uint32_t)r->flag_pmn[1] << 9;
	value |= (uint32_t)r->flag_pmn[0] << 8;
	value |= (uint32_t)r->inten_ccnt << 6;
	value |= (uint32_t)r->inten_pmn[1] << 5;
	value |= (uint32_t)r->inten_pmn[0] << 4;
	value |= (uint32_t)r->d << 3;
	value |= (uint32_t)r->e;
	return value;
}

static void write_xsc1_pmnc(struct ref_xscale *r, uint32_t value)
{
	r->evt[1] = (uint8_t)(value >> 20);
	r->evt[0] = (uint8_t)(value >> 12);
	if (value >> 10 & 1)
		r->flag_ccnt = false;
	if (value >> 9 & 1)
		r->flag_pmn[1] = false;
	if (value >> 8 & 1)
		r->flag_pmn[0] = false;
	r->inten_ccnt = value >> 6 & 1;
	r->inten_pmn[1] = value >> 5 & 1;
	r->inten_pmn[0] = value >> 4 & 1;
	write_controls(r, value);
}

/* IXP42X 3.7: the identification reads 0x14 whatever was written. */
static uint32_t read_xsc2_pmnc(const struct ref_xscale *r)
{
	return 0x14u << 24 | (uint32_t)r->d << 3 | (uint32_t)r->e;
}

/* INTEN and FLAG: bit 0 the cycle counter, bit 1 PMN0, .., bit 4 PMN3. */
static uint32_t read_five(bool ccnt, const bool pmn[4])
{
	uint32_t value = ccnt;

	for (unsigned i = 0; i < 4; i++)
		value |= (uint32_t)pmn[i] << (i + 1);
	return value;
}

static void write_inten(struct ref_xscale *r, uint32_t value)
{
	r->inten_ccnt = value & 1;
	for (unsigned i = 0; i < 4; i++)
		r->inten_pmn[i] = value >> (i + 1) & 1;
}

static void write_flag(struct ref_xscale *r, uint32_t value)
{
	if (value & 1)
		r->flag_ccnt = false;
	for (unsigned i = 0; i < 4; i++)
		if (value >> (i + 1) & 1)
			r->flag_pmn[i] = false;
}

enum which { NO_REGISTER, XSC1_PMNC, XSC2_PMNC, CCNT, INTEN, FLAG, EVTSEL, PMN0, PMN1, PMN2, PMN3 };

static enum which which_xsc1(uint32_t encoding)
{
	if (encoding == apmu_cp(14, 0, 0, 0, 0))
		return XSC1_PMNC;
	if (encoding == apmu_cp(14, 0, 1, 0, 0))
		return CCNT;
	if (encoding == apmu_cp(14, 0, 2, 0, 0))
		return PMN0;
	if (encoding == apmu_cp(14, 0, 3, 0, 0))
		return PMN1;
	return NO_REGISTER;
}

static enum which which_xsc2(uint32_t encoding)
{
	if (encoding == apmu_cp(14, 0, 0, 1, 0))
		return XSC2_PMNC;
	if (encoding == apmu_cp(14, 0, 1, 1, 0))
		return CCNT;
	if (encoding == apmu_cp(14, 0, 4, 1, 0))
		return INTEN;
	if (encoding == apmu_cp(14, 0, 5, 1, 0))
		return FLAG;
	if (encoding == apmu_cp(14, 0, 8, 1, 0))
		return EVTSEL;
	if (encoding == apmu_cp(14, 0, 0, 2, 0))
		return PMN0;
	if (encoding == apmu_cp(14, 0, 1, 2, 0))
		return PMN1;
	if (encoding == apmu_cp(14, 0, 2, 2, 0))
		return PMN2;
	if (encoding == apmu_cp(14, 0, 3, 2, 0))
		return PMN3;
	return NO_REGISTER;
}

/* Privileged only (IXP2800 3.8); the other kind's encodings are Undefined. choice: Debug state gives no
 * rights and takes none; a level above 1 is privileged. */
static enum which which(const struct ref_xscale *r, struct apmu_access at)
{
	if (at.view != APMU_VIEW_CP || at.from.el == 0)
		return NO_REGISTER;
	return r->kind == REF_XSC1 ? which_xsc1(at.encoding) : which_xsc2(at.encoding);
}

enum apmu_outcome ref_xscale_read(const struct ref_xscale *r, struct apmu_access at, uint64_t *value)
{
	switch (which(r, at)) {
	case NO_REGISTER: return APMU_UNDEFINED;
	case XSC1_PMNC: *value = read_xsc1_pmnc(r); break;
	case XSC2_PMNC: *value = read_xsc2_pmnc(r); break;
	case CCNT: *value = r->ccnt; break;
	case INTEN: *value = read_five(r->inten_ccnt, r->inten_pmn); break;
	case FLAG: *value = read_five(r->flag_ccnt, r->flag_pmn); break;
	case EVTSEL:
		*value = r->evt[0] | (uint32_t)r->evt[1] << 8 | (uint32_t)r->evt[2] << 16 |
			 (uint32_t)r->evt[3] << 24;
		break;
	case PMN0: *value = r->pmn[0]; break;
	case PMN1: *value = r->pmn[1]; break;
	case PMN2: *value = r->pmn[2]; break;
	case PMN3: *value = r->pmn[3]; break;
	}
	return APMU_DONE;
}

enum apmu_outcome ref_xscale_write(struct ref_xscale *r, struct apmu_access at, uint64_t value)
{
	uint32_t v = (uint32_t)value;

	switch (which(r, at)) {
	case NO_REGISTER: return APMU_UNDEFINED;
	case XSC1_PMNC: write_xsc1_pmnc(r, v); break;
	case XSC2_PMNC: write_controls(r, v); break;
	case CCNT: r->ccnt = v; break; /* choice: the divider keeps its phase */
	case INTEN: write_inten(r, v); break;
	case FLAG: write_flag(r, v); break;
	case EVTSEL:
		for (unsigned i = 0; i < 4; i++)
			r->evt[i] = (uint8_t)(v >> 8 * i);
		break;
	case PMN0: r->pmn[0] = v; break;
	case PMN1: r->pmn[1] = v; break;
	case PMN2: r->pmn[2] = v; break;
	case PMN3: r->pmn[3] = v; break;
	}
	return APMU_DONE;
}

bool ref_xscale_wants(const struct ref_xscale *r, enum apmu_signal s)
{
	uint64_t one[APMU_SIGNALS] = {0};

	if (!r->e)
		return false;
	one[s] = 1;
	for (unsigned i = 0; i < counters(r); i++)
		if (event_count(r, r->evt[i], one) > 0)
			return true;
	return s == APMU_SIG_CYCLES;
}
