/* SPDX-License-Identifier: MIT */
/*
 * Counts blocks of plain integer instructions with one call per block instead of one per instruction. Where
 * only counts are asked for, nothing has to be taken back in such a block: none of its instructions can
 * fault, make an access, or read a count.
 *
 * When the emulator translates code, it decides which hook the code will call, the one for instructions or
 * the one for blocks, by the range of addresses that each hook was given. No call of the library changes a
 * range, so range_of() searches the hook for its range, by the values that it has at first. A block that may
 * be counted as a whole is translated with one range, everything else with the other: code that the emulator
 * translates unasked calls a hook for each instruction.
 *
 * A block in which something falls due is translated back, and its instructions are counted one by one.
 */
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"

/* An address that no instruction has. */
#define FIRST 0x5EC0DE13u
#define LAST  0x5EC0DE13u
#define WORDS 8u /* 64-bit words of a hook in which its range is searched */

#define LOOP 1024u /* bytes of the longest loop */
/* Instructions: after two blocks translated back within this many, none is made for as many. */
#define CROWDED 20000u

struct apmu_machine__range {
	uint64_t first, last; /* `first` above `last`: everywhere */
};
static const struct apmu_machine__range everywhere = {1, 0}, nowhere = {FIRST, LAST};

static struct apmu_machine__range *range_of(uc_hook hook)
{
	uint64_t *word = (uint64_t *)(uintptr_t)hook;

	for (unsigned i = 0; i + 1 < WORDS; i++)
		if (word[i] == FIRST && word[i + 1] == LAST)
			return (struct apmu_machine__range *)(word + i);
	return NULL;
}

static bool add(struct apmu_machine *m, uc_hook *hook, int type, void (*call)(void),
		const struct apmu_machine__range *range)
{
	return uc_hook_add(m->uc, hook, type, (void *)(uintptr_t)call, m, range->first, range->last) ==
	       UC_ERR_OK;
}

bool apmu_machine__code_hooks(struct apmu_machine *m, void (*code)(void), void (*block)(void))
{
	uc_hook by_insn, by_block;

	if (m->config.by_insn)
		return add(m, &by_insn, UC_HOOK_CODE, code, &everywhere);
	if (!add(m, &by_insn, UC_HOOK_CODE, code, &nowhere))
		return false;
	m->code_range = range_of(by_insn);
	if (!m->code_range)
		return uc_hook_del(m->uc, by_insn) == UC_ERR_OK &&
		       add(m, &by_insn, UC_HOOK_CODE, code, &everywhere);
	*m->code_range = everywhere;
	if (!add(m, &by_block, UC_HOOK_BLOCK, block, &nowhere))
		return false;
	m->block_range = range_of(by_block);
	return true;
}

/* Classifies the instruction at an address; false if it is not a plain one of integer data processing or
 * control flow. */
static bool classify(struct apmu_machine *m, uint64_t address, struct apmu_insn *insn)
{
	const struct apmu_machine__code *c = apmu_machine__code_at(m, address, 4);
	struct apmu_isa__stream stream = {.isa = c->isa};

	if (!c->quick || c->vector)
		return false;
	apmu_isa__classify(&stream, address, c->opcode, 4, insn);
	return (insn->cls >= APMU_CLASS_ALU && insn->cls <= APMU_CLASS_DIV) || insn->cls == APMU_CLASS_NOP ||
	       insn->cls == APMU_CLASS_BRANCH;
}

/* True if the branch at `last` closes a loop: another translation costs what some thousand instructions do,
 * so only loops repay it. The emulator also ends a block at an instruction that it does not know, but such a
 * one is no branch: so it knows all instructions before `last`. */
static bool loops_back(struct apmu_machine *m, uint64_t address, uint64_t last)
{
	struct apmu_insn insn;

	return classify(m, last, &insn) && insn.branch == APMU_BRANCH_IMMED && insn.target <= address &&
	       address - insn.target <= LOOP;
}

/* Called when the emulator has translated a block and is about to run it. */
void apmu_machine__block_made(struct apmu_machine *m, uint64_t address, uint32_t size)
{
	uint64_t behind = address + size;
	struct apmu_insn insn;

	if (!m->block_range || m->modelled || m->look_each || m->after || m->el_switch.on || m->aarch32 ||
	    m->thumb || size < 8 || size % 4 || !loops_back(m, address, behind - 4))
		return;
	if (m->crowded && m->insns - m->back_at < CROWDED)
		return;
	for (uint64_t at = address; at < behind - 4; at += 4)
		if (!classify(m, at, &insn))
			return;
	*m->code_range = nowhere;
	*m->block_range = everywhere;
	apmu_machine__translate_block(m, address, behind);
	*m->code_range = everywhere;
	*m->block_range = nowhere;
}

/* Retranslates the block that is about to run, with a hook per instruction. */
void apmu_machine__block_back(struct apmu_machine *m, uint64_t address, uint32_t size)
{
	m->crowded = m->back_at && m->insns - m->back_at < CROWDED;
	m->back_at = m->insns;
	m->plain_until = 0;
	uc_ctl_remove_cache(m->uc, address, address + size);
	apmu_machine__pc_set(m, address);
}
