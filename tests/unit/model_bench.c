/* SPDX-License-Identifier: MIT */
#include "model_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	struct bench *b = ctx;

	*(line == APMU_LINE_IRQ ? &b->irq : &b->fiq) = up;
	b->calls++;
}

static void on_note(void *ctx, enum apmu_note note, uint64_t detail)
{
	struct bench *b = ctx;

	b->notes[note]++;
	b->detail[note] = detail;
}

void bench_start(struct bench *b, const char *core)
{
	memset(b, 0, sizeof *b);
	apmu_init(&b->pmu, apmu_core_find(core), &b->tally,
		  (struct apmu_lines){.line = on_line, .note = on_note, .ctx = b});
	apmu_enter(&b->pmu, (struct apmu_mode){.el = 1, .security = APMU_SECURE});
}

static struct apmu_access access_of(struct bench *b, const char *name)
{
	const struct apmu_reg *reg = apmu_reg_find(b->pmu.core, name);

	if (!reg)
		fail_msg("%s has no %s", b->pmu.core->name, name);
	return (struct apmu_access){.view = (enum apmu_view)reg->at[0].view,
				    .encoding = reg->at[0].encoding,
				    .from = {.el = 1, .security = APMU_SECURE}};
}

void poke(struct bench *b, const char *reg, uint64_t value)
{
	if (apmu_write(&b->pmu, access_of(b, reg), value) != APMU_DONE)
		fail_msg("%s cannot be written", reg);
}

uint64_t peek(struct bench *b, const char *reg)
{
	uint64_t value = 0;

	if (apmu_read(&b->pmu, access_of(b, reg), &value) != APMU_DONE)
		fail_msg("%s cannot be read", reg);
	return value;
}

void happen(struct bench *b, enum apmu_signal signal, uint64_t n)
{
	b->tally.n[signal] += n;
}

void run(struct bench *b, uint64_t cycles)
{
	happen(b, APMU_SIG_CYCLES, cycles);
	apmu_advance(&b->pmu);
}

void start(struct bench *b, uint32_t pmnc)
{
	poke(b, "PMNC", pmnc);
	run(b, b->pmu.core->holdoff);
}
