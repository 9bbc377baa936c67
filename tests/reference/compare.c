/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <stdlib.h>

static const unsigned asked[] = {APMU_SIG_CYCLES, APMU_SIG_L1D_MISS, APMU_SIG_PREFETCH_FILL,
				 APMU_SIG_BR_MIS_PRED, APMU_SIG_L1D_TLB_REFILL};

static void run_blocks(struct apmu_uarch *u, const struct program *program, struct apmu_block **block)
{
	size_t address = 0;
	for (size_t k = 0; k < program->runs; k++) {
		const struct program_block *b = &program->block[program->run[k]];
		struct apmu_block *made = block[program->run[k]];
		apmu_uarch_enter(u, made);
		for (unsigned i = 0; i < b->n; i++)
			if (program_accesses(&b->insn[i]))
				apmu_uarch_access(u, made, i, program->address[address++],
						  program_bytes(&b->insn[i]), program_stores(&b->insn[i]));
	}
	apmu_uarch_break(u);
}

struct seen fast_run(const struct apmu_uarch_params *p, const struct program *program)
{
	static struct apmu_tally tally;
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	struct apmu_block *block[PROGRAM_BLOCKS];
	tally = (struct apmu_tally){0};
	for (unsigned k = 0; k < sizeof asked / sizeof asked[0]; k++)
		apmu_signal_add(wanted, asked[k]);
	struct apmu_uarch *u = apmu_uarch_new(p, &tally, wanted);
	struct apmu_uarch_violation violation;
	for (unsigned b = 0; b < program->blocks; b++)
		block[b] = apmu_block_new(p, program->block[b].insn, program->block[b].n);
	if (!u)
		abort();
	apmu_uarch_check_bounds(u, &violation);
	run_blocks(u, program, block);
	apmu_uarch_free(u);
	for (unsigned b = 0; b < program->blocks; b++)
		apmu_block_free(block[b]);
	return (struct seen){tally.n[APMU_SIG_CYCLES],
			     tally.n[APMU_SIG_L1D_MISS],
			     tally.n[APMU_SIG_PREFETCH_FILL],
			     tally.n[APMU_SIG_BR_MIS_PRED],
			     tally.n[APMU_SIG_L1D_TLB_REFILL],
			     apmu_uarch_most_cycles(p, &tally),
			     violation.cycles != 0};
}

static uint64_t clock_of(const struct apmu_uarch_params *p, struct story *s)
{
	return p->rob ? clock_out_of_order(p, s) : clock_in_order(p, s);
}

struct seen slow_run(const struct apmu_uarch_params *p, const struct program *program)
{
	struct story s;
	story_tell(&s, p, program);
	struct seen seen = {.misses = s.misses, .wrong = s.wrong, .refills = s.refills};
	for (size_t k = 0; k < s.fills; k++)
		seen.prefetches += s.fill[k].prefetched;
	seen.cycles = clock_of(p, &s);
	story_close(&s);
	return seen;
}

uint64_t slow_cycles(const struct apmu_uarch_params *p, const struct program *program)
{
	struct story s;
	story_tell(&s, p, program);
	s.every_cycle = true;
	uint64_t cycles = clock_of(p, &s);
	story_close(&s);
	return cycles;
}
