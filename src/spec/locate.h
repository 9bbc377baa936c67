/* SPDX-License-Identifier: MIT */
/**
 * Finds the register at an encoding, and the part of it that the view shows. For the model.
 */
#ifndef APMU_SPEC_LOCATE_H
#define APMU_SPEC_LOCATE_H

#include <apmu/core.h>

struct apmu_spec__hit {
	const struct apmu_reg *reg;
	uint8_t n;         /* the counter that an indexed encoding names; else 0 */
	uint8_t lo, width; /* bits of the register that the view shows */
	uint8_t view;      /* enum apmu_view, with the frame's programmers' model */
};

/* Finds the register at any encoding; false if the core has none there. Constant time in the number of
 * registers. */
bool apmu_spec__locate_any(const struct apmu_core *core, enum apmu_view view, uint32_t encoding,
			   struct apmu_spec__hit *hit);

/* What an encoding says beyond its slot: the counter, and for half a register the shift of that half and the
 * number of bits not shown. */
struct apmu_spec__aside {
	uint8_t n, up, less;
};

/* For banks with encodings that name a counter or half a register: returns the slot of such an encoding; NULL
 * if it is none. */
const struct apmu_slot *apmu_spec__other_slot(const struct apmu_bank *bank, uint32_t key,
					      struct apmu_spec__aside *part);

/* Returns the slot of a key, or an empty slot. The table is at most half full, so probing is short. */
static inline const struct apmu_slot *apmu_spec__slot(const struct apmu_bank *bank, uint32_t key)
{
	uint32_t at = key * bank->slot_mult >> (32 - bank->slot_bits),
		 last = ((uint32_t)1 << bank->slot_bits) - 1;

	while (bank->slot[at].reg && bank->slot[at].key != key)
		at = (at + 1) & last;
	/*@ split at; */
	return &bank->slot[at];
}

/* Gets the register of a slot; false if the core lacks the register or this encoding. */
static inline bool apmu_spec__there(const struct apmu_core *core, const struct apmu_slot *slot,
				    struct apmu_spec__hit *hit)
{
	const struct apmu_reg *reg = core->bank->reg[slot->reg - 1];

	hit->reg = reg;
	return (slot->feature == 0xFF || (core->features >> slot->feature & 1)) && apmu_reg_exists(core, reg);
}

/* apmu_spec__locate_any() with a fast path for encodings that have a slot of their own, as all frequent ones
 * have. */
static inline bool apmu_spec__locate(const struct apmu_core *core, enum apmu_view view, uint32_t encoding,
				     struct apmu_spec__hit *hit)
{
#ifndef __OPTIMIZE_SIZE__
	const struct apmu_bank *bank = core->bank;
	uint32_t key = ((uint32_t)view << 28) + encoding, /* a sum: bits 31:28 of an encoding match no view */
		at = key * bank->slot_mult >> (32 - bank->slot_bits);
	/*@ split at; */
	const struct apmu_slot *slot = &bank->slot[at];

	if (slot->key == key && slot->view == view && view != APMU_VIEW_MMIO && slot->form == APMU_FORM_ONE &&
	    slot->reg) {
		hit->n = slot->first;
		hit->lo = slot->lo;
		hit->width = slot->width;
		hit->view = slot->view;
		return apmu_spec__there(core, slot, hit);
	}
#endif
	return apmu_spec__locate_any(core, view, encoding, hit);
}

#endif
