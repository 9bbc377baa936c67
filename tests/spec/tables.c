/* SPDX-License-Identifier: MIT */
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void on_note(void *ctx, enum apmu_note note, uint64_t detail)
{
	struct bench *b = ctx;

	b->notes[note]++;
	b->detail[note] = detail;
}

void bench_start(struct bench *b, const struct apmu_core *core)
{
	memset(b, 0, sizeof *b);
	apmu_init(&b->pmu, core, &b->tally, (struct apmu_lines){.note = on_note, .ctx = b});
	apmu_enter(&b->pmu, (struct apmu_mode){.el = 1, .security = APMU_SECURE});
}

struct apmu_access bench_access(const struct apmu_reg *reg, unsigned i)
{
	return (struct apmu_access){
		.view = (enum apmu_view)reg->at[i].view,
		.encoding = reg->at[i].encoding,
		.from = {.el = 1, .security = APMU_SECURE},
	};
}

uint64_t bench_read(struct bench *b, const struct apmu_reg *reg)
{
	uint64_t value = 0;

	if (apmu_read(&b->pmu, bench_access(reg, 0), &value) != APMU_DONE)
		fail_msg("%s %s cannot be read", b->pmu.core->name, reg->name);
	return value;
}

void bench_write(struct bench *b, const struct apmu_reg *reg, uint64_t value)
{
	if (apmu_write(&b->pmu, bench_access(reg, 0), value) != APMU_DONE)
		fail_msg("%s %s cannot be written", b->pmu.core->name, reg->name);
}

enum apmu_kind kind_on(const struct apmu_core *core, const struct apmu_field *field)
{
	bool has = field->feature == 0xFF || (core->features >> field->feature & 1);

	return (enum apmu_kind)(has ? field->kind : field->kind_else);
}

uint64_t field_mask(const struct apmu_field *field)
{
	return apmu_field_put(field, 0, UINT64_MAX);
}

const struct apmu_field *bench_field(const struct apmu_core *core, enum apmu_place_kind kind, unsigned n,
				     const struct apmu_reg **reg)
{
	EACH_REG(core, r)
	EACH_FIELD(r, f)
	if (f->place.kind == kind && f->place.index == n && kind_on(core, f) != APMU_KIND_UNP) {
		*reg = r;
		return f;
	}
	return NULL;
}

/* What a careful driver writes back: the read/write fields as they are, 0 to flags and strobes. */
static uint64_t keep(const struct apmu_core *core, const struct apmu_reg *reg, uint64_t value)
{
	uint64_t kept = 0;

	EACH_FIELD(reg, f)
	if (kind_on(core, f) == APMU_KIND_RW)
		kept |= value & field_mask(f);
	return kept;
}

void bench_put(struct bench *b, enum apmu_place_kind kind, unsigned n, uint64_t value)
{
	const struct apmu_reg *reg = NULL;
	const struct apmu_field *field = bench_field(b->pmu.core, kind, n, &reg);

	if (!field)
		fail_msg("%s has no field for place %d of %u", b->pmu.core->name, (int)kind, n);
	uint64_t now = keep(b->pmu.core, reg, bench_read(b, reg));
	bench_write(b, reg, apmu_field_put(field, now, value));
}

uint64_t bench_get(struct bench *b, enum apmu_place_kind kind, unsigned n)
{
	const struct apmu_reg *reg = NULL;
	const struct apmu_field *field = bench_field(b->pmu.core, kind, n, &reg);

	if (!field)
		fail_msg("%s has no field for place %d of %u", b->pmu.core->name, (int)kind, n);
	return (bench_read(b, reg) & field_mask(field)) >> field->lo;
}

void bench_count(struct bench *b, unsigned counter, unsigned number)
{
	bench_put(b, APMU_PLACE_WORD, APMU_WORD_ENABLE, 0);
	bench_put(b, APMU_PLACE_TYPE, counter, number);
	bench_put(b, APMU_PLACE_WORD, APMU_WORD_ENABLE, 1);
	b->tally.n[APMU_SIG_CYCLES] += b->pmu.core->holdoff;
	apmu_advance(&b->pmu);
}

uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545F4914F6CDD1D);
}

uint64_t field_after(const struct apmu_core *core, const struct apmu_field *f, uint64_t mask, uint64_t old,
		     uint64_t written)
{
	switch (kind_on(core, f)) {
	case APMU_KIND_RW: return written & mask;
	case APMU_KIND_RO: return old & mask;
	case APMU_KIND_W1C: return old & ~written & mask;
	case APMU_KIND_W1S: return (old | written) & mask;
	case APMU_KIND_RES1:
	case APMU_KIND_RAO_W1S: return mask;
	case APMU_KIND_CONST: return apmu_field_put(f, 0, f->constant);
	case APMU_KIND_WO:
	case APMU_KIND_DO:
	case APMU_KIND_UNP:
	case APMU_KIND_RES0: break;
	}
	return 0;
}
