/* SPDX-License-Identifier: MIT */
/*
 * Decodes the instruction at an address and the straight-line code that follows it. A table by address keeps
 * what was decoded; a comparison with the bytes in memory tells if it still holds.
 */
#include "isa/divide.h"
#include "machine/counting.h"
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"
#include "machine/views.h"

#include <stdlib.h>

/* Finds the page that an instruction is fetched from, by the guest's tables; false if nothing is mapped. A
 * page that the tables map in smaller parts is not kept in m->code_page. */
static bool page_of(struct apmu_machine *m, uint64_t address, struct apmu_machine__code_page *page)
{
	struct apmu_machine__code_page *known = &m->code_page[address / PAGE_BYTES % APMU_MACHINE__PAGES];
	struct apmu_board__walked walked;

	*page = *known;
	if (known->page == address / PAGE_BYTES && known->map == m->map + 1)
		return true;
	walked = apmu_machine__walk_any(m, address);
	if (walked.fault)
		return false;
	*page = (struct apmu_machine__code_page){.page = address / PAGE_BYTES,
						 .physical = walked.physical - address % PAGE_BYTES,
						 .map = m->map + 1,
						 .memory = APMU_MEMORY_CACHED};
	if (m->follows)
		page->memory = (uint8_t)apmu_machine__code_memory(m, address);
	if (walked.size >= PAGE_BYTES && m->model->mmu)
		*known = *page;
	return true;
}

/* Reads an instruction's bytes and finds their memory type; a T32 instruction may cross into a page that lies
 * elsewhere. */
static void fetch(struct apmu_machine *m, struct apmu_machine__code *c)
{
	struct apmu_machine__code_page page;
	uint8_t bytes[4] = {0};

	c->bytes = NULL;
	c->mask = c->size == 4 ? 0xFFFFFFFF : 0xFFFF;
	for (unsigned i = 0; i < c->size; i += 2) {
		uint64_t at = c->address + i;
		bool there = page_of(m, at, &page);
		uint64_t physical = page.physical + at % PAGE_BYTES;
		const uint8_t *host = there ? apmu_machine__host(m, physical, 2) : NULL;

		if (host)
			memcpy(bytes + i, host, 2);
		if (i == 0) {
			unsigned memory = there ? page.memory : (unsigned)APMU_MEMORY_CACHED;

			c->bytes = host && apmu_machine__host(m, physical, 4) ? host : NULL;
			c->memory = memory & 0xF;
		} else if (c->bytes && host != c->bytes + i) {
			c->bytes = NULL;
		}
	}
	c->opcode = apmu_isa__opcode((enum apmu_isa__isa)c->isa, bytes, c->size);
	memcpy(&c->word, bytes, sizeof c->word);
}

/* True for encodings of floating point and Advanced SIMD, allocated or not. */
static bool is_vector(const struct apmu_machine__code *c)
{
	static const struct {
		uint32_t mask, value;
	} row[][7] = {
		[APMU_ISA__A32] = {{0x0F000E00, 0x0E000A00}, /* data processing, register transfer */
				   {0x0FE00E00, 0x0C400A00}, /* two registers; load, store: */
				   {0x0F000E00, 0x0D000A00},
				   {0x0F800E00, 0x0C800A00},
				   {0xFE000000, 0xF2000000}, /* Advanced SIMD */
				   {0xFF100000, 0xF4000000},
				   {0, 1}},
		[APMU_ISA__T32] = {{0xEF000E00, 0xEE000A00},
				   {0xEFE00E00, 0xEC400A00},
				   {0xEF000E00, 0xED000A00},
				   {0xEF800E00, 0xEC800A00},
				   {0xEF000000, 0xEF000000},
				   {0xFF100000, 0xF9000000},
				   {0, 1}},
		[APMU_ISA__A64] = {{0x0C000000, 0x0C000000}, {0, 1}},
	};

	if (c->size == 2)
		return false;
	for (unsigned i = 0; row[c->isa][i].mask; i++)
		if ((c->opcode & row[c->isa][i].mask) == row[c->isa][i].value)
			return true;
	return false;
}

/* Classifies an instruction and finds what the machine must do for it. */
static void describe(const struct apmu_machine *m, struct apmu_machine__code *c, struct apmu_insn *insn)
{
	struct apmu_isa__stream stream = {.isa = c->isa};

	c->decoded = apmu_isa__classify(&stream, c->address, c->opcode, c->size, insn);
	if (m->operations)
		apmu_isa__classify_operations((enum apmu_isa__isa)c->isa, c->opcode, insn);
	if (m->in_it)
		insn->flags |= APMU_INSN_CONDITIONAL;
	c->after = 0;
	if (insn->branch > APMU_BRANCH_IMMED_LINK || insn->cls == APMU_CLASS_SYSTEM ||
	    insn->cls == APMU_CLASS_EXCEPTION || insn->cls == APMU_CLASS_UNKNOWN ||
	    (insn->flags & APMU_INSN_MODE))
		c->after = APMU_MACHINE__AFTER_STATE;
	apmu_machine__decode(m, c);
	c->kernel = apmu_machine__kernel_of(c) & 3;
	c->leaves = c->kernel == APMU_MACHINE__KERNEL_RETURN && insn->branch == APMU_BRANCH_NONE;
	c->vector = m->model->a64 && is_vector(c);
	c->preloads = insn->cls == APMU_CLASS_PRELOAD;
	c->zeroes = insn->traits >> APMU_TRAIT_ZVA & 1;
	c->compares = insn->cls == APMU_CLASS_STORE && (insn->flags & APMU_INSN_EXCLUSIVE);
	c->divides = insn->cls == APMU_CLASS_DIV && m->params.divide.bits;
	if (apmu_machine__is_return(c))
		c->after |= APMU_MACHINE__AFTER_STATE | APMU_MACHINE__RETURNS;
	if (c->isa == APMU_ISA__A64 && insn->branch != APMU_BRANCH_NONE)
		c->after = c->special == APMU_MACHINE__SPECIAL_ERET ? APMU_MACHINE__AFTER_STATE : 0;
}

static bool is_plain(const struct apmu_machine__code *c)
{
	return c->decoded && !c->special && !c->after && !c->kernel;
}

static void set_quick(const struct apmu_machine *m, struct apmu_machine__code *c)
{
	bool quick = c->bytes && is_plain(c) && !c->preloads && !c->divides && !(c->vector && m->vector_to);

	c->quick = quick ? m->key : 0;
}

/* Fills an entry that holds another instruction, or the same one as it was found elsewhere. */
static struct apmu_machine__code *refill(struct apmu_machine *m, struct apmu_machine__code *c,
					 uint64_t address, unsigned size)
{
	struct apmu_machine__code new = {
		.address = address, .size = (uint8_t)size, .isa = m->isa, .map = m->map};
	struct apmu_insn insn;

	fetch(m, &new);
	if (c->size == size && c->address == address && c->isa == new.isa && c->opcode == new.opcode) {
		c->bytes = new.bytes;
		c->map = m->map;
		c->memory = new.memory;
	} else {
		apmu_machine__defer_free(m, c->run);
		*c = new;
		describe(m, c, &insn);
	}
	set_quick(m, c);
	return c;
}

struct apmu_machine__code *apmu_machine__code_at(struct apmu_machine *m, uint64_t address, unsigned size)
{
	struct apmu_machine__code *c = apmu_machine__place(m, address);

	if (!apmu_machine__known(m, c, address, size))
		return refill(m, c, address, size);
	set_quick(m, c);
	return c;
}

/* Finds the instruction after `c` in the same page; false if the two cannot be in one run. */
static bool follows(const struct apmu_machine *m, const struct apmu_machine__code *c,
		    struct apmu_machine__code *next, struct apmu_insn *insn)
{
	uint64_t address = c->address + c->size;
	unsigned left = PAGE_BYTES - (unsigned)(address & (PAGE_BYTES - 1)), size = 4;
	const uint8_t *bytes = c->bytes ? c->bytes + c->size : NULL;

	if (!bytes || left == PAGE_BYTES || insn->branch != APMU_BRANCH_NONE || !is_plain(c))
		return false;
	if (c->isa == APMU_ISA__T32)
		size = apmu_isa__thumb_size((uint16_t)(bytes[0] | bytes[1] << 8));
	if (size > left)
		return false;
	*next = (struct apmu_machine__code){
		.address = address, .size = (uint8_t)size, .isa = c->isa, .map = c->map, .bytes = bytes};
	next->opcode = apmu_isa__opcode((enum apmu_isa__isa)c->isa, bytes, size);
	describe(m, next, insn);
	return next->decoded && !next->special && !next->divides;
}

/* Bits of a division's quotient, rounded down to a multiple of what the divider makes per cycle, plus 1; 0:
 * not such a division. */
static uint8_t quotient(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	struct apmu_isa__divide d;
	unsigned bits;

	if (!c->divides)
		return 0;
	d = apmu_isa__divide_decode((enum apmu_isa__isa)c->isa, c->opcode);
	bits = apmu_isa__divide_bits(&d, apmu_machine__reg(m, d.dividend), apmu_machine__reg(m, d.divisor));
	return (uint8_t)(bits - bits % m->params.divide.bits + 1);
}

/* Moves the run for this quotient to the front of the list; false if none was made. */
static bool choose_run(struct apmu_machine__code *c, unsigned of)
{
	for (struct apmu_machine__run **at = &c->run, *run; (run = *at) != NULL; at = &run->other) {
		if (run->quotient != of)
			continue;
		*at = run->other;
		run->other = c->run;
		c->run = run;
		return true;
	}
	return false;
}

static bool make_run(struct apmu_machine *m, struct apmu_machine__code *c, uint8_t of)
{
	struct apmu_insn insn[APMU_MACHINE__RUN_MOST + 1];
	uint32_t opcode[APMU_MACHINE__RUN_MOST];
	struct apmu_machine__code at = *c, next;
	struct apmu_machine__run *run;
	unsigned n = 0;

	describe(m, &at, &insn[0]);
	insn[0].quotient = of;
	do {
		opcode[n++] = at.opcode;
		insn[n] = insn[n - 1]; /* follows() looks at the branch of `at` there */
		if (n == APMU_MACHINE__RUN_MOST || m->in_it || !follows(m, &at, &next, &insn[n]))
			break;
		at = next;
	} while (true);
	run = malloc(sizeof *run + n * sizeof *opcode);
	if (!run)
		return false;
	*run = (struct apmu_machine__run){.block = apmu_block_new_for(&m->params, m->wanted, insn, n),
					  .other = c->run,
					  .n = n,
					  .quotient = of};
	memcpy(run->opcode, opcode, n * sizeof *opcode);
	if (!run->block) {
		free(run);
		return false;
	}
	run->cycles = apmu_block_cycles(run->block);
	c->run = run;
	return true;
}

bool apmu_machine__begin_run(struct apmu_machine *m, struct apmu_machine__code *c)
{
	uint8_t of = quotient(m, c);

	if (!choose_run(c, of) && !make_run(m, c, of))
		return false;
	c->block = c->run->block;
	return true;
}

void apmu_machine__defer_free(struct apmu_machine *m, struct apmu_machine__run *run)
{
	for (; run; run = run->other) {
		run->next = m->deferred;
		m->deferred = run;
	}
}

void apmu_machine__free_deferred(struct apmu_machine *m)
{
	while (m->deferred) {
		struct apmu_machine__run *run = m->deferred;

		m->deferred = run->next;
		apmu_block_free(run->block);
		free(run);
	}
}

/* Forgets all runs, the current one too: the next instruction begins another. */
void apmu_machine__forget_runs(struct apmu_machine *m)
{
	if (apmu_machine__in_run(m))
		apmu_machine__leave_run(m);
	for (size_t i = 0; i < APMU_MACHINE__CODES; i++) {
		apmu_machine__defer_free(m, m->code[i].run);
		m->code[i].run = NULL;
	}
}

void apmu_machine__codes_free(struct apmu_machine *m)
{
	for (size_t i = 0; m->code && i < APMU_MACHINE__CODES; i++)
		apmu_machine__defer_free(m, m->code[i].run);
	apmu_machine__free_deferred(m);
}
