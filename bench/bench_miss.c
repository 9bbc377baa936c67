/* SPDX-License-Identifier: MIT */
/**
 * What an access costs by what it meets with: nanoseconds beyond entering its block, everything wanted,
 * through the calls that the QEMU engine makes; and how often each thing happened. bench_miss [CORE...]
 */
#define _POSIX_C_SOURCE 199309L
#include <apmu/uarch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 9
#define STEPS  200000u
#define BASE   0x100000u

/* Where the accesses of a program go. */
struct path {
	const char *name;
	uint32_t places; /* visited in turn; with `scattered`, words at random among them */
	uint32_t stride; /* bytes from one to the next */
	bool scattered;
};

static const struct path paths[] = {
	{"one word", 1, 4, false},
	{"four lines", 4, 32, false},
	{"16 pages, a line each", 16, 4096 + 64, false},
	{"10 pages in order, 32 bytes apart", 1280, 32, false},
	{"128 KiB, 32 bytes apart", 4096, 32, false},
	{"words of 24 KiB at random", 6144, 4, true},
	{"words of 64 KiB at random", 16384, 4, true},
	{"words of 256 KiB at random", 65536, 4, true},
	{"words of 4 MiB at random", 1048576, 4, true},
};

static uint32_t where[STEPS];
static struct apmu_tally tally;

static void walk(const struct path *p)
{
	uint32_t seed = 1;
	for (unsigned k = 0; k < STEPS; k++) {
		seed ^= seed << 13;
		seed ^= seed >> 17;
		seed ^= seed << 5;
		where[k] = BASE + (p->scattered ? seed : k) % p->places * p->stride;
	}
}

/* Six instructions round one access; the last goes back. What is loaded is used two instructions on. */
static struct apmu_block *make(const struct apmu_uarch_params *p, bool store)
{
	struct apmu_insn insn[6];
	memset(insn, 0, sizeof(insn));
	for (unsigned i = 0; i < 6; i++) {
		insn[i].addr = 0x10000 + 4 * i;
		insn[i].size = 4;
		insn[i].cls = APMU_CLASS_ALU;
		insn[i].reads = i == 3 ? 2 : 8;
		insn[i].writes = (uint64_t)16 << i;
	}
	insn[1].cls = store ? APMU_CLASS_STORE : APMU_CLASS_LOAD;
	insn[1].width = 4;
	insn[1].writes = store ? 0 : 2;
	insn[5].cls = APMU_CLASS_BRANCH;
	insn[5].branch = APMU_BRANCH_IMMED;
	insn[5].writes = 0;
	insn[5].target = 0x10000;
	return apmu_block_new(p, insn, 6);
}

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double enter_only(struct apmu_uarch *u, const struct apmu_block *b)
{
	double begin = now_ns();
	for (unsigned k = 0; k < STEPS; k++)
		apmu_uarch_enter(u, b);
	return now_ns() - begin;
}

static double enter_and_access(struct apmu_uarch *u, const struct apmu_block *b, bool store)
{
	struct apmu_access_site site;
	apmu_block_access_site(b, 1, 4, &site);
	double begin = now_ns();
	for (unsigned k = 0; k < STEPS; k++) {
		apmu_uarch_enter(u, b);
		if (store)
			apmu_uarch_store(u, &site, where[k]);
		else
			apmu_uarch_load(u, &site, where[k]);
	}
	return now_ns() - begin;
}

/* How often a signal came, for each access. */
static double share(const struct apmu_tally *before, unsigned signal)
{
	return (double)(tally.n[signal] - before->n[signal]) / (ROUNDS * (double)STEPS);
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static void measure(const struct apmu_uarch_params *p, const struct path *path, bool store)
{
	uint64_t wanted[APMU_SIGNAL_WORDS];
	double enter = 1e18, both = 1e18;
	memset(wanted, 0xFF, sizeof(wanted));
	struct apmu_block *b = make(p, store);
	struct apmu_uarch *u = apmu_uarch_new(p, &tally, wanted);
	if (!b || !u)
		exit(1);
	apmu_uarch_precount(u);
	walk(path);
	struct apmu_tally before = tally;
	for (unsigned r = 0; r < ROUNDS; r++) {
		both = least(both, enter_and_access(u, b, store));
		enter = least(enter, enter_only(u, b));
	}
	printf("  %-5s %-34s %8.1f %8.2f %8.2f %8.2f\n", store ? "store" : "load", path->name,
	       (both - enter) / STEPS, share(&before, APMU_SIG_L1D_TLB_REFILL),
	       share(&before, APMU_SIG_TLB_WALK), share(&before, APMU_SIG_L1D_MISS));
	apmu_uarch_free(u);
	apmu_block_free(b);
}

static void bench(const struct apmu_uarch_params *p)
{
	printf("%s\n  %-40s %8s %8s %8s %8s\n", p->name, "", "ns", "refills", "walks", "misses");
	for (size_t k = 0; k < 2 * sizeof(paths) / sizeof(paths[0]); k++)
		measure(p, &paths[k / 2], k % 2);
}

int main(int argc, char **argv)
{
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		const struct apmu_uarch_params *p = apmu_uarch_at(c);
		bool named = argc < 2 && (!strcmp(p->name, "arm1136") || !strcmp(p->name, "cortex-a53") ||
					  !strcmp(p->name, "neoverse-n1"));
		for (int k = 1; k < argc; k++)
			named |= !strcmp(argv[k], p->name);
		if (named)
			bench(p);
	}
	return 0;
}
