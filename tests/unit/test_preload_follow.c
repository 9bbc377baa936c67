/* SPDX-License-Identifier: MIT */
/* The base of an access behind it: by how much A32's and T32's vectors move it. Words by the GNU assembler.
 */
#include "test.h"

#include "isa/follow.h"

static const struct {
	enum apmu_isa__isa isa;
	uint32_t word;
	int64_t back;
	const char *text;
} rows[] = {
	{APMU_ISA__A32, 0xF420070D, 8, "vld1.8 {d0}, [r0]!"},
	{APMU_ISA__A32, 0xF4200A0D, 16, "vld1.8 {d0, d1}, [r0]!"},
	{APMU_ISA__A32, 0xF420060D, 24, "vld1.8 {d0-d2}, [r0]!"},
	{APMU_ISA__A32, 0xF420020D, 32, "vld1.8 {d0-d3}, [r0]!"},
	{APMU_ISA__A32, 0xF420080D, 16, "vld2.8 {d0, d1}, [r0]!"},
	{APMU_ISA__A32, 0xF420090D, 16, "vld2.8 {d0, d2}, [r0]!"},
	{APMU_ISA__A32, 0xF420030D, 32, "vld2.8 {d0-d3}, [r0]!"},
	{APMU_ISA__A32, 0xF400038D, 32, "vst2.32 {d0-d3}, [r0]!"},
	{APMU_ISA__A32, 0xF420040D, 24, "vld3.8 {d0-d2}, [r0]!"},
	{APMU_ISA__A32, 0xF420010D, 32, "vld4.8 {d0, d2, d4, d6}, [r0]!"},
	{APMU_ISA__T32, 0xF920030D, 32, "vld2.8 {d0-d3}, [r0]!"},
	{APMU_ISA__A64, 0x68808801, 16, "stgp x1, x2, [x0], #16"},
	{APMU_ISA__A64, 0xA8810801, 16, "stp x1, x2, [x0], #16"},
	{APMU_ISA__A64, 0x28820801, 16, "stp w1, w2, [x0], #16"},
	{APMU_ISA__A64, 0x68C20801, 16, "ldpsw x1, x2, [x0], #16"},
	{APMU_ISA__A64, 0xAC810801, 32, "stp q1, q2, [x0], #32"},
};

TEST(a_pair_or_a_structure_of_whole_registers_moves_its_base_by_the_bytes_accessed)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct apmu_isa__addressed m = apmu_isa__addressed(rows[i].isa, 0x8000, rows[i].word, 4);
		bool right = m.what == APMU_ISA__MOVE_ACCESS && m.base == 0 && m.to == 0 && !m.keeps &&
			     m.offset == 0 && m.back == rows[i].back;
		if (!right)
			print_message("%s: %lld\n", rows[i].text, (long long)m.back);
		CHECK(right);
	}
}
