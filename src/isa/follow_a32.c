/* SPDX-License-Identifier: MIT */
/* DDI0406C A5, A7.7: loads and stores, ADD, SUB and MOV. Register 15 has the value that reading it gives. */
#include "isa/bits.h"
#include "isa/follow.h"

/* Offset, pre-indexed and post-indexed: bits P, U, W of 24, 23, 21. */
static struct apmu_isa__addressed indexed(uint64_t addr, uint32_t word, uint32_t by)
{
	bool before = apmu_isa__at(word, 24, 1), back = apmu_isa__at(word, 21, 1) || !before;
	int64_t offset = apmu_isa__at(word, 23, 1) ? (int64_t)by : -(int64_t)by;
	uint8_t base = (uint8_t)apmu_isa__at(word, 16, 4);

	if (base == 15)
		return (struct apmu_isa__addressed){.what = APMU_ISA__MOVE_ACCESS,
						    .base = APMU_ISA__NO_BASE,
						    .keeps = true,
						    .offset = (int64_t)addr + 8 + offset};
	return (struct apmu_isa__addressed){.what = APMU_ISA__MOVE_ACCESS,
					    .base = base,
					    .to = base,
					    .keeps = !back,
					    .offset = before ? offset : 0,
					    .back = offset};
}

/* LDM, STM: the accesses begin at the lowest address. */
static struct apmu_isa__addressed multiple(uint32_t word, unsigned bytes)
{
	bool before = apmu_isa__at(word, 24, 1), up = apmu_isa__at(word, 23, 1);
	uint8_t base = (uint8_t)apmu_isa__at(word, 16, 4);
	int64_t size = (int64_t)bytes, from = up ? 0 : -size;

	if (before == up)
		from += 4;
	return (struct apmu_isa__addressed){.what = APMU_ISA__MOVE_ACCESS,
					    .base = base,
					    .to = base,
					    .keeps = !apmu_isa__at(word, 21, 1),
					    .offset = from,
					    .back = up ? size : -size};
}

struct apmu_isa__addressed apmu_isa__addressed_vfp(uint64_t addr, uint32_t word)
{
	unsigned bytes = 4 * apmu_isa__at(word, 0, 8);
	struct apmu_isa__addressed m;

	if (apmu_isa__at(word, 24, 1) && !apmu_isa__at(word, 21, 1))
		return indexed(addr, word, bytes);
	if (!apmu_isa__at(word, 23, 2)) /* VMOV of two registers */
		return (struct apmu_isa__addressed){0};
	m = multiple(word, bytes);
	m.offset = apmu_isa__at(word, 23, 1) ? 0 : -(int64_t)bytes;
	return m;
}

/* VLD1 to VST4. The base grows by the bytes accessed only in the forms of whole registers. */
struct apmu_isa__addressed apmu_isa__addressed_structure(uint32_t word)
{
	static const uint8_t registers[16] = {4, 4, 4, 4, 3, 3, 3, 1, 2, 2, 2};
	uint8_t base = (uint8_t)apmu_isa__at(word, 16, 4);
	bool whole = !apmu_isa__at(word, 23, 1), moves = apmu_isa__at(word, 0, 4) == 13;

	return (struct apmu_isa__addressed){.what = APMU_ISA__MOVE_ACCESS,
					    .base = base,
					    .to = base,
					    .keeps = !(whole && moves),
					    .back = (int64_t)8 * registers[apmu_isa__at(word, 8, 4)]};
}

static uint32_t rotated(uint32_t word)
{
	unsigned by = 2 * apmu_isa__at(word, 8, 4);
	uint32_t value = apmu_isa__at(word, 0, 8);

	return by ? value >> by | value << (32 - by) : value;
}

static struct apmu_isa__addressed processing(uint64_t addr, uint32_t word)
{
	unsigned to = apmu_isa__at(word, 12, 4), base = apmu_isa__at(word, 16, 4);
	int64_t by = rotated(word), pc = (int64_t)addr + 8;

	switch (word & 0x0FE00000) {
	case 0x02800000:
		return base == 15 ? apmu_isa__sum(to, APMU_ISA__NO_BASE, pc + by)
				  : apmu_isa__sum(to, base, by);
	case 0x02400000:
		return base == 15 ? apmu_isa__sum(to, APMU_ISA__NO_BASE, pc - by)
				  : apmu_isa__sum(to, base, -by);
	case 0x03A00000: return apmu_isa__sum(to, APMU_ISA__NO_BASE, by);
	default: break;
	}
	if ((word & 0x0FEF0FF0) == 0x01A00000 && apmu_isa__at(word, 0, 4) != 15)
		return apmu_isa__sum(to, apmu_isa__at(word, 0, 4), 0);
	return (struct apmu_isa__addressed){0};
}

struct apmu_isa__addressed apmu_isa__addressed_a32(uint64_t addr, uint32_t word)
{
	if ((word & 0xFF000000) == 0xF4000000)
		return apmu_isa__at(word, 20, 1) ? (struct apmu_isa__addressed){0}
						 : apmu_isa__addressed_structure(word);
	if (word >> 28 == 15)
		return (struct apmu_isa__addressed){0};
	if ((word & 0x0E000000) == 0x04000000)
		return indexed(addr, word, apmu_isa__at(word, 0, 12));
	if ((word & 0x0E400090) == 0x00400090 && (word & 0x60))
		return indexed(addr, word, apmu_isa__at(word, 8, 4) << 4 | apmu_isa__at(word, 0, 4));
	if ((word & 0x0E000000) == 0x08000000)
		return multiple(word, 4u * (unsigned)__builtin_popcount(word & 0xFFFF));
	if ((word & 0x0E000E00) == 0x0C000A00)
		return apmu_isa__addressed_vfp(addr, word);
	return processing(addr, word);
}
