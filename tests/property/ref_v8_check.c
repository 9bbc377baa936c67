/* SPDX-License-Identifier: MIT */
/* pmuv3 3: the right to access a register, and how an access is refused. */
#include "ref_v8.h"

enum { EN = 1, SW = 2, CR = 4, ER = 8, UEN = 16, TID = 64 };

static bool aarch32_at(const struct ref_v8 *r, unsigned el)
{
	return r->aarch32 >> el & 1;
}

/* 0.2. At EL3 SCR_EL3 decides (DDI0487 J1, EL2Enabled). */
bool v8_el2_enabled(const struct ref_v8 *r, struct apmu_mode m)
{
	bool eel2 = r->f.sel2 && (r->scr >> 18 & 1);

	if (!r->f.el2)
		return false;
	if (!r->f.el3)
		return true;
	if (m.el == 3)
		return (r->scr & 1) || eel2;
	if (m.security == APMU_SECURE)
		return eel2;
	return true;
}

/* 0.2. An AArch32 EL2 has no E2H. */
bool v8_in_host(const struct ref_v8 *r, struct apmu_mode m)
{
	bool tge = r->hcr >> 27 & 1, e2h = r->hcr >> 34 & 1;

	return v8_el2_enabled(r, m) && r->f.vhe && !aarch32_at(r, 2) && tge && e2h && m.el == 0;
}

/* 2.11: UEN exists from PMUv3p9 on and has no effect if EL1 is AArch32. */
bool v8_uen(const struct ref_v8 *r, struct apmu_mode m)
{
	return m.el == 0 && r->f.p9 && !aarch32_at(r, 1) && (r->useren & UEN);
}

static bool read_only(enum v8_reg reg)
{
	switch (reg) {
	case V8_CEID0:
	case V8_CEID1:
	case V8_MIR:
	case V8_EVCNTSVR:
	case V8_CCNTSVR:
	case V8_ICNTSVR: return true;
	default: return false;
	}
}

static bool write_only(enum v8_reg reg)
{
	return reg == V8_SWINC || reg == V8_ZR;
}

static bool snapshot(enum v8_reg reg)
{
	return reg == V8_SSCR || reg == V8_EVCNTSVR || reg == V8_CCNTSVR || reg == V8_ICNTSVR;
}

/* 3.2, column "min EL". */
static unsigned lowest(enum v8_reg reg, bool write)
{
	switch (reg) {
	case V8_USERENR: return write ? 1 : 0;
	case V8_INTENSET:
	case V8_INTENCLR:
	case V8_MIR:
	case V8_UACR:
	case V8_ECR:
	case V8_IAR:
	case V8_SSCR:
	case V8_EVCNTSVR:
	case V8_CCNTSVR:
	case V8_ICNTSVR: return 1;
	case V8_HDCR:
	case V8_MDCR_EL2:
	case V8_HDFGRTR:
	case V8_HDFGWTR:
	case V8_HDFGRTR2:
	case V8_HDFGWTR2: return 2;
	case V8_MDCR_EL3: return 3;
	default: return 0;
	}
}

/* 3.2, columns "EL0 read denied if" and "EL0 write denied if". */
static bool denied(const struct ref_v8 *r, enum v8_reg reg, struct apmu_mode m, bool write)
{
	bool en = r->useren & EN, sw = r->useren & SW, cr = r->useren & CR, er = r->useren & ER;
	bool uen = v8_uen(r, m), tid = r->f.p9 && (r->useren & TID);

	switch (reg) {
	case V8_PMCR: return !en || uen;
	case V8_SWINC: return !uen && !sw && !en;
	case V8_SELR: return !uen && !er && !en;
	case V8_CEID0:
	case V8_CEID1: return (!en && !uen) || tid;
	case V8_CCNTR: return write ? !en && !uen : !uen && !cr && !en;
	case V8_XEVCNTR:
	case V8_EVCNTR: return write ? !en && !uen : !uen && !er && !en;
	case V8_USERENR: return false;
	case V8_ICNTR:
	case V8_ICFILTR: return !uen;
	default: return !en && !uen;
	}
}

/* 3.2 and 3.4: the bit of HDFGRTR_EL2 and HDFGWTR_EL2; -1: none. */
static int fgt_bit(enum v8_reg reg, bool write)
{
	switch (reg) {
	case V8_PMCR: return write ? 21 : -1;
	case V8_CNTENSET:
	case V8_CNTENCLR: return 16;
	case V8_OVSSET:
	case V8_OVSCLR: return 18;
	case V8_SWINC: return 20;
	case V8_SELR: return 19;
	case V8_CEID0:
	case V8_CEID1: return 58;
	case V8_CCNTR: return 15;
	case V8_XEVTYPER:
	case V8_EVTYPER: return 13;
	case V8_XEVCNTR:
	case V8_EVCNTR: return 12;
	case V8_CCFILTR: return 14;
	case V8_USERENR: return 57;
	case V8_INTENSET:
	case V8_INTENCLR: return 17;
	case V8_MIR: return 22;
	default: return -1;
	}
}

static int fgt2_bit(enum v8_reg reg)
{
	switch (reg) {
	case V8_ZR: return 21;
	case V8_ICNTR: return 2;
	case V8_ICFILTR: return 3;
	case V8_UACR: return 4;
	case V8_ECR: return 0;
	case V8_IAR: return 1;
	case V8_SSCR: return 7;
	case V8_EVCNTSVR:
	case V8_CCNTSVR:
	case V8_ICNTSVR: return 6;
	default: return -1;
	}
}

/* 3.1 step 6. */
static bool fine_grained(const struct ref_v8 *r, enum v8_reg reg, struct apmu_mode m, bool write)
{
	uint64_t first = write ? r->hdfgwtr : r->hdfgrtr, second = write ? r->hdfgwtr2 : r->hdfgrtr2;
	int bit = fgt_bit(reg, write), bit2 = fgt2_bit(reg);

	if (!v8_el2_enabled(r, m) || m.el > 1 || v8_in_host(r, m))
		return false;
	if (r->f.fgt && bit >= 0 && (!r->f.el3 || (r->scr >> 27 & 1)) && (first >> bit & 1))
		return true;
	if (r->f.fgt2 && bit2 >= 0)
		return (r->f.el3 && !(r->scr >> 59 & 1)) || !(second >> bit2 & 1);
	return false;
}

/* The counter of an access by index, or -1. */
static int counter_of(const struct ref_v8 *r, struct v8_hit hit)
{
	switch (hit.reg) {
	case V8_EVCNTR:
	case V8_EVTYPER:
	case V8_EVCNTSVR: return (int)hit.i;
	case V8_XEVCNTR: return r->sel;
	case V8_XEVTYPER: return r->sel == 31 ? -1 : r->sel;
	default: return -1;
	}
}

/* 3.1 step 7. choice: R2 from EL0 and EL1 traps without FEAT_FGT too (9.2 item 1). */
static bool trapped_by_el2(const struct ref_v8 *r, struct v8_hit hit, struct apmu_mode m)
{
	bool tpm = r->mdcr_el2 >> 6 & 1, tpmcr = r->mdcr_el2 >> 5 & 1;

	if (!v8_el2_enabled(r, m) || m.el > 1)
		return false;
	if (tpm && !snapshot(hit.reg))
		return true;
	if (tpmcr && hit.reg == V8_PMCR)
		return true;
	return counter_of(r, hit) >= (int)v8_hpmn(r);
}

/* 3.1 step 8. */
static bool trapped_by_el3(const struct ref_v8 *r, enum v8_reg reg, struct apmu_mode m)
{
	bool enpm2 = r->mdcr_el3 >> 7 & 1, enpmss = r->mdcr_el3 >> 44 & 1, tpm = r->mdcr_el3 >> 6 & 1;

	if (!r->f.el3_a64 || aarch32_at(r, 3) || m.el == 3)
		return false;
	if (snapshot(reg))
		return !enpmss;
	if (reg == V8_ICNTR || reg == V8_ICFILTR || reg == V8_UACR || reg == V8_ECR || reg == V8_IAR)
		return !enpm2 || tpm;
	return tpm;
}

static enum apmu_outcome trap_el3(const struct ref_v8 *r, struct apmu_mode m)
{
	return m.debug_halted && r->edscr_sdd ? APMU_UNDEFINED : APMU_TRAP_EL3;
}

/* 3.1. choice: an absent counter is Undefined (9.2 item 1); EDSCR.SDD acts at its own step (9.2 item 8). */
static enum apmu_outcome check_a64(const struct ref_v8 *r, struct v8_hit hit, struct apmu_mode m, bool write)
{
	if (hit.reg == V8_NOTHING || (write ? read_only(hit.reg) : write_only(hit.reg)))
		return APMU_UNDEFINED;
	if (counter_of(r, hit) >= (int)v8_epmn(r))
		return APMU_UNDEFINED;
	if (m.el < lowest(hit.reg, write))
		return APMU_UNDEFINED;
	if (lowest(hit.reg, write) >= 2)
		return APMU_DONE;
	if (m.el == 0 && denied(r, hit.reg, m, write))
		return v8_el2_enabled(r, m) && (r->hcr >> 27 & 1) ? APMU_TRAP_EL2 : APMU_TRAP_EL1;
	if (fine_grained(r, hit.reg, m, write) || trapped_by_el2(r, hit, m))
		return APMU_TRAP_EL2;
	if (trapped_by_el3(r, hit.reg, m))
		return trap_el3(r, m);
	return APMU_DONE;
}

/* 3.8: a denied User access; AArch32 EL2 with TGE takes it as Undefined, routed to Hyp (EC 0x00). */
static enum apmu_outcome deny_a32(const struct ref_v8 *r, struct apmu_mode m)
{
	if (v8_el2_enabled(r, m) && (r->hcr >> 27 & 1))
		return APMU_TRAP_EL2;
	return aarch32_at(r, 1) ? APMU_UNDEFINED : APMU_TRAP_EL1;
}

/* 3.8 step 1. */
static bool trapped_by_hstr(const struct ref_v8 *r, struct apmu_access at)
{
	bool c9 = at.view == APMU_VIEW_CP64 || (at.encoding >> 8 & 15) == 9;

	return c9 && (r->hstr >> 9 & 1) && v8_el2_enabled(r, at.from) && at.from.el <= 1 &&
	       !v8_in_host(r, at.from);
}

static enum apmu_outcome check_a32(const struct ref_v8 *r, struct v8_hit hit, struct apmu_access at,
				   bool write)
{
	struct apmu_mode m = at.from;

	if (hit.reg == V8_NOTHING || (write ? read_only(hit.reg) : write_only(hit.reg)))
		return APMU_UNDEFINED;
	if (hit.reg == V8_HDCR)
		return m.el == 2 || (m.el == 3 && (r->scr & 1)) ? APMU_DONE : APMU_UNDEFINED;
	if (counter_of(r, hit) >= (int)v8_epmn(r) || m.el < lowest(hit.reg, write))
		return APMU_UNDEFINED;
	if (m.el == 0 && denied(r, hit.reg, m, write))
		return deny_a32(r, m);
	if (trapped_by_hstr(r, at))
		return APMU_TRAP_EL2;
	if (m.el == 0 && !aarch32_at(r, 1) && fine_grained(r, hit.reg, m, write))
		return APMU_TRAP_EL2;
	if (trapped_by_el2(r, hit, m))
		return APMU_TRAP_EL2;
	if (trapped_by_el3(r, hit.reg, m))
		return trap_el3(r, m);
	return APMU_DONE;
}

/* 3.7: Root with RME, else Secure; without EL3 there is one state. */
bool v8_most_secure(const struct ref_v8 *r, struct apmu_mode m)
{
	if (r->f.rme)
		return m.security == APMU_ROOT;
	return !r->f.el3 || m.security == APMU_SECURE;
}

/* 3.7, "External disable"; 2.16 EPMSSAD for the snapshot registers. */
static bool external_disable(const struct ref_v8 *r, enum v8_reg reg, struct apmu_mode m)
{
	unsigned epmad = (unsigned)(r->mdcr_el3 >> 21 & 1), epmade = (unsigned)(r->mdcr_el3 >> 2 & 1);
	unsigned epmssad = (unsigned)(r->mdcr_el3 >> 45 & 3);

	if (v8_most_secure(r, m))
		return false;
	if (snapshot(reg)) {
		if (epmssad == 3)
			return false;
		if (epmssad == 1 && r->f.rme)
			return m.security != APMU_REALM;
		if (epmssad == 2 && r->f.rme)
			return m.security != APMU_SECURE;
		return true;
	}
	if (r->f.rme) {
		if (epmade && epmad)
			return true;
		if (epmade)
			return m.security == APMU_SECURE || m.security == APMU_NONSECURE;
		return epmad && (m.security == APMU_REALM || m.security == APMU_NONSECURE);
	}
	if (r->f.debugv8p4)
		return epmad;
	if (!r->in.dbgen)
		return true;
	return !r->in.spiden && epmad;
}

/* 3.7. choice: the registers at 0xF00 and up are the management registers, which ask no lock nor EPMAD, and
 * with a software lock no power; PMCCR asks neither the OS Lock nor EPMAD. */
bool v8_frame_refuses(const struct ref_v8 *r, enum v8_reg reg, struct apmu_access at)
{
	bool past_lock = snapshot(reg) || reg == V8_CCR;

	if (reg == V8_NOTHING)
		return true;
	if (at.encoding >= 0xF00)
		return r->powered_off && !r->f.ext32;
	if (r->powered_off || r->double_lock)
		return true;
	if (r->os_lock && !past_lock && !(r->f.extpmn && r->oslo && v8_most_secure(r, at.from)))
		return true;
	return reg != V8_CCR && external_disable(r, reg, at.from);
}

enum apmu_outcome v8_check(const struct ref_v8 *r, struct v8_hit hit, struct apmu_access at, bool write)
{
	if (at.view == APMU_VIEW_MMIO)
		return v8_frame_refuses(r, hit.reg, at) ? APMU_UNDEFINED : APMU_DONE;
	if (at.view == APMU_VIEW_A64)
		return check_a64(r, hit, at.from, write);
	return check_a32(r, hit, at, write);
}

/* 3.8: the Undefined exception that TGE routes to Hyp. */
static bool routed(const struct ref_v8 *r, struct apmu_access at, bool write)
{
	struct v8_hit hit = v8_where(r, at);

	return at.view != APMU_VIEW_A64 && at.from.el == 0 && aarch32_at(r, 1) && aarch32_at(r, 2) &&
	       denied(r, hit.reg, at.from, write);
}

/* 3.9 */
uint32_t ref_v8_syndrome(const struct ref_v8 *r, struct apmu_access at, enum apmu_outcome outcome, bool write,
			 unsigned rt, unsigned rt2, unsigned cond)
{
	uint32_t il = (uint32_t)1 << 25, read = !write, e = at.encoding;
	uint32_t op1 = e >> 12 & 15, crn = e >> 8 & 15, crm = e >> 4 & 15, op2 = e & 15;

	if (outcome == APMU_UNDEFINED || routed(r, at, write))
		return il;
	if (at.view == APMU_VIEW_A64)
		return (uint32_t)0x18 << 26 | il | (e >> 16 & 3) << 20 | op2 << 17 | op1 << 14 | crn << 10 |
		       rt << 5 | crm << 1 | read;
	if (at.view == APMU_VIEW_CP64)
		return (uint32_t)0x04 << 26 | il | 1u << 24 | cond << 20 | op1 << 16 | rt2 << 10 | rt << 5 |
		       crm << 1 | read;
	return (uint32_t)0x03 << 26 | il | 1u << 24 | cond << 20 | op2 << 17 | op1 << 14 | crn << 10 |
	       rt << 5 | crm << 1 | read;
}
