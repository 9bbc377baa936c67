/* SPDX-License-Identifier: MIT */
/* DDI0406C A6: loads and stores, ADD, SUB and MOV of T32. */
#include "isa/bits.h"
#include "isa/follow.h"

static struct apmu_isa__addressed access_at(unsigned base, int64_t offset)
{
	return (struct apmu_isa__addressed){
		.what = APMU_ISA__MOVE_ACCESS, .base = (uint8_t)base, .keeps = true, .offset = offset};
}

/* An access that adds `back` to its base. */
static struct apmu_isa__addressed access_moving(unsigned base, int64_t offset, int64_t back)
{
	struct apmu_isa__addressed m = access_at(base, offset);

	m.to = (uint8_t)base;
	m.keeps = false;
	m.back = back;
	return m;
}

/* An access whose base changes by `by` if `back` is set, `before` the access or after it. */
static struct apmu_isa__addressed indexed(unsigned base, int64_t by, bool before, bool back)
{
	return back ? access_moving(base, before ? by : 0, by) : access_at(base, by);
}

static struct apmu_isa__addressed literal(uint64_t addr, int64_t offset)
{
	return access_at(APMU_ISA__NO_BASE, (int64_t)(addr & ~(uint64_t)3) + 4 + offset);
}

static unsigned words(uint32_t list)
{
	return 4u * (unsigned)__builtin_popcount(list);
}

static struct apmu_isa__addressed arithmetic_16(uint32_t word)
{
	unsigned low = apmu_isa__at(word, 0, 3), high = apmu_isa__at(word, 8, 3);
	int64_t by = (int64_t)apmu_isa__at(word, 0, 8);

	switch (word >> 9) {
	case 0x1C00 >> 9:
		return apmu_isa__sum(low, apmu_isa__at(word, 3, 3), (int64_t)apmu_isa__at(word, 6, 3));
	case 0x1E00 >> 9:
		return apmu_isa__sum(low, apmu_isa__at(word, 3, 3), -(int64_t)apmu_isa__at(word, 6, 3));
	default: break;
	}
	switch (word >> 11) {
	case 0x2000 >> 11: return apmu_isa__sum(high, APMU_ISA__NO_BASE, by);
	case 0x3000 >> 11: return apmu_isa__sum(high, high, by);
	case 0x3800 >> 11: return apmu_isa__sum(high, high, -by);
	case 0xA800 >> 11: return apmu_isa__sum(high, 13, by * 4);
	default: break;
	}
	if ((word & 0xFF00) == 0x4600 && apmu_isa__at(word, 3, 4) != 15)
		return apmu_isa__sum(apmu_isa__at(word, 7, 1) << 3 | low, apmu_isa__at(word, 3, 4), 0);
	if ((word & 0xFF00) == 0xB000)
		return apmu_isa__sum(13, 13,
				     (apmu_isa__at(word, 7, 1) ? -4 : 4) * (int64_t)apmu_isa__at(word, 0, 7));
	return (struct apmu_isa__addressed){0};
}

struct apmu_isa__addressed apmu_isa__addressed_t16(uint64_t addr, uint32_t word)
{
	unsigned base = apmu_isa__at(word, 3, 3), imm = apmu_isa__at(word, 6, 5), list = word & 0xFF;

	if ((word & 0xE000) == 0x6000)
		return access_at(base, (int64_t)(apmu_isa__at(word, 12, 1) ? imm : imm * 4));
	if ((word & 0xF000) == 0x8000)
		return access_at(base, (int64_t)imm * 2);
	if ((word & 0xF000) == 0x9000)
		return access_at(13, (int64_t)list * 4);
	if ((word & 0xF800) == 0x4800)
		return literal(addr, (int64_t)list * 4);
	if ((word & 0xF000) == 0xC000)
		return apmu_isa__at(word, 11, 1) && list >> apmu_isa__at(word, 8, 3) & 1
			       ? access_at(apmu_isa__at(word, 8, 3), 0) /* LDM of its own base */
			       : access_moving(apmu_isa__at(word, 8, 3), 0, words(list));
	if ((word & 0xFE00) == 0xB400)
		return access_moving(13, -(int64_t)words(word & 0x1FF), -(int64_t)words(word & 0x1FF));
	if ((word & 0xFE00) == 0xBC00)
		return access_moving(13, 0, words(word & 0x1FF));
	return arithmetic_16(word);
}

/* A load or store of one register: immediates of 12 bits, added; of 8 bits, with P, U, W in bits 10, 9, 8. */
static struct apmu_isa__addressed single(uint64_t addr, uint32_t word)
{
	unsigned base = apmu_isa__at(word, 16, 4);
	int64_t small = apmu_isa__at(word, 9, 1) ? (int64_t)apmu_isa__at(word, 0, 8)
						 : -(int64_t)apmu_isa__at(word, 0, 8);

	if (base == 15)
		return literal(addr, apmu_isa__at(word, 23, 1) ? (int64_t)apmu_isa__at(word, 0, 12)
							       : -(int64_t)apmu_isa__at(word, 0, 12));
	if (apmu_isa__at(word, 23, 1))
		return access_at(base, (int64_t)apmu_isa__at(word, 0, 12));
	if (!apmu_isa__at(word, 11, 1))
		return (struct apmu_isa__addressed){0};
	return indexed(base, small, apmu_isa__at(word, 10, 1), apmu_isa__at(word, 8, 1));
}

static struct apmu_isa__addressed dual(uint32_t word)
{
	unsigned base = apmu_isa__at(word, 16, 4);
	int64_t by = apmu_isa__at(word, 23, 1) ? 4 * (int64_t)apmu_isa__at(word, 0, 8)
					       : -4 * (int64_t)apmu_isa__at(word, 0, 8);

	if (base == 15 || (!apmu_isa__at(word, 24, 1) && !apmu_isa__at(word, 21, 1)))
		return (struct apmu_isa__addressed){0};
	return indexed(base, by, apmu_isa__at(word, 24, 1), apmu_isa__at(word, 21, 1));
}

static struct apmu_isa__addressed multiple(uint32_t word)
{
	unsigned base = apmu_isa__at(word, 16, 4);
	int64_t bytes = words(word & 0xFFFF), back = apmu_isa__at(word, 23, 1) ? bytes : -bytes;
	int64_t from = apmu_isa__at(word, 23, 1) ? 0 : -bytes;

	return apmu_isa__at(word, 21, 1) ? access_moving(base, from, back) : access_at(base, from);
}

/* ThumbExpandImm: A6.3.2. */
static uint32_t expanded(uint32_t word)
{
	uint32_t how = apmu_isa__at(word, 26, 1) << 4 | apmu_isa__at(word, 12, 3) << 1 |
		       apmu_isa__at(word, 7, 1),
		 low = apmu_isa__at(word, 0, 8);

	if (how >= 8)
		return (low | 0x80) >> how | (low | 0x80) << (32 - how);
	return how < 2 ? low : how < 4 ? low * 0x10001 : how < 6 ? low * 0x1000100 : low * 0x1010101;
}

static struct apmu_isa__addressed arithmetic(uint32_t word)
{
	unsigned to = apmu_isa__at(word, 8, 4), base = apmu_isa__at(word, 16, 4);
	int64_t plain = (int64_t)(apmu_isa__at(word, 26, 1) << 11 | apmu_isa__at(word, 12, 3) << 8 |
				  apmu_isa__at(word, 0, 8));

	if ((word & 0xFFEFF0F0) == 0xEA4F0000)
		return apmu_isa__sum(to, apmu_isa__at(word, 0, 4), 0);
	if (base == 15)
		return (struct apmu_isa__addressed){0};
	switch (word & 0xFBE08000) {
	case 0xF1000000: return apmu_isa__sum(to, base, expanded(word));
	case 0xF1A00000: return apmu_isa__sum(to, base, -(int64_t)expanded(word));
	case 0xF2000000: return apmu_isa__sum(to, base, plain);
	case 0xF2A00000: return apmu_isa__sum(to, base, -plain);
	default: return (struct apmu_isa__addressed){0};
	}
}

struct apmu_isa__addressed apmu_isa__addressed_t32(uint64_t addr, uint32_t word)
{
	if ((word & 0xFF100000) == 0xF9000000)
		return apmu_isa__addressed_structure(word);
	if ((word & 0xFE000000) == 0xF8000000)
		return single(addr, word);
	if ((word & 0xFE400000) == 0xE8400000)
		return dual(word);
	if ((word & 0xFE400000) == 0xE8000000)
		return multiple(word);
	if ((word & 0xEE000E00) == 0xEC000A00 && word >> 28 == 14)
		return apmu_isa__addressed_vfp((addr & ~(uint64_t)3) - 4, word);
	return arithmetic(word);
}
