/* SPDX-License-Identifier: MIT */
/* Decides if an access of Armv7 or PMUv3 may be made, and where it traps otherwise. The checks are in the
 * order of PMUV3SHEET 3.1; AArch32 differs as 3.8 says, Armv7 as ARMV7SHEET 3 says. Each check returns
 * APMU_DONE to let the access pass. */
#include "model/model.h"

#define TPM     6
#define TPMCR   5
#define ENPMSS  44
#define HSTR_T9 9
#define FGTEN   27

static int direction(const struct apmu *pmu, const struct apmu_model__access *access)
{
	(void)pmu;
	switch ((enum apmu_way)access->hit.reg->way) {
	case APMU_WAY_RW: return APMU_DONE;
	case APMU_WAY_RO: return access->write ? APMU_UNDEFINED : APMU_DONE;
	case APMU_WAY_WO: return access->write ? APMU_DONE : APMU_UNDEFINED;
	case APMU_WAY_WO_RAZ: break; /* Armv7 PMSWINC reads 0 through its field's kind */
	}
	return APMU_DONE;
}

/* True if the register names one event counter, *n. PMXEVTYPER with 31 names the cycle counter's filter. */
static bool names_counter(const struct apmu *pmu, const struct apmu_model__access *access, unsigned *n)
{
	unsigned selected = (unsigned)pmu->s.word[APMU_WORD_SEL];

	switch ((enum apmu_indexed)access->hit.reg->trap.indexed) {
	case APMU_INDEXED_NOT: return false;
	case APMU_INDEXED_THIS: *n = access->hit.n; return true;
	case APMU_INDEXED_SELECTED: *n = selected; return true;
	case APMU_INDEXED_SELECTED_TYPE: break;
	}
	*n = selected;
	return selected != APMU_CYCLE_COUNTER || !pmu->type_mask[1];
}

static int refused(const struct apmu *pmu)
{
	return pmu->core->absent_rule == APMU_ABSENT_RAZ ? APMU_MODEL__RAZ_WI : APMU_UNDEFINED;
}

static int absent(const struct apmu *pmu, const struct apmu_model__access *access)
{
	unsigned n;

	return names_counter(pmu, access, &n) && n >= apmu_model__epmn(pmu) ? refused(pmu) : APMU_DONE;
}

static int level_of(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_reg *reg = access->hit.reg;

	/* ARMV7SHEET 3.4: HDCR from Monitor mode needs SCR.NS */
	if (access->a32 && reg->min_el == 2 && access->from.el == 3 &&
	    !apmu_base__is_set(pmu->s.scr_el3, APMU_MODEL__SCR_NS))
		return APMU_UNDEFINED;
	if (reg->secure && access->from.security != APMU_SECURE && access->from.el != 3)
		return APMU_UNDEFINED;
	return access->from.el < reg->min_el ? APMU_UNDEFINED : APMU_DONE;
}

/* The outcome of a denied EL0 access. */
static int denied(const struct apmu *pmu, const struct apmu_model__access *access)
{
	if (apmu_model__el2_enabled(pmu, access->from) &&
	    apmu_base__is_set(pmu->s.hcr_el2, APMU_MODEL__HCR_TGE))
		return APMU_TRAP_EL2;
	return apmu_model__a32(pmu, 1) || pmu->core->access_rule == APMU_ACCESS_V7 ? APMU_UNDEFINED
										   : APMU_TRAP_EL1;
}

#define UEN 0x10u

int apmu_model__user(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_reg *reg = access->hit.reg;
	struct apmu_user rule = access->write ? reg->user_write : reg->user_read;
	uint64_t useren = pmu->s.word[APMU_WORD_USEREN];

	if (access->from.el != 0)
		return APMU_DONE;
	if (apmu_model__a32(pmu, 1))
		useren &= ~(uint64_t)UEN;
	if (rule.any == 0)
		return APMU_UNDEFINED;
	if (rule.any & 0x80)
		return APMU_DONE;
	return (useren & rule.any) && !(useren & rule.none) ? APMU_DONE : denied(pmu, access);
}

/* True for an access of EL0 or EL1 that EL2 may trap. */
static bool under_el2(const struct apmu *pmu, const struct apmu_model__access *access)
{
	return access->from.el <= 1 && apmu_model__el2_enabled(pmu, access->from);
}

/* HSTR_EL2.T9 traps AArch32 registers of CRn c9, and for MRRC of CRm c9. */
static int hstr(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_encoding *at = access->hit.reg->at;

	if (!access->a32 || !under_el2(pmu, access) || apmu_model__in_host(pmu, access->from) ||
	    !apmu_base__is_set(pmu->s.hstr_el2, HSTR_T9))
		return APMU_DONE;
	for (unsigned i = 0; i < access->hit.reg->encodings; i++)
		if (at[i].view == APMU_VIEW_CP && apmu_base__get(at[i].encoding, 11, 8) == 9)
			return APMU_TRAP_EL2;
	return APMU_DONE;
}

static bool fine_grained_applies(const struct apmu *pmu, const struct apmu_model__access *access)
{
	if (!under_el2(pmu, access) || apmu_model__in_host(pmu, access->from))
		return false;
	return !access->a32 || (access->from.el == 0 && !apmu_model__a32(pmu, 1));
}

static bool scr_allows(const struct apmu *pmu, unsigned bit)
{
	return !apmu_model__has(pmu->core, APMU_FEATURE_EL3) || apmu_base__is_set(pmu->s.scr_el3, bit);
}

static int fine_grained(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_trap *trap = &access->hit.reg->trap;
	unsigned bit = access->write ? trap->write : trap->read;
	bool trapped;

	if (bit == 0xFF || !fine_grained_applies(pmu, access))
		return APMU_DONE;
	if (trap->second)
		trapped = apmu_model__has(pmu->core, APMU_FEATURE_FGT2) &&
			  (!scr_allows(pmu, APMU_MODEL__SCR_FGTEN2) ||
			   !apmu_model__word_bit(pmu, access->write ? APMU_WORD_HDFGWTR2 : APMU_WORD_HDFGRTR2,
						 bit));
	else
		trapped =
			apmu_model__has(pmu->core, APMU_FEATURE_FGT) && scr_allows(pmu, FGTEN) &&
			apmu_model__word_bit(pmu, access->write ? APMU_WORD_HDFGWTR : APMU_WORD_HDFGRTR, bit);
	return trapped ? APMU_TRAP_EL2 : APMU_DONE;
}

static int hypervisor(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_trap *trap = &access->hit.reg->trap;
	bool subject = trap->gate == APMU_GATE_TPM || trap->gate == APMU_GATE_ENPM2;
	unsigned n;

	if (!under_el2(pmu, access))
		return APMU_DONE;
	if (subject && apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, TPM))
		return APMU_TRAP_EL2;
	if (trap->tpmcr && apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL2, TPMCR))
		return APMU_TRAP_EL2;
	if (names_counter(pmu, access, &n) && n >= apmu_model__hpmn(pmu))
		return pmu->core->absent_rule == APMU_ABSENT_RAZ ? APMU_MODEL__RAZ_WI : APMU_TRAP_EL2;
	return APMU_DONE;
}

static bool trapped_to_el3(const struct apmu *pmu, enum apmu_gate gate)
{
	switch (gate) {
	case APMU_GATE_NONE: return false;
	case APMU_GATE_ENPMSS: return !apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, ENPMSS);
	case APMU_GATE_ENPM2:
		if (!apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, APMU_MODEL__MDCR_ENPM2))
			return true;
		break;
	case APMU_GATE_TPM: break;
	}
	return apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, TPM);
}

static int monitor(const struct apmu *pmu, const struct apmu_model__access *access)
{
	if (!apmu_model__has(pmu->core, APMU_FEATURE_EL3_A64) || apmu_model__a32(pmu, 3) ||
	    access->from.el >= 3)
		return APMU_DONE;
	if (!trapped_to_el3(pmu, (enum apmu_gate)access->hit.reg->trap.gate))
		return APMU_DONE;
	return access->from.debug_halted && pmu->s.edscr_sdd ? APMU_UNDEFINED : APMU_TRAP_EL3;
}

/* EL0 while UEN is 1: a counter that PMUACR does not permit reads 0; one that is read-only ignores writes. */
static int per_counter(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_reg *reg = access->hit.reg;
	const struct apmu_field *field = &reg->field[reg->fields - 1];
	unsigned i, ro = reg->user_ro;

	if (ro == 0xFF || !apmu_model__user_per_counter(pmu, access))
		return APMU_DONE;
	while (field->place.kind != APMU_PLACE_COUNTER && field->place.kind != APMU_PLACE_TYPE &&
	       field > reg->field)
		field--;
	i = apmu_model__index(pmu, access, field->place.index);
	if (!apmu_base__is_set(pmu->s.uacr, i))
		return APMU_MODEL__RAZ_WI;
	if (i == APMU_CYCLE_COUNTER)
		ro = 2; /* PMXEVTYPER with 31 is governed by CR */
	return access->write && apmu_model__word_bit(pmu, APMU_WORD_USEREN, ro) ? APMU_MODEL__RAZ_WI
										: APMU_DONE;
}

/* True if EL2 traps no access in any state, the negative fine-grained traps (HDFGRTR2, HDFGWTR2) apart. */
static bool el2_open(const struct apmu *pmu)
{
	const struct apmu_state *s = &pmu->s;

	if (!apmu_model__has(pmu->core, APMU_FEATURE_EL2))
		return true;
	if (s->word[APMU_WORD_MDCR_EL2] & (1u << TPM | 1u << TPMCR) ||
	    apmu_base__is_set(s->hstr_el2, HSTR_T9))
		return false;
	return !s->word[APMU_WORD_HDFGRTR] && !s->word[APMU_WORD_HDFGWTR] &&
	       apmu_model__hpmn(pmu) == apmu_model__epmn(pmu);
}

uint8_t apmu_model__open(const struct apmu *pmu)
{
	bool el3 = apmu_model__has(pmu->core, APMU_FEATURE_EL3_A64) && !apmu_model__a32(pmu, 3);
	uint8_t open = 0;

	if (!el2_open(pmu))
		return 0;
	for (unsigned gate = APMU_GATE_NONE; gate <= APMU_GATE_ENPMSS; gate++)
		if (!el3 || !trapped_to_el3(pmu, (enum apmu_gate)gate))
			open |= (uint8_t)(1u << gate);
	return open;
}

/* True if the access ends with what a check said. After a check that makes a register read 0, a later check
 * may still trap. */
static inline bool ends(int says, int *verdict)
{
	if (says == APMU_DONE)
		return false;
	*verdict = says;
	return says != APMU_MODEL__RAZ_WI;
}

/* PMUV3SHEET 3.1, steps 1 to 9; HSTR is checked where 3.8 has it. */
int apmu_model__trap(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_reg *reg = access->hit.reg;
	int verdict = APMU_DONE;

	if (!SMALL && reg->easy && access->from.el != 0 && pmu->open >> reg->trap.gate & 1)
		return APMU_DONE;

#define ASK(check)                              \
	if (ends(check(pmu, access), &verdict)) \
	return verdict

	ASK(direction);
	ASK(absent);
	ASK(level_of);
	if (access->from.el == 0) {
		ASK(apmu_model__user);
	} else if (!reg->trap.second && pmu->open >> reg->trap.gate & 1) {
		return verdict;
	}
	if (under_el2(pmu, access)) {
		ASK(hstr);
		ASK(fine_grained);
		ASK(hypervisor);
	}
	ASK(monitor);
	ASK(per_counter);
#undef ASK
	return verdict;
}
