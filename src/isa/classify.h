/* SPDX-License-Identifier: MIT */
/**
 * What an instruction is: opcode words to struct apmu_insn, by tables of opcode-mask rows.
 *
 * A32, T32 (16 and 32 bit) and A64. Class, branch kind, flags, width, register list, target and the masks of
 * general and vector registers all come from the rows of classify_a32.c, classify_t32.c, classify_neon.c and
 * classify_a64.c; no disassembler is asked. The first row that matches is the answer, so special cases stand
 * above general ones.
 *
 * Inaccuracies: Q and GE are no operands; of NZCV apmu_insn.flags says whether they are read or written, as
 * one. R15 as an operand is left out of both masks: it is always at hand. A32, T32: vector registers are
 * followed in halves (bit 32 + n the low half of Dn, 16 + n the high half of D0 to D15, so S1 is bit 16), and
 * bit 15 is the flags of FPSCR. SVE instructions have the masks of their three plain register fields,
 * whatever the form. SVE is one class, SIMD, or LOAD and STORE with the width of one 16-byte register. DC ZVA
 * is SYSTEM: QEMU reports no address for it. IT blocks are followed from the IT instruction on; code
 * that starts inside one is taken as unconditional.
 *
 * Hosted or not: no allocation, no state but the caller's struct apmu_isa__stream.
 */
#ifndef APMU_ISA_CLASSIFY_H
#define APMU_ISA_CLASSIFY_H

#include <apmu/uarch.h>

enum apmu_isa__isa { APMU_ISA__A32, APMU_ISA__T32, APMU_ISA__A64 };

/* Where a straight run of instructions stands. Zero it (but for `isa`) where a block starts. */
struct apmu_isa__stream {
	uint8_t isa; /* enum apmu_isa__isa */
	uint8_t it;  /* instructions of an IT block still to come */
};

/* Bytes of the instruction that starts with this halfword: 2 or 4. */
unsigned apmu_isa__thumb_size(uint16_t first);

/* The opcode word of `size` bytes as they lie in a little-endian guest's memory. A 32-bit T32 instruction has
 * its first halfword in the top half, as manuals print it. */
uint32_t apmu_isa__opcode(enum apmu_isa__isa isa, const uint8_t *bytes, unsigned size);

/* Describes one instruction of the stream. False if no row knows it: then *out is class UNKNOWN, with
 * address, size and instruction set filled in. */
bool apmu_isa__classify(struct apmu_isa__stream *stream, uint64_t addr, uint32_t opcode, unsigned size,
			struct apmu_insn *out);

/* Adds what somebody who counts operations wants to know of it (apmu_insn.operations). */
void apmu_isa__classify_operations(enum apmu_isa__isa isa, uint32_t opcode, struct apmu_insn *insn);

/* The number of a mark (include/apmu/mark.h), 0 to 63; -1: it is none. `word` as apmu_isa__opcode() answers.
 */
int apmu_isa__mark_number(enum apmu_isa__isa isa, uint32_t word, unsigned size);

/* A kernel user helper, which an engine shows as one instruction: a return. */
void apmu_isa__classify_kuser(uint64_t addr, struct apmu_insn *out);

#endif
