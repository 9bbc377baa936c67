/* SPDX-License-Identifier: MIT */
/* The PC sample registers of the frame (FEAT_PCSRv8p2). DDI0487 H7.1. */
#include "model/model.h"

/* DDI0487 J1.3, ExternalNoninvasiveDebugAllowed. The worlds of FEAT_RME have authentication inputs of their
 * own, which this model lacks: they follow the Secure ones (accuracy.md). */
static bool permitted(const struct apmu *pmu, struct apmu_mode in)
{
	bool user = in.security == APMU_SECURE && in.el == 0 && pmu->s.word[APMU_WORD_SUNIDEN] &&
		    (apmu_model__a32(pmu, 1) || apmu_model__a32(pmu, 3));

	return !in.debug_halted && apmu_model__watches_world(pmu, in.security != APMU_NONSECURE && !user);
}

/* {NSE,NS} of a world: Secure 0, Non-secure 1, Root 2, Realm 3. */
static unsigned world(uint8_t security)
{
	switch ((enum apmu_security)security) {
	case APMU_SECURE: return 0;
	case APMU_NONSECURE: return 1;
	case APMU_ROOT: return 2;
	case APMU_REALM: return 3;
	}
	return 0;
}

void apmu_sample_pc(struct apmu *pmu, const struct apmu_pc_sample *sample, struct apmu_mode from)
{
	uint64_t *word = pmu->s.word;

	if (!apmu_model__has(pmu->core, APMU_FEATURE_PCSR) || (word[APMU_WORD_SLK] && !from.debug_port))
		return;
	if (!sample || !permitted(pmu, sample->mode)) {
		word[APMU_WORD_PMPCSR] |= 0xFFFFFFFFu;
		return;
	}
	word[APMU_WORD_PMPCSR] = apmu_base__get(sample->pc, sample->aarch32 ? 31 : 55, 0) |
				 (uint64_t)(world(sample->mode.security) >> 1) << 59 |
				 (uint64_t)(sample->mode.el & 3) << 61 |
				 (uint64_t)(world(sample->mode.security) & 1) << 63;
	word[APMU_WORD_PMVCIDSR] = sample->contextidr_el1;
	if (sample->el2 && sample->mode.el <= 1 && !sample->host)
		word[APMU_WORD_PMVCIDSR] |= (uint64_t)sample->vmid << 32;
	word[APMU_WORD_PMCCIDSR] = sample->contextidr_el1;
	if (sample->el2)
		word[APMU_WORD_PMCCIDSR] |= (uint64_t)sample->contextidr_el2 << 32;
}
