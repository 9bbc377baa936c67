/* SPDX-License-Identifier: MIT */
/**
 * Direction predictors: does a conditional branch go? One of enum apmu_direction, with a loop predictor on
 * top where there is one.
 *
 * Histories and tables are updated at once with the outcome, as if each branch were resolved before the next
 * is predicted. Storage is allocated by apmu_uarch__direction_init().
 */
#ifndef APMU_UARCH_DIRECTION_H
#define APMU_UARCH_DIRECTION_H

#include "uarch/tage.h"

#include <apmu/uarch.h>

struct apmu_uarch__loop {
	uint64_t tag;         /* address of the branch */
	uint32_t trip, count; /* times it went before it did not: last time, this time */
	uint8_t confidence;   /* times that trip was the same, up to 3 */
};

#define APMU_UARCH__HYBRID_STATES 128u /* of hybrid: counter[] | shared[] << 4 | outcome << 6 */

struct apmu_uarch__direction {
	uint8_t kind;  /* enum apmu_direction */
	uint64_t seen; /* the history that the table is indexed with */
	bool simple;   /* one table of counters, no loop predictor: apmu_uarch__direction_quick() will do */
	bool hybrid;   /* hybrid without loop predictor: likewise */
	bool usual;    /* tage, its tables as many as usual, no loop predictor: likewise */
	uint8_t history_bits; /* of gshare, local */
	uint64_t history;     /* global, the last branch in bit 0 */
	uint8_t *counter;     /* [counters] 0..3; of hybrid, four times what chooses more */
	uint8_t *shared;      /* of hybrid: [counters] 0..3 by address and history */
	uint8_t hybrid_next[APMU_UARCH__HYBRID_STATES];
	uint32_t *local; /* [locals] histories */
	struct apmu_uarch__tage tage;
	struct apmu_uarch__loop *loop; /* [loops] */
	uint64_t counter_mask, local_mask, loop_mask;
};

int apmu_uarch__direction_init(struct apmu_uarch__direction *d, const struct apmu_uarch_params *p);
void apmu_uarch__direction_free(struct apmu_uarch__direction *d);

/* What a two-bit counter becomes, and 4 if it was wrong: a nibble for each of its values and each outcome, so
 * that neither a jump nor a load is needed. */
#define APMU_UARCH__TWO_BITS 0x33656500u
static inline unsigned apmu_uarch__two_bits(unsigned now, bool taken)
{
	return APMU_UARCH__TWO_BITS >> (4 * now + 16u * taken) & 7;
}

/* McFarling's combined predictor: a counter by address, one by address and history, and one by address that
 * says which of them to believe; it learns where they differ. What becomes of them is looked up. */
static inline bool apmu_uarch__hybrid(struct apmu_uarch__direction *d, uint64_t pc, bool outcome)
{
	uint8_t *own = &d->counter[pc & d->counter_mask];
	uint8_t *with = &d->shared[(pc ^ (d->history & d->seen)) & d->counter_mask];
	unsigned next = d->hybrid_next[*own | (unsigned)*with << 4 | (unsigned)outcome << 6];

	*own = next & 15;
	*with = next >> 4 & 3;
	return next >> 6; /* what was predicted */
}

/* Predicts the conditional branch at `addr`, `backward` if its target is not beyond it, then learns. */
bool apmu_uarch__direction(struct apmu_uarch__direction *d, uint64_t addr, bool backward, bool outcome);

/* The same in line, for those that need no more. */
static inline __attribute__((always_inline)) bool
apmu_uarch__direction_quick(struct apmu_uarch__direction *d, uint64_t addr, bool backward, bool outcome)
{
	if (d->usual) {
		bool taken = apmu_uarch__tage_usual(&d->tage, addr >> 1, outcome);
		d->tage.history = d->tage.history << 1 | outcome;
		return taken;
	}
	if (d->hybrid) {
		bool taken = apmu_uarch__hybrid(d, addr >> 2, outcome);
		d->history = d->history << 1 | outcome;
		return taken;
	}
	if (!d->simple)
		return apmu_uarch__direction(d, addr, backward, outcome);
	uint8_t *counter = &d->counter[((addr >> 1) ^ (d->history & d->seen)) & d->counter_mask];
	uint8_t now = *counter;
	*counter = apmu_uarch__two_bits(now, outcome) & 3;
	d->history = d->history << 1 | outcome;
	return now >= 2;
}

#endif
