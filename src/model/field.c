/* SPDX-License-Identifier: MIT */
/* What each kind of field reads and what a write of it does; the meaning of places. A view may show a part of
 * a field: hi and lo are bits of the register that lie in it. */
#include "model.h"

/* The counter a place's index means in this access. */
unsigned apmu__index(const struct apmu *pmu, const struct apmu__look *look, const struct apmu_field *field)
{
	if (field->place.index == APMU_THIS)
		return look->hit.n;
	if (field->place.index == APMU_SELECTED)
		return (unsigned)pmu->s.word[APMU_WORD_SEL];
	return field->place.index;
}

/* Is the place a bit of a mask with one bit a counter? */
bool apmu__in_mask(const struct apmu_field *field)
{
	return field->place.kind >= APMU_PLACE_CNTEN && field->place.kind <= APMU_PLACE_UACR;
}

/* The word of the state that holds the place; NULL if no word does. */
uint64_t *apmu__word_of(struct apmu_state *s, enum apmu_place_kind kind, unsigned i)
{
	switch (kind) {
	case APMU_PLACE_COUNTER: return &s->counter[i];
	case APMU_PLACE_TYPE: return &s->type[i];
	case APMU_PLACE_SAVED: return &s->saved[i];
	case APMU_PLACE_CNTEN: return &s->cnten;
	case APMU_PLACE_OVERFLOW: return &s->overflow;
	case APMU_PLACE_INTEN: return &s->inten;
	case APMU_PLACE_FIQEN: return &s->fiqen;
	case APMU_PLACE_UACR: return &s->uacr;
	case APMU_PLACE_WORD: return &s->word[i];
	case APMU_PLACE_NONE:
	case APMU_PLACE_CORE:
	case APMU_PLACE_SEEN:
	case APMU_PLACE_DO: break;
	}
	return NULL;
}

/* Where bit `lo` of the register stands in the word of its place. */
unsigned apmu__first(const struct apmu_field *field, unsigned lo)
{
	unsigned base = field->place.lsb;

	if (apmu__in_mask(field))
		base = field->place.index == APMU_EACH ? 0 : field->place.index;
	return base + lo - field->lo;
}

static uint64_t place_read(const struct apmu *pmu, const struct apmu__look *look,
			   const struct apmu_field *field, unsigned hi, unsigned lo)
{
	unsigned i = apmu__index(pmu, look, field);
	const uint64_t *word =
		apmu__word_of((struct apmu_state *)&pmu->s, (enum apmu_place_kind)field->place.kind, i);
	uint64_t value = 0;

	if (word)
		value = *word;
	else if (field->place.kind == APMU_PLACE_CORE)
		value = pmu->core->constant[i];
	else if (field->place.kind == APMU_PLACE_SEEN)
		value = pmu->core->rules->seen(pmu, look, (enum apmu_seen)i);
	if (apmu__in_mask(field))
		value &= look->mask;
	return value >> apmu__first(field, lo) & apmu__ones(hi - lo + 1);
}

uint64_t apmu__field_read(const struct apmu *pmu, const struct apmu__look *look,
			  const struct apmu_field *field, unsigned hi, unsigned lo)
{
	switch (apmu_field_kind(field, pmu->core->features)) {
	case APMU_KIND_RW:
	case APMU_KIND_RO:
	case APMU_KIND_W1C:
	case APMU_KIND_W1S: return place_read(pmu, look, field, hi, lo);
	case APMU_KIND_CONST: return apmu__get(field->constant, hi - field->lo, lo - field->lo);
	case APMU_KIND_RES1:
	case APMU_KIND_RAO_W1S: return apmu__ones(hi - lo + 1);
	case APMU_KIND_WO:
	case APMU_KIND_DO:
	case APMU_KIND_UNP:
	case APMU_KIND_RES0: break;
	}
	return 0;
}

/* A selector or filter changes: what the counter counts may be another thing. */
static void type_changed(struct apmu *pmu, unsigned i, uint64_t was)
{
	uint64_t now = pmu->s.type[i];

	if (now == was)
		return;
	apmu__select(pmu, i);
	if (i < APMU_CYCLE_COUNTER && !pmu->event[i] && (now ^ was) & pmu->core->event_mask)
		apmu__note(pmu, APMU_NOTE_RESERVED_EVENT, now & pmu->core->event_mask);
}

/* Bits of the place's word that exist. */
uint64_t apmu__existing(const struct apmu *pmu, const struct apmu_field *field, unsigned i)
{
	if (apmu__in_mask(field))
		return apmu__counters(pmu->core);
	if (field->place.kind == APMU_PLACE_COUNTER || field->place.kind == APMU_PLACE_SAVED)
		return apmu__counter_mask(pmu->core, i);
	return field->place.kind == APMU_PLACE_TYPE ? pmu->core->rules->type_bits(pmu, i) : ~(uint64_t)0;
}

static void place_write(struct apmu *pmu, const struct apmu__look *look, const struct apmu_field *field,
			unsigned hi, unsigned lo, uint64_t value)
{
	unsigned bit = apmu__first(field, lo), i = apmu__index(pmu, look, field);
	uint64_t *word = apmu__word_of(&pmu->s, (enum apmu_place_kind)field->place.kind, i), was, may;

	if (!word)
		return;
	was = *word;
	may = apmu__existing(pmu, field, i) & apmu__ones(hi - lo + 1) << bit;
	if (apmu__in_mask(field))
		may &= look->mask;
	*word = (was & ~may) | (value << bit & may);
	if (field->place.kind == APMU_PLACE_TYPE)
		type_changed(pmu, i, was);
}

/* C and P: zero the cycle counter, or those of `events`. */
void apmu__reset_counters(struct apmu *pmu, enum apmu_do what, uint64_t events)
{
	if (what == APMU_DO_RESET_CYCLE) {
		pmu->s.counter[APMU_CYCLE_COUNTER] = 0;
		pmu->s.phase = 0; /* manual silent on the divider; see accuracy.md, divide by 64 */
	}
	for (uint64_t left = what == APMU_DO_RESET_EVENTS ? events : 0; left; left &= left - 1)
		pmu->s.counter[apmu__lowest(left)] = 0;
}

void apmu__field_write(struct apmu *pmu, const struct apmu__look *look, const struct apmu_field *field,
		       unsigned hi, unsigned lo, uint64_t value)
{
	uint64_t now;

	switch (apmu_field_kind(field, pmu->core->features)) {
	case APMU_KIND_RW:
	case APMU_KIND_WO: place_write(pmu, look, field, hi, lo, value); break;
	case APMU_KIND_W1C:
		now = place_read(pmu, look, field, hi, lo);
		place_write(pmu, look, field, hi, lo, now & ~value);
		break;
	case APMU_KIND_W1S:
	case APMU_KIND_RAO_W1S:
		now = place_read(pmu, look, field, hi, lo);
		place_write(pmu, look, field, hi, lo, now | value);
		break;
	case APMU_KIND_DO:
		if (value || field->place.index == APMU_DO_LOCK)
			pmu->core->rules->act(pmu, look, (enum apmu_do)field->place.index,
					      value << (lo - field->lo));
		break;
	case APMU_KIND_RO:
	case APMU_KIND_CONST:
	case APMU_KIND_UNP:
	case APMU_KIND_RES0:
	case APMU_KIND_RES1: break;
	}
}
