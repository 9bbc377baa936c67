/* SPDX-License-Identifier: MIT */
/* Which units run, by the signals that are wanted. */
#include "uarch/machine.h"

#define EVERYTHING                                                                                        \
	(APMU__TAKEN | APMU__PREDICT | APMU__FETCH | APMU__ITLB | APMU__ACCESS | APMU__L1D | APMU__DTLB | \
	 APMU__MAIN | APMU__TIME | APMU__BELOW)
#define BELOW    (APMU__FETCH | APMU__ITLB | APMU__ACCESS | APMU__L1D | APMU__DTLB | APMU__MAIN | APMU__BELOW)
#define L1D      (APMU__ACCESS | APMU__L1D)
#define MAIN     (APMU__ACCESS | APMU__ITLB | APMU__DTLB | APMU__MAIN)
#define BRANCHES (APMU__TAKEN | APMU__PREDICT)
#define FAULTS   APMU__TAKEN /* whatever it is: the engine must see the order of blocks */

/* Units that a signal needs. A count must not depend on what else is wanted: whatever can change it runs. */
static const uint32_t needs[APMU_SIGNALS] = {
	[APMU_SIG_CYCLES] = EVERYTHING,
	[APMU_SIG_EXC_UNDEF] = FAULTS,
	[APMU_SIG_EXC_PABORT] = FAULTS,
	[APMU_SIG_EXC_DABORT] = FAULTS,
	[APMU_SIG_EXC_OTHER] = FAULTS,
	[APMU_SIG_TAG_CHECK_RD] = FAULTS, /* as for these */
	[APMU_SIG_TAG_CHECK_WR] = FAULTS,
	[APMU_SIG_LD_RETIRED] = APMU__ACCESS,
	[APMU_SIG_ST_RETIRED] = APMU__ACCESS,
	[APMU_SIG_BR_MIS_PRED] = BRANCHES,
	[APMU_SIG_BR_IMMED_MIS_PRED] = BRANCHES,
	[APMU_SIG_BR_COND_MIS_PRED] = BRANCHES,
	[APMU_SIG_BR_INDIRECT_MIS_PRED] = BRANCHES,
	[APMU_SIG_BR_INDIRECT_MIS_ADDR] = BRANCHES,
	[APMU_SIG_PC_CHANGE] = APMU__TAKEN,
	[APMU_SIG_RETURN_INST] = APMU__TAKEN,
	[APMU_SIG_CALL] = BRANCHES,
	[APMU_SIG_RETURN] = BRANCHES,
	[APMU_SIG_RETURN_PRED] = BRANCHES,
	[APMU_SIG_RETURN_MIS_PRED] = BRANCHES,
	[APMU_SIG_L1I_MISS] = APMU__FETCH | BRANCHES,
	[APMU_SIG_L1I_FILL] = APMU__FETCH,
	[APMU_SIG_FETCH_STALL] = EVERYTHING,
	[APMU_SIG_FETCH_STALL_EXTRA] = BRANCHES,
	[APMU_SIG_L1I_TLB_REFILL] = APMU__ITLB,
	[APMU_SIG_L1D_ACCESS] = APMU__ACCESS,
	[APMU_SIG_L1D_ACCESS_CACHEABLE] = APMU__ACCESS,
	[APMU_SIG_L1D_MISS] = L1D,
	[APMU_SIG_L1D_FILL] = L1D,
	[APMU_SIG_L1D_WB_HALF] = L1D,
	[APMU_SIG_L1D_TLB_REFILL] = APMU__ACCESS | APMU__DTLB,
	[APMU_SIG_TLB_WALK] = MAIN,
	[APMU_SIG_DATA_STALL] = EVERYTHING,
	[APMU_SIG_LSU_FULL_STALL] = EVERYTHING,
	[APMU_SIG_LSU_FULL_RUN] = EVERYTHING,
	[APMU_SIG_EXT_ACCESS] = L1D,
	[APMU_SIG_WBUF_DRAIN] = APMU__ACCESS,
	[APMU_SIG_BCU_REQUEST] = EVERYTHING, /* stores that share a buffer entry are one request */
	[APMU_SIG_BCU_FULL] = EVERYTHING,
	[APMU_SIG_BCU_DRAIN] = APMU__ACCESS,
	[APMU_SIG_SPLIT_LD] = APMU__ACCESS,
	[APMU_SIG_SPLIT_ST] = APMU__ACCESS,
	[APMU_SIG_UNALIGNED_LD] = APMU__ACCESS,
	[APMU_SIG_UNALIGNED_ST] = APMU__ACCESS,
	[APMU_SIG_STREX_PASS] = APMU__ACCESS,
	[APMU_SIG_STREX_FAIL] = APMU__ACCESS,
	[APMU_SIG_OP_SPEC] = EVERYTHING, /* wrong paths too */
	[APMU_SIG_STALL_BACK_MEM] = EVERYTHING,
	[APMU_SIG_STALL_BACK_TLB] = EVERYTHING,
	[APMU_SIG_SLOT_FRONT] = EVERYTHING,
	[APMU_SIG_SLOT_BACK] = EVERYTHING,
	[APMU_SIG_STALL_FETCH_CACHE] = EVERYTHING,
	[APMU_SIG_STALL_FETCH_TLB] = EVERYTHING,
	[APMU_SIG_STALL_FETCH_OTHER] = EVERYTHING,
	[APMU_SIG_STALL_DEP_AGU] = EVERYTHING,
	[APMU_SIG_STALL_DEP_SIMD] = EVERYTHING,
	[APMU_SIG_STALL_DEP_OTHER] = EVERYTHING,
	[APMU_SIG_STALL_LD] = EVERYTHING,
	[APMU_SIG_STALL_ST] = EVERYTHING,
	[APMU_SIG_WBUF_FULL_STALL] = EVERYTHING,
	[APMU_SIG_MEM_RD] = APMU__ACCESS,
	[APMU_SIG_MEM_WR] = APMU__ACCESS,
	[APMU_SIG_L1D_FILL_RD] = L1D,
	[APMU_SIG_L1D_FILL_WR] = L1D,
	[APMU_SIG_L1D_FILL_INNER] = BELOW,
	[APMU_SIG_L1D_FILL_OUTER] = BELOW,
	[APMU_SIG_L1D_WB] = L1D,
	[APMU_SIG_L1D_WB_CLEAN] = BELOW,
	[APMU_SIG_L1D_INVAL] = BELOW,
	[APMU_SIG_L1D_TLB_REFILL_RD] = APMU__ACCESS | APMU__DTLB,
	[APMU_SIG_L1D_TLB_REFILL_WR] = APMU__ACCESS | APMU__DTLB,
	[APMU_SIG_DTLB_WALK] = MAIN,
	[APMU_SIG_ITLB_WALK] = MAIN,
	[APMU_SIG_WALK_RD] = BELOW,
	[APMU_SIG_L1I_ACCESS] = APMU__FETCH,
	[APMU_SIG_L2_TLB_RD] = MAIN,
	[APMU_SIG_L2_TLB_WR] = MAIN,
	[APMU_SIG_L2_TLB_FETCH] = MAIN,
	[APMU_SIG_L2_TLB_REFILL_RD] = MAIN,
	[APMU_SIG_L2_TLB_REFILL_WR] = MAIN,
	[APMU_SIG_L2_TLB_REFILL_FETCH] = MAIN,
	[APMU_SIG_L2_RD] = BELOW,
	[APMU_SIG_L2_WR] = BELOW,
	[APMU_SIG_L2_FETCH] = BELOW,
	[APMU_SIG_L2_FILL_RD] = BELOW,
	[APMU_SIG_L2_FILL_WR] = BELOW,
	[APMU_SIG_L2_FILL_FETCH] = BELOW,
	[APMU_SIG_L2_WB] = BELOW,
	[APMU_SIG_L2_WB_CLEAN] = BELOW,
	[APMU_SIG_L2_INVAL] = BELOW,
	[APMU_SIG_L2_ALLOCATE] = BELOW,
	[APMU_SIG_L2C_IR_REQ] = BELOW,
	[APMU_SIG_L2C_IR_HIT] = BELOW,
	[APMU_SIG_L2C_DR_REQ] = BELOW,
	[APMU_SIG_L2C_DR_HIT] = BELOW,
	[APMU_SIG_L2C_DW_REQ] = BELOW,
	[APMU_SIG_L2C_DW_WT] = BELOW,
	[APMU_SIG_L2C_DW_HIT] = BELOW,
	[APMU_SIG_L3_RD] = BELOW,
	[APMU_SIG_L3_WR] = BELOW,
	[APMU_SIG_L3_FETCH] = BELOW,
	[APMU_SIG_L3_FILL_RD] = BELOW,
	[APMU_SIG_L3_FILL_WR] = BELOW,
	[APMU_SIG_L3_FILL_FETCH] = BELOW,
	[APMU_SIG_L3_WB] = BELOW,
	[APMU_SIG_L3_ALLOCATE] = BELOW,
	[APMU_SIG_LL_RD] = BELOW,
	[APMU_SIG_LL_MISS_RD] = BELOW,
	[APMU_SIG_BUS_RD] = BELOW,
	[APMU_SIG_BUS_WR] = BELOW,
	[APMU_SIG_PREFETCH_FILL] = L1D,
	[APMU_SIG_RA_ENTER] = L1D,
	[APMU_SIG_RA_STORE] = L1D,
	[APMU_SIG_BR_IMMED_TAKEN] = APMU__TAKEN,
	[APMU_SIG_BR_LINK_TAKEN] = APMU__TAKEN,
	[APMU_SIG_BR_IND_LINK_TAKEN] = APMU__TAKEN,
	[APMU_SIG_BR_COND_TAKEN] = APMU__TAKEN,
	[APMU_SIG_BR_RETURN_WRONG] = BRANCHES,
	[APMU_SIG_BR_TAKEN_WRONG] = BRANCHES,
	[APMU_SIG_PREFETCH_DROP] = L1D,
	[APMU_SIG_PREFETCH_HIT] = L1D,
	[APMU_SIG_STORE_OUT] = BELOW,
	[APMU_SIG_STORE_MERGE] = BELOW,
	[APMU_SIG_VEC_ACCESS] = APMU__ACCESS,
	[APMU_SIG_VEC_MISS] = L1D,
	[APMU_SIG_VEC_L2] = BELOW,
	[APMU_SIG_VEC_L2_MISS] = BELOW,
	[APMU_SIG_WALK_RD_CODE] = BELOW,
	[APMU_SIG_DTLB_WALK_CYCLES] = BELOW,
	[APMU_SIG_ITLB_WALK_CYCLES] = BELOW,
	[APMU_SIG_DTLB_WALK_LARGE] = MAIN,
	[APMU_SIG_ITLB_WALK_LARGE] = MAIN,
	[APMU_SIG_L2_AHEAD] = BELOW,
	[APMU_SIG_L2_FILL_AHEAD] = BELOW,
	[APMU_SIG_L3_AHEAD] = BELOW,
	[APMU_SIG_L3_FILL_AHEAD] = BELOW,
	[APMU_SIG_LL_WR] = BELOW,
	[APMU_SIG_LL_MISS_WR] = BELOW,
	[APMU_SIG_L2_HIT_WR] = BELOW,
	[APMU_SIG_L2_HITM_RD] = BELOW,
	[APMU_SIG_L2_HITM_WR] = BELOW,
	[APMU_SIG_L3_HIT_WR] = BELOW,
	[APMU_SIG_L3_HITM_RD] = BELOW,
	[APMU_SIG_L3_HITM_WR] = BELOW,
	[APMU_SIG_LL_HIT_WR] = BELOW,
	[APMU_SIG_LL_HITM_RD] = BELOW,
	[APMU_SIG_LL_HITM_WR] = BELOW,
	[APMU_SIG_BUS_REQ_RD] = BELOW,
	[APMU_SIG_BUS_REQ_WR] = BELOW,
	[APMU_SIG_BUS_RD_CYCLES] = BELOW,
	[APMU_SIG_MEM_RD_CYCLES] = EVERYTHING,
	[APMU_SIG_FETCH_CYCLES] = EVERYTHING,
	[APMU_SIG_STALL_FETCH_MEM] = EVERYTHING,
	[APMU_SIG_STALL_FETCH_L3] = EVERYTHING,
	[APMU_SIG_STALL_FETCH_MAIN] = EVERYTHING,
	[APMU_SIG_STALL_BACK_BOUND] = EVERYTHING,
	[APMU_SIG_STALL_BACK_L2] = EVERYTHING,
	[APMU_SIG_STALL_BACK_L3] = EVERYTHING,
	[APMU_SIG_STALL_BACK_MAIN] = EVERYTHING,
	[APMU_SIG_STALL_BACK_QUEUE] = EVERYTHING,
	[APMU_SIG_STALL_BARRIER] = EVERYTHING,
	[APMU_SIG_PLD_TOLD] = APMU__ACCESS,
	[APMU_SIG_PLD_L1D_HIT] = L1D,
	[APMU_SIG_PLD_L1D_FILL] = L1D,
	[APMU_SIG_PLD_TLB_REFILL] = APMU__ACCESS | APMU__DTLB,
	[APMU_SIG_PLD_WALK] = MAIN,
	[APMU_SIG_PLD_WALK_CYCLES] = BELOW,
	[APMU_SIG_L2_PLD] = BELOW,
	[APMU_SIG_L2_FILL_PLD] = BELOW,
	[APMU_SIG_L3_PLD] = BELOW,
	[APMU_SIG_L3_FILL_PLD] = BELOW,
	[APMU_SIG_LL_PLD] = BELOW,
	[APMU_SIG_LL_MISS_PLD] = BELOW,
	[APMU_SIG_UNCACHED_RD] = APMU__ACCESS,
	[APMU_SIG_UNCACHED_WR] = APMU__ACCESS,
};

static uint32_t parts_for(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	uint32_t parts = 0;
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (apmu_signal_in(wanted, s))
			parts |= needs[s];
	return parts;
}

bool apmu_uarch_needs_accesses(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return parts_for(wanted) & APMU__ACCESS;
}

bool apmu_uarch_needs_order(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return parts_for(wanted) != 0;
}

bool apmu_uarch_needs_faults(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return apmu_signal_in(wanted, APMU_SIG_EXC_UNDEF) || apmu_signal_in(wanted, APMU_SIG_EXC_PABORT) ||
	       apmu_signal_in(wanted, APMU_SIG_EXC_DABORT) || apmu_signal_in(wanted, APMU_SIG_EXC_OTHER);
}

/* Does the level change what is counted of L1? An inclusive one takes lines out; an exclusive one hands dirty
 * ones up, which shows only when L1 writes them back. */
static bool meddles(const struct apmu_level_params *v, bool writes_back)
{
	if (!v->size)
		return false;
	return v->inclusion == APMU_INCLUSIVE || (v->inclusion == APMU_EXCLUSIVE && writes_back);
}

/* Without units that the core has not; with those that fine print ties together. */
uint32_t apmu__parts(const struct apmu_uarch_params *p, const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	uint32_t parts = parts_for(wanted);
	bool wb = apmu_signal_in(wanted, APMU_SIG_L1D_WB) || apmu_signal_in(wanted, APMU_SIG_L1D_WB_HALF);
	if ((parts & APMU__L1D) && (meddles(&p->l2, wb) || meddles(&p->l3, wb)))
		parts |= BELOW;
	if (p->itlb.entries == 0)
		parts &= ~(uint32_t)APMU__ITLB;
	if (p->dtlb.entries == 0)
		parts &= ~(uint32_t)APMU__DTLB;
	if (p->l1i.size == 0)
		parts &= ~(uint32_t)APMU__FETCH;
	if ((parts & APMU__ACCESS) && p->speculative_after_store && (p->dtcm.size || p->itcm.size))
		parts |= APMU__L1D; /* was the store before external? */
	return parts;
}

uint32_t apmu__more(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	static const struct {
		uint16_t signal, more;
	} rows[] = {
		{APMU_SIG_BR_EXEC, APMU__MORE_BRANCHES},
		{APMU_SIG_BR_IMMED, APMU__MORE_BRANCHES},
		{APMU_SIG_BR_OTHER, APMU__MORE_BRANCHES},
		{APMU_SIG_WBUF_DRAIN, APMU__MORE_DRAINS},
		{APMU_SIG_BCU_DRAIN, APMU__MORE_DRAINS},
		{APMU_SIG_FETCH_STALL_EXTRA, APMU__MORE_DRAINS},
		{APMU_SIG_L1I_ACCESS, APMU__MORE_FETCHES},
		{APMU_SIG_PC_CHANGE, APMU__MORE_TURNS},
		{APMU_SIG_DATA_STALL, APMU__MORE_STALLS},
		{APMU_SIG_STALL_DEP_AGU, APMU__MORE_STALLS},
		{APMU_SIG_STALL_DEP_SIMD, APMU__MORE_STALLS},
		{APMU_SIG_STALL_DEP_OTHER, APMU__MORE_STALLS},
		{APMU_SIG_BR_IMMED_TAKEN, APMU__MORE_WAYS},
		{APMU_SIG_BR_LINK_TAKEN, APMU__MORE_WAYS},
		{APMU_SIG_BR_IND_LINK_TAKEN, APMU__MORE_WAYS},
		{APMU_SIG_BR_COND_TAKEN, APMU__MORE_WAYS},
		{APMU_SIG_LD_RETIRED, APMU__MORE_SVE},
		{APMU_SIG_ST_RETIRED, APMU__MORE_SVE},
	};
	uint32_t more = apmu__traits_wanted(wanted) ? APMU__MORE_TRAITS : 0;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (apmu_signal_in(wanted, rows[i].signal))
			more |= rows[i].more;
	return more;
}

uint32_t apmu__sure_wanted(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	static const struct {
		uint16_t signal, more;
	} rows[] = {
		{APMU_SIG_LD_RETIRED, APMU__MORE_KINDS},
		{APMU_SIG_ST_RETIRED, APMU__MORE_KINDS},
		{APMU_SIG_MEM_RD, APMU__MORE_KINDS},
		{APMU_SIG_MEM_WR, APMU__MORE_KINDS},
		{APMU_SIG_L1D_ACCESS, APMU__MORE_ACCESSES},
		{APMU_SIG_L1D_ACCESS_CACHEABLE, APMU__MORE_ACCESSES},
	};
	uint32_t more = 0;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (apmu_signal_in(wanted, rows[i].signal))
			more |= rows[i].more;
	return more;
}

static bool wants_none(const uint64_t wanted[APMU_SIGNAL_WORDS], const uint16_t *signal, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (apmu_signal_in(wanted, signal[i]))
			return false;
	return true;
}

bool apmu__flush_soft(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	static const uint16_t hard[] = {APMU_SIG_FETCH_STALL,       APMU_SIG_FETCH_STALL_EXTRA,
					APMU_SIG_STALL_FETCH_OTHER, APMU_SIG_BR_COND_MIS_PRED,
					APMU_SIG_BR_IMMED_MIS_PRED, APMU_SIG_BR_INDIRECT_MIS_PRED,
					APMU_SIG_BR_RETURN_WRONG,   APMU_SIG_BR_TAKEN_WRONG};
	return wants_none(wanted, hard, sizeof(hard) / sizeof(hard[0]));
}

bool apmu__fills_bare(const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	static const uint16_t more[] = {
		APMU_SIG_EXT_ACCESS,     APMU_SIG_L1D_FILL_RD,    APMU_SIG_L1D_FILL_WR, APMU_SIG_BCU_REQUEST,
		APMU_SIG_L1D_FILL_OUTER, APMU_SIG_L1D_FILL_INNER, APMU_SIG_L1D_WB,      APMU_SIG_L1D_WB_HALF};
	return wants_none(wanted, more, sizeof(more) / sizeof(more[0]));
}
