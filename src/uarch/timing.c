/* SPDX-License-Identifier: MIT */
#include "uarch/timing.h"

#include "uarch/gen/groups.inc"

static unsigned field(uint64_t timing, unsigned low, unsigned bits)
{
	return (unsigned)(timing >> low & (((uint64_t)1 << bits) - 1));
}

/* The group that supplies what group g leaves open: for 128-bit vectors first the group of shorter vectors,
 * then the parent's group of 128 bits. */
static unsigned above(unsigned g, bool both)
{
	unsigned up = parent[g];
	return both && !wide[g] && up + 1 < APMU_GROUPS && wide[up + 1] ? up + 1 : up;
}

static unsigned at_least(unsigned least, unsigned cycles)
{
	return cycles > least ? cycles : least;
}

/* The timing of a division depends on its quotient. Only the pipe of the divider is busy; issue goes on. */
static void divide(const struct apmu_uarch_params *p, const struct apmu_insn *x, struct apmu_uarch__timing *t)
{
	const struct apmu_divide_params *d = &p->divide;
	unsigned more = (x->quotient ? x->quotient - 1u : d->typical) / d->bits;

	t->result = at_least(d->least, t->result + more);
	t->busy = at_least(APMU_UARCH__PARTS * d->least, t->busy + APMU_UARCH__PARTS * more);
	t->beside = true;
}

bool apmu_uarch__on_vectors(const struct apmu_uarch_params *p, const struct apmu_uarch__timing *t,
			    unsigned cls)
{
	unsigned unit = t->unit, vectors = p->unit[APMU_CLASS_SIMD];
	while (unit && unit != vectors)
		unit = p->within[unit];
	return unit && !apmu_uarch__uses_memory(cls);
}

/* What the timing of a group says; each value plus one, 0: nothing. */
struct fields {
	unsigned result, busy, unit, late, slots, issue, early, base, vector;
	bool both; /* one of the groups is of 128-bit vectors */
};

/* Returns what the instruction's group says, or else the group above it. */
static struct fields fields_of(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	struct fields f = {0};
	for (unsigned g = x->group < APMU_GROUPS ? x->group : 0; g >= APMU_GROUP_FIRST;
	     g = above(g, f.both)) {
		f.both |= wide[g];
		uint64_t t = p->timing[g];
		f.result = f.result ? f.result : field(t, APMU_TIMING_RESULT, 10);
		f.busy = f.busy ? f.busy : field(t, APMU_TIMING_BUSY, 14);
		f.unit = f.unit ? f.unit : field(t, APMU_TIMING_UNIT, 4);
		f.late = f.late ? f.late : field(t, APMU_TIMING_LATE, 6);
		f.slots = f.slots ? f.slots : field(t, APMU_TIMING_SLOTS, 5);
		f.issue = f.issue ? f.issue : field(t, APMU_TIMING_ISSUE, 6);
		f.early = f.early ? f.early : field(t, APMU_TIMING_EARLY, 6);
		f.base = f.base ? f.base : field(t, APMU_TIMING_BASE, 3);
		f.vector = f.vector ? f.vector : field(t, APMU_TIMING_VECTOR, 4);
	}
	return f;
}

struct apmu_uarch__timing apmu_uarch__timing_of(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	unsigned cls = apmu_uarch__class_of(x);
	bool list = x->flags & APMU_INSN_MULTIPLE;
	struct fields f = fields_of(p, x);
	struct apmu_uarch__timing t = {
		.result = f.result ? f.result - 1 : p->result[cls],
		.busy = f.busy ? f.busy - 1 : APMU_UARCH__PARTS * p->issue[cls],
		.unit = f.unit && f.unit <= APMU_UNITS ? f.unit - 1 : p->unit[cls],
		.late = f.late ? f.late - 1 : 0,
		.early = f.early ? f.early - 1 : 0,
		.issue = f.issue ? f.issue - 1 : 0,
		.base = f.base ? f.base - 1 : p->base_slots,
		.vector = f.vector ? f.vector - 1 : 0,
		.beside = f.busy != 0,
		.pipes = f.both && p->vector_bytes == 8 ? 2 : 1,
		.slots = 1,
		.each = f.slots && list ? f.slots - 1 : 0,
	};
	if (f.slots && !list)
		t.slots = at_least(1, f.slots - 1);
	else if (f.both && cls != APMU_CLASS_LOAD && cls != APMU_CLASS_STORE)
		t.slots = p->vector_slots;
	if (p->rob && x->traits >> APMU_TRAIT_SVE & 1 && apmu_uarch__on_vectors(p, &t, cls))
		t.busy *= p->sve_passes;
	if (cls == APMU_CLASS_DIV && p->divide.bits)
		divide(p, x, &t);
	return t;
}

/* The LD1 of one register fewer; 0: none. */
static const uint16_t fewer[APMU_GROUPS] = {
	[APMU_GROUP_LD1_4] = APMU_GROUP_LD1_3,     [APMU_GROUP_LD1_3] = APMU_GROUP_LD1_2,
	[APMU_GROUP_LD1_2] = APMU_GROUP_LD1_1,     [APMU_GROUP_LD1_4_Q] = APMU_GROUP_LD1_3_Q,
	[APMU_GROUP_LD1_3_Q] = APMU_GROUP_LD1_2_Q, [APMU_GROUP_LD1_2_Q] = APMU_GROUP_LD1_1_Q,
};

/* Registers that an LD1 loads; 1 for other groups. */
static unsigned listed(unsigned g)
{
	unsigned n = 1;
	for (; g < APMU_GROUPS && fewer[g]; g = fewer[g])
		n++;
	return n;
}

unsigned apmu_uarch__timing_until(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned nth)
{
	struct apmu_insn shorter = *x;
	for (unsigned n = listed(x->group); n > nth + 1; n--)
		shorter.group = fewer[shorter.group];
	return apmu_uarch__timing_of(p, &shorter).result;
}

bool apmu_uarch__timing_takes_late(const struct apmu_uarch_params *p, const struct apmu_insn *to,
				   const struct apmu_insn *from)
{
	unsigned first = to->group < APMU_GROUPS ? after[to->group] : 0;
	if (to->cls == APMU_CLASS_LOAD)
		return true;
	return first ? from->group == first : apmu_uarch__timing_of(p, from).late != 0;
}

bool apmu_uarch__timing_fuses(const struct apmu_insn *x)
{
	return x->group < APMU_GROUPS && after[x->group];
}

static unsigned class_of(unsigned g)
{
	while (g >= APMU_GROUP_FIRST)
		g = parent[g];
	return g;
}

static struct apmu_uarch__timing of_group(const struct apmu_uarch_params *p, unsigned g)
{
	return apmu_uarch__timing_of(p,
				     &(struct apmu_insn){.group = (uint16_t)g, .cls = (uint8_t)class_of(g)});
}

bool apmu_uarch__timing_short(const struct apmu_uarch_params *p, unsigned cls)
{
	if (p->multiply_slot && apmu_uarch__multiplies(cls))
		return true; /* in its last cycle */
	/* accesses of several registers have parameters of their own */
	if (p->issue[cls] <= 1 || cls == APMU_CLASS_LOAD || cls == APMU_CLASS_STORE)
		return true;
	for (unsigned g = APMU_GROUP_FIRST; g < APMU_GROUPS; g++)
		if (class_of(g) == cls && (of_group(p, g).beside || of_group(p, g).issue == 1))
			return true;
	return false;
}

bool apmu_uarch__timing_pipes(const struct apmu_uarch_params *p)
{
	for (unsigned g = APMU_GROUP_FIRST; g < APMU_GROUPS; g++) {
		unsigned unit = wide[g] ? of_group(p, g).unit : 0;
		if (unit && p->pipes[unit] > 1)
			return true;
	}
	return false;
}

unsigned apmu_uarch__timing_most_early(const struct apmu_uarch_params *p)
{
	unsigned most =
		at_least(p->alu_early, at_least(p->address_extra, at_least(p->shift_extra, p->factor_extra)));

	for (unsigned g = APMU_GROUP_FIRST; g < APMU_GROUPS; g++) {
		unsigned early = field(p->timing[g], APMU_TIMING_EARLY, 6), cls = early ? class_of(g) : 0;
		unsigned more = cls == APMU_CLASS_ALU ? p->shift_extra : 0;
		more = apmu_uarch__multiplies(cls) ? p->factor_extra : more;
		most = early ? at_least(most, early - 1 + more) : most;
	}
	return most + (p->folding ? 1 : 0);
}
