/* SPDX-License-Identifier: MIT */
/* DDI0487 C6.2 (PRFM, PRFUM), DDI0406C A8.8 (PLD, PLI). */
#include "isa/preload.h"
#include "isa/bits.h"

/* Bits 4:3 of the operation are PLD, PLI, PST; bits 2:1 the level, where 3 is the system's cache. */
static void operation(uint32_t word, struct apmu_isa__preload *p)
{
	unsigned kind = apmu_isa__at(word, 3, 2);

	p->wide = true;
	p->data = (kind == 0 || kind == 2) && apmu_isa__at(word, 1, 2) < 3;
	p->store = kind == 2;
}

/* Option 010: UXTW, 011: LSL, 110: SXTW, 111: SXTX; S: shifted by 3 bits, to units of eight bytes. */
static void extended(uint32_t word, struct apmu_isa__preload *p)
{
	static const uint8_t how[8] = {[2] = APMU_ISA__INDEX_UXTW, [6] = APMU_ISA__INDEX_SXTW};

	p->index = (uint8_t)apmu_isa__at(word, 16, 5);
	p->how = how[apmu_isa__at(word, 13, 3)];
	p->amount = apmu_isa__at(word, 12, 1) ? 3 : 0;
}

static bool decode_a64(uint64_t addr, uint32_t word, struct apmu_isa__preload *p)
{
	operation(word, p);
	p->base = (uint8_t)apmu_isa__at(word, 5, 5);
	if ((word & 0xFF000000) == 0xD8000000) {
		p->base = APMU_ISA__NO_REGISTER;
		p->offset = (int64_t)addr + apmu_isa__signed_at(word, 5, 19) * 4;
	} else if ((word & 0xFFC00000) == 0xF9800000) {
		p->offset = (int64_t)apmu_isa__at(word, 10, 12) * 8;
	} else if ((word & 0xFFE00C00) == 0xF8A00800) {
		extended(word, p);
	} else if ((word & 0xFFE00C00) == 0xF8800000) {
		p->offset = apmu_isa__signed_at(word, 12, 9);
	} else {
		return false;
	}
	return true;
}

/* Register 15 reads as the address of the word that the instruction is in, plus `ahead`. */
static void literal(uint64_t addr, unsigned ahead, struct apmu_isa__preload *p)
{
	p->base = APMU_ISA__NO_REGISTER;
	p->offset += (int64_t)((addr & ~(uint64_t)3) + ahead);
}

static bool decode_a32(uint64_t addr, uint32_t word, struct apmu_isa__preload *p)
{
	bool minus = !apmu_isa__at(word, 23, 1);

	p->data = apmu_isa__at(word, 24, 1);
	p->store = !apmu_isa__at(word, 22, 1);
	p->base = (uint8_t)apmu_isa__at(word, 16, 4);
	if (apmu_isa__at(word, 25, 1)) {
		p->index = (uint8_t)apmu_isa__at(word, 0, 4);
		p->how = (uint8_t)apmu_isa__at(word, 5, 2);
		p->amount = (uint8_t)apmu_isa__at(word, 7, 5);
		p->minus = minus;
		if (p->amount == 0 && p->how == APMU_ISA__INDEX_ROR)
			return false;
		if (p->amount == 0 && p->how != APMU_ISA__INDEX_LSL)
			p->amount = 32;
		return p->index != 15 && p->base != 15;
	}
	p->offset = minus ? -(int64_t)apmu_isa__at(word, 0, 12) : (int64_t)apmu_isa__at(word, 0, 12);
	if (p->base == 15)
		literal(addr, 8, p);
	return true;
}

static bool decode_t32(uint64_t addr, uint32_t word, struct apmu_isa__preload *p)
{
	p->data = !apmu_isa__at(word, 24, 1);
	p->store = apmu_isa__at(word, 21, 1);
	p->base = (uint8_t)apmu_isa__at(word, 16, 4);
	if (p->base == 15) {
		p->store = false;
		p->offset = apmu_isa__at(word, 23, 1) ? (int64_t)apmu_isa__at(word, 0, 12)
						      : -(int64_t)apmu_isa__at(word, 0, 12);
		literal(addr, 4, p);
	} else if (apmu_isa__at(word, 23, 1)) {
		p->offset = (int64_t)apmu_isa__at(word, 0, 12);
	} else if (apmu_isa__at(word, 8, 4) == 12) {
		p->offset = -(int64_t)apmu_isa__at(word, 0, 8);
	} else {
		p->index = (uint8_t)apmu_isa__at(word, 0, 4);
		p->amount = (uint8_t)apmu_isa__at(word, 4, 2);
	}
	return true;
}

bool apmu_isa__preload_decode(enum apmu_isa__isa isa, uint64_t addr, uint32_t word,
			      struct apmu_isa__preload *out)
{
	*out = (struct apmu_isa__preload){.index = APMU_ISA__NO_REGISTER};
	if (isa == APMU_ISA__A64)
		return decode_a64(addr, word, out);
	return isa == APMU_ISA__A32 ? decode_a32(addr, word, out) : decode_t32(addr, word, out);
}

/* Shifts or extends the index. In A32 and T32 only the low half of the result counts. */
static uint64_t shifted(const struct apmu_isa__preload *p, uint64_t index)
{
	uint32_t low = (uint32_t)index;
	uint64_t sign = (uint64_t)(int64_t)(int32_t)low;

	switch (p->how) {
	case APMU_ISA__INDEX_LSR: return (uint64_t)low >> p->amount;
	case APMU_ISA__INDEX_ASR: return sign >> p->amount;
	case APMU_ISA__INDEX_ROR: return low >> p->amount | low << (32 - p->amount);
	case APMU_ISA__INDEX_UXTW: return (uint64_t)low << p->amount;
	case APMU_ISA__INDEX_SXTW: return sign << p->amount;
	default: return index << p->amount;
	}
}

uint64_t apmu_isa__preload_address(const struct apmu_isa__preload *p, uint64_t base, uint64_t index)
{
	uint64_t by = p->index == APMU_ISA__NO_REGISTER ? 0 : shifted(p, index);
	uint64_t address = p->base == APMU_ISA__NO_REGISTER ? 0 : base;

	address += (uint64_t)p->offset + (p->minus ? 0 - by : by);
	return p->wide ? address : (uint32_t)address;
}
