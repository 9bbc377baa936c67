/* SPDX-License-Identifier: MIT */
#include "cli/common/disassemble.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_ARM = 40 }; /* EM_ARM; everything else that is recorded is EM_AARCH64 */

struct apmu__disassembler {
	struct apmu__symbols *symbols;
	csh handle[APMU__ISA_DATA];  /* by isa; 0: none */
	enum apmu__symbol_isa guess; /* where the file does not say */
	uint64_t start;              /* of `code` */
	size_t size;
	uint8_t code[APMU__SYMBOL_CODE];
};

static bool open_handle(struct apmu__disassembler *disassembler, enum apmu__symbol_isa isa, cs_arch arch,
			cs_mode mode)
{
	return cs_open(arch, mode, &disassembler->handle[isa]) == CS_ERR_OK;
}

struct apmu__disassembler *apmu__disassembler_open(struct apmu__symbols *symbols)
{
	struct apmu__disassembler *disassembler = calloc(1, sizeof *disassembler);

	if (disassembler == NULL)
		return NULL;
	disassembler->symbols = symbols;
	disassembler->guess =
		apmu__symbols_about(symbols)->machine == MACHINE_ARM ? APMU__ISA_A32 : APMU__ISA_A64;
	if (open_handle(disassembler, APMU__ISA_A64, CS_ARCH_ARM64, CS_MODE_ARM) &&
	    open_handle(disassembler, APMU__ISA_A32, CS_ARCH_ARM, CS_MODE_ARM | CS_MODE_V8) &&
	    open_handle(disassembler, APMU__ISA_T32, CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_V8))
		return disassembler;
	apmu__disassembler_close(disassembler);
	return NULL;
}

void apmu__disassembler_close(struct apmu__disassembler *disassembler)
{
	if (disassembler == NULL)
		return;
	for (size_t i = 0; i < APMU__ISA_DATA; i++)
		if (disassembler->handle[i])
			cs_close(&disassembler->handle[i]);
	free(disassembler);
}

void apmu__disassembler_guess(struct apmu__disassembler *disassembler, enum apmu__symbol_isa isa)
{
	disassembler->guess = isa;
}

/* Bytes from an address on: from what was read last, if four are there. */
static size_t bytes_at(struct apmu__disassembler *disassembler, uint64_t address, const uint8_t **out)
{
	uint64_t at = address - disassembler->start;

	if (address < disassembler->start || at + 4 > disassembler->size) {
		disassembler->start = address;
		disassembler->size = apmu__symbols_code(disassembler->symbols, address, disassembler->code,
							sizeof disassembler->code);
		at = 0;
	}
	*out = disassembler->code + at;
	return disassembler->size - (size_t)at;
}

/* T32: the first halfword's upper five bits 0b11101, 0b11110, 0b11111 begin a 4-byte one (DDI0406C A6.1). */
static unsigned width(enum apmu__symbol_isa isa, const uint8_t *bytes)
{
	return isa == APMU__ISA_T32 && bytes[1] >> 3 < 0x1d ? 2 : 4;
}

static void as_number(struct apmu__instruction *out, const char *directive, const uint8_t *bytes)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < out->size; i++)
		value |= (uint32_t)bytes[i] << 8 * i;
	snprintf(out->text, sizeof out->text, "%s 0x%0*" PRIx32, directive, (int)(2 * out->size), value);
}

static bool as_text(csh handle, const uint8_t *bytes, size_t n, struct apmu__instruction *out)
{
	cs_insn *insn = NULL;

	if (cs_disasm(handle, bytes, n, out->address, 1, &insn) != 1)
		return false;
	const char *gap = insn->op_str[0] ? " " : "";
	snprintf(out->text, sizeof out->text, "%.31s%s%.63s", insn->mnemonic, gap, insn->op_str);
	out->size = insn->size;
	cs_free(insn, 1);
	return true;
}

bool apmu__disassemble(struct apmu__disassembler *disassembler, uint64_t address,
		       struct apmu__instruction *out)
{
	const uint8_t *bytes;
	size_t n = bytes_at(disassembler, address, &bytes);

	*out = (struct apmu__instruction){.address = address,
					  .isa = apmu__symbols_isa(disassembler->symbols, address)};
	if (n < 2)
		return false;
	enum apmu__symbol_isa isa = out->isa;
	if (isa == APMU__ISA_UNKNOWN)
		isa = disassembler->guess;
	out->size = n < 4 ? (unsigned)n & ~1u : width(isa, bytes);
	if (isa == APMU__ISA_DATA)
		as_number(out, out->size == 4 ? ".word" : ".short", bytes);
	else if (!as_text(disassembler->handle[isa], bytes, out->size, out))
		as_number(out, ".inst", bytes);
	return true;
}
