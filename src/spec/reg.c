/* SPDX-License-Identifier: MIT */
/* Looking up a core's registers and decoding their values. */
#include <apmu/reg.h>

#include <apmu/core.h>

#include "base/bits.h"
#include "base/names.h"
#include "spec/locate.h"

static bool has(const struct apmu_core *core, unsigned feature)
{
	return feature == 0xFF || (core->features >> feature & 1);
}

/* A core's frame has one of the two programmers' models. */
static unsigned view_of(const struct apmu_core *core, enum apmu_view view)
{
	return view == APMU_VIEW_MMIO && has(core, APMU_FEATURE_EXT64) ? APMU_VIEW_MMIO64 : view;
}

bool apmu_spec__locate_any(const struct apmu_core *core, enum apmu_view view, uint32_t encoding,
			   struct apmu_spec__hit *hit)
{
	unsigned door = view_of(core, view);
	uint32_t key = (uint32_t)door << 28 | encoding;
	const struct apmu_slot *slot = apmu_spec__slot(core->bank, key);
	struct apmu_spec__aside part = {.n = slot->first};

	if (encoding >> 28)
		return false;
	if (slot->reg == 0 || slot->form != APMU_FORM_ONE) {
		slot = core->bank->other ? core->bank->other(core->bank, key, &part) : NULL;
		if (!slot)
			return false;
	}
	hit->n = part.n;
	hit->lo = (uint8_t)(slot->lo + part.up);
	hit->width = (uint8_t)(slot->width - part.less);
	hit->view = (uint8_t)door;
	return apmu_spec__there(core, slot, hit);
}

const struct apmu_reg *apmu_reg_at(const struct apmu_core *core, enum apmu_view view, uint32_t encoding,
				   unsigned *n)
{
	struct apmu_spec__hit hit;

	if (!apmu_spec__locate(core, view, encoding, &hit))
		return NULL;
	*n = hit.n;
	return hit.reg;
}

size_t apmu_reg_count(const struct apmu_core *core)
{
	size_t n = 0;

	for (size_t k = 0; k < core->bank->regs; k++)
		n += apmu_reg_exists(core, core->bank->reg[k]);
	return n;
}

const struct apmu_reg *apmu_reg_nth(const struct apmu_core *core, size_t i)
{
	for (size_t k = 0; k < core->bank->regs; k++)
		if (apmu_reg_exists(core, core->bank->reg[k]) && i-- == 0)
			return core->bank->reg[k];
	return NULL;
}

bool apmu_encoding_reaches(const struct apmu_core *core, const struct apmu_reg *reg,
			   const struct apmu_encoding *at)
{
	bool wide = (core->features >> APMU_FEATURE_EXT64 & 1) != 0, frame64 = at->view == APMU_VIEW_MMIO64;
	unsigned n, view = frame64 ? APMU_VIEW_MMIO : at->view;
	bool aa32 = core->access_rule != APMU_ACCESS_V8 || (core->features >> APMU_FEATURE_AA32 & 1) != 0;

	if ((view == APMU_VIEW_MMIO && frame64 != wide) ||
	    ((view == APMU_VIEW_CP || view == APMU_VIEW_CP64) && !aa32))
		return false;
	return apmu_reg_at(core, (enum apmu_view)view, at->encoding, &n) == reg;
}

static bool called(const char *own, const char *name)
{
	return own && apmu_base__same_name(own, name);
}

const struct apmu_reg *apmu_reg_find(const struct apmu_core *core, const char *name)
{
	for (size_t i = 0; i < core->bank->regs; i++) {
		const struct apmu_reg *reg = core->bank->reg[i];

		if (!apmu_reg_exists(core, reg))
			continue;
		if (called(reg->name, name) || called(reg->aka, name) || called(reg->aka2, name))
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
		out[i].value = apmu_base__get(value, field->hi, field->lo);
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
		if (apmu_base__same_name(field->name, name) ||
		    (field->aka && apmu_base__same_name(field->aka, name)))
			return field;
	}
	return NULL;
}

uint64_t apmu_field_max(const struct apmu_field *field)
{
	return apmu_base__ones(field->hi - field->lo + 1u);
}

uint64_t apmu_field_put(const struct apmu_field *field, uint64_t word, uint64_t value)
{
	return apmu_base__put(word, field->hi, field->lo, value);
}
