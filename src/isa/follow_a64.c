/* SPDX-License-Identifier: MIT */
/* DDI0487 C4.1: loads and stores, data processing with an immediate. */
#include "isa/bits.h"
#include "isa/follow.h"

/* `how`: 1 post-indexed, 3 pre-indexed. */
static struct apmu_isa__addressed access_by(uint32_t word, int64_t offset, unsigned how)
{
	uint8_t base = (uint8_t)apmu_isa__at(word, 5, 5);

	return (struct apmu_isa__addressed){.what = APMU_ISA__MOVE_ACCESS,
					    .base = base,
					    .to = base,
					    .keeps = how != 1 && how != 3,
					    .offset = how == 1 ? 0 : offset,
					    .back = offset};
}

/* log2 of the bytes that a load or store of one register moves. */
static unsigned scale(uint32_t word)
{
	return apmu_isa__at(word, 26, 1) && apmu_isa__at(word, 23, 1) ? 4 : apmu_isa__at(word, 30, 2);
}

static struct apmu_isa__addressed pair(uint32_t word)
{
	static const uint8_t how[4] = {2, 1, 2, 3};
	bool tags = (word & 0xFE400000) == 0x68000000; /* STGP: a granule of 16 bytes */
	unsigned log2 = apmu_isa__at(word, 26, 1)   ? 2 + apmu_isa__at(word, 30, 2)
			: apmu_isa__at(word, 31, 1) ? 3
			: tags                      ? 4
						    : 2;

	return access_by(word, apmu_isa__signed_at(word, 15, 7) * ((int64_t)1 << log2),
			 how[apmu_isa__at(word, 23, 2)]);
}

static struct apmu_isa__addressed immediate(uint32_t word)
{
	int64_t by = (int64_t)apmu_isa__at(word, 10, 12) << (apmu_isa__at(word, 22, 1) ? 12 : 0);

	return apmu_isa__sum(apmu_isa__at(word, 0, 5), apmu_isa__at(word, 5, 5),
			     apmu_isa__at(word, 30, 1) ? -by : by);
}

static struct apmu_isa__addressed page(uint64_t addr, uint32_t word)
{
	int64_t by = apmu_isa__signed_at(word, 5, 19) * 4 + (int64_t)apmu_isa__at(word, 29, 2);
	bool pages = apmu_isa__at(word, 31, 1);

	return apmu_isa__sum(apmu_isa__at(word, 0, 5), APMU_ISA__NO_BASE,
			     pages ? (int64_t)(addr & ~(uint64_t)0xFFF) + by * 4096 : (int64_t)addr + by);
}

/* AND with an immediate of 64 bits: `ones` ones, rotated right by as many, are the upper bits alone. */
static struct apmu_isa__addressed align(uint32_t word)
{
	unsigned ones = apmu_isa__at(word, 10, 6) + 1;

	if (!apmu_isa__at(word, 22, 1) || apmu_isa__at(word, 16, 6) != ones)
		return (struct apmu_isa__addressed){0};
	return (struct apmu_isa__addressed){.what = APMU_ISA__MOVE_ALIGN,
					    .base = (uint8_t)apmu_isa__at(word, 5, 5),
					    .to = (uint8_t)apmu_isa__at(word, 0, 5),
					    .offset = (int64_t)(UINT64_MAX << (64 - ones))};
}

struct apmu_isa__addressed apmu_isa__addressed_a64(uint64_t addr, uint32_t word)
{
	if ((word & 0x3B000000) == 0x39000000)
		return access_by(word, (int64_t)apmu_isa__at(word, 10, 12) << scale(word), 0);
	if ((word & 0x3B200000) == 0x38000000)
		return access_by(word, apmu_isa__signed_at(word, 12, 9), apmu_isa__at(word, 10, 2));
	if ((word & 0x3A000000) == 0x28000000)
		return pair(word);
	if ((word & 0xBFBF0000) == 0x0C000000) /* LD1 to ST4 of whole registers */
		return access_by(word, 0, 0);
	if ((word & 0x9F800000) == 0x91000000) /* ADD, ADDS, SUB, SUBS of 64 bits */
		return immediate(word);
	if ((word & 0xFF800000) == 0x92000000 && apmu_isa__at(word, 5, 5) != 31) /* AND of 64 bits */
		return align(word);
	if ((word & 0xFFE0FFE0) == 0xAA0003E0 && apmu_isa__at(word, 16, 5) != 31)
		return apmu_isa__sum(apmu_isa__at(word, 0, 5), apmu_isa__at(word, 16, 5), 0);
	if ((word & 0x1F000000) == 0x10000000)
		return page(addr, word);
	if ((word & 0x7F800000) == 0x52800000 &&
	    (apmu_isa__at(word, 31, 1) || apmu_isa__at(word, 21, 2) < 2)) /* MOVZ */
		return apmu_isa__sum(
			apmu_isa__at(word, 0, 5), APMU_ISA__NO_BASE,
			(int64_t)((uint64_t)apmu_isa__at(word, 5, 16) << 16 * apmu_isa__at(word, 21, 2)));
	return (struct apmu_isa__addressed){0};
}
