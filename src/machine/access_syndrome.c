/* SPDX-License-Identifier: MIT */
/*
 * A load or store that stage 2 refuses, as ESR_EL2 tells it: how wide, which register (DDI0487 D24.2.40, ISS
 * of a Data Abort). That is for hypervisors that make the access themselves. Only single general registers
 * are told: no write-back, no exclusives, no Advanced SIMD.
 */
#include "machine/machine_internal.h"

#define ISV    (1u << 24)
#define SAS_AT 22
#define SSE    (1u << 21)
#define SRT_AT 16
#define SF     (1u << 15)
#define AR     (1u << 14)

struct row {
	uint32_t mask, value;
	bool ordered, literal;
};

static const struct row rows[] = {
	{0x3F000000, 0x39000000, false, false}, /* immediate offset */
	{0x3F200C00, 0x38000000, false, false}, /* LDUR, STUR */
	{0x3F200C00, 0x38000800, false, false}, /* LDTR, STTR */
	{0x3F200C00, 0x38200800, false, false}, /* register offset */
	{0x3FA00000, 0x08800000, true, false},  /* LDAR, STLR, LDLAR, STLLR */
	{0x3F200C00, 0x19000000, true, false},  /* LDAPUR, STLUR */
	{0x3FFFFC00, 0x38BFC000, true, false},  /* LDAPR */
	{0x3F000000, 0x18000000, false, true},  /* LDR (literal) */
};

/* opc 2 loads with sign to 64 bits, 3 to 32; prefetches do not fault. */
static uint32_t told(uint32_t op, const struct row *row)
{
	unsigned size = op >> 30, opc = row->ordered && !(op >> 24 & 1) ? 0 : op >> 22 & 3;
	uint32_t sign = opc >= 2 ? SSE : 0;
	bool wide = opc >= 2 ? opc == 2 : size == 3;

	if (row->literal) { /* bits 31:30: 32 bits, 64, 32 with sign */
		sign = size == 2 ? SSE : 0;
		wide = size != 0;
		size = size == 1 ? 3 : 2;
	}
	return ISV | size << SAS_AT | sign | (op & 31) << SRT_AT | (wide ? SF : 0) | (row->ordered ? AR : 0);
}

uint32_t apmu_machine__access_syndrome(const struct apmu_machine *m)
{
	const struct apmu_machine__code *c = m->current;

	if (!c || c->isa != APMU_ISA__A64)
		return 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((c->opcode & rows[i].mask) == rows[i].value)
			return told(c->opcode, &rows[i]);
	return 0;
}
