/* SPDX-License-Identifier: MIT */
/*
 * The counts of a block, precomputed at translation: for each signal, how much the instructions from any one
 * on add. Block entry adds the first row; leaving early, faults, regions and samples subtract a later row.
 */
#include "uarch/machine.h"

#include <stdlib.h>

#define UNCONDITIONALS 6 /* signals that an unconditional access counts */

void apmu_uarch__counts_waited(uint64_t *n, const struct apmu_block *b, uint32_t i)
{
	const struct apmu_uarch__schedule none = {0}, *s = &b->schedule[i], *last = i ? s - 1 : &none;
	uint64_t all = s->stalls - last->stalls, agu = (uint16_t)(s->agu - last->agu),
		 simd = (uint16_t)(s->simd - last->simd);

	n[APMU_SIG_DATA_STALL] += all;
	n[APMU_SIG_STALL_DEP_AGU] += agu;
	n[APMU_SIG_STALL_DEP_SIMD] += simd;
	n[APMU_SIG_STALL_DEP_OTHER] += all - agu - simd;
	n[APMU_SIG_SLOT_BACK] += s->slots;
}

/* Everything that an instruction counts at block entry, wanted or not. */
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
	if (b->op && b->op[i].slots > s->ops) /* slots that an operation takes beyond its own stay empty */
		n[APMU_SIG_SLOT_BACK] += b->op[i].slots - s->ops;
	if (b->schedule && !p->rob) /* out of order stalls are not known in advance */
		apmu_uarch__counts_waited(n, b, i);
	apmu_uarch__traits_own(n, s->traits);
	if (insn->operations[APMU_OPERATION_WORDS - 1] & APMU_OPERATION_ASKED)
		apmu_uarch__operations_own(n, b, i, &insn[i]);
}

/* The access that an instruction always makes, which is counted at block entry after apmu_uarch_precount().
 */
static void own_unconditional(uint64_t *n, const struct apmu_uarch__step *s)
{
	bool load = s->unconditional && s->cls == APMU_CLASS_LOAD,
	     store = s->unconditional && s->cls == APMU_CLASS_STORE;

	n[APMU_SIG_LD_RETIRED] += load;
	n[APMU_SIG_MEM_RD] += load;
	n[APMU_SIG_ST_RETIRED] += store;
	n[APMU_SIG_MEM_WR] += store;
	n[APMU_SIG_L1D_ACCESS] += load | store;
	n[APMU_SIG_L1D_ACCESS_CACHEABLE] += load | store;
}

/* The wanted signals that a block may count: INST, then those that it always counts, then from `counts` on
 * those of unconditional accesses. */
struct columns {
	uint16_t signal[APMU_SIGNALS + UNCONDITIONALS];
	uint32_t counts, all;
};

static void list(struct columns *c, const uint64_t wanted[APMU_SIGNAL_WORDS], uint32_t detail)
{
	for (unsigned w = 0; w < APMU_SIGNAL_WORDS; w++)
		for (uint64_t set = wanted[w]; set; set &= set - 1) {
			unsigned s = w * 64 + (unsigned)__builtin_ctzll(set);
			if (s < APMU_SIGNALS && apmu_uarch__needs_of(s) & detail)
				c->signal[c->all++] = (uint16_t)s;
		}
}

static void choose(struct columns *c, const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	c->signal[0] = APMU_SIG_INST;
	c->all = 1;
	list(c, wanted, APMU_UARCH__ENTRY_COUNTS);
	c->counts = c->all;
	list(c, wanted, APMU_UARCH__ENTRY_UNCONDITIONAL);
}

/* Computes one row of all columns per instruction: the sums from that instruction to the last. */
static void fill(uint32_t *row, const struct columns *c, const struct apmu_block *b,
		 const struct apmu_uarch_params *p, const struct apmu_insn *insn)
{
	struct apmu_tally t = {{0}}, unconditional = {{0}};

	for (uint32_t i = b->n; i-- > 0;) {
		uint32_t *to = row + (size_t)i * c->all;
		own(t.n, p, insn, b, i);
		for (uint32_t k = 0; k < c->counts; k++)
			to[k] = (uint32_t)t.n[c->signal[k]];
		if (c->counts == c->all)
			continue;
		own_unconditional(unconditional.n, &b->step[i]);
		for (uint32_t k = c->counts; k < c->all; k++)
			to[k] = (uint32_t)unconditional.n[c->signal[k]];
	}
}

/* Keeps the columns that have a count in row[]; their numbers go to kept[]. */
static uint32_t keep(uint16_t *kept, const uint32_t *row, const struct columns *c, struct apmu_block *b)
{
	uint32_t used = 0;

	for (uint32_t k = 0; k < c->all; k++) {
		if (row[k])
			kept[used++] = (uint16_t)k;
		b->counts = (uint16_t)(k < c->counts ? used : b->counts);
	}
	return used;
}

static bool store(struct apmu_block *b, const struct columns *c, const uint32_t *row)
{
	uint16_t kept[APMU_SIGNALS + UNCONDITIONALS];
	uint32_t used = keep(kept, row, c, b);
	size_t bytes = used * (sizeof(b->count[0]) + ((size_t)b->n + 1) * sizeof(*b->remaining));

	b->counts_unconditional = (uint16_t)used;
	b->count = calloc(1, bytes ? bytes : 1); /* of 0 bytes it may return NULL */
	if (!b->count)
		return false;
	b->remaining = (uint32_t *)(void *)(b->count + used);
	for (uint32_t k = 0; k < used; k++) {
		b->count[k] = (struct apmu_block_count){c->signal[kept[k]], row[kept[k]]};
		for (uint32_t i = 0; i < b->n; i++)
			b->remaining[(size_t)i * used + k] = row[(size_t)i * c->all + kept[k]];
	}
	return true;
}

bool apmu_uarch__counts_make(struct apmu_block *b, const struct apmu_uarch_params *p,
			     const uint64_t wanted[APMU_SIGNAL_WORDS], const struct apmu_insn *insn)
{
	struct columns c;

	choose(&c, wanted);
	uint32_t *row = malloc((size_t)b->n * c.all * sizeof(*row));
	if (!row)
		return false;
	fill(row, &c, b, p, insn);
	bool stored = store(b, &c, row);
	free(row);
	return stored;
}

size_t apmu_block_counts(const struct apmu_block *b, const struct apmu_block_count **counts)
{
	*counts = b->count;
	return b->counts;
}
