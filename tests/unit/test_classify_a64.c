/* SPDX-License-Identifier: MIT */
/* A64 encodings as aarch64-linux-gnu-as makes them, each with what the instruction is by the manual. */
#include "classify_case.h"

/* word, bytes, class, branch, flags, access width, registers of a list, registers read, written, target */
/* clang-format off */
static const struct classify_case cases[] = {
	{0x14000004, 4, C(BRANCH), B(IMMED), 0, 0, 0, 0x0, 0x0, 0x10010, "b .+16"},
	{0x97FFFFFC, 4, C(BRANCH), B(IMMED_LINK), 0, 0, 0, 0x0, 0x40000000, 0xfff0, "bl .-16"},
	{0x54FFFFC1, 4, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x0, 0x0, 0xfff8, "b.ne .-8"},
	{0xB4000103, 4, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x8, 0x0, 0x10020, "cbz x3, .+32"},
	{0x372FFF03, 4, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x8, 0x0, 0xffe0, "tbnz w3, #5, .-32"},
	{0xD61F0220, 4, C(BRANCH), B(INDIRECT), 0, 0, 0, 0x20000, 0x0, 0, "br x17"},
	{0xD63F0100, 4, C(BRANCH), B(INDIRECT_LINK), 0, 0, 0, 0x100, 0x40000000, 0, "blr x8"},
	{0xD65F03C0, 4, C(BRANCH), B(RETURN), 0, 0, 0, 0x40000000, 0x0, 0, "ret"},
	{0xD65F00A0, 4, C(BRANCH), B(RETURN), 0, 0, 0, 0x20, 0x0, 0, "ret x5"},
	{0xD65F0BFF, 4, C(BRANCH), B(RETURN), 0, 0, 0, 0xC0000000, 0x0, 0, "retaa"},
	{0xD61F087F, 4, C(BRANCH), B(INDIRECT), 0, 0, 0, 0x8, 0x0, 0, "braaz x3"},
	{0xD73F0864, 4, C(BRANCH), B(INDIRECT_LINK), 0, 0, 0, 0x18, 0x40000000, 0, "blraa x3, x4"},
	{0xD4000001, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "svc #0"},
	{0xD4200020, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "brk #1"},
	{0x00000000, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "udf #0"},
	{0xD69F03E0, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "eret"},
	{0xD503201F, 4, C(NOP), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "nop"},
	{0xD503233F, 4, C(NOP), B(NONE), 0, 0, 0, 0xC0000000, 0x40000000, 0, "paciasp"},
	{0xD5033F9F, 4, C(BARRIER), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "dsb sy"},
	{0xD5033BBF, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "dmb ish"},
	{0xD5033FDF, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "isb"},
	{0xD53BD040, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "mrs x0, tpidr_el0"},
	{0xD51BD040, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "msr tpidr_el0, x0"},
	{0xD50B7420, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "dc zva, x0"},
	{0xD50342DF, 4, C(SYSTEM), B(NONE), MODE, 0, 0, 0x0, 0x0, 0, "msr daifset, #2"},
	{0x90000000, 4, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "adrp x0, ."},
	{0x910043FF, 4, C(ALU), B(NONE), 0, 0, 0, 0x80000000, 0x80000000, 0, "add sp, sp, #16"},
	{0x91004020, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "add x0, x1, #16"},
	{0xF100403F, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x0, 0, "cmp x1, #16"},
	{0xF10043FF, 4, C(ALU), B(NONE), 0, 0, 0, 0x80000000, 0x0, 0, "cmp sp, #16"},
	{0x8B020020, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "add x0, x1, x2"},
	{0x8B020C20, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "add x0, x1, x2, lsl #3"},
	{0x8B2243E0, 4, C(ALU), B(NONE), 0, 0, 0, 0x80000004, 0x1, 0, "add x0, sp, w2, uxtw"},
	{0xAA0103E0, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "mov x0, x1"},
	{0xD2800020, 4, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "mov x0, #1"},
	{0xF2A00020, 4, C(ALU), B(NONE), 0, 0, 0, 0x1, 0x1, 0, "movk x0, #1, lsl #16"},
	{0x92401C20, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "and x0, x1, #0xff"},
	{0xF2401C3F, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x0, 0, "tst x1, #0xff"},
	{0xD37DF020, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "lsl x0, x1, #3"},
	{0x9AC22020, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "lsl x0, x1, x2"},
	{0xB37D0C20, 4, C(ALU), B(NONE), 0, 0, 0, 0x3, 0x1, 0, "bfi x0, x1, #3, #4"},
	{0x93C20C20, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "extr x0, x1, x2, #3"},
	{0x9A820020, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "csel x0, x1, x2, eq"},
	{0xFA431820, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x0, 0, "ccmp x1, #3, #0, ne"},
	{0x9A020020, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "adc x0, x1, x2"},
	{0xDAC01020, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "clz x0, x1"},
	{0x9AC24C20, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "crc32x w0, w1, x2"},
	{0x9B027C20, 4, C(MUL_64), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "mul x0, x1, x2"},
	{0x1B020C20, 4, C(MUL), B(NONE), 0, 0, 0, 0xE, 0x1, 0, "madd w0, w1, w2, w3"},
	{0x9B227C20, 4, C(MUL_LONG), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "smull x0, w1, w2"},
	{0x9BC27C20, 4, C(MUL_HIGH), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "umulh x0, x1, x2"},
	{0x9AC20820, 4, C(DIV), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "udiv x0, x1, x2"},
	{0xF9400020, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x1, 0, "ldr x0, [x1]"},
	{0xB94007E0, 4, C(LOAD), B(NONE), 0, 4, 0, 0x80000000, 0x1, 0, "ldr w0, [sp, #4]"},
	{0xF8408420, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x3, 0, "ldr x0, [x1], #8"},
	{0xF8408C20, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x3, 0, "ldr x0, [x1, #8]!"},
	{0xF85FD020, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x1, 0, "ldur x0, [x1, #-3]"},
	{0xF8627820, 4, C(LOAD), B(NONE), 0, 8, 0, 0x6, 0x1, 0, "ldr x0, [x1, x2, lsl #3]"},
	{0xB9800020, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x1, 0, "ldrsw x0, [x1]"},
	{0x39400020, 4, C(LOAD), B(NONE), SUBWORD, 1, 0, 0x2, 0x1, 0, "ldrb w0, [x1]"},
	{0x58000040, 4, C(LOAD), B(NONE), 0, 8, 0, 0x0, 0x1, 0, "ldr x0, .+8"},
	{0x79000420, 4, C(STORE), B(NONE), SUBWORD, 2, 0, 0x3, 0x0, 0, "strh w0, [x1, #2]"},
	{0xF900003F, 4, C(STORE), B(NONE), 0, 8, 0, 0x2, 0x0, 0, "str xzr, [x1]"},
	{0xF81F0FE0, 4, C(STORE), B(NONE), 0, 8, 0, 0x80000001, 0x80000000, 0, "str x0, [sp, #-16]!"},
	{0xA8C17BFD, 4, C(LOAD), B(NONE), DOUBLE, 8, 0, 0x80000000, 0xE0000000, 0, "ldp x29, x30, [sp], #16"},
	{0xA9BF7BFD, 4, C(STORE), B(NONE), DOUBLE, 8, 0, 0xE0000000, 0x80000000, 0, "stp x29, x30, [sp, #-16]!"},
	{0x29000801, 4, C(STORE), B(NONE), DOUBLE, 4, 0, 0x7, 0x0, 0, "stp w1, w2, [x0]"},
	{0x69400801, 4, C(LOAD), B(NONE), DOUBLE, 4, 0, 0x1, 0x6, 0, "ldpsw x1, x2, [x0]"},
	{0x3DC00023, 4, C(LOAD), B(NONE), 0, 16, 0, 0x2, 0x800000000, 0, "ldr q3, [x1]"},
	{0xFD000423, 4, C(STORE), B(NONE), 0, 8, 0, 0x800000002, 0x0, 0, "str d3, [x1, #8]"},
	{0xAD400440, 4, C(LOAD), B(NONE), DOUBLE, 16, 0, 0x4, 0x300000000, 0, "ldp q0, q1, [x2]"},
	{0x4CDF7020, 4, C(LOAD), B(NONE), 0, 16, 0, 0x2, 0x100000002, 0, "ld1 {v0.16b}, [x1], #16"},
	{0x4C007020, 4, C(STORE), B(NONE), 0, 16, 0, 0x100000002, 0x0, 0, "st1 {v0.16b}, [x1]"},
	{0x885F7C20, 4, C(LOAD), B(NONE), EXCLUSIVE, 4, 0, 0x2, 0x1, 0, "ldxr w0, [x1]"},
	{0xC802FC20, 4, C(STORE), B(NONE), EXCLUSIVE, 8, 0, 0x3, 0x4, 0, "stlxr w2, x0, [x1]"},
	{0xC87F0C20, 4, C(LOAD), B(NONE), EXCLUSIVE | DOUBLE, 8, 0, 0x2, 0x9, 0, "ldxp x0, x3, [x1]"},
	{0xC8220C20, 4, C(STORE), B(NONE), EXCLUSIVE | DOUBLE, 8, 0, 0xB, 0x4, 0, "stxp w2, x0, x3, [x1]"},
	{0xC8DFFC20, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x1, 0, "ldar x0, [x1]"},
	{0x889FFC20, 4, C(STORE), B(NONE), 0, 4, 0, 0x3, 0x0, 0, "stlr w0, [x1]"},
	{0xF8BFC020, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x1, 0, "ldapr x0, [x1]"},
	{0xF8E00022, 4, C(SWAP), B(NONE), 0, 8, 0, 0x3, 0x4, 0, "ldaddal x0, x2, [x1]"},
	{0x38208022, 4, C(SWAP), B(NONE), SUBWORD, 1, 0, 0x3, 0x4, 0, "swpb w0, w2, [x1]"},
	{0xC8A07C22, 4, C(SWAP), B(NONE), 0, 8, 0, 0x7, 0x1, 0, "cas x0, x2, [x1]"},
	{0x48207C82, 4, C(SWAP), B(NONE), DOUBLE, 8, 0, 0x1F, 0x3, 0, "casp x0, x1, x2, x3, [x4]"},
	{0xF9800000, 4, C(PRELOAD), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "prfm pldl1keep, [x0]"},
	{0x1E622820, 4, C(VFP), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "fadd d0, d1, d2"},
	{0x1F420C20, 4, C(VFP_MAC), B(NONE), 0, 0, 0, 0xE00000000, 0x100000000, 0, "fmadd d0, d1, d2, d3"},
	{0x1E621820, 4, C(VFP_DIV_64), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "fdiv d0, d1, d2"},
	{0x1E21C020, 4, C(VFP_DIV), B(NONE), 0, 0, 0, 0x200000000, 0x100000000, 0, "fsqrt s0, s1"},
	{0x9E660020, 4, C(VFP), B(NONE), 0, 0, 0, 0x200000000, 0x1, 0, "fmov x0, d1"},
	{0x9E670001, 4, C(VFP), B(NONE), 0, 0, 0, 0x1, 0x200000000, 0, "fmov d1, x0"},
	{0x9E620001, 4, C(VFP), B(NONE), 0, 0, 0, 0x1, 0x200000000, 0, "scvtf d1, x0"},
	{0x9E780020, 4, C(VFP), B(NONE), 0, 0, 0, 0x200000000, 0x1, 0, "fcvtzs x0, d1"},
	{0x4EA28420, 4, C(SIMD), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "add v0.4s, v1.4s, v2.4s"},
	{0x6E22FC20, 4, C(VFP_DIV), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "fdiv v0.4s, v1.4s, v2.4s"},
	{0x6E62FC20, 4, C(VFP_DIV_64), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "fdiv v0.2d, v1.2d, v2.2d"},
};
/* clang-format on */

TEST(every_a64_encoding_is_what_its_mnemonic_says)
{
	CHECK_CASES(cases, APMU_ISA__A64);
}

TEST(an_a64_word_that_no_row_has_is_unknown)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	struct apmu_insn got;

	CHECK_EQ(apmu_isa__classify(&stream, 0x400000, 0xD9200800, 4, &got), false); /* STG: no row */
	CHECK_EQ(got.cls, APMU_CLASS_UNKNOWN);
}
