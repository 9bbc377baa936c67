/* SPDX-License-Identifier: MIT */
/* One encoding that an assembler produced, and its expected classification. Shared by test_classify_*.c. */
#ifndef CLASSIFY_CASE_H
#define CLASSIFY_CASE_H

#include "../test.h"
#include "isa/classify.h"

#define CASE_ADDR 0x10000u

struct classify_case {
	uint32_t word;
	unsigned size;
	enum apmu_class cls;
	enum apmu_branch branch;
	unsigned flags, width, regs;
	uint64_t reads, writes, target;
	const char *text;
};

/* Short names for the columns of the tables. */
#define C(x)        APMU_CLASS_##x
#define B(x)        APMU_BRANCH_##x
#define CONDITIONAL APMU_INSN_CONDITIONAL
#define SHIFT_REG   APMU_INSN_SHIFT_REG
#define SUBWORD     APMU_INSN_SUBWORD
#define DOUBLE      APMU_INSN_DOUBLE
#define MULTIPLE    APMU_INSN_MULTIPLE
#define EXCLUSIVE   APMU_INSN_EXCLUSIVE
#define MODE        APMU_INSN_MODE

/* A32, T32: the registers as whole D registers; test_operands_a32.c checks their halves. */
static inline uint64_t in_doubles(uint64_t regs, enum apmu_isa__isa isa)
{
	return isa == APMU_ISA__A64 ? regs : (regs & ~(uint64_t)0xFFFF0000) | (regs & 0xFFFF0000) << 16;
}

static inline bool case_holds(const struct classify_case *want, const struct apmu_insn *got,
			      enum apmu_isa__isa isa)
{
	unsigned others =
		APMU_INSN_READS_FLAGS | APMU_INSN_SETS_FLAGS | APMU_INSN_VECTOR; /* test_operands_* */
	unsigned flags = got->flags & ~others;
	return got->cls == want->cls && got->branch == want->branch && flags == want->flags &&
	       got->width == want->width && got->regs == want->regs &&
	       in_doubles(got->reads, isa) == want->reads && in_doubles(got->writes, isa) == want->writes &&
	       got->target == want->target && got->size == want->size && got->addr == CASE_ADDR &&
	       (got->shift_reads & ~got->reads) == 0;
}

static inline void check_case(const struct classify_case *want, enum apmu_isa__isa isa)
{
	struct apmu_isa__stream stream = {.isa = (uint8_t)isa};
	struct apmu_insn got;
	bool known = apmu_isa__classify(&stream, CASE_ADDR, want->word, want->size, &got);

	if (known && case_holds(want, &got, isa))
		return;
	fail_msg("%s: class %u branch %u flags %#x width %u regs %u reads %#llx writes %#llx target %#llx",
		 want->text, got.cls, got.branch, got.flags, got.width, got.regs,
		 (unsigned long long)got.reads, (unsigned long long)got.writes,
		 (unsigned long long)got.target);
}

#define CHECK_CASES(cases, isa)                                       \
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) \
	check_case(&cases[i], isa)

#endif
