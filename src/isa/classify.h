/* SPDX-License-Identifier: MIT */
/**
 * Classifies instructions: opcode words to struct apmu_insn, by tables of opcode-mask rows.
 *
 * A32, T32 (16 and 32 bit) and A64. Class, branch kind, flags, width, register list, target and the masks of
 * general and vector registers all come from the rows of classify_a32.c, classify_t32.c, classify_neon.c,
 * classify_a64.c, classify_a64_vector.c and classify_a64_sve.c, without a disassembler. The first row that
 * matches decides, so special cases stand above general ones.
 *
 * Inaccuracies: Q and GE are no operands; NZCV is one operand, read or written as apmu_insn.flags
 * says. R15 as an operand is left out of both masks: its value is always known. A32, T32: vector registers
 * are represented by halves (bit 32 + n is the low half of Dn, 16 + n the high half of D0 to D15, so S1 is
 * bit 16; apmu_insn.halves), and bit 15 is the flags of FPSCR. Of SVE, predicates are no operands; loads and
 * stores have the width of one 16-byte register. DC ZVA is SYSTEM with a trait of its own. IT blocks are
 * followed from the IT instruction on; code that starts inside an IT block is taken as unconditional.
 *
 * Works hosted or not: no allocation, no state except the caller's struct apmu_isa__stream.
 */
#ifndef APMU_ISA_CLASSIFY_H
#define APMU_ISA_CLASSIFY_H

#include <apmu/uarch.h>

enum apmu_isa__isa { APMU_ISA__A32, APMU_ISA__T32, APMU_ISA__A64 };

/* The position in a straight run of instructions. Zero it, except for `isa`, at the start of a block. */
struct apmu_isa__stream {
	uint8_t isa; /* enum apmu_isa__isa */
	uint8_t it;  /* instructions left in the IT block */
};

/* Bytes of the instruction that starts with the halfword `first`: 2 or 4. */
unsigned apmu_isa__thumb_size(uint16_t first);

/* The opcode word in `size` bytes of a little-endian guest's memory. A 32-bit T32 instruction has its first
 * halfword in the top half, as manuals print it. */
uint32_t apmu_isa__opcode(enum apmu_isa__isa isa, const uint8_t *bytes, unsigned size);

/* Describes one instruction of the stream. Returns false if no row matches: then *out is class UNKNOWN, with
 * address, size and instruction set filled in. */
bool apmu_isa__classify(struct apmu_isa__stream *stream, uint64_t addr, uint32_t opcode, unsigned size,
			struct apmu_insn *out);

/* Adds what only counts of operations need (apmu_insn.operations). */
void apmu_isa__classify_operations(enum apmu_isa__isa isa, uint32_t opcode, struct apmu_insn *insn);

/* The number of a mark (include/apmu/mark.h), 0 to 63; -1: the instruction is no mark. `word` as from
 * apmu_isa__opcode(). */
int apmu_isa__mark_number(enum apmu_isa__isa isa, uint32_t word, unsigned size);

/* Describes a kernel user helper, which an engine reports as one instruction: a return. */
void apmu_isa__classify_kuser(uint64_t addr, struct apmu_insn *out);

#endif
