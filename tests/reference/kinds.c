/* SPDX-License-Identifier: MIT */
#include "kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 0x8000, FAR = 256 << 20, BASE = 0x10000000, APART = (64 << 20) + 41 * 64 };

/* Addresses are kept in r12 and r13, results go to r0 to r11; d0 to d11 are vectors. */
enum { ADDRESS = 12, POINTER = 13, RESULTS = 12, VECTOR = 32 };

static uint64_t bit(unsigned r)
{
	return (uint64_t)1 << r;
}

static unsigned any_result(struct dice *d)
{
	return dice_below(d, RESULTS);
}

static struct apmu_insn of_class(unsigned cls, unsigned to, uint64_t reads)
{
	return (struct apmu_insn){.cls = (uint8_t)cls, .reads = reads, .writes = bit(to)};
}

static struct apmu_insn load(unsigned to, unsigned address, unsigned width)
{
	return (struct apmu_insn){.cls = APMU_CLASS_LOAD,
				  .reads = bit(address),
				  .shift_reads = bit(address),
				  .writes = bit(to),
				  .width = (uint8_t)width};
}

static struct apmu_insn store(unsigned data, unsigned address, unsigned width)
{
	return (struct apmu_insn){.cls = APMU_CLASS_STORE,
				  .reads = bit(data) | bit(address),
				  .shift_reads = bit(address),
				  .width = (uint8_t)width};
}

static struct apmu_insn branch_to(uint64_t target, bool conditional)
{
	return (struct apmu_insn){.cls = APMU_CLASS_BRANCH,
				  .branch = APMU_BRANCH_IMMED,
				  .flags = conditional ? APMU_INSN_CONDITIONAL : 0,
				  .target = target};
}

#define SETTERS 0x88888888u /* registers; additions into them set the condition flags */

/* A random instruction that accesses no memory: of few classes, or of `all`. */
static struct apmu_insn compute(struct dice *d, bool all)
{
	static const uint8_t some[] = {APMU_CLASS_ALU, APMU_CLASS_ALU, APMU_CLASS_ALU, APMU_CLASS_MUL,
				       APMU_CLASS_NOP};
	static const uint8_t more[] = {
		APMU_CLASS_ALU,      APMU_CLASS_ALU,      APMU_CLASS_ALU,      APMU_CLASS_MUL,
		APMU_CLASS_MUL_LONG, APMU_CLASS_MUL_HIGH, APMU_CLASS_MUL_HALF, APMU_CLASS_DIV,
		APMU_CLASS_VFP,      APMU_CLASS_VFP_MAC,  APMU_CLASS_VFP_DIV,  APMU_CLASS_SIMD,
		APMU_CLASS_MUL_64,   APMU_CLASS_ALU,      APMU_CLASS_NOP,      APMU_CLASS_ALU};
	unsigned cls = all ? more[dice_below(d, sizeof more)] : some[dice_below(d, sizeof some)];
	unsigned base = cls == APMU_CLASS_VFP || cls == APMU_CLASS_VFP_MAC || cls == APMU_CLASS_VFP_DIV ||
					cls == APMU_CLASS_SIMD
				? VECTOR
				: 0;
	struct apmu_insn x = of_class(cls, base + any_result(d), bit(base + any_result(d)));
	if (cls == APMU_CLASS_NOP)
		return (struct apmu_insn){.cls = APMU_CLASS_NOP};
	if (dice_below(d, 2))
		x.reads |= bit(base + any_result(d));
	if (cls == APMU_CLASS_VFP_MAC) {
		x.shift_reads = x.reads;
		x.reads |= bit(VECTOR + any_result(d));
	}
	if (cls == APMU_CLASS_DIV)
		x.quotient = (uint8_t)dice_below(d, 66); /* 0: operands not known */
	if (cls == APMU_CLASS_ALU && dice_below(d, 4) == 0)
		x.shift_reads = x.reads & -x.reads;
	if (cls == APMU_CLASS_ALU && dice_below(d, 12) == 0)
		x.flags |= APMU_INSN_SHIFT_REG;
	if (cls == APMU_CLASS_ALU && x.writes & SETTERS)
		x.flags |= APMU_INSN_SETS_FLAGS;
	if (cls == APMU_CLASS_MUL_LONG && dice_below(d, 2)) { /* high half to another register */
		x.low = (uint8_t)(1 + __builtin_ctzll(x.writes));
		x.writes |= bit(any_result(d));
	}
	return x;
}

/* Adds a loop of one block and runs it `runs` times. */
static void loop(struct program *p, struct apmu_insn *insn, unsigned n, unsigned runs)
{
	insn[n] = branch_to(CODE, true);
	program_block(p, CODE, insn, n + 1);
	for (unsigned k = 0; k < runs; k++)
		program_run(p, 0);
}

static void make_free(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = 6 + dice_below(d, 20);
	(void)row;
	for (unsigned k = 0; k < n; k++)
		insn[k] = of_class(APMU_CLASS_ALU, k % RESULTS, bit(ADDRESS));
	loop(p, insn, n, runs);
}

static void make_chain(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = 4 + dice_below(d, 16), last = 0;
	(void)row;
	for (unsigned k = 0; k < n; k++) {
		static const uint8_t cls[] = {APMU_CLASS_ALU, APMU_CLASS_ALU, APMU_CLASS_MUL, APMU_CLASS_DIV,
					      APMU_CLASS_MUL_LONG};
		unsigned to = k + 1 == n ? 0 : any_result(d);
		insn[k] = of_class(cls[dice_below(d, sizeof cls)], to, bit(last));
		if (insn[k].cls == APMU_CLASS_DIV)
			insn[k].quotient = (uint8_t)dice_below(d, 66);
		last = to;
	}
	loop(p, insn, n, runs);
}

static void make_mix(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = 4 + dice_below(d, 30);
	bool all = dice_below(d, 2);
	(void)row;
	for (unsigned k = 0; k < n; k++)
		insn[k] = compute(d, all);
	loop(p, insn, n, runs);
}

/* A loop of several blocks, of which only the last ends in a branch. */
static void make_blocks(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	unsigned blocks = 2 + dice_below(d, 6), at = 0;
	(void)row;
	for (unsigned b = 0; b < blocks; b++) {
		struct apmu_insn insn[PROGRAM_INSNS];
		unsigned n = 1 + dice_below(d, 10);
		for (unsigned k = 0; k < n; k++)
			insn[k] = compute(d, false);
		if (b + 1 == blocks)
			insn[n++] = branch_to(CODE, true);
		program_block(p, CODE + 0x40 * b - (b ? 0 : 0), insn, n);
	}
	/* no gaps between the blocks */
	uint64_t addr = CODE;
	for (unsigned b = 0; b < blocks; b++) {
		p->block[b].addr = addr;
		for (unsigned k = 0; k < p->block[b].n; k++)
			p->block[b].insn[k].addr = addr + 4 * k;
		addr += 4 * p->block[b].n;
	}
	for (unsigned k = 0; k < runs; k++) {
		program_run(p, at);
		at = (at + 1) % blocks;
	}
}

/* The addresses of an access: random within a range, or in strides. */
enum walk { WALK_SMALL, WALK_L2, WALK_L3, WALK_FAR, WALK_LINES, WALK_THREE, WALK_WORDS };

struct walker {
	enum walk walk;
	uint64_t at;
};

static uint64_t next_address(struct walker *w, struct dice *d, unsigned width)
{
	unsigned granule = width > 8 ? width : 8;
	switch (w->walk) {
	case WALK_SMALL: return BASE + dice_below(d, 1024 / granule) * granule;
	case WALK_L2: return BASE + dice_below(d, 16384 / granule) * granule;
	case WALK_L3: return BASE + dice_below(d, 65536 / granule) * granule;
	case WALK_LINES: return w->at += 64;
	case WALK_THREE: return w->at += 192;
	case WALK_WORDS: return w->at += granule;
	default: return BASE + dice_below(d, FAR / granule) * granule;
	}
}

/* A loop of loads, stores and other instructions in random order. Each access has one of the walks; with
 * `list`, each load takes its address from the load before. Other registers are random. */
static void accesses(struct program *p, struct dice *d, unsigned runs, unsigned loads, unsigned stores,
		     unsigned others, const enum walk *walk, unsigned walks, bool list)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = loads + stores + others, kind[PROGRAM_INSNS], width[PROGRAM_INSNS];
	struct walker walker[PROGRAM_INSNS];
	unsigned left[3] = {loads, stores, others};
	for (unsigned k = 0; k < n; k++) {
		unsigned which;
		do
			which = dice_below(d, 3);
		while (!left[which]);
		left[which]--;
		kind[k] = which;
		width[k] = dice_below(d, 2) ? 4 : 8;
		walker[k] = (struct walker){walk[dice_below(d, walks)], BASE + (uint64_t)(k + 1) * APART};
		unsigned address = list ? POINTER : ADDRESS;
		if (which == 0)
			insn[k] = load(list ? POINTER : any_result(d), address, width[k]);
		else if (which == 1)
			insn[k] = store(any_result(d), ADDRESS, width[k]);
		else
			insn[k] = compute(d, false);
	}
	loop(p, insn, n, runs);
	for (unsigned r = 0; r < runs; r++)
		for (unsigned k = 0; k < n; k++)
			if (kind[k] < 2)
				program_touch(p, next_address(&walker[k], d, width[k]));
}

#define MAKE(name, loads, stores, others, list, ...)                                                    \
	static void make_##name(struct program *p, struct dice *d, const struct apmu_uarch_params *row, \
				unsigned runs)                                                          \
	{                                                                                               \
		static const enum walk walk[] = {__VA_ARGS__};                                          \
		(void)row;                                                                              \
		accesses(p, d, runs, loads, stores, others, walk, sizeof walk / sizeof walk[0], list);  \
	}

#define FEW(n)  (1 + dice_below(d, n))
#define SOME(n) dice_below(d, n)

MAKE(hits, FEW(6), 0, SOME(12), false, WALK_SMALL)
MAKE(hit_list, FEW(3), 0, SOME(8), true, WALK_SMALL)
MAKE(l2_list, FEW(3), 0, SOME(8), true, WALK_L2)
MAKE(l3_list, FEW(3), 0, SOME(8), true, WALK_L3)
MAKE(far_list, FEW(2), 0, SOME(12), true, WALK_FAR)
MAKE(l2_loads, FEW(5), 0, SOME(12), false, WALK_L2)
MAKE(l3_loads, FEW(5), 0, SOME(12), false, WALK_L3)
MAKE(far_loads, FEW(5), 0, SOME(16), false, WALK_FAR)
MAKE(walk, FEW(3), 0, SOME(12), false, WALK_LINES, WALK_THREE, WALK_WORDS)
MAKE(walk_list, 1, 0, SOME(12), true, WALK_LINES, WALK_THREE, WALK_WORDS)
MAKE(store_hits, 0, FEW(5), SOME(12), false, WALK_SMALL)
MAKE(l2_stores, 0, FEW(4), SOME(12), false, WALK_L2)
MAKE(far_stores, 0, FEW(3), SOME(16), false, WALK_FAR)
MAKE(all, FEW(5), FEW(4), SOME(20), false, WALK_SMALL, WALK_L2, WALK_L3, WALK_FAR, WALK_LINES, WALK_WORDS)

/* Short chains of loads of loaded addresses, which do not depend on the iteration before; in some programs
 * the value is stored. */
static void make_gather(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = 0, deep = 2 + dice_below(d, 2), others = dice_below(d, 10), accesses = deep;
	bool stores = dice_below(d, 2);
	(void)row;
	for (unsigned k = 0; k < deep; k++) {
		insn[n++] = load(0, k ? 0 : ADDRESS, 4);
		insn[n++] = of_class(APMU_CLASS_ALU, 0, bit(0));
	}
	if (stores) {
		insn[n++] = store(0, ADDRESS, 4);
		accesses++;
	}
	for (unsigned k = 0; k < others; k++)
		insn[n++] = of_class(APMU_CLASS_ALU, 1 + k, bit(ADDRESS));
	loop(p, insn, n, runs);
	for (unsigned k = 0; k < runs * accesses; k++)
		program_touch(p, BASE + dice_below(d, FAR / 8) * 8);
}

/* A conditional branch that is taken at random. */
static void make_wrong(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned first = 1 + dice_below(d, 8), second = 1 + dice_below(d, 8);
	(void)row;
	for (unsigned k = 0; k < first; k++)
		insn[k] = compute(d, false);
	uint64_t behind = CODE + 4 * (first + 1), end = behind + 4 * second;
	insn[first] = branch_to(end, true);
	if (dice_below(d, 2))
		insn[first].reads = bit(any_result(d)); /* CBZ */
	program_block(p, CODE, insn, first + 1);
	for (unsigned k = 0; k < second; k++)
		insn[k] = compute(d, false);
	program_block(p, behind, insn, second);
	insn[0] = compute(d, false);
	insn[1] = branch_to(CODE, true);
	program_block(p, end, insn, 2);
	for (unsigned k = 0; k < runs; k++) {
		program_run(p, 0);
		if (dice_below(d, 2))
			program_run(p, 1);
		program_run(p, 2);
	}
}

static void make_calls(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = 1 + dice_below(d, 4), m = dice_below(d, 8);
	(void)row;
	for (unsigned k = 0; k < n; k++)
		insn[k] = compute(d, false);
	insn[n] = branch_to(CODE + 0x1000, false);
	insn[n].branch = APMU_BRANCH_IMMED_LINK;
	insn[n].writes = bit(14);
	program_block(p, CODE, insn, n + 1);
	for (unsigned k = 0; k < m; k++)
		insn[k] = compute(d, false);
	insn[m] =
		(struct apmu_insn){.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_RETURN, .reads = bit(14)};
	program_block(p, CODE + 0x1000, insn, m + 1);
	insn[0] = compute(d, false);
	insn[1] = branch_to(CODE, true);
	program_block(p, CODE + 4 * (n + 1), insn, 2);
	for (unsigned k = 0; k < runs; k++) {
		program_run(p, 0);
		program_run(p, 1);
		program_run(p, 2);
	}
}

/* A store, and a load from its address, in some programs of twice the width: of the store's bytes and those
 * behind it or, if the load has 16, those before it. In some programs the store takes longer to arrange its
 * data. */
static void make_forward(struct program *p, struct dice *d, const struct apmu_uarch_params *row,
			 unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = 0, between = dice_below(d, 6), behind = dice_below(d, 6);
	bool wide = dice_below(d, 3) == 0, vector = dice_below(d, 3) == 0, second = dice_below(d, 2);
	unsigned width = vector ? 8 : 4;
	static const uint16_t group[] = {0, APMU_GROUP_STRD, APMU_GROUP_STORE_SUB};
	(void)row;
	insn[n] = store(0, ADDRESS, width);
	insn[n++].group = group[dice_below(d, 3)];
	for (unsigned k = 0; k < between; k++)
		insn[n++] = compute(d, false);
	insn[n++] = load(0, ADDRESS, wide ? 2 * width : width);
	for (unsigned k = 0; k < behind; k++)
		insn[n++] = compute(d, false);
	loop(p, insn, n, runs);
	for (unsigned k = 0; k < runs; k++) {
		uint64_t at = BASE + dice_below(d, 32) * 16;
		program_touch(p, at + (wide && vector && second ? 8 : 0));
		program_touch(p, at);
	}
}

static void make_multiple(struct program *p, struct dice *d, const struct apmu_uarch_params *row,
			  unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned n = 2 + dice_below(d, 12), accesses = 0;
	(void)row;
	for (unsigned k = 0; k < n; k++) {
		unsigned which = dice_below(d, 3), regs = 2 + dice_below(d, 7);
		if (which == 2) {
			insn[k] = compute(d, false);
			continue;
		}
		accesses++;
		insn[k] = which ? store(0, ADDRESS, 4) : load(0, ADDRESS, 4);
		insn[k].flags = APMU_INSN_MULTIPLE;
		insn[k].regs = (uint8_t)regs;
		if (which)
			insn[k].reads |= bit(regs) - 1;
		else
			insn[k].writes = bit(regs) - 1;
	}
	loop(p, insn, n, runs);
	for (unsigned k = 0; k < runs * accesses; k++)
		program_touch(p, BASE + dice_below(d, 32) * 32);
}

/* Loads from more pages than all TLBs hold, or than the first-level TLB holds. */
static void make_pages(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	unsigned loads = 1 + dice_below(d, 4), n = loads + dice_below(d, 10);
	unsigned pages = dice_below(d, 2) ? 64 : 8192;
	for (unsigned k = 0; k < n; k++)
		insn[k] = k < loads ? load(any_result(d), ADDRESS, 4) : compute(d, false);
	loop(p, insn, n, runs);
	for (unsigned k = 0; k < runs * loads; k++) {
		uint64_t page = dice_below(d, pages);
		program_touch(p, BASE + page * row->page);
	}
}

/* Blocks that are 4 KiB apart, so that they conflict in the instruction cache. */
enum { CODE_BLOCKS = 16 };
static void make_code(struct program *p, struct dice *d, const struct apmu_uarch_params *row, unsigned runs)
{
	unsigned at = 0;
	(void)row;
	for (unsigned b = 0; b < CODE_BLOCKS; b++) {
		struct apmu_insn insn[PROGRAM_INSNS];
		unsigned n = 1 + dice_below(d, 12);
		uint64_t next = CODE + 4096 * (uint64_t)((b + 1) % CODE_BLOCKS);
		for (unsigned k = 0; k < n; k++)
			insn[k] = compute(d, false);
		insn[n] = branch_to(next, false);
		program_block(p, CODE + 4096 * (uint64_t)b, insn, n + 1);
	}
	for (unsigned k = 0; k < runs; k++) {
		program_run(p, at);
		at = (at + 1) % CODE_BLOCKS;
	}
}

/* Code that is a little smaller or larger than the cache of decoded instructions. */
static void make_decoded(struct program *p, struct dice *d, const struct apmu_uarch_params *row,
			 unsigned runs)
{
	unsigned blocks = 2 + dice_below(d, CODE_BLOCKS - 2), at = 0, n[CODE_BLOCKS];
	uint64_t addr[CODE_BLOCKS + 1] = {CODE};
	(void)row;
	for (unsigned b = 0; b < blocks; b++) {
		n[b] = 1 + dice_below(d, 12);
		addr[b + 1] = addr[b] + 4 * (n[b] + 2 + (uint64_t)dice_below(d, 12));
	}
	for (unsigned b = 0; b < blocks; b++) {
		struct apmu_insn insn[PROGRAM_INSNS];
		for (unsigned k = 0; k < n[b]; k++)
			insn[k] = compute(d, false);
		insn[n[b]] = branch_to(b + 1 < blocks ? addr[b + 1] : CODE, false);
		program_block(p, addr[b], insn, n[b] + 1);
	}
	for (unsigned k = 0; k < runs; k++) {
		program_run(p, at);
		at = (at + 1) % blocks;
	}
}

/* How a block of long code ends: FALL: the next block is behind it; HOP: with a branch to the next block,
 * often in a later line; MAYBE: with a conditional branch over the next block, taken at random. */
enum ending { FALL, HOP, MAYBE };

/* A random instruction of code that waits for fetch more than for operands. */
static struct apmu_insn plain(struct dice *d)
{
	unsigned which = dice_below(d, 4);
	if (which == 0)
		return compute(d, false);
	return which == 1 ? (struct apmu_insn){.cls = APMU_CLASS_NOP}
			  : of_class(APMU_CLASS_ALU, any_result(d), bit(ADDRESS));
}

/* Runs the blocks in order, but for those that a MAYBE leaves out. */
static void run_code(struct program *p, struct dice *d, const uint8_t *ending, unsigned runs)
{
	unsigned at = 0;
	for (unsigned k = 0; k < runs; k++) {
		const struct program_block *b = &p->block[at];
		program_run(p, at);
		for (unsigned i = 0; i < b->n; i++)
			if (program_accesses(&b->insn[i]))
				program_touch(p, BASE + dice_below(d, 64) * 8);
		at += ending[at] == MAYBE && dice_below(d, 2) ? 2 : 1;
		at %= p->blocks;
	}
}

/* Adds a block of `n` instructions, the last of them a branch to `target` unless that is 0. */
static void code_block(struct program *p, struct dice *d, uint64_t addr, unsigned n, uint64_t target,
		       bool conditional, bool loads)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	for (unsigned k = 0; k < n; k++)
		insn[k] = plain(d);
	if (loads && n > 1)
		insn[0] = load(any_result(d), ADDRESS, 8);
	if (target)
		insn[n - 1] = branch_to(target, conditional);
	program_block(p, addr, insn, n);
}

/* Code that L1I cannot hold, of blocks of up to `most` instructions that end in one of three ways. Half of
 * the blocks load, if `loads`. */
static void long_code(struct program *p, struct dice *d, unsigned runs, const uint8_t *ends, unsigned most,
		      bool loads)
{
	enum { ALL = PROGRAM_BLOCKS };
	unsigned blocks = ALL / 2 + dice_below(d, ALL / 2 + 1), n[ALL];
	uint64_t addr[ALL + 1] = {CODE + 4 * (uint64_t)dice_below(d, 16)};
	uint8_t ending[ALL];
	for (unsigned b = 0; b < blocks; b++) {
		ending[b] = b + 2 < blocks ? ends[dice_below(d, 3)] : b + 1 < blocks ? FALL : HOP;
		n[b] = 1 + dice_below(d, most) + (ending[b] != FALL);
		addr[b + 1] = addr[b] + 4 * n[b];
		if (ending[b] == HOP)
			addr[b + 1] += 4 * (uint64_t)dice_below(d, 40);
	}
	for (unsigned b = 0; b < blocks; b++) {
		bool last = b + 1 == blocks, skips = ending[b] == MAYBE;
		uint64_t target = last ? addr[0] : addr[b + 1 + skips];
		code_block(p, d, addr[b], n[b], ending[b] == FALL ? 0 : target, skips || last,
			   loads && dice_below(d, 2));
	}
	run_code(p, d, ending, runs);
}

#define CODE_OF(name, most, loads, ...)                                                                 \
	static void make_##name(struct program *p, struct dice *d, const struct apmu_uarch_params *row, \
				unsigned runs)                                                          \
	{                                                                                               \
		static const uint8_t ends[3] = {__VA_ARGS__};                                           \
		(void)row;                                                                              \
		long_code(p, d, runs, ends, most, loads);                                               \
	}

CODE_OF(straight, 38, false, FALL, FALL, FALL)
CODE_OF(hops, 12, false, HOP, HOP, HOP)
CODE_OF(turns, 38, true, FALL, FALL, MAYBE)
CODE_OF(mixed, 38, false, FALL, HOP, MAYBE)

#define QUIET "prefetch.streams 0"
/* Code that is fetched ahead: run_ahead.queue, rate, refills, fill, and code_ahead. */
#define LONG(queue, rate, refills, fill, ahead)                                 \
	QUIET " l1i.size 4096 run_ahead.queue " #queue " run_ahead.rate " #rate \
	      " run_ahead.refills " #refills " run_ahead.fill " #fill " code_ahead " #ahead
#define MIDDLE " l2.size 4096"   /* most such code does not fit L2 */
#define WIDE   " l2.size 262144" /* data evict no code, as in the reference, which has an L2 for each */
#define ROOMY  "l1d.ways 16 l1d.size 65536 l1d.replace lru" /* prefetched lines stay until they are used */

const struct kind kinds[] = {
	{"free", "width and pipes", QUIET, make_free},
	{"chain", "an operand", QUIET, make_chain},
	{"mix", "operands and pipes", QUIET, make_mix},
	{"blocks", "operands, from block to block", QUIET, make_blocks},
	{"hits", "loads that hit", QUIET, make_hits},
	{"hit-list", "loads of loaded addresses", QUIET, make_hit_list},
	{"multiple", "loads and stores of several registers", QUIET, make_multiple},
	{"l2-list", "L2, one line after the other", QUIET, make_l2_list},
	{"l3-list", "L3, one line after the other", QUIET, make_l3_list},
	{"far-list", "memory, one line after the other", QUIET, make_far_list},
	{"l2-loads", "L2, lines side by side", QUIET, make_l2_loads},
	{"l3-loads", "L3, lines side by side", QUIET, make_l3_loads},
	{"far-loads", "memory: places for misses, the bus", QUIET, make_far_loads},
	{"gather", "memory: loads of loaded addresses side by side", QUIET, make_gather},
	{"walk", "memory, in strides, without the prefetcher", QUIET, make_walk},
	{"walk-ahead", "memory, in strides, with the prefetcher", ROOMY, make_walk},
	{"list-ahead", "a list in strides, with the prefetcher", ROOMY, make_walk_list},
	{"store-hits", "stores that hit", QUIET, make_store_hits},
	{"l2-stores", "stores to lines in L2", QUIET, make_l2_stores},
	{"far-stores", "stores to lines in memory, lines written back", QUIET, make_far_stores},
	{"forward", "stores whose data are loaded", QUIET " group.strd result:4 group.store-sub result:7",
	 make_forward},
	{"wrong", "branches that are mispredicted", QUIET, make_wrong},
	{"calls", "calls, returns and taken branches", QUIET, make_calls},
	{"pages", "translations", QUIET, make_pages},
	{"code", "instruction lines", QUIET " l1i.size 4096 run_ahead.queue 0 code_ahead 0", make_code},
	{"straight", "straight code that prediction requests", LONG(12, 1, 8, 6, 0), make_straight},
	{"hops", "code with taken branches that prediction requests", LONG(8, 2, 4, 3, 0) MIDDLE, make_hops},
	{"turns", "code with mispredictions that prediction requests", LONG(12, 1, 8, 6, 0) WIDE, make_turns},
	{"far-code", "code from memory that prediction requests", LONG(12, 1, 8, 6, 0) MIDDLE " l3.size 0",
	 make_mixed},
	{"code-in-l2", "code that L2 reads ahead", LONG(0, 1, 1, 0, 2) MIDDLE, make_mixed},
	{"code-both", "code that prediction and L2 request, branches that the BTB lacks",
	 LONG(16, 1, 6, 4, 3) MIDDLE " taken 1 static_taken 4 btb 0", make_mixed},
	{"code-next", "straight code whose lines bring the next one", LONG(0, 1, 1, 0, 0) " code_next 1",
	 make_straight},
	{"next-both", "code whose lines bring the next one, and that L2 reads ahead",
	 LONG(0, 1, 1, 0, 2) MIDDLE " code_next 1", make_mixed},
	{"decoded", "code that is decoded anew",
	 QUIET " mop.entries 0 mop.ways 2 mop.entries 128 mop.decode 2", make_decoded},
	{"all", "everything", ROOMY, make_all},
};
const unsigned kinds_n = sizeof kinds / sizeof kinds[0];

/* Changes a parameter if the row is still consistent then. */
static void set(struct apmu_uarch_params *p, const char *key, const char *value)
{
	struct apmu_uarch_params changed = *p;
	if (apmu_uarch_set(&changed, key, value) == APMU_OK && !apmu_uarch_check(&changed))
		*p = changed;
}

/* Halves the size of a cache until it is at most `most` bytes. */
static void shrink(struct apmu_uarch_params *p, const char *key, uint32_t size, uint32_t most)
{
	char value[16];
	while (size > most)
		size /= 2;
	snprintf(value, sizeof value, "%u", size);
	if (size)
		set(p, key, value);
}

void kind_row(struct apmu_uarch_params *p, const struct kind *kind)
{
	char text[256], *at = text;
	bool code = strstr(kind->params, "l1i.size"), pages = strcmp(kind->name, "pages") == 0;
	if (code)
		shrink(p, "l1i.size", p->l1i.size, 4096);
	else
		set(p, "l1i.size", "0");
	set(p, "itlb.entries", "0");
	if (!pages) {
		set(p, "dtlb.entries", "0");
		set(p, "tlb.entries", "0");
	}
	set(p, "walk_cache", "0");
	set(p, "walk_reads", "0");
	set(p, "read_allocate", "0");
	set(p, "read_allocate_l2", "0");
	set(p, "shared", "0");
	set(p, "l1d.dirty_per_line", "1");
	if (p->direction != APMU_DIRECTION_BTB)
		set(p, "direction", "static");
	set(p, "loops", "0");
	if (p->rob && strncmp(kind->name, "calls", 5) != 0 && strncmp(kind->name, "btb", 3) != 0) {
		set(p, "nano_btb", "0");
		set(p, "taken", "0");
		set(p, "static_taken", "0");
	}
	if (strstr(kind->params, "prefetch.streams 0")) {
		shrink(p, "l1d.size", p->l1d.size, 4096);
		if (!strstr(kind->params, "l2.size"))
			shrink(p, "l2.size", p->l2.size, 32768);
		shrink(p, "l3.size", p->l3.size, 131072);
	}
	snprintf(text, sizeof text, "%s", kind->params);
	for (char *key; (key = strtok(at, " ")); at = NULL) {
		char *value = strtok(NULL, " ");
		if (strcmp(key, "l2.size") == 0)
			shrink(p, key, p->l2.size, (uint32_t)strtoul(value, NULL, 10));
		else if (strcmp(key, "l1i.size") != 0 && (p->rob || strcmp(key, "rob") != 0) &&
			 (p->l2.inclusion != APMU_EXCLUSIVE || strcmp(key, "code_ahead") != 0))
			set(p, key, value);
	}
}
