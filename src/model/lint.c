/* SPDX-License-Identifier: MIT */
/* Reports writes that a manual forbids but the model carries out. */
#include "model/model.h"

void apmu_model__note(const struct apmu *pmu, enum apmu_note note, uint64_t detail)
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
			ones |= apmu_field_put(field, 0, apmu_base__get(value, field->hi, field->lo));
	}
	return ones;
}

/* The field of the register that shows this place, or NULL; for TYPE any index matches. */
static const struct apmu_field *holds(const struct apmu_reg *reg, enum apmu_place_kind kind, unsigned index)
{
	for (unsigned i = 0; i < reg->fields; i++)
		if (reg->field[i].place.kind == kind &&
		    (reg->field[i].place.index == index || kind == APMU_PLACE_TYPE))
			return &reg->field[i];
	return NULL;
}

/* True if the core has PMCR.X here, and the value sets it. */
static bool exports(const struct apmu *pmu, const struct apmu_reg *reg, uint64_t value)
{
	const struct apmu_field *field = holds(reg, APMU_PLACE_WORD, APMU_WORD_EXPORT);

	return field && apmu_field_kind(field, pmu->core->features) == APMU_KIND_RW && value >> field->lo & 1;
}

void apmu_model__lint(const struct apmu *pmu, const struct apmu_model__access *access, uint64_t value)
{
	const struct apmu_reg *reg = access->hit.reg;
	uint64_t ones = reserved_ones(pmu, reg, value);
	if (ones)
		apmu_model__note(pmu, APMU_NOTE_RESERVED_BITS, ones);
	if (pmu->core->select_off && pmu->s.word[APMU_WORD_ENABLE] && holds(reg, APMU_PLACE_TYPE, 0))
		apmu_model__note(pmu, APMU_NOTE_SELECT_WHILE_ON, value);
	if (!pmu->s.in.export_heard && exports(pmu, reg, value))
		apmu_model__note(pmu, APMU_NOTE_EXPORT_UNHEARD, 0);
	if (pmu->core->rules->lint)
		pmu->core->rules->lint(pmu, access, value);
}
