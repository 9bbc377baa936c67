/* SPDX-License-Identifier: MIT */
/* An A64 instruction that an assembler produced, and what it counts as. Shared by test_classify_s*.c. */
#ifndef COUNTED_CASE_H
#define COUNTED_CASE_H

#include "../test.h"
#include "isa/classify.h"

#define T(trait)  ((uint64_t)1 << APMU_TRAIT_##trait)
#define FIXED(n)  ((uint64_t)1 << (APMU_TRAIT_FIXED + __builtin_ctz(n)))
#define SCALED(n) ((uint64_t)1 << (APMU_TRAIT_SCALED + __builtin_ctz(n)))

struct counted_case {
	const char *text;
	uint32_t word;
	uint64_t traits;     /* its type, floating-point operations, predicate */
	unsigned signals[3]; /* its operations; 0: none */
};

static inline void check_counted_case(const struct counted_case *want, uint32_t word)
{
	const uint64_t all = ((uint64_t)2 << APMU_TRAIT_SVE_LDFF) - T(FP_HALF);
	const unsigned *signals = want->signals;
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	struct apmu_insn insn;

	CHECK(apmu_isa__classify(&stream, 0x1000, word, 4, &insn));
	apmu_isa__classify_operations(APMU_ISA__A64, word, &insn);
	if ((insn.traits & all) != want->traits)
		fail_msg("%s (%08x): traits %llx, not %llx", want->text, word,
			 (unsigned long long)(insn.traits & all), (unsigned long long)want->traits);
	for (unsigned s = APMU_OPERATION_FIRST; s <= APMU_OPERATION_LAST; s++) {
		unsigned bit = s - APMU_OPERATION_FIRST;
		bool got = insn.operations[bit / 64] >> bit % 64 & 1;

		if (got != (s == signals[0] || s == signals[1] || s == signals[2]))
			fail_msg("%s (%08x): signal %s is %d", want->text, word, apmu_signal_row(s)->name,
				 got);
	}
}

/* Also with other registers at 4:0 and 9:5, if these are 0 and 1: all but 16 to 31, whose bit is an opcode
 * where the register is a predicate. */
static inline void check_counted_cases(const struct counted_case *cases, size_t n)
{
	for (const struct counted_case *c = cases; c < cases + n; c++) {
		check_counted_case(c, c->word);
		for (uint32_t k = 0; k < 256 && (c->word & 0x3FF) == 0x020; k++)
			check_counted_case(c, (c->word & ~0x3FFu) | (k & 15) | k >> 4 << 5);
	}
}

#define CHECK_COUNTED_CASES(cases) check_counted_cases(cases, sizeof(cases) / sizeof(cases[0]))

#endif
