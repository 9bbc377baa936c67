/* SPDX-License-Identifier: MIT */
/* Looking up a core's registers and taking values apart. */
#include <apmu/reg.h>

#include <apmu/core.h>

#include "../base/bits.h"
#include "../base/names.h"

const struct apmu_reg *apmu_reg_at(const struct apmu_core *core, enum apmu_view view, uint32_t encoding,
				   unsigned *n)
{
	uint32_t key = (uint32_t)view << 28 | encoding;
	const struct apmu_slot *slot = &core->slot[key * core->slot_mult >> (32 - core->slot_bits)];

	if (encoding >> 28 || slot->reg == 0 || slot->key != key)
		return NULL;
	*n = slot->n;
	return core->reg[slot->reg - 1];
}

const struct apmu_reg *apmu_reg_find(const struct apmu_core *core, const char *name)
{
	for (size_t i = 0; i < core->regs; i++) {
		const struct apmu_reg *reg = core->reg[i];

		if (apmu__same_name(reg->name, name) || (reg->aka && apmu__same_name(reg->aka, name)))
			return reg;
	}
	return NULL;
}

size_t apmu_reg_decode(const struct apmu_reg *reg, uint64_t features, uint64_t value,
		       struct apmu_field_value *out, size_t max)
{
	for (size_t i = 0; i < reg->fields && i < max; i++) {
		const struct apmu_field *field = &reg->field[i];

		out[i].field = field;
		out[i].value = apmu__get(value, field->hi, field->lo);
		out[i].kind = apmu_field_kind(field, features);
	}
	return reg->fields;
}

const struct apmu_field *apmu_reg_field(const struct apmu_reg *reg, const char *name)
{
	for (size_t i = 0; i < reg->fields; i++) {
		const struct apmu_field *field = &reg->field[i];

		if (field->place.kind == APMU_PLACE_NONE && field->kind != APMU_KIND_CONST)
			continue;
		if (apmu__same_name(field->name, name) || (field->aka && apmu__same_name(field->aka, name)))
			return field;
	}
	return NULL;
}

uint64_t apmu_field_max(const struct apmu_field *field)
{
	return apmu__ones(field->hi - field->lo + 1u);
}

uint64_t apmu_field_put(const struct apmu_field *field, uint64_t word, uint64_t value)
{
	return apmu__put(word, field->hi, field->lo, value);
}
