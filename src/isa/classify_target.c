/* SPDX-License-Identifier: MIT */
/* The distance of an immediate branch, from its own address. */
#include "isa/classify_rows.h"

/* The signed field of `bits` bits from `lsb` up, times 1 << scale. */
static uint64_t offset(uint32_t word, unsigned lsb, unsigned bits, unsigned scale)
{
	int64_t field = (int64_t)((uint64_t)(word >> lsb) << (64 - bits)) >> (64 - bits);

	return (uint64_t)field << scale;
}

/* T32 B.W and BL: S:I1:I2:imm10:imm11, I1 = NOT(J1 EOR S) (DDI0406C A8.8.18). */
static uint32_t t32_imm24(uint32_t w)
{
	uint32_t s = w >> 26 & 1, i1 = ~(w >> 13 ^ s) & 1, i2 = ~(w >> 11 ^ s) & 1;

	return s << 23 | i1 << 22 | i2 << 21 | (w >> 16 & 0x3FF) << 11 | (w & 0x7FF);
}

/* T32 B<c>.W: S:J2:J1:imm6:imm11. */
static uint32_t t32_imm20(uint32_t w)
{
	return (w >> 26 & 1) << 19 | (w >> 11 & 1) << 18 | (w >> 13 & 1) << 17 | (w >> 16 & 0x3F) << 11 |
	       (w & 0x7FF);
}

uint64_t apmu_isa__distance(uint32_t w, enum apmu_isa__where where)
{
	switch (where) {
	case TO_NONE: return 0;
	case TO_A32: return 8 + offset(w, 0, 24, 2);
	case TO_A32_X: return 8 + offset(w, 0, 24, 2) + (w >> 23 & 2);
	case TO_T16_CC: return 4 + offset(w, 0, 8, 1);
	case TO_T16: return 4 + offset(w, 0, 11, 1);
	case TO_T16_CB: return 4 + ((w >> 9 & 1) << 6 | (w >> 3 & 31) << 1);
	case TO_T32_CC: return 4 + offset(t32_imm20(w), 0, 20, 1);
	case TO_T32:
	case TO_T32_X: return 4 + offset(t32_imm24(w), 0, 24, 1);
	case TO_A64_26: return offset(w, 0, 26, 2);
	case TO_A64_19: return offset(w, 5, 19, 2);
	case TO_A64_14: return offset(w, 5, 14, 2);
	}
	return 0;
}
