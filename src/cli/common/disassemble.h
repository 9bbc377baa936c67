/* SPDX-License-Identifier: MIT */
/**
 * Instructions as text, one at a time, by libcapstone, of the bytes that src/profile knows of an object.
 */
#ifndef APMU_CLI_COMMON_DISASSEMBLE_H
#define APMU_CLI_COMMON_DISASSEMBLE_H

#include "profile/resolve.h"

struct cli__disassembler;

struct cli__instruction {
	uint64_t address;
	unsigned size;        /* bytes: 2 or 4; less at the end of the code */
	enum symbol__isa isa; /* UNKNOWN: taken for what cli__disassembler_guess() said */
	char text[96];        /* "ldr x0, [x1, #8]"; what is no instruction: ".inst 0x..." or ".word 0x..." */
};

/* Of a recording of programs for `machine` (ELF's). NULL without memory, where nothing is known of the
 * object's code or libcapstone lacks the machines. */
struct cli__disassembler *cli__disassembler_open(struct profile__resolver *resolver, uint32_t object_id,
						 uint16_t machine);
void cli__disassembler_close(struct cli__disassembler *disassembler); /* NULL is fine */

/* What code is taken for where the file does not say; without it A64 or A32, by its machine. */
void cli__disassembler_guess(struct cli__disassembler *disassembler, enum symbol__isa isa);

/* The instruction at an address; false where no bytes are known. */
bool cli__disassemble(struct cli__disassembler *disassembler, uint64_t address, struct cli__instruction *out);

#endif
