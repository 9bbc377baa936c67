/* SPDX-License-Identifier: MIT */
/* Saving a PMU and taking it back, from bytes that may be anything. */
#include "model.h"

#include "../base/memory.h"

#define MAGIC   0x554D5041u /* "APMU" */
#define VERSION 1u

/* A core's name and shape as one number (FNV-1a), so that a snapshot meets only its own kind. */
static uint64_t identity(const struct apmu_core *core)
{
	uint64_t hash = 0xCBF29CE484222325u;

	for (const char *c = core->name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
	return (hash ^ core->counters) * 0x100000001B3u ^ core->width;
}

void apmu_save(const struct apmu *pmu, struct apmu_snapshot *out)
{
	memset(out, 0, sizeof *out);
	out->magic = MAGIC;
	out->version = VERSION;
	out->core = identity(pmu->core);
	out->state = pmu->s;
}

/* Every byte that a bool lives in is 0 or 1: anything else would be no bool at all. */
static bool bools_hold(const struct apmu_state *s)
{
	const unsigned char *pin = (const unsigned char *)&s->in,
			    *halted = (const unsigned char *)&s->mode.debug_halted;

	for (size_t i = 0; i < sizeof s->in; i++)
		if (pin[i] > 1)
			return false;
	return *halted <= 1;
}

static bool counters_hold(const struct apmu_core *core, const struct apmu_state *s)
{
	for (unsigned i = 0; i < APMU_COUNTERS; i++) {
		uint64_t exists = apmu__is_set(apmu__counters(core), i) ? apmu__counter_mask(core, i) : 0;

		if (s->counter[i] & ~exists)
			return false;
		if (s->type[i] & ~(uint64_t)(i < core->counters ? core->event_mask : 0))
			return false;
	}
	return true;
}

/* The bits of its mask that a field is a window on; none where the core lacks the feature it needs. */
static uint64_t place_bits(const struct apmu_core *core, const struct apmu_field *field)
{
	unsigned lo = field->place.index == APMU_EACH ? 0 : field->place.index;

	if (field->feature != 0xFF && !apmu__is_set(core->features, field->feature))
		return 0;
	return (apmu__ones(field->hi - field->lo + 1u) << lo) & apmu__counters(core);
}

/* The bits of a mask that some field of the core's registers is a window on: no other can ever be set. */
static uint64_t shown(const struct apmu_core *core, enum apmu_place_kind kind)
{
	uint64_t bits = 0;

	for (unsigned r = 0; r < core->regs; r++) {
		const struct apmu_reg *reg = core->reg[r];

		for (unsigned f = 0; f < reg->fields; f++)
			if (reg->field[f].place.kind == kind)
				bits |= place_bits(core, &reg->field[f]);
	}
	return bits;
}

static bool masks_hold(const struct apmu_core *core, const struct apmu_state *s)
{
	uint64_t fiqen = shown(core, APMU_PLACE_FIQEN);
	uint64_t lines = apmu__bit(APMU_LINE_IRQ) | (fiqen ? apmu__bit(APMU_LINE_FIQ) : 0);

	return !(s->cnten & ~shown(core, APMU_PLACE_CNTEN)) &&
	       !(s->overflow & ~shown(core, APMU_PLACE_OVERFLOW)) &&
	       !(s->inten & ~shown(core, APMU_PLACE_INTEN)) && !(s->fiqen & ~fiqen) && !(s->latch & ~lines);
}

static bool possible(const struct apmu_core *core, const struct apmu_state *s)
{
	for (unsigned w = 0; w < APMU_WORDS; w++)
		if (s->word[w] > 1)
			return false;
	return bools_hold(s) && counters_hold(core, s) && masks_hold(core, s) && s->phase < 64 &&
	       s->holdoff <= core->holdoff && !(s->errata & ~core->errata) && s->mode.el < 4 &&
	       s->mode.security < 4;
}

int apmu_restore(struct apmu *pmu, const struct apmu_snapshot *in)
{
	uint8_t was = pmu->s.latch;

	if (in->magic != MAGIC || in->version != VERSION || in->core != identity(pmu->core))
		return APMU_EILSEQ;
	if (!possible(pmu->core, &in->state))
		return APMU_EILSEQ;
	memcpy(&pmu->s, &in->state, sizeof pmu->s);
	apmu__begin(pmu, was);
	return APMU_OK;
}
