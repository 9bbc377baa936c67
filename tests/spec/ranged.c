/* SPDX-License-Identifier: MIT */
#include "ranged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LOCK_KEY 0xC5ACCE55u

static bool has(const struct apmu_core *core, unsigned feature)
{
	return feature == 0xFF || (core->features >> feature & 1);
}

static bool names_counter(const struct way *way)
{
	return way->at->form != APMU_FORM_ONE;
}

struct way way_first(const struct apmu_core *core)
{
	const struct apmu_reg *reg = apmu_reg_nth(core, 0);

	return (struct way){.core = core, .reg = reg, .at = reg->at, .n = 0};
}

void way_next(struct way *way)
{
	if (names_counter(way) && way->n == 0 && way->core->counters > 1) {
		way->n = way->core->counters - 1u;
		return;
	}
	way->n = 0;
	if (++way->at < way->reg->at + way->reg->encodings)
		return;
	way->reg = apmu_reg_nth(way->core, ++way->i);
	way->at = way->reg ? way->reg->at : NULL;
}

bool way_exists(const struct way *way)
{
	enum apmu_view view =
		way->at->view == APMU_VIEW_MMIO64 ? APMU_VIEW_MMIO : (enum apmu_view)way->at->view;
	unsigned n;

	if (way->at->view == APMU_VIEW_MMIO && !has(way->core, APMU_FEATURE_EXT32))
		return false;
	if (way->at->view == APMU_VIEW_MMIO64 && !has(way->core, APMU_FEATURE_EXT64))
		return false;
	if (!has(way->core, way->at->feature))
		return false;
	return apmu_reg_at(way->core, view, apmu_encoding_for(way->at, way->n), &n) == way->reg;
}

static struct apmu_mode highest(const struct apmu_core *core)
{
	if (core->access_rule == APMU_ACCESS_V7)
		return (struct apmu_mode){.el = 1, .security = APMU_SECURE};
	if (!has(core, APMU_FEATURE_EL3))
		return (struct apmu_mode){.el = has(core, APMU_FEATURE_EL2) ? 2 : 1};
	return (struct apmu_mode){.el = 3, .security = has(core, APMU_FEATURE_RME) ? APMU_ROOT : APMU_SECURE};
}

struct apmu_access way_access(const struct way *way)
{
	struct apmu_access at = {.encoding = apmu_encoding_for(way->at, way->n), .from = highest(way->core)};

	at.view = way->at->view == APMU_VIEW_MMIO64 ? APMU_VIEW_MMIO : (enum apmu_view)way->at->view;
	if (way->reg->min_el == 2)
		at.from = (struct apmu_mode){.el = way->reg->min_el, .security = APMU_NONSECURE};
	return at;
}

uint64_t way_bits(const struct way *way)
{
	return (UINT64_MAX >> (64 - way->at->width)) << way->at->lo;
}

bool way_shows(const struct way *way, const struct apmu_field *field)
{
	return field->views >> way->at->view & 1;
}

bool way_writes(const struct way *way)
{
	return way->reg->way != APMU_WAY_RO;
}

bool way_reads(const struct way *way)
{
	return way->reg->way != APMU_WAY_WO;
}

/* Does the register hold what decides which counters and registers an access reaches? */
static bool decides(const struct apmu_reg *reg)
{
	static const uint8_t words[] = {APMU_WORD_PMCCR, APMU_WORD_SEL, APMU_WORD_MDCR_EL2,
					APMU_WORD_MDCR_EL3, APMU_WORD_SLK};

	EACH_FIELD(reg, f)
	{
		if (f->place.kind == APMU_PLACE_DO &&
		    (f->place.index == APMU_DO_LOCK || f->place.index == APMU_DO_CAPTURE))
			return true;
		for (size_t i = 0; i < sizeof words; i++)
			if (f->place.kind == APMU_PLACE_WORD && f->place.index == words[i])
				return true;
	}
	return false;
}

void way_start(struct bench *b, const struct apmu_core *core)
{
	struct way lock = {.core = core, .reg = apmu_reg_find(core, "PMLAR")};

	memset(b, 0, sizeof *b);
	apmu_init(&b->pmu, core, &b->tally, (struct apmu_lines){0});
	apmu_enter(&b->pmu, highest(core));
	if (!lock.reg)
		return;
	lock.at = lock.reg->at;
	if (way_exists(&lock))
		way_write(b, &lock, LOCK_KEY);
}

void way_shuffle(struct bench *b, uint64_t *seed)
{
	EACH_WAY(b->pmu.core, way)
	if (way_writes(&way) && !decides(way.reg))
		way_write(b, &way, random_next(seed));
	/* Reached through W1C and W1S alone, so by hand. */
	b->pmu.s.overflow = random_next(seed) & way_counters(b->pmu.core);
	b->pmu.s.cnten = random_next(seed) & way_counters(b->pmu.core);
	b->pmu.s.inten = random_next(seed) & way_counters(b->pmu.core);
}

uint64_t way_read(struct bench *b, const struct way *way)
{
	uint64_t value = 0;

	if (apmu_read(&b->pmu, way_access(way), &value) != APMU_DONE)
		fail_msg("%s %s (view %u) cannot be read", way->core->name, way->reg->name, way->at->view);
	return value;
}

void way_write(struct bench *b, const struct way *way, uint64_t value)
{
	if (apmu_write(&b->pmu, way_access(way), value) != APMU_DONE)
		fail_msg("%s %s (view %u) cannot be written", way->core->name, way->reg->name, way->at->view);
}

uint64_t way_counters(const struct apmu_core *core)
{
	return (UINT64_MAX >> (64 - core->counters)) | UINT64_C(1) << APMU_CYCLE_COUNTER |
	       (uint64_t)has(core, APMU_FEATURE_ICNTR) << APMU_INSTR_COUNTER;
}

/* The bits of a field that exist: one a counter in a mask, as many as a counter or a threshold has. */
static uint64_t existing(const struct way *way, const struct apmu_field *field)
{
	const struct apmu_core *core = way->core;
	uint64_t mask = field_mask(field);
	bool threshold = field->place.kind == APMU_PLACE_TYPE && field->place.lsb == 32;

	if (field->place.index == APMU_EACH && field->place.kind != APMU_PLACE_DO)
		return mask & way_counters(core);
	if (threshold && core->threshold_bits)
		return mask & (UINT64_MAX >> (64 - core->threshold_bits)) << 32;
	if (field->place.kind == APMU_PLACE_TYPE && field->place.lsb == 54) /* TLC: odd counters */
		return (field->place.index == APMU_THIS ? way->n & 1 : 0) ? mask : 0;
	return mask;
}

uint64_t way_after(const struct way *way, uint64_t old, uint64_t written)
{
	uint64_t now = 0;

	EACH_FIELD(way->reg, f)
	{
		if (way_shows(way, f))
			now |= field_after(way->core, f, existing(way, f), old, written);
	}
	return now & way_bits(way);
}
