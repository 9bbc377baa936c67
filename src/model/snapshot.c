/* SPDX-License-Identifier: MIT */
/* Saving a PMU's state and restoring it from bytes that are not trusted. */
#include "model/model.h"

#include "base/memory.h"

#include <stddef.h>

#define MAGIC   0x554D5041u /* "APMU" */
#define VERSION 3u

/* A hash of a core's name and shape (FNV-1a), so that a snapshot is restored on the same core only. */
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

/* Adds to `most` the bits that counter i's part of a step can hold. */
static void add(struct apmu_state *most, const struct apmu *pmu, const struct apmu_step *step, unsigned i)
{
	uint64_t *word = apmu_model__word_of(most, step, i);
	enum apmu_kind kind = apmu_model__step_kind(pmu, step);

	if (word && kind != APMU_KIND_UNP && kind != APMU_KIND_RES0)
		*word |= apmu_model__to_place(step, step->mask) & apmu_model__existing(pmu, step, i);
}

static void add_register(struct apmu_state *most, const struct apmu *pmu, const struct apmu_reg *reg)
{
	for (const struct apmu_step *step = reg->step; step < reg->step + reg->steps; step++) {
		bool each = step->index == APMU_THIS || step->index == APMU_SELECTED;
		unsigned first = each ? 0 : step->index;

		for (unsigned i = first; i < (each ? pmu->core->counters : first + 1); i++)
			add(most, pmu, step, i);
	}
}

/* Finds every bit that the core's state can hold: what its registers show, and what a host may mirror. */
static void find_most(struct apmu_state *most, const struct apmu *pmu)
{
	memset(most, 0, sizeof *most);
	for (size_t r = 0; r < pmu->core->bank->regs; r++)
		if (apmu_reg_exists(pmu->core, pmu->core->bank->reg[r]))
			add_register(most, pmu, pmu->core->bank->reg[r]);
	if (pmu->core->rules->mirrored)
		pmu->core->rules->mirrored(pmu, most);
}

/* Words that no rule of the family looks at may hold anything: the host may have mirrored MPIDR there. */
static bool words_hold(const struct apmu *pmu, const struct apmu_state *s)
{
	const uint64_t *word = (const uint64_t *)s, *can;
	struct apmu_state most;

	find_most(&most, pmu);
	can = (const uint64_t *)&most;
	for (size_t i = pmu->core->rules->words; i-- > 0;)
		if (word[i] & ~can[i])
			return false;
	return !(s->latch >> APMU_LINE_FIQ & 1) || most.fiqen;
}

/* The bools of struct apmu_state from `streaming` to `brbe_fzp2`, which have no padding between them. */
#define FLAGS (offsetof(struct apmu_state, brbe_fzp2) - offsetof(struct apmu_state, streaming) + sizeof(bool))

/* Those that struct apmu_mode ends with. */
#define MODE_FLAGS (sizeof(struct apmu_mode) - offsetof(struct apmu_mode, debug_halted))

/* True if every byte of the bools is 0 or 1; other values are undefined behaviour for a bool. */
static bool bools(const void *first, size_t n)
{
	const unsigned char *byte = first;

	for (size_t i = 0; i < n; i++)
		if (byte[i] > 1)
			return false;
	return true;
}

static bool bools_hold(const struct apmu_state *s)
{
	return bools(&s->in, sizeof s->in) && bools(&s->mode.debug_halted, MODE_FLAGS) &&
	       bools(&s->streaming, FLAGS);
}

static bool possible(const struct apmu *pmu, const struct apmu_state *s)
{
	const struct apmu_core *core = pmu->core;
	unsigned line_bits = 1u << (core->rules->other_lines ? APMU_LINES : APMU_LINE_PROFILING);

	return bools_hold(s) && s->phase < 64 && s->holdoff <= core->holdoff && s->latch < line_bits &&
	       !(s->errata & ~core->errata) && s->mode.el < 4 && s->mode.security < 4 && s->aarch32 < 16 &&
	       words_hold(pmu, s) && (!core->rules->fixed || core->rules->fixed(pmu, s));
}

int apmu_restore(struct apmu *pmu, const struct apmu_snapshot *in)
{
	uint8_t was = pmu->s.latch;

	if (in->magic != MAGIC || in->version != VERSION || in->core != identity(pmu->core))
		return APMU_EILSEQ;
	if (!possible(pmu, &in->state))
		return APMU_EILSEQ;
	memcpy(&pmu->s, &in->state, sizeof pmu->s);
	apmu_model__begin(pmu, was);
	return APMU_OK;
}
