/* SPDX-License-Identifier: MIT */
/**
 * From an encoding to a register and the part of it that the view shows. For the model.
 */
#ifndef APMU_SPEC_LOCATE_H
#define APMU_SPEC_LOCATE_H

#include <apmu/core.h>

struct apmu__hit {
	const struct apmu_reg *reg;
	uint8_t n;         /* the counter that an indexed encoding names; else 0 */
	uint8_t lo, width; /* bits of the register that the view shows */
	uint8_t view;      /* enum apmu_view; the frame's model told apart */
};

/* False if the core has no such register. Constant time in the number of registers. */
bool apmu__locate(const struct apmu_core *core, enum apmu_view view, uint32_t encoding,
		  struct apmu__hit *hit);

/* What an encoding says beyond its slot: the counter, and for the half of a register where that lies and how
 * many bits are not shown. */
struct apmu__aside {
	uint8_t n, up, less;
};

/* For banks with encodings that name a counter or half a register: the slot of one; NULL if it is none. */
const struct apmu_slot *apmu__other_slot(const struct apmu_bank *bank, uint32_t key,
					 struct apmu__aside *part);

/* The slot of a key, or an empty one. The table is at most half full, so the way there is short. */
static inline const struct apmu_slot *apmu__slot(const struct apmu_bank *bank, uint32_t key)
{
	uint32_t at = key * bank->slot_mult >> (32 - bank->slot_bits),
		 last = ((uint32_t)1 << bank->slot_bits) - 1;

	while (bank->slot[at].reg && bank->slot[at].key != key)
		at = (at + 1) & last;
	return &bank->slot[at];
}

#endif
