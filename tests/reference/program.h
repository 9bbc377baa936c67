/* SPDX-License-Identifier: MIT */
/**
 * A program for the clocks: blocks of instructions, the order in which they run, and the address of each load
 * and store. The fast model and the reference get the same program; nothing random is left for the run.
 */
#ifndef APMU_TEST_PROGRAM_H
#define APMU_TEST_PROGRAM_H

#include <apmu/uarch.h>

enum { PROGRAM_BLOCKS = 84, PROGRAM_INSNS = 40 };

struct program {
	struct program_block {
		uint64_t addr;
		unsigned n;
		struct apmu_insn insn[PROGRAM_INSNS];
	} block[PROGRAM_BLOCKS];
	unsigned blocks;
	uint8_t *run; /* indices into `block`, in the order in which the blocks run */
	size_t runs, room;
	uint64_t *address; /* of each load, store and swap, in the order in which they run */
	size_t addresses, address_room;
};

/* Random numbers: splitmix64. */
struct dice {
	uint64_t s;
};
uint64_t dice_next(struct dice *d);
unsigned dice_below(struct dice *d, unsigned n);

/* True for a load, store or swap. */
static inline bool program_accesses(const struct apmu_insn *x)
{
	return x->cls == APMU_CLASS_LOAD || x->cls == APMU_CLASS_STORE || x->cls == APMU_CLASS_SWAP;
}
static inline bool program_stores(const struct apmu_insn *x)
{
	return x->cls == APMU_CLASS_STORE;
}
unsigned program_bytes(const struct apmu_insn *x); /* bytes that the instruction accesses */
const char *program_class(unsigned cls);           /* the class's name in spec/uarch/keys.txt */

/* Adds a block of 4-byte instructions; returns its index. */
unsigned program_block(struct program *p, uint64_t addr, const struct apmu_insn *insn, unsigned n);
void program_run(struct program *p, unsigned block);
void program_touch(struct program *p, uint64_t address);
void program_close(struct program *p);
void program_print(const struct program *p);

#endif
