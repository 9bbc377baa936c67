/* SPDX-License-Identifier: MIT */
/* Encodings that name a counter: PMEVCNTR<n> and kin. */
#include <apmu/core.h>

#include "locate.h"

/* The counter that an indexed encoding names, or APMU_EACH if it is not one of this row's. */
static unsigned index_in(const struct apmu_encoding *at, uint32_t encoding)
{
	uint32_t distance = encoding - at->encoding;

	switch ((enum apmu_form)at->form) {
	case APMU_FORM_CRM: /* CRm in bits 7:4, op2 in 2:0 */
		if (encoding < at->encoding || (distance & ~0x37u))
			return APMU_EACH;
		return (distance >> 4 & 3) << 3 | (distance & 7);
	case APMU_FORM_STRIDE:
		return encoding < at->encoding || distance % at->stride ? APMU_EACH : distance / at->stride;
	case APMU_FORM_ONE: break;
	}
	return APMU_EACH;
}

/* Does row `at` of `reg` hold the encoding? */
static bool indexed_hit(const struct apmu_core *core, const struct apmu_reg *reg,
			const struct apmu_encoding *at, unsigned view, uint32_t encoding,
			struct apmu__hit *hit)
{
	unsigned n;

	if (at->form == APMU_FORM_ONE || at->view != view || !apmu_encoding_exists(core, at) ||
	    !apmu_reg_exists(core, reg))
		return false;
	n = index_in(at, encoding);
	if (n >= APMU_MAX_EVENT_COUNTERS)
		return false;
	*hit = (struct apmu__hit){
		.reg = reg, .n = (uint8_t)n, .lo = at->lo, .width = at->width, .view = (uint8_t)view};
	return true;
}

bool apmu__indexed(const struct apmu_core *core, unsigned view, uint32_t encoding, struct apmu__hit *hit)
{
	const struct apmu_bank *bank = core->bank;

	for (const uint8_t *i = bank->indexed; *i != 0xFF; i++) {
		const struct apmu_reg *reg = bank->reg[*i];

		for (unsigned k = 0; k < reg->encodings; k++)
			if (indexed_hit(core, reg, &reg->at[k], view, encoding, hit))
				return true;
	}
	return false;
}
