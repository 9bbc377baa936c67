/* SPDX-License-Identifier: MIT */
#include "uarch/tage.h"

#include <stdlib.h>
#include <string.h>

#define SHORTEST 4 /* branches of history of the first table */

/* Fields of a state: shift and maximum of its usefulness, maximum of its counter, counters of a new entry. */
#define USEFUL      3
#define MOST_USEFUL 3u
#define MOST        7u
#define WEAK_GOES   4u
#define WEAK_STAYS  3u

/* History length of table k, in geometric steps from SHORTEST to `longest`. */
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

/* The next state of a counter by address, whose values are 0, 2, 4 and 6, so that the bit that predicts is
 * the same as in an entry. `wrong`: its mispredictions, up to two. */
static unsigned next_of_base(unsigned counter, unsigned wrong, bool outcome)
{
	bool taken = counter & APMU_UARCH__TAGE_TAKEN;
	unsigned by = outcome ? 2u * (counter < 6) : 0u - 2u * (counter > 1);
	return (counter + by) | (wrong + (taken != outcome && wrong < 2)) << USEFUL;
}

/* The next state of an entry: its usefulness compared to the alternate, and its counter. */
static unsigned next_of_entry(unsigned counter, unsigned useful, bool alternate, bool outcome)
{
	bool taken = counter & APMU_UARCH__TAGE_TAKEN;
	if (taken != alternate && taken == outcome)
		useful += useful < MOST_USEFUL;
	else if (taken != alternate)
		useful -= useful > 0;
	return (outcome ? counter + (counter < MOST) : counter - (counter > 0)) | useful << USEFUL;
}

static void fill_next(struct apmu_uarch__tage *t)
{
	for (unsigned i = 0; i < sizeof(t->next); i++) {
		unsigned counter = i & MOST, useful = (i & APMU_UARCH__TAGE_STATE) >> USEFUL;
		bool outcome = i & APMU_UARCH__TAGE_WENT;
		t->next[i] = (uint8_t)(i & APMU_UARCH__TAGE_BASE
					       ? next_of_base(counter, useful, outcome)
					       : next_of_entry(counter, useful,
							       i & APMU_UARCH__TAGE_ALTERNATE, outcome));
	}
}

int apmu_uarch__tage_init(struct apmu_uarch__tage *t, const struct apmu_uarch_params *p)
{
	*t = (struct apmu_uarch__tage){.tables = p->tage_tables,
				       .shift = (uint8_t)__builtin_ctz(p->tage_entries),
				       .mask = p->tage_entries - 1u,
				       .counter_mask = p->counters - 1u};
	for (unsigned k = 0; k < t->tables; k++) {
		unsigned length = table_history(k, t->tables, p->history);
		t->seen[k] = length >= 64 ? UINT64_MAX : ((uint64_t)1 << length) - 1;
	}
	fill_next(t);
	t->entry = calloc((size_t)t->tables << t->shift, sizeof(*t->entry));
	t->counter = malloc(p->counters);
	if (!t->entry || !t->counter)
		return APMU_ENOMEM;
	memset(t->counter, APMU_UARCH__TAGE_FIRST, p->counters);
	return APMU_OK;
}

void apmu_uarch__tage_free(struct apmu_uarch__tage *t)
{
	free(t->entry);
	free(t->counter);
}

/* Takes the first table whose entry there is useless. */
void apmu_uarch__tage_allocate(struct apmu_uarch__tage *t, unsigned from, uint64_t pc, bool outcome)
{
	for (unsigned k = from; k < t->tables; k++) {
		uint64_t hash = apmu_uarch__tage_hash(t, k, apmu_uarch__tage_by_pc(pc));
		uint16_t *e = apmu_uarch__tage_place(t, k, hash);
		if (*e >> USEFUL & MOST_USEFUL) {
			*e = (uint16_t)(*e - (1u << USEFUL));
			continue;
		}
		*e = (uint16_t)(apmu_uarch__tage_tag(hash) | (outcome ? WEAK_GOES : WEAK_STAYS));
		return;
	}
}

bool apmu_uarch__tage_any(struct apmu_uarch__tage *t, uint64_t pc, bool outcome)
{
	struct apmu_uarch__tage_found f = {0};
	if (apmu_uarch__tage_plain(t, pc, outcome, &f.state))
		return f.state & APMU_UARCH__TAGE_TAKEN;
	f.other = f.state;
	for (unsigned k = 0; k < t->tables; k++)
		apmu_uarch__tage_look(t, k, apmu_uarch__tage_by_pc(pc), &f);
	return apmu_uarch__tage_learn(t, pc, outcome, &f);
}
