/* SPDX-License-Identifier: MIT */
/* What each kind of field reads and what a write of it does; the meaning of places. */
#include "model.h"

/* The mask that a place is a bit of, or NULL. */
static uint64_t *mask_of(struct apmu_state *s, enum apmu_place_kind kind)
{
	switch (kind) {
	case APMU_PLACE_CNTEN: return &s->cnten;
	case APMU_PLACE_OVERFLOW: return &s->overflow;
	case APMU_PLACE_INTEN: return &s->inten;
	case APMU_PLACE_FIQEN: return &s->fiqen;
	default: return NULL;
	}
}

static unsigned width(const struct apmu_field *field)
{
	return field->hi - field->lo + 1u;
}

static uint64_t mask_read(uint64_t mask, const struct apmu_field *field)
{
	if (field->place.index == APMU_EACH)
		return mask & apmu__ones(width(field));
	return apmu__get(mask, field->place.index, field->place.index);
}

static uint64_t place_read(const struct apmu *pmu, const struct apmu_field *field)
{
	const struct apmu_place *place = &field->place;
	const struct apmu_state *s = &pmu->s;

	switch ((enum apmu_place_kind)place->kind) {
	case APMU_PLACE_COUNTER: return s->counter[place->index];
	case APMU_PLACE_TYPE:
		return apmu__get(s->type[place->index], place->lsb + width(field) - 1u, place->lsb);
	case APMU_PLACE_CNTEN: return mask_read(s->cnten, field);
	case APMU_PLACE_OVERFLOW: return mask_read(s->overflow, field);
	case APMU_PLACE_INTEN: return mask_read(s->inten, field);
	case APMU_PLACE_FIQEN: return mask_read(s->fiqen, field);
	case APMU_PLACE_WORD: return s->word[place->index];
	case APMU_PLACE_NONE:
	case APMU_PLACE_DO: break;
	}
	return 0;
}

uint64_t apmu__field_read(const struct apmu *pmu, const struct apmu_field *field)
{
	switch (apmu_field_kind(field, pmu->core->features)) {
	case APMU_KIND_RW:
	case APMU_KIND_RO:
	case APMU_KIND_W1C:
	case APMU_KIND_W1S: return place_read(pmu, field);
	case APMU_KIND_CONST: return field->constant;
	case APMU_KIND_WO:
	case APMU_KIND_DO:
	case APMU_KIND_UNP:
	case APMU_KIND_RES0: break;
	}
	return 0;
}

/* Puts a field's bits into the mask it is a window on; bits of counters that do not exist stay 0. */
static void mask_write(struct apmu *pmu, const struct apmu_field *field, uint64_t value)
{
	uint64_t *mask = mask_of(&pmu->s, (enum apmu_place_kind)field->place.kind);
	unsigned lo = field->place.index == APMU_EACH ? 0 : field->place.index;

	*mask = apmu__put(*mask, lo + width(field) - 1, lo, value) & apmu__counters(pmu->core);
}

static void type_write(struct apmu *pmu, const struct apmu_field *field, uint64_t value)
{
	unsigned i = field->place.index, lsb = field->place.lsb;
	uint64_t was = pmu->s.type[i];

	pmu->s.type[i] = apmu__put(was, lsb + width(field) - 1, lsb, value);
	if (pmu->s.type[i] == was)
		return;
	apmu__select(pmu, i);
	if (!pmu->event[i])
		apmu__note(pmu, APMU_NOTE_RESERVED_EVENT, pmu->s.type[i] & pmu->core->event_mask);
}

static void place_write(struct apmu *pmu, const struct apmu_field *field, uint64_t value)
{
	unsigned i = field->place.index;

	switch ((enum apmu_place_kind)field->place.kind) {
	case APMU_PLACE_COUNTER: pmu->s.counter[i] = value & apmu__counter_mask(pmu->core, i); break;
	case APMU_PLACE_TYPE: type_write(pmu, field, value); break;
	case APMU_PLACE_WORD: pmu->s.word[i] = (uint32_t)value; break;
	case APMU_PLACE_CNTEN:
	case APMU_PLACE_OVERFLOW:
	case APMU_PLACE_INTEN:
	case APMU_PLACE_FIQEN: mask_write(pmu, field, value); break;
	case APMU_PLACE_NONE:
	case APMU_PLACE_DO: break;
	}
}

static void happen(struct apmu *pmu, enum apmu_do what)
{
	switch (what) {
	case APMU_DO_RESET_CYCLE:
		pmu->s.counter[APMU_CYCLE_COUNTER] = 0;
		pmu->s.phase = 0; /* manual silent on the divider; see accuracy.md, divide by 64 */
		break;
	case APMU_DO_RESET_EVENTS:
		for (unsigned i = 0; i < pmu->core->counters; i++)
			pmu->s.counter[i] = 0;
		break;
	case APMU_DOS: break;
	}
}

void apmu__field_write(struct apmu *pmu, const struct apmu_field *field, uint64_t value)
{
	switch (apmu_field_kind(field, pmu->core->features)) {
	case APMU_KIND_RW:
	case APMU_KIND_WO: place_write(pmu, field, value); break;
	case APMU_KIND_W1C: place_write(pmu, field, place_read(pmu, field) & ~value); break;
	case APMU_KIND_W1S: place_write(pmu, field, place_read(pmu, field) | value); break;
	case APMU_KIND_DO:
		if (value)
			happen(pmu, (enum apmu_do)field->place.index);
		break;
	case APMU_KIND_RO:
	case APMU_KIND_CONST:
	case APMU_KIND_UNP:
	case APMU_KIND_RES0: break;
	}
}
