/* SPDX-License-Identifier: MIT */
/*
 * Runs pieces of A64 code on a core's timing model, without an engine, and prints the cycles that each takes.
 *
 *   instruction_kernels CORE BINARY < LIST
 *
 * A line of LIST: the offsets where a piece begins, is entered and ends (its last instruction branches back
 * to where it is entered), the number of its accesses, and for each access the instruction's index, address,
 * bytes, 1 if it is a store, 1 if it is also a load. A piece with other branches has no accesses; conditional
 * ones fall through, a call by register goes to the piece's begin, another branch by register to the next
 * instruction. Prints the cycles of one run of each piece, once its code and data are in the caches.
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

/* A piece in blocks: block[i] begins at instruction i, or is NULL. */
struct piece {
	struct apmu_insn insn[MOST];
	struct apmu_block *block[MOST];
	unsigned length[MOST]; /* of the block that begins there */
	unsigned count, entry;
};

/* The instruction after the branch `i`. *link: where the last call returns to. */
static unsigned after(const struct piece *p, unsigned i, unsigned *link)
{
	const struct apmu_insn *x = &p->insn[i];
	unsigned target = (unsigned)(x->target - ADDR) / 4;
	if (x->branch == APMU_BRANCH_RETURN)
		return *link;
	if (x->branch == APMU_BRANCH_IMMED_LINK || x->branch == APMU_BRANCH_INDIRECT_LINK)
		*link = i + 1;
	if (x->branch == APMU_BRANCH_INDIRECT_LINK)
		return 0;
	bool goes = x->branch == APMU_BRANCH_IMMED || x->branch == APMU_BRANCH_IMMED_LINK;
	return goes && !(x->flags & APMU_INSN_CONDITIONAL) ? target : i + 1;
}

static void turn(struct apmu_uarch *u, const struct piece *p, const struct access *a, unsigned n)
{
	unsigned at = p->entry, link = 0, k = 0;
	do {
		const struct apmu_block *b = p->block[at];
		unsigned end = at + p->length[at];
		apmu_uarch_enter(u, b);
		for (; k < n && a[k].i < end; k++) {
			if (a[k].swap || !a[k].store)
				apmu_uarch_access(u, b, a[k].i - at, a[k].addr, a[k].size, false);
			if (a[k].store)
				apmu_uarch_access(u, b, a[k].i - at, a[k].addr, a[k].size, true);
		}
		at = after(p, end - 1, &link);
	} while (at != p->entry);
}

static uint64_t cycles_now(struct apmu_uarch *u, const struct apmu_tally *t)
{
	apmu_uarch_break(u);
	return t->n[APMU_SIG_CYCLES];
}

/* Cuts the piece into blocks. False: one could not be made. */
static bool cut(const struct apmu_uarch_params *row, struct piece *p)
{
	for (unsigned i = 0, n; i < p->count; i += n) {
		for (n = 1; n < BLOCK && i + n < p->count && i + n != p->entry; n++)
			if (p->insn[i + n - 1].branch != APMU_BRANCH_NONE)
				break;
		p->length[i] = n;
		p->block[i] = apmu_block_new(row, &p->insn[i], n);
		if (!p->block[i])
			return false;
	}
	return true;
}

static double run(const struct apmu_uarch_params *row, unsigned from, unsigned entry, unsigned to,
		  const struct access *a, unsigned n)
{
	static struct piece p;
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	struct apmu_tally t = {0};
	p.count = (to - from) / 4;
	p.entry = (entry - from) / 4;
	if (p.count > MOST || p.entry >= p.count)
		exit(2);
	for (unsigned k = 0; k < p.count; k++) {
		apmu_isa__classify(&stream, ADDR + 4u * k,
				   apmu_isa__opcode(APMU_ISA__A64, &code[from + 4 * k], 4), 4, &p.insn[k]);
		if (p.insn[k].cls == APMU_CLASS_DIV)
			p.insn[k].quotient = 1 + 1; /* 1 / 1, as the published figures are of */
	}
	wanted[APMU_SIG_CYCLES / 64] |= (uint64_t)1 << APMU_SIG_CYCLES % 64;
	struct apmu_uarch *u = apmu_uarch_new(row, &t, wanted);
	if (!u || !cut(row, &p))
		exit(1);
	unsigned turns = p.length[0] == p.count ? TURNS : FEW;
	for (unsigned k = 0; k < turns; k++)
		turn(u, &p, a, n);
	uint64_t before = cycles_now(u, &t);
	for (unsigned k = 0; k < 2 * turns; k++)
		turn(u, &p, a, n);
	double all = (double)(cycles_now(u, &t) - before) / (2 * turns);
	apmu_uarch_free(u);
	for (unsigned i = 0; i < p.count; i += p.length[i])
		apmu_block_free(p.block[i]);
	return all;
}

int main(int argc, char **argv)
{
	static struct access access[MOST];
	const struct apmu_uarch_params *p = argc == 3 ? apmu_uarch_find(argv[1]) : NULL;
	unsigned from, entry, to;
	if (!p || !read_code(argv[2])) {
		fprintf(stderr, "usage: instruction_kernels CORE BINARY < LIST\n");
		return 2;
	}
	while (scanf("%u %u %u", &from, &entry, &to) == 3) {
		unsigned n = read_accesses(access);
		printf("%.4f\n", run(p, from, entry, to, access, n));
	}
	return 0;
}
