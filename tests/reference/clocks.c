/* SPDX-License-Identifier: MIT */
#include "clocks.h"

bool clock_writes_back(const struct apmu_insn *x, unsigned reg)
{
	return program_accesses(x) && (x->reads & x->shift_reads & x->writes & clock_bit(reg)) &&
	       x->writes != clock_bit(reg);
}

/* Number of registers that a load multiple loads before `reg`: it loads them from the lowest on. */
static unsigned place_in_list(const struct apmu_insn *x, unsigned reg)
{
	unsigned place = 0;
	for (unsigned r = 0; r < reg; r++)
		place += (x->writes & clock_bit(r)) && !clock_writes_back(x, r);
	return place;
}

unsigned clock_divide(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned cycles)
{
	unsigned bits = x->quotient > 0 ? x->quotient - 1u : p->divide.typical;
	if (x->cls != APMU_CLASS_DIV || p->divide.bits == 0)
		return cycles;
	while (bits >= p->divide.bits) {
		bits -= p->divide.bits;
		cycles++;
	}
	return cycles < p->divide.least ? p->divide.least : cycles;
}

unsigned clock_result(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned reg)
{
	if (clock_writes_back(x, reg))
		return 1;
	if (x->cls == APMU_CLASS_LOAD && x->flags & APMU_INSN_MULTIPLE)
		return p->multiple_first + place_in_list(x, reg) / p->multiple_per_cycle;
	unsigned before =
		x->cls == APMU_CLASS_LOAD && x->flags & APMU_INSN_DOUBLE && p->load_bytes && !p->rob
			? place_in_list(x, reg) * x->width / p->load_bytes /* second register of a pair */
			: 0;
	unsigned cycles = clock_divide(p, x, p->result[x->cls]);
	if (x->low == reg + 1) /* the low half of a product */
		cycles -= p->low_early < cycles ? p->low_early : cycles;
	return before + cycles + (x->flags & APMU_INSN_SHIFT_REG ? p->shift_reg : 0u) +
	       (x->cls == APMU_CLASS_LOAD && x->flags & APMU_INSN_SUBWORD ? p->subword_extra : 0u);
}

unsigned clock_arranges(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	unsigned given = x->group >= APMU_GROUP_FIRST
				 ? (unsigned)(p->timing[x->group] >> APMU_TIMING_RESULT & 0x3FF)
				 : 0;
	unsigned cycles = given ? given - 1 : p->result[x->cls]; /* the field holds one more */
	return cycles > 1 ? cycles - 1 : 0;
}

bool clock_multiplies(const struct apmu_insn *x)
{
	switch (x->cls) {
	case APMU_CLASS_MUL:
	case APMU_CLASS_MUL_64:
	case APMU_CLASS_MUL_LONG:
	case APMU_CLASS_MUL_HALF:
	case APMU_CLASS_MUL_HIGH: return true;
	default: return false;
	}
}

int clock_early(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned reg)
{
	bool early = x->shift_reads & clock_bit(reg);
	if (p->rob)
		return 0;
	if (clock_multiplies(x))
		return p->factor_extra;
	if (x->cls == APMU_CLASS_VFP_MAC)
		return early ? 0 : -(int)p->addend_late;
	if (program_accesses(x) || x->cls == APMU_CLASS_PRELOAD)
		return early ? p->address_extra : x->cls == APMU_CLASS_STORE ? -(int)p->store_late : 0;
	if (x->branch == APMU_BRANCH_IMMED)
		return -(int)p->branch_late;
	return early ? p->shift_extra : 0;
}

unsigned clock_branch(const struct apmu_uarch_params *p, const struct event *e)
{
	switch (e->outcome) {
	case BRANCH_TAKEN: return p->taken;
	case BRANCH_NANO: return p->nano_taken;
	case BRANCH_MICRO: return p->micro_taken;
	case BRANCH_STATIC: return p->static_taken;
	case BRANCH_RETURNED: return p->return_predicted;
	case BRANCH_WRONG: return e->insn->branch == APMU_BRANCH_RETURN ? p->return_wrong : p->mispredict;
	default: return 0;
	}
}
