/* SPDX-License-Identifier: MIT */
/**
 * Disassembles an object's code, as far as src/profile has its bytes, one instruction at a time by
 * libcapstone.
 */
#ifndef APMU_CLI_COMMON_DISASSEMBLE_H
#define APMU_CLI_COMMON_DISASSEMBLE_H

#include "profile/resolve.h"

struct cli__disassembler;

struct cli__instruction {
	uint64_t address;
	unsigned size;        /* bytes: 2 or 4; 2 if the code ends within it */
	enum symbol__isa isa; /* UNKNOWN: decoded as cli__disassembler_guess() said */
	char text[96];        /* "ldr x0, [x1, #8]", ".inst 0x..." if undecodable, ".word 0x..." for data */
};

/* Opens a disassembler for an object of a recording whose programs are for `machine` (ELF's e_machine). NULL
 * if memory is exhausted, nothing is known of the object's code, or libcapstone lacks the architecture. */
struct cli__disassembler *cli__disassembler_open(struct profile__resolver *resolver, uint32_t object_id,
						 uint16_t machine);
void cli__disassembler_close(struct cli__disassembler *disassembler); /* NULL is fine */

/* Sets the instruction set of code for which the file names none; the default is A64 or A32, by the object's
 * machine. */
void cli__disassembler_guess(struct cli__disassembler *disassembler, enum symbol__isa isa);

/* Decodes the instruction at an address; false if its bytes are unknown. */
bool cli__disassemble(struct cli__disassembler *disassembler, uint64_t address, struct cli__instruction *out);

#endif
