/* SPDX-License-Identifier: MIT */
#include "uarch/predictor.h"

#include <stdlib.h>

int apmu_uarch__btb_init(struct apmu_uarch__btb *b, const struct apmu_uarch_params *p)
{
	size_t n = p->btb ? p->btb : 1;
	b->entry = malloc(n * sizeof(*b->entry));
	if (!b->entry)
		return APMU_ENOMEM;
	for (size_t i = 0; i < n; i++)
		b->entry[i] = (struct apmu_uarch__btb_entry){.tag = 1};
	b->mask = n - 1;
	b->shift = p->btb_shift;
	b->untaken = p->btb_stores_untaken && p->direction == APMU_DIRECTION_BTB;
	b->present = p->btb > 0;
	b->pairs = p->taken_pairs;
	b->nano = p->rob && p->dispatch.taken ? p->nano_btb : 0;
	b->near = b->nano ? b->nano + p->micro_btb : 0;
	b->cost[0] = (int16_t)p->nano_taken;
	b->cost[1] = (int16_t)p->micro_taken;
	b->cost[2] = (int16_t)p->taken;
	return APMU_OK;
}

void apmu_uarch__btb_free(struct apmu_uarch__btb *b)
{
	free(b->entry);
	b->entry = NULL;
}
