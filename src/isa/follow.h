/* SPDX-License-Identifier: MIT */
/**
 * Follows the values of registers in a straight run of instructions, relative to their values at the start:
 * addition and subtraction of an immediate, moves, and addresses that loads and stores write back. The
 * address of one access thereby gives that of another, or of a preload.
 */
#ifndef APMU_ISA_FOLLOW_H
#define APMU_ISA_FOLLOW_H

#include "isa/classify.h"

#define APMU_ISA__FOLLOWED 32u /* registers; in A64, 31 is SP */
#define APMU_ISA__NO_BASE  255u

/* An unknown value, identified by `name`, plus a known offset; name 0: the value is `offset`. */
struct apmu_isa__value {
	uint32_t name;
	int64_t offset;
};

struct apmu_isa__values {
	struct apmu_isa__value reg[APMU_ISA__FOLLOWED];
	uint32_t names; /* number of names in use */
};

/* What one instruction does with addresses: nothing known, an access, a sum of a register and a constant, or
 * a register rounded down to a multiple of a power of two, which only those follow who know its value.
 */
enum apmu_isa__move { APMU_ISA__MOVE_NONE, APMU_ISA__MOVE_ACCESS, APMU_ISA__MOVE_SUM, APMU_ISA__MOVE_ALIGN };
struct apmu_isa__addressed {
	uint8_t what; /* enum apmu_isa__move */
	uint8_t base; /* register of the address or the sum; APMU_ISA__NO_BASE: none, the value is `offset` */
	uint8_t to;   /* MOVE_SUM, MOVE_ALIGN: register that receives the result; MOVE_ACCESS: the base, if
			 `back` is added to   it */
	bool keeps;   /* MOVE_ACCESS: the base keeps its value, or receives an unknown one */
	int64_t offset; /* MOVE_ACCESS: of the lowest byte accessed; MOVE_SUM: the constant; MOVE_ALIGN: the
			   bits that are kept */
	int64_t back;
};

/* A sum: register `to` receives the value of `base` plus `offset`. */
static inline struct apmu_isa__addressed apmu_isa__sum(unsigned to, unsigned base, int64_t offset)
{
	return (struct apmu_isa__addressed){
		.what = APMU_ISA__MOVE_SUM, .base = (uint8_t)base, .to = (uint8_t)to, .offset = offset};
}

/* Describes the instruction at `addr`; MOVE_NONE if its effect is unknown. */
struct apmu_isa__addressed apmu_isa__addressed(enum apmu_isa__isa isa, uint64_t addr, uint32_t word,
					       unsigned size);
struct apmu_isa__addressed apmu_isa__addressed_a64(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_a32(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_t16(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_t32(uint64_t addr, uint32_t word);
/* follow_a32.c, for A32 and T32: VLDR, VLDM, VSTM; VLD1 to VST4. */
struct apmu_isa__addressed apmu_isa__addressed_vfp(uint64_t addr, uint32_t word);
struct apmu_isa__addressed apmu_isa__addressed_structure(uint32_t word);

/* True if the A64 instruction is DC ZVA; bits 4:0 are the register of its address. */
static inline bool apmu_isa__is_zva(uint32_t word)
{
	return (word & 0xFFFFFFE0) == 0xD50B7420;
}

/* The followed registers that the instruction may write: all of them, if it is undecoded. */
static inline uint32_t apmu_isa__followed_writes(const struct apmu_insn *insn)
{
	return insn->cls == APMU_CLASS_UNKNOWN ? UINT32_MAX : (uint32_t)insn->writes;
}

/* Forgets everything: each register has an unknown value of its own. */
void apmu_isa__follow_start(struct apmu_isa__values *v);

/* The value of register `base` plus `offset`. */
struct apmu_isa__value apmu_isa__follow_value(const struct apmu_isa__values *v, unsigned base,
					      int64_t offset);

/* Updates the values: the instruction has run. */
void apmu_isa__follow_step(struct apmu_isa__values *v, const struct apmu_isa__addressed *m,
			   const struct apmu_insn *insn);

#endif
