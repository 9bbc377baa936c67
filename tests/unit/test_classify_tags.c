/* SPDX-License-Identifier: MIT */
/* Accesses that are tag-checked, by DDI0487 D10.4.1. The GNU assembler made the words. */
#include "isa/classify_tags.h"

#include "test.h"

/* clang-format off */
static const struct {
	const char *text;
	uint32_t word;
	bool checked;
} row[] = {
	{"ldr x0, [x1]", 0xF9400020, true},
	{"ldr x0, [sp, #8]", 0xF94007E0, false},
	{"ldr x0, [sp], #8", 0xF84087E0, true},
	{"ldr x0, [sp, #8]!", 0xF8408FE0, true},
	{"ldr x0, [sp, x1]", 0xF8616BE0, true},
	{"ldur x0, [sp, #1]", 0xF84013E0, false},
	{"ldr q0, [sp, #16]", 0x3DC007E0, false},
	{"str q0, [sp, #-16]!", 0x3C9F0FE0, true},
	{"strb w0, [x1, x2]", 0x38226820, true},
	{"ldp x0, x1, [sp, #16]", 0xA94107E0, false},
	{"ldp x0, x1, [sp], #16", 0xA8C107E0, true},
	{"stp x0, x1, [sp, #-16]!", 0xA9BF07E0, true},
	{"stp q0, q1, [sp]", 0xAD0007E0, false},
	{"ldnp x0, x1, [sp]", 0xA84007E0, false},
	{"stp x0, x1, [x2]", 0xA9000440, true},
	{"ldxr x0, [sp]", 0xC85F7FE0, false},
	{"ldxr x0, [x1]", 0xC85F7C20, true},
	{"ldadd x0, x1, [sp]", 0xF82003E1, false},
	{"ldadd x0, x1, [x2]", 0xF8200041, true},
	{"ld1 {v0.16b}, [sp]", 0x4C4073E0, false},
	{"ld1 {v0.16b}, [sp], #16", 0x4CDF73E0, true},
	{"st1 {v0.b}[3], [sp], #1", 0x0D9F0FE0, true},
	{"ld2 {v0.4s, v1.4s}, [x0]", 0x4C408800, true},
	{"ldr x0, .", 0x58000000, false},
	{"ldrsw x0, .", 0x98000000, false},
	{"ldg x0, [x1]", 0xD9600020, false},
	{"stg x0, [x1]", 0xD9200820, false},
	{"st2g x0, [x1], #32", 0xD9A02420, false},
	{"stgp x0, x1, [x2]", 0x69000440, false},
	{"stgp x0, x1, [x2], #16", 0x68808440, false},
	{"stgp x0, x1, [sp, #-32]!", 0x69BF07E0, false},
};
/* clang-format on */

TEST(accesses_are_checked_but_for_those_by_pc_and_by_sp_and_a_number)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		if (apmu_isa__tag_checked(row[i].word) != row[i].checked)
			printf("%s\n", row[i].text);
		CHECK_EQ(apmu_isa__tag_checked(row[i].word), row[i].checked);
	}
}
