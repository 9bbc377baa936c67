/* SPDX-License-Identifier: MIT */
/**
 * What the files of the model ask of each other. Each question has one owner:
 *
 *   access.c    may this mode make this access?
 *   field.c     what does a field read, what does a write of it do?
 *   enable.c    is a counter on?
 *   permit.c    may it count here?
 *   count.c     what has each counter gained since the last look?
 *   overflow.c  what does a wrap do?
 *   settle.c    which counters run, which lines are up? The only caller of the line callback
 *   lifecycle.c, snapshot.c   birth, reset, saving and taking back
 *   lint.c      what would the manual's author object to?
 */
#ifndef APMU_MODEL_INTERNAL_H
#define APMU_MODEL_INTERNAL_H

#include <apmu/model.h>

#include "../base/bits.h"

/* The counters that exist: event counters and the cycle counter. */
static inline uint64_t apmu__counters(const struct apmu_core *core)
{
	return apmu__ones(core->counters) | apmu__bit(APMU_CYCLE_COUNTER);
}

/* All ones of counter i's width. */
static inline uint64_t apmu__counter_mask(const struct apmu_core *core, unsigned i)
{
	return apmu__ones(i == APMU_CYCLE_COUNTER ? core->cycle_width : core->width);
}

bool apmu__allowed(const struct apmu *pmu, const struct apmu_reg *reg, struct apmu_mode from, bool write);

uint64_t apmu__field_read(const struct apmu *pmu, const struct apmu_field *field);
void apmu__field_write(struct apmu *pmu, const struct apmu_field *field, uint64_t value);

uint64_t apmu__enabled(const struct apmu *pmu);
void apmu__enable_changed(struct apmu *pmu, bool was);
bool apmu__permitted(const struct apmu *pmu);

uint64_t apmu__gained(const struct apmu *pmu, unsigned i);
void apmu__rebase(struct apmu *pmu, unsigned i);
void apmu__select(struct apmu *pmu, unsigned i);

void apmu__count(struct apmu *pmu, unsigned i, uint64_t n);

void apmu__derive(struct apmu *pmu);
void apmu__announce(struct apmu *pmu, uint8_t was);
void apmu__settle(struct apmu *pmu);
void apmu__begin(struct apmu *pmu, uint8_t was);

void apmu__note(const struct apmu *pmu, enum apmu_note note, uint64_t detail);
void apmu__lint(const struct apmu *pmu, const struct apmu_reg *reg, uint64_t value);

#endif
