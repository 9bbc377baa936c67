/* SPDX-License-Identifier: MIT */
/*
 * Checks that each parameter that a row accepts has an effect: it is set to other values until some count of
 * some program changes. A parameter without effect must be refused (apmu_uarch_idle()) or be listed below
 * with the reason.
 */
#include <apmu/uarch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum {
	BLOCKS = 256,
	INSNS = 12,
	STEPS = 6000,
	SHORT = STEPS / 8,
	PROGRAMS = 5,
	CLASS_OF_GROUPS = 1024,
	VALUES = 14,
	FEW = 2,
	ANY = 1000
};

/* Parameters that no event shows, and who uses them. */
static const struct {
	const char *key, *why;
} unseen[] = {
	{"clock", "makes seconds of cycles"},
	{"control.", "what a guest's control registers do, in apmu run"},
	{"shared", "which levels the threads of a process have in common: one thread has them all"},
	{"transfer", "between threads: one thread has no other"},
	{"l2.line_buffers", "of an L210 outside the core (--l2c)"},
	{"mini_window.", "where page tables do not say it"},
	{"btb", "where taken and static_taken are alike"},
	{"btb_shift", "where taken and static_taken are alike"},
	{"btb_stores_untaken", "where taken and static_taken are alike"},
	{"vector_access", "no program loads vectors beside others: guest/instruction_times"},
	{"branch_late", "no branch of a program looks at a register: test_uarch_pair.c"},
	{"forward_half", "no program loads 16 bytes: test_uarch_forward.c"},
	{"dispatch.renamed", "few moves are completed by renaming: test_uarch_window.c"},
	{"vectors_apart", "no program loads lists of vectors: test_uarch_pair.c"},
	{"mulh_flags", "no instruction computes with condition flags: test_uarch_window.c"},
	{"alu_early", "few ALU instructions stand behind one whose result they take: test_uarch_pair.c"},
	{"unit.unknown", "most cores issue them alone, and keep no pipe busy"},
	{"unit.exception", "most cores issue them alone, and keep no pipe busy"},
	{"unit.barrier", "most cores issue them alone, and keep no pipe busy"},
	{"unit.system", "most cores issue them alone, and keep no pipe busy"},
};

struct program {
	struct apmu_insn insn[BLOCKS][INSNS];
	unsigned n[BLOCKS];
	uint16_t run[STEPS];
	unsigned steps;
	uint64_t seed; /* for the addresses */
	bool pages;    /* page tables give the memory type, not the row's windows */
	bool storm;    /* no instruction waits for an operand */
};

static uint64_t state;

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 16) % n);
}

/* The class of each group: the last of its chain of parents in groups.txt. */
static uint8_t class_of[CLASS_OF_GROUPS];
static unsigned groups;

static const char *const class_word[APMU_CLASSES] = {
	"unknown", "alu",     "mul",     "mul-64",     "mul-long", "mul-half",  "mul-high", "div",
	"load",    "store",   "swap",    "preload",    "branch",   "exception", "barrier",  "system",
	"vfp",     "vfp-mac", "vfp-div", "vfp-div-64", "simd",     "nop"};

static unsigned find_class(char names[][24], const char *parent)
{
	for (unsigned c = 0; c < APMU_CLASSES; c++)
		if (strcmp(class_word[c], parent) == 0)
			return c;
	for (unsigned g = 0; g < groups; g++)
		if (strcmp(names[g], parent) == 0)
			return class_of[APMU_GROUP_FIRST + g];
	return APMU_CLASS_SIMD; /* a parent that the file lists later: all of these are vector groups */
}

static void read_groups(void)
{
	static char names[CLASS_OF_GROUPS][24];
	char path[512], line[256], name[20], parent[24];
	snprintf(path, sizeof path, "%s/spec/uarch/groups.txt", getenv("SRC") ? getenv("SRC") : ".");
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	for (groups = 0; fgets(line, sizeof line, file) != NULL;) {
		if (line[0] == '#' || sscanf(line, "%19s %23s", name, parent) != 2)
			continue;
		unsigned wide = strstr(line, " wide ") != NULL;
		for (unsigned q = 0; q <= wide; q++) {
			unsigned cls = find_class(names, parent);
			snprintf(names[groups], sizeof names[groups], "%s%s", name, q ? "-q" : "");
			class_of[APMU_GROUP_FIRST + groups++] = (uint8_t)cls;
		}
	}
	fclose(file);
	CHECK_EQ(groups, APMU_GROUPS - APMU_GROUP_FIRST);
}

static bool accesses(unsigned cls)
{
	return cls == APMU_CLASS_LOAD || cls == APMU_CLASS_STORE || cls == APMU_CLASS_SWAP;
}

/* A random instruction of any class or group, two times out of three of `group` if that is not 0. Operands
 * are from few registers, so that chains are long. */
static void make_insn(struct apmu_insn *x, unsigned group, bool storm)
{
	static const uint16_t kinds[] = {0, APMU_INSN_SUBWORD, APMU_INSN_DOUBLE, APMU_INSN_MULTIPLE};
	unsigned g = group != 0 && below(3) != 0 ? group
						 : below(below(2) ? APMU_CLASSES : APMU_GROUP_FIRST + groups);

	*x = (struct apmu_insn){.group = (uint16_t)g, .cls = (uint8_t)(g < APMU_CLASSES ? g : class_of[g])};
	if (x->cls == APMU_CLASS_BRANCH && !storm)
		x->cls = APMU_CLASS_ALU, x->group = APMU_CLASS_ALU;
	if (storm) {
		x->width = accesses(x->cls) ? 4 : 0;
		x->regs = accesses(x->cls);
		return;
	}
	unsigned bank = x->cls >= APMU_CLASS_VFP && x->cls <= APMU_CLASS_SIMD ? 32 : 0;
	x->reads = (uint64_t)1 << (bank + below(4)) | (uint64_t)1 << below(4);
	x->writes = (uint64_t)1 << (bank + below(4));
	x->shift_reads = below(2) ? x->reads : 0;
	x->late_reads = below(2) ? (uint64_t)1 << (bank + below(4)) : 0;
	x->reads |= x->late_reads;
	x->shift_reads &= ~x->late_reads;
	if (x->cls == APMU_CLASS_ALU)
		x->flags = (uint16_t)(below(3) == 0 ? APMU_INSN_SHIFT_REG : 0);
	if (x->cls == APMU_CLASS_MUL_LONG)
		x->low = (uint8_t)(1 + __builtin_ctzll(x->writes));
	x->traits = x->cls == APMU_CLASS_SYSTEM ? (uint64_t)1 << APMU_TRAIT_ZVA : 0;
	if (g >= APMU_GROUP_SVE_COUNT && g <= APMU_GROUP_SVE_SCATTER)
		x->traits = (uint64_t)1 << APMU_TRAIT_SVE;
	if (!accesses(x->cls))
		return;
	x->flags = x->cls == APMU_CLASS_SWAP ? 0 : kinds[below(4)];
	x->width = x->flags & APMU_INSN_SUBWORD ? 2 : below(2) ? 4 : 8;
	x->regs = x->flags & APMU_INSN_MULTIPLE ? 5 : 1;
	x->shift_reads = (uint64_t)1 << below(4);
	x->reads |= x->shift_reads;
}

static void make_branch(struct apmu_insn *x, const struct program *p, unsigned b)
{
	*x = (struct apmu_insn){.cls = APMU_CLASS_BRANCH, .group = APMU_CLASS_BRANCH, .size = 4};
	x->branch = (uint8_t)(APMU_BRANCH_IMMED + below(APMU_BRANCHES - 1));
	if (below(2) || b % 8 == 0)
		x->branch = APMU_BRANCH_IMMED;
	if (x->branch <= APMU_BRANCH_IMMED_X)
		x->target = p->insn[below(BLOCKS)][0].addr;
	if (x->branch == APMU_BRANCH_IMMED && b % 8 == 0)
		x->target = p->insn[b][0].addr;
	if (x->branch == APMU_BRANCH_IMMED && (below(4) || b % 8 == 0)) /* b % 8 == 0: a loop with an exit */
		x->flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS;
	if (x->branch != APMU_BRANCH_IMMED)
		x->writes = (uint64_t)1 << below(4);
	if (x->branch == APMU_BRANCH_LOAD_PC)
		x->cls = APMU_CLASS_LOAD, x->group = APMU_CLASS_LOAD, x->width = 4, x->regs = 1;
	if (b % 3 == 0 && (x->branch == APMU_BRANCH_RETURN || x->branch == APMU_BRANCH_INDIRECT))
		x->cls = APMU_CLASS_ALU, x->group = APMU_CLASS_ALU; /* MOV PC, LR; MOV PC, Rm */
}

static unsigned block_at(const struct program *p, uint64_t addr)
{
	for (unsigned b = 0; b < BLOCKS; b++)
		if (p->insn[b][0].addr == addr)
			return b;
	return 0;
}

/* The block after `b`: conditions follow patterns, calls return, indirect branches alternate between targets.
 */
static unsigned next_block(const struct program *p, unsigned b, unsigned visit, unsigned *stack,
			   unsigned *depth)
{
	const struct apmu_insn *x = &p->insn[b][p->n[b] - 1];
	unsigned after = (b + 1) % BLOCKS;

	if (b % 8 == 0 && x->flags & APMU_INSN_CONDITIONAL && visit % (6 + b % 37) != 0)
		return b;
	if (x->flags & APMU_INSN_CONDITIONAL && (below(16) == 0 || visit % (2 + b % 9) == 0))
		return after;
	if (x->branch == APMU_BRANCH_RETURN && *depth > 0 && below(8) != 0)
		return stack[--*depth % 64];
	if (x->branch == APMU_BRANCH_IMMED_LINK || x->branch == APMU_BRANCH_IMMED_X ||
	    x->branch == APMU_BRANCH_INDIRECT_LINK)
		stack[(*depth)++ % 64] = after;
	return x->target != 0 ? block_at(p, x->target) : (b * 7 + visit % 3 * 11) % BLOCKS;
}

/* Makes a compare of what is before a branch that reads the condition flags. */
static void compare_before_branch(struct program *p, unsigned b)
{
	uint32_t last = p->n[b] - 1;
	struct apmu_insn *x = &p->insn[b][last - (last > 0)];

	if (last == 0 || !(p->insn[b][last].flags & APMU_INSN_READS_FLAGS))
		return;
	*x = (struct apmu_insn){.addr = x->addr,
				.size = x->size,
				.cls = APMU_CLASS_ALU,
				.group = APMU_GROUP_COMPARE,
				.flags = APMU_INSN_SETS_FLAGS,
				.reads = 1};
}

/* Blocks lie one after another; in programs of odd number every third one is followed by a gap up to the next
 * 64 KiB, so that blocks conflict in the caches. */
static void make_program(struct program *p, unsigned number, unsigned group)
{
	static unsigned visits[BLOCKS], stack[64];
	uint64_t addr = 0x10000;
	unsigned depth = 0, at = 0;

	state = 0x9E3779B97F4A7C15u + number + 77 * (uint64_t)group;
	memset(visits, 0, sizeof visits);
	for (unsigned b = 0; b < BLOCKS; b++) {
		p->n[b] = 1 + below(INSNS - 1);
		p->insn[b][0].addr = addr;
		addr += 4 * p->n[b];
		if (number % 2 && b % 3 == 2)
			addr = (addr + 0x10000) & ~(uint64_t)0xFFFF;
	}
	for (unsigned b = 0; b < BLOCKS; b++) {
		uint64_t start = p->insn[b][0].addr;
		for (unsigned i = 0; i < p->n[b]; i++) {
			if (i + 1 < p->n[b])
				make_insn(&p->insn[b][i], group, p->storm);
			else
				make_branch(&p->insn[b][i], p, b);
			p->insn[b][i].addr = start + 4 * i;
			p->insn[b][i].size = 4;
		}
	}
	for (unsigned k = 0; k < STEPS; k++) {
		p->run[k] = (uint16_t)at;
		at = below(200) == 0 ? below(BLOCKS / 8) * 8 : next_block(p, at, visits[at]++, stack, &depth);
	}
	p->steps = STEPS;
	p->seed = state | 1;
	p->pages = number >= 2;
}

/* Addresses near and far, in sequence, across lines, and in the first 32 KiB (TCM or uncached in some rows).
 */
static uint64_t address(unsigned step, unsigned i)
{
	if (step / 128 % 4 == 3) /* in sequence */
		return 0x48000000u + 8 * (4 * (uint64_t)step + i % 4);
	if (step / 128 % 8 == 1) /* in steps of some lines */
		return 0x58000000u + 320 * (uint64_t)step;
	switch (below(8)) {
	case 0: return 0x40000000u + below(4096);
	case 1: return 0x40000000u + 64 * (uint64_t)below(1u << 20);
	case 2: return 0x50000000u + 64 * (uint64_t)step;
	case 3: return 0x60000000u + 256 * (uint64_t)step + 8 * i;
	case 4: return 0x40000000u + 4 * (uint64_t)below(16);
	case 5: return 0x70000000u + 8 * (uint64_t)step;
	case 6: return below(0x8000);
	default: return 0x40000000u + 4096 * (uint64_t)below(96);
	}
}

static void touch(struct apmu_uarch *u, const struct apmu_block *block, const struct apmu_insn *x, unsigned i,
		  unsigned step)
{
	unsigned elements = x->flags & APMU_INSN_MULTIPLE ? x->regs : x->flags & APMU_INSN_DOUBLE ? 2 : 1;
	uint64_t at = address(step, i);

	if (x->cls == APMU_CLASS_PRELOAD)
		apmu_uarch_preload(u, block, i, at, false);
	if (x->traits >> APMU_TRAIT_ZVA & 1)
		apmu_uarch_zero(u, block, i, at, 64);
	if (accesses(x->cls))
		apmu_uarch_access(u, block, i, at, elements * x->width, x->cls == APMU_CLASS_STORE);
	if (x->cls == APMU_CLASS_SWAP)
		apmu_uarch_access(u, block, i, at, x->width, true);
}

/* Runs a program on the row and counts all signals. */
static void run(const struct apmu_uarch_params *params, const struct program *p, struct apmu_tally *tally)
{
	uint64_t wanted[APMU_SIGNAL_WORDS];
	struct apmu_block *block[BLOCKS] = {NULL};

	memset(tally, 0, sizeof *tally);
	memset(wanted, 0xFF, sizeof wanted);
	struct apmu_uarch *u = apmu_uarch_new(params, tally, wanted);
	assert_non_null(u);
	state = p->seed;
	for (unsigned k = 0; k < p->steps; k++) {
		unsigned b = p->run[k];
		static const enum apmu_memory memory[] = {APMU_MEMORY_CACHED, APMU_MEMORY_UNCACHED,
							  APMU_MEMORY_CACHED, APMU_MEMORY_MINI};
		if (p->pages)
			apmu_uarch_data_memory(u, memory[k / 64 % 4]);
		if (block[b] == NULL)
			block[b] = apmu_block_new(params, p->insn[b], p->n[b]);
		apmu_uarch_enter(u, block[b]);
		for (unsigned i = 0; i < p->n[b]; i++)
			touch(u, block[b], &p->insn[b][i], i, k);
	}
	apmu_uarch_break(u);
	apmu_uarch_free(u);
	for (unsigned b = 0; b < BLOCKS; b++)
		apmu_block_free(block[b]);
	tally->n[APMU_SIG_CYCLES_ALONE] =
		0; /* a bound that follows from the parameter itself, not from what the machine does */
}

/* Writes the k-th other value to try: both ends of small numbers, parts and multiples of large ones, all
 * words.
 */
static bool other_value(const struct apmu_uarch_param *f, unsigned k, char *out, size_t size)
{
	static const char *const words[] = {"lru",       "plru",    "round-robin", "fifo",      "random",
					    "back",      "through", "line",        "register",  "neither",
					    "inclusive", "none",    "both",        "elder",     "younger",
					    "btb",       "static",  "bimodal",     "exclusive", "immed",
					    "gshare",    "local",   "tage",        "hybrid",    "none"};
	char *end;
	unsigned long long v = strtoull(f->value, &end, 0);

	if (strncmp(f->key, "group.", 6) == 0)
		return k < 3 && snprintf(out, size, "%s",
					 k == 0   ? "result:37,busy:21"
					 : k == 1 ? "result:2,busy:9,late:1"
						  : "result:90,late:50") > 0;
	if (strncmp(f->key, "unit.", 5) == 0) /* any: another class may keep those pipes busy */
		return k < APMU_UNITS && snprintf(out, size, "%u", k) > 0;
	if (*end != '\0') {
		if (k >= sizeof words / sizeof words[0])
			return false;
		snprintf(out, size, "%s", words[k]);
		return true;
	}
	const unsigned long long values[VALUES] = {v + 1,
						   v / 2,
						   v != 0 ? v * 2 : 2,
						   v != 0 ? v - 1 : 3,
						   0,
						   1,
						   v / 16,
						   v * 8,
						   v + 40,
						   v / 256,
						   0x2000,
						   16,
						   64,
						   v / 3};
	if (k >= VALUES)
		return false;
	snprintf(out, size, "%llu", values[k]);
	return true;
}

/* Makes caches and buffers small, so that rare events become frequent. */
static void shrink(struct apmu_uarch_params *p)
{
	static const char *const key[] = {"l3.size", "l2.size", "l1d.size", "tlb.entries"};
	const unsigned factor[] = {16, 8, 4, 4};
	const unsigned ways[] = {p->l3.ways, p->l2.ways, p->l1d.ways, p->tlb.ways};
	const unsigned line[] = {p->l3.line, p->l2.line, p->l1d.line, 1};

	for (unsigned k = 0; k < sizeof key / sizeof key[0]; k++) {
		struct apmu_uarch_params less = *p;
		char value[32];
		snprintf(value, sizeof value, "%u", factor[k] * ways[k] * line[k]);
		bool there = k == 0   ? p->l3.size != 0
			     : k == 1 ? p->l2.size != 0
			     : k == 2 ? p->l1d.size != 0
				      : p->tlb.entries != 0;
		if (there && apmu_uarch_set(&less, key[k], value) == APMU_OK &&
		    apmu_uarch_check(&less) == NULL)
			*p = less;
	}
}

struct base {
	struct program *program;
	struct apmu_tally *tally; /* of the programs on the row, then on the small one */
	unsigned n;
};

static bool differs(const struct apmu_uarch_params *changed, const struct base *base)
{
	static struct apmu_tally now;

	for (unsigned k = 0; k < base->n; k++) {
		run(changed, &base->program[k], &now);
		if (memcmp(&now, &base->tally[k], sizeof now) != 0)
			return true;
	}
	return false;
}

/* Fills in the counts of the unchanged row. */
static void measure(struct base *base, const struct apmu_uarch_params *row)
{
	for (unsigned k = 0; k < base->n; k++)
		run(row, &base->program[k], &base->tally[k]);
}

/* 1: one of the first `most` other values of the parameter changes a count; 0: none does; -1: no other value
 * is possible. */
static int has_effect(const struct apmu_uarch_params *row, const struct apmu_uarch_param *f,
		      const struct base *base, unsigned most)
{
	char value[64];
	int tried = -1;

	for (unsigned k = 0; most > 0 && other_value(f, k, value, sizeof value); k++) {
		struct apmu_uarch_params changed = *row;
		if (apmu_uarch_set(&changed, f->key, value) != APMU_OK ||
		    apmu_uarch_check(&changed) != NULL || memcmp(&changed, row, sizeof changed) == 0)
			continue;
		tried = 0;
		most--;
		if (differs(&changed, base))
			return 1;
	}
	return tried;
}

/* True if `g` is the class that a key such as "unit.mul" names, or a class or group that uses the pipes of a
 * key such as "pipes.8" or "within.8"; for "flag_cycles", the class that sets the condition flags; for
 * "queue_per_pipe" and "queue_first", classes of one or more of several pipes; for "fused_compares", that of
 * compares. */
static bool asked(const struct apmu_uarch_params *row, const char *key, unsigned g)
{
	unsigned pipes = 0;

	if (strcmp(key, "fused_compares") == 0)
		return g == APMU_CLASS_ALU;
	if (strcmp(key, "flag_cycles") == 0 || strncmp(key, "queue_", 6) == 0)
		return g == APMU_CLASS_ALU || g == APMU_CLASS_MUL;
	if (sscanf(key, "pipes.%u", &pipes) != 1 && sscanf(key, "within.%u", &pipes) != 1)
		return g < APMU_CLASSES && strcmp(class_word[g], strchr(key, '.') + 1) == 0;
	return g < APMU_CLASSES ? row->unit[g] == pipes
				: (row->timing[g] >> APMU_TIMING_UNIT & 15) == pipes + 1;
}

/* Makes the additions of a program set the condition flags. */
static void set_flags(struct program *p)
{
	for (unsigned b = 0; b < BLOCKS; b++)
		for (unsigned i = 0; i < p->n[b]; i++)
			if (p->insn[b][i].cls == APMU_CLASS_ALU)
				p->insn[b][i].flags |= APMU_INSN_SETS_FLAGS;
}

/* has_effect() for programs of instructions that use what the key names. They are independent, except where
 * some must wait in queues. */
static int effect_in_own(const struct apmu_uarch_params *row, const struct apmu_uarch_param *f)
{
	static struct program storm;
	static struct apmu_tally tally;
	struct base base = {&storm, &tally, 1};
	int effect = 0;

	storm.storm = strncmp(f->key, "queue_", 6) != 0;
	for (unsigned g = 0; g < APMU_GROUPS && effect != 1; g++) {
		if (!asked(row, f->key, g))
			continue;
		make_program(&storm, 0, g);
		if (strcmp(f->key, "flag_cycles") == 0)
			set_flags(&storm);
		for (unsigned b = 0; strcmp(f->key, "fused_compares") == 0 && b < BLOCKS; b++)
			compare_before_branch(&storm, b);
		measure(&base, row);
		effect = has_effect(row, f, &base, ANY);
	}
	return effect;
}

static const char *why_unseen(const char *key)
{
	for (unsigned k = 0; k < sizeof unseen / sizeof unseen[0]; k++) {
		size_t n = strlen(unseen[k].key);
		if (unseen[k].key[n - 1] == '.' ? strncmp(key, unseen[k].key, n) == 0
						: strcmp(key, unseen[k].key) == 0)
			return unseen[k].why;
	}
	return NULL;
}

/* Number of the row's parameters that are accepted and have no effect, or are refused and have one. Unless
 * `every`, an instruction group is tried on every other row, and a refused parameter with few other values.
 */
static unsigned without_effect(const struct apmu_uarch_params *row, unsigned number, bool every)
{
	static struct program program[PROGRAMS];
	static struct apmu_tally tally[2][PROGRAMS];
	struct base base = {program, tally[0], PROGRAMS}, tight = {program, tally[1], PROGRAMS};
	struct apmu_uarch_params small = *row;
	struct apmu_uarch_param f;
	unsigned bad = 0, tried = 0, group = APMU_GROUP_FIRST;

	shrink(&small);
	make_program(&program[0], 0, 0); /* shows most parameters' effect at once */
	program[0].steps = SHORT;
	for (unsigned k = 1; k < PROGRAMS; k++)
		make_program(&program[k], k - 1, 0);
	measure(&base, row);
	measure(&tight, &small);
	for (size_t i = 0; apmu_uarch_param(row, i, &f); i++) {
		static struct program own;
		static struct apmu_tally own_tally;
		struct base one = {&own, &own_tally, 1};
		bool grouped = strncmp(f.key, "group.", 6) == 0;
		if (grouped && !every && (group + number) % 2 != 0) {
			group++;
			continue;
		}
		if (grouped) {
			make_program(&own, 0, group++);
			own.steps = SHORT;
			measure(&one, row);
		}
		char why[200];
		if (why_unseen(f.key) != NULL)
			continue;
		bool idle = apmu_uarch_idle(row, f.key, why, sizeof why) != NULL;
		unsigned most = idle && !every ? FEW : ANY;
		int effect = has_effect(row, &f, grouped ? &one : &base, most);
		if (grouped && effect == 0) {
			own.steps = STEPS;
			measure(&one, row);
			effect = has_effect(row, &f, &one, most);
		}
		if (idle) {
			if (effect == 1)
				printf("%s: %s is refused (%s), and it changes something\n", row->name, f.key,
				       why);
			bad += effect == 1;
			continue;
		}
		if (effect == 0 && !grouped)
			effect = has_effect(&small, &f, &tight, ANY);
		if (effect == 0 &&
		    (strcmp(f.key, "flag_cycles") == 0 || strcmp(f.key, "fused_compares") == 0 ||
		     strncmp(f.key, "queue_", 6) == 0 || strncmp(f.key, "pipes.", 6) == 0 ||
		     strncmp(f.key, "unit.", 5) == 0 || strncmp(f.key, "within.", 7) == 0))
			effect = effect_in_own(row, &f);
		tried += effect >= 0;
		if (effect == 0)
			printf("%s: %s = %s is taken, and no program sees it\n", row->name, f.key, f.value);
		bad += effect == 0;
	}
	printf("%s: %u parameters, %u without effect\n", row->name, tried, bad);
	return bad;
}

TEST(a_figure_changes_something_or_is_refused)
{
	/* one row of each kind of core; all rows (minutes) if APMU_TEST_ALL is set; APMU_ROW names others,
	 * separated by spaces */
	static const char *const usual = " arm1136 xscale1 cortex-a8 cortex-a53 cortex-a72 neoverse-n1 ";
	const char *only = getenv("APMU_ROW");
	char name[64], named[256];
	bool every = getenv("APMU_TEST_ALL") != NULL;
	unsigned bad = 0, rows = 0;

	snprintf(named, sizeof named, " %s ", only != NULL ? only : "");
	read_groups();
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		snprintf(name, sizeof name, " %s ", apmu_uarch_at(c)->name);
		if (only != NULL ? strstr(named, name) == NULL : !every && strstr(usual, name) == NULL)
			continue;
		bad += without_effect(apmu_uarch_at(c), rows++, every);
	}
	CHECK_EQ(bad, 0);
}
