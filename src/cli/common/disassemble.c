/* SPDX-License-Identifier: MIT */
#include "cli/common/disassemble.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_ARM = 40 }; /* EM_ARM; everything else that is recorded is EM_AARCH64 */

struct cli__disassembler {
	struct profile__resolver *resolver;
	uint32_t object_id;
	csh handle[SYMBOL__ISA_DATA]; /* by isa; 0: none */
	enum symbol__isa guess;       /* used where the file names no instruction set */
	uint64_t it_at;               /* address of the next instruction of an IT block */
	uint8_t it_state;             /* its ITSTATE (DDI0406C A2.5.2); 0: in no block */
	uint64_t start;               /* address of code[0] */
	size_t size;
	uint8_t code[SYMBOL__CODE];
};

static bool open_handle(struct cli__disassembler *disassembler, enum symbol__isa isa, cs_arch arch,
			cs_mode mode)
{
	return cs_open(arch, mode, &disassembler->handle[isa]) == CS_ERR_OK;
}

struct cli__disassembler *cli__disassembler_open(struct profile__resolver *resolver, uint32_t object_id,
						 uint16_t machine)
{
	struct cli__disassembler *disassembler =
		profile__code_is_known(resolver, object_id) ? calloc(1, sizeof *disassembler) : NULL;
	struct symbol__symbols *symbols = profile__resolver_symbols(resolver, object_id);

	if (disassembler == NULL)
		return NULL;
	disassembler->resolver = resolver;
	disassembler->object_id = object_id;
	if (symbols)
		machine = symbol__symbols_about(symbols)->machine;
	disassembler->guess = machine == MACHINE_ARM ? SYMBOL__ISA_A32 : SYMBOL__ISA_A64;
	if (open_handle(disassembler, SYMBOL__ISA_A64, CS_ARCH_ARM64, CS_MODE_ARM) &&
	    open_handle(disassembler, SYMBOL__ISA_A32, CS_ARCH_ARM, CS_MODE_ARM | CS_MODE_V8) &&
	    open_handle(disassembler, SYMBOL__ISA_T32, CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_V8))
		return disassembler;
	cli__disassembler_close(disassembler);
	return NULL;
}

void cli__disassembler_close(struct cli__disassembler *disassembler)
{
	if (disassembler == NULL)
		return;
	for (size_t i = 0; i < SYMBOL__ISA_DATA; i++)
		if (disassembler->handle[i])
			cs_close(&disassembler->handle[i]);
	free(disassembler);
}

void cli__disassembler_guess(struct cli__disassembler *disassembler, enum symbol__isa isa)
{
	disassembler->guess = isa;
}

/* Sets `*out` to the code at an address and returns how many bytes are there. Reads anew unless the buffer
 * holds four of them. */
static size_t bytes_at(struct cli__disassembler *disassembler, uint64_t address, const uint8_t **out)
{
	uint64_t at = address - disassembler->start;

	if (address < disassembler->start || at + 4 > disassembler->size) {
		disassembler->start = address;
		disassembler->size =
			profile__code_bytes(disassembler->resolver, disassembler->object_id, address,
					    disassembler->code, sizeof disassembler->code);
		at = 0;
	}
	*out = disassembler->code + at;
	return disassembler->size - (size_t)at;
}

/* T32: a 4-byte instruction begins with a halfword whose upper five bits are 0b11101, 0b11110 or 0b11111
 * (DDI0406C A6.1). */
static unsigned width(enum symbol__isa isa, const uint8_t *bytes)
{
	return isa == SYMBOL__ISA_T32 && bytes[1] >> 3 < 0x1d ? 2 : 4;
}

static void as_number(struct cli__instruction *out, const char *directive, const uint8_t *bytes)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < out->size; i++)
		value |= (uint32_t)bytes[i] << 8 * i;
	snprintf(out->text, sizeof out->text, "%s 0x%0*" PRIx32, directive, (int)(2 * out->size), value);
}

/* `it`: the ITSTATE of an instruction in an IT block, which Capstone learns from an IT before it; else 0. */
static bool as_text(csh handle, uint8_t it, const uint8_t *bytes, size_t n, struct cli__instruction *out)
{
	uint8_t code[6] = {(uint8_t)((it & 0xF0) | 8), 0xBF};
	size_t before = it ? 1 : 0;
	cs_insn *insn = NULL;

	memcpy(code + 2, bytes, n);
	size_t found = cs_disasm(handle, code + 2 - 2 * before, n + 2 * before, out->address - 2 * before,
				 before + 1, &insn);
	if (found == before + 1) {
		const cs_insn *of = &insn[before];
		snprintf(out->text, sizeof out->text, "%.31s%s%.63s", of->mnemonic, of->op_str[0] ? " " : "",
			 of->op_str);
		out->size = of->size;
	}
	if (found)
		cs_free(insn, found);
	return found == before + 1;
}

/* Returns the ITSTATE of a T32 instruction, and advances it. Code is disassembled in order. */
static uint8_t it_state(struct cli__disassembler *disassembler, const uint8_t *bytes,
			const struct cli__instruction *of)
{
	uint8_t now = of->address == disassembler->it_at ? disassembler->it_state : 0;
	bool begins = bytes[1] == 0xBF && bytes[0] & 0x0F;

	disassembler->it_at = of->address + of->size;
	if (begins)
		disassembler->it_state = bytes[0];
	else
		disassembler->it_state = (uint8_t)(now & 7 ? (now & 0xE0) | (now << 1 & 0x1F) : 0);
	return now;
}

static enum symbol__isa code_isa(struct cli__disassembler *disassembler, uint64_t address)
{
	return profile__code_isa(disassembler->resolver, disassembler->object_id, address);
}

bool cli__disassemble(struct cli__disassembler *disassembler, uint64_t address, struct cli__instruction *out)
{
	const uint8_t *bytes;
	size_t n = bytes_at(disassembler, address, &bytes);

	*out = (struct cli__instruction){.address = address, .isa = code_isa(disassembler, address)};
	if (n < 2)
		return false;
	enum symbol__isa isa = out->isa;
	if (isa == SYMBOL__ISA_UNKNOWN)
		isa = disassembler->guess;
	out->size = n < 4 ? (unsigned)n & ~1u : width(isa, bytes);
	if (isa == SYMBOL__ISA_DATA && code_isa(disassembler, address + 2) != SYMBOL__ISA_DATA)
		out->size = 2; /* the end of a TBB or TBH's table */
	uint8_t it = isa == SYMBOL__ISA_T32 ? it_state(disassembler, bytes, out) : 0;
	if (isa == SYMBOL__ISA_DATA)
		as_number(out, out->size == 4 ? ".word" : ".short", bytes);
	else if (!as_text(disassembler->handle[isa], it, bytes, out->size, out))
		as_number(out, ".inst", bytes);
	return true;
}
