/* SPDX-License-Identifier: MIT */
/**
 * The branch target buffer: direct mapped, a tag and a two-bit counter an entry (ARM11's BTAC, XScale's BTB).
 * It predicts direction; the target of the kinds it holds is constant.
 */
#ifndef APMU_UARCH_PREDICTOR_H
#define APMU_UARCH_PREDICTOR_H

#include <apmu/uarch.h>

struct apmu_uarch__btb_entry {
	uint64_t tag;    /* address of the branch; odd: empty */
	uint8_t counter; /* 0, 1: not taken; 2, 3: taken */
};
struct apmu_uarch__btb {
	struct apmu_uarch__btb_entry *entry;
	uint64_t mask; /* entries - 1 */
	uint8_t shift;
	bool untaken; /* allocate branches that are not taken too */
	bool present;
};

int apmu_uarch__btb_init(struct apmu_uarch__btb *b, const struct apmu_uarch_params *p);
void apmu_uarch__btb_free(struct apmu_uarch__btb *b);

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
		*e = (struct apmu_uarch__btb_entry){addr, (uint8_t)(outcome ? 2 : 1)};
	return false;
}

#endif
