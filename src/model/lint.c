/* SPDX-License-Identifier: MIT */
/* What a manual forbids in a write that the model nevertheless makes something of. */
#include "model.h"

void apmu__note(const struct apmu *pmu, enum apmu_note note, uint64_t detail)
{
	if (pmu->lines.note)
		pmu->lines.note(pmu->lines.ctx, note, detail);
}

static uint64_t reserved_ones(const struct apmu *pmu, const struct apmu_reg *reg, uint64_t value)
{
	uint64_t ones = 0;

	for (unsigned i = 0; i < reg->fields; i++) {
		const struct apmu_field *field = &reg->field[i];

		if (apmu_field_kind(field, pmu->core->features) == APMU_KIND_UNP)
			ones |= apmu_field_put(field, 0, apmu__get(value, field->hi, field->lo));
	}
	return ones;
}

/* Does the register hold a field of this place? */
static const struct apmu_field *holds(const struct apmu_reg *reg, enum apmu_place_kind kind, unsigned index)
{
	for (unsigned i = 0; i < reg->fields; i++)
		if (reg->field[i].place.kind == kind &&
		    (reg->field[i].place.index == index || kind == APMU_PLACE_TYPE))
			return &reg->field[i];
	return NULL;
}

static bool exports(const struct apmu_reg *reg, uint64_t value)
{
	const struct apmu_field *x = holds(reg, APMU_PLACE_WORD, APMU_WORD_EXPORT);

	return x && apmu__get(value, x->hi, x->lo);
}

void apmu__lint(const struct apmu *pmu, const struct apmu_reg *reg, uint64_t value)
{
	uint64_t ones;

	if (!pmu->lines.note)
		return;
	ones = reserved_ones(pmu, reg, value);
	if (ones)
		apmu__note(pmu, APMU_NOTE_RESERVED_BITS, ones);
	if (pmu->core->select_off && pmu->s.word[APMU_WORD_ENABLE] && holds(reg, APMU_PLACE_TYPE, 0))
		apmu__note(pmu, APMU_NOTE_SELECT_WHILE_ON, value);
	if (!pmu->s.in.export_heard && exports(reg, value))
		apmu__note(pmu, APMU_NOTE_EXPORT_UNHEARD, 0);
}
