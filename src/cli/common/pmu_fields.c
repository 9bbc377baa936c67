/* SPDX-License-Identifier: MIT */
#include "cli/common/pmu_fields.h"

/* The mode that a driver runs in: EL1, Non-secure. */
static const struct apmu_mode privileged = {.el = 1, .security = APMU_NONSECURE};

/* True if writing a 1 or a value to a field of this kind changes the place. Write-1-to-clear counts for
 * overflow flags alone. */
static bool opens(unsigned kind, unsigned place)
{
	if (place == APMU_PLACE_OVERFLOW)
		return kind == APMU_KIND_W1C;
	return kind == APMU_KIND_RW || kind == APMU_KIND_WO || kind == APMU_KIND_W1S || kind == APMU_KIND_DO;
}

static struct cli__pmu_field *field_for(struct cli__pmu_fields *fields, unsigned place, unsigned index)
{
	switch (place) {
	case APMU_PLACE_WORD:
		return index == APMU_WORD_ENABLE ? &fields->enable
		       : index == APMU_WORD_SEL  ? &fields->select
						 : NULL;
	case APMU_PLACE_DO:
		return index == APMU_DO_RESET_CYCLE    ? &fields->reset_cycle
		       : index == APMU_DO_RESET_EVENTS ? &fields->reset_events
						       : NULL;
	case APMU_PLACE_TYPE: return index < APMU_MAX_EVENT_COUNTERS ? &fields->type[index] : NULL;
	case APMU_PLACE_COUNTER: return index < APMU_COUNTERS ? &fields->counter[index] : NULL;
	case APMU_PLACE_OVERFLOW: return index < APMU_COUNTERS ? &fields->overflow[index] : NULL;
	case APMU_PLACE_CNTEN: return index < APMU_COUNTERS ? &fields->cnten[index] : NULL;
	default: return NULL;
	}
}

/* One access path to a register: its encoding, and the counter n that the encoding or PMSELR names. */
struct way {
	const struct apmu_reg *reg;
	struct apmu_access at;
	unsigned n;
	uint8_t select;
};

static void add_pmu_field(struct cli__pmu_field *field, const struct way *way, unsigned lo, unsigned bits)
{
	if (field == NULL || field->reg != NULL)
		return; /* counting does not need the field, or an earlier register has it */
	*field = (struct cli__pmu_field){way->reg, way->at, (uint8_t)lo, (uint8_t)bits, way->select};
}

/* Returns the width in bits of what a field of the description holds a part of: a selector or counter may be
 * two adjacent fields there (PMUv3: evtCount and its upper bits), which are programmed as one. */
static unsigned bits_of(const struct apmu_core *core, const struct apmu_field *field)
{
	if (field->place.kind == APMU_PLACE_TYPE)
		return (unsigned)__builtin_popcount(core->event_mask);
	if (field->place.kind == APMU_PLACE_COUNTER && field->place.index != APMU_CYCLE_COUNTER)
		return core->width;
	return field->hi - field->lo + 1u;
}

static void add_field(struct cli__pmu_fields *fields, const struct apmu_core *core, const struct way *way,
		      const struct apmu_field *field)
{
	const struct apmu_place *place = &field->place;
	unsigned bits = bits_of(core, field);

	if (!opens(apmu_field_kind(field, core->features), place->kind) || place->lsb != 0)
		return;
	if (place->index == APMU_THIS || place->index == APMU_SELECTED)
		add_pmu_field(field_for(fields, place->kind, way->n), way, field->lo, bits);
	else if (place->index != APMU_EACH)
		add_pmu_field(field_for(fields, place->kind, place->index), way, field->lo, bits);
	else
		for (unsigned k = 0; k < bits && k < core->counters; k++)
			add_pmu_field(field_for(fields, place->kind, k), way, field->lo + k, 1);
}

/* True if the register holds the selector or the count of counter `index` (APMU_SELECTED: the one in
 * PMSELR). */
static bool names_counter(const struct apmu_reg *reg, unsigned index)
{
	for (unsigned f = 0; f < reg->fields; f++)
		if (reg->field[f].place.index == index && (reg->field[f].place.kind == APMU_PLACE_TYPE ||
							   reg->field[f].place.kind == APMU_PLACE_COUNTER))
			return true;
	return false;
}

/* True if another encoding on the core itself reaches more bits of the register (PMCCNTR: MRRC beside
 * MRC). */
static bool narrower(const struct apmu_core *core, const struct apmu_reg *reg, const struct apmu_encoding *at)
{
	for (unsigned e = 0; e < reg->encodings; e++)
		if (reg->at[e].view < APMU_VIEW_MMIO && apmu_encoding_exists(core, &reg->at[e]) &&
		    reg->at[e].width > at->width)
			return true;
	return false;
}

static void add_register(struct cli__pmu_fields *fields, const struct apmu_core *core,
			 const struct apmu_reg *reg, const struct apmu_encoding *at)
{
	bool selected = names_counter(reg, APMU_SELECTED), each = selected || at->form != APMU_FORM_ONE;

	if (at->view >= APMU_VIEW_MMIO || at->lo != 0 || !apmu_encoding_exists(core, at) ||
	    narrower(core, reg, at))
		return; /* not for a driver on the core, or without bit 0 */
	for (unsigned n = 0; n < (each ? core->counters : 1u); n++) {
		struct way way = {
			reg, {(enum apmu_view)at->view, apmu_encoding_for(at, n), privileged}, n, APMU_EACH};

		if (selected)
			way.select = (uint8_t)n;
		for (unsigned f = 0; f < reg->fields; f++)
			add_field(fields, core, &way, &reg->field[f]);
	}
}

static bool complete(const struct cli__pmu_fields *fields, const struct apmu_core *core)
{
	if (fields->enable.reg == NULL || fields->counter[APMU_CYCLE_COUNTER].reg == NULL ||
	    fields->overflow[APMU_CYCLE_COUNTER].reg == NULL)
		return false;
	for (unsigned i = 0; i < core->counters; i++)
		if (fields->type[i].reg == NULL || fields->counter[i].reg == NULL ||
		    fields->overflow[i].reg == NULL)
			return false;
	return true;
}

/* Encodings that name a counter come first, because they save the write of PMSELR. */
int cli__pmu_fields_find(struct cli__pmu_fields *fields, const struct apmu_core *core)
{
	*fields = (struct cli__pmu_fields){0};
	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned r = 0; r < apmu_reg_count(core); r++) {
			const struct apmu_reg *reg = apmu_reg_nth(core, r);

			for (unsigned e = 0; e < reg->encodings; e++)
				if (names_counter(reg, APMU_SELECTED) == (pass == 1))
					add_register(fields, core, reg, &reg->at[e]);
		}
	}
	return complete(fields, core) ? 0 : APMU_ENOENT;
}

static uint64_t mask(const struct cli__pmu_field *field)
{
	uint64_t all = field->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << field->bits) - 1;

	return all << field->lo;
}

/* Bits that a write must leave 0 unless it targets them: flags, strobes, reserved bits. A read-modify-write
 * that wrote flags back would acknowledge them unseen. */
static uint64_t write_as_zero(const struct apmu *pmu, const struct apmu_reg *reg)
{
	uint64_t bits = 0;

	for (unsigned f = 0; f < reg->fields; f++) {
		if (apmu_field_kind(&reg->field[f], pmu->core->features) != APMU_KIND_RW)
			bits |= apmu_field_put(&reg->field[f], 0, UINT64_MAX);
	}
	return bits;
}

static void select(struct apmu *pmu, const struct cli__pmu_fields *fields, const struct cli__pmu_field *field)
{
	if (field->select != APMU_EACH)
		apmu_write(pmu, fields->select.at, (uint64_t)field->select << fields->select.lo);
}

uint64_t cli__pmu_field_read(struct apmu *pmu, const struct cli__pmu_fields *fields,
			     const struct cli__pmu_field *field)
{
	uint64_t word = 0;

	select(pmu, fields, field);
	apmu_read(pmu, field->at, &word);
	return (word & mask(field)) >> field->lo;
}

void cli__pmu_field_write(struct apmu *pmu, const struct cli__pmu_fields *fields,
			  const struct cli__pmu_field *field, uint64_t value)
{
	uint64_t word = 0;

	select(pmu, fields, field);
	apmu_read(pmu, field->at, &word);
	word &= ~write_as_zero(pmu, field->reg) & ~mask(field);
	word |= value << field->lo & mask(field);
	apmu_write(pmu, field->at, word);
}
