/* SPDX-License-Identifier: MIT */
/**
 * What the event sources cost: nanoseconds a block entered and an access, for what is wanted, on three shapes
 * of program, beside the loop that only walks the trace. Medians of rounds that take turns.
 */
#define _POSIX_C_SOURCE 199309L
#include <apmu/uarch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 11
#define STEPS  400000u
#define BLOCKS 256u

struct step {
	uint16_t block;
	uint32_t addr;
};

/* A program: how its blocks follow one another and where its accesses go. */
struct shape {
	const char *name;
	unsigned blocks; /* how many of the blocks it uses */
	uint32_t bytes;  /* of data, walked word by word or at random */
	bool scattered;  /* at random */
};

static const struct shape shapes[] = {
	{"a loop, 8 KiB of data in order", 4, 8192, false},
	{"80 blocks, 12 KiB of data at random", 80, 12288, true},
	{"256 blocks, 1 MiB of data at random", 256, 1u << 20, true},
};

struct want {
	const char *name;
	int first; /* signal; -1: all of them */
	int second;
};

static const struct want wants[] = {
	{"instructions, branches", APMU_SIG_INST, APMU_SIG_BR_EXEC},
	{"mispredictions", APMU_SIG_BR_MIS_PRED, APMU_SIG_PC_CHANGE},
	{"cache misses", APMU_SIG_L1I_MISS, APMU_SIG_L1D_MISS},
	{"everything", -1, -1},
};

static struct apmu_block *block[BLOCKS];
static struct step trace[STEPS];
static struct apmu_tally tally;
static uint32_t seed = 1;

static uint32_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

/* Six instructions, two of them memory accesses, ending in a conditional branch, spread over the code. */
static void make_blocks(const struct apmu_uarch_params *p)
{
	for (unsigned k = 0; k < BLOCKS; k++) {
		struct apmu_insn insn[6];
		memset(insn, 0, sizeof(insn));
		for (unsigned i = 0; i < 6; i++) {
			insn[i].addr = 0x10000 + 40 * k + 4 * i;
			insn[i].size = 4;
			insn[i].cls = APMU_CLASS_ALU;
			insn[i].reads = (uint64_t)1 << i | 8;
			insn[i].writes = (uint64_t)2 << i;
		}
		insn[1].cls = APMU_CLASS_LOAD;
		insn[1].width = insn[3].width = 4;
		insn[3].cls = APMU_CLASS_STORE;
		insn[5].cls = APMU_CLASS_BRANCH;
		insn[5].branch = APMU_BRANCH_IMMED;
		insn[5].flags = APMU_INSN_CONDITIONAL;
		insn[5].target = 0x10000;
		block[k] = apmu_block_new(p, insn, 6);
		if (!block[k])
			exit(1);
	}
}

static void make_trace(const struct shape *s)
{
	for (unsigned k = 0; k < STEPS; k++) {
		uint32_t at = s->scattered ? next_random() % s->bytes : k * 8 % s->bytes;
		trace[k].block = (uint16_t)(k % s->blocks);
		trace[k].addr = 0x100000 + (at & ~3u);
	}
}

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t walk_only(void)
{
	uint64_t sum = 0;
	for (unsigned k = 0; k < STEPS; k++) {
		sum += (uintptr_t)block[trace[k].block] + trace[k].addr;
		__asm__ volatile("" : "+r"(sum));
	}
	return sum;
}

static void enter_only(struct apmu_uarch *u)
{
	for (unsigned k = 0; k < STEPS; k++)
		apmu_uarch_enter(u, block[trace[k].block]);
}

static void enter_and_access(struct apmu_uarch *u)
{
	for (unsigned k = 0; k < STEPS; k++) {
		const struct apmu_block *b = block[trace[k].block];
		apmu_uarch_enter(u, b);
		apmu_uarch_access(u, b, 1, trace[k].addr, 4, false);
		apmu_uarch_access(u, b, 3, trace[k].addr + 4, 4, true);
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *t)
{
	qsort(t, ROUNDS, sizeof(*t), ascending);
	return t[ROUNDS / 2] / STEPS;
}

static void measure(const struct apmu_uarch_params *p, const struct want *w)
{
	uint64_t wanted[APMU_SIGNAL_WORDS];
	double walk[ROUNDS], enter[ROUNDS], both[ROUNDS];
	memset(wanted, w->first < 0 ? 0xFF : 0, sizeof(wanted));
	if (w->first >= 0) {
		apmu_signal_add(wanted, (unsigned)w->first);
		apmu_signal_add(wanted, (unsigned)w->second);
	}
	struct apmu_uarch *u = apmu_uarch_new(p, &tally, wanted);
	if (!u)
		exit(1);
	for (unsigned r = 0; r < ROUNDS; r++) {
		double t0 = now_ns();
		walk_only();
		double t1 = now_ns();
		enter_only(u);
		double t2 = now_ns();
		enter_and_access(u);
		double t3 = now_ns();
		walk[r] = t1 - t0;
		enter[r] = t2 - t1;
		both[r] = t3 - t2;
	}
	double loop = median(walk), block_ns = median(enter), all = median(both);
	printf("  %-24s %8.2f %8.2f\n", w->name, block_ns - loop, (all - block_ns) / 2);
	apmu_uarch_free(u);
}

static void bench(const struct apmu_uarch_params *p)
{
	make_blocks(p);
	for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
		make_trace(&shapes[s]);
		printf("%s, %s\n  %-24s %8s %8s\n", p->name, shapes[s].name, "wanted", "ns/block",
		       "ns/access");
		for (size_t w = 0; w < sizeof(wants) / sizeof(wants[0]); w++)
			measure(p, &wants[w]);
	}
	for (unsigned k = 0; k < BLOCKS; k++)
		apmu_block_free(block[k]);
}

int main(int argc, char **argv)
{
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		const struct apmu_uarch_params *p = apmu_uarch_at(c);
		if (argc < 2 ? c % 3 == 0 : !strcmp(argv[1], p->name))
			bench(p);
	}
	return 0;
}
