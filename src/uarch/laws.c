/* SPDX-License-Identifier: MIT */
/*
 * What the cycles of any run lie between, whatever overlaps in it. The bounds are wide: they find a clock
 * that runs away or stands still, and no more.
 */
#include <apmu/uarch.h>

#define MOST_REGISTERS 32u /* of one instruction */
#define START          4096u

static uint64_t max_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* a + n * each; UINT64_MAX if that is more. */
static uint64_t add(uint64_t a, uint64_t n, uint64_t each)
{
	uint64_t sum;
	if (__builtin_mul_overflow(n, each, &sum) || __builtin_add_overflow(a, sum, &sum))
		return UINT64_MAX;
	return sum;
}

/* The longest that an instruction takes by itself, its accesses hitting, and what comes after a branch. */
static uint64_t instruction_alone(const struct apmu_uarch_params *p)
{
	uint64_t cls = 0,
		 branch = max_of(max_of(p->mispredict, p->return_wrong), max_of(p->indirect, p->load_pc));
	for (unsigned c = 0; c < APMU_CLASSES; c++)
		cls = max_of(cls, (uint64_t)p->issue[c] + p->result[c]);
	uint64_t many = p->multiple_first + p->multiple_issue + MOST_REGISTERS * (2u + p->unaligned_extra);
	uint64_t operands = (uint64_t)p->shift_reg + p->shift_extra + p->address_extra + p->subword_extra;
	branch = max_of(branch, max_of(max_of(p->taken, p->static_taken), p->return_predicted));
	return cls + many + operands + branch + max_of(p->forward, p->forward_fail);
}

/* The longest that a line takes to come, with those that it puts out at each level. */
static uint64_t line_alone(const struct apmu_uarch_params *p)
{
	uint64_t latency = max_of(p->memory, max_of(p->l2.latency, p->l3.latency));
	uint64_t slots = (uint64_t)p->line_fill + p->line_write + p->l2.fill + p->l3.fill;
	return latency + 3 * slots;
}

uint64_t apmu_uarch_fewest_cycles(const struct apmu_uarch_params *p, const struct apmu_tally *t)
{
	uint64_t inst = t->n[APMU_SIG_INST], a_cycle = (uint64_t)p->width * (p->folding ? 2 : 1);
	return inst / a_cycle > START ? inst / a_cycle - START : 0;
}

uint64_t apmu_uarch_most_cycles(const struct apmu_uarch_params *p, const struct apmu_tally *t)
{
	const uint64_t *n = t->n;
	uint64_t line = line_alone(p), walk = (uint64_t)p->tlb_hit + p->walk + p->walk_reads * line;
	uint64_t lines = n[APMU_SIG_L1D_MISS] + n[APMU_SIG_L1I_MISS] + n[APMU_SIG_PREFETCH_FILL] +
			 n[APMU_SIG_PLD_L1D_FILL];
	uint64_t walks = n[APMU_SIG_L1D_TLB_REFILL] + n[APMU_SIG_L1I_TLB_REFILL] + n[APMU_SIG_PLD_TLB_REFILL];
	uint64_t most = add(START + line, n[APMU_SIG_INST], instruction_alone(p));
	most = add(most, lines, line);
	most = add(most, walks, walk);
	return add(most, n[APMU_SIG_EXT_ACCESS], (uint64_t)p->write_drain + p->line_write + p->line_fill);
}
