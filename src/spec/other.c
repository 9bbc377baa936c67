/* SPDX-License-Identifier: MIT */
/* Encodings without a slot of their own: those that name a counter, and 32-bit accesses in the 64-bit
 * frame. */
#include "spec/locate.h"

/* The hash key of encodings that name a counter: their group, which is the encoding without CRm[1:0] and op2,
 * or the offset in the frame without bits 7:3. */
static uint32_t group_of(uint32_t key)
{
	return key & ~(key >> 28 >= APMU_VIEW_MMIO ? 0xF8u : 0x37u);
}

/* The counter that an encoding with the low byte `low` names; APMU_EACH if none. */
static unsigned counter_of(const struct apmu_slot *slot, uint32_t low)
{
	uint32_t distance = low - slot->first;

	if (slot->form == APMU_FORM_CRM) /* CRm in bits 7:4, op2 in 2:0 */
		return (low >> 4 & 3) << 3 | (low & 7);
	return low < slot->first || distance % slot->stride ? APMU_EACH : distance / slot->stride;
}

/* The slot of an encoding that names a counter. */
static const struct apmu_slot *indexed(const struct apmu_bank *bank, uint32_t key,
				       struct apmu_spec__aside *part)
{
	const struct apmu_slot *slot = apmu_spec__slot(bank, group_of(key));

	if (slot->reg == 0 || slot->form == APMU_FORM_ONE)
		return NULL;
	part->n = (uint8_t)counter_of(slot, key & 0xFF);
	return part->n < APMU_MAX_EVENT_COUNTERS ? slot : NULL;
}

static const struct apmu_slot *any(const struct apmu_bank *bank, uint32_t key, struct apmu_spec__aside *part)
{
	const struct apmu_slot *slot = apmu_spec__slot(bank, key);

	return slot->reg && slot->form == APMU_FORM_ONE ? slot : indexed(bank, key, part);
}

/* A 32-bit access in the 64-bit model: to a 32-bit register, or to half of a 64-bit register. */
static const struct apmu_slot *word(const struct apmu_bank *bank, uint32_t key, struct apmu_spec__aside *part)
{
	const struct apmu_slot *slot = key & 3 ? NULL : any(bank, key, part);

	if (slot && slot->width == 32)
		return slot;
	slot = key & 3 ? NULL : any(bank, key & ~4u, part);
	part->up = key & 4 ? 32 : 0;
	part->less = 32;
	return slot && slot->width == 64 ? slot : NULL;
}

const struct apmu_slot *apmu_spec__other_slot(const struct apmu_bank *bank, uint32_t key,
					      struct apmu_spec__aside *part)
{
	if (key >> 28 == APMU_VIEW_MMIO64 && key & APMU_FRAME_WORD)
		return word(bank, key & ~APMU_FRAME_WORD, part);
	return indexed(bank, key, part);
}
