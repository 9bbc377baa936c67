/* SPDX-License-Identifier: MIT */
/* Finds the instructions that the machine handles itself: opcode-mask rows, of which the first that matches
 * decides. */
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/special_insns.h"
#include "machine/translation.h"

struct row {
	uint32_t mask, value;
	uint8_t special, after;
};

#define STATE APMU_MACHINE__AFTER_STATE
#define MAP   APMU_MACHINE__AFTER_MAP

#define SCR_EL3 (3u << 16 | 6u << 12 | 1 << 8 | 1 << 4)

/* Rows for a condition field other than 0xF; apmu_machine__decode() checks that first. */
static const struct row a32[] = {
	{0x0F000010, 0x0E000010, APMU_MACHINE__SPECIAL_MRC, 0},
	{0x0FE00000, 0x0C400000, APMU_MACHINE__SPECIAL_MRRC, 0},
	{0x0F000000, 0x0F000000, APMU_MACHINE__SPECIAL_SVC, STATE},
	{0x0FF000F0, 0x01400070, APMU_MACHINE__SPECIAL_HVC, STATE},
	{0x0FF000F0, 0x01600070, APMU_MACHINE__SPECIAL_SMC, STATE},
	{0x0FF000F0, 0x01200070, APMU_MACHINE__SPECIAL_BKPT, STATE},
	{0x0FF000F0, 0x01000070, APMU_MACHINE__SPECIAL_HLT, STATE},
	{0x0FFFFFFF, 0x0320F001, APMU_MACHINE__SPECIAL_NOP, 0}, /* YIELD */
	{0x0FFFFFFF, 0x0320F002, APMU_MACHINE__SPECIAL_NOP, 0}, /* WFE */
	{0, 0, APMU_MACHINE__SPECIAL_NONE, 0},
};
static const struct row t16[] = {
	{0xFF00, 0xDF00, APMU_MACHINE__SPECIAL_SVC, STATE},
	{0xFF00, 0xBE00, APMU_MACHINE__SPECIAL_BKPT, STATE},
	{0xFFC0, 0xBA80, APMU_MACHINE__SPECIAL_HLT, STATE},
	{0xFFFF, 0xBF10, APMU_MACHINE__SPECIAL_NOP, 0},  /* YIELD */
	{0xFFFF, 0xBF20, APMU_MACHINE__SPECIAL_NOP, 0},  /* WFE */
	{0xFF0F, 0xBF00, APMU_MACHINE__SPECIAL_NONE, 0}, /* the other hints */
	{0xFF00, 0xBF00, APMU_MACHINE__SPECIAL_IT, APMU_MACHINE__AFTER_IT},
	{0, 0, APMU_MACHINE__SPECIAL_NONE, 0},
};
static const struct row t32[] = {
	{0xFF000010, 0xEE000010, APMU_MACHINE__SPECIAL_MRC, 0},
	{0xFFE00000, 0xEC400000, APMU_MACHINE__SPECIAL_MRRC, 0},
	{0xFFF0F000, 0xF7E08000, APMU_MACHINE__SPECIAL_HVC, STATE},
	{0xFFF0F000, 0xF7F08000, APMU_MACHINE__SPECIAL_SMC, STATE},
	{0xFFFFFFFF, 0xF3AF8001, APMU_MACHINE__SPECIAL_NOP, 0}, /* YIELD.W */
	{0xFFFFFFFF, 0xF3AF8002, APMU_MACHINE__SPECIAL_NOP, 0}, /* WFE.W */
	{0, 0, APMU_MACHINE__SPECIAL_NONE, 0},
};
static const struct row a64[] = {
	{0xFFD00000, 0xD5100000, APMU_MACHINE__SPECIAL_MRS, 0},
	{0xFFF8F000, 0xD5088000, APMU_MACHINE__SPECIAL_MAINTENANCE, MAP}, /* TLBI */
	{0xFFF8F000, 0xD5087000, APMU_MACHINE__SPECIAL_MAINTENANCE, 0},   /* IC, DC, AT */
	{0xFFF8F01F, 0xD500401F, APMU_MACHINE__SPECIAL_NONE, STATE},      /* MSR (immediate) */
	{0xFFE0001F, 0xD4000001, APMU_MACHINE__SPECIAL_SVC, STATE},
	{0xFFE0001F, 0xD4000002, APMU_MACHINE__SPECIAL_HVC, STATE},
	{0xFFE0001F, 0xD4000003, APMU_MACHINE__SPECIAL_SMC, STATE},
	{0xFFE0001F, 0xD4200000, APMU_MACHINE__SPECIAL_BKPT, STATE},
	{0xFFE0001F, 0xD4400000, APMU_MACHINE__SPECIAL_HLT, STATE},
	{0xFFFFFFFF, 0xD69F03E0, APMU_MACHINE__SPECIAL_ERET, STATE},
	{0xFFFFFBFF, 0xD69F0BFF, APMU_MACHINE__SPECIAL_ERET, STATE}, /* ERETAA, ERETAB */
	{0, 0, APMU_MACHINE__SPECIAL_NONE, 0},
};

/* Writes of CONTEXTIDR, TTBR0 and TTBR1 that count; `special` is an enum apmu_machine__kernel. */
static const struct row writes_a64[] = {
	{0xFFFFFFE0, 0xD518D020, APMU_MACHINE__KERNEL_CID, 0},
	{0xFFFFFFC0, 0xD5182000, APMU_MACHINE__KERNEL_TTBR, 0},
	{0, 0, APMU_MACHINE__KERNEL_NONE, 0},
};
static const struct row writes_aarch32[] = {
	{0x0FFF0FFF, 0x0E0D0F30, APMU_MACHINE__KERNEL_CID, 0},
	{0x0FFF0FDF, 0x0E020F10, APMU_MACHINE__KERNEL_TTBR, 0}, /* MCR */
	{0x0FF00FEF, 0x0C400F02, APMU_MACHINE__KERNEL_TTBR, 0}, /* MCRR */
	{0, 0, APMU_MACHINE__KERNEL_NONE, 0},
};

enum apmu_machine__kernel apmu_machine__kernel_of(const struct apmu_machine__code *c)
{
	const struct row *row = c->isa == APMU_ISA__A64 ? writes_a64 : writes_aarch32;

	if (c->special == APMU_MACHINE__SPECIAL_ERET || apmu_machine__is_return(c))
		return APMU_MACHINE__KERNEL_RETURN;
	if (c->size != 4 || (c->isa == APMU_ISA__A32 && c->opcode >> 28 == 15))
		return APMU_MACHINE__KERNEL_NONE;
	while ((c->opcode & row->mask) != row->value)
		row++;
	return (enum apmu_machine__kernel)row->special;
}

static const struct row *rows_of(const struct apmu_machine__code *c)
{
	if (c->isa == APMU_ISA__A64)
		return a64;
	if (c->isa == APMU_ISA__T32)
		return c->size == 2 ? t16 : t32;
	return a32;
}

/* True for writes of CP15 registers that change what lies at an address: control, tables, domains, TLB,
 * remap, ASID. */
static bool maps_cp(const struct apmu_machine *m, uint32_t op)
{
	unsigned crn = op >> 16 & 15;

	if ((op >> 8 & 15) != 15 || (op >> 20 & 1))
		return false;
	if (crn == 6 && !m->model->mmu) /* MPU regions */
		return true;
	return (crn >= 1 && crn <= 3) || crn == 8 || crn == 10 || (crn == 13 && (op >> 5 & 7) < 2);
}

static void coprocessor(const struct apmu_machine *m, struct apmu_machine__code *c)
{
	uint32_t op = c->opcode, cp = op >> 8 & 15, crn = op >> 16 & 15;
	bool two = c->special == APMU_MACHINE__SPECIAL_MRRC;
	uint32_t encoding = two ? apmu_cp64(cp, op >> 4 & 15, op & 15)
				: apmu_cp(cp, op >> 21 & 7, crn, op & 15, op >> 5 & 7);

	c->after |= (two ? cp == 15 && (op & 15) == 2 : maps_cp(m, op)) ? APMU_MACHINE__AFTER_MAP : 0;
	if (!apmu_machine__owns_cp(m, two ? APMU_VIEW_CP64 : APMU_VIEW_CP, encoding))
		c->special = !two && apmu_machine__is_maintenance(m, c) ? APMU_MACHINE__SPECIAL_MAINTENANCE
									: APMU_MACHINE__SPECIAL_NONE;
}

/* An MSR of SCTLR, TTBR, TCR, MAIR or CONTEXTIDR changes the mapping; one of DAIF or SPSel changes PSTATE. */
static void system_register(const struct apmu_machine *m, struct apmu_machine__code *c)
{
	uint32_t op = c->opcode;
	uint32_t encoding = apmu_machine__encoding_a64(op);
	unsigned crn = encoding >> 8 & 15;

	c->after = 0;
	if (!(op >> 21 & 1))
		c->after = crn == 4 ? STATE : crn <= 2 || crn == 10 || crn == 13 ? MAP : 0;
	else if (encoding == SCR_EL3)
		c->after = MAP; /* level.c adds bits to the value read */
	if (!apmu_machine__owns_sysreg(m, encoding))
		c->special = apmu_machine__controls_sve(m, encoding) ? APMU_MACHINE__SPECIAL_SVE
								     : APMU_MACHINE__SPECIAL_NONE;
}

void apmu_machine__decode(const struct apmu_machine *m, struct apmu_machine__code *c)
{
	const struct row *row = rows_of(c);

	c->cond = c->isa == APMU_ISA__A32 ? (uint8_t)(c->opcode >> 28) : 14;
	if (c->cond == 15)
		return;
	while ((c->opcode & row->mask) != row->value)
		row++;
	c->special = row->special;
	c->after |= row->after;
	if (c->special == APMU_MACHINE__SPECIAL_MRC || c->special == APMU_MACHINE__SPECIAL_MRRC)
		coprocessor(m, c);
	else if (c->special == APMU_MACHINE__SPECIAL_MRS)
		system_register(m, c);
	else if (c->special == APMU_MACHINE__SPECIAL_MAINTENANCE && !apmu_machine__is_maintenance(m, c))
		c->special = APMU_MACHINE__SPECIAL_NONE;
}
