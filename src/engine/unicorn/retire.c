/* SPDX-License-Identifier: MIT */
/* Counting an instruction before it runs, and taking that back if it faults. */
#include "inside.h"

static void note_undecoded(struct apmu_machine *m, const struct apmu__code *c)
{
	if (m->stop.undecoded++ == 0)
		m->stop.undecoded_word = c->opcode;
}

/* An instruction that the machine does itself takes a cycle at least, even where the core issues it beside
 * another: two readings of the cycle counter differ. */
static void take_time(struct apmu_machine *m, const struct apmu__code *c, uint64_t before)
{
	uint64_t passed = m->raw.n[APMU_SIG_CYCLES] - before;

	if (passed == 0 || passed > INT64_MAX) {
		m->raw.n[APMU_SIG_CYCLES] = before + 1;
		passed = 1;
	}
	m->own = passed < c->cycles ? passed : c->cycles ? c->cycles : 1;
}

void apmu__counted(struct apmu_machine *m, struct apmu__code *c)
{
	m->insns++;
	m->last = c->address;
	if (!c->decoded)
		note_undecoded(m, c);
	if (!m->modelled)
		return;
	uint64_t before = m->raw.n[APMU_SIG_CYCLES];
	apmu_uarch_enter(m->uarch, c->block);
	if (c->special)
		take_time(m, c, before);
	if (m->grave) {
		apmu_block_free(m->grave);
		m->grave = NULL;
	}
}

/* The current instruction faulted: it has not been executed. */
void apmu__uncounted(struct apmu_machine *m)
{
	if (!m->current)
		return;
	m->insns--;
	m->after = 0;
	m->stop.undecoded -= !m->current->decoded;
	if (m->modelled)
		apmu_uarch_abandon(m->uarch, 0);
	m->current = NULL;
}
