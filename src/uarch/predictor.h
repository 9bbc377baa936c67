/* SPDX-License-Identifier: MIT */
/**
 * The branch target buffer: direct mapped, a tag and a two-bit counter an entry (ARM11's BTAC, XScale's BTB).
 * It predicts direction; the target of the kinds it holds is constant.
 *
 * Out of order it may have faster levels before it, the nano and the micro BTB. They hold as many of the
 * branches put in last as they have entries, the nano BTB the later ones; a branch that goes is put in if it
 * is new, or was not in the nano BTB. So an entry needs no list, but the running number of when it was put
 * in.
 */
#ifndef APMU_UARCH_PREDICTOR_H
#define APMU_UARCH_PREDICTOR_H

#include <apmu/uarch.h>

struct apmu_uarch__btb_entry {
	uint64_t tag;    /* address of the branch; odd: empty */
	uint32_t put;    /* apmu_uarch__btb.put when it was put into the nano BTB */
	uint8_t counter; /* 0, 1: not taken; 2, 3: taken */
};
struct apmu_uarch__btb {
	struct apmu_uarch__btb_entry *entry;
	uint64_t mask; /* entries - 1 */
	uint8_t shift;
	bool untaken; /* allocate branches that are not taken too */
	bool present;
	bool pairs, open; /* a branch may come with the one before it; it may now */
	uint32_t put;     /* branches put into the nano BTB; it wraps, which makes no branch seem younger that
			     goes once in 2^32 times that others are put in */
	uint32_t nano, near; /* entries of the nano BTB; of it and the micro BTB; 0: time is not modelled */
	int16_t cost[3];     /* cycles beyond issue, by level */
};

int apmu_uarch__btb_init(struct apmu_uarch__btb *b, const struct apmu_uarch_params *p);
void apmu_uarch__btb_free(struct apmu_uarch__btb *b);

/* The level that has a branch which goes: 0 nano, 1 micro, 2 the buffer. */
static inline unsigned apmu_uarch__btb_level(struct apmu_uarch__btb *b, struct apmu_uarch__btb_entry *e)
{
	uint32_t since = b->put - e->put; /* put in since, itself with them */
	if (since <= b->nano)
		return 0;
	e->put = b->put++;
	return since <= b->near ? 1 : 2;
}

/* Looks the branch up, then learns its outcome. True if it was there; *taken is what was predicted. */
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
