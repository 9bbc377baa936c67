/* SPDX-License-Identifier: MIT */
/*
 * Tells A32 from T32: QEMU 7.2 does not say which instruction set a block is in. Three steps, each taken only
 * if the ones before do not decide:
 *
 * 1. A 16-bit instruction, or one at an address that is 2 mod 4, is T32.
 * 2. A 32-bit T32 instruction starts with a halfword of 0xE800 or more (DDI0406C A6.1). A word whose low half
 * is less is A32, except at the end of a page (may_seem_longer()). Hardly any A32 block is without such a
 * word: its bits 15:12, Rd as a rule, would be LR or PC throughout.
 * 3. What is left (a lone BX LR, a lone BL): QEMU disassembles the first instruction in the right set, so its
 * text is compared with Capstone's for A32 and for T32. If QEMU was built without Capstone, the answer for
 * the last block is kept.
 */
#include "qemu/plugin.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_PAGE = 1024 };

static uint16_t first_half(const struct qemu_plugin_insn *insn)
{
	uint8_t bytes[4];

	apmu_qemu__insn_bytes(insn, bytes);
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

/* True if `text` is Capstone's disassembly of these bytes in this mode. QEMU prints mnemonic, blank,
 * operands. */
static bool reads_as(const char *text, const struct qemu_plugin_insn *insn, cs_mode mode)
{
	char ours[192] = "";
	cs_insn *found = NULL;
	uint8_t bytes[4];
	csh handle;

	apmu_qemu__insn_bytes(insn, bytes);
	if (cs_open(CS_ARCH_ARM, mode, &handle) != CS_ERR_OK)
		return false;
	if (cs_disasm(handle, bytes, sizeof(bytes), qemu_plugin_insn_vaddr(insn), 1, &found) == 1)
		snprintf(ours, sizeof(ours), "%s %s", found->mnemonic, found->op_str);
	if (found)
		cs_free(found, 1);
	cs_close(&handle);
	size_t n = strlen(ours);
	return n > 1 && strncmp(text, ours, n) == 0;
}

static enum apmu_isa__isa by_text(const struct qemu_plugin_insn *insn, enum apmu_isa__isa otherwise)
{
	char *text = qemu_plugin_insn_disas(insn);
	enum apmu_isa__isa isa = otherwise;

	if (!text)
		return isa;
	if (reads_as(text, insn, CS_MODE_ARM) || reads_as(text, insn, CS_MODE_ARM | CS_MODE_V8))
		isa = APMU_ISA__A32;
	else if (reads_as(text, insn, CS_MODE_THUMB) || reads_as(text, insn, CS_MODE_THUMB | CS_MODE_V8))
		isa = APMU_ISA__T32;
	free(text);
	return isa;
}

/*
 * True if the instruction begins 4 bytes before what may be the end of a page. There QEMU looks whether the
 * instruction in the last halfword continues in the next page, and counts that halfword to the instruction
 * before: a 16-bit one seems to have 4 bytes, a 32-bit one 6.
 */
static bool may_seem_longer(const struct qemu_plugin_insn *insn)
{
	return qemu_plugin_insn_vaddr(insn) % SMALLEST_PAGE == SMALLEST_PAGE - 4;
}

unsigned apmu_qemu__insn_size(enum apmu_isa__isa isa, const struct qemu_plugin_insn *insn)
{
	size_t size = qemu_plugin_insn_size(insn);

	return isa == APMU_ISA__T32 && size > 2 ? apmu_isa__thumb_size(first_half(insn)) : (unsigned)size;
}

/* Decides by rules 1 and 2; false if they leave it open. */
static bool by_shape(const struct qemu_plugin_tb *tb, enum apmu_isa__isa *isa)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	for (size_t i = 0; i < n; i++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t size = qemu_plugin_insn_size(insn);
		bool thumb = size == 2 || size > 4 || qemu_plugin_insn_vaddr(insn) & 2;
		bool arm =
			size < 2 || (apmu_isa__thumb_size(first_half(insn)) == 2 && !may_seem_longer(insn));
		if (!thumb && !arm)
			continue;
		*isa = thumb ? APMU_ISA__T32 : APMU_ISA__A32;
		return true;
	}
	return false;
}

/* Called with the translation lock held. */
enum apmu_isa__isa apmu_qemu__isa_of(const struct qemu_plugin_tb *tb)
{
	static enum apmu_isa__isa last = APMU_ISA__A32;

	if (apmu_qemu__plugin.a64)
		return APMU_ISA__A64;
	if (!by_shape(tb, &last))
		last = by_text(qemu_plugin_tb_get_insn(tb, 0), last);
	return last;
}
