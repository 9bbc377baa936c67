/* SPDX-License-Identifier: MIT */
/* The elements and bytes that loads and stores move. DDI0487 D14.3, LDST_FIXED_OPS_SPEC and
 * LDST_FIXED_BYTES_SPEC; C4.1.66 and C4.1.67 (structures). */
#include "isa/classify_operations.h"

static bool has(const struct apmu_insn *insn, unsigned signal)
{
	unsigned bit = signal - APMU_OPERATION_FIRST;

	return insn->operations[bit / 64] >> bit % 64 & 1;
}

static void move(struct apmu_insn *insn, unsigned elements, unsigned bytes)
{
	insn->elements = (uint8_t)elements;
	insn->bytes = (uint8_t)(elements * bytes);
}

/* LD1 to LD4, ST1 to ST4 of whole registers: bits 15:12 give their number. */
static void whole(uint32_t w, struct apmu_insn *insn)
{
	static const uint8_t registers[16] = {[0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2};
	unsigned size = w >> 10 & 3, length = w >> 30 & 1 ? 16 : 8;

	move(insn, registers[w >> 12 & 15] * (length >> size), 1u << size);
}

/* LD1 to LD4, ST1 to ST4 of one element per register, or of one for all elements of a register (LD1R). */
static void lane(uint32_t w, struct apmu_insn *insn)
{
	unsigned registers = ((w >> 12 & 2) | (w >> 21 & 1)) + 1, scale = w >> 14 & 3;

	if (scale == 3)
		scale = w >> 10 & 3;
	else if (scale == 2)
		scale += w >> 10 & 1;
	move(insn, registers, 1u << scale);
}

void apmu_isa__moved(uint32_t word, struct apmu_insn *insn)
{
	bool pair = insn->flags & APMU_INSN_DOUBLE, sve = insn->traits >> APMU_TRAIT_SVE & 1;
	bool structure = has(insn, APMU_SIG_ASE_LD) || has(insn, APMU_SIG_ASE_ST);

	if (sve)
		return;
	if (structure)
		(word >> 24 & 1 ? lane : whole)(word, insn);
	else if (insn->cls == APMU_CLASS_SWAP)
		move(insn, has(insn, APMU_SIG_LSE_STORES) ? 1 : pair ? 4 : 2, insn->width);
	else if (insn->cls == APMU_CLASS_LOAD || insn->cls == APMU_CLASS_STORE)
		move(insn, insn->flags & APMU_INSN_MULTIPLE ? insn->regs : pair ? 2 : 1, insn->width);
}
