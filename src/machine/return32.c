/* SPDX-License-Identifier: MIT */
/*
 * Returns from exceptions in AArch32. When the emulator calls the hook of the first instruction behind one,
 * CPSR's IT bits are 0 already, and it calls no hook for instructions of an IT block whose condition fails.
 * So where a return leads, and whether that is in an IT block, is found before it runs. DDI0406C B9.3.
 */
#include "isa/follow.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"
#include "machine/special_insns.h"

enum form { NONE, TO_ELR, SUM, SUBTRACT_T32, LOAD, RFE, RFE_T32 };

struct row {
	uint32_t mask, value;
	uint8_t form;
};

static const struct row a32[] = {
	{0xFE500000, 0xF8100000, RFE},
	{0xF0000000, 0xF0000000, NONE},
	{0x0FFFFFFF, 0x0160006E, TO_ELR}, /* ERET */
	{0x0FFFFFF0, 0x01B0F000, SUM},    /* MOVS PC, Rm */
	{0x0FF0F000, 0x0250F000, SUM},    /* SUBS PC, Rn, #imm */
	{0x0E508000, 0x08508000, LOAD},   /* LDM Rn, {..., PC}^ */
	{0, 0, NONE},
};
static const struct row t32[] = {
	{0xFFFFFFFF, 0xF3DE8F00, TO_ELR},  {0xFFFFFF00, 0xF3DE8F00, SUBTRACT_T32}, /* SUBS PC, LR, #imm */
	{0xFFD0FFFF, 0xE810C000, RFE_T32}, {0xFFD0FFFF, 0xE990C000, RFE_T32},      {0, 0, NONE},
};

static enum form form_of(const struct apmu_machine__code *c)
{
	const struct row *row = c->isa == APMU_ISA__A32 ? a32 : t32;

	if (c->isa == APMU_ISA__A64 || c->size != 4)
		return NONE;
	while ((c->opcode & row->mask) != row->value)
		row++;
	return (enum form)row->form;
}

bool apmu_machine__is_return(const struct apmu_machine__code *c)
{
	return form_of(c) != NONE;
}

static uint32_t word_at(const struct apmu_machine *m, uint32_t address)
{
	uint32_t word = 0;

	return apmu_machine_peek(m, address, &word, sizeof word, false) ? word : 0;
}

/* The sum of an A32 data-processing instruction, or the lowest address that an LDM accesses. */
static uint32_t address_of(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	struct apmu_isa__addressed at = apmu_isa__addressed_a32(c->address, c->opcode);
	uint64_t base = at.base == APMU_ISA__NO_BASE ? 0 : apmu_machine__reg(m, at.base);

	return (uint32_t)(base + (uint64_t)at.offset);
}

/* Address of the lower of the two words that RFE loads. */
static uint32_t lower_word(const struct apmu_machine *m, uint32_t op, bool before, bool up)
{
	uint32_t base = (uint32_t)apmu_machine__reg(m, op >> 16 & 15) - (up ? 0 : 8);

	return before == up ? base + 4 : base;
}

/* The address that a return leads to. `state`: SPSR; RFE has another. */
static uint32_t target(const struct apmu_machine *m, const struct apmu_machine__code *c, uint32_t *state)
{
	uint32_t op = c->opcode;
	bool before = op >> 24 & 1, up = op >> 23 & 1;
	uint32_t last = 4 * ((uint32_t)__builtin_popcount(op & 0xFFFF) - 1), at;
	enum form form = form_of(c);

	switch (form) {
	case TO_ELR: return m->mode.el == 2 ? apmu_machine__elr_hyp(m) : (uint32_t)apmu_machine__reg(m, 14);
	case SUM: return address_of(m, c);
	case SUBTRACT_T32: return (uint32_t)apmu_machine__reg(m, 14) - (op & 0xFF);
	case LOAD: return word_at(m, address_of(m, c) + last); /* the PC is the highest */
	case RFE:
	case RFE_T32:
		at = lower_word(m, op, form == RFE ? before : !up, up);
		*state = word_at(m, at + 4);
		return word_at(m, at);
	case NONE: break;
	}
	return 0;
}

/* Notes where a return that is about to run goes on in an IT block. */
void apmu_machine__returns32(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	uint32_t state = 0, to;

	m->it_state = 0;
	if (!apmu_machine__passes(m, c->cond))
		return;
	uc_reg_read(m->uc, UC_ARM_REG_SPSR, &state);
	to = target(m, c, &state);
	if (!(state & CPSR_T))
		return;
	m->it_state = (uint8_t)apmu_machine__it_of(state);
	m->it_return = to & ~(uint32_t)1;
}
