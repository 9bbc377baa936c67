/* SPDX-License-Identifier: MIT */
/*
 * Number of elements and bytes that loads and stores move. The GNU assembler made the words; the numbers
 * follow DDI0487 D14.3, LDST_FIXED_OPS_SPEC and LDST_FIXED_BYTES_SPEC: atomics that return a value count both
 * ways.
 */
#include "isa/classify.h"

#include "test.h"

/* clang-format off */
static const struct {
	const char *text;
	enum apmu_isa__isa isa;
	uint32_t word;
	unsigned elements, bytes;
} row[] = {
	{"ldr q0, [x1]", APMU_ISA__A64, 0x3DC00020, 1, 16},
	{"ldp x0, x1, [x2]", APMU_ISA__A64, 0xA9400440, 2, 16},
	{"ldp q0, q1, [x2]", APMU_ISA__A64, 0xAD400440, 2, 32},
	{"ldrb w0, [x1]", APMU_ISA__A64, 0x39400020, 1, 1},
	{"ldpsw x0, x1, [x2]", APMU_ISA__A64, 0x69400440, 2, 8},
	{"ldr x0, .", APMU_ISA__A64, 0x58000000, 1, 8},
	{"ld1 {v0.16b}, [x1]", APMU_ISA__A64, 0x4C407020, 16, 16},
	{"ld1 {v0.8b-v3.8b}, [x1], #32", APMU_ISA__A64, 0x0CDF2020, 32, 32},
	{"ld4 {v0.4s-v3.4s}, [x1]", APMU_ISA__A64, 0x4C400820, 16, 64},
	{"st3 {v0.8h-v2.8h}, [x1]", APMU_ISA__A64, 0x4C004420, 24, 48},
	{"ld1 {v0.s}[1], [x1]", APMU_ISA__A64, 0x0D409020, 1, 4},
	{"ld1 {v0.d}[1], [x1]", APMU_ISA__A64, 0x4D408420, 1, 8},
	{"ld3 {v0.d-v2.d}[1], [x1]", APMU_ISA__A64, 0x4D40A420, 3, 24},
	{"ld2r {v0.4h, v1.4h}, [x1]", APMU_ISA__A64, 0x0D60C420, 2, 4},
	{"ld1r {v0.16b}, [x1]", APMU_ISA__A64, 0x4D40C020, 1, 1},
	{"st2 {v0.b, v1.b}[3], [x1]", APMU_ISA__A64, 0x0D200C20, 2, 2},
	{"st4 {v0.h-v3.h}[3], [x1]", APMU_ISA__A64, 0x0D207820, 4, 8},
	{"ldadd x0, x1, [x2]", APMU_ISA__A64, 0xF8200041, 2, 16},
	{"stadd w0, [x2]", APMU_ISA__A64, 0xB820005F, 1, 4},
	{"swpb w0, w1, [x2]", APMU_ISA__A64, 0x38208041, 2, 2},
	{"cas x0, x1, [x2]", APMU_ISA__A64, 0xC8A07C41, 2, 16},
	{"casp x0, x1, x2, x3, [x4]", APMU_ISA__A64, 0x48207C82, 4, 32},
	{"ldxp x0, x1, [x2]", APMU_ISA__A64, 0xC87F0440, 2, 16},
	{"stxr w0, x1, [x2]", APMU_ISA__A64, 0xC8007C41, 1, 8},
	{"add x0, x1, x2", APMU_ISA__A64, 0x8B020020, 0, 0},
	{"ld1w {z0.s}, p0/z, [x1]", APMU_ISA__A64, 0xA540A020, 0, 0},
	{"ldm r1, {r2-r5}", APMU_ISA__A32, 0xE891003C, 4, 16},
	{"push {r4, lr}", APMU_ISA__A32, 0xE92D4010, 2, 8},
	{"ldrd r2, r3, [r1]", APMU_ISA__A32, 0xE1C120D0, 2, 8},
	{"ldrh r0, [r1]", APMU_ISA__A32, 0xE1D100B0, 1, 2},
	{"vldr d0, [r1]", APMU_ISA__A32, 0xED910B00, 1, 8},
	{"vldm r1, {d0-d3}", APMU_ISA__A32, 0xEC910B08, 4, 32},
	{"vstm r1, {s0-s2}", APMU_ISA__A32, 0xEC810A03, 3, 12},
	{"swp r0, r1, [r2]", APMU_ISA__A32, 0xE1020091, 2, 8},
};
/* clang-format on */

TEST(elements_and_bytes_are_those_of_the_mnemonic)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct apmu_isa__stream stream = {.isa = (uint8_t)row[i].isa};
		struct apmu_insn insn;

		apmu_isa__classify(&stream, 0x1000, row[i].word, 4, &insn);
		apmu_isa__classify_operations(row[i].isa, row[i].word, &insn);
		if (insn.elements != row[i].elements || insn.bytes != row[i].bytes)
			printf("%s\n", row[i].text);
		CHECK_EQ(insn.elements, row[i].elements);
		CHECK_EQ(insn.bytes, row[i].bytes);
	}
}

/* clang-format off */
static const struct { const char *text; enum apmu_isa__isa isa; uint32_t word; unsigned aligned; } vectors[] = {
	{"vldr d0, [r3]", APMU_ISA__A32, 0xED930B00, 4},
	{"vldr s0, [r3]", APMU_ISA__A32, 0xED930A00, 0},
	{"vldm r3, {d0-d1}", APMU_ISA__A32, 0xEC930B04, 4},
	{"vpush {d8-d13}", APMU_ISA__T32, 0xED2D8B0C, 4},
	{"ldrd r4, r5, [r3]", APMU_ISA__A32, 0xE1C340D0, 0},
	{"vld1.8 {d0-d1}, [r2]", APMU_ISA__A32, 0xF4220A0F, 1},
	{"vld1.8 {d0-d1}, [r2]", APMU_ISA__T32, 0xF9220A0F, 1},
	{"vst1.8 {d0-d1}, [r2]", APMU_ISA__A32, 0xF4020A0F, 1},
	{"vld1.32 {d0}, [r3]", APMU_ISA__A32, 0xF423078F, 4},
	{"vld1.64 {d0}, [r3]", APMU_ISA__A32, 0xF42307CF, 8},
	{"vld1.8 {d0[1]}, [r2]", APMU_ISA__A32, 0xF4A2002F, 1},
	{"vld4.16 {d0[1], d1[1], d2[1], d3[1]}, [r2]", APMU_ISA__A32, 0xF4A2074F, 2},
	{"vld1.32 {d0[]}, [r3]", APMU_ISA__A32, 0xF4A30C8F, 4},
	{"ldr d0, [x3]", APMU_ISA__A64, 0xFD400060, 0},
	{"ld1 {v0.16b}, [x2]", APMU_ISA__A64, 0x4C407040, 1},
	{"st1 {v0.16b}, [x2]", APMU_ISA__A64, 0x4C007040, 1},
	{"ld1 {v0.4s}, [x3]", APMU_ISA__A64, 0x4C407860, 4},
	{"ld2 {v0.16b, v1.16b}, [x2]", APMU_ISA__A64, 0x4C408040, 1},
	{"ld1 {v0.b}[1], [x2]", APMU_ISA__A64, 0x0D400440, 1},
	{"ld1 {v0.h}[1], [x3]", APMU_ISA__A64, 0x0D404860, 2},
	{"ld1 {v0.s}[1], [x3]", APMU_ISA__A64, 0x0D409060, 4},
	{"ld1 {v0.d}[1], [x3]", APMU_ISA__A64, 0x4D408460, 8},
	{"ld4r {v0.8h-v3.8h}, [x3]", APMU_ISA__A64, 0x4D60E460, 2},
};
/* clang-format on */

TEST(addresses_of_vectors_must_be_multiples_of_an_element_or_a_word)
{
	for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
		struct apmu_isa__stream stream = {.isa = (uint8_t)vectors[i].isa};
		struct apmu_insn insn;

		apmu_isa__classify(&stream, 0x1000, vectors[i].word, 4, &insn);
		if (insn.aligned != vectors[i].aligned)
			printf("%s\n", vectors[i].text);
		CHECK_EQ(insn.aligned, vectors[i].aligned);
	}
}
