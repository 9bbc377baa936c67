/* SPDX-License-Identifier: MIT */
/**
 * Instructions as text, one at a time, by libcapstone, of the bytes that src/symbol reads from a file.
 */
#ifndef APMU_CLI_COMMON_DISASSEMBLE_H
#define APMU_CLI_COMMON_DISASSEMBLE_H

#include "symbol/symbol.h"

struct apmu__disassembler;

struct apmu__instruction {
	uint64_t address;
	unsigned size;             /* bytes: 2 or 4; less at the end of the code */
	enum apmu__symbol_isa isa; /* UNKNOWN: taken for what apmu__disassembler_guess() said */
	char text[96]; /* "ldr x0, [x1, #8]"; what is no instruction: ".inst 0x..." or ".word 0x..." */
};

/* NULL without memory, or where libcapstone lacks the machines. */
struct apmu__disassembler *apmu__disassembler_open(struct apmu__symbols *symbols);
void apmu__disassembler_close(struct apmu__disassembler *disassembler); /* NULL is fine */

/* What code is taken for where the file does not say; without it A64 or A32, by its machine. */
void apmu__disassembler_guess(struct apmu__disassembler *disassembler, enum apmu__symbol_isa isa);

/* The instruction at an address; false where the file has no bytes. */
bool apmu__disassemble(struct apmu__disassembler *disassembler, uint64_t address,
		       struct apmu__instruction *out);

#endif
