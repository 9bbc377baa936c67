/* SPDX-License-Identifier: MIT */
/**
 * The branch target buffer: direct mapped, with a tag and a two-bit counter per entry (ARM11's BTAC, XScale's
 * BTB). It predicts direction; the target of the branches that it holds is constant.
 *
 * Out of order there may be faster levels before it, the nano and the micro BTB. They hold as many of the
 * most recently inserted branches as they have entries, the nano BTB the newest; a taken branch is inserted
 * if it is new, or was not in the nano BTB. An entry therefore needs no list, only the running number of its
 * insertion.
 */
#ifndef APMU_UARCH_PREDICTOR_H
#define APMU_UARCH_PREDICTOR_H

#include <apmu/uarch.h>

struct apmu_uarch__btb_entry {
	uint64_t tag;    /* address of the branch; odd: empty */
	uint32_t put;    /* btb.put when the branch was inserted into the nano BTB */
	uint8_t counter; /* 0, 1: not taken; 2, 3: taken */
};
struct apmu_uarch__btb {
	struct apmu_uarch__btb_entry *entry;
	uint64_t mask; /* entries - 1 */
	uint8_t shift;
	bool untaken; /* branches that are not taken are allocated too */
	bool present;
	bool pairs, open; /* pairs: a branch may be dispatched together with the previous one; open: it may at
			     this moment */
	uint32_t put; /* running number of insertions into the nano BTB. It may wrap: a branch taken at least
			 once per 2^32 insertions never seems newer than it is */
	uint32_t nano, near; /* nano: entries of the nano BTB; near: of the nano and micro BTB together; 0:
				there are none, or time is not modelled */
	int16_t cost[3];     /* cycles beyond issue, by level as of apmu_uarch__btb_level() */
};

int apmu_uarch__btb_init(struct apmu_uarch__btb *b, const struct apmu_uarch_params *p);
void apmu_uarch__btb_free(struct apmu_uarch__btb *b);

/* The level that holds a taken branch: 0 nano BTB, 1 micro BTB, 2 the BTB. */
static inline unsigned apmu_uarch__btb_level(struct apmu_uarch__btb *b, struct apmu_uarch__btb_entry *e)
{
	uint32_t since = b->put - e->put; /* insertions since, including its own */
	if (since <= b->nano)
		return 0;
	e->put = b->put++;
	return since <= b->near ? 1 : 2;
}

/* Looks the branch up, then learns its outcome. True if the branch was present; *taken is the prediction. */
static inline bool apmu_uarch__btb_predict(struct apmu_uarch__btb *b, uint64_t addr, bool outcome,
					   bool *taken)
{
	struct apmu_uarch__btb_entry *e = &b->entry[addr >> b->shift & b->mask];
	if (e->tag == addr) {
		*taken = e->counter >= 2;
		e->counter =
			(uint8_t)(outcome ? e->counter + (e->counter < 3) : e->counter - (e->counter > 0));
		return true;
	}
	if (b->present && (outcome || b->untaken))
		*e = (struct apmu_uarch__btb_entry){addr, outcome ? b->put++ : b->put - b->near - 1,
						    (uint8_t)(outcome ? 2 : 1)};
	return false;
}

#endif
