/* SPDX-License-Identifier: MIT */
/* Types and operations of A32 and T32 instructions. The GNU assembler made the words; mnemonics give the
 * expectation. */
#include "isa/classify.h"

#include "test.h"

#define T(trait) ((uint64_t)1 << APMU_TRAIT_##trait)
#define FIXED(n) ((uint64_t)1 << (APMU_TRAIT_FIXED + __builtin_ctz(n)))

/* clang-format off */
static const struct {
	const char *text;
	enum apmu_isa__isa isa;
	uint32_t word;
	uint64_t traits;
} row[] = {
	{"vadd.f32 s0, s1, s2", APMU_ISA__A32, 0xEE300A81, T(FP_SINGLE) | FIXED(1)},
	{"vadd.f64 d0, d1, d2", APMU_ISA__A32, 0xEE310B02, T(FP_DOUBLE) | FIXED(1)},
	{"vadd.f16 s0, s1, s2", APMU_ISA__A32, 0xEE300981, T(FP_HALF) | FIXED(1)},
	{"vmla.f32 s0, s1, s2", APMU_ISA__A32, 0xEE000A81, T(FP_SINGLE) | FIXED(2)},
	{"vnmls.f64 d0, d1, d2", APMU_ISA__A32, 0xEE110B02, T(FP_DOUBLE) | FIXED(2)},
	{"vfma.f32 s0, s1, s2", APMU_ISA__A32, 0xEEA00A81, T(FP_SINGLE) | FIXED(2)},
	{"vfnms.f64 d0, d1, d2", APMU_ISA__A32, 0xEE910B02, T(FP_DOUBLE) | FIXED(2)},
	{"vmul.f32 s0, s1, s2", APMU_ISA__A32, 0xEE200A81, T(FP_SINGLE) | FIXED(1)},
	{"vdiv.f64 d0, d1, d2", APMU_ISA__A32, 0xEE810B02, T(FP_DOUBLE) | FIXED(1)},
	{"vsqrt.f32 s0, s1", APMU_ISA__A32, 0xEEB10AE0, T(FP_SINGLE) | FIXED(1)},
	{"vabs.f64 d0, d1", APMU_ISA__A32, 0xEEB00BC1, T(FP_DOUBLE) | FIXED(1)},
	{"vcmp.f32 s0, s1", APMU_ISA__A32, 0xEEB40A60, T(FP_SINGLE) | FIXED(1)},
	{"vcvt.f64.f32 d0, s1", APMU_ISA__A32, 0xEEB70AE0, T(FP_DOUBLE) | FIXED(1)},
	{"vcvt.f32.f64 s0, d1", APMU_ISA__A32, 0xEEB70BC1, T(FP_DOUBLE) | FIXED(1)},
	{"vcvt.s32.f32 s0, s1", APMU_ISA__A32, 0xEEBD0AE0, T(FP_SINGLE) | FIXED(1)},
	{"vcvt.f64.s32 d0, s1", APMU_ISA__A32, 0xEEB80BE0, T(FP_DOUBLE) | FIXED(1)},
	{"vcvtb.f32.f16 s0, s1", APMU_ISA__A32, 0xEEB20A60, T(FP_SINGLE) | FIXED(1)},
	{"vrintz.f64 d0, d1", APMU_ISA__A32, 0xEEB60BC1, T(FP_DOUBLE) | FIXED(1)},
	{"vrinta.f32 s0, s1", APMU_ISA__A32, 0xFEB80A60, T(FP_SINGLE) | FIXED(1)},
	{"vmaxnm.f64 d0, d1, d2", APMU_ISA__A32, 0xFE810B02, T(FP_DOUBLE) | FIXED(1)},
	{"vmov.f32 s0, #1.0", APMU_ISA__A32, 0xEEB70A00, 0},
	{"vmov.f64 d0, d1", APMU_ISA__A32, 0xEEB00B41, 0},
	{"vmov s0, r1", APMU_ISA__A32, 0xEE001A10, 0},
	{"vseleq.f32 s0, s1, s2", APMU_ISA__A32, 0xFE000A81, 0},
	{"vaddne.f32 s0, s1, s2", APMU_ISA__A32, 0x1E300A81, T(FP_SINGLE) | FIXED(1)},
	{"vadd.f32 q0, q1, q2", APMU_ISA__A32, 0xF2020D44, T(FP_SINGLE) | FIXED(4)},
	{"vadd.f32 d0, d1, d2", APMU_ISA__A32, 0xF2010D02, T(FP_SINGLE) | FIXED(2)},
	{"vadd.f16 q0, q1, q2", APMU_ISA__A32, 0xF2120D44, T(FP_HALF) | FIXED(8)},
	{"vpadd.f32 d0, d1, d2", APMU_ISA__A32, 0xF3010D02, T(FP_SINGLE) | FIXED(2)},
	{"vmla.f32 q0, q1, q2", APMU_ISA__A32, 0xF2020D54, T(FP_SINGLE) | FIXED(8)},
	{"vfms.f32 d0, d1, d2", APMU_ISA__A32, 0xF2210C12, T(FP_SINGLE) | FIXED(4)},
	{"vmul.f32 q0, q1, d2[1]", APMU_ISA__A32, 0xF3A20962, T(FP_SINGLE) | FIXED(4)},
	{"vmla.f32 d0, d1, d2[0]", APMU_ISA__A32, 0xF2A10142, T(FP_SINGLE) | FIXED(4)},
	{"vmul.f32 q0, q1, q2", APMU_ISA__A32, 0xF3020D54, T(FP_SINGLE) | FIXED(4)},
	{"vceq.f32 q0, q1, q2", APMU_ISA__A32, 0xF2020E44, T(FP_SINGLE) | FIXED(4)},
	{"vcgt.f32 q0, q1, #0", APMU_ISA__A32, 0xF3B90442, T(FP_SINGLE) | FIXED(4)},
	{"vmax.f32 d0, d1, d2", APMU_ISA__A32, 0xF2010F02, T(FP_SINGLE) | FIXED(2)},
	{"vrecps.f32 q0, q1, q2", APMU_ISA__A32, 0xF2020F54, T(FP_SINGLE) | FIXED(4)},
	{"vabs.f32 q0, q1", APMU_ISA__A32, 0xF3B90742, T(FP_SINGLE) | FIXED(4)},
	{"vcvt.s32.f32 q0, q1", APMU_ISA__A32, 0xF3BB0742, T(FP_SINGLE) | FIXED(4)},
	{"vcvt.f32.u32 q0, q1, #3", APMU_ISA__A32, 0xF3BD0E52, T(FP_SINGLE) | FIXED(4)},
	{"vcvt.f32.f16 q0, d2", APMU_ISA__A32, 0xF3B60702, T(FP_SINGLE) | FIXED(4)},
	{"vrecpe.f32 q0, q1", APMU_ISA__A32, 0xF3BB0542, T(FP_SINGLE) | FIXED(4)},
	{"vrecpe.u32 q0, q1", APMU_ISA__A32, 0xF3BB0442, T(INT_32)},
	{"vrintn.f32 q0, q1", APMU_ISA__A32, 0xF3BA0442, T(FP_SINGLE) | FIXED(4)},
	{"vadd.i8 q0, q1, q2", APMU_ISA__A32, 0xF2020844, T(INT_8)},
	{"vadd.i64 d0, d1, d2", APMU_ISA__A32, 0xF2310802, T(INT_64)},
	{"vmul.i16 q0, q1, q2", APMU_ISA__A32, 0xF2120954, T(INT_16)},
	{"vmla.i32 q0, q1, q2", APMU_ISA__A32, 0xF2220944, T(INT_32)},
	{"vmul.p8 q0, q1, q2", APMU_ISA__A32, 0xF3020954, T(INT_8)},
	{"vand q0, q1, q2", APMU_ISA__A32, 0xF2020154, T(INT_8)},
	{"veor d0, d1, d2", APMU_ISA__A32, 0xF3010112, T(INT_8)},
	{"vmvn q0, q1", APMU_ISA__A32, 0xF3B005C2, T(INT_8)},
	{"vcnt.8 q0, q1", APMU_ISA__A32, 0xF3B00542, T(INT_8)},
	{"vaddl.s8 q0, d1, d2", APMU_ISA__A32, 0xF2810002, T(INT_16)},
	{"vmull.s16 q0, d1, d2", APMU_ISA__A32, 0xF2910C02, T(INT_32)},
	{"vmull.p8 q0, d1, d2", APMU_ISA__A32, 0xF2810E02, T(INT_16)},
	{"vmull.s16 q0, d1, d2[1]", APMU_ISA__A32, 0xF2910A4A, T(INT_32)},
	{"vmul.i32 q0, q1, d2[1]", APMU_ISA__A32, 0xF3A20862, T(INT_32)},
	{"vqdmull.s32 q0, d1, d2[1]", APMU_ISA__A32, 0xF2A10B62, T(INT_64)},
	{"vqdmlal.s16 q0, d1, d2[1]", APMU_ISA__A32, 0xF291034A, T(INT_32)},
	{"vshll.i8 q0, d1, #8", APMU_ISA__A32, 0xF3B20301, T(INT_16)},
	{"vmovn.i32 d0, q1", APMU_ISA__A32, 0xF3B60202, T(INT_32)},
	{"vmovl.s8 q0, d1", APMU_ISA__A32, 0xF2880A11, T(INT_16)},
	{"vshl.i32 q0, q1, #3", APMU_ISA__A32, 0xF2A30552, T(INT_32)},
	{"vshr.u64 q0, q1, #40", APMU_ISA__A32, 0xF39800D2, T(INT_64)},
	{"vshrn.i16 d0, q1, #3", APMU_ISA__A32, 0xF28D0812, T(INT_16)},
	{"vsra.s16 q0, q1, #2", APMU_ISA__A32, 0xF29E0152, T(INT_16)},
	{"vpaddl.u8 q0, q1", APMU_ISA__A32, 0xF3B002C2, T(INT_16)},
	{"vpadal.s16 q0, q1", APMU_ISA__A32, 0xF3B40642, T(INT_32)},
	{"vqabs.s16 q0, q1", APMU_ISA__A32, 0xF3B40742, T(INT_16)},
	{"vclz.i32 q0, q1", APMU_ISA__A32, 0xF3B804C2, T(INT_32)},
	{"vceq.i16 q0, q1, #0", APMU_ISA__A32, 0xF3B50142, T(INT_16)},
	{"vrev64.8 q0, q1", APMU_ISA__A32, 0xF3B00042, 0},
	{"vzip.8 q0, q1", APMU_ISA__A32, 0xF3B201C2, 0},
	{"vswp d0, d1", APMU_ISA__A32, 0xF3B20001, 0},
	{"vext.8 q0, q1, q2, #3", APMU_ISA__A32, 0xF2B20344, 0},
	{"vtbl.8 d0, {d1}, d2", APMU_ISA__A32, 0xF3B10802, 0},
	{"vdup.32 q0, d1[0]", APMU_ISA__A32, 0xF3B40C41, 0},
	{"vmov.i32 q0, #1", APMU_ISA__A32, 0xF2800051, 0},
	{"vsdot.s8 q0, q1, q2", APMU_ISA__A32, 0xFC220D44, T(INT_32)},
	{"vudot.u8 d0, d1, d2[1]", APMU_ISA__A32, 0xFE210D32, T(INT_32)},
	{"vusdot.s8 q0, q1, q2", APMU_ISA__A32, 0xFCA20D44, T(INT_32)},
	{"vcadd.f32 q0, q1, q2, #90", APMU_ISA__A32, 0xFC920844, T(FP_SINGLE) | FIXED(4)},
	{"vcmla.f32 q0, q1, q2, #90", APMU_ISA__A32, 0xFCB20844, T(FP_SINGLE) | FIXED(8)},
	{"vcmla.f32 q0, q1, d2[0], #90", APMU_ISA__A32, 0xFE920842, T(FP_SINGLE) | FIXED(8)},
	{"vcmla.f16 q0, q1, d2[1], #90", APMU_ISA__A32, 0xFE120862, T(FP_HALF) | FIXED(16)},
	{"vsmmla.s8 q0, q1, q2", APMU_ISA__A32, 0xFC220C44, T(INT_32)},
	{"vusmmla.s8 q0, q1, q2", APMU_ISA__A32, 0xFCA20C44, T(INT_32)},
	{"vmmla.bf16 q0, q1, q2", APMU_ISA__A32, 0xFC020C44, T(FP_SINGLE) | FIXED(32)},
	{"vcvt.bf16.f32 d0, q1", APMU_ISA__A32, 0xF3B60642, T(FP_SINGLE) | FIXED(4)},
	{"vfmal.f16 d0, s2, s4", APMU_ISA__A32, 0xFC210812, T(FP_SINGLE) | FIXED(4)},
	{"vfmsl.f16 q0, d2, d4", APMU_ISA__T32, 0xFCA20854, T(FP_SINGLE) | FIXED(8)},
	{"vfmal.f16 q0, d2, d4[1]", APMU_ISA__A32, 0xFE02085C, T(FP_SINGLE) | FIXED(8)},
	{"vfmsl.f16 d0, s2, s4[1]", APMU_ISA__A32, 0xFE11081A, T(FP_SINGLE) | FIXED(4)},
	{"vdot.bf16 q0, q1, q2", APMU_ISA__A32, 0xFC020D44, T(FP_SINGLE) | FIXED(16)},
	{"vdot.bf16 d0, d1, d2[1]", APMU_ISA__T32, 0xFE010D22, T(FP_SINGLE) | FIXED(8)},
	{"vfmab.bf16 q0, q1, q2", APMU_ISA__A32, 0xFC320814, T(FP_SINGLE) | FIXED(8)},
	{"vfmat.bf16 q0, q1, d2[1]", APMU_ISA__A32, 0xFE32085A, T(FP_SINGLE) | FIXED(8)},
	{"vcvtb.bf16.f32 s0, s1", APMU_ISA__A32, 0xEEB30960, T(FP_SINGLE) | FIXED(1)},
	{"vcvtt.bf16.f32 s0, s1", APMU_ISA__T32, 0xEEB309E0, T(FP_SINGLE) | FIXED(1)},
	{"vmull.p64 q0, d2, d3", APMU_ISA__A32, 0xF2A20E03, 0},
	{"vmul.p8 d0, d1, d2", APMU_ISA__T32, 0xFF010912, T(INT_8)},
	{"vcvt.f16.f32 d0, q1", APMU_ISA__A32, 0xF3B60602, T(FP_SINGLE) | FIXED(4)},
	{"vmaxnm.f32 s0, s1, s2", APMU_ISA__A32, 0xFE800A81, T(FP_SINGLE) | FIXED(1)},
	{"vrinta.f32 s0, s1", APMU_ISA__A32, 0xFEB80A60, T(FP_SINGLE) | FIXED(1)},
	{"vcvta.s32.f64 s0, d1", APMU_ISA__A32, 0xFEBC0BC1, T(FP_DOUBLE) | FIXED(1)},
	{"aese.8 q0, q1", APMU_ISA__A32, 0xF3B00302, 0},
	{"vadd.f64 d0, d1, d2", APMU_ISA__T32, 0xEE310B02, T(FP_DOUBLE) | FIXED(1)},
	{"vadd.f32 q0, q1, q2", APMU_ISA__T32, 0xEF020D44, T(FP_SINGLE) | FIXED(4)},
	{"vmul.f32 q0, q1, q2", APMU_ISA__T32, 0xFF020D54, T(FP_SINGLE) | FIXED(4)},
	{"vadd.i16 q0, q1, q2", APMU_ISA__T32, 0xEF120844, T(INT_16)},
	{"vceq.i8 q0, q1, q2", APMU_ISA__T32, 0xFF020854, T(INT_8)},
	{"vmull.u32 q0, d1, d2", APMU_ISA__T32, 0xFFA10C02, T(INT_64)},
	{"vabs.f32 q0, q1", APMU_ISA__T32, 0xFFB90742, T(FP_SINGLE) | FIXED(4)},
	{"vmovx.f16 s0, s1", APMU_ISA__T32, 0xFEB00A60, 0},
	{"vjcvt.s32.f64 s0, d1", APMU_ISA__T32, 0xEEB90BC1, T(FP_DOUBLE) | FIXED(1)},
	{"vusdot.s8 q0, q1, d2[1]", APMU_ISA__T32, 0xFE820D62, T(INT_32)},
	{"vsudot.u8 d0, d1, d2[1]", APMU_ISA__T32, 0xFE810D32, T(INT_32)},
	{"vmls.f16 q0, q1, d2[1]", APMU_ISA__T32, 0xFF92054A, T(FP_HALF) | FIXED(16)},
	{"vcvt.f16.u16 q0, q1, #3", APMU_ISA__T32, 0xFFBD0C52, T(FP_HALF) | FIXED(8)},
	{"vmov.f16 s0, #1.0", APMU_ISA__T32, 0xEEB70900, 0},
	{"vqrdmlsh.s32 d0, d1, d2[1]", APMU_ISA__T32, 0xEFA10F62, T(INT_32)},
	{"vrev16.8 q0, q1", APMU_ISA__A32, 0xF3B00142, 0},
};
/* clang-format on */

static uint64_t types_of(size_t i, uint32_t word)
{
	const uint64_t all = ((uint64_t)2 << APMU_TRAIT_SVE_LDFF) - T(FP_HALF);
	struct apmu_isa__stream stream = {.isa = (uint8_t)row[i].isa};
	struct apmu_insn insn;

	CHECK(apmu_isa__classify(&stream, 0x1000, word, 4, &insn));
	return insn.traits & all;
}

TEST(types_and_operations_are_those_of_the_mnemonic)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		uint64_t got = types_of(i, row[i].word);

		if (got != row[i].traits)
			printf("%s: %llx, not %llx\n", row[i].text, (unsigned long long)got,
			       (unsigned long long)row[i].traits);
		CHECK_EQ(got, row[i].traits);
	}
}

/* Registers at 15:12 and 3:0. The lowest bit of a Q register is 0 and stays so. */
TEST(types_do_not_depend_on_the_numbers_of_registers)
{
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		uint32_t low = strrchr(row[i].text, ' ')[1] == 'd';

		for (uint32_t k = 0; k < 64; k++)
			CHECK_EQ(types_of(i, row[i].word ^ ((k & 7) << 13 | k >> 3 << 1 | low)),
				 row[i].traits);
	}
}
