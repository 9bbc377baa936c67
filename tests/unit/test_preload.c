/* SPDX-License-Identifier: MIT */
/* How a preload's address is computed, on words as assemblers make them. */
#include "test.h"

#include "isa/preload.h"

#define NONE APMU_ISA__NO_REGISTER

/* Register values: base 0x1000, index 0xFFFFFFFFFFFFFFF8 (A32, T32: its low half). */
#define BASE  0x1000u
#define INDEX 0xFFFFFFFFFFFFFFF8u

static const struct {
	enum apmu_isa__isa isa;
	uint32_t word;
	uint8_t base, index;
	bool store, data;
	uint64_t address;
	const char *text;
} rows[] = {
	{APMU_ISA__A64, 0xF9800020, 1, NONE, false, true, 0x1000, "prfm pldl1keep, [x1]"},
	{APMU_ISA__A64, 0xF9BFFC20, 1, NONE, false, true, 0x1000 + 32760, "prfm pldl1keep, [x1, #32760]"},
	{APMU_ISA__A64, 0xF9800423, 1, NONE, false, true, 0x1008, "prfm pldl2strm, [x1, #8]"},
	{APMU_ISA__A64, 0xF9800024, 1, NONE, false, true, 0x1000, "prfm pldl3keep, [x1]"},
	{APMU_ISA__A64, 0xF98003F0, 31, NONE, true, true, 0x1000, "prfm pstl1keep, [sp]"},
	{APMU_ISA__A64, 0xF9800028, 1, NONE, false, false, 0x1000, "prfm plil1keep, [x1]"},
	{APMU_ISA__A64, 0xF9800026, 1, NONE, false, false, 0x1000, "prfm #6, [x1]"},
	{APMU_ISA__A64, 0xF8900020, 1, NONE, false, true, 0xF00, "prfum pldl1keep, [x1, #-256]"},
	{APMU_ISA__A64, 0xF88FF020, 1, NONE, false, true, 0x10FF, "prfum pldl1keep, [x1, #255]"},
	{APMU_ISA__A64, 0xF8A26820, 1, 2, false, true, 0xFF8, "prfm pldl1keep, [x1, x2]"},
	{APMU_ISA__A64, 0xF8A27820, 1, 2, false, true, 0xFC0, "prfm pldl1keep, [x1, x2, lsl #3]"},
	{APMU_ISA__A64, 0xF8A24820, 1, 2, false, true, 0x100000FF8, "prfm pldl1keep, [x1, w2, uxtw]"},
	{APMU_ISA__A64, 0xF8A2D820, 1, 2, false, true, 0xFC0, "prfm pldl1keep, [x1, w2, sxtw #3]"},
	{APMU_ISA__A64, 0xF8A2F820, 1, 2, false, true, 0xFC0, "prfm pldl1keep, [x1, x2, sxtx #3]"},
	{APMU_ISA__A64, 0xD8000080, NONE, NONE, false, true, 0x8010, "prfm pldl1keep, .+16"},
	{APMU_ISA__A64, 0xD8FFFFE0, NONE, NONE, false, true, 0x7FFC, "prfm pldl1keep, .-4"},
	{APMU_ISA__A32, 0xF5D1F020, 1, NONE, false, true, 0x1020, "pld [r1, #32]"},
	{APMU_ISA__A32, 0xF551F020, 1, NONE, false, true, 0xFE0, "pld [r1, #-32]"},
	{APMU_ISA__A32, 0xF591F020, 1, NONE, true, true, 0x1020, "pldw [r1, #32]"},
	{APMU_ISA__A32, 0xF7D1F002, 1, 2, false, true, 0xFF8, "pld [r1, r2]"},
	{APMU_ISA__A32, 0xF751F182, 1, 2, false, true, 0x1040, "pld [r1, -r2, lsl #3]"},
	{APMU_ISA__A32, 0xF7D1F222, 1, 2, false, true, 0x10000FFF, "pld [r1, r2, lsr #4]"},
	{APMU_ISA__A32, 0xF7D1F142, 1, 2, false, true, 0xFFE, "pld [r1, r2, asr #2]"},
	{APMU_ISA__A32, 0xF7D1F042, 1, 2, false, true, 0xFFF, "pld [r1, r2, asr #32]"},
	{APMU_ISA__A32, 0xF7D1F022, 1, 2, false, true, 0x1000, "pld [r1, r2, lsr #32]"},
	{APMU_ISA__A32, 0xF7D1F262, 1, 2, false, true, 0x90000FFF, "pld [r1, r2, ror #4]"},
	{APMU_ISA__A32, 0xF4D1F000, 1, NONE, false, false, 0x1000, "pli [r1]"},
	{APMU_ISA__A32, 0xF5DFF010, NONE, NONE, false, true, 0x8018, "pld [pc, #16]"},
	{APMU_ISA__A32, 0xF55FF010, NONE, NONE, false, true, 0x7FF8, "pld [pc, #-16]"},
	{APMU_ISA__T32, 0xF891F020, 1, NONE, false, true, 0x1020, "pld [r1, #32]"},
	{APMU_ISA__T32, 0xF811FC20, 1, NONE, false, true, 0xFE0, "pld [r1, #-32]"},
	{APMU_ISA__T32, 0xF8B1F020, 1, NONE, true, true, 0x1020, "pldw [r1, #32]"},
	{APMU_ISA__T32, 0xF811F032, 1, 2, false, true, 0xFC0, "pld [r1, r2, lsl #3]"},
	{APMU_ISA__T32, 0xF831F002, 1, 2, true, true, 0xFF8, "pldw [r1, r2]"},
	{APMU_ISA__T32, 0xF991F000, 1, NONE, false, false, 0x1000, "pli [r1]"},
	{APMU_ISA__T32, 0xF89FF010, NONE, NONE, false, true, 0x8014, "pld [pc, #16]"},
	{APMU_ISA__T32, 0xF81FF010, NONE, NONE, false, true, 0x7FF4, "pld [pc, #-16]"},
};

TEST(a_preload_says_where_its_address_comes_from)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct apmu_isa__preload p;
		CHECK(apmu_isa__preload_decode(rows[i].isa, 0x8000, rows[i].word, &p));
		uint64_t address = apmu_isa__preload_address(&p, BASE, INDEX);
		bool right = p.base == rows[i].base && p.index == rows[i].index && p.store == rows[i].store &&
			     p.data == rows[i].data && address == rows[i].address;
		if (!right)
			print_message("%s: %#llx\n", rows[i].text, (unsigned long long)address);
		CHECK(right);
	}
}

/* PLD [r1, r2, rrx]: the carry flag is not known. */
TEST(a_rotation_through_the_carry_is_not_known)
{
	struct apmu_isa__preload p;
	CHECK(!apmu_isa__preload_decode(APMU_ISA__A32, 0x8000, 0xF7D1F062, &p));
}
