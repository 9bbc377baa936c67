/* SPDX-License-Identifier: MIT */
/**
 * What registers hold in a straight run of instructions, as far as it differs by known constants from what
 * they held before: add and subtract an immediate, moves, and addresses that loads and stores write back. So
 * the address of one access tells that of another, or of a preload.
 */
#ifndef APMU_ISA_FOLLOW_H
#define APMU_ISA_FOLLOW_H

#include "isa/classify.h"

#define APMU_ISA__FOLLOWED 32u /* registers; A64's 31 is SP */
#define APMU_ISA__NO_BASE  255u

/* What is not known, by a name, and a known difference; name 0: the value is `offset`. */
struct apmu_isa__value {
	uint32_t name;
	int64_t offset;
};

struct apmu_isa__values {
	struct apmu_isa__value reg[APMU_ISA__FOLLOWED];
	uint32_t names; /* given */
};

/* What one instruction does with addresses. */
enum apmu_isa__move { APMU_ISA__MOVE_NONE, APMU_ISA__MOVE_ACCESS, APMU_ISA__MOVE_SUM };
struct apmu_isa__addressed {
	uint8_t what;   /* enum apmu_isa__move */
	uint8_t base;   /* of the address, or the sum; APMU_ISA__NO_BASE: none, `offset` is all */
	uint8_t to;     /* register that gets the sum; the base if `back` is added to it */
	bool keeps;     /* the base keeps its value, or gets another that is not known */
	int64_t offset; /* of the lowest byte accessed; of the sum */
	int64_t back;
};

/* A register gets another's value and a constant. */
static inline struct apmu_isa__addressed apmu_isa__sum(unsigned to, unsigned base, int64_t offset)
{
	return (struct apmu_isa__addressed){
		.what = APMU_ISA__MOVE_SUM, .base = (uint8_t)base, .to = (uint8_t)to, .offset = offset};
}

/* The instruction at `addr`. What is not told is MOVE_NONE. */
struct apmu_isa__addressed apmu_isa__addressed(enum apmu_isa__isa isa, uint64_t addr, uint32_t word,
					       unsigned size);
struct apmu_isa__addressed apmu_isa__addressed_a64(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_a32(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_t16(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_t32(uint64_t addr, uint32_t word);
/* follow_a32.c, for both: VLDR, VLDM, VSTM; VLD1 to VST4. */
struct apmu_isa__addressed apmu_isa__addressed_vfp(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_structure(uint32_t word);

/* Nothing is known. */
void apmu_isa__follow_start(struct apmu_isa__values *v);

/* A register and a constant. */
struct apmu_isa__value apmu_isa__follow_value(const struct apmu_isa__values *v, unsigned base,
					      int64_t offset);

/* The instruction has run. */
void apmu_isa__follow_step(struct apmu_isa__values *v, const struct apmu_isa__addressed *m,
			   const struct apmu_insn *insn);

#endif
