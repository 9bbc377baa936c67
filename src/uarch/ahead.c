/* SPDX-License-Identifier: MIT */
/* Of what entering a block counts ahead: each instruction's own part. */
#include "uarch/machine.h"

/* An instruction's time is from when it could have issued, had its operands been there, to when the next
 * could. So a wait for an operand is that of the instruction that waits. */
static uint32_t start_of(const struct apmu_block *b, unsigned i)
{
	if (i == 0)
		return 0;
	return i < b->n ? b->step[i].issue - (b->step[i].stalls - b->step[i - 1].stalls) : b->cycles;
}

void apmu_uarch_ahead(const struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
		      struct apmu_tally *t)
{
	if (i >= b->n)
		return;
	apmu_uarch__take_back(u, t->n, &b->step[i]);
	if (!(u->parts & APMU_UARCH__TIME) ||
	    u->window) /* out of order, time is told when the next block starts */
		return;
	t->n[APMU_SIG_CYCLES] -= start_of(b, i + 1) - start_of(b, i);
	const struct apmu_uarch__step *s = &b->step[i], none = {0}, *last = i ? s - 1 : &none;
	uint64_t agu = (uint64_t)s->agu - last->agu, simd = (uint64_t)s->simd - last->simd;
	t->n[APMU_SIG_DATA_STALL] -= (uint64_t)s->stalls - last->stalls;
	t->n[APMU_SIG_STALL_DEP_AGU] -= agu;
	t->n[APMU_SIG_STALL_DEP_SIMD] -= simd;
	t->n[APMU_SIG_STALL_DEP_OTHER] -= (uint64_t)s->stalls - last->stalls - agu - simd;
}

uint64_t apmu_uarch_rest(const struct apmu_uarch *u, const struct apmu_block *b, unsigned executed)
{
	bool ahead = (u->parts & APMU_UARCH__TIME) && !u->window && executed < b->n;

	return ahead ? (uint64_t)b->cycles - start_of(b, executed) : 0;
}

void apmu_uarch_as_of(const struct apmu_uarch *u, const struct apmu_block *b, unsigned executed,
		      struct apmu_tally *t)
{
	const struct apmu_uarch__step none = {0}, *last = executed ? &b->step[executed - 1] : &none;

	for (unsigned i = executed; i < b->n; i++)
		apmu_uarch__take_back(u, t->n, &b->step[i]);
	if (!(u->parts & APMU_UARCH__TIME) || u->window || executed >= b->n)
		return;
	uint32_t all = b->stalls - last->stalls, agu = b->agu - last->agu, simd = b->simd - last->simd;
	t->n[APMU_SIG_CYCLES] -= apmu_uarch_rest(u, b, executed);
	t->n[APMU_SIG_DATA_STALL] -= all;
	t->n[APMU_SIG_STALL_DEP_AGU] -= agu;
	t->n[APMU_SIG_STALL_DEP_SIMD] -= simd;
	t->n[APMU_SIG_STALL_DEP_OTHER] -= all - agu - simd;
}
