/* SPDX-License-Identifier: MIT */
/* Subtracts what block entry counted for instructions that did not run. */
#include "uarch/machine.h"

/* The cycle in which instruction i could have issued, had its operands been available. An instruction's time
 * ends where the next one's starts, so a wait for an operand belongs to the instruction that waits. */
static uint32_t start_of(const struct apmu_block *b, unsigned i)
{
	if (i == 0)
		return 0;
	return i < b->n ? b->schedule[i].issue - (b->schedule[i].stalls - b->schedule[i - 1].stalls)
			: b->cycles;
}

void apmu_uarch__uncount(const struct apmu_uarch *u, uint64_t *n, const struct apmu_block *b, uint32_t from,
			 uint32_t to)
{
	uint32_t counts = apmu_uarch__counts_of(u, b);
	const uint32_t *first = b->remaining + (size_t)from * b->counts_unconditional,
		       *last = b->remaining + (size_t)to * b->counts_unconditional;

	for (uint32_t k = 0; k < counts; k++)
		n[b->count[k].signal] -= first[k] - last[k];
}

void apmu_uarch_ahead(const struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
		      struct apmu_tally *t)
{
	if (i >= b->n)
		return;
	apmu_uarch__uncount(u, t->n, b, i, i + 1);
	t->n[APMU_SIG_CYCLES] -=
		apmu_uarch_remaining_cycles(u, b, i) - apmu_uarch_remaining_cycles(u, b, i + 1);
}

uint64_t apmu_uarch_remaining_cycles(const struct apmu_uarch *u, const struct apmu_block *b,
				     unsigned executed)
{
	bool ahead = (u->units & APMU_UARCH__TIME) && !u->window &&
		     executed < b->n; /* otherwise the next block counts the cycles */

	return ahead ? (uint64_t)b->cycles - start_of(b, executed) : 0;
}

void apmu_uarch_as_of(const struct apmu_uarch *u, const struct apmu_block *b, unsigned executed,
		      struct apmu_tally *t)
{
	if (executed >= b->n)
		return;
	apmu_uarch__uncount(u, t->n, b, executed, b->n);
	t->n[APMU_SIG_CYCLES] -= apmu_uarch_remaining_cycles(u, b, executed);
}
