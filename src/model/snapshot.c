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

static bool possible(const struct apmu_core *core, const struct apmu_state *s)
{
	uint64_t flags = s->cnten | s->overflow | s->inten | s->fiqen;

	for (unsigned w = 0; w < APMU_WORDS; w++)
		if (s->word[w] > 1)
			return false;
	return bools_hold(s) && counters_hold(core, s) && !(flags & ~apmu__counters(core)) && s->phase < 64 &&
	       s->holdoff <= core->holdoff && s->latch < 1u << APMU_LINES && !(s->errata & ~core->errata) &&
	       s->mode.el < 4 && s->mode.security < 4;
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
