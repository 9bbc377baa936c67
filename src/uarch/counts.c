/* SPDX-License-Identifier: MIT */
/*
 * What a block counts when it is entered, as data: signals, and of each how much the instructions from any
 * one on add. Entering adds the first row; leaving early, faults, regions and samples subtract a later one.
 */
#include "uarch/machine.h"

#include <stdlib.h>
#include <string.h>

#define SURES 6 /* signals that a sure access counts */

void apmu_uarch__counts_waited(uint64_t *n, const struct apmu_block *b, uint32_t i)
{
	const struct apmu_uarch__step none = {0}, *s = &b->step[i], *last = i ? s - 1 : &none;
	uint64_t all = s->stalls - last->stalls, agu = (uint16_t)(s->agu - last->agu),
		 simd = (uint16_t)(s->simd - last->simd);

	n[APMU_SIG_DATA_STALL] += all;
	n[APMU_SIG_STALL_DEP_AGU] += agu;
	n[APMU_SIG_STALL_DEP_SIMD] += simd;
	n[APMU_SIG_STALL_DEP_OTHER] += all - agu - simd;
}

/* All that an instruction counts with its block, whoever wants it. */
static void own(uint64_t *n, const struct apmu_uarch_params *p, const struct apmu_insn *insn,
		const struct apmu_block *b, uint32_t i)
{
	const struct apmu_uarch__step *s = &b->step[i];
	bool branch = s->branch != APMU_BRANCH_NONE, immediate = apmu_uarch__step_is_immediate(s);
	bool barrier = s->cls == APMU_CLASS_BARRIER;

	n[APMU_SIG_INST]++;
	n[APMU_SIG_BR_EXEC] += branch;
	n[APMU_SIG_BR_IMMED] += immediate;
	n[APMU_SIG_BR_OTHER] += branch && !immediate;
	n[APMU_SIG_WBUF_DRAIN] += barrier;
	n[APMU_SIG_BCU_DRAIN] += barrier;
	n[APMU_SIG_FETCH_STALL_EXTRA] += apmu_uarch__step_spurious(p, s);
	n[APMU_SIG_LD_RETIRED] += s->sve && s->cls == APMU_CLASS_LOAD;
	n[APMU_SIG_ST_RETIRED] += s->sve && s->cls == APMU_CLASS_STORE;
	n[APMU_SIG_OP_RETIRED] += s->ops;
	n[APMU_SIG_OP_SPEC] += s->ops;
	if (!p->rob) /* out of order they are not known ahead */
		apmu_uarch__counts_waited(n, b, i);
	apmu_uarch__traits_own(n, s->traits);
	if (insn->operations[APMU_OPERATION_WORDS - 1] & APMU_OPERATION_ASKED)
		apmu_uarch__operations_own(n, s, &insn[i]);
}

/* The access that an instruction always makes: counted with the block after apmu_uarch_precount(). */
static void own_sure(uint64_t *n, const struct apmu_uarch__step *s)
{
	bool load = s->sure && s->cls == APMU_CLASS_LOAD, store = s->sure && s->cls == APMU_CLASS_STORE;

	n[APMU_SIG_LD_RETIRED] += load;
	n[APMU_SIG_MEM_RD] += load;
	n[APMU_SIG_ST_RETIRED] += store;
	n[APMU_SIG_MEM_WR] += store;
	n[APMU_SIG_L1D_ACCESS] += load | store;
	n[APMU_SIG_L1D_ACCESS_CACHEABLE] += load | store;
}

/* The signals that are not 0 in `n`, INST first. */
static uint32_t choose(struct apmu_block_count *out, const struct apmu_tally *t,
		       const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	uint32_t used = 0;

	if (t->n[APMU_SIG_INST])
		out[used++] = (struct apmu_block_count){APMU_SIG_INST, (uint32_t)t->n[APMU_SIG_INST]};
	for (unsigned s = APMU_SIG_INST + 1; s < APMU_SIGNALS; s++)
		if (t->n[s] && apmu_signal_in(wanted, s))
			out[used++] = (struct apmu_block_count){(uint16_t)s, (uint32_t)t->n[s]};
	return used;
}

/* The rows, from the last instruction's on. */
static void fill(struct apmu_block *b, const struct apmu_uarch_params *p, const struct apmu_insn *insn)
{
	struct apmu_tally t = {{0}}, sure = {{0}};

	for (uint32_t i = b->n; i-- > 0;) {
		uint32_t *row = b->remaining + (size_t)i * b->counts_sure;
		own(t.n, p, insn, b, i);
		own_sure(sure.n, &b->step[i]);
		for (uint32_t k = 0; k < b->counts_sure; k++)
			row[k] = (uint32_t)(k < b->counts ? t.n : sure.n)[b->count[k].signal];
	}
}

bool apmu_uarch__counts_make(struct apmu_block *b, const struct apmu_uarch_params *p,
			     const uint64_t wanted[APMU_SIGNAL_WORDS], const struct apmu_insn *insn)
{
	struct apmu_block_count count[APMU_SIGNALS + SURES];
	struct apmu_tally t = {{0}}, sure = {{0}};
	uint64_t all[APMU_SIGNAL_WORDS];

	for (uint32_t i = 0; i < b->n; i++) {
		own(t.n, p, insn, b, i);
		own_sure(sure.n, &b->step[i]);
	}
	memcpy(all, wanted, sizeof(all));
	if (apmu_uarch__asked(wanted) & APMU_UARCH__ENTRY_OPS) /* slots are told from them */
		apmu_signal_add(all, APMU_SIG_OP_SPEC);
	b->counts = (uint16_t)choose(count, &t, all);
	b->counts_sure = (uint16_t)(b->counts + choose(count + b->counts, &sure, wanted));
	size_t bytes = b->counts_sure * sizeof(count[0]);
	b->count = calloc(1, bytes + ((size_t)b->n + 1) * b->counts_sure * sizeof(*b->remaining));
	if (!b->count)
		return false;
	memcpy(b->count, count, bytes);
	b->remaining = (uint32_t *)(void *)(b->count + b->counts_sure);
	fill(b, p, insn);
	return true;
}

size_t apmu_block_counts(const struct apmu_block *b, const struct apmu_block_count **counts)
{
	*counts = b->count;
	return b->counts;
}
