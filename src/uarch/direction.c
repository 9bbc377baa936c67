/* SPDX-License-Identifier: MIT */
#include "direction.h"

#include <stdlib.h>

#define SHORTEST    4 /* branches of history of TAGE's first table */
#define MOST_USEFUL 3

static uint64_t low_bits(unsigned n)
{
	return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* Lengths in geometric steps from SHORTEST to `longest`. */
static unsigned table_history(unsigned k, unsigned tables, unsigned longest)
{
	uint64_t length = SHORTEST;
	if (k + 1 == tables || longest <= SHORTEST)
		return longest;
	while (k--) /* by the (tables - 1)th root, in 32nds */
		for (uint64_t ratio = 33;; ratio++) {
			uint64_t end = SHORTEST;
			for (unsigned step = 1; step < tables; step++)
				end = end * ratio / 32 + 1;
			if (end < longest)
				continue;
			length = length * ratio / 32 + 1;
			break;
		}
	return (unsigned)length;
}

static bool tage_init(struct apmu__direction *d, const struct apmu_uarch_params *p)
{
	d->tables = p->tage_tables;
	d->tagged_mask = p->tage_entries - 1u;
	d->tagged_shift = (uint8_t)__builtin_ctz(p->tage_entries);
	for (unsigned k = 0; k < d->tables; k++)
		d->history_mask[k] = low_bits(table_history(k, d->tables, p->history));
	d->tagged = calloc((size_t)d->tables << d->tagged_shift, sizeof(*d->tagged));
	return d->tagged != NULL;
}

int apmu__direction_init(struct apmu__direction *d, const struct apmu_uarch_params *p)
{
	bool made = true;
	*d = (struct apmu__direction){.kind = p->direction, .history_bits = p->history};
	d->simple = !p->loops && (d->kind == APMU_DIRECTION_BIMODAL || d->kind == APMU_DIRECTION_GSHARE);
	d->seen = d->kind == APMU_DIRECTION_GSHARE ? low_bits(p->history) : 0;
	d->counter_mask = p->counters - 1u;
	d->local_mask = p->locals - 1u;
	d->loop_mask = p->loops - 1u;
	d->counter = malloc(p->counters);
	for (size_t i = 0; d->counter && i < p->counters; i++)
		d->counter[i] = 1;
	d->local = calloc(p->locals, sizeof(*d->local));
	if (p->loops)
		made = (d->loop = calloc(p->loops, sizeof(*d->loop))) != NULL;
	if (p->direction == APMU_DIRECTION_TAGE)
		made &= tage_init(d, p);
	return made && d->counter && d->local ? APMU_OK : APMU_ENOMEM;
}

void apmu__direction_free(struct apmu__direction *d)
{
	free(d->counter);
	free(d->local);
	free(d->loop);
	free(d->tagged);
	*d = (struct apmu__direction){0};
}

static bool two_bits(uint8_t *counter, bool outcome)
{
	bool taken = *counter >= 2;
	*counter = (uint8_t)(outcome ? *counter + (*counter < 3) : *counter - (*counter > 0));
	return taken;
}

/* Yeh and Patt's PAg: the branch's own history chooses the counter. */
static bool local(struct apmu__direction *d, uint64_t pc, bool outcome)
{
	uint32_t *h = &d->local[pc & d->local_mask];
	bool taken = two_bits(&d->counter[*h & d->counter_mask], outcome);
	*h = (*h << 1 | outcome) & (uint32_t)low_bits(d->history_bits);
	return taken;
}

static uint64_t hash(uint64_t history, uint64_t pc)
{
	return history * 0x9E3779B97F4A7C15u ^ pc * 0xC2B2AE3D27D4EB4Fu;
}

static uint16_t tag_of(uint64_t hash)
{
	return (uint16_t)(hash >> 48 | 1);
}

static struct apmu__tagged *entry(const struct apmu__direction *d, unsigned k, uint64_t hash)
{
	return &d->tagged[k << d->tagged_shift | (hash >> 32 & d->tagged_mask)];
}

/* A longer history that may do better next time: the first table that has a useless entry there. */
static void allocate(struct apmu__direction *d, unsigned from, uint64_t pc, bool outcome)
{
	for (unsigned k = from; k < d->tables; k++) {
		uint64_t h = hash(d->history & d->history_mask[k], pc);
		struct apmu__tagged *e = entry(d, k, h);
		if (e->useful) {
			e->useful--;
			continue;
		}
		*e = (struct apmu__tagged){.tag = tag_of(h), .counter = outcome ? 0 : -1};
		return;
	}
}

static void learn(struct apmu__tagged *e, bool outcome)
{
	e->counter = (int8_t)(e->counter + (outcome & (e->counter < 3)) - (!outcome & (e->counter > -4)));
}

/* What the provider is worth beside the alternate. */
static void weigh(struct apmu__tagged *e, bool alternate, bool outcome)
{
	bool taken = e->counter >= 0, differs = taken != alternate, right = taken == outcome;
	e->useful = (uint8_t)(e->useful + (differs & right & (e->useful < MOST_USEFUL)) -
			      (differs & !right & (e->useful > 0)));
}

/* The longest table below `k` that has the branch; -1: none. */
static inline __attribute__((always_inline)) int search(const struct apmu__direction *d, int k, uint64_t pc,
							struct apmu__tagged **found)
{
	uint64_t mask = d->tagged_mask, history = d->history;
	struct apmu__tagged *table = d->tagged + ((size_t)k << d->tagged_shift);
	const size_t size = (size_t)1 << d->tagged_shift;
	while (--k >= 0) {
		uint64_t h = hash(history & d->history_mask[k], pc);
		table -= size;
		*found = &table[h >> 32 & mask];
		if ((*found)->tag == tag_of(h))
			break;
	}
	return k;
}

/* Seznec and Michaud's TAGE, without its chooser of the alternate for new entries. The alternate is looked
 * for only where it may change what the provider is worth. */
static bool tage(struct apmu__direction *d, uint64_t pc, bool outcome)
{
	uint8_t *base = &d->counter[pc & d->counter_mask];
	struct apmu__tagged *e = NULL, *other = NULL;
	int provider = search(d, (int)d->tables, pc, &e);
	bool taken = *base >= 2;
	if (provider < 0) {
		two_bits(base, outcome);
	} else {
		bool alternate = taken;
		taken = e->counter >= 0;
		if (taken != outcome || e->useful < MOST_USEFUL) {
			if (search(d, provider, pc, &other) >= 0)
				alternate = other->counter >= 0;
			weigh(e, alternate, outcome);
		}
		learn(e, outcome);
	}
	if (taken != outcome)
		allocate(d, (unsigned)(provider + 1), pc, outcome);
	return taken;
}

/* A branch that went the same number of times before it did not, three times running. */
static void loop(struct apmu__direction *d, uint64_t pc, bool outcome, bool *taken)
{
	struct apmu__loop *l = &d->loop[pc & d->loop_mask];
	if (l->tag != pc) {
		if (*taken != outcome)
			*l = (struct apmu__loop){.tag = pc, .count = outcome};
		return;
	}
	if (l->sure == 3)
		*taken = l->count < l->trip;
	if (outcome) {
		l->count++;
		return;
	}
	l->sure = (uint8_t)(l->count == l->trip ? l->sure + (l->sure < 3) : 0);
	l->trip = l->count;
	l->count = 0;
}

bool apmu__direction(struct apmu__direction *d, uint64_t addr, bool backward, bool outcome)
{
	uint64_t pc = addr >> 1;
	bool taken;
	switch (d->kind) {
	case APMU_DIRECTION_BIMODAL:
	case APMU_DIRECTION_GSHARE:
		taken = two_bits(&d->counter[(pc ^ (d->history & d->seen)) & d->counter_mask], outcome);
		break;
	case APMU_DIRECTION_LOCAL: taken = local(d, pc, outcome); break;
	case APMU_DIRECTION_TAGE: taken = tage(d, pc, outcome); break;
	default: taken = backward; break;
	}
	d->history = d->history << 1 | outcome;
	if (d->loop)
		loop(d, pc, outcome, &taken);
	return taken;
}
