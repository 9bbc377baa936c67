/* SPDX-License-Identifier: MIT */
#include "isa/follow.h"

struct apmu__addressed apmu__addressed(enum apmu__isa isa, uint64_t addr, uint32_t word, unsigned size)
{
	if (isa == APMU__A64)
		return apmu__addressed_a64(addr, word);
	if (isa == APMU__A32)
		return apmu__addressed_a32(addr, word);
	return size == 2 ? apmu__addressed_t16(addr, word) : apmu__addressed_t32(addr, word);
}

void apmu__follow_start(struct apmu__values *v)
{
	for (unsigned r = 0; r < APMU__FOLLOWED; r++)
		v->reg[r] = (struct apmu__value){r + 1, 0};
	v->names = APMU__FOLLOWED;
}

struct apmu__value apmu__follow_value(const struct apmu__values *v, unsigned base, int64_t offset)
{
	struct apmu__value value = {0, offset};

	if (base != APMU__NO_BASE)
		value = (struct apmu__value){v->reg[base].name, v->reg[base].offset + offset};
	return value;
}

static void forget(struct apmu__values *v, unsigned r)
{
	v->reg[r] = (struct apmu__value){++v->names, 0};
}

/* A conditional instruction may leave its register as it was, which is a third value. */
void apmu__follow_step(struct apmu__values *v, const struct apmu__addressed *m, const struct apmu_insn *insn)
{
	bool always = !(insn->flags & APMU_INSN_CONDITIONAL);
	bool sets = always && (m->what == APMU__MOVE_SUM || (m->what == APMU__MOVE_ACCESS && !m->keeps));
	int64_t by = m->what == APMU__MOVE_SUM ? m->offset : m->back;
	struct apmu__value value = {0, 0};

	if (sets)
		value = apmu__follow_value(v, m->base, by);
	for (uint64_t set = insn->writes & UINT32_MAX; set; set &= set - 1)
		forget(v, (unsigned)__builtin_ctzll(set));
	if (sets && insn->writes >> m->to & 1)
		v->reg[m->to] = value;
}
