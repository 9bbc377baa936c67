/* SPDX-License-Identifier: MIT */
/**
 * Instructions as text, one at a time, by libcapstone, of the bytes that src/symbol reads from a file.
 */
#ifndef APMU_CLI_COMMON_DISASSEMBLE_H
#define APMU_CLI_COMMON_DISASSEMBLE_H

#include "symbol/symbol.h"

struct cli__disassembler;

struct cli__instruction {
	uint64_t address;
	unsigned size;        /* bytes: 2 or 4; less at the end of the code */
	enum symbol__isa isa; /* UNKNOWN: taken for what cli__disassembler_guess() said */
	char text[96];        /* "ldr x0, [x1, #8]"; what is no instruction: ".inst 0x..." or ".word 0x..." */
};

/* NULL without memory, or where libcapstone lacks the machines. */
struct cli__disassembler *cli__disassembler_open(struct symbol__symbols *symbols);
void cli__disassembler_close(struct cli__disassembler *disassembler); /* NULL is fine */

/* What code is taken for where the file does not say; without it A64 or A32, by its machine. */
void cli__disassembler_guess(struct cli__disassembler *disassembler, enum symbol__isa isa);

/* The instruction at an address; false where the file has no bytes. */
bool cli__disassemble(struct cli__disassembler *disassembler, uint64_t address, struct cli__instruction *out);

#endif
