/* SPDX-License-Identifier: MIT */
/* Decodes the fields of a word by a row of types. */
#include "isa/classify_format_rows.h"

static unsigned highest(uint32_t bits)
{
	return bits ? 31u - (unsigned)__builtin_clz(bits) : 0;
}

static unsigned at(uint32_t w, unsigned lsb)
{
	return w >> lsb & 3;
}

/* log2 of the bytes of an element. */
static unsigned scale(uint32_t w, enum apmu_isa__format_type type)
{
	switch (type) {
	case FP_TYPE: return at(w, 22) == 3 ? 1 : 2 + (w >> 22 & 1);
	case FP_SZ:
	case INT_22: return 2 + (w >> 22 & 1);
	case FP_SIZE:
	case INT_ELEM: return at(w, 22) ? at(w, 22) : 1;
	case FP_CP: return at(w, 8);
	case FP_18: return at(w, 18);
	case FP_20: return 2 - (w >> 20 & 1);
	case FP_20_8: return 1 + (w >> 20 & 1);
	case FP_20_16: return at(w, 20);
	case FP_HALF:
	case INT_16: return 1;
	case FP_SINGLE:
	case INT_32: return 2;
	case FP_DOUBLE:
	case INT_64: return 3;
	case INT_SIZE: return at(w, 22);
	case INT_WIDE: return at(w, 22) < 3 ? at(w, 22) + 1 : 3;
	case INT_IMMH: return highest(w >> 19 & 15);
	case INT_IMMH2:
	case INT_IMM2: return highest(w >> 19 & 7) + 1;
	case INT_TSZ: return highest(at(w, 22) << 2 | at(w, 8));
	case INT_TSZ_20: return highest(at(w, 22) << 2 | at(w, 19));
	case INT_TSZ2: return highest((w >> 20 & 4) | at(w, 19)) + 1;
	case INT_18: return at(w, 18);
	case INT_WIDE_18: return at(w, 18) < 3 ? at(w, 18) + 1 : 3;
	case INT_20: return at(w, 20);
	case INT_WIDE_20: return at(w, 20) < 3 ? at(w, 20) + 1 : 3;
	case INT_IMM: return highest((w >> 4 & 8) | (w >> 19 & 7));
	case NONE:
	case INT_8: break;
	}
	return 0;
}

static bool floating(enum apmu_isa__format_type type)
{
	return type >= FP_TYPE && type <= FP_DOUBLE;
}

static uint64_t trait(unsigned number)
{
	return (uint64_t)1 << number;
}

/* Bytes of all elements; for SVE, of 128 bits. */
static unsigned width(uint32_t w, const struct apmu_isa__format_row *row, unsigned bytes)
{
	bool all = row->how & (SVE | WHOLE);

	all |= (row->how & VECTOR) && (w >> 30 & 1);
	all |= (row->how & Q6) && (w >> 6 & 1);
	all |= (row->how & Q24) && (w >> 24 & 1);
	if (all)
		return 16;
	return row->how & (VECTOR | Q6 | Q24) ? 8 : 1u << bytes;
}

/* Operations of an instruction: one, two, four or eight per element. */
static uint64_t operations(uint32_t w, const struct apmu_isa__format_row *row, unsigned bytes)
{
	unsigned cell = row->how & CELL_64 ? 3 : row->how & CELL_32 ? 2 : bytes;
	unsigned each = row->how & MMLA ? 3 : row->how & DOT ? 2 : row->how & FMA ? 1 : 0;
	unsigned n = highest(width(w, row, bytes) >> cell) + each;

	return trait((row->how & SVE ? APMU_TRAIT_SCALED : APMU_TRAIT_FIXED) + n);
}

uint64_t apmu_isa__format_find(uint32_t word, const struct apmu_isa__format_row *row, size_t n)
{
	while (n && (word & row->mask) != row->bits)
		row++, n--;
	if (!n)
		return 0;
	enum apmu_isa__format_type type = (enum apmu_isa__format_type)row->type;
	uint64_t traits = (row->how & PRED ? trait(APMU_TRAIT_SVE_PRED) : 0) |
			  (row->how & LDFF ? trait(APMU_TRAIT_SVE_LDFF) : 0);
	unsigned bytes = scale(word, type);
	if (type == NONE || bytes > 3 || (floating(type) && bytes == 0))
		return traits;
	if (!floating(type))
		return traits | trait(APMU_TRAIT_INT_8 + bytes);
	return traits | trait(APMU_TRAIT_FP_HALF + bytes - 1) | operations(word, row, bytes);
}
