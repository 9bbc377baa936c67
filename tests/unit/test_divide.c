/* SPDX-License-Identifier: MIT */
/* The operands of divisions, on encodings by GNU as, and the length of quotients in bits. */
#include "test.h"

#include "isa/divide.h"

TEST(operands_are_where_assemblers_put_them)
{
	static const struct {
		enum apmu_isa__isa isa;
		uint32_t word;
		unsigned dividend, divisor;
		bool wide, with_sign;
	} row[] = {
		{APMU_ISA__A64, 0x9AC30841, 2, 3, true, false},   /* udiv x1, x2, x3 */
		{APMU_ISA__A64, 0x1AC30C41, 2, 3, false, true},   /* sdiv w1, w2, w3 */
		{APMU_ISA__A64, 0x9ADF0FC0, 30, 31, true, true},  /* sdiv x0, x30, xzr */
		{APMU_ISA__A32, 0xE711F312, 2, 3, false, true},   /* sdiv r1, r2, r3 */
		{APMU_ISA__A32, 0x0731F312, 2, 3, false, false},  /* udiveq r1, r2, r3 */
		{APMU_ISA__T32, 0xFB92F1F3, 2, 3, false, true},   /* sdiv r1, r2, r3 */
		{APMU_ISA__T32, 0xFBBCF1FE, 12, 14, false, false} /* udiv r1, r12, lr */
	};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct apmu_isa__divide d = apmu_isa__divide_decode(row[i].isa, row[i].word);

		CHECK_EQ(d.dividend, row[i].dividend);
		CHECK_EQ(d.divisor, row[i].divisor);
		CHECK_EQ(d.wide, row[i].wide);
		CHECK_EQ(d.with_sign, row[i].with_sign);
	}
}

TEST(bits_are_those_of_what_is_divided_without_its_sign)
{
	static const struct {
		uint64_t dividend, divisor;
		bool wide, with_sign;
		unsigned bits;
	} row[] = {
		{1, 1, false, false, 1},
		{0, 7, false, false, 0},
		{7, 0, false, false, 0},
		{7, 8, false, false, 0},
		{4, 7, false, false, 1}, /* operands of equal length: one bit, although the quotient is 0 */
		{0xFFFFFFFF, 1, false, false, 32},
		{0xFFFFFFFF, 1, false, true, 1}, /* -1 / 1 */
		{0x80000000, 0xFFFFFFFF, false, true, 32},
		{0xABCD00000008, 2, false, false, 3}, /* the upper half is ignored */
		{0xABCD00000008, 2, true, false, 47},
		{UINT64_MAX, 1, true, false, 64},
		{0 - (uint64_t)1000, 10, true, true, 7},
		{1000, 0 - (uint64_t)10, true, true, 7},
	};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct apmu_isa__divide d = {.wide = row[i].wide, .with_sign = row[i].with_sign};

		CHECK_EQ(apmu_isa__divide_bits(&d, row[i].dividend, row[i].divisor), row[i].bits);
	}
}
