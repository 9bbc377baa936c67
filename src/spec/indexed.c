/* SPDX-License-Identifier: MIT */
/* Encodings that name a counter: PMEVCNTR<n> and kin. */
#include "locate.h"

/* Where the hash has encodings that name a counter: under their group, which is the encoding without CRm[1:0]
 * and op2, or the offset in the frame without bits 7:3. */
static uint32_t group_of(uint32_t key)
{
	return key & ~(key >> 28 >= APMU_VIEW_MMIO ? 0xF8u : 0x37u);
}

/* The counter that an encoding with the low bits `low` names; APMU_EACH if none. */
static unsigned counter_of(const struct apmu_slot *slot, uint32_t low)
{
	uint32_t distance = low - slot->first;

	if (slot->form == APMU_FORM_CRM) /* CRm in bits 7:4, op2 in 2:0 */
		return (low >> 4 & 3) << 3 | (low & 7);
	return low < slot->first || distance % slot->stride ? APMU_EACH : distance / slot->stride;
}

const struct apmu_slot *apmu__indexed(const struct apmu_bank *bank, uint32_t key, uint8_t *n)
{
	const struct apmu_slot *slot = apmu__slot(bank, group_of(key));

	if (slot->reg == 0 || slot->form == APMU_FORM_ONE)
		return NULL;
	*n = (uint8_t)counter_of(slot, key & 0xFF);
	return *n < APMU_MAX_EVENT_COUNTERS ? slot : NULL;
}
