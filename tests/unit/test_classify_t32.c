/* SPDX-License-Identifier: MIT */
/* T32 encodings as arm-none-eabi-as makes them, each with the classification that the manual implies. */
#include "classify_case.h"

/* word, bytes, class, branch, flags, access width, registers of a list, registers read, written, target */
/* clang-format off */
static const struct classify_case cases[] = {
	{0xE006, 2, C(BRANCH), B(IMMED), 0, 0, 0, 0x0, 0x0, 0x10010, "b .+16"},
	{0xE77E, 2, C(BRANCH), B(IMMED), 0, 0, 0, 0x0, 0x0, 0xff00, "b.n .-0x100"},
	{0xD006, 2, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x0, 0x0, 0x10010, "beq.n .+16"},
	{0xB143, 2, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x8, 0x0, 0x10014, "cbz r3, .+20"},
	{0xF001BFFE, 4, C(BRANCH), B(IMMED), 0, 0, 0, 0x0, 0x0, 0x12000, "b.w .+0x2000"},
	{0xF7FDBFFE, 4, C(BRANCH), B(IMMED), 0, 0, 0, 0x0, 0x0, 0xe000, "b.w .-0x2000"},
	{0xF04187FE, 4, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x0, 0x0, 0x12000, "bne.w .+0x2000"},
	{0xF47DAFFE, 4, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x0, 0x0, 0xe000, "bne.w .-0x2000"},
	{0xF003FFFE, 4, C(BRANCH), B(IMMED_LINK), 0, 0, 0, 0x0, 0x4000, 0x14000, "bl .+0x4000"},
	{0xF7FBFFFE, 4, C(BRANCH), B(IMMED_LINK), 0, 0, 0, 0x0, 0x4000, 0xc000, "bl .-0x4000"},
	{0xF003EFFE, 4, C(BRANCH), B(IMMED_X), 0, 0, 0, 0x0, 0x4000, 0x14000, "blx .+0x4000"},
	{0x4770, 2, C(BRANCH), B(RETURN), 0, 0, 0, 0x4000, 0x0, 0, "bx lr"},
	{0x4718, 2, C(BRANCH), B(INDIRECT), 0, 0, 0, 0x8, 0x0, 0, "bx r3"},
	{0x4798, 2, C(BRANCH), B(INDIRECT_LINK), 0, 0, 0, 0x8, 0x4000, 0, "blx r3"},
	{0x46F7, 2, C(ALU), B(RETURN), 0, 0, 0, 0x4000, 0x0, 0, "mov pc, lr"},
	{0x469F, 2, C(ALU), B(INDIRECT), 0, 0, 0, 0x8, 0x0, 0, "mov pc, r3"},
	{0x449F, 2, C(ALU), B(INDIRECT), 0, 0, 0, 0x8, 0x0, 0, "add pc, r3"},
	{0xBD10, 2, C(LOAD), B(RETURN), MULTIPLE, 4, 2, 0x2000, 0x2010, 0, "pop {r4, pc}"},
	{0xE8BD8110, 4, C(LOAD), B(RETURN), MULTIPLE, 4, 3, 0x2000, 0x2110, 0, "pop.w {r4, r8, pc}"},
	{0xF85DFB04, 4, C(LOAD), B(RETURN), 0, 4, 0, 0x2000, 0x2000, 0, "ldr.w pc, [sp], #4"},
	{0xF8D3F008, 4, C(LOAD), B(LOAD_PC), 0, 4, 0, 0x8, 0x0, 0, "ldr.w pc, [r3, #8]"},
	{0xF8DFF008, 4, C(LOAD), B(LOAD_PC), 0, 4, 0, 0x0, 0x0, 0, "ldr.w pc, [pc, #8]"},
	{0xF853F024, 4, C(LOAD), B(LOAD_PC), 0, 4, 0, 0x18, 0x0, 0, "ldr.w pc, [r3, r4, lsl #2]"},
	{0xE8DFF003, 4, C(LOAD), B(INDIRECT), SUBWORD, 1, 0, 0x8, 0x0, 0, "tbb [pc, r3]"},
	{0xE8DFF013, 4, C(LOAD), B(INDIRECT), SUBWORD, 2, 0, 0x8, 0x0, 0, "tbh [pc, r3, lsl #1]"},
	{0xE9B2C000, 4, C(LOAD), B(LOAD_PC), DOUBLE | MODE, 4, 0, 0x4, 0x4, 0, "rfeia r2!"},
	{0xDF00, 2, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "svc #0"},
	{0xBE00, 2, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "bkpt #0"},
	{0xDE00, 2, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "udf #0"},
	{0x2001, 2, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "movs r0, #1"},
	{0x0008, 2, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "movs r0, r1"},
	{0x4688, 2, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x100, 0, "mov r8, r1"},
	{0x00C8, 2, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "lsls r0, r1, #3"},
	{0x4088, 2, C(ALU), B(NONE), SHIFT_REG, 0, 0, 0x3, 0x1, 0, "lsls r0, r1"},
	{0x1888, 2, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "adds r0, r1, r2"},
	{0x30C8, 2, C(ALU), B(NONE), 0, 0, 0, 0x1, 0x1, 0, "adds r0, #200"},
	{0xA802, 2, C(ALU), B(NONE), 0, 0, 0, 0x2000, 0x1, 0, "add r0, sp, #8"},
	{0xB082, 2, C(ALU), B(NONE), 0, 0, 0, 0x2000, 0x2000, 0, "sub sp, #8"},
	{0x2D01, 2, C(ALU), B(NONE), 0, 0, 0, 0x20, 0x0, 0, "cmp r5, #1"},
	{0x4545, 2, C(ALU), B(NONE), 0, 0, 0, 0x120, 0x0, 0, "cmp r5, r8"},
	{0x4208, 2, C(ALU), B(NONE), 0, 0, 0, 0x3, 0x0, 0, "tst r0, r1"},
	{0x4348, 2, C(MUL), B(NONE), 0, 0, 0, 0x3, 0x1, 0, "muls r0, r1, r0"},
	{0x4248, 2, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "negs r0, r1"},
	{0xB2C8, 2, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "uxtb r0, r1"},
	{0x6848, 2, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x1, 0, "ldr r0, [r1, #4]"},
	{0x4801, 2, C(LOAD), B(NONE), 0, 4, 0, 0x0, 0x1, 0, "ldr r0, [pc, #4]"},
	{0x9801, 2, C(LOAD), B(NONE), 0, 4, 0, 0x2000, 0x1, 0, "ldr r0, [sp, #4]"},
	{0x5C88, 2, C(LOAD), B(NONE), SUBWORD, 1, 0, 0x6, 0x1, 0, "ldrb r0, [r1, r2]"},
	{0x9001, 2, C(STORE), B(NONE), 0, 4, 0, 0x2001, 0x0, 0, "str r0, [sp, #4]"},
	{0x8048, 2, C(STORE), B(NONE), SUBWORD, 2, 0, 0x3, 0x0, 0, "strh r0, [r1, #2]"},
	{0xB503, 2, C(STORE), B(NONE), MULTIPLE, 4, 3, 0x6003, 0x2000, 0, "push {r0, r1, lr}"},
	{0xBC03, 2, C(LOAD), B(NONE), MULTIPLE, 4, 2, 0x2000, 0x2003, 0, "pop {r0, r1}"},
	{0xC006, 2, C(STORE), B(NONE), MULTIPLE, 4, 2, 0x7, 0x1, 0, "stmia r0!, {r1, r2}"},
	{0xC806, 2, C(LOAD), B(NONE), MULTIPLE, 4, 2, 0x1, 0x7, 0, "ldmia r0!, {r1, r2}"},
	{0xC805, 2, C(LOAD), B(NONE), MULTIPLE, 4, 2, 0x1, 0x5, 0, "ldmia r0, {r0, r2}"},
	{0xBF00, 2, C(NOP), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "nop"},
	{0xBF08, 2, C(NOP), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "it eq"},
	{0xB672, 2, C(SYSTEM), B(NONE), MODE, 0, 0, 0x0, 0x0, 0, "cpsid i"},
	{0xBA08, 2, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "rev r0, r1"},
	{0xEB010082, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "add.w r0, r1, r2, lsl #2"},
	{0xEA4F0038, 4, C(ALU), B(NONE), 0, 0, 0, 0x100, 0x1, 0, "mov.w r0, r8, rrx"},
	{0xEBB10F82, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x0, 0, "cmp.w r1, r2, lsl #2"},
	{0xFA01F002, 4, C(ALU), B(NONE), SHIFT_REG, 0, 0, 0x6, 0x1, 0, "lsl.w r0, r1, r2"},
	{0xF44F7080, 4, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "mov.w r0, #0x100"},
	{0xF5017080, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "add.w r0, r1, #0x100"},
	{0xF4117F80, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x0, 0, "tst.w r1, #0x100"},
	{0xF2412034, 4, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "movw r0, #0x1234"},
	{0xF2C12034, 4, C(ALU), B(NONE), 0, 0, 0, 0x1, 0x1, 0, "movt r0, #0x1234"},
	{0xF2011023, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "addw r0, r1, #0x123"},
	{0xF36100C6, 4, C(ALU), B(NONE), 0, 0, 0, 0x3, 0x1, 0, "bfi r0, r1, #3, #4"},
	{0xF3C100C3, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "ubfx r0, r1, #3, #4"},
	{0xFAB1F081, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "clz r0, r1"},
	{0xFA5FF881, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x100, 0, "uxtb.w r8, r1"},
	{0xFB01F008, 4, C(MUL), B(NONE), 0, 0, 0, 0x102, 0x1, 0, "mul r0, r1, r8"},
	{0xFB013002, 4, C(MUL), B(NONE), 0, 0, 0, 0xE, 0x1, 0, "mla r0, r1, r2, r3"},
	{0xFB820103, 4, C(MUL_LONG), B(NONE), 0, 0, 0, 0xC, 0x3, 0, "smull r0, r1, r2, r3"},
	{0xFBE20103, 4, C(MUL_LONG), B(NONE), 0, 0, 0, 0xF, 0x3, 0, "umlal r0, r1, r2, r3"},
	{0xFB11F002, 4, C(MUL_HALF), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "smulbb r0, r1, r2"},
	{0xFBC201C3, 4, C(MUL_HALF), B(NONE), 0, 0, 0, 0xF, 0x3, 0, "smlald r0, r1, r2, r3"},
	{0xFB513002, 4, C(MUL_HIGH), B(NONE), 0, 0, 0, 0xE, 0x1, 0, "smmla r0, r1, r2, r3"},
	{0xFB91F0F2, 4, C(DIV), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "sdiv r0, r1, r2"},
	{0xF8D10100, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x1, 0, "ldr.w r0, [r1, #0x100]"},
	{0xF8510B04, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x3, 0, "ldr.w r0, [r1], #4"},
	{0xF8510C04, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x1, 0, "ldr.w r0, [r1, #-4]"},
	{0xF85F0004, 4, C(LOAD), B(NONE), 0, 4, 0, 0x0, 0x1, 0, "ldr.w r0, [pc, #-4]"},
	{0xF8510028, 4, C(LOAD), B(NONE), 0, 4, 0, 0x102, 0x1, 0, "ldr.w r0, [r1, r8, lsl #2]"},
	{0xF83F1010, 4, C(LOAD), B(NONE), SUBWORD, 2, 0, 0x0, 0x2, 0, "ldrh.w r1, [pc, #-16]"},
	{0xF99F1010, 4, C(LOAD), B(NONE), SUBWORD, 1, 0, 0x0, 0x2, 0, "ldrsb.w r1, [pc, #16]"},
	{0xF9121C04, 4, C(LOAD), B(NONE), SUBWORD, 1, 0, 0x4, 0x2, 0, "ldrsb.w r1, [r2, #-4]"},
	{0xF9310D02, 4, C(LOAD), B(NONE), SUBWORD, 2, 0, 0x2, 0x3, 0, "ldrsh.w r0, [r1, #-2]!"},
	{0xF8810100, 4, C(STORE), B(NONE), SUBWORD, 1, 0, 0x3, 0x0, 0, "strb.w r0, [r1, #0x100]"},
	{0xF8410F04, 4, C(STORE), B(NONE), 0, 4, 0, 0x3, 0x2, 0, "str.w r0, [r1, #4]!"},
	{0xE9D20102, 4, C(LOAD), B(NONE), DOUBLE, 4, 0, 0x4, 0x3, 0, "ldrd r0, r1, [r2, #8]"},
	{0xE8E20102, 4, C(STORE), B(NONE), DOUBLE, 4, 0, 0x7, 0x4, 0, "strd r0, r1, [r2], #8"},
	{0xE9300102, 4, C(LOAD), B(NONE), MULTIPLE, 4, 2, 0x1, 0x103, 0, "ldmdb r0!, {r1, r8}"},
	{0xE92D43F0, 4, C(STORE), B(NONE), MULTIPLE, 4, 7, 0x63F0, 0x2000, 0, "stmdb sp!, {r4-r9, lr}"},
	{0xE8510F00, 4, C(LOAD), B(NONE), EXCLUSIVE, 4, 0, 0x2, 0x1, 0, "ldrex r0, [r1]"},
	{0xE8412000, 4, C(STORE), B(NONE), EXCLUSIVE, 4, 0, 0x6, 0x1, 0, "strex r0, r2, [r1]"},
	{0xE8D1237F, 4, C(LOAD), B(NONE), EXCLUSIVE | DOUBLE, 4, 0, 0x2, 0xC, 0, "ldrexd r2, r3, [r1]"},
	{0xE8C12370, 4, C(STORE), B(NONE), EXCLUSIVE | DOUBLE, 4, 0, 0xE, 0x1, 0, "strexd r0, r2, r3, [r1]"},
	{0xE8D21FDF, 4, C(LOAD), B(NONE), EXCLUSIVE | SUBWORD, 2, 0, 0x4, 0x2, 0, "ldaexh r1, [r2]"},
	{0xE8D21FCF, 4, C(LOAD), B(NONE), EXCLUSIVE | SUBWORD, 1, 0, 0x4, 0x2, 0, "ldaexb r1, [r2]"},
	{0xE8D21F9F, 4, C(LOAD), B(NONE), SUBWORD, 2, 0, 0x4, 0x2, 0, "ldah r1, [r2]"},
	{0xE8C21FD0, 4, C(STORE), B(NONE), EXCLUSIVE | SUBWORD, 2, 0, 0x6, 0x1, 0, "stlexh r0, r1, [r2]"},
	{0xE8C12F50, 4, C(STORE), B(NONE), EXCLUSIVE | SUBWORD, 2, 0, 0x6, 0x1, 0, "strexh r0, r2, [r1]"},
	{0xF890F020, 4, C(PRELOAD), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "pld [r0, #32]"},
	{0xF810F001, 4, C(PRELOAD), B(NONE), 0, 0, 0, 0x3, 0x0, 0, "pld [r0, r1]"},
	{0xF3BF8F4F, 4, C(BARRIER), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "dsb sy"},
	{0xF3BF8F5F, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "dmb sy"},
	{0xF3AF8000, 4, C(NOP), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "nop.w"},
	{0xF3EF8000, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "mrs r0, cpsr"},
	{0xF3808800, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "msr cpsr_f, r0"},
	{0xEE1D3F70, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x8, 0, "mrc p15, 0, r3, c13, c0, 3"},
	{0xED915B00, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x2000000000, 0, "vldr d5, [r1]"},
	{0xEE310A02, 4, C(VFP), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "vadd.f32 s0, s2, s4"},
	{0xEF210822, 4, C(SIMD), B(NONE), 0, 0, 0, 0x4000200000000, 0x100000000, 0, "vadd.i32 d0, d1, d18"},
	{0xF920070F, 4, C(LOAD), B(NONE), 0, 8, 0, 0x1, 0x100000000, 0, "vld1.8 {d0}, [r0]"},
};
/* clang-format on */

TEST(every_t32_encoding_is_what_its_mnemonic_says)
{
	CHECK_CASES(cases, APMU_ISA__T32);
}

/* ITTE NE covers the next three instructions and no more. */
TEST(an_it_block_makes_its_instructions_conditional)
{
	static const uint16_t code[] = {0xBF1A /* itte ne */, 0x3101, 0x3101, 0x3201, 0x3101};
	static const bool conditional[] = {false, true, true, true, false};
	struct apmu_isa__stream stream = {.isa = APMU_ISA__T32};
	struct apmu_insn got;

	for (unsigned i = 0; i < 5; i++) {
		CHECK(apmu_isa__classify(&stream, 0x8000 + 2 * i, code[i], 2, &got));
		CHECK_EQ((got.flags & APMU_INSN_CONDITIONAL) != 0, conditional[i]);
	}
}

/* BLX from an address that is 2 mod 4 counts from the aligned PC (DDI0406C A8.8.25). */
TEST(blx_to_a32_lands_on_a_word)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__T32};
	struct apmu_insn got;

	apmu_isa__classify(&stream, 0x8002, 0xF000E802, 4, &got); /* blx . + 4 - 2 + 4 */
	CHECK_EQ(got.branch, APMU_BRANCH_IMMED_X);
	CHECK_EQ(got.target, 0x8008);
}

TEST(the_first_halfword_tells_the_size)
{
	CHECK_EQ(apmu_isa__thumb_size(0x4770), 2);
	CHECK_EQ(apmu_isa__thumb_size(0xE7FE), 2); /* B */
	CHECK_EQ(apmu_isa__thumb_size(0xE8BD), 4); /* POP.W */
	CHECK_EQ(apmu_isa__thumb_size(0xF7FF), 4); /* BL */
}

TEST(a_condition_of_111x_is_no_branch)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__T32};
	struct apmu_insn got;

	CHECK_EQ(apmu_isa__classify(&stream, 0x8000, 0xF7C08000, 4, &got), false);
	CHECK_EQ(got.cls, APMU_CLASS_UNKNOWN);
}

TEST(opcode_bytes_are_read_as_the_guest_has_them)
{
	static const uint8_t bytes[] = {0x2D, 0xE9, 0xF0, 0x41}; /* push.w {r4-r8, lr} */

	CHECK_EQ(apmu_isa__opcode(APMU_ISA__T32, bytes, 4), 0xE92D41F0);
	CHECK_EQ(apmu_isa__opcode(APMU_ISA__T32, bytes, 2), 0xE92D);
	CHECK_EQ(apmu_isa__opcode(APMU_ISA__A32, bytes, 4), 0x41F0E92D);
}
