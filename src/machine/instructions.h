/* SPDX-License-Identifier: MIT */
/* Instructions, runs and blocks: code.c, decode.c, blocks.c, it_block.c. */
#ifndef APMU_MACHINE_INSTRUCTIONS_H
#define APMU_MACHINE_INSTRUCTIONS_H

#include "machine/machine_internal.h"

/* Begins the run c->run. Its first instruction, `c`, has not been counted yet. */
static inline void apmu_machine__take_run(struct apmu_machine *m, struct apmu_machine__code *c)
{
	m->run = c->run;
	m->run_at = c;
	m->step = 0;
	m->run_end = m->insns + c->run->n;
}

/* code.c, decode.c. The table entry for an address. */
static inline struct apmu_machine__code *apmu_machine__place(const struct apmu_machine *m, uint64_t address)
{
	return &m->code[(address >> 1 ^ address >> 17) & (APMU_MACHINE__CODES - 1)];
}
static inline bool apmu_machine__same_bytes(const struct apmu_machine__code *c)
{
	uint32_t word;

	memcpy(&word, c->bytes, sizeof word);
	return ((word ^ c->word) & c->mask) == 0;
}
static inline bool apmu_machine__known(const struct apmu_machine *m, const struct apmu_machine__code *c,
				       uint64_t address, unsigned size)
{
	return c->address == address && c->size == size && c->isa == m->isa && c->map == m->map && c->bytes &&
	       apmu_machine__same_bytes(c);
}
struct apmu_machine__code *apmu_machine__code_at(struct apmu_machine *m, uint64_t address, unsigned size);
void apmu_machine__decode(const struct apmu_machine *m, struct apmu_machine__code *c);
enum apmu_machine__kernel apmu_machine__kernel_of(const struct apmu_machine__code *c); /* after that */
/* Finds or makes a run that begins with `c` (for the operands, if `c` divides); false without memory. */
bool apmu_machine__begin_run(struct apmu_machine *m, struct apmu_machine__code *c);
/* Frees `run`, and those linked by `other`, once the event sources have left them. */
void apmu_machine__defer_free(struct apmu_machine *m, struct apmu_machine__run *run);
void apmu_machine__free_deferred(struct apmu_machine *m); /* requires: the event sources have left them */
void apmu_machine__codes_free(struct apmu_machine *m);

void apmu_machine__forget_runs(struct apmu_machine *m);

/* blocks.c: installs the two hooks */
bool apmu_machine__code_hooks(struct apmu_machine *m, void (*code)(void), void (*block)(void));
void apmu_machine__block_made(struct apmu_machine *m, uint64_t address, uint32_t size);
void apmu_machine__block_back(struct apmu_machine *m, uint64_t address, uint32_t size);

/* it_block.c. _remind(): a translation ended within an IT block, with `c`. _translated(): a block was
 * translated and is about to run. _refuse_in_it(): retranslates the `n` instructions after `c`, an IT, so
 * that the emulator makes none of the machine's accesses in them; false: there are none. */
void apmu_machine__translate_block(const struct apmu_machine *m, uint64_t address, uint64_t end);
void apmu_machine__remind(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__translated(struct apmu_machine *m, uint64_t address, size_t size);
bool apmu_machine__refuse_in_it(struct apmu_machine *m, const struct apmu_machine__code *c, unsigned n);
/* If the machine has executed `c` already, which the emulator took as undefined, continues after it. */
bool apmu_machine__done_in_it(struct apmu_machine *m, const struct apmu_machine__code *c);

#endif
