/* SPDX-License-Identifier: MIT */
/* What an instruction counts by its operations, as the engine classified them, and by its class and traits.
 */
#include "uarch/block.h"

#define TRAIT(name)  ((uint64_t)1 << APMU_TRAIT_##name)
#define FLOATS       (TRAIT(FP_HALF) | TRAIT(FP_SINGLE) | TRAIT(FP_DOUBLE))
#define INTEGERS     (TRAIT(INT_8) | TRAIT(INT_16) | TRAIT(INT_32) | TRAIT(INT_64))
#define PRECISIONS   3
#define OPERATION(s) ((s)-APMU_OPERATION_FIRST)

/* An instruction that has all these traits adds one to the signal. */
static const struct {
	uint64_t traits;
	uint16_t signal;
} both[] = {
	{TRAIT(ASE) | TRAIT(FP_HALF), APMU_SIG_ASE_FP_HALF},
	{TRAIT(SVE) | TRAIT(FP_HALF), APMU_SIG_SVE_FP_HALF},
	{TRAIT(ASE) | TRAIT(FP_SINGLE), APMU_SIG_ASE_FP_SINGLE},
	{TRAIT(SVE) | TRAIT(FP_SINGLE), APMU_SIG_SVE_FP_SINGLE},
	{TRAIT(ASE) | TRAIT(FP_DOUBLE), APMU_SIG_ASE_FP_DOUBLE},
	{TRAIT(SVE) | TRAIT(FP_DOUBLE), APMU_SIG_SVE_FP_DOUBLE},
	{TRAIT(ASE) | TRAIT(INT_8), APMU_SIG_ASE_INT_8},
	{TRAIT(SVE) | TRAIT(INT_8), APMU_SIG_SVE_INT_8},
	{TRAIT(ASE) | TRAIT(INT_16), APMU_SIG_ASE_INT_16},
	{TRAIT(SVE) | TRAIT(INT_16), APMU_SIG_SVE_INT_16},
	{TRAIT(ASE) | TRAIT(INT_32), APMU_SIG_ASE_INT_32},
	{TRAIT(SVE) | TRAIT(INT_32), APMU_SIG_SVE_INT_32},
	{TRAIT(ASE) | TRAIT(INT_64), APMU_SIG_ASE_INT_64},
	{TRAIT(SVE) | TRAIT(INT_64), APMU_SIG_SVE_INT_64},
};

/* An instruction that has any of these operations adds one to the signal; a row ends with 0. */
static const struct {
	uint16_t signal, part[11];
} any[] = {
	{APMU_SIG_SVE_PGEN,
	 {APMU_SIG_SVE_LOGIC, APMU_SIG_SVE_PRED_SCAN, APMU_SIG_SVE_PRED_SET, APMU_SIG_SVE_PRED_PERM,
	  APMU_SIG_SVE_PRED_REV, APMU_SIG_SVE_COMPARE, APMU_SIG_SVE_FP_COMPARE, APMU_SIG_SVE_WHILE,
	  APMU_SIG_SVE_WHILE_WR, APMU_SIG_SVE_MATCH}},
	{APMU_SIG_SVE_PRF_INST, {APMU_SIG_SVE_PRF_LINE, APMU_SIG_SVE_PRF_EACH, APMU_SIG_SVE_PRF_EACH64}},
};

static bool has(const struct apmu_insn *x, unsigned signal)
{
	unsigned bit = OPERATION(signal);

	return x->operations[bit / 64] >> bit % 64 & 1;
}

/* True if the instruction moves data. SVE prefetches have class LOAD, because of what they read, but move
 * none. */
static bool moves(const struct apmu_uarch__step *s, const struct apmu_insn *x)
{
	bool prefetch = has(x, APMU_SIG_SVE_PRF_LINE) || has(x, APMU_SIG_SVE_PRF_EACH) ||
			has(x, APMU_SIG_SVE_PRF_EACH64);

	return (s->cls == APMU_CLASS_LOAD || s->cls == APMU_CLASS_STORE) && !prefetch;
}

/* Counts an SVE instruction as a load, a store, or neither; a prefetch is none of these. */
static void count_sve(uint64_t *n, const struct apmu_uarch__step *s, const struct apmu_insn *x)
{
	if (s->cls != APMU_CLASS_LOAD && s->cls != APMU_CLASS_STORE)
		n[APMU_SIG_SVE_DATA]++;
	else if (moves(s, x))
		n[s->cls == APMU_CLASS_STORE ? APMU_SIG_SVE_STORES : APMU_SIG_SVE_LOADS]++;
}

/* Counts loads and stores by the kind of register, except those of SVE and of structures of several
 * registers.
 */
static void count_plain(uint64_t *n, const struct apmu_uarch__step *s, const struct apmu_insn *x)
{
	bool vector = s->flags & APMU_INSN_VECTOR || (s->reads | s->writes) >> 32,
	     load = s->cls == APMU_CLASS_LOAD;

	if ((!load && s->cls != APMU_CLASS_STORE) || s->traits & TRAIT(SVE) || has(x, APMU_SIG_ASE_LD_MANY) ||
	    has(x, APMU_SIG_ASE_ST_MANY))
		return;
	n[vector ? (load ? APMU_SIG_FPASE_LD : APMU_SIG_FPASE_ST)
	  : load ? APMU_SIG_BASE_LD
		 : APMU_SIG_BASE_ST]++;
}

/* Counts elements and bytes moved. The numbers of an atomic include both directions, unless it returns
 * nothing. */
static void count_moved(uint64_t *n, const struct apmu_uarch__step *s, const struct apmu_insn *x)
{
	bool both = s->cls == APMU_CLASS_SWAP && x->elements > 1;
	bool load = s->cls == APMU_CLASS_LOAD || both, store = s->cls != APMU_CLASS_LOAD;
	uint64_t elements = x->elements >> both, bytes = x->bytes >> both;

	n[APMU_SIG_LD_ELEMENTS] += load ? elements : 0;
	n[APMU_SIG_ST_ELEMENTS] += store ? elements : 0;
	n[APMU_SIG_LD_BYTES] += load ? bytes : 0;
	n[APMU_SIG_ST_BYTES] += store ? bytes : 0;
}

/* Counts floating-point operations by precision; the traits FIXED and SCALED are powers of two. */
static void count_precise(uint64_t *n, const struct apmu_uarch__step *s)
{
	static const uint16_t fixed[PRECISIONS] = {APMU_SIG_FIXED_HALF, APMU_SIG_FIXED_SINGLE,
						   APMU_SIG_FIXED_DOUBLE};
	static const uint16_t scale[PRECISIONS] = {APMU_SIG_SCALE_HALF, APMU_SIG_SCALE_SINGLE,
						   APMU_SIG_SCALE_DOUBLE};
	uint64_t few = (1u << (APMU_TRAIT_SCALED - APMU_TRAIT_FIXED)) - 1;

	for (unsigned k = 0; k < PRECISIONS; k++) {
		uint64_t mine = s->traits >> (APMU_TRAIT_FP_HALF + k) & 1;
		n[fixed[k]] += mine * (s->traits >> APMU_TRAIT_FIXED & few);
		n[scale[k]] += mine * (s->traits >> APMU_TRAIT_SCALED & few);
	}
}

static void count_any(uint64_t *n, const struct apmu_insn *x)
{
	for (unsigned k = 0; k < sizeof any / sizeof any[0]; k++)
		for (const uint16_t *part = any[k].part; *part; part++)
			if (has(x, *part)) {
				n[any[k].signal]++;
				break;
			}
}

/* Counts what is known from the block's issue. */
static void count_issue(uint64_t *n, const struct apmu_block *b, uint32_t i)
{
	if (b->schedule) {
		n[APMU_SIG_STALL_MOVED] += b->schedule[i].moved;
		n[APMU_SIG_VEC_BUSY] += b->schedule[i].both;
	}
	n[APMU_SIG_PIPE_MAIN] += b->step[i].pipe == 1;
	n[APMU_SIG_PIPE_SECOND] += b->step[i].pipe == 2;
}

void apmu_uarch__operations_own(uint64_t *n, const struct apmu_block *b, uint32_t i,
				const struct apmu_insn *x)
{
	const struct apmu_uarch__step *s = &b->step[i];

	for (unsigned k = 0; k < APMU_OPERATION_WORDS; k++) {
		uint64_t asked = k + 1 == APMU_OPERATION_WORDS ? APMU_OPERATION_ASKED : 0;
		for (uint64_t set = x->operations[k] & ~asked; set; set &= set - 1)
			n[APMU_OPERATION_FIRST + 64 * k + (unsigned)__builtin_ctzll(set)]++;
	}
	for (unsigned k = 0; k < sizeof both / sizeof both[0]; k++)
		n[both[k].signal] += (s->traits & both[k].traits) == both[k].traits;
	if (s->traits & TRAIT(SVE))
		count_sve(n, s, x);
	n[APMU_SIG_VEC_FPS] += s->traits & FLOATS && s->traits & (TRAIT(ASE) | TRAIT(SVE));
	n[APMU_SIG_VEC_INTS] += (s->traits & INTEGERS) != 0;
	count_any(n, x);
	count_issue(n, b, i);
	count_plain(n, s, x);
	count_moved(n, s, x);
	count_precise(n, s);
}
