/* SPDX-License-Identifier: MIT */
/* The rules of ARM11 and XScale: one right per level, one enable for all counters. */
#include "model/model.h"

static bool allowed(const struct apmu *pmu, enum apmu_right right, bool secure, bool write)
{
	switch (right) {
	case APMU_RIGHT_RW: return true;
	case APMU_RIGHT_RO: return !write;
	case APMU_RIGHT_USER_VALID: return pmu->s.word[APMU_WORD_USER] != 0;
	case APMU_RIGHT_SECURE: return secure;
	case APMU_RIGHT_SECURE_LOCK: return secure && !(write && pmu->s.in.cp15sdisable);
	case APMU_RIGHT_NONE:
	case APMU_RIGHTS: break;
	}
	return false;
}

static int judge(const struct apmu *pmu, const struct apmu_model__access *access)
{
	enum apmu_right right = (enum apmu_right)access->hit.reg->right[access->from.el];

	return allowed(pmu, right, apmu_model__is_secure(access->from), access->write) ? APMU_DONE
										       : APMU_UNDEFINED;
}

static void act(struct apmu *pmu, const struct apmu_model__access *access, enum apmu_do what, uint64_t value)
{
	(void)access;
	(void)value;
	if (what == APMU_DO_RESET_CYCLE)
		apmu_model__restart_cycles(pmu);
	else
		apmu_model__zero(pmu, apmu_base__ones(pmu->core->counters));
}

/* AN195 2; XSCALE 8.2.4: one enable for all counters. */
static uint64_t globally_enabled(const struct apmu *pmu, bool e)
{
	return e ? pmu->exists : 0;
}

static unsigned overflow_bit(const struct apmu *pmu, unsigned i)
{
	return i == APMU_CYCLE_COUNTER ? pmu->core->cycle_width : pmu->core->width;
}

/* DDI0301H 3-137: User follows SDER in the Secure world. */
static bool watched(const struct apmu_state *s)
{
	return apmu_model__non_invasive_debug(s, apmu_model__is_secure(s->mode),
					      s->word[APMU_WORD_SUIDEN] || s->word[APMU_WORD_SUNIDEN]);
}

static uint64_t permitted(const struct apmu *pmu)
{
	bool halted = pmu->s.mode.debug_halted;

	if (pmu->core->permit_rule == APMU_PERMIT_HALT)
		return halted ? 0 : pmu->exists;
	if (pmu->core->permit_rule == APMU_PERMIT_SECURE)
		return halted || !watched(&pmu->s) ? 0 : pmu->exists;
	return pmu->exists;
}

/* For snapshots: the host may have mirrored SDER, on cores without that register too. */
static void mirrored(const struct apmu *pmu, struct apmu_state *most)
{
	(void)pmu;
	most->word[APMU_WORD_SUIDEN] = most->word[APMU_WORD_SUNIDEN] = 1;
}

const struct apmu_model__rules apmu_model__rules_plain = {
	.judge = judge,
	.act = act,
	.globally_enabled = globally_enabled,
	.permitted = permitted,
	.overflow_bit = overflow_bit,
	.words = offsetof(struct apmu_state, word[APMU_WORD_DP]) / sizeof(uint64_t),
	.mirrored = mirrored,
};
