/* SPDX-License-Identifier: MIT */
/*
 * What is the instruction at an address? Found once: a table by address remembers it, and a look at the
 * memory behind it says whether it is still so.
 */
#include "inside.h"

#include "../../uarch/block.h"

/* The bytes of an instruction; a T32 one may cross into a page that lies elsewhere. */
static void fetch(const struct apmu_machine *m, struct apmu__code *c)
{
	uint64_t physical;
	uint8_t bytes[4] = {0};

	c->bytes = NULL;
	for (unsigned i = 0; i < c->size; i += 2) {
		const uint8_t *at =
			apmu__physical_of(m, c->address + i, &physical) ? apmu__host(m, physical, 2) : NULL;

		if (at)
			memcpy(bytes + i, at, 2);
		if (i == 0)
			c->bytes = at;
		else if (c->bytes && at != c->bytes + i)
			c->bytes = NULL;
	}
	c->opcode = apmu__opcode((enum apmu__isa)c->isa, bytes, c->size);
	memcpy(&c->word, bytes, sizeof c->word);
}

static void describe(struct apmu_machine *m, struct apmu__code *c)
{
	struct apmu__stream stream = {.isa = c->isa};
	struct apmu_insn insn;

	c->decoded = apmu__classify(&stream, c->address, c->opcode, c->size, &insn);
	if (m->in_it)
		insn.flags |= APMU_INSN_CONDITIONAL;
	c->after = 0;
	if (insn.branch > APMU_BRANCH_IMMED_LINK || insn.cls == APMU_CLASS_SYSTEM ||
	    insn.cls == APMU_CLASS_EXCEPTION || insn.cls == APMU_CLASS_UNKNOWN ||
	    (insn.flags & APMU_INSN_MODE))
		c->after = APMU__AFTER_STATE;
	apmu__decode(m, c);
	if (m->model->a64 && insn.branch != APMU_BRANCH_NONE)
		c->after = c->special == APMU__SPECIAL_ERET ? APMU__AFTER_STATE : 0;
	m->grave = c->block;
	c->block = m->modelled ? apmu_block_new(&m->params, &insn, 1) : NULL;
	c->plain = c->decoded && !c->special && !c->after;
	c->cycles = c->block ? (uint16_t)c->block->cycles : 1;
}

/* Something was different when this place was filled: another instruction, or the same somewhere else. */
static struct apmu__code *refill(struct apmu_machine *m, struct apmu__code *c, uint64_t address,
				 unsigned size)
{
	struct apmu__code new = {.address = address, .size = (uint8_t)size, .isa = m->isa, .map = m->map};

	fetch(m, &new);
	if (c->size == size && c->address == address && c->isa == new.isa && c->opcode == new.opcode &&
	    (c->block || !m->modelled)) {
		c->bytes = new.bytes;
		c->map = m->map;
		return c;
	}
	new.block = c->block;
	*c = new;
	describe(m, c);
	return c;
}

struct apmu__code *apmu__code_at(struct apmu_machine *m, uint64_t address, unsigned size)
{
	struct apmu__code *c = apmu__place(m, address);

	return apmu__known(m, c, address, size) ? c : refill(m, c, address, size);
}

void apmu__codes_free(struct apmu_machine *m)
{
	for (size_t i = 0; m->code && i < APMU__CODES; i++)
		apmu_block_free(m->code[i].block);
	apmu_block_free(m->grave);
}
