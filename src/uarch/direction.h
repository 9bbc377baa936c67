/* SPDX-License-Identifier: MIT */
/**
 * Predictors of a conditional branch's direction: one of enum apmu_direction, with a loop predictor on
 * top where the core has one.
 *
 * Histories and tables are updated at once with the outcome, as if each branch were resolved before the next
 * is predicted. apmu_uarch__direction_init() allocates all storage.
 */
#ifndef APMU_UARCH_DIRECTION_H
#define APMU_UARCH_DIRECTION_H

#include "uarch/tage.h"

#include <apmu/uarch.h>

struct apmu_uarch__loop {
	uint64_t tag;         /* address of the branch */
	uint32_t trip, count; /* times taken in a row: before the last fall-through, since then */
	uint8_t confidence;   /* times in a row that `trip` was the same, up to 3 */
};

#define APMU_UARCH__HYBRID_STATES 128u /* index: counter[] | shared[] << 4 | outcome << 6 */

struct apmu_uarch__direction {
	uint8_t kind;  /* enum apmu_direction */
	uint64_t seen; /* mask of the history bits that index the table */
	bool simple;   /* one table of counters, no loop predictor: inline in apmu_uarch__direction_quick() */
	bool hybrid;   /* hybrid, no loop predictor: inline too */
	bool usual;    /* TAGE with the usual number of tables, no loop predictor: inline too */
	uint8_t history_bits; /* of gshare and local */
	uint64_t history;     /* global history, the last branch in bit 0 */
	uint8_t *counter;     /* [counters] 0 to 3; hybrid: plus 4 times the chooser's counter */
	uint8_t *shared;      /* hybrid: [counters] 0 to 3, by address and history */
	uint8_t hybrid_next[APMU_UARCH__HYBRID_STATES];
	uint32_t *local; /* [locals] histories */
	struct apmu_uarch__tage tage;
	struct apmu_uarch__loop *loop; /* [loops] */
	uint64_t counter_mask, local_mask, loop_mask;
};

int apmu_uarch__direction_init(struct apmu_uarch__direction *d, const struct apmu_uarch_params *p);
void apmu_uarch__direction_free(struct apmu_uarch__direction *d);

/* The next value of a two-bit counter, plus 4 if its prediction was wrong: one nibble per value and outcome,
 * so that neither a branch nor a load is needed. */
#define APMU_UARCH__TWO_BITS 0x33656500u
static inline unsigned apmu_uarch__two_bits(unsigned now, bool taken)
{
	return APMU_UARCH__TWO_BITS >> (4 * now + 16u * taken) & 7;
}

/* McFarling's combined predictor: a counter by address, one by address and history, and one by address that
 * chooses between them and learns where they differ. The next state comes from a table. */
static inline bool apmu_uarch__hybrid(struct apmu_uarch__direction *d, uint64_t pc, bool outcome)
{
	uint8_t *own = &d->counter[pc & d->counter_mask];
	uint8_t *with = &d->shared[(pc ^ (d->history & d->seen)) & d->counter_mask];
	unsigned next = d->hybrid_next[*own | (unsigned)*with << 4 | (unsigned)outcome << 6];

	*own = next & 15;
	*with = next >> 4 & 3;
	return next >> 6; /* the prediction */
}

/* Predicts the conditional branch at `addr`, then learns its outcome; `backward`: its target is not beyond
 * it. */
bool apmu_uarch__direction(struct apmu_uarch__direction *d, uint64_t addr, bool backward, bool outcome);

/* apmu_uarch__direction(), inline for the usual predictors. */
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
