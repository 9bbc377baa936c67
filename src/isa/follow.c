/* SPDX-License-Identifier: MIT */
#include "isa/follow.h"

struct apmu_isa__addressed apmu_isa__addressed(enum apmu_isa__isa isa, uint64_t addr, uint32_t word,
					       unsigned size)
{
	if (isa == APMU_ISA__A64)
		return apmu_isa__addressed_a64(addr, word);
	if (isa == APMU_ISA__A32)
		return apmu_isa__addressed_a32(addr, word);
	return size == 2 ? apmu_isa__addressed_t16(addr, word) : apmu_isa__addressed_t32(addr, word);
}

void apmu_isa__follow_start(struct apmu_isa__values *v)
{
	for (unsigned r = 0; r < APMU_ISA__FOLLOWED; r++)
		v->reg[r] = (struct apmu_isa__value){r + 1, 0};
	v->names = APMU_ISA__FOLLOWED;
}

struct apmu_isa__value apmu_isa__follow_value(const struct apmu_isa__values *v, unsigned base, int64_t offset)
{
	struct apmu_isa__value value = {0, offset};

	if (base != APMU_ISA__NO_BASE)
		value = (struct apmu_isa__value){v->reg[base].name, v->reg[base].offset + offset};
	return value;
}

static void forget(struct apmu_isa__values *v, unsigned r)
{
	v->reg[r] = (struct apmu_isa__value){++v->names, 0};
}

/* The instruction has run. A conditional one may leave its register unchanged: the register then gets a new
 * unknown value. An undecoded one may have written any. */
void apmu_isa__follow_step(struct apmu_isa__values *v, const struct apmu_isa__addressed *m,
			   const struct apmu_insn *insn)
{
	bool always = !(insn->flags & APMU_INSN_CONDITIONAL);
	bool sets =
		always && (m->what == APMU_ISA__MOVE_SUM || (m->what == APMU_ISA__MOVE_ACCESS && !m->keeps));
	int64_t by = m->what == APMU_ISA__MOVE_SUM ? m->offset : m->back;
	struct apmu_isa__value value = {0, 0};

	if (sets)
		value = apmu_isa__follow_value(v, m->base, by);
	for (uint64_t set = apmu_isa__followed_writes(insn); set; set &= set - 1)
		forget(v, (unsigned)__builtin_ctzll(set));
	if (sets && insn->writes >> m->to & 1)
		v->reg[m->to] = value;
}
