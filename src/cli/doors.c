/* SPDX-License-Identifier: MIT */
#include "cli/doors.h"

/* The kernel's mode: where a driver runs. */
static const struct apmu_mode privileged = {.el = 1, .security = APMU_NONSECURE};

/* Fields through which a place can be changed by writing a 1 or a value. Clearing doors are for flags alone.
 */
static bool opens(unsigned kind, unsigned place)
{
	if (place == APMU_PLACE_OVERFLOW)
		return kind == APMU_KIND_W1C;
	return kind == APMU_KIND_RW || kind == APMU_KIND_WO || kind == APMU_KIND_W1S || kind == APMU_KIND_DO;
}

static struct apmu__door *door_for(struct apmu__doors *doors, unsigned place, unsigned index)
{
	switch (place) {
	case APMU_PLACE_WORD: return index == APMU_WORD_ENABLE ? &doors->enable : NULL;
	case APMU_PLACE_DO:
		return index == APMU_DO_RESET_CYCLE    ? &doors->reset_cycle
		       : index == APMU_DO_RESET_EVENTS ? &doors->reset_events
						       : NULL;
	case APMU_PLACE_TYPE: return index < APMU_MAX_EVENT_COUNTERS ? &doors->type[index] : NULL;
	case APMU_PLACE_COUNTER: return index < APMU_COUNTERS ? &doors->counter[index] : NULL;
	case APMU_PLACE_OVERFLOW: return index < APMU_COUNTERS ? &doors->overflow[index] : NULL;
	case APMU_PLACE_CNTEN: return index < APMU_COUNTERS ? &doors->cnten[index] : NULL;
	default: return NULL;
	}
}

static void hang(struct apmu__door *door, const struct apmu_reg *reg, const struct apmu_encoding *at,
		 unsigned lo, unsigned bits)
{
	if (door == NULL || door->reg != NULL)
		return; /* not ours, or reached already through an earlier register */
	door->reg = reg;
	door->at = (struct apmu_access){(enum apmu_view)at->view, at->encoding, privileged};
	door->lo = (uint8_t)lo;
	door->bits = (uint8_t)bits;
}

/* `n`: the counter that an indexed register's encoding stands for. */
static void hang_field(struct apmu__doors *doors, const struct apmu_core *core, const struct apmu_reg *reg,
		       const struct apmu_encoding *at, unsigned n, const struct apmu_field *field)
{
	unsigned bits = field->hi - field->lo + 1u;
	const struct apmu_place *place = &field->place;

	if (!opens(apmu_field_kind(field, core->features), place->kind) || place->lsb != 0)
		return;
	if (place->index != APMU_EACH)
		hang(door_for(doors, place->kind, place->index), reg, at, field->lo, bits);
	else if (place->kind == APMU_PLACE_TYPE || place->kind == APMU_PLACE_COUNTER)
		hang(door_for(doors, place->kind, n), reg, at, field->lo, bits);
	else
		for (unsigned k = 0; k < bits && k < core->counters; k++)
			hang(door_for(doors, place->kind, k), reg, at, field->lo + k, 1);
}

static bool complete(const struct apmu__doors *doors, const struct apmu_core *core)
{
	if (doors->enable.reg == NULL || doors->counter[APMU_CYCLE_COUNTER].reg == NULL ||
	    doors->overflow[APMU_CYCLE_COUNTER].reg == NULL)
		return false;
	for (unsigned i = 0; i < core->counters; i++)
		if (doors->type[i].reg == NULL || doors->counter[i].reg == NULL ||
		    doors->overflow[i].reg == NULL)
			return false;
	return true;
}

int apmu__doors_find(struct apmu__doors *doors, const struct apmu_core *core)
{
	*doors = (struct apmu__doors){0};
	for (unsigned r = 0; r < core->regs; r++) {
		const struct apmu_reg *reg = core->reg[r];

		for (unsigned e = 0; e < reg->encodings; e++) {
			unsigned n = APMU_COUNTERS;

			if (apmu_reg_at(core, (enum apmu_view)reg->at[e].view, reg->at[e].encoding, &n) !=
			    reg)
				continue; /* this core does not have the register */
			for (unsigned f = 0; f < reg->fields; f++)
				hang_field(doors, core, reg, &reg->at[e], n, &reg->field[f]);
		}
	}
	return complete(doors, core) ? 0 : APMU_ENOENT;
}

static uint64_t mask(const struct apmu__door *door)
{
	uint64_t all = door->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << door->bits) - 1;

	return all << door->lo;
}

/* Bits that a write must leave 0 unless it means them: flags, strobes, reserved bits. A read-modify-write
 * that wrote flags back would acknowledge them unseen. */
static uint64_t write_as_zero(const struct apmu *pmu, const struct apmu_reg *reg)
{
	uint64_t bits = 0;

	for (unsigned f = 0; f < reg->fields; f++) {
		if (apmu_field_kind(&reg->field[f], pmu->core->features) != APMU_KIND_RW)
			bits |= apmu_field_put(&reg->field[f], 0, UINT64_MAX);
	}
	return bits;
}

uint64_t apmu__door_read(const struct apmu *pmu, const struct apmu__door *door)
{
	uint64_t word = 0;

	apmu_read(pmu, door->at, &word);
	return (word & mask(door)) >> door->lo;
}

void apmu__door_write(struct apmu *pmu, const struct apmu__door *door, uint64_t value)
{
	uint64_t word = 0;

	apmu_read(pmu, door->at, &word);
	word &= ~write_as_zero(pmu, door->reg) & ~mask(door);
	word |= value << door->lo & mask(door);
	apmu_write(pmu, door->at, word);
}
