/* SPDX-License-Identifier: MIT */
/*
 * Runs pieces of A64 code on a core's timing model, without an engine, and prints the cycles that each takes.
 *
 *   instruction_kernels CORE BINARY < LIST
 *
 * A line of LIST: the offsets where a piece begins and ends (its last instruction branches to its first), the
 * number of its accesses, and for each access the instruction's index, address, bytes, 1 if it is a store, 1
 * if it is also a load. Prints the cycles of one run of each piece, once its code and data are in the caches.
 * tests/accuracy/instructions.py has the rest.
 */
#include "isa/classify.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST  32768u /* instructions, accesses */
#define BLOCK 256u   /* instructions of a block, at most */
#define TURNS 50u    /* of a piece of one block */
#define FEW   4u     /* of a longer piece */
#define ADDR  0x10000u

struct access {
	unsigned i, size, store, swap;
	unsigned long long addr;
};

static uint8_t code[1 << 24];

static bool read_code(const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(code, 1, sizeof(code), f) : 0;
	if (f)
		fclose(f);
	return n > 0 && n < sizeof(code);
}

static unsigned read_accesses(struct access *a)
{
	unsigned n = 0;
	if (scanf("%u", &n) != 1 || n > MOST)
		exit(2);
	for (unsigned k = 0; k < n; k++)
		if (scanf("%u %llu %u %u %u", &a[k].i, &a[k].addr, &a[k].size, &a[k].store, &a[k].swap) != 5)
			exit(2);
	return n;
}

static void turn(struct apmu_uarch *u, struct apmu_block **block, unsigned blocks, const struct access *a,
		 unsigned n)
{
	for (unsigned i = 0, k = 0; i < blocks; i++) {
		const struct apmu_block *b = block[i];
		apmu_uarch_enter(u, b);
		for (; k < n && a[k].i / BLOCK == i; k++) {
			if (a[k].swap || !a[k].store)
				apmu_uarch_access(u, b, a[k].i % BLOCK, a[k].addr, a[k].size, false);
			if (a[k].store)
				apmu_uarch_access(u, b, a[k].i % BLOCK, a[k].addr, a[k].size, true);
		}
	}
}

static uint64_t cycles_now(struct apmu_uarch *u, const struct apmu_tally *t)
{
	apmu_uarch_break(u);
	return t->n[APMU_SIG_CYCLES];
}

/* Cuts the piece into blocks. Returns their number, 0 if one could not be made. */
static unsigned cut(const struct apmu_uarch_params *p, const struct apmu_insn *insn, unsigned count,
		    struct apmu_block **block)
{
	unsigned blocks = 0;
	for (unsigned i = 0; i < count && i < MOST; i += BLOCK) {
		block[blocks] = apmu_block_new(p, &insn[i], count - i < BLOCK ? count - i : BLOCK);
		if (!block[blocks++])
			return 0;
	}
	return blocks;
}

static double run(const struct apmu_uarch_params *p, unsigned from, unsigned to, const struct access *a,
		  unsigned n)
{
	static struct apmu_insn insn[MOST];
	static struct apmu_block *block[MOST / BLOCK];
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	struct apmu_tally t = {0};
	unsigned count = (to - from) / 4;
	for (unsigned k = 0; k < count && k < MOST; k++) {
		apmu_isa__classify(&stream, ADDR + 4u * k,
				   apmu_isa__opcode(APMU_ISA__A64, &code[from + 4 * k], 4), 4, &insn[k]);
		if (insn[k].cls == APMU_CLASS_DIV)
			insn[k].quotient = 1 + 1; /* 1 / 1, as the published figures are of */
	}
	wanted[APMU_SIG_CYCLES / 64] |= (uint64_t)1 << APMU_SIG_CYCLES % 64;
	struct apmu_uarch *u = apmu_uarch_new(p, &t, wanted);
	unsigned blocks = cut(p, insn, count, block), turns = blocks > 1 ? FEW : TURNS;
	if (count > MOST || !u || !blocks)
		exit(1);
	for (unsigned k = 0; k < turns; k++)
		turn(u, block, blocks, a, n);
	uint64_t before = cycles_now(u, &t);
	for (unsigned k = 0; k < 2 * turns; k++)
		turn(u, block, blocks, a, n);
	double all = (double)(cycles_now(u, &t) - before) / (2 * turns);
	apmu_uarch_free(u);
	while (blocks)
		apmu_block_free(block[--blocks]);
	return all;
}

int main(int argc, char **argv)
{
	static struct access access[MOST];
	const struct apmu_uarch_params *p = argc == 3 ? apmu_uarch_find(argv[1]) : NULL;
	unsigned from, to;
	if (!p || !read_code(argv[2])) {
		fprintf(stderr, "usage: instruction_kernels CORE BINARY < LIST\n");
		return 2;
	}
	while (scanf("%u %u", &from, &to) == 2) {
		unsigned n = read_accesses(access);
		printf("%.4f\n", run(p, from, to, access, n));
	}
	return 0;
}
