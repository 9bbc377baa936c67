/* SPDX-License-Identifier: MIT */
#include "uarch/direction.h"

#include <stdlib.h>
#include <string.h>

static uint64_t low_bits(unsigned n)
{
	return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* The next state for apmu_uarch__hybrid(), and the prediction. */
static uint8_t hybrid_after(unsigned state)
{
	unsigned alone = state & 3, choice = state >> 2 & 3, seen = state >> 4 & 3;
	bool outcome = state >> 6, by_address = alone >= 2, by_history = seen >= 2;
	bool predicted = choice >= 2 ? by_history : by_address;

	if (by_address != by_history)
		choice = apmu_uarch__two_bits(choice, by_history == outcome) & 3;
	return (uint8_t)((apmu_uarch__two_bits(alone, outcome) & 3) | choice << 2 |
			 (apmu_uarch__two_bits(seen, outcome) & 3) << 4 | (unsigned)predicted << 6);
}

int apmu_uarch__direction_init(struct apmu_uarch__direction *d, const struct apmu_uarch_params *p)
{
	bool made = true;
	*d = (struct apmu_uarch__direction){.kind = p->direction, .history_bits = p->history};
	d->simple = !p->loops && (d->kind == APMU_DIRECTION_BIMODAL || d->kind == APMU_DIRECTION_GSHARE);
	d->hybrid = !p->loops && d->kind == APMU_DIRECTION_HYBRID;
	d->seen = d->kind == APMU_DIRECTION_GSHARE || d->kind == APMU_DIRECTION_HYBRID ? low_bits(p->history)
										       : 0;
	d->counter_mask = p->counters - 1u;
	d->local_mask = p->locals - 1u;
	d->loop_mask = p->loops - 1u;
	d->counter = malloc(p->counters);
	if (d->counter)
		memset(d->counter, d->kind == APMU_DIRECTION_HYBRID ? 1 | 1 << 2 : 1, p->counters);
	if (d->kind == APMU_DIRECTION_HYBRID && (made = (d->shared = malloc(p->counters)) != NULL))
		memset(d->shared, 1, p->counters);
	for (unsigned state = 0; d->shared && state < APMU_UARCH__HYBRID_STATES; state++)
		d->hybrid_next[state] = hybrid_after(state);
	d->local = calloc(p->locals, sizeof(*d->local));
	if (p->loops)
		made &= (d->loop = calloc(p->loops, sizeof(*d->loop))) != NULL;
	if (p->direction == APMU_DIRECTION_TAGE)
		made &= apmu_uarch__tage_init(&d->tage, p) == APMU_OK;
	d->usual =
		p->direction == APMU_DIRECTION_TAGE && !p->loops && p->tage_tables == APMU_UARCH__TAGE_USUAL;
	return made && d->counter && d->local ? APMU_OK : APMU_ENOMEM;
}

void apmu_uarch__direction_free(struct apmu_uarch__direction *d)
{
	free(d->counter);
	free(d->shared);
	free(d->local);
	free(d->loop);
	apmu_uarch__tage_free(&d->tage);
	*d = (struct apmu_uarch__direction){0};
}

static bool two_bits(uint8_t *counter, bool outcome)
{
	bool taken = *counter >= 2;
	*counter = apmu_uarch__two_bits(*counter, outcome) & 3;
	return taken;
}

/* Yeh and Patt's PAg: the branch's own history selects the counter. */
static bool local(struct apmu_uarch__direction *d, uint64_t pc, bool outcome)
{
	uint32_t *h = &d->local[pc & d->local_mask];
	bool taken = two_bits(&d->counter[*h & d->counter_mask], outcome);
	*h = (*h << 1 | outcome) & (uint32_t)low_bits(d->history_bits);
	return taken;
}

/* The loop predictor: a branch that three times in a row was taken equally often before it was not taken. */
static void loop(struct apmu_uarch__direction *d, uint64_t pc, bool outcome, bool *taken)
{
	struct apmu_uarch__loop *l = &d->loop[pc & d->loop_mask];
	if (l->tag != pc) {
		if (*taken != outcome)
			*l = (struct apmu_uarch__loop){.tag = pc, .count = outcome};
		return;
	}
	if (l->confidence == 3)
		*taken = l->count < l->trip;
	if (outcome) {
		l->count++;
		return;
	}
	l->confidence = (uint8_t)(l->count == l->trip ? l->confidence + (l->confidence < 3) : 0);
	l->trip = l->count;
	l->count = 0;
}

bool apmu_uarch__direction(struct apmu_uarch__direction *d, uint64_t addr, bool backward, bool outcome)
{
	uint64_t pc = addr >> 1;
	bool taken;
	switch (d->kind) {
	case APMU_DIRECTION_BIMODAL:
	case APMU_DIRECTION_GSHARE:
		taken = two_bits(&d->counter[(pc ^ (d->history & d->seen)) & d->counter_mask], outcome);
		break;
	case APMU_DIRECTION_LOCAL: taken = local(d, pc, outcome); break;
	case APMU_DIRECTION_HYBRID: taken = apmu_uarch__hybrid(d, addr >> 2, outcome); break;
	case APMU_DIRECTION_TAGE: taken = apmu_uarch__tage_any(&d->tage, pc, outcome); break;
	default: taken = backward; break;
	}
	d->history = d->history << 1 | outcome;
	d->tage.history = d->tage.history << 1 | outcome; /* with `usual` the only one that is kept */
	if (d->loop)
		loop(d, pc, outcome, &taken);
	return taken;
}
