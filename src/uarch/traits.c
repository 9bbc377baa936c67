/* SPDX-License-Identifier: MIT */
/* The signals that an instruction counts by its traits. */
#include "uarch/block.h"

/* Signals of each trait; a row ends with 0 (APMU_SIG_CYCLES, which no trait counts). A store-exclusive counts
 * as failed until its store is reported. */
#define SIGNALS 4 /* the most per trait */
static const uint16_t signals[APMU_TRAITS][SIGNALS] = {
	[APMU_TRAIT_DP] = {APMU_SIG_DP_INST},
	[APMU_TRAIT_ASE] = {APMU_SIG_ASE_INST},
	[APMU_TRAIT_VFP] = {APMU_SIG_VFP_INST},
	[APMU_TRAIT_CRYPTO] = {APMU_SIG_CRYPTO_INST},
	[APMU_TRAIT_SVE] = {APMU_SIG_SVE_INST},
	[APMU_TRAIT_LDREX] = {APMU_SIG_LDREX_INST},
	[APMU_TRAIT_STREX] = {APMU_SIG_STREX_INST, APMU_SIG_STREX_FAIL},
	[APMU_TRAIT_LDACQ] = {APMU_SIG_LDACQ_INST},
	[APMU_TRAIT_STREL] = {APMU_SIG_STREL_INST},
	[APMU_TRAIT_LSE] = {APMU_SIG_LSE_INST},
	[APMU_TRAIT_PRELOAD] = {APMU_SIG_PRELOAD_INST},
	[APMU_TRAIT_PLI] = {APMU_SIG_PLI_INST},
	[APMU_TRAIT_CAS] = {APMU_SIG_CAS_INST},
	[APMU_TRAIT_DMB] = {APMU_SIG_DMB_INST},
	[APMU_TRAIT_DSB] = {APMU_SIG_DSB_INST},
	[APMU_TRAIT_ISB] = {APMU_SIG_ISB_INST},
	[APMU_TRAIT_CSDB] = {APMU_SIG_CSDB_INST},
	[APMU_TRAIT_SVC] = {APMU_SIG_SVC_INST},
	[APMU_TRAIT_ZVA] = {APMU_SIG_ZVA_INST, APMU_SIG_MEM_WR, APMU_SIG_L1D_ACCESS,
			    APMU_SIG_L1D_ACCESS_CACHEABLE},
	[APMU_TRAIT_FP_HALF] = {APMU_SIG_FP_HALF},
	[APMU_TRAIT_FP_SINGLE] = {APMU_SIG_FP_SINGLE},
	[APMU_TRAIT_FP_DOUBLE] = {APMU_SIG_FP_DOUBLE},
	[APMU_TRAIT_INT_8] = {APMU_SIG_VEC_INT_8},
	[APMU_TRAIT_INT_16] = {APMU_SIG_VEC_INT_16},
	[APMU_TRAIT_INT_32] = {APMU_SIG_VEC_INT_32},
	[APMU_TRAIT_INT_64] = {APMU_SIG_VEC_INT_64},
	[APMU_TRAIT_SVE_PRED] = {APMU_SIG_SVE_PRED_INST},
	[APMU_TRAIT_SVE_LDFF] = {APMU_SIG_SVE_LDFF_INST},
	[APMU_TRAIT_FIXED + 0] = {APMU_SIG_FP_FIXED_OPS},
	[APMU_TRAIT_FIXED + 1] = {APMU_SIG_FP_FIXED_OPS},
	[APMU_TRAIT_FIXED + 2] = {APMU_SIG_FP_FIXED_OPS},
	[APMU_TRAIT_FIXED + 3] = {APMU_SIG_FP_FIXED_OPS},
	[APMU_TRAIT_FIXED + 4] = {APMU_SIG_FP_FIXED_OPS},
	[APMU_TRAIT_FIXED + 5] = {APMU_SIG_FP_FIXED_OPS},
	[APMU_TRAIT_SCALED + 0] = {APMU_SIG_FP_SCALE_OPS},
	[APMU_TRAIT_SCALED + 1] = {APMU_SIG_FP_SCALE_OPS},
	[APMU_TRAIT_SCALED + 2] = {APMU_SIG_FP_SCALE_OPS},
	[APMU_TRAIT_SCALED + 3] = {APMU_SIG_FP_SCALE_OPS},
	[APMU_TRAIT_SCALED + 4] = {APMU_SIG_FP_SCALE_OPS},
	[APMU_TRAIT_SCALED + 5] = {APMU_SIG_FP_SCALE_OPS},
	[APMU_TRAIT_BRANCH_X] = {APMU_SIG_BR_IMMED_X},
	[APMU_TRAIT_BRANCH_INDIRECT] = {APMU_SIG_BR_INDIRECT},
	[APMU_TRAIT_BRANCH_COND] = {APMU_SIG_BR_COND},
	[APMU_TRAIT_BRANCH_RETURN] = {APMU_SIG_BR_RETURN_ANY},
};

/* What one instruction adds; for the traits FIXED and SCALED a power of two. */
static unsigned weight(unsigned trait)
{
	if (trait >= APMU_TRAIT_SCALED && trait < APMU_TRAIT_SVE_PRED)
		return 1u << (trait - APMU_TRAIT_SCALED);
	return trait >= APMU_TRAIT_FIXED && trait < APMU_TRAIT_SCALED ? 1u << (trait - APMU_TRAIT_FIXED) : 1;
}

static uint64_t branch_traits(const struct apmu_insn *x)
{
	uint64_t traits = x->flags & APMU_INSN_CONDITIONAL ? (uint64_t)1 << APMU_TRAIT_BRANCH_COND : 0;

	switch (x->branch) {
	case APMU_BRANCH_NONE: return 0;
	case APMU_BRANCH_IMMED:
	case APMU_BRANCH_IMMED_LINK: return traits;
	case APMU_BRANCH_IMMED_X: return traits | (uint64_t)1 << APMU_TRAIT_BRANCH_X;
	case APMU_BRANCH_RETURN: traits |= (uint64_t)1 << APMU_TRAIT_BRANCH_RETURN; /* fall through */
	default: return traits | (uint64_t)1 << APMU_TRAIT_BRANCH_INDIRECT;
	}
}

uint64_t apmu_uarch__traits_of(const struct apmu_insn *x)
{
	uint64_t own = ((uint64_t)1 << APMU_TRAIT_BRANCH_X) - 1; /* the traits that a caller may set */

	return (x->traits & own) | branch_traits(x);
}

void apmu_uarch__traits_own(uint64_t *n, uint64_t traits)
{
	for (uint64_t set = traits; set; set &= set - 1)
		for (unsigned s = 0; s < SIGNALS && signals[__builtin_ctzll(set)][s]; s++)
			n[signals[__builtin_ctzll(set)][s]] += weight((unsigned)__builtin_ctzll(set));
}
