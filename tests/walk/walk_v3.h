/* SPDX-License-Identifier: MIT */
/**
 * The exhaustive walk of a toy PMUv3: generic-v9's row with two event counters and a cycle counter of two
 * bits; every state that it can reach, every operation of the alphabet in each state.
 *
 * State that varies: the three counts, three flags, the enables of both event counters, PMCR.{E,FZO,DP},
 * MDCR_EL2.{HPME,HPMFZO,HPMN}, the interrupt enables (all or none). Counter 0 counts INST_RETIRED; counter 1
 * CHAIN in one toy, L1D_CACHE_REFILL in the other. A narrow counter overflows at its own width, whatever LP.
 *
 * Restrictions: Non-secure EL1 throughout, written from EL2; the cycle counter's enable stays set; no
 * filters, thresholds, SPE or R3; counters are written with 0 or all ones only. The claims are PMUv3's rules
 * (DDI0487, by way of the fact sheet's sections), one function each, checked for every transition.
 */
#ifndef APMU_TEST_WALK_V3_H
#define APMU_TEST_WALK_V3_H

#include <apmu/model.h>

#define TOY3_MAX 3u

enum v3_step_kind { CYCLE, WRITE };
struct v3_step {
	enum v3_step_kind kind;
	unsigned inst, fill; /* CYCLE */
	uint32_t at;         /* WRITE: apmu_sysreg() */
	uint64_t value;
};

/* The state in the form that the claims use. */
struct v3_view {
	unsigned c[3];  /* counter 0, counter 1, cycle counter */
	unsigned flags; /* bits 0 and 1; bit 2: cycle counter */
	unsigned on;    /* PMCNTEN bits 0, 1 */
	bool inten, e, fzo, dp, hpme, hpmfzo;
	unsigned hpmn;
};

struct v3_walk {
	struct apmu_core core;
	struct apmu_tally tally;
	struct apmu pmu;
	struct apmu_snapshot origin;
	bool line;
	bool chained;
	struct v3_step step[64];
	size_t steps, states;
	unsigned long transitions;
	unsigned char *seen;
	uint32_t *queue;
};

struct v3_go {
	const struct v3_walk *w;
	const struct v3_step *step;
	struct v3_view from, to;
};

enum {
	PMCR = 0x339C0,
	PMCNTENSET = 0x339C1,
	PMCNTENCLR = 0x339C2,
	PMOVSCLR = 0x339C3,
	PMCCNTR = 0x339D0,
	PMOVSSET = 0x339E3,
	PMINTENSET = 0x309E1,
	PMINTENCLR = 0x309E2,
	PMEVCNTR0 = 0x33E80,
	PMEVTYPER0 = 0x33EC0,
	MDCR_EL2 = 0x34111
};
#define C31 0x80000000u

/* Three bits in the order 0, 1, cycles from one of the model's masks or a register's. */
static inline unsigned v3_three(uint64_t mask)
{
	return (unsigned)((mask & 3) | (mask >> 31 & 1) << 2);
}

/* The claim that the transition breaks, or NULL. */
const char *v3_broken(const struct v3_go *g);

#endif
