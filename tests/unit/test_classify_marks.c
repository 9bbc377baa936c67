/* SPDX-License-Identifier: MIT */
/* The marks of include/apmu/mark.h: every number, in each instruction set. */
#include "isa/classify.h"

#include "test.h"

/* EOR, SUB, ADD or ORR of R0 or R1 with #0, rotated. */
static uint32_t a32_mark(uint32_t n)
{
	static const uint32_t operation[4] = {1, 2, 4, 12};
	uint32_t r = n >> 3 & 1;

	return 0xE2000000 | operation[n >> 4] << 21 | r << 16 | r << 12 | (8 | (n & 7)) << 8;
}

TEST(a_mark_has_its_number_in_each_instruction_set)
{
	for (uint32_t n = 0; n < 64; n++) {
		CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A64, 0xD280001F | n << 5, 4), n);
		CHECK_EQ(apmu_isa__mark_number(APMU_ISA__T32, 0xF3AF8040 + n, 4), n);
		CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, a32_mark(n), 4), n);
	}
}

TEST(instructions_that_programs_have_are_no_marks)
{
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A64, 0xD280081F, 4), -1); /* mov xzr, #64 */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A64, 0xD2800020, 4), -1); /* mov x0, #1 */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__T32, 0xF3AF8000, 4), -1); /* nop.w */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__T32, 0xBF00, 2), -1);     /* nop */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, 0xE2200000, 4), -1); /* eor r0, r0, #0 */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, 0xE2201800, 4), -1); /* r1 from r0 */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, 0xE2222800, 4), -1); /* r2 */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, 0xE2200801, 4), -1); /* #0x10000 */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, 0xE2300800, 4), -1); /* eors */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, 0x02200800, 4), -1); /* eoreq */
	CHECK_EQ(apmu_isa__mark_number(APMU_ISA__A32, 0xE2000800, 4), -1); /* and */
}
