/* SPDX-License-Identifier: MIT */
/* Decides if an external agent may make an access through the memory-mapped frame. PMUV3SHEET 3.7,
 * ARMV7SHEET 6. A refusal is a bus error: APMU_UNDEFINED. */
#include "model/model.h"

#define EPMADE     2
#define EPMAD      21
#define OSLO       8
#define MANAGEMENT 0xF00 /* the management registers begin at this offset */

static bool is_snapshot(const struct apmu_reg *reg)
{
	return reg->trap.gate == APMU_GATE_ENPMSS;
}

static bool holds_word(const struct apmu_reg *reg, enum apmu_word word)
{
	const struct apmu_place *last = &reg->field[reg->fields - 1].place;

	return last->kind == APMU_PLACE_WORD && last->index == word;
}

static bool is_management(const struct apmu_reg *reg)
{
	return reg->at[reg->encodings - 1].encoding >= MANAGEMENT;
}

/* True for PMLAR and PMLSR. */
static bool is_lock(const struct apmu_reg *reg)
{
	for (unsigned i = 0; i < reg->fields; i++) {
		const struct apmu_place *place = &reg->field[i].place;

		if ((place->kind == APMU_PLACE_WORD && place->index == APMU_WORD_SLK) ||
		    (place->kind == APMU_PLACE_DO && place->index == APMU_DO_LOCK))
			return true;
	}
	return false;
}

/* DDI0487 I5.3, K5.4.2: the OS Double Lock leaves PMUv3's management registers alone. So does a core without
 * power if there is a software lock, which says that they are in the Debug power domain (no FEAT_DoPD). */
static bool core_refuses(const struct apmu *pmu, const struct apmu_model__access *access)
{
	bool management = pmu->core->access_rule == APMU_ACCESS_V8 && is_management(access->hit.reg);

	if (pmu->s.powered_off && !(management && apmu_model__has(pmu->core, APMU_FEATURE_EXT32)))
		return true;
	return pmu->s.double_lock && !management;
}

static bool os_lock_refuses(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_reg *reg = access->hit.reg;

	if (!pmu->s.os_lock || is_management(reg) || is_snapshot(reg))
		return false;
	if (holds_word(reg, APMU_WORD_PMCCR))
		return false;
	return !(apmu_model__most_secure(pmu, access->from) &&
		 apmu_model__word_bit(pmu, APMU_WORD_PMCCR, OSLO));
}

/* MDCR_EL3.EPMSSAD: the worlds that may access the snapshot registers. */
static bool snapshot_refused(const struct apmu *pmu, uint8_t security)
{
	switch (apmu_base__get(pmu->s.word[APMU_WORD_MDCR_EL3], 46, 45)) {
	case 1: return security != APMU_ROOT && security != APMU_REALM;
	case 2: return security != APMU_ROOT && security != APMU_SECURE;
	case 3: return false;
	default: return true;
	}
}

/* MDCR_EL3.{EPMADE,EPMAD} with RME. */
static bool world_refused(unsigned which, uint8_t security)
{
	switch (which) {
	case 0: return false;
	case 1: return security == APMU_REALM || security == APMU_NONSECURE;
	case 2: return security == APMU_SECURE || security == APMU_NONSECURE;
	default: return security != APMU_ROOT;
	}
}

/* Before Armv8.4 debug, access depends on external invasive debug. */
static bool invasive_refuses(const struct apmu *pmu)
{
	const struct apmu_inputs *in = &pmu->s.in;

	if (!in->dbgen)
		return true;
	return !in->spiden && apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, EPMAD);
}

/* True if EPMAD has no effect on the register: PMCCR, the PC sample registers (DDI0487 tables I3-1, I3-2) and
 * the management registers (K5.4.2). */
static bool always_open(const struct apmu_reg *reg)
{
	return is_management(reg) || reg->feature == APMU_FEATURE_PCSR || holds_word(reg, APMU_WORD_PMCCR);
}

static bool external_refused(const struct apmu *pmu, const struct apmu_model__access *access)
{
	bool ade = apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, EPMADE),
	     ad = apmu_model__word_bit(pmu, APMU_WORD_MDCR_EL3, EPMAD);

	if (pmu->core->access_rule != APMU_ACCESS_V8 || apmu_model__most_secure(pmu, access->from))
		return false;
	if (is_snapshot(access->hit.reg))
		return snapshot_refused(pmu, access->from.security);
	if (always_open(access->hit.reg))
		return false;
	if (apmu_model__has(pmu->core, APMU_FEATURE_RME))
		return world_refused((unsigned)ade << 1 | ad, access->from.security);
	if (apmu_model__has(pmu->core, APMU_FEATURE_DEBUGV8P4))
		return ad && access->from.security == APMU_NONSECURE;
	return invasive_refuses(pmu);
}

/* True if the counter that the offset names does not exist or does not belong to this agent. */
static bool no_counter(const struct apmu *pmu, const struct apmu_model__access *access)
{
	unsigned there =
		apmu_model__most_secure(pmu, access->from) ? pmu->core->counters : apmu_model__epmn(pmu);

	for (unsigned i = 0; i < access->hit.reg->fields; i++)
		if (access->hit.reg->field[i].place.index == APMU_THIS)
			return access->hit.n >= there;
	return false;
}

static bool against_way(const struct apmu_model__access *access)
{
	enum apmu_way way = (enum apmu_way)access->hit.reg->way;

	return access->write ? way == APMU_WAY_RO : way == APMU_WAY_WO;
}

/* DDI0487 I5.3, PMCCR: RAZ/WI for all but the most secure agent. */
static bool not_its_own(const struct apmu *pmu, const struct apmu_model__access *access)
{
	return holds_word(access->hit.reg, APMU_WORD_PMCCR) && !apmu_model__most_secure(pmu, access->from);
}

/* The software lock makes the frame ignore writes from the core's own bus, except those of the key and of
 * PMCCR (DDI0487 table I3-2). For the debug port there is no lock: PMLAR ignores its writes, PMLSR reads 0
 * (DDI0487 I5.3). */
static bool software_locked(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_reg *reg = access->hit.reg;

	if (is_lock(reg))
		return access->from.debug_port;
	if (!access->write || access->from.debug_port || access->hit.view == APMU_VIEW_MMIO64)
		return false;
	return pmu->s.word[APMU_WORD_SLK] && !holds_word(reg, APMU_WORD_PMCCR);
}

int apmu_model__frame(const struct apmu *pmu, const struct apmu_model__access *access)
{
	if (core_refuses(pmu, access) || os_lock_refuses(pmu, access) || external_refused(pmu, access))
		return APMU_UNDEFINED;
	if (against_way(access) || no_counter(pmu, access) || not_its_own(pmu, access) ||
	    software_locked(pmu, access))
		return APMU_MODEL__RAZ_WI;
	return APMU_DONE;
}
