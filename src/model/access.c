/* SPDX-License-Identifier: MIT */
/* An access, start to end. */
#include "model.h"

static bool look_up(const struct apmu *pmu, struct apmu_access at, bool write, struct apmu__look *look)
{
	if (!apmu__locate(pmu->core, at.view, at.encoding, &look->hit))
		return false;
	look->from = at.from;
	look->from.el &= 3;
	look->write = write;
	look->a32 = at.view == APMU_VIEW_CP || at.view == APMU_VIEW_CP64;
	look->external = at.view == APMU_VIEW_MMIO;
	look->mask = ~(uint64_t)0;
	return true;
}

/* The bits of the register that the view and the field share; false if none. */
static bool overlap(const struct apmu__look *look, const struct apmu_field *field, unsigned *hi, unsigned *lo)
{
	unsigned top = look->hit.lo + look->hit.width - 1u;

	*hi = field->hi < top ? field->hi : top;
	*lo = field->lo > look->hit.lo ? field->lo : look->hit.lo;
	return field->lo <= top && field->hi >= look->hit.lo && (field->views >> look->hit.view & 1);
}

static uint64_t read_fields(const struct apmu *pmu, const struct apmu__look *look)
{
	const struct apmu_reg *reg = look->hit.reg;
	uint64_t word = 0;
	unsigned hi, lo;

	for (unsigned i = 0; i < reg->fields; i++)
		if (overlap(look, &reg->field[i], &hi, &lo))
			word |= apmu__field_read(pmu, look, &reg->field[i], hi, lo) << (lo - look->hit.lo);
	return word;
}

static void write_fields(struct apmu *pmu, const struct apmu__look *look, uint64_t value)
{
	const struct apmu_reg *reg = look->hit.reg;
	unsigned hi, lo;

	for (unsigned i = 0; i < reg->fields; i++)
		if (overlap(look, &reg->field[i], &hi, &lo))
			apmu__field_write(pmu, look, &reg->field[i], hi, lo,
					  apmu__get(value, hi - look->hit.lo, lo - look->hit.lo));
}

enum apmu_outcome apmu_read(const struct apmu *pmu, struct apmu_access at, uint64_t *value)
{
	struct apmu__look look;
	int verdict;

	if (!look_up(pmu, at, false, &look))
		return APMU_UNDEFINED;
	verdict = pmu->core->rules->judge(pmu, &look);
	if (verdict == APMU_DONE)
		*value = read_fields(pmu, &look);
	else if (verdict == APMU__BLANK)
		*value = 0;
	return verdict == APMU__BLANK ? APMU_DONE : (enum apmu_outcome)verdict;
}

/* AN195 2 says nothing of it, DDI0301H 3-137 does: three cycles pass between E 0->1 and the first count. */
static void enable_changed(struct apmu *pmu, bool was)
{
	bool is = pmu->s.word[APMU_WORD_ENABLE] != 0;

	if (is && !was) {
		pmu->s.holdoff = pmu->core->holdoff;
		pmu->hold_base = pmu->tally->n[APMU_SIG_CYCLES];
	} else if (!is) {
		pmu->s.holdoff = 0;
	}
}

enum apmu_outcome apmu_write(struct apmu *pmu, struct apmu_access at, uint64_t value)
{
	bool was = pmu->s.word[APMU_WORD_ENABLE] != 0;
	struct apmu__look look;
	int verdict;

	apmu_advance(pmu);
	if (!look_up(pmu, at, true, &look))
		return APMU_UNDEFINED;
	verdict = pmu->core->rules->judge(pmu, &look);
	if (verdict != APMU_DONE && verdict != APMU__BLANK)
		return (enum apmu_outcome)verdict;
	apmu__lint(pmu, &look, value);
	if (verdict == APMU__BLANK)
		return APMU_DONE;
	write_fields(pmu, &look, value);
	enable_changed(pmu, was);
	apmu__settle(pmu);
	return APMU_DONE;
}
