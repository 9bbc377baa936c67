/* SPDX-License-Identifier: MIT */
/*
 * ISS of a load or store that stage 2 refuses, for ESR_EL2 and HSR: its size and its register (DDI0487
 * D24.2.40, ISS of a Data Abort; DDI0406C B3.13.6). Hypervisors that make the access themselves need it. It
 * is valid only for an access of one general register: no write-back, no exclusives, no Advanced SIMD, no PC.
 */
#include "machine/machine_internal.h"
#include "machine/special_insns.h"

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

/* A form of A32 or of 16-bit T32 instructions. */
struct row32 {
	uint32_t mask, value;
	uint8_t size; /* log2 of bytes */
	bool sign;
	uint8_t rt_at; /* lowest bit of the register's number */
};

static const struct row32 a32[] = {
	{0x0F600000, 0x05000000, 2, false, 12}, /* LDR, STR: immediate */
	{0x0F600010, 0x07000000, 2, false, 12}, /* register */
	{0x0F600000, 0x05400000, 0, false, 12}, /* LDRB, STRB */
	{0x0F600010, 0x07400000, 0, false, 12},
	{0x0F2000F0, 0x010000B0, 1, false, 12}, /* LDRH, STRH */
	{0x0F3000F0, 0x011000D0, 0, true, 12},  /* LDRSB */
	{0x0F3000F0, 0x011000F0, 1, true, 12},  /* LDRSH */
	{0, 1, 0, false, 0},
};

static const struct row32 t16[] = {
	{0xFE00, 0x5000, 2, false, 0}, /* register offset: STR */
	{0xFE00, 0x5800, 2, false, 0}, /* LDR */
	{0xFE00, 0x5200, 1, false, 0}, {0xFE00, 0x5A00, 1, false, 0}, {0xFE00, 0x5400, 0, false, 0},
	{0xFE00, 0x5C00, 0, false, 0}, {0xFE00, 0x5600, 0, true, 0},  {0xFE00, 0x5E00, 1, true, 0},
	{0xF000, 0x6000, 2, false, 0}, /* immediate: words, bytes, halfwords */
	{0xF000, 0x7000, 0, false, 0}, {0xF000, 0x8000, 1, false, 0}, {0xF000, 0x9000, 2, false, 8}, /* SP */
	{0xF800, 0x4800, 2, false, 8}, /* literal */
	{0, 1, 0, false, 0},
};

/* 32-bit T32 forms: 12-bit immediate; negative immediate and LDRT; register offset. Bit 24 is the sign, bits
 * 22:21 are the size. */
static const struct {
	uint32_t mask, value;
} t32[] = {{0xFE800000, 0xF8800000}, {0xFE800D00, 0xF8000C00}, {0xFE800FC0, 0xF8000000}};

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

/* opc 2 extends the sign to 64 bits, opc 3 to 32; prefetches do not fault. */
static uint32_t iss_a64(uint32_t op, const struct row *row)
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

static uint32_t iss_a32(unsigned size, bool sign, unsigned rt)
{
	return rt == 15 ? 0 : ISV | size << SAS_AT | (sign ? SSE : 0) | rt << SRT_AT;
}

static uint32_t by_row(const struct row32 *row, uint32_t op)
{
	while ((op & row->mask) != row->value && row->mask)
		row++;
	return row->mask ? iss_a32(row->size, row->sign, op >> row->rt_at & (row->rt_at == 12 ? 15 : 7)) : 0;
}

static uint32_t wide_t32(uint32_t op)
{
	unsigned size = op >> 21 & 3;
	bool is_told = (op & 0xFE1F0000) == 0xF81F0000; /* literal */

	for (size_t i = 0; i < sizeof t32 / sizeof *t32; i++)
		is_told |= (op & t32[i].mask) == t32[i].value;
	return is_told && size < 3 ? iss_a32(size, op >> 24 & 1, op >> 12 & 15) : 0;
}

uint32_t apmu_machine__access_syndrome(const struct apmu_machine *m)
{
	const struct apmu_machine__code *c = m->current;

	if (!c)
		return 0;
	if (c->isa != APMU_ISA__A64)
		return c->isa == APMU_ISA__A32 ? by_row(a32, c->opcode)
		       : c->size == 2          ? by_row(t16, c->opcode)
					       : wide_t32(c->opcode);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((c->opcode & rows[i].mask) == rows[i].value)
			return iss_a64(c->opcode, &rows[i]);
	return 0;
}
